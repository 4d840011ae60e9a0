"""Decisions about many references at once: of a domain that died, or to an address that became something else."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext, ngettext
from werkzeug.exceptions import BadRequest, Conflict

from store import bulk
from store.bulk import MOST, ChangedSince, Target
from store.reviews import ReviewRefused
from web.database import session
from web.disputes import count_anew
from web.errors import missing
from web.formats import number
from web.query import read_number
from web.reviewer import reviewer, signed_in

pages = Blueprint("bulk", __name__)

PAGE_LENGTH = 50
_LONGEST = 2000


@pages.get("/bulk")
def index() -> ResponseReturnValue:
    """Decisions about many, newest first; `before` in the address is the number of the last one seen."""
    before = read_number(request.args, "before")
    found = bulk.bulks(session(), before, PAGE_LENGTH + 1)
    return render_template("bulks.html", bulks=found[:PAGE_LENGTH], more=len(found) > PAGE_LENGTH, first=before is None)


@pages.get("/bulk/new")
def new() -> ResponseReturnValue:
    """What would be decided about, and the form that decides it."""
    return _form(_target(request.args))


@pages.get("/bulk/<int:bulk_id>")
def show(bulk_id: int) -> ResponseReturnValue:
    """A decision about many, with some of what it is about."""
    found = bulk.bulk(session(), bulk_id) if bulk_id < 2**63 else None
    if found is None:
        raise missing(gettext("There is no decision about many with the number %(id)s.", id=bulk_id))
    return render_template("bulk.html", bulk=found, examples=bulk.examples_of(session(), bulk_id))


@pages.post("/bulk")
@signed_in
def record() -> ResponseReturnValue:
    """Decide about all that the person saw; 409 and anew what there is, where that has changed."""
    target = _target(request.form)
    try:
        made = bulk.carry_out(session(), target, reviewer() or "", request.form.get("seen", ""))
    except ChangedSince:
        session().rollback()
        return _form(
            target, gettext("Something has changed since you looked. This is what there is to decide now.")
        ), 409
    except ReviewRefused:
        session().rollback()
        return _form(target, gettext("There is nothing here that can be decided at once.")), 409
    session().commit()
    count_anew()
    flash(
        ngettext(
            "Decided about %(pairs)s reference.",
            "Decided about %(pairs)s references.",
            made.number,
            pairs=number(made.number),
        ),
        "success",
    )
    return redirect(url_for("bulk.show", bulk_id=made.id), 303)


@pages.post("/bulk/<int:bulk_id>/undo")
@signed_in
def take_back(bulk_id: int) -> ResponseReturnValue:
    """Undo one's own decision about many, as a whole."""
    if bulk_id >= 2**63:
        raise missing(gettext("There is no decision about many with the number %(id)s.", id=bulk_id))
    try:
        bulk.undo(session(), bulk_id, reviewer() or "")
    except ReviewRefused as error:
        raise Conflict(gettext("Only who made this decision can undo it.")) from error
    session().commit()
    count_anew()
    flash(gettext("All of these decisions are undone."), "notice")
    return redirect(url_for("bulk.show", bulk_id=bulk_id), 303)


def _form(target: Target, complaint: str = "") -> str:
    plan = bulk.plan(session(), target)
    return render_template("bulk_new.html", plan=plan, target=target, complaint=complaint, most=MOST)


def _target(arguments: Mapping[str, str]) -> Target:
    """What is to be decided about. Raises `BadRequest` where neither a domain nor an address is named, or both."""
    domain, address = arguments.get("domain", "").strip().lower(), arguments.get("address", "").strip()
    name = domain or address
    if bool(domain) == bool(address) or len(name) > _LONGEST or not name.isprintable():
        raise BadRequest(gettext("Name the domain or the address whose references are to be decided about."))
    return Target("domain" if domain else "address", name, arguments.get("supported", "") == "1")
