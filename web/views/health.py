"""Whether the dashboard and its database answer, for whoever watches over them."""

from __future__ import annotations

from flask import Blueprint, Response
from sqlalchemy import text
from sqlalchemy.exc import InterfaceError, OperationalError

from web.database import session

pages = Blueprint("health", __name__)


@pages.get("/healthz")
def health() -> Response:
    """`ok` with 200, or one line with 503 when the database doesn't answer."""
    try:
        session().execute(text("SELECT 1"))
    except (OperationalError, InterfaceError):
        return Response("the database can't be reached\n", 503, mimetype="text/plain")
    return Response("ok\n", mimetype="text/plain")
