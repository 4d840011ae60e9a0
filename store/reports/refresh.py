"""When the figures about all pairs are counted anew: they would take too long for a page each time.

They are materialised views (`VIEWS`), all counted at one moment.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, func, select, text
from sqlalchemy.orm import Session

from store import schema

VIEWS = ("standing", "tally", "course", "layout", "trouble", "decided", "pace", "kind")
QUICK_S = 1.0  # what takes no longer may be counted while somebody waits for a page
_QUICK_EVERY_S = 15.0
_EVERY_S = 300.0
_REST = 20.0  # times what the counting takes is waited before the next
_NAME = "reports"


@dataclass(frozen=True, slots=True)
class Counted:
    """When the figures were counted, how many seconds that took, and how many ago it is."""

    at: datetime
    seconds: float
    age_s: float

    @property
    def is_quick(self) -> bool:
        """Whether counting them anew keeps nobody waiting."""
        return self.seconds <= QUICK_S

    @property
    def is_old(self) -> bool:
        """Whether they should be counted anew."""
        return self.age_s >= max(_QUICK_EVERY_S if self.is_quick else _EVERY_S, _REST * self.seconds)


def counted(session: Session) -> Counted | None:
    """When the figures were counted last; None where they never were."""
    row = schema.Refreshed
    found = session.execute(
        select(row.at, row.seconds, func.extract("epoch", func.clock_timestamp() - row.at)).where(row.name == _NAME)
    ).first()
    return Counted(found[0], found[1], float(found[2])) if found else None


def refresh(engine: Engine) -> Counted:
    """Count the figures anew, as they are at one moment; readers see the former ones until it is done.

    Who comes while another counts waits, and has what the other counted.
    """
    with Session(engine) as session:
        before = counted(session)
    began = time.monotonic()
    with (
        engine.connect().execution_options(isolation_level="REPEATABLE READ") as connection,
        connection.begin(),
        Session(bind=connection) as session,
    ):
        # It comes before any query, so that what is counted is what is there once we have it.
        session.execute(text("LOCK TABLE refreshed IN SHARE UPDATE EXCLUSIVE MODE"))
        now = counted(session)
        if now is not None and (before is None or now.at > before.at):
            return now
        for view in VIEWS:
            session.execute(text(f"REFRESH MATERIALIZED VIEW CONCURRENTLY {view}"))
        seconds = time.monotonic() - began
        session.execute(text(_NOTE), {"name": _NAME, "seconds": seconds})
        done = counted(session)
        assert done is not None
        return done


def refresh_old(engine: Engine) -> Counted | None:
    """Count anew what was counted long enough ago; None where that isn't so, or where nothing was judged or
    decided since.

    For the bot, between its batches.
    """
    with Session(engine) as session:
        last = counted(session)
        judged, decided = schema.Verdict.judged_at, schema.Review.id
        newest = session.scalar(select(func.max(judged)))
        decided_at = session.scalar(select(schema.Review.decided_at).order_by(decided.desc()).limit(1))
        newest = max((each for each in (newest, decided_at) if each is not None), default=None)
    if last is not None and (not last.is_old or newest is None or newest <= last.at):
        return None
    return refresh(engine)


def at_hand(engine: Engine) -> Counted:
    """The figures for a page: counted now where they never were, or where they are old and it takes no time."""
    with Session(engine) as session:
        last = counted(session)
    return refresh(engine) if last is None or (last.is_old and last.is_quick) else last


_NOTE = """
INSERT INTO refreshed (name, at, seconds) VALUES (:name, now(), :seconds)
ON CONFLICT (name) DO UPDATE SET at = excluded.at, seconds = excluded.seconds
"""
