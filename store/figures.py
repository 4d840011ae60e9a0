"""How the work stands, in numbers: the queue, rates, failures, and who is at work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Integer, func, select, text
from sqlalchemy.orm import Session

from store import schema

AT_WORK = ("waiting", "leased", "failed")


@dataclass(frozen=True, slots=True)
class Waiting:
    """Pairs in a state for a reason (`store.schema.WHY`): how many, how many of them are due, and when the next is."""

    state: str
    why: str
    pairs: int
    due: int
    next_at: datetime | None


@dataclass(frozen=True, slots=True)
class Rate:
    """What came to an end in the last `seconds`: pairs judged or found not to be judged, and addresses asked."""

    seconds: int
    judged: int
    not_judged: int
    pages: int


@dataclass(frozen=True, slots=True)
class FailureCount:
    """Pairs whose last attempt failed for one reason, addresses aside, and when the first of them is tried again."""

    reason: str
    pairs: int
    next_at: datetime | None


@dataclass(frozen=True, slots=True)
class Holder:
    """Pairs leased by one name, and until when."""

    name: str
    pairs: int
    until: datetime


@dataclass(frozen=True, slots=True)
class RunningRun:
    """A run that goes on: by whom, since when, and when that worker was last heard of."""

    id: int
    source: str
    worker: str
    started_at: datetime
    silent_s: float


def queue(session: Session) -> list[Waiting]:
    """What is to be done, the most urgent first."""
    pair = schema.Pair
    due = (pair.next_at <= func.now()) & ((pair.state != "leased") | (pair.leased_until <= func.now()))
    rows = session.execute(
        select(pair.state, pair.why, func.count(), func.sum(due.cast(Integer)), func.min(pair.next_at))
        .where(pair.state.in_(AT_WORK))
        .group_by(pair.state, pair.why, pair.priority)
        .order_by(pair.priority.desc(), pair.state.desc())
    )
    return [Waiting(state, why, number, ready, at) for state, why, number, ready, at in rows]


def outcomes(session: Session) -> Mapping[str, int]:
    """How many pairs have each outcome now, the most frequent first."""
    verdict = schema.Verdict
    rows = session.execute(
        select(verdict.outcome, func.count())
        .where(verdict.current, verdict.outcome.is_not(None))
        .group_by(verdict.outcome)
        .order_by(func.count().desc(), verdict.outcome)
    )
    return {str(outcome): number for outcome, number in rows}


def rates(session: Session, spans: tuple[int, ...] = (60, 3600, 86_400)) -> list[Rate]:
    """What was done in the last seconds, for each of the spans."""
    return [Rate(span, *session.execute(text(_RATE), {"span": span}).one()) for span in spans]


def failures(session: Session, most: int = 8) -> list[FailureCount]:
    """Why attempts failed, the most frequent reasons first."""
    rows = session.execute(text(_FAILURES), {"most": most})
    return [FailureCount(*row) for row in rows]


def holders(session: Session) -> list[Holder]:
    """Who has leased pairs."""
    pair = schema.Pair
    rows = session.execute(
        select(pair.leased_by, func.count(), func.max(pair.leased_until))
        .where(pair.state == "leased")
        .group_by(pair.leased_by)
        .order_by(pair.leased_by)
    )
    return [Holder(name, number, until) for name, number, until in rows if name and until]


def running(session: Session) -> list[RunningRun]:
    """The runs that go on, as their workers say."""
    run = schema.Run
    rows = session.execute(
        select(run.id, run.source, run.worker, run.started_at, func.extract("epoch", func.now() - run.seen_at))
        .where(run.state == "running")
        .order_by(run.id)
    )
    return [RunningRun(number, source, worker, at, float(silent)) for number, source, worker, at, silent in rows]


# The planner sees through now() and make_interval(), but not through a subquery: it would read the whole table.
_SINCE = "now() - make_interval(secs => :span)"
_RATE = f"""
SELECT judged, not_judged, pages FROM
  (SELECT count(*) FILTER (WHERE stance IS NOT NULL) AS judged, count(*) FILTER (WHERE stance IS NULL) AS not_judged
    FROM verdict WHERE judged_at > {_SINCE}) AS found,
  (SELECT count(*) AS pages FROM try WHERE kept_at > {_SINCE}) AS asked
"""  # noqa: S608 - all parts are ours

_FAILURES = r"""
SELECT left(regexp_replace(last_error, '(https?://)\S+', '\1…', 'g'), 200) AS reason, count(*), min(next_at)
FROM pair WHERE state = 'failed'
GROUP BY reason
ORDER BY count(*) DESC, reason
LIMIT :most
"""
