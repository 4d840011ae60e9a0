"""The figures about all pairs are counted anew by whoever works, now and then and when a run ends."""

from __future__ import annotations

import time

import structlog
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from store.reports.refresh import refresh, refresh_old

LOOK_EVERY_S = 15.0


class Figures:
    """Counts for one worker. What fails here ends no run: the next look tries again."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._looked_at = time.monotonic()

    def look(self) -> None:
        """Count anew what was counted long enough ago, unless that was looked at just now."""
        if time.monotonic() - self._looked_at >= LOOK_EVERY_S:
            self._count(anyhow=False)

    def finish(self) -> None:
        """Count what a run has left."""
        self._count(anyhow=True)

    def _count(self, *, anyhow: bool) -> None:
        try:
            counted = refresh(self._engine) if anyhow else refresh_old(self._engine)
        except SQLAlchemyError as error:
            structlog.get_logger().warning("figures not counted", error=type(error).__name__)
        else:
            if counted is not None:
                structlog.get_logger().debug("figures counted", seconds=round(counted.seconds, 3))
        self._looked_at = time.monotonic()
