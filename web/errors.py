"""What went wrong, in words and with the right status; never a stack trace."""

from __future__ import annotations

import logging

from flask import Flask, render_template
from flask.typing import ResponseReturnValue
from flask_babel import gettext, lazy_gettext
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import InterfaceError, OperationalError
from werkzeug.exceptions import BadRequest, HTTPException, NotFound

from store.database import DatabaseUnavailable

log = logging.getLogger(__name__)

_HEADINGS = {
    400: lazy_gettext("That request can’t be read"),
    403: lazy_gettext("Not allowed"),
    404: lazy_gettext("Not found"),
    405: lazy_gettext("This address doesn’t take that kind of request"),
    409: lazy_gettext("It has changed since you opened the page"),
    413: lazy_gettext("That is too much text"),
    422: lazy_gettext("That can’t be saved"),
    500: lazy_gettext("Something failed on our side"),
    503: lazy_gettext("The database can’t be reached"),
}
# What is said where nothing says more than the status.
_WORDS = {
    400: lazy_gettext("A part of it is missing or isn’t of the kind that belongs there."),
    403: lazy_gettext("This isn’t for you to see or do."),
    404: lazy_gettext("No page of Citewell has this address."),
    405: lazy_gettext("Go back, load the page again and repeat what you did."),
    413: lazy_gettext("A form may send 64 KB at most."),
    422: lazy_gettext("Go back and look at what you wrote."),
}


class BadQuery(BadRequest):
    """A value in the address that isn't one its field takes; `complaint` is a sentence that says what it takes."""

    def __init__(self, field: str, complaint: str) -> None:
        super().__init__(gettext("“%(field)s” in the address can’t be used.", field=field) + f" {complaint}")


def missing(what: str) -> NotFound:
    """The error for a page about something that Citewell doesn't have, with words that say what."""
    return NotFound(what)


def add_error_pages(app: Flask) -> None:
    """Give every error its page."""

    def page(status: int, words: str) -> ResponseReturnValue:
        heading = _HEADINGS.get(status) or gettext("Error %(status)s", status=status)
        return render_template("error.html", heading=heading, words=words), status

    @app.errorhandler(CSRFError)
    def stale_form(_error: CSRFError) -> ResponseReturnValue:
        return page(
            400,
            gettext("The form was too old or came from another page. Go back, load the page again and repeat it."),
        )

    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> ResponseReturnValue:
        status = error.code or 500
        if error.response is not None or status < 400:
            return error.get_response()
        # What the framework says by itself is English, and for programmers.
        own = error.description if error.description != type(error).description else None
        return page(status, own or str(_WORDS.get(status, "")))

    @app.errorhandler(OperationalError)
    @app.errorhandler(InterfaceError)
    @app.errorhandler(DatabaseUnavailable)
    def no_database(error: Exception) -> ResponseReturnValue:
        # The driver's words can name hosts and users; they are for the operator's log alone.
        log.error("the database did not answer: %s", str(error).partition("\n")[0])
        return page(
            503, gettext("Citewell’s database can’t be reached just now. Nothing is lost; try again in a minute.")
        )

    @app.errorhandler(Exception)
    def failed(error: Exception) -> ResponseReturnValue:
        log.error("a page failed", exc_info=error)
        return page(500, gettext("It has been logged. Try again, and tell the operator if it stays."))
