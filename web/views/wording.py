"""How editors word a property: the form, its preview, trials of it on real pairs, and its history."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

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
    OverrideVersion,
    Saved,
    SubjectClass,
    check_override,
    current_overrides,
    decided_pairs,
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
from web.origin import Origin, came_from
from web.reviewer import reviewer, signed_in
from web.why import Why

pages = Blueprint("wording", __name__)

SAMPLE = 20
MOST_QUALIFIERS = 12
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
    why: Why = field(default_factory=Why)

    @classmethod
    def read(cls, fields: Mapping[str, str]) -> Proposal:
        """The fields of a form or an address. Raises `BadRequest` for a class that isn't the id of an item."""
        subject_class = fields.get("class", "").strip().upper()
        if subject_class and not _CLASS.fullmatch(subject_class):
            raise BadRequest(gettext("“class” takes the id of an item, like Q5, or nothing."))
        why = Why.read(fields.get("why", ""))
        return cls(fields.get("wording", ""), fields.get("text", "").strip(), subject_class, why)


@dataclass(frozen=True, slots=True)
class Change:
    """A version of the history, and what stood before it for the same subjects; None: Citewell's own wording."""

    version: OverrideVersion
    before: Override | None


@dataclass(frozen=True, slots=True)
class Asked:
    """What is wrong with the reason for bringing a version back, or for doing without it."""

    version_id: int
    why: Why


@pages.get("/property/<property_id>/wording")
def show(property_id: str) -> ResponseReturnValue:
    """A property's words and numbers, the form for its wording, and the wording's history.

    With `class` in the address, statements about its instances; with `pair`, that of the pair first.
    """
    return _page(_known(property_id), Proposal(subject_class=Proposal.read(request.args).subject_class))


@pages.get("/property/<property_id>/wording/preview")
def preview(property_id: str) -> ResponseReturnValue:
    """How real statements would read with the wording in the address; 422 and the complaint for a bad one.

    A script gets that part of the page alone.
    """
    known, proposal = _known(property_id), Proposal.read(request.args)
    override, complaint = _proposed(known, proposal)
    if _asked_by_htmx():
        origin = came_from(session(), known.id, request.args)
        part = _preview(known, proposal, origin, override)
        page = render_template("wording_preview.html", **part, complaint=complaint, why_complaint="", live=True)
        return page, 422 if complaint else 200
    return _page(known, proposal, override, complaint)


@pages.post("/property/<property_id>/wording")
@signed_in
def save(property_id: str) -> ResponseReturnValue:
    """Put a wording in force; 422 and the complaint for a bad one, or where nothing says why."""
    known, proposal = _known(property_id), Proposal.read(request.form)
    override, complaint = _proposed(known, proposal)
    if override is None:
        return _page(known, proposal, complaint=complaint)
    if proposal.why.complaint:
        return _page(known, proposal, override, why_complaint=proposal.why.complaint)
    subject_class = proposal.subject_class or None
    try:
        saved = save_override(
            session(), known.id, override.wording, override.text, reviewer() or "", subject_class, proposal.why.text
        )
    except OverrideRefused as error:
        return _page(known, proposal, complaint=said(error.complaint))
    return _done(gettext("Saved."), saved, proposal.why)


@pages.post("/property/<property_id>/wording/try")
@signed_in
def try_out(property_id: str) -> ResponseReturnValue:
    """Have the pairs of the preview judged with a wording before it is saved; 422 and the complaint for a bad one."""
    known, proposal = _known(property_id), Proposal.read(request.form)
    override, complaint = _proposed(known, proposal)
    if override is None:
        return _page(known, proposal, complaint=complaint)
    anew = request.form.get("anew") == "1"
    origin = came_from(session(), known.id, request.form)
    try:
        asked = trials.ask(
            session(),
            known.id,
            proposal.subject_class or None,
            override,
            reviewer() or "",
            anew=anew,
            first=origin.pair_id if origin else None,
        )
    except trials.TrialRefused as error:
        return _page(known, proposal, override, said(error.complaint))
    session().commit()
    onward = origin.fields if origin else {}
    return redirect(url_for("wording.trial", property_id=known.id, trial_id=asked.id, **onward), 303)


@pages.get("/property/<property_id>/wording/trial/<int:trial_id>")
def trial(property_id: str, trial_id: int) -> ResponseReturnValue:
    """What a wording would make of real pairs: how far the worker has come, then each verdict now and then.

    A script that says what it has `seen` gets the part that has changed since, or 204.
    """
    known = _known(property_id)
    tried = trials.trial(session(), trial_id) if trial_id < 2**63 else None
    if tried is None or tried.property_id != known.id:
        raise missing(gettext("That trial isn’t kept any more. Preview the wording and try it again."))
    pairs = trials.tried(session(), trial_id)
    done = sum(pair.found is not None for pair in pairs)
    progress = f"{tried.state}-{done}-{tried.ahead}-{int(tried.heard)}"
    polled = _asked_by_htmx()
    if polled and request.args.get("seen") == progress:
        return "", 204
    return render_template(
        "trial_found.html" if polled else "trial.html",
        property=known,
        trial=tried,
        pairs=pairs,
        done=done,
        progress=progress,
        changing=[pair for pair in pairs if pair.changes],
        origin=came_from(session(), known.id, request.args),
        live=polled,
        term=load_terms(session(), [tried.subject_class] if tried.subject_class else []),
    )


