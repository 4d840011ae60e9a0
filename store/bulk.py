"""One decision about many references: of a domain that died, or to an address that became something else.

It is written as single decisions that the pages are gone or moved, each about the verdict that stands now: so each
ends by itself, as any decision does, where the page can be read again. Only references about which nobody's decision
stands are decided, and none that was judged by an archived copy: those don't need the page.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeVarTuple

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    case,
    func,
    insert,
    literal_column,
    select,
    update,
)
from sqlalchemy.orm import Session

from store import schema
from store.domain import domain_of
from store.filters import CANT_TELL, is_decided
from store.reviews import ReviewRefused

DECISION = "gone"
MOST = 10_000
_SHOWN = 10
_LISTED = 50
_COPIES = ("archive", "wayback")
Kind = Literal["domain", "address"]
Columns = TypeVarTuple("Columns")


class ChangedSince(Exception):
    """What would be decided isn't what the person saw. The message is one line."""


@dataclass(frozen=True, slots=True)
class Target:
    """What is decided about: all references of a domain, or all whose first address is this one.

    `supported`: also those whose page was found to support the statement when it was read.
    """

    kind: Kind
    name: str
    supported: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    """A reference that would be decided about, or was."""

    pair_id: int
    claim: str
    url: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What a decision would be about: `number` references, by what was found of them (a stance, `cant_tell` or an
    outcome), with some `examples`. `seen` stands for exactly these.

    Left alone are those `decided` already, those judged by a copy (`archived`), and those that are `supported`, unless
    they are asked for.
    """

    target: Target
    number: int
    found: Mapping[str, int]
    examples: tuple[Example, ...]
    decided: int
    archived: int
    supported: int
    seen: str


@dataclass(frozen=True, slots=True)
class Bulk:
    """A decision about many at once. `standing` of its `number` decisions haven't been undone."""

    id: int
    kind: str
    name: str
    decision: str
    reviewer: str
    made_at: datetime
    undone_at: datetime | None
    number: int
    standing: int


def plan(session: Session, target: Target) -> Plan:
    """What would be decided about, were it done now."""
    verdict, pair = schema.Verdict, schema.Pair
    finding = func.coalesce(
        verdict.outcome, case((verdict.unsure, literal_column(f"'{CANT_TELL}'")), else_=verdict.stance)
    )
    left = select(
        func.count().filter(is_decided()),
        func.count().filter(~is_decided(), _by_copy()),
        func.count().filter(~is_decided(), ~_by_copy(), _supported()),
    )
    decided, archived, supported = session.execute(_of(left, target)).one()
    found = session.execute(
        _due(select(finding, func.count()), target).group_by(finding).order_by(func.count().desc(), finding)
    ).all()
    rows = session.execute(
        _due(select(pair.id, verdict.claim, pair.urls), target)
        .order_by(verdict.benefit.desc(), verdict.id)
        .limit(_SHOWN)
    )
    ids = session.scalars(_due(select(verdict.id), target).order_by(verdict.id)).all()
    return Plan(
        target,
        sum(number for _, number in found),
        dict(found),
        tuple(_example(*row) for row in rows),
        decided,
        archived,
        supported,
        _digest(ids),
    )


def carry_out(session: Session, target: Target, reviewer: str, seen: str) -> Bulk:
    """Decide about all of them. Raises `ChangedSince` where they aren't those that were `seen`, `ReviewRefused` where
    there are none, too many, or no reviewer.
    """
    reviewer = reviewer.strip()
    if not reviewer:
        raise ReviewRefused("say who you are: a decision keeps its reviewer")
    # Two people at once come one after the other: the second sees what the first has decided.
    domain = target.name if target.kind == "domain" else domain_of(target.name)
    session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(domain, 0))))
    due = _due(select(schema.Verdict.id), target).order_by(schema.Verdict.id)
    # Nobody decides about these from here on; then a look at what has been decided by now.
    held = set(session.scalars(due.with_for_update(read=True, key_share=True, of=schema.Verdict)))
    ids = session.scalars(due).all()
    if _digest(ids) != seen or not held.issuperset(ids):
        raise ChangedSince(f"{target.name}: what there is to decide has changed")
    if not ids:
        raise ReviewRefused(f"{target.name}: there is no reference to decide about")
    if len(ids) > MOST:
        raise ReviewRefused(f"{target.name}: {len(ids):,} references are too many; {MOST:,} can be decided at once")
    row = schema.Bulk(kind=target.kind, target=target.name, decision=DECISION, reviewer=reviewer, pairs=len(ids))
    session.add(row)
    session.flush()
    made = {"decision": DECISION, "reviewer": reviewer, "bulk_id": row.id}
    session.execute(insert(schema.Review), [made | {"verdict_id": verdict_id} for verdict_id in ids])
    found = bulk(session, row.id)
    assert found is not None
    return found


