"""How fast the work goes: what was judged in each hour and on each day, and how often pages were asked for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text
from sqlalchemy.orm import Session


@dataclass(frozen=True, slots=True)
class Done:
    """In the hour or on the day (UTC) that begins at `since`: pairs judged and not judged, and addresses asked for.

    A pair that was judged again later counts where it was judged last.
    """

    since: datetime
    judged: int
    not_judged: int
    pages: int


def hours(session: Session, most: int = 24) -> list[Done]:
    """The last hours up to the newest count, the oldest first; those in which nothing was done are there too."""
    return _done(session, "hour", most)


def days(session: Session, most: int = 14) -> list[Done]:
    """The last days (UTC), as the hours."""
    return _done(session, "day", most)


def _done(session: Session, step: str, most: int) -> list[Done]:
    rows = session.execute(text(_DONE), {"step": step, "most": most - 1})
    return [Done(*row) for row in rows]


_DONE = """
WITH newest AS (
  SELECT date_trunc(:step, coalesce(max(at), now()), 'UTC') AS at FROM refreshed
), span AS (
  SELECT generate_series(at - make_interval(
      days => CASE :step WHEN 'day' THEN :most ELSE 0 END, hours => CASE :step WHEN 'hour' THEN :most ELSE 0 END),
    at, CASE :step WHEN 'day' THEN interval '24 hours' ELSE interval '1 hour' END) AS since
  FROM newest
), done AS (
  SELECT date_trunc(:step, hour, 'UTC') AS since, sum(judged) AS judged, sum(not_judged) AS not_judged,
    sum(pages) AS pages
  FROM pace GROUP BY 1
)
SELECT since, CAST(coalesce(judged, 0) AS bigint), CAST(coalesce(not_judged, 0) AS bigint),
  CAST(coalesce(pages, 0) AS bigint)
FROM span LEFT JOIN done USING (since) ORDER BY since
"""
