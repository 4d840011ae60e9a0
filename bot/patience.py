"""PostgreSQL goes away and comes back: what needs it is done again after growing delays, and that is said."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

import structlog
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bot.problem import RunFailed

T = TypeVar("T")

FIRST_S, LONGEST_S = 0.2, 30.0
# By SQLSTATE (their beginnings), what passes by itself: no connection, no room, the server going down or coming up,
# a standby that isn't the primary yet, two transactions in each other's way.
_PASSING = ("08", "53", "57P", "25006", "40001", "40P01", "55P03")


class DatabaseAway(RunFailed):
    """PostgreSQL stayed away for longer than we wait, or someone asked us to stop meanwhile."""


class Patience:
    """Does what needs PostgreSQL, again and again while that is away, for `most_s` seconds at most.

    Shared by the threads of a worker. `wait` waits for so many seconds, less where we are asked to stop; `stopped`
    says whether we are.
    """

    def __init__(
        self,
        most_s: float,
        wait: Callable[[float], object] = time.sleep,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self._most_s, self._wait, self._stopped = most_s, wait, stopped
        self._since: float | None = None
        self._telling = threading.Lock()

    def keep(self, do: Callable[[], T]) -> T:
        """What `do` gives: one whole transaction, or something else that may be begun anew.

        Raises `DatabaseAway`; any error that isn't the database's being away comes as it is.
        """
        begun, delay_s = time.monotonic(), FIRST_S
        while True:
            try:
                done = do()
            except SQLAlchemyError as error:
                if not is_away(error):
                    raise
                waited_s = time.monotonic() - begun
                if waited_s >= self._most_s or self._stopped():
                    raise DatabaseAway(
                        f"PostgreSQL can't be reached: {said(error)}. Gave up after {waited_s:.0f} s. "
                        "Nothing that was saved is lost; run again when it is back."
                    ) from error
                self.away(error)
                self._wait(min(delay_s, self._most_s - waited_s))
                delay_s = min(2 * delay_s, LONGEST_S)
            else:
                self.back()
                return done

    def away(self, error: SQLAlchemyError) -> None:
        """Say that the database is away, unless that was said."""
        with self._telling:
            if self._since is None:
                self._since = time.monotonic()
                structlog.get_logger().warning("waiting for PostgreSQL", at_most_s=self._most_s, because=said(error))

    def back(self) -> None:
        """Say that the database is back, where it was away."""
        with self._telling:
            if self._since is not None:
                away_s = round(time.monotonic() - self._since, 1)
                self._since = None
                structlog.get_logger().warning("PostgreSQL is back", after_s=away_s)


def is_away(error: BaseException) -> bool:
    """Whether an error says that PostgreSQL is away or too busy for now, and not that something is wrong with us."""
    if isinstance(error, PoolTimeout):
        return True
    if not isinstance(error, DBAPIError):
        return False
    state = getattr(error.orig, "sqlstate", None)
    if state is None:
        return error.connection_invalidated or isinstance(error, OperationalError)
    return str(state).startswith(_PASSING)


def said(error: BaseException) -> str:
    """The first line of what the server or the driver said."""
    lines = str(getattr(error, "orig", None) or error).strip().splitlines() or [type(error).__name__]
    return lines[0].rstrip(". ")
