"""One statement with one of its references: what was found, what it rests on, and an editor's decision."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, current_app, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select
from werkzeug.exceptions import BadRequest, Conflict

from models.memento import to_look_at
from models.outcome import NotJudged
from models.read import read_blocks
from models.read.language import SUPPORTED, language_name
from models.statement import SourceUrl
from store import schema
from store.archive import Archive, ArchiveError
from store.queue import Filters, PairView, QueueRow, VerdictView, low_support, pair_view
from store.reviews import ReviewRefused, decide, decisions_about, undo
from store.taken_out import is_taken_out
from web.database import session
from web.errors import missing
from web.place import Located, locate
from web.query import read_filters, write_filters
from web.reviewer import reviewer, signed_in
from web.shown import show_snaks
from web.snapshot import Place, Snapshot, snapshot
from web.tries import addresses, since_then
from web.words import DECISIONS

pages = Blueprint("pair", __name__)


@pages.get("/pair/<int:pair_id>")
def show(pair_id: int) -> ResponseReturnValue:
    """All about a pair. Filters in the address say which list one came from, and so which pair is next."""
    filters = read_filters(request.args)
    view = pair_view(session(), pair_id) if pair_id < 2**63 else None
    if view is None:
        raise missing(f"Citewell has no pair with the number {pair_id}.")
    page, located, unread = _as_read(view.current)
    read = view.current.document.digest if view.current and view.current.document else None
    found = addresses(session(), _sources(view))
    return render_template(
        "pair.html",
        view=view,
        verdict=view.current,
        statement=show_snaks({view.property.id: [view.snak]}, view.terms)[0],
        qualifiers=show_snaks(view.qualifiers, view.terms),
        reference=show_snaks(view.ref_snaks, view.terms),
        addresses=found,
        since_then=since_then(found, view.current.document if view.current else None),
        page=page,
        located=located,
        unread=unread,
        unread_language=_unread_language(page),
        arguments=write_filters(filters),
        following=_following(view, filters),
        decisions={decision: DECISIONS[decision] for decision in decisions_about(read)},
        mine=next(
            (state.review for state in view.reviews if state.stands and state.review.reviewer == reviewer()), None
        ),
    )


@pages.post("/pair/<int:pair_id>/decision")
@signed_in
def record(pair_id: int) -> ResponseReturnValue:
    """Record a decision about the verdict that the editor saw; 409 where another has become current since."""
    decision = request.form.get("decision", "")
    if decision not in DECISIONS:
        raise BadRequest(f"“decision” takes one of {', '.join(DECISIONS)}.")
    verdict_id = _number("verdict")
    verdict = schema.Verdict
    current = session().scalar(select(verdict.id).where(verdict.pair_id == pair_id, verdict.current))
    if current is None:
        raise missing(f"There is nothing to decide about the pair {pair_id} yet.")
    if current != verdict_id:
        raise Conflict("This pair has been judged again since you opened the page. Look at it anew, then decide.")
    try:
        decide(session(), verdict_id, reviewer() or "", decision)
    except ReviewRefused as error:
        raise Conflict(str(error)) from error
    session().commit()
    flash(f"Recorded: {DECISIONS[decision].words}.", "success")
    return _back(pair_id)


@pages.post("/pair/<int:pair_id>/undo")
@signed_in
def take_back(pair_id: int) -> ResponseReturnValue:
    """Undo a decision of one's own."""
    try:
        undo(session(), _number("review"), reviewer() or "")
    except ReviewRefused as error:
        raise Conflict(str(error)) from error
    session().commit()
    flash("Your decision is undone.", "notice")
    return _back(pair_id)


def _back(pair_id: int) -> ResponseReturnValue:
    """To the pair, with the filters of the list that the editor came from."""
    arguments: dict[str, Any] = {"pair_id": pair_id, **write_filters(read_filters(request.form))}
    return redirect(url_for("pair.show", **arguments), 303)


def _number(field: str) -> int:
    text = request.form.get(field, "")
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise BadRequest(f"“{field}” takes a number.")
    return int(text)


def _as_read(verdict: VerdictView | None) -> tuple[Snapshot | None, dict[int, Located], str]:
    """The page that a verdict rests on, read again from the archive, and where its passages stand in it.

    Where it can't be shown there is a reason instead.
    """
    if verdict is None or verdict.document is None:
        return None, {}, ""
    if is_taken_out(session(), {verdict.document.url, verdict.document.final_url}):
        return None, {}, "This page was taken out on request, so it isn’t shown."
    if verdict.document.place is None:
        return None, {}, "The copy that was read isn’t kept any more."
    archive = Archive(current_app.config["CITEWELL_ARCHIVE"])
    try:
        page = read_blocks(archive.read(verdict.document.place))
    except ArchiveError as error:
        return None, {}, f"The kept copy can’t be read: {error}."
    if isinstance(page, NotJudged):
        return None, {}, f"A copy is kept, but it can’t be shown as text: {page.detail or page.outcome.label}."
    numbered = dict(enumerate(verdict.evidence, start=1))
    shown = snapshot(page, [Place(number, one.passage.text, one.passage.block) for number, one in numbered.items()])
    located = {
        number: locate(page, at, numbered[number].matches, to_look_at(verdict.document.final_url))
        for number, at in shown.placed.items()
    }
    return shown, located, ""


def _sources(view: PairView) -> list[SourceUrl]:
    """The addresses of the reference, and the copy that was read where that is none of them."""
    sources, read = list(view.urls), view.current.document if view.current else None
    if read is not None and read.url not in {source.url for source in sources}:
        sources.append(SourceUrl(read.url, (view.current and view.current.via) or "live"))
    return sources


def _unread_language(page: Snapshot | None) -> str:
    """The name of the page's language where no judge reads it; "" where one does, or where there is no page."""
    return "" if page is None or page.language in SUPPORTED else language_name(page.language)


def _following(view: PairView, filters: Filters) -> QueueRow | None:
    """The pair after this one in the list; None at its end, or where this one isn't of its kind."""
    verdict = view.current
    if verdict is None or (verdict.outcome is not None) != (filters.outcome is not None):
        return None
    rows = low_support(session(), filters, verdict.cursor, 1).rows
    return rows[0] if rows else None
