"""What a reader chooses for all pages: the language, and light or dark. Both are kept in cookies of their own."""

from __future__ import annotations

from flask import Blueprint, current_app, redirect, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from web import language
from web.errors import BadQuery
from web.links import safe_next

pages = Blueprint("preferences", __name__)

LOOKS = ("auto", "light", "dark")
LOOK_COOKIE = "look"
_A_YEAR_S = 365 * 24 * 3600


def look() -> str:
    """Light or dark as the reader chose, or "auto": as the reader's system has it."""
    wanted = request.cookies.get(LOOK_COOKIE, "")
    return wanted if wanted in LOOKS else "auto"


@pages.post("/preferences")
def choose() -> ResponseReturnValue:
    """Keep what was chosen, and go back to the page it was chosen on."""
    chosen, tag = request.form.get("look", "auto"), request.form.get("language", "")
    if chosen not in LOOKS:
        raise BadQuery("look", gettext("It takes one of %(choices)s.", choices=", ".join(LOOKS)))
    tags = [each.tag for each in language.offered()]
    if tag and tag not in tags:
        raise BadQuery("language", gettext("It takes one of %(choices)s.", choices=", ".join(tags)))
    answer = redirect(safe_next(request.form.get("next")), 303)
    for name, value in ((LOOK_COOKIE, chosen), (language.COOKIE, tag)):
        answer.set_cookie(
            name,
            value,
            max_age=_A_YEAR_S,
            secure=current_app.config["SESSION_COOKIE_SECURE"],
            httponly=True,
            samesite="Lax",
        )
    return answer
