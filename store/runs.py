"""Runs of the bot: how they begin, go on and end, who is heard of, and which were lost with their worker."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import func, select, text, update
from sqlalchemy.orm import Session

from store import schema

LOST = "its worker wasn't heard of any more; what it hadn't judged waits for others"


@dataclass(frozen=True, slots=True)
class Run:
    """A run of the bot as it stands. `place` is where to resume, as its source wrote it; `worker` runs it, and was
    last heard of at `seen_at`.
    """

    id: int
    source: str
    state: str
    started_at: datetime
    finished_at: datetime | None
    model_version: str
    counts: Mapping[str, Any]
    skipped: Mapping[str, Any]
    place: Mapping[str, Any] | None
    error: str | None
    worker: str
    seen_at: datetime


def start_run(session: Session, source: str, model_version: str, worker: str = "", own_pages: bool = False) -> Run:
    """Begin a run of `worker` over `source` (in words, as asked for).

    With `own_pages` nobody else may judge what it queues while it goes on: its pages are a replay's.
    """
    row = schema.Run(source=source, model_version=model_version, worker=worker, own_pages=own_pages)
    session.add(row)
    session.flush()
    session.refresh(row)
    return _run(row)


def end_run(
    session: Session, run_id: int, state: Literal["finished", "stopped", "failed"], error: str | None = None
) -> None:
    """End a run; `error` is the reason, there when and only when it `failed`. One that has ended stays as it is."""
    session.execute(
        update(schema.Run)
        .where(schema.Run.id == run_id, schema.Run.state == "running")
        .values(state=state, error=error, finished_at=func.clock_timestamp())
    )


def save_place(
    session: Session,
    run_id: int,
    place: Mapping[str, Any] | None,
    counts: Mapping[str, Any],
    skipped: Mapping[str, Any],
) -> None:
    """Record how far a run has come (where to resume, None at the end), and its counts until there."""
    session.execute(
        update(schema.Run)
        .where(schema.Run.id == run_id)
        .values(place=None if place is None else dict(place), counts=dict(counts), skipped=dict(skipped))
    )


def recent_runs(session: Session, limit: int = 10) -> list[Run]:
    """The newest runs, newest first."""
    return [_run(row) for row in session.scalars(select(schema.Run).order_by(schema.Run.id.desc()).limit(limit))]


def pair_states(session: Session) -> dict[str, int]:
    """How many pairs are in each state."""
    counted = session.execute(select(schema.Pair.state, func.count()).group_by(schema.Pair.state))
    found = {str(state): int(number) for state, number in counted}
    return {state: found.get(state, 0) for state in schema.PAIR_STATES}


def heard(session: Session, run_id: int) -> None:
    """Note that the worker of a run is alive now."""
    session.execute(text("UPDATE run SET seen_at = now() WHERE id = :id AND state = 'running'"), {"id": run_id})


def running_workers(session: Session) -> list[tuple[int, str]]:
    """The runs that are said to go on, and their workers."""
    rows = session.execute(select(schema.Run.id, schema.Run.worker).where(schema.Run.state == "running"))
    return [(run_id, worker) for run_id, worker in rows]


def lease_holders(session: Session) -> list[str]:
    """The names that pairs are leased by."""
    held = select(schema.Pair.leased_by).where(schema.Pair.state == "leased").distinct()
    return [name for name in session.scalars(held) if name]


def end_lost(session: Session, silent_s: float) -> int:
    """End the runs whose worker wasn't heard of for so many seconds; how many they were.

    None where the server itself has been up for less: then no worker had the time to be heard of.
    """
    ended = session.scalars(text(_END_LOST), {"silent": silent_s, "error": LOST})
    return len(ended.all())


def fail_runs(session: Session, run_ids: Iterable[int], error: str) -> None:
    """End runs that still are said to go on as failed, with the reason."""
    session.execute(
        update(schema.Run)
        .where(schema.Run.id.in_(list(run_ids)), schema.Run.state == "running")
        .values(state="failed", error=error, finished_at=text("clock_timestamp()"))
    )


_END_LOST = """
UPDATE run SET state = 'failed', error = :error, finished_at = clock_timestamp()
WHERE state = 'running' AND seen_at < now() - make_interval(secs => :silent)
  AND pg_postmaster_start_time() < now() - make_interval(secs => :silent)
RETURNING id
"""


def _run(row: schema.Run) -> Run:
    return Run(
        row.id,
        row.source,
        row.state,
        row.started_at,
        row.finished_at,
        row.model_version,
        row.counts,
        row.skipped,
        row.place,
        row.error,
        row.worker,
        row.seen_at,
    )
