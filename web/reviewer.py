"""Who is at the desk: a name kept in the signed session, as long as Citewell serves this machine alone."""

from __future__ import annotations

import ipaddress
import unicodedata
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec
from urllib.parse import urlsplit

from flask import current_app, flash, redirect, request, url_for
from flask import session as cookie
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from web import pending
from web.links import safe_next

P = ParamSpec("P")

LONGEST_NAME = 80
_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip")


def is_loopback(host: str) -> bool:
    """True for a host that only this machine reaches."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def may_sign_in() -> bool:
    """True where a bare name is proof enough: bound to loopback, and asked for by that address directly.

    The Host header is looked at too, so that neither a name that points at 127.0.0.1 nor a proxy opens the form.
    """
    if not is_loopback(current_app.config["CITEWELL_HOST"]):
        return False
    if any(name in request.headers for name in _FORWARDED):
        return False
    return is_loopback(urlsplit(f"//{request.host}").hostname or "")


def reviewer() -> str | None:
    """The name of who is signed in, or None."""
    name = cookie.get("reviewer")
    return name if isinstance(name, str) and name and may_sign_in() else None


def clean_name(text: str) -> str | None:
    """A name fit to be kept: one line of 1 to 80 visible characters; None for anything else."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name or len(name) > LONGEST_NAME:
        return None
    # Control and format characters could make one name look like another.
    return None if any(unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co") for character in name) else name


def signed_in(view: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
    """A view that needs a name: without one it leads to the sign-in form, and what was sent waits to be sent again."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        if reviewer() is None:
            target = safe_next(request.form.get("next"))
            if may_sign_in():
                pending.keep(target)
            flash(gettext("Sign in first: decisions and wordings are kept with the name of who made them."), "notice")
            return redirect(url_for("sign_in.form", next=target), 303)
        pending.forget()
        return view(*args, **kwargs)

    return guarded
