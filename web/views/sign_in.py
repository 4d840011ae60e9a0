"""Signing in with a name, and out again."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask import session as cookie
from flask.typing import ResponseReturnValue
from flask_babel import gettext
from werkzeug.exceptions import Forbidden

from web import pending
from web.links import safe_next
from web.reviewer import LONGEST_NAME, clean_name, may_sign_in, reviewer

pages = Blueprint("sign_in", __name__)


@pages.get("/sign-in")
def form() -> ResponseReturnValue:
    """The form for a name; `next` in the address says where to go afterwards."""
    return _form(safe_next(request.args.get("next")))


@pages.post("/sign-in")
def sign_in() -> ResponseReturnValue:
    """Keep the name in the signed session and go on to `next`, by way of what was sent without a name if there is."""
    if not may_sign_in():
        raise Forbidden(gettext("Signing in with a name works only where Citewell serves this machine alone."))
    target = safe_next(request.form.get("next"))
    typed = request.form.get("name", "")
    name = clean_name(typed)
    if name is None:
        complaint = gettext("Write a name of 1 to %(longest)s visible characters.", longest=LONGEST_NAME)
        return _form(target, typed[:LONGEST_NAME], complaint), 422
    waiting = pending.waiting(target)
    cookie.clear()
    cookie["reviewer"] = name
    flash(gettext("Signed in as %(name)s.", name=name), "success")
    if waiting:
        pending.restore(waiting)
        return redirect(url_for("sign_in.resume", next=target), 303)
    return redirect(target, 303)


@pages.get("/sign-in/resume")
def resume() -> ResponseReturnValue:
    """What was sent before signing in, with a button that sends it again."""
    target = safe_next(request.args.get("next"))
    waiting = pending.waiting(target)
    if waiting is None or reviewer() is None:
        return redirect(target, 303)
    return render_template("resume.html", waiting=waiting)


@pages.post("/sign-out")
def sign_out() -> ResponseReturnValue:
    """Forget the name."""
    cookie.clear()
    flash(gettext("Signed out."), "notice")
    return redirect(safe_next(request.form.get("next")), 303)


def _form(target: str, name: str = "", complaint: str = "") -> str:
    waiting = pending.waiting(target) is not None
    return render_template("sign_in.html", next=target, name=name, complaint=complaint, pending=waiting)
