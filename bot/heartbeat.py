"""A worker's heartbeat: its leases last and its run is known to go on while it makes progress, and no longer."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection
from types import TracebackType
from typing import Self

import structlog
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from bot.patience import Patience, is_away
from bot.pulse import Pulse
from store.runs import end_lost, heard
from store.work import renew

STUCK_S = 1800.0
LOST_AFTER = 5  # leases' time: a run that wasn't heard of for so long is lost


class Heartbeat:
    """Renews what is leased by the names that `leases` gives, four times in `lease_s` seconds, in a thread of its own.

    A worker that has made no progress for `stuck_s` is stuck: its leases run out, and others take them. Runs of workers
    that weren't heard of are ended, once the database has been there for us as long.
    """

    def __init__(
        self,
        engine: Engine,
        run_id: int,
        leases: Callable[[], Collection[str]],
        lease_s: float,
        pulse: Pulse,
        patience: Patience,
        stuck_s: float = STUCK_S,
    ) -> None:
        """`patience` is told where the database is away: whoever waits for a page may need it only later."""
        self._engine, self._run_id, self._leases = engine, run_id, leases
        self._lease_s, self._pulse, self._patience, self._stuck_s = lease_s, pulse, patience, stuck_s
        self._steady_since = time.monotonic()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._go, name="heartbeat", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join(1.0)  # it may hang on a database that is away

    def _go(self) -> None:
        said_stuck = False
        while not self._ended.wait(self._lease_s / 4):
            stuck = self._pulse.silent_s > self._stuck_s
            if stuck and not said_stuck:
                structlog.get_logger().error("stuck: leases are left to others", silent_s=round(self._pulse.silent_s))
            said_stuck = stuck
            if not stuck:
                self._beat()

    def _beat(self) -> None:
        try:
            with Session(self._engine) as session, session.begin():
                renew(session, self._leases(), round(self._lease_s))
                heard(session, self._run_id)
            self._patience.back()
            silent_s = LOST_AFTER * self._lease_s
            if time.monotonic() - self._steady_since > silent_s:
                with Session(self._engine) as session, session.begin():
                    end_lost(session, silent_s)
        except SQLAlchemyError as error:  # what the worker does meanwhile isn't ours to end
            self._steady_since = time.monotonic()
            if is_away(error):
                self._patience.away(error)
