"""Counts that the pages show beside their lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from models.evidence import Stance
from models.outcome import Outcome
from store import schema
from store.queue import CANT_TELL
from web.words import page_stance


@dataclass(frozen=True, slots=True)
class PropertyNumbers:
    """How the pairs of a property stand. The three stances are those that the judge is sure of; `unsure` are those
    that it can't tell, and `judged` is the sum of the four; `not_judged` have an outcome.
    """

    id: str
    label: str | None
    overridden: bool
    pairs: int
    waiting: int
    supports: int
    refutes: int
    not_enough_info: int
    unsure: int
    not_judged: int

    @property
    def judged(self) -> int:
        """Pairs whose current verdict is a stance, or a leaning to one."""
        return self.supports + self.refutes + self.not_enough_info + self.unsure


def evidence_counts(session: Session, verdict_ids: Iterable[int]) -> Mapping[int, int]:
    """How many passages each verdict rests on; verdicts with none are left out."""
    row = schema.EvidenceRow
    counted = session.execute(
        select(row.verdict_id, func.count()).where(row.verdict_id.in_(list(verdict_ids))).group_by(row.verdict_id)
    )
    return {row[0]: row[1] for row in counted}


def property_numbers(session: Session, property_id: str | None = None) -> list[PropertyNumbers]:
    """The numbers of one property, or of all that have pairs, those with the most pairs first."""

    def tally(condition: ColumnElement[bool]) -> ColumnElement[int]:
        return func.count(schema.Pair.id).filter(condition)

    verdict, override = schema.Verdict, schema.Override
    worded = (override.property_id == schema.Property.id) & override.current & override.text.is_not(None)
    query = (
        select(
            schema.Property.id,
            schema.Property.label,
            select(override.id).where(worded).correlate(schema.Property).exists(),
            func.count(schema.Pair.id),
            tally(schema.Pair.state.in_(("waiting", "leased", "failed"))),
            tally((verdict.stance == Stance.SUPPORTS.value) & ~verdict.unsure),
            tally((verdict.stance == Stance.REFUTES.value) & ~verdict.unsure),
            tally((verdict.stance == Stance.NOT_ENOUGH_INFO.value) & ~verdict.unsure),
            tally(verdict.unsure.is_(True)),
            tally(verdict.outcome.is_not(None)),
        )
        .outerjoin(schema.Statement, schema.Statement.property_id == schema.Property.id)
        .outerjoin(schema.Pair, schema.Pair.guid == schema.Statement.guid)
        .outerjoin(verdict, (verdict.pair_id == schema.Pair.id) & verdict.current)
        .group_by(schema.Property.id, schema.Property.label)
        .order_by(func.count(schema.Pair.id).desc(), schema.Property.id)
    )
    if property_id is None:
        query = query.having(func.count(schema.Pair.id) > 0)
    else:
        query = query.where(schema.Property.id == property_id)
    return [PropertyNumbers(*tuple(row)) for row in session.execute(query)]


_ORDER = ("entities", "statements", "pairs", "new", "changed", "unchanged", "judged", "not_judged", "failed")
_ALWAYS = ("pairs", "judged", "not_judged")


def run_counts(counts: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """What a run counted, in words: the course of a walk first, then stances and outcomes. Most zeros are left out."""
    plain = {name: number for name, number in counts.items() if isinstance(number, int)}
    for name in (*_ORDER, *sorted(plain.keys() - set(_ORDER))):
        if name in plain and (plain[name] or name in _ALWAYS):
            yield name.replace("_", " "), plain[name]
    for stance in (*(each.value for each in Stance), CANT_TELL):
        if number := counts.get("stances", {}).get(stance):
            yield page_stance(stance).words, number
    for outcome in Outcome:
        if number := counts.get("outcomes", {}).get(outcome.value):
            yield outcome.label, number
