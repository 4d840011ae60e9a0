"""What is looked at again: pairs that are due for another try, and those that were judged long ago."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import text
from sqlalchemy.orm import Session

_LOCK = 4_201_969  # the advisory lock under which one worker at a time queues


def queue_again(session: Session, older_than: timedelta, most: int) -> int:
    """Let pairs wait that were judged longer ago than `older_than`, or weren't judged and are due for another try.

    The longest due come first, and no more than so many that `most` such pairs wait at a time, however many workers
    ask. Returns how many they were; 0 also while another worker is at it.
    """
    if not session.scalar(text("SELECT pg_try_advisory_xact_lock(:lock)"), {"lock": _LOCK}):
        return 0
    return len(session.execute(text(_QUEUE), {"older_than": older_than, "most": most}).all())


_QUEUE = """
WITH room AS (
  SELECT greatest(:most - count(*), 0) AS pairs FROM pair
  WHERE state IN ('waiting', 'leased', 'failed') AND priority = 1
), due AS (
  SELECT id, next_at AS since FROM pair
  WHERE state = 'not_judged' AND next_at <= now()
  ORDER BY next_at
  LIMIT (SELECT pairs FROM room)
  FOR UPDATE SKIP LOCKED
), aged AS (
  SELECT pair.id, verdict.judged_at + CAST(:older_than AS interval) AS since
  FROM verdict JOIN pair ON pair.id = verdict.pair_id
  WHERE verdict.current AND verdict.stance IS NOT NULL AND pair.state = 'judged'
    AND verdict.judged_at < now() - CAST(:older_than AS interval)
  ORDER BY verdict.judged_at
  LIMIT (SELECT pairs FROM room)
  FOR UPDATE OF pair SKIP LOCKED
), chosen AS (
  SELECT id FROM (SELECT * FROM due UNION ALL SELECT * FROM aged) AS both_kinds
  ORDER BY since
  LIMIT (SELECT pairs FROM room)
)
UPDATE pair SET state = 'waiting', next_at = now(), why = CASE
    WHEN EXISTS (SELECT FROM verdict WHERE verdict.pair_id = pair.id AND verdict.current AND verdict.stance = 'refutes')
      THEN 'refuted'
    ELSE 'old' END
FROM chosen WHERE pair.id = chosen.id
RETURNING pair.id
"""
