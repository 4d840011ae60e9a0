"""What the dashboard lists: verdicts by expected benefit (`models.benefit`), the highest first."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from sqlalchemy import BigInteger, ColumnElement, Float, Select, literal, select, tuple_
from sqlalchemy.orm import Session, aliased

from models.evidence import Stance
from models.outcome import Outcome
from models.statement import Term
from store import schema
from store.filters import Filters, conditions
from store.reviews import holds_for
from store.terms import term_of

Row = TypeVar("Row")

_LONGEST = 40  # characters of a number


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a row stands in the list: its verdict's benefit and id.

    `str()` writes it for an address, `Cursor.parse` reads it back.
    """

    benefit: float
    verdict_id: int

    def __str__(self) -> str:
        return f"{self.benefit!r}~{self.verdict_id}"

    @classmethod
    def parse(cls, written: str) -> Cursor:
        """Read what `str()` wrote. Raises `ValueError` for anything else."""
        number, tilde, verdict_id = written.partition("~")
        benefit = float(number) if len(number) <= _LONGEST and number.isascii() else math.nan
        known = verdict_id.isascii() and verdict_id.isdigit() and len(verdict_id) < 20 and int(verdict_id) < 2**63
        if not (tilde and known and 0 <= benefit < math.inf):
            raise ValueError(f"not a place in the list: {written!r}")
        return cls(benefit, int(verdict_id))


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """Some rows; the row after which the next page begins, and the one before which the previous one ends (None: there
    is none).
    """

    rows: tuple[Row, ...]
    next: Cursor | None
    previous: Cursor | None


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A line of the list. `decision` is the latest decision that stands; `stale`: waits to be judged again.

    Where `unsure`, the judge can't tell, and `stance` is what it leans to. `cursor` is its place in the list.
    """

    pair_id: int
    verdict_id: int
    guid: str
    item: Term
    property: Term
    claim: str
    url: str
    domain: str
    stance: Stance | None
    unsure: bool
    probability: float | None
    outcome: Outcome | None
    detail: str
    reason: str
    judged_at: datetime
    pair_state: str
    stale: bool
    language: str
    decision: str | None
    cursor: Cursor


def worst_first(
    session: Session,
    filters: Filters,
    after: Cursor | None = None,
    limit: int = 50,
    *,
    before: Cursor | None = None,
) -> Page[QueueRow]:
    """A page of current verdicts, those first at which an editor's look is expected to be of most use.

    It begins after a row, or ends `before` one, wherever that row is by now: rows that come or go move no other.
    """
    verdict, pair, statement = schema.Verdict, schema.Pair, schema.Statement
    place = tuple_(verdict.benefit.expression, verdict.id.expression)
    chosen = ids_of(filters).limit(limit + 1)
    if before is not None:
        chosen = chosen.where(place > _values(before)).order_by(verdict.benefit, verdict.id)
    else:
        chosen = chosen.order_by(verdict.benefit.desc(), verdict.id.desc())
        chosen = chosen if after is None else chosen.where(place < _values(after))
    # Chosen first, whatever the planner thinks: joined with their words before, it can take seconds.
    page = chosen.cte("chosen").prefix_with("MATERIALIZED", dialect="postgresql")
    query = (
        select(verdict, pair, statement, schema.Item, schema.Property, _decision().label("decision"))
        .join(page, page.c.id == verdict.id)
        .join(pair, pair.id == verdict.pair_id)
        .join(statement, statement.guid == pair.guid)
        .join(schema.Item, schema.Item.id == statement.item_id)
        .join(schema.Property, schema.Property.id == statement.property_id)
        .execution_options(populate_existing=True)
    )
    rows = sorted(
        (_queue_row(*row) for row in session.execute(query)),
        key=lambda row: (row.cursor.benefit, row.cursor.verdict_id),
        reverse=before is None,
    )
    more, shown = len(rows) > limit, rows[:limit]
    if before is not None:
        shown.reverse()
        return Page(tuple(shown), shown[-1].cursor if shown else None, shown[0].cursor if more else None)
    return Page(
        tuple(shown), shown[-1].cursor if more else None, shown[0].cursor if shown and after is not None else None
    )


def ids_of(filters: Filters) -> Select[int]:
    """The ids of all verdicts that a list has, in no order."""
    verdict, pair, statement = schema.Verdict, schema.Pair, schema.Statement
    query = select(verdict.id).join(pair, pair.id == verdict.pair_id).join(statement, statement.guid == pair.guid)
    if filters.class_id is not None:
        query = query.join(schema.Item, schema.Item.id == statement.item_id)
    return query.where(verdict.current, *conditions(filters))


def _values(cursor: Cursor) -> ColumnElement[Any]:
    return tuple_(literal(cursor.benefit, Float), literal(cursor.verdict_id, BigInteger))


def _decision() -> ColumnElement[str | None]:
    """The latest decision that holds for the verdict of the row, null where none does."""
    decided = aliased(schema.Verdict)
    return (
        select(schema.Review.decision)
        .join(decided, decided.id == schema.Review.verdict_id)
        .where(schema.Review.undone_at.is_(None), holds_for(decided, schema.Verdict))
        .order_by(schema.Review.decided_at.desc(), schema.Review.id.desc())
        .limit(1)
        .correlate(schema.Verdict)
        .scalar_subquery()
    )


def _queue_row(
    verdict: schema.Verdict,
    pair: schema.Pair,
    statement: schema.Statement,
    item: schema.Item,
    prop: schema.Property,
    decision: str | None,
) -> QueueRow:
    return QueueRow(
        pair_id=pair.id,
        verdict_id=verdict.id,
        guid=statement.guid,
        item=term_of(item),
        property=term_of(prop),
        claim=verdict.claim,
        url=pair.urls[0]["url"] if pair.urls else "",
        domain=pair.domain,
        stance=_stance(verdict.stance),
        unsure=verdict.unsure,
        probability=verdict.probability,
        outcome=_outcome(verdict.outcome),
        detail=verdict.detail,
        reason=verdict.reason,
        judged_at=verdict.judged_at,
        pair_state=pair.state,
        stale=verdict.stale,
        language=verdict.language or "",
        decision=decision,
        cursor=cursor_of(verdict),
    )


def cursor_of(row: schema.Verdict) -> Cursor:
    """Where a verdict stands in the list."""
    return Cursor(row.benefit, row.id)


def _stance(value: str | None) -> Stance | None:
    return None if value is None else Stance(value)


def _outcome(value: str | None) -> Outcome | None:
    return None if value is None else Outcome(value)
