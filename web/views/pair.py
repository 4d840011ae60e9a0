"""One statement with one of its references: what was found, what it rests on, and an editor's decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from flask import Blueprint, current_app, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext
from sqlalchemy import select
from werkzeug.exceptions import BadRequest, Conflict

from models.memento import to_look_at
from models.read.language import SUPPORTED, language_name
from models.statement import SourceUrl
from store import schema
from store.bulk import bulk
from store.filters import Filters
from store.pair_view import Decided, PairView, VerdictView, decided, pair_view
from store.queue import QueueRow, worst_first
from store.reviews import Review, ReviewRefused, decide, decisions_about, differ, disputes, standing_reviews, undo
from web.database import session
from web.decisions import ENDED_BY, KEYS
from web.disputes import count_anew, disputed_count
from web.errors import missing
from web.excerpt import LINE, excerpt
from web.links import is_web
from web.origin import carried
from web.query import read_filters, write_filters
from web.read_again import read_again, why_unshown
from web.reviewer import reviewer, signed_in
from web.shown import show_snaks
from web.tries import addresses, since_then
from web.way_on import MENDS, WayOn, way_on
from web.words import DECISIONS

pages = Blueprint("pair", __name__)

MOST_QUALIFIERS = 4  # that stand on the first screen


@pages.app_context_processor
def desk_keys() -> dict[str, Any]:
    """The keys of the decisions and the number of disputes, for whichever page shows them."""
    return {"desk_keys": KEYS, "disputed_count": disputed_count}


@pages.get("/disputed")
def disputed() -> ResponseReturnValue:
    """The pairs about which others decided otherwise than the reader."""
    name = reviewer()
    return render_template("disputed.html", disputes=disputes(session(), name) if name else ())


@dataclass(frozen=True, slots=True)
class Recorded:
    """The decision just made, for the strip above the next pair; `way_on` where something is to be mended."""

    decided: Decided
    way_on: WayOn | None


@pages.get("/pair/<int:pair_id>")
def show(pair_id: int) -> ResponseReturnValue:
    """All about a pair. Filters in the address say which list one came from, and so which pair is next.

    `decided` in the address is the number of the decision that one comes from.
    """
    filters = read_filters(request.args)
    view = _known(pair_id)
    verdict = view.current
    read = verdict.document if verdict else None
    found = addresses(session(), _sources(view))
    standing = tuple(state.review for state in view.reviews if state.stands)
    mine = next((review for review in standing if review.reviewer == reviewer()), None)
    qualifiers = show_snaks(view.qualifiers, view.terms)
    return render_template(
        "pair.html",
        view=view,
        verdict=verdict,
        statement=show_snaks({view.property.id: [view.snak]}, view.terms)[0],
        qualifiers=qualifiers[:MOST_QUALIFIERS],
        more_qualifiers=qualifiers[MOST_QUALIFIERS:],
        reference=show_snaks(view.ref_snaks, view.terms),
        addresses=found,
        since_then=since_then(found, read),
        unshown=why_unshown(session(), read) if read else "",
        language=_language(verdict),
        unread_language=_unread_language(verdict),
        excerpt=excerpt,
        line=LINE,
        arguments=write_filters(filters),
        following=_following(view, filters),
        decisions={decision: DECISIONS[decision] for decision in decisions_about(read.digest if read else None)},
        keys=KEYS,
        ended_by=ENDED_BY,
        standing=standing,
        disputed=differ(standing),
        mine=mine,
        mend=_mend(view) if mine and mine.decision in MENDS else None,
        recorded=_recorded(request.args.get("decided", "")),
        bulks={
            number: bulk(session(), number) for number in {state.review.bulk_id for state in view.reviews} if number
        },
    )


@pages.get("/pair/<int:pair_id>/page")
def page(pair_id: int) -> ResponseReturnValue:
    """The page as it was read, with the passages marked in it."""
    view = _known(pair_id)
    if view.current is None or view.current.document is None:
        raise missing(gettext("No page was read for this pair."))
    found = read_again(session(), current_app.config["CITEWELL_ARCHIVE"], view.current)
    return render_template(
        "page.html", view=view, verdict=view.current, found=found, arguments=write_filters(read_filters(request.args))
    )


@pages.get("/pair/<int:pair_id>/live/<int:number>")
def live(pair_id: int, number: int) -> ResponseReturnValue:
    """To the page as it is on the web now, at the text of a passage where it can be said: the archive is read for it
    when somebody goes there, and not before."""
    verdict = _known(pair_id).current
    if verdict is None or verdict.document is None or not 1 <= number <= len(verdict.evidence):
        raise missing(gettext("This pair has no such passage."))
    url = to_look_at(verdict.document.final_url)
    place = read_again(session(), current_app.config["CITEWELL_ARCHIVE"], verdict).located.get(number)
    target = place.link if place and place.link else url
    if not is_web(target):
        raise missing(gettext("The page has no address that a browser could go to."))
    return redirect(target, 302)


@pages.post("/pair/<int:pair_id>/decision")
@signed_in
def record(pair_id: int) -> ResponseReturnValue:
    """Record a decision about the verdict that the editor saw; 409 where another has become current since.

    Leads to the next pair of the list, or to the form for the wording where that is bad; a script gets what is shown
    above the next pair.
    """
    decision = request.form.get("decision", "")
    if decision not in DECISIONS:
        raise BadRequest(gettext("“decision” takes one of %(decisions)s.", decisions=", ".join(DECISIONS)))
    if pair_id >= 2**63:
        raise missing(gettext("Citewell has no pair with the number %(pair)s.", pair=pair_id))
    verdict_id = _number("verdict")
    verdict = schema.Verdict
    current = session().scalar(select(verdict.id).where(verdict.pair_id == pair_id, verdict.current))
    if current is None:
        raise missing(gettext("There is nothing to decide about the pair %(pair)s yet.", pair=pair_id))
    if current != verdict_id:
        raise Conflict(
            gettext("This pair has been judged again since you opened the page. Look at it anew, then decide.")
        )
    try:
        made = decide(session(), verdict_id, reviewer() or "", decision)
    except ReviewRefused as error:
        raise Conflict(str(error)) from error
    session().commit()
    count_anew()
    filters = read_filters(request.form)
    arguments: dict[str, Any] = {**write_filters(filters)}
    view = _known(pair_id)
    following = _following(view, filters)
    if _asked_by_script():
        return render_template(
            "recorded.html",
            recorded=_recorded(str(made.id)),
            following=following,
            arguments=arguments,
            here=url_for("pair.show", pair_id=pair_id, **arguments),
            meanwhile=_meanwhile(request.form.get("ahead", ""), filters),
        )
    if decision == "bad_wording":
        flash(gettext("Recorded: %(decision)s.", decision=DECISIONS[decision].words), "success")
        return redirect(url_for("wording.show", property_id=view.property.id, **carried(pair_id, arguments)), 303)
    onward = following.pair_id if following else pair_id
    return redirect(url_for("pair.show", pair_id=onward, decided=made.id, **arguments), 303)


@pages.post("/pair/<int:pair_id>/undo")
@signed_in
def take_back(pair_id: int) -> ResponseReturnValue:
    """Undo a decision of one's own, and back to its pair."""
    try:
        undo(session(), _number("review"), reviewer() or "")
    except ReviewRefused as error:
        raise Conflict(str(error)) from error
    session().commit()
    count_anew()
    if _asked_by_script():
        return "", 204
    flash(gettext("Your decision is undone."), "notice")
    arguments: dict[str, Any] = {"pair_id": pair_id, **write_filters(read_filters(request.form))}
    return redirect(url_for("pair.show", **arguments), 303)


