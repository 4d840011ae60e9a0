"""What the list of references can be narrowed to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal

from sqlalchemy import Boolean, ColumnElement, literal_column, select
from sqlalchemy.orm import aliased

from models.evidence import Stance
from models.outcome import Outcome
from store import schema
from store.reviews import disputed, holds_for
from store.worklists import is_in

CANT_TELL = "cant_tell"  # among the stances that a list can be narrowed to
State = Literal["open", "reviewed", "mine", "disputed", "all"]
_LISTED: ColumnElement[bool] = literal_column(
    "(" + schema.LISTED.replace("stance", "verdict.stance").replace("outcome", "verdict.outcome") + ")", Boolean
)


@dataclass(frozen=True, slots=True)
class Filters:
    """What to list: None means any that is worth a look, which are the judged ones and those whose page isn't where the
    reference says. `outcome` asks for pairs that weren't judged, by why not; `judged` for those that were.

    `stance` asks for what the judge is sure of; with `unsure` for what it can't tell, and leans to that stance.
    `class_id`: the statement's subject is an instance of it. `language` is the page's. `since` and `until` are the
    first and the last day (UTC) on which it was judged. `state`: `open` (nobody's decision stands), `reviewed` (one
    does), `mine` (one of `reviewer`'s does), `disputed` (people disagree) or `all`.
    """

    property_id: str | None = None
    class_id: str | None = None
    domain: str | None = None
    language: str | None = None
    stance: Stance | None = None
    unsure: bool = False
    outcome: Outcome | None = None
    judged: bool = False
    since: date | None = None
    until: date | None = None
    run_id: int | None = None
    worklist_id: int | None = None
    state: State = "open"
    reviewer: str = ""


def conditions(filters: Filters) -> list[ColumnElement[bool]]:
    """In SQL, over a current verdict with its pair, statement and item. Days are before the year 9999."""
    verdict, pair, statement = schema.Verdict, schema.Pair, schema.Statement
    found = _found(filters)
    if filters.property_id is not None:
        found.append(statement.property_id == filters.property_id)
    if filters.class_id is not None:
        found.append(schema.Item.classes.contains([filters.class_id]))
    if filters.domain is not None:
        found.append(pair.domain == filters.domain)
    if filters.language is not None:
        found.append(verdict.language == filters.language)
    if filters.since is not None:
        found.append(verdict.judged_at >= datetime.combine(filters.since, time(), UTC))
    if filters.until is not None:
        found.append(verdict.judged_at < datetime.combine(filters.until, time(), UTC) + timedelta(days=1))
    if filters.run_id is not None:
        found.append(verdict.run_id == filters.run_id)
    if filters.worklist_id is not None:
        found.append(is_in(filters.worklist_id))
    return found + _reviewed(filters)


def _found(filters: Filters) -> list[ColumnElement[bool]]:
    verdict = schema.Verdict
    found = [_LISTED if filters.outcome is None else verdict.outcome == filters.outcome.value]
    if filters.judged or filters.stance is not None or filters.unsure:
        found.append(verdict.stance.is_not(None))
    if filters.stance is not None:
        found.append(verdict.stance == filters.stance.value)
    if filters.stance is not None or filters.unsure:
        found.append(verdict.unsure.is_(filters.unsure))
    return found


def _reviewed(filters: Filters) -> list[ColumnElement[bool]]:
    if filters.state == "open":
        return [~is_decided()]
    if filters.state == "reviewed":
        return [is_decided()]
    if filters.state == "mine":
        return [is_decided(filters.reviewer)]
    if filters.state == "disputed":
        return [disputed(schema.Verdict)]
    return []


def is_decided(reviewer: str | None = None) -> ColumnElement[bool]:
    """In SQL: a decision (of `reviewer`, where named) holds for the verdict of the row."""
    decided, review = aliased(schema.Verdict), aliased(schema.Review)
    query = (
        select(review.id)
        .join(decided, decided.id == review.verdict_id)
        .where(review.undone_at.is_(None), holds_for(decided, schema.Verdict, review))
        .correlate(schema.Verdict)
    )
    return (query if reviewer is None else query.where(review.reviewer == reviewer)).exists()
