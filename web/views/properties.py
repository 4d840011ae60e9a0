"""Properties: how their pairs stand, and how editors word them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest, Conflict

from models.statement import Statement, Term
from models.verbalise import Override, check_pattern, in_force, verbalise
from store import schema
from store.measured import error_of
from store.overrides import (
    OverrideRefused,
    Saved,
    SubjectClass,
    current_overrides,
    history,
    remove,
    restore,
    sample_statements,
    save_override,
    subject_classes,
)
from store.terms import load_terms, term_of
from web.database import session
from web.errors import missing
from web.numbers import property_numbers
from web.reviewer import reviewer, signed_in
from web.words import count

pages = Blueprint("properties", __name__)

SAMPLE = 20
MOST_CLASSES = 100  # that the form offers; an address takes any that occurs
_PROPERTY = re.compile(r"P[1-9][0-9]{0,11}")
_CLASS = re.compile(r"Q[1-9][0-9]{0,11}")


@dataclass(frozen=True, slots=True)
class Reading:
    """How one statement reads now and would read; None where it can't be put into words."""

    statement: Statement
    now: str | None
    then: str | None


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a form asks for, as it was sent: a wording for the subjects of a class, or ("") for all."""

    wording: str = ""
    text: str = ""
    subject_class: str = ""

    @classmethod
    def read(cls, fields: Mapping[str, str]) -> Proposal:
        """The fields of a form or an address. Raises `BadRequest` for a class that isn't the id of an item."""
        subject_class = fields.get("class", "").strip().upper()
        if subject_class and not _CLASS.fullmatch(subject_class):
            raise BadRequest("“class” takes the id of an item, like Q5, or nothing.")
        return cls(fields.get("wording", ""), fields.get("text", "").strip(), subject_class)


@pages.get("/properties")
def index() -> ResponseReturnValue:
    """All properties that have pairs."""
    return render_template("properties.html", properties=property_numbers(session()))


@pages.get("/property/<property_id>")
def show(property_id: str) -> ResponseReturnValue:
    """A property's words and numbers, the form for its wording, and the wording's history.

    With `class` in the address, statements about its instances.
    """
    return _page(_known(property_id), Proposal(subject_class=Proposal.read(request.args).subject_class))


@pages.get("/property/<property_id>/preview")
def preview(property_id: str) -> ResponseReturnValue:
    """How real statements would read with the wording in the address; 422 and the complaint for a bad one."""
    known, proposal = _known(property_id), Proposal.read(request.args)
    override, complaint = _proposed(known, proposal)
    return _page(known, proposal, override, complaint)


@pages.post("/property/<property_id>/wording")
@signed_in
def save(property_id: str) -> ResponseReturnValue:
    """Put a wording in force; 422 and the complaint for a bad one."""
    known, proposal = _known(property_id), Proposal.read(request.form)
    override, complaint = _proposed(known, proposal)
    if override is None:
        return _page(known, proposal, complaint=complaint)
    subject_class = proposal.subject_class or None
    try:
        saved = save_override(session(), known.id, override.wording, override.text, reviewer() or "", subject_class)
    except OverrideRefused as error:
        return _page(known, proposal, complaint=str(error))
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
    """Do without the wording for a class, or for all subjects."""
    subject_class = Proposal.read(request.form).subject_class or None
    try:
        saved = remove(session(), _known(property_id).id, reviewer() or "", subject_class)
    except OverrideRefused as error:
        raise Conflict(str(error)) from error
    return _done("Removed", saved)


def _done(what: str, saved: Saved) -> ResponseReturnValue:
    session().commit()
    pairs = count(saved.queued, "pair waits", "pairs wait")
    flash(f"{what}. {pairs} to be judged again with this wording." if saved.queued else f"{what}.", "success")
    return redirect(url_for("properties.show", property_id=saved.version.property_id), 303)


def _known(property_id: str) -> Term:
    row = session().get(schema.Property, property_id) if _PROPERTY.fullmatch(property_id) else None
    if row is None:
        raise missing(f"Citewell has met no property with the id “{property_id[:40]}”.")
    return term_of(row)


def _proposed(known: Term, proposal: Proposal) -> tuple[Override | None, str | None]:
    """The wording that a form asks for, or None and what is wrong with it."""
    name = proposal.subject_class
    if name and not subject_classes(session(), known.id, 1, only=name):
        return None, f"No subject of {known.id} that Citewell has met is an instance of {name}."
    if proposal.wording == "label":
        if proposal.text not in known.names:
            return None, f"Choose one of the names that Wikidata has for {known.id}."
        return Override("label", proposal.text), None
    if proposal.wording == "pattern":
        complaint = check_pattern(proposal.text)
        return (None, complaint) if complaint else (Override("pattern", proposal.text), None)
    raise BadRequest("“wording” takes label or pattern.")


def _page(
    known: Term, proposal: Proposal, proposed: Override | None = None, complaint: str | None = None
) -> ResponseReturnValue:
    subject_class = proposal.subject_class or None
    overrides = current_overrides(session(), [known.id])[known.id]
    then = {**overrides, subject_class: proposed} if proposed else overrides
    statements = sample_statements(session(), known.id, SAMPLE, subject_class)
    readings = [
        Reading(
            each,
            _say(each, in_force(overrides, each.classes)),
            _say(each, in_force(then, each.classes)) if proposed else None,
        )
        for each in statements
    ]
    versions = history(session(), known.id)
    named = {version.subject_class for version in versions} | {subject_class}
    page = render_template(
        "property.html",
        property=known,
        numbers=property_numbers(session(), known.id)[0],
        error=error_of(session(), known.id),
        overrides=overrides,
        proposal=proposal,
        proposed=proposed,
        complaint=complaint,
        readings=readings,
        versions=versions,
        classes=_offered(known, subject_class),
        term=load_terms(session(), [name for name in named if name]),
    )
    return page, 422 if complaint else 200


def _offered(known: Term, chosen: str | None) -> list[SubjectClass]:
    """The classes that the form offers: the most frequent, and the one that is chosen."""
    offered = list(subject_classes(session(), known.id, MOST_CLASSES))
    if chosen and all(each.id != chosen for each in offered):
        offered += subject_classes(session(), known.id, 1, only=chosen)
    return offered


def _say(statement: Statement, override: Override | None) -> str | None:
    claim = verbalise(statement, override)
    return claim.text if claim else None
