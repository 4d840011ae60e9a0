"""The dashboard: server-rendered pages that read and write through `store`, and need no JavaScript."""

from __future__ import annotations

from flask import Flask
from flask_wtf.csrf import CSRFProtect
from sqlalchemy import Engine

from config import Config, web_secret
from web import assets, filters, language, reviewer
from web.database import add_database
from web.errors import add_error_pages
from web.headers import add_headers
from web.views import (
    about,
    bulk,
    domains,
    find,
    health,
    item,
    measured,
    overview,
    pair,
    preferences,
    properties,
    queue,
    runs,
    sign_in,
    wording,
    wordings,
    worklists,
)


def create_app(config: Config, engine: Engine) -> Flask:
    """The dashboard over a migrated database. Sign-in by name works only where `config.web.host` is loopback."""
    app = Flask("web")
    app.config.update(
        SECRET_KEY=web_secret(config),
        SESSION_COOKIE_NAME="citewell",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        # Whoever serves others than this machine does so over TLS.
        SESSION_COOKIE_SECURE=not reviewer.is_loopback(config.web.host),
        WTF_CSRF_TIME_LIMIT=None,  # a pair may be looked at for an hour; the session bounds the token
        MAX_CONTENT_LENGTH=64 * 1024,
        CITEWELL_HOST=config.web.host,
        CITEWELL_ARCHIVE=config.var / "archive",
    )
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True, "autoescape": True}
    for room in (wordings.room, worklists.room):  # before the protection reads the form
        app.before_request(room)
    CSRFProtect(app)
    add_database(app, engine)
    add_headers(app)
    add_error_pages(app)
    language.add_to(app, config)
    assets.add_to(app)
    filters.add_to(app)
    for views in (
        queue,
        pair,
        bulk,
        wording,
        wordings,
        worklists,
        properties,
        item,
        domains,
        overview,
        runs,
        about,
        measured,
        sign_in,
        health,
        preferences,
        find,
    ):
        app.register_blueprint(views.pages)
    return app