def undo(session: Session, bulk_id: int, reviewer: str) -> Bulk:
    """Take a decision about many back, all of it that stands. Raises `ReviewRefused` where there is none such, or it is
    another person's.
    """
    row = session.get(schema.Bulk, bulk_id, with_for_update=True)
    if row is None:
        raise ReviewRefused(f"there is no decision {bulk_id} about many to undo")
    if row.reviewer != reviewer.strip():
        raise ReviewRefused(f"this decision is {row.reviewer}'s: only they can undo it")
    review = schema.Review
    session.execute(
        update(review)
        .where(review.bulk_id == bulk_id, review.undone_at.is_(None))
        .values(undone_at=func.clock_timestamp())
    )
    if row.undone_at is None:
        row.undone_at = session.scalar(select(func.clock_timestamp()))
        session.flush()
    found = bulk(session, bulk_id)
    assert found is not None
    return found


def bulk(session: Session, bulk_id: int) -> Bulk | None:
    """A decision about many at once; None where there is none with that number."""
    rows = session.execute(_bulks().where(schema.Bulk.id == bulk_id))
    return next((Bulk(*row) for row in rows), None)


def bulks(session: Session, before: int | None = None, limit: int = 50) -> list[Bulk]:
    """Decisions about many, the newest first, those made earlier than the one with the number `before`."""
    query = _bulks().order_by(schema.Bulk.id.desc()).limit(limit)
    return [Bulk(*row) for row in session.execute(query if before is None else query.where(schema.Bulk.id < before))]


def examples_of(session: Session, bulk_id: int) -> tuple[Example, ...]:
    """The first of the references that a decision is about."""
    verdict, pair, review = schema.Verdict, schema.Pair, schema.Review
    rows = session.execute(
        select(pair.id, verdict.claim, pair.urls)
        .select_from(review)
        .join(verdict, verdict.id == review.verdict_id)
        .join(pair, pair.id == verdict.pair_id)
        .where(review.bulk_id == bulk_id)
        .order_by(review.id)
        .limit(_LISTED)
    )
    return tuple(_example(*row) for row in rows)


def _digest(ids: Sequence[int]) -> str:
    return hashlib.sha256(" ".join(map(str, ids)).encode()).hexdigest()[:32]


def _bulks() -> Select[int, str, str, str, str, datetime, datetime | None, int, int]:
    row, review = schema.Bulk, schema.Review
    standing = (
        select(func.count())
        .where(review.bulk_id == row.id, review.undone_at.is_(None))
        .correlate(row)
        .scalar_subquery()
    )
    return select(
        row.id, row.kind, row.target, row.decision, row.reviewer, row.made_at, row.undone_at, row.pairs, standing
    )


def _of(query: Select[*Columns], target: Target) -> Select[*Columns]:
    verdict, pair = schema.Verdict, schema.Pair
    return (
        query.select_from(verdict)
        .join(pair, pair.id == verdict.pair_id)
        .where(verdict.current, pair.state != "retired", _named(target))
    )


def _due(query: Select[*Columns], target: Target) -> Select[*Columns]:
    query = _of(query, target).where(~is_decided(), ~_by_copy())
    return query if target.supported else query.where(~_supported())


def _named(target: Target) -> ColumnElement[bool]:
    pair = schema.Pair
    if target.kind == "domain":
        return pair.domain == target.name
    return and_(pair.url_key == func.md5(target.name), pair.urls[0]["url"].astext == target.name)


def _by_copy() -> ColumnElement[bool]:
    verdict = schema.Verdict
    return verdict.document_digest.is_not(None) & verdict.via.in_(_COPIES)


def _supported() -> ColumnElement[bool]:
    verdict = schema.Verdict
    return and_(verdict.stance.is_not(None), verdict.stance == "supports", ~verdict.unsure)


def _example(pair_id: int, claim: str, urls: list[dict[str, str]]) -> Example:
    return Example(pair_id, claim, urls[0]["url"] if urls else "")
