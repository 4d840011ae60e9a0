"""What went wrong, in words and with the right status; never a stack trace."""

from __future__ import annotations

import logging

from flask import Flask, render_template
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import InterfaceError, OperationalError
from werkzeug.exceptions import BadRequest, HTTPException, NotFound

from store.database import DatabaseUnavailable

log = logging.getLogger(__name__)

_HEADINGS = {
    400: "That request can’t be read",
    403: "Not allowed",
    404: "Not found",
    405: "This address doesn’t take that kind of request",
    409: "It has changed since you opened the page",
    413: "That is too much text",
    422: "That can’t be saved",
    500: "Something failed on our side",
    503: "The database can’t be reached",
}


class BadQuery(BadRequest):
    """A value in the address that isn't one of those its field takes."""

    def __init__(self, field: str, complaint: str) -> None:
        super().__init__(f"“{field}” in the address {complaint}.")


def missing(what: str) -> NotFound:
    """The error for a page about something that Citewell doesn't have, with words that say what."""
    return NotFound(what)


def add_error_pages(app: Flask) -> None:
    """Give every error its page."""

    def page(status: int, words: str) -> ResponseReturnValue:
        return render_template("error.html", heading=_HEADINGS.get(status, f"Error {status}"), words=words), status

    @app.errorhandler(CSRFError)
    def stale_form(_error: CSRFError) -> ResponseReturnValue:
        return page(400, "The form was too old or came from another page. Go back, load the page again and repeat it.")

    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> ResponseReturnValue:
        status = error.code or 500
        if error.response is not None or status < 400:
            return error.get_response()
        return page(status, error.description or "")

    @app.errorhandler(OperationalError)
    @app.errorhandler(InterfaceError)
    @app.errorhandler(DatabaseUnavailable)
    def no_database(error: Exception) -> ResponseReturnValue:
        # The driver's words can name hosts and users; they are for the operator's log alone.
        log.error("the database did not answer: %s", str(error).partition("\n")[0])
        return page(503, "Citewell’s database can’t be reached just now. Nothing is lost; try again in a minute.")

    @app.errorhandler(Exception)
    def failed(error: Exception) -> ResponseReturnValue:
        log.error("a page failed", exc_info=error)
        return page(500, "It has been logged. Try again, and tell the operator if it stays.")
