"""One request at a time for a host, and a pause between; many hosts at once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC
from typing import Protocol

from models.outcome import Outcome
from store.hosts import How, KeptRobots, Resting

LATE_S = 10.0  # by which a turn may be begun late: the loop was busy, or all places were taken
MARGIN_S = 5.0  # for the end of a turn to reach its row


class Left(Exception):
    """A host is left alone for a while."""

    def __init__(self, resting: Resting) -> None:
        super().__init__(said(resting))
        self.resting = resting


@dataclass(slots=True)
class Turn:
    """A host's turn while it is ours; whoever has it notes how it went.

    `delay_s` is the least pause after it, where that is longer than was known when it was taken.
    """

    how: How = How.ANSWERED
    delay_s: float = 0.0
    rest_s: float | None = None
    outcome: Outcome | None = None
    why: str = ""

    def failed(self, outcome: Outcome, why: str, rest_s: float | None = None) -> None:
        """The host failed, or asked us to leave it alone for `rest_s` seconds."""
        self.how, self.outcome, self.why, self.rest_s = How.FAILED, outcome, why, rest_s

    def unused(self) -> None:
        """Nothing was asked."""
        self.how = How.UNUSED


class Pace(Protocol):
    """Whose turn it is to ask a host, and what is known of its robots.txt."""

    def working(self) -> AbstractAsyncContextManager[None]:
        """Open while turns are taken."""
        ...

    def turn(self, host: str, delay_s: float) -> AbstractAsyncContextManager[Turn]:
        """Wait for the host's turn and hold it; `delay_s` is the least pause until the next, which may be anyone's.

        Raises `Left` where the host is left alone, `NotAsked` where no turn is to be had.
        """
        ...

    async def robots(self, origin: str) -> KeptRobots | None:
        """What is known of an origin's robots.txt and still stands. Raises `NotAsked`."""
        ...

    def keep(self, robots: KeptRobots) -> None:
        """Let others know it too."""
        ...


def said(resting: Resting) -> str:
    """Why a host is left alone, and until when, in words."""
    until = f"{resting.until.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    times = "" if resting.failures < 2 or resting.since is None else f", {resting.failures} times in a row"
    since = "" if not times or resting.since is None else f" since {resting.since.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    return f"{resting.why}{times}{since}; {resting.host} is left alone until {until}"


@dataclass(slots=True)
class Lines:
    """Those of this process who wait for a host, in the order in which they came."""

    locks: dict[str, asyncio.Lock] = field(default_factory=dict)
    waiting: dict[str, int] = field(default_factory=dict)

    @asynccontextmanager
    async def of(self, host: str) -> AsyncIterator[None]:
        self.waiting[host] = self.waiting.get(host, 0) + 1
        try:
            async with self.locks.setdefault(host, asyncio.Lock()):
                yield
        finally:
            self.waiting[host] -= 1
            if not self.waiting[host]:
                del self.waiting[host], self.locks[host]


class OwnPace:
    """The pace of this process alone, which leaves no host alone and forgets all when it ends: for tests."""

    def __init__(self, at_once: int) -> None:
        self._lines, self._places = Lines(), asyncio.Semaphore(at_once)
        self._next: dict[str, float] = {}

    @asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """As in `Pace`."""
        yield

    @asynccontextmanager
    async def turn(self, host: str, delay_s: float) -> AsyncIterator[Turn]:
        """As in `Pace`."""
        async with self._lines.of(host):
            await asyncio.sleep(max(0.0, self._next.get(host, 0.0) - time.monotonic()))
            turn = Turn()
            try:
                async with self._places:
                    yield turn
            finally:
                self._next[host] = time.monotonic() + max(delay_s, turn.delay_s)

    async def robots(self, origin: str) -> KeptRobots | None:  # noqa: ARG002 - as in `Pace`
        """Nothing is kept."""
        return None

    def keep(self, robots: KeptRobots) -> None:
        """Nothing is kept."""
