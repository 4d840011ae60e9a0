"""What the dashboard lists: verdicts worst first, and what they can be narrowed to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Float,
    SmallInteger,
    case,
    func,
    literal,
    literal_column,
    select,
    tuple_,
)
from sqlalchemy.orm import Session, aliased

from models.evidence import Stance
from models.outcome import Outcome
from models.statement import Term
from store import schema
from store.reviews import holds_for
from store.terms import term_of

Row = TypeVar("Row")

CANT_TELL = "cant_tell"  # among the stances that a list can be narrowed to
_LAST_PLACE = 302  # of a verdict's `queue_place`


@dataclass(frozen=True, slots=True)
class Filters:
    """What to list: None means any. `outcome` asks for pairs that weren't judged, by why not.

    `stance` asks for what the judge is sure of; with `unsure` for what it can't tell, and leans to that stance.
    `state`: `open` (nobody's decision stands), `reviewed` (one does) or `all`.
    """

    property_id: str | None = None
    domain: str | None = None
    stance: Stance | None = None
    unsure: bool = False
    outcome: Outcome | None = None
    state: Literal["open", "reviewed", "all"] = "open"


@dataclass(frozen=True, slots=True)
class Cursor:
    """The last row of a page: its verdict's `queue_place` and probability (None in a list of outcomes), and its id.

    `str()` writes it for an address, `Cursor.parse` reads it back.
    """

    place: int | None
    probability: float | None
    verdict_id: int

    def __str__(self) -> str:
        if self.place is None or self.probability is None:
            return f"~{self.verdict_id}"
        return f"{self.place}~{self.probability!r}~{self.verdict_id}"

    @classmethod
    def parse(cls, written: str) -> Cursor:
        """Read what `str()` wrote. Raises `ValueError` for anything else."""
        *key, verdict_id = written.split("~")
        if not _is_number(verdict_id) or int(verdict_id) >= 2**63:
            raise ValueError(f"not a place in the list: {written!r}")
        if key == [""]:
            return cls(None, None, int(verdict_id))
        if len(key) != 2 or not _is_number(key[0]) or int(key[0]) > _LAST_PLACE or not 0 <= float(key[1]) <= 1:
            raise ValueError(f"not a place in the list: {written!r}")
        return cls(int(key[0]), float(key[1]), int(verdict_id))


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """Some rows, and where the next page begins (None on the last)."""

    rows: tuple[Row, ...]
    next: Cursor | None


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
    decision: str | None
    cursor: Cursor


@dataclass(frozen=True, slots=True)
class Facet:
    """A value that the list can be narrowed to, how it reads, and how many current verdicts have it."""

    value: str
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class Facets:
    """The values to choose from, the most frequent first. `stances` are the sure ones, and `CANT_TELL`."""

    properties: tuple[Facet, ...]
    domains: tuple[Facet, ...]
    stances: tuple[Facet, ...]
    outcomes: tuple[Facet, ...]


def low_support(session: Session, filters: Filters, after: Cursor | None = None, limit: int = 50) -> Page[QueueRow]:
    """Current verdicts by ascending probability (by age where `filters.outcome` asks for outcomes), a page of them.

    Within one per cent those that the judge is sure aren't supported come first, for they ask the least of an editor,
    then those that it can't tell, then the supported ones.

    A page begins after the key of the last row of the one before, so rows that come or go meanwhile move no other.
    """
    verdict, pair, statement = schema.Verdict, schema.Pair, schema.Statement
    decision = _decision()
    query = (
        select(verdict, pair, statement, schema.Item, schema.Property, decision.label("decision"))
        .join(pair, pair.id == verdict.pair_id)
        .join(statement, statement.guid == pair.guid)
        .join(schema.Item, schema.Item.id == statement.item_id)
        .join(schema.Property, schema.Property.id == statement.property_id)
        .where(verdict.current, *_conditions(filters), *_after(filters, after))
        .order_by(*_key(filters))
        .limit(limit + 1)
        .execution_options(populate_existing=True)
    )
    rows = [_queue_row(*row) for row in session.execute(query)]
    shown = tuple(rows[:limit])
    more = len(rows) > limit and shown
    return Page(shown, shown[-1].cursor if more else None)


def facets(session: Session) -> Facets:
    """What the list can be narrowed to: all properties, the 50 most frequent domains, stances, outcomes."""
    verdict, pair, statement, prop = schema.Verdict, schema.Pair, schema.Statement, schema.Property
    number = func.count().label("number")
    properties = session.execute(
        select(prop.id, func.coalesce(prop.label, prop.id), number)
        .select_from(verdict)
        .join(pair, pair.id == verdict.pair_id)
        .join(statement, statement.guid == pair.guid)
        .join(prop, prop.id == statement.property_id)
        .where(verdict.current)
        .group_by(prop.id)
        .order_by(number.desc(), prop.id)
    )
    domains = session.execute(
        select(pair.domain, pair.domain, number)
        .select_from(verdict)
        .join(pair, pair.id == verdict.pair_id)
        .where(verdict.current, pair.domain != "")
        .group_by(pair.domain)
        .order_by(number.desc(), pair.domain)
        .limit(50)
    )
    found_as = case((verdict.unsure, literal_column(f"'{CANT_TELL}'")), else_=verdict.stance)
    found = session.execute(
        select(found_as, verdict.outcome, number)
        .where(verdict.current)
        .group_by(found_as, verdict.outcome)
        .order_by(number.desc(), found_as, verdict.outcome)
    ).all()
    return Facets(
        properties=tuple(Facet(*row) for row in properties),
        domains=tuple(Facet(*row) for row in domains),
        stances=tuple(Facet(stance, stance.replace("_", " "), count) for stance, _, count in found if stance),
        outcomes=tuple(Facet(outcome, Outcome(outcome).label, count) for _, outcome, count in found if outcome),
    )


def _conditions(filters: Filters) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if filters.outcome is not None:
        conditions.append(schema.Verdict.outcome == filters.outcome.value)
    else:
        conditions.append(schema.Verdict.stance.is_not(None))
    if filters.stance is not None:
        conditions.append(schema.Verdict.stance == filters.stance.value)
    if filters.stance is not None or filters.unsure:
        conditions.append(schema.Verdict.unsure.is_(filters.unsure))
    if filters.property_id is not None:
        conditions.append(schema.Statement.property_id == filters.property_id)
    if filters.domain is not None:
        conditions.append(schema.Pair.domain == filters.domain)
    if filters.state == "open":
        conditions.append(_decision().is_(None))
    elif filters.state == "reviewed":
        conditions.append(_decision().is_not(None))
    return conditions


def _key(filters: Filters) -> tuple[ColumnElement[Any], ...]:
    if filters.outcome is not None:
        return (schema.Verdict.id.expression,)
    verdict = schema.Verdict
    return verdict.queue_place.expression, verdict.probability.expression, verdict.id.expression


def _after(filters: Filters, after: Cursor | None) -> list[ColumnElement[bool]]:
    if after is None:
        return []
    if filters.outcome is not None:
        return [schema.Verdict.id > after.verdict_id]
    return [
        tuple_(*_key(filters))
        > tuple_(
            literal(after.place or 0, SmallInteger),
            literal(after.probability or 0.0, Float),
            literal(after.verdict_id, BigInteger),
        )
    ]


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
        decision=decision,
        cursor=cursor_of(verdict),
    )


def cursor_of(row: schema.Verdict) -> Cursor:
    """Where a verdict stands in the list."""
    return Cursor(row.queue_place, row.probability, row.id)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _stance(value: str | None) -> Stance | None:
    return None if value is None else Stance(value)


def _outcome(value: str | None) -> Outcome | None:
    return None if value is None else Outcome(value)
