"""One database session for a request, opened when first asked for and closed with it."""

from __future__ import annotations

from flask import Flask, current_app, g
from sqlalchemy import Engine
from sqlalchemy.orm import Session


def session() -> Session:
    """The session of this request. What a view changes it commits itself; the rest is rolled back."""
    if "session" not in g:
        engine: Engine = current_app.extensions["citewell.engine"]
        g.session = Session(engine)
    opened: Session = g.session
    return opened


def add_database(app: Flask, engine: Engine) -> None:
    """Give the app its engine, and close a request's session when the request ends."""
    app.extensions["citewell.engine"] = engine

    @app.teardown_appcontext
    def close(_error: BaseException | None) -> None:
        opened: Session | None = g.pop("session", None)
        if opened is not None:
            opened.close()
