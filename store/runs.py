"""Runs that are going on: who is heard of, and which were lost with their worker."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import select, text, update
from sqlalchemy.orm import Session

from store import schema

LOST = "its worker wasn't heard of any more; what it hadn't judged waits for others"


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
