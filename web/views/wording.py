"""How editors word a property: the form, its preview, trials of it on real pairs, and its history."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext, ngettext
from werkzeug.exceptions import BadRequest, Conflict

from models.statement import Statement, Term
from models.verbalise import Override, check_pattern, in_force, verbalise
from store import schema, trials
from store.bad_wordings import bad_wordings
from store.overrides import (
    OverrideRefused,
    Saved,
    SubjectClass,
    check_override,
    current_overrides,
    history,
    remove,
    restore,
    save_override,
    subject_classes,
    used_qualifiers,
)
from store.telling import sample_statements
from store.terms import load_terms, term_of
from web.complaints import said
from web.database import session
from web.errors import missing
from web.formats import number
from web.reviewer import reviewer, signed_in

pages = Blueprint("wording", __name__)

SAMPLE = 20
MOST_QUALIFIERS = 12
LONGEST_WHY = 500
MOST_BAD = 20
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
    """What a form asks for, as it was sent: a wording for the subjects of a class, or ("") for all, and why."""

    wording: str = ""
    text: str = ""
    subject_class: str = ""
    why: str = ""

    @classmethod
    def read(cls, fields: Mapping[str, str]) -> Proposal:
        """The fields of a form or an address. Raises `BadRequest` for a class that isn't the id of an item."""
        subject_class = fields.get("class", "").strip().upper()
        if subject_class and not _CLASS.fullmatch(subject_class):
            raise BadRequest(gettext("“class” takes the id of an item, like Q5, or nothing."))
        why = " ".join(fields.get("why", "").split())
        return cls(fields.get("wording", ""), fields.get("text", "").strip(), subject_class, why[:LONGEST_WHY])


@pages.get("/property/<property_id>/wording")
def show(property_id: str) -> ResponseReturnValue:
    """A property's words and numbers, the form for its wording, and the wording's history.

    With `class` in the address, statements about its instances.
    """
    return _page(_known(property_id), Proposal(subject_class=Proposal.read(request.args).subject_class))


@pages.get("/property/<property_id>/wording/preview")
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
        saved = save_override(
            session(), known.id, override.wording, override.text, reviewer() or "", subject_class, proposal.why
        )
    except OverrideRefused as error:
        return _page(known, proposal, complaint=said(error.complaint))
    return _done(gettext("Saved."), saved)


@pages.post("/property/<property_id>/wording/try")
@signed_in
def try_out(property_id: str) -> ResponseReturnValue:
    """Have the pairs of the preview judged with a wording before it is saved; 422 and the complaint for a bad one."""
    known, proposal = _known(property_id), Proposal.read(request.form)
    override, complaint = _proposed(known, proposal)
    if override is None:
        return _page(known, proposal, complaint=complaint)
    anew = request.form.get("anew") == "1"
    try:
        asked = trials.ask(session(), known.id, proposal.subject_class or None, override, reviewer() or "", anew=anew)
    except trials.TrialRefused as error:
        return _page(known, proposal, override, said(error.complaint))
    session().commit()
    return redirect(url_for("wording.trial", property_id=known.id, trial_id=asked.id), 303)


@pages.get("/property/<property_id>/wording/trial/<int:trial_id>")
def trial(property_id: str, trial_id: int) -> ResponseReturnValue:
    """What a wording would make of real pairs: how far the worker has come, then each verdict now and then."""
    known = _known(property_id)
    tried = trials.trial(session(), trial_id) if trial_id < 2**63 else None
    if tried is None or tried.property_id != known.id:
        raise missing(gettext("That trial isn’t kept any more. Preview the wording and try it again."))
    pairs = trials.tried(session(), trial_id)
    return render_template(
        "trial.html",
        property=known,
        trial=tried,
        pairs=pairs,
        done=sum(pair.found is not None for pair in pairs),
        changing=[pair for pair in pairs if pair.changes],
        term=load_terms(session(), [tried.subject_class] if tried.subject_class else []),
    )


@pages.post("/property/<property_id>/wording/restore")
@signed_in
def bring_back(property_id: str) -> ResponseReturnValue:
    """Put an earlier version in force again."""
    known = _known(property_id)
    version = request.form.get("version", "")
    if not (version.isascii() and version.isdigit() and len(version) <= 18):
        raise BadRequest(gettext("“version” takes a number."))
    try:
        saved = restore(session(), known.id, int(version), reviewer() or "", Proposal.read(request.form).why)
    except OverrideRefused as error:
        raise Conflict(said(error.complaint)) from error
    return _done(gettext("Restored."), saved)


@pages.post("/property/<property_id>/wording/remove")
@signed_in
def take_away(property_id: str) -> ResponseReturnValue:
    """Do without the wording for a class, or for all subjects."""
    form = Proposal.read(request.form)
    try:
        saved = remove(session(), _known(property_id).id, reviewer() or "", form.subject_class or None, form.why)
    except OverrideRefused as error:
        raise Conflict(said(error.complaint)) from error
    return _done(gettext("Removed."), saved)


def _done(what: str, saved: Saved) -> ResponseReturnValue:
    session().commit()
    waiting = ngettext(
        "%(pairs)s pair waits to be judged again with this wording.",
        "%(pairs)s pairs wait to be judged again with this wording.",
        saved.queued,
        pairs=number(saved.queued),
    )
    flash(f"{what} {waiting}" if saved.queued else what, "success")
    return redirect(url_for("wording.show", property_id=saved.version.property_id), 303)


def _known(property_id: str) -> Term:
    row = session().get(schema.Property, property_id) if _PROPERTY.fullmatch(property_id) else None
    if row is None:
        raise missing(gettext("Citewell has met no property with the id “%(id)s”.", id=property_id[:40]))
    return term_of(row)


def _proposed(known: Term, proposal: Proposal) -> tuple[Override | None, str | None]:
    """The wording that a form asks for, or None and what is wrong with it."""
    name = proposal.subject_class
    if name and not subject_classes(session(), known.id, 1, only=name):
        return None, gettext(
            "No subject of %(property)s that Citewell has met is an instance of %(item)s.", property=known.id, item=name
        )
    if proposal.wording == "label":
        if proposal.text not in known.names:
            return None, gettext("Choose one of the names that Wikidata has for %(property)s.", property=known.id)
        return Override("label", proposal.text), None
    if proposal.wording == "pattern":
        complaint = check_pattern(proposal.text) or check_override(session(), known.id, "pattern", proposal.text)
        return (None, said(complaint)) if complaint else (Override("pattern", proposal.text), None)
    raise BadRequest(gettext("“wording” takes label or pattern."))


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
        "wording.html",
        property=known,
        qualifiers=used_qualifiers(session(), known.id, MOST_QUALIFIERS),
        bad=bad_wordings(session(), known.id, MOST_BAD),
        from_pair=request.args.get("pair", type=int),
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
