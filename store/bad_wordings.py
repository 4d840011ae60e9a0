"""Claims that editors called badly worded, and that read so still."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from store import schema
from store.reviews import holds_for


@dataclass(frozen=True, slots=True)
class BadWording:
    """A pair whose claim somebody called badly worded, by whom and when."""

    pair_id: int
    claim: str
    reviewer: str
    decided_at: datetime


def bad_wordings(session: Session, property_id: str, most: int) -> tuple[BadWording, ...]:
    """Those of a property that wait for another wording, the newest first."""
    now, decided = schema.Verdict, aliased(schema.Verdict)
    rows = session.execute(
        select(now.pair_id, now.claim, schema.Review.reviewer, schema.Review.decided_at)
        .join(decided, decided.id == schema.Review.verdict_id)
        .join(now, (now.pair_id == decided.pair_id) & now.current)
        .join(schema.Pair, schema.Pair.id == now.pair_id)
        .join(schema.Statement, schema.Statement.guid == schema.Pair.guid)
        .where(
            schema.Review.decision == "bad_wording",
            schema.Review.undone_at.is_(None),
            schema.Statement.property_id == property_id,
            holds_for(decided, now),
        )
        .order_by(schema.Review.decided_at.desc(), schema.Review.id.desc())
        .limit(most)
    )
    return tuple(BadWording(*row) for row in rows)
