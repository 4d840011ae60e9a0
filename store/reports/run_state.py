"""What is left of a run: its pairs that still wait, and why attempts at them failed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from store import schema


@dataclass(frozen=True, slots=True)
class Failing:
    """Pairs of a run whose last attempt failed for one reason, addresses aside, and when the first is tried again."""

    reason: str
    pairs: int
    next_at: datetime | None


def waiting(session: Session, run_id: int) -> int:
    """How many pairs that a run queued last still are to be judged."""
    pair = schema.Pair
    query = select(func.count()).where(pair.run_id == run_id, pair.state.in_(("waiting", "leased", "failed")))
    return session.scalar(query) or 0


def failing(session: Session, run_id: int, most: int = 8) -> list[Failing]:
    """Why attempts at the pairs of a run failed, the most frequent reasons first."""
    rows = session.execute(text(_FAILING), {"run": run_id, "most": most})
    return [Failing(*row) for row in rows]


_FAILING = r"""
SELECT left(regexp_replace(last_error, '(https?\://)\S+', '\1…', 'g'), 200) AS reason, count(*), min(next_at)
FROM pair WHERE run_id = :run AND state = 'failed'
GROUP BY reason
ORDER BY count(*) DESC, reason
LIMIT :most
"""