@pages.post("/property/<property_id>/wording/restore")
@signed_in
def bring_back(property_id: str) -> ResponseReturnValue:
    """Put an earlier version in force again; 422 where nothing says why."""
    known, form = _known(property_id), Proposal.read(request.form)
    version = request.form.get("version", "")
    if not (version.isascii() and version.isdigit() and len(version) <= 18):
        raise BadRequest(gettext("“version” takes a number."))
    if form.why.complaint:
        return _page(known, Proposal(), asked=Asked(int(version), form.why))
    try:
        saved = restore(session(), known.id, int(version), reviewer() or "", form.why.text)
    except OverrideRefused as error:
        raise Conflict(said(error.complaint)) from error
    return _done(gettext("Restored."), saved, form.why)


@pages.post("/property/<property_id>/wording/remove")
@signed_in
def take_away(property_id: str) -> ResponseReturnValue:
    """Do without the wording for a class, or for all subjects; 422 where nothing says why."""
    known, form = _known(property_id), Proposal.read(request.form)
    subject_class = form.subject_class or None
    if form.why.complaint:
        standing = (each for each in history(session(), known.id) if each.current)
        version = next((each.id for each in standing if each.subject_class == subject_class), 0)
        return _page(known, Proposal(), asked=Asked(version, form.why))
    try:
        saved = remove(session(), known.id, reviewer() or "", subject_class, form.why.text)
    except OverrideRefused as error:
        raise Conflict(said(error.complaint)) from error
    return _done(gettext("Removed."), saved, form.why)


def _done(what: str, saved: Saved, why: Why) -> ResponseReturnValue:
    session().commit()
    waiting = ngettext(
        "%(pairs)s pair waits to be judged again with this wording.",
        "%(pairs)s pairs wait to be judged again with this wording.",
        saved.queued,
        pairs=number(saved.queued),
    )
    ended = ngettext(
        "People’s decisions about %(pairs)s of them end with it.",
        "People’s decisions about %(pairs)s of them end with it.",
        saved.decided,
        pairs=number(saved.decided),
    )
    told = (what, waiting if saved.queued else "", ended if saved.decided else "", why.note)
    flash(" ".join(filter(None, told)), "success")
    property_id = saved.version.property_id
    origin = came_from(session(), property_id, request.form)
    return redirect(url_for("wording.show", property_id=property_id, **(origin.fields if origin else {})), 303)


def _asked_by_htmx() -> bool:
    return request.headers.get("HX-Request") == "true"


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
    known: Term,
    proposal: Proposal,
    proposed: Override | None = None,
    complaint: str | None = None,
    *,
    why_complaint: str = "",
    asked: Asked | None = None,
) -> ResponseReturnValue:
    """The whole page; 422 where something is wrong with the wording, with its reason, or with that of a restoring."""
    origin = came_from(session(), known.id, request.values)
    part = _preview(known, proposal, origin, proposed)
    versions = history(session(), known.id)
    named = {version.subject_class for version in versions} | {proposal.subject_class or None}
    page = render_template(
        "wording.html",
        **{**part, "term": load_terms(session(), [name for name in named if name])},
        qualifiers=used_qualifiers(session(), known.id, MOST_QUALIFIERS),
        bad=bad_wordings(session(), known.id, MOST_BAD),
        complaint=complaint,
        why_complaint=why_complaint,
        asked=asked,
        live=False,
        changes=_changes(versions),
        classes=_offered(known, proposal.subject_class or None),
    )
    return page, 422 if complaint or why_complaint or asked else 200


def _preview(known: Term, proposal: Proposal, origin: Origin | None, proposed: Override | None) -> dict[str, Any]:
    """What the preview shows: real statements as they read now, and with what is proposed."""
    subject_class = proposal.subject_class or None
    overrides = current_overrides(session(), [known.id])[known.id]
    then = {**overrides, subject_class: proposed} if proposed else overrides
    guid = origin.guid if origin else None
    readings = [
        Reading(
            each,
            _say(each, in_force(overrides, each.classes)),
            _say(each, in_force(then, each.classes)) if proposed else None,
        )
        for each in sample_statements(session(), known.id, SAMPLE, subject_class, guid)
    ]
    return {
        "property": known,
        "proposal": proposal,
        "origin": origin,
        "proposed": proposed,
        "overrides": overrides,
        "readings": readings,
        "decided": decided_pairs(session(), known.id, subject_class) if proposed else 0,
        "term": load_terms(session(), [subject_class] if subject_class else []),
    }


def _changes(versions: Sequence[OverrideVersion]) -> list[Change]:
    """The versions, newest first, each with what stood before it."""
    standing: dict[str | None, Override | None] = {}
    changes = []
    for version in reversed(versions):
        changes.append(Change(version, standing.get(version.subject_class)))
        standing[version.subject_class] = version.override
    return changes[::-1]


def _offered(known: Term, chosen: str | None) -> list[SubjectClass]:
    """The classes that the form offers: the most frequent, and the one that is chosen."""
    offered = list(subject_classes(session(), known.id, MOST_CLASSES))
    if chosen and all(each.id != chosen for each in offered):
        offered += subject_classes(session(), known.id, 1, only=chosen)
    return offered


def _say(statement: Statement, override: Override | None) -> str | None:
    claim = verbalise(statement, override)
    return claim.text if claim else None
