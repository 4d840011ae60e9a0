"""Signing in with a name, and out again."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request
from flask import session as cookie
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import Forbidden

from web.links import safe_next
from web.reviewer import LONGEST_NAME, clean_name, may_sign_in

pages = Blueprint("sign_in", __name__)


@pages.get("/sign-in")
def form() -> ResponseReturnValue:
    """The form for a name; `next` in the address says where to go afterwards."""
    return render_template("sign_in.html", next=safe_next(request.args.get("next")), name="", complaint=None)


@pages.post("/sign-in")
def sign_in() -> ResponseReturnValue:
    """Keep the name in the signed session and go on to `next`."""
    if not may_sign_in():
        raise Forbidden("Signing in with a name works only where Citewell serves this machine alone.")
    target = safe_next(request.form.get("next"))
    typed = request.form.get("name", "")
    name = clean_name(typed)
    if name is None:
        complaint = f"Write a name of 1 to {LONGEST_NAME} visible characters."
        return render_template("sign_in.html", next=target, name=typed[:LONGEST_NAME], complaint=complaint), 422
    cookie.clear()
    cookie["reviewer"] = name
    flash(f"Signed in as {name}.", "success")
    return redirect(target, 303)


@pages.post("/sign-out")
def sign_out() -> ResponseReturnValue:
    """Forget the name."""
    cookie.clear()
    flash("Signed out.", "notice")
    return redirect(safe_next(request.form.get("next")), 303)