def _asked_by_script() -> bool:
    """Whether `desk.js` asks, which shows the next pair itself. No form of another site can send the header."""
    return request.headers.get("X-Desk") == "1"


def _meanwhile(ahead: str, filters: Filters) -> Review | None:
    """A decision about the pair at this address that was made since a script loaded it from a list of open ones."""
    pair_id = urlsplit(ahead).path.rpartition("/")[2]
    if filters.state != "open" or not _is_number(pair_id):
        return None
    return next(iter(standing_reviews(session(), int(pair_id))), None)


def _known(pair_id: int) -> PairView:
    view = pair_view(session(), pair_id) if pair_id < 2**63 else None
    if view is None:
        raise missing(gettext("Citewell has no pair with the number %(pair)s.", pair=pair_id))
    return view


def _number(field: str) -> int:
    text = request.form.get(field, "")
    if not _is_number(text):
        raise BadRequest(gettext("“%(field)s” takes a number.", field=field))
    return int(text)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 18


def _recorded(review_id: str) -> Recorded | None:
    """The reader's own decision with this number, with the way on; None where there is none such."""
    name = reviewer()
    if name is None or not _is_number(review_id):
        return None
    made = decided(session(), int(review_id), name)
    if made is None:
        return None
    mends = made.review.decision in MENDS
    onward = way_on(made.item_id, made.guid, made.urls, made.read, made.evidence) if mends else None
    return Recorded(made, onward)


def _mend(view: PairView) -> WayOn:
    verdict = view.current
    read = verdict.document.url if verdict and verdict.document else None
    return way_on(view.item.id, view.guid, view.urls, read, verdict.evidence if verdict else ())


def _sources(view: PairView) -> list[SourceUrl]:
    """The addresses of the reference, and the copy that was read where that is none of them."""
    sources, read = list(view.urls), view.current.document if view.current else None
    if read is not None and read.url not in {source.url for source in sources}:
        sources.append(SourceUrl(read.url, (view.current and view.current.via) or "live"))
    return sources


def _language(verdict: VerdictView | None) -> str:
    """The language of the page as it was read; "" where that isn't known."""
    return verdict.language if verdict else ""


def _unread_language(verdict: VerdictView | None) -> str:
    """The name of the page's language where no judge reads it; "" where one does, or where it isn't known."""
    language = _language(verdict)
    return "" if not language or language in SUPPORTED else language_name(language)


def _following(view: PairView, filters: Filters) -> QueueRow | None:
    """The pair after this one in the list; None at its end, or where this one isn't of its kind."""
    verdict = view.current
    if verdict is None or not _is_listed(verdict, filters):
        return None
    rows = worst_first(session(), filters, verdict.cursor, 1).rows
    return rows[0] if rows else None


def _is_listed(verdict: VerdictView, filters: Filters) -> bool:
    """Whether a verdict is of the kind that a list has."""
    if filters.outcome is not None:
        return verdict.outcome is not None
    return verdict.outcome is None or (verdict.outcome.is_finding and not filters.judged)
