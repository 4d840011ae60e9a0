"""Properties: how their pairs stand, and how editors word them."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest, Conflict

from models.statement import Statement, Term
from models.verbalise import Override, check_pattern, verbalise
from store import schema
from store.overrides import (
    OverrideRefused,
    Saved,
    current_override,
    history,
    remove,
    restore,
    sample_statements,
    save_override,
)
from store.terms import term_of
from web.database import session
from web.errors import missing
from web.numbers import property_numbers
from web.reviewer import reviewer, signed_in
from web.words import count

pages = Blueprint("properties", __name__)

SAMPLE = 20


@dataclass(frozen=True, slots=True)
class Reading:
    """How one statement reads now and would read; None where it can't be put into words."""

    statement: Statement
    now: str | None
    then: str | None


@pages.get("/properties")
def index() -> ResponseReturnValue:
    """All properties that have pairs."""
    return render_template("properties.html", properties=property_numbers(session()))


@pages.get("/property/<property_id>")
def show(property_id: str) -> ResponseReturnValue:
    """A property's words and numbers, the form for its wording, and the wording's history."""
    return _page(_known(property_id))


@pages.get("/property/<property_id>/preview")
def preview(property_id: str) -> ResponseReturnValue:
    """How real statements would read with the wording in the address; 422 and the complaint for a bad one."""
    known = _known(property_id)
    wording, text = request.args.get("wording", ""), request.args.get("text", "").strip()
    override, complaint = _proposed(known, wording, text)
    return _page(known, wording=wording, text=text, proposed=override, complaint=complaint)


@pages.post("/property/<property_id>/wording")
@signed_in
def save(property_id: str) -> ResponseReturnValue:
    """Put a wording in force; 422 and the complaint for a bad one."""
    known = _known(property_id)
    wording, text = request.form.get("wording", ""), request.form.get("text", "").strip()
    override, complaint = _proposed(known, wording, text)
    if override is None:
        return _page(known, wording=wording, text=text, complaint=complaint)
    try:
        saved = save_override(session(), known.id, override.wording, override.text, reviewer() or "")
    except OverrideRefused as error:
        return _page(known, wording=wording, text=text, complaint=str(error))
    return _done("Saved", saved)


@pages.post("/property/<property_id>/wording/restore")
@signed_in
def bring_back(property_id: str) -> ResponseReturnValue:
    """Put an earlier version in force again."""
    known = _known(property_id)
    version = request.form.get("version", "")
    if not (version.isascii() and version.isdigit() and len(version) <= 18):
        raise BadRequest("“version” takes a number.")
    try:
        saved = restore(session(), known.id, int(version), reviewer() or "")
    except OverrideRefused as error:
        raise Conflict(str(error)) from error
    return _done("Restored", saved)


@pages.post("/property/<property_id>/wording/remove")
@signed_in
def take_away(property_id: str) -> ResponseReturnValue:
    """Return to the property's own label."""
    try:
        saved = remove(session(), _known(property_id).id, reviewer() or "")
    except OverrideRefused as error:
        raise Conflict(str(error)) from error
    return _done("Removed", saved)


def _done(what: str, saved: Saved) -> ResponseReturnValue:
    session().commit()
    pairs = count(saved.queued, "pair waits", "pairs wait")
    flash(f"{what}. {pairs} to be judged again with this wording." if saved.queued else f"{what}.", "success")
    return redirect(url_for("properties.show", property_id=saved.version.property_id), 303)


def _known(property_id: str) -> Term:
    row = session().get(schema.Property, property_id)
    if row is None:
        raise missing(f"Citewell has met no property with the id “{property_id[:40]}”.")
    return term_of(row)


def _proposed(known: Term, wording: str, text: str) -> tuple[Override | None, str | None]:
    """The wording that a form asks for, or None and what is wrong with it."""
    if wording == "label":
        if text not in known.names:
            return None, f"Choose one of the names that Wikidata has for {known.id}."
        return Override("label", text), None
    if wording == "pattern":
        complaint = check_pattern(text)
        return (None, complaint) if complaint else (Override("pattern", text), None)
    raise BadRequest("“wording” takes label or pattern.")


def _page(
    known: Term,
    wording: str = "",
    text: str = "",
    proposed: Override | None = None,
    complaint: str | None = None,
) -> ResponseReturnValue:
    current = current_override(session(), known.id)
    statements = sample_statements(session(), known.id, SAMPLE)
    readings = [Reading(each, _say(each, current), _say(each, proposed) if proposed else None) for each in statements]
    page = render_template(
        "property.html",
        property=known,
        numbers=property_numbers(session(), known.id)[0],
        current=current,
        wording=wording,
        text=text,
        proposed=proposed,
        complaint=complaint,
        readings=readings,
        versions=history(session(), known.id),
    )
    return page, 422 if complaint else 200


def _say(statement: Statement, override: Override | None) -> str | None:
    claim = verbalise(statement, override)
    return claim.text if claim else None
