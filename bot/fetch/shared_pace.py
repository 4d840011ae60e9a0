"""The pace of all workers that share a database: the turns are rows, and are asked for many at once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from sqlalchemy import Engine
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection

from bot.fetch import NotAsked
from bot.fetch.limits import AWAY_S
from bot.fetch.pace import LATE_S, MARGIN_S, Left, Lines, Turn
from store.hosts import (
    Answered,
    Busy,
    Ended,
    Granted,
    How,
    KeptRobots,
    Rests,
    Spent,
    Wish,
    end,
    keep_robots,
    kept_robots,
    take,
)

TOGETHER_S = 0.02  # what is wanted of the database within so long goes there together
APART_S = 0.002  # between any two requests, so that hosts whose turns come at once don't go on in step
SOON_S = 10.0  # a host that rests no longer than this is waited for
SETTLE_S = 2.0  # for the last turns to be written as ended; else they run out by themselves
LOOK_S = 0.5
_AWAY = (OperationalError, InterfaceError, NoConnection)


@dataclass(frozen=True, slots=True)
class _Reply:
    """What became of a wish; it was answered at some time between `sent` and `came` (of the monotonic clock)."""

    answered: Answered
    sent: float
    came: float


@dataclass(slots=True)
class _Batch:
    """What is wanted of the database: turns to end and to take, robots.txt to look up and to keep."""

    ended: dict[str, Ended] = field(default_factory=dict)
    kept: dict[str, KeptRobots] = field(default_factory=dict)
    wishes: dict[str, tuple[Wish, asyncio.Future[_Reply]]] = field(default_factory=dict)
    origins: dict[str, asyncio.Future[KeptRobots | None]] = field(default_factory=dict)

    @property
    def written(self) -> bool:
        """Whether nothing is left to write."""
        return not self.ended and not self.kept


class SharedPace:
    """The pace of all workers that share a database.

    `name` is this one's alone. Turns are asked for together, as they come, by one statement in a thread: no host that
    is waited for takes a thread or a connection. While the database is away nothing is asked of anybody.
    """

    def __init__(
        self,
        engine: Engine,
        name: str,
        longest_s: float,
        at_once: int,
        budget: int,
        rests: Rests,
        stopped: Callable[[], bool] = lambda: False,
        away_s: float = AWAY_S,
    ) -> None:
        """`longest_s` is what a request may take; for the others see `bot.fetch.live.Limits`."""
        self._engine, self._name, self._longest_s = engine, name, longest_s
        self._budget, self._rests, self._stopped, self._away_s = budget, rests, stopped, away_s
        self._lines, self._places = Lines(), asyncio.Semaphore(at_once)
        self._batch = _Batch()
        self._next_start = 0.0
        self._wake = asyncio.Event()
        self._written = asyncio.Event()

    @asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """As in `Pace`: what speaks with the database works only in here."""
        with ThreadPoolExecutor(1, "pace") as thread:
            speaking = asyncio.create_task(self._speak(thread))
            try:
                yield
            finally:
                with suppress(TimeoutError):
                    async with asyncio.timeout(SETTLE_S):
                        await self._settled()
                speaking.cancel()
                await asyncio.gather(speaking, return_exceptions=True)

    @asynccontextmanager
    async def turn(self, host: str, delay_s: float) -> AsyncIterator[Turn]:
        """As in `Pace`."""
        async with self._lines.of(host):
            wish = Wish(host, delay_s, LATE_S + self._longest_s + delay_s + MARGIN_S)
            while True:
                soonest, latest = await self._granted(wish)
                turn = Turn(How.UNUSED)
                try:
                    await self._sleep(soonest - time.monotonic())
                    async with self._places:
                        self._next_start = max(time.monotonic(), self._next_start + APART_S)
                        await self._sleep(self._next_start - time.monotonic())
                        if time.monotonic() < latest:
                            turn.how = How.ANSWERED
                            yield turn
                            return
                finally:
                    pause_s = max(delay_s, turn.delay_s)
                    ended = Ended(host, pause_s, turn.how, turn.rest_s, turn.outcome, turn.why[:500])
                    self._batch.ended[host] = ended
                    self._wake.set()

    async def robots(self, origin: str) -> KeptRobots | None:
        """As in `Pace`."""
        found = self._batch.origins.get(origin)
        if found is None:
            found = self._batch.origins[origin] = asyncio.get_running_loop().create_future()
            self._wake.set()
        return await asyncio.shield(found)

    def keep(self, robots: KeptRobots) -> None:
        """As in `Pace`."""
        self._batch.kept[robots.origin] = robots
        self._wake.set()

    async def _granted(self, wish: Wish) -> tuple[float, float]:
        """Wait until the turn is granted; the soonest and the latest time (of the monotonic clock) to begin it."""
        while True:
            self._heed_stop()
            answer: asyncio.Future[_Reply] = asyncio.get_running_loop().create_future()
            self._batch.wishes[wish.host] = wish, answer
            self._wake.set()
            reply = await answer
            said = reply.answered
            if isinstance(said, Granted):
                return reply.came + said.wait_s, reply.sent + said.wait_s + LATE_S
            if isinstance(said, Busy):
                await self._sleep(said.wait_s)
            elif isinstance(said, Spent):
                reason = f"{wish.host} was asked {self._budget:,} times today, as often as fetch.host_budget allows"
                raise NotAsked(reason, said.until)
            elif said.wait_s > SOON_S:
                raise Left(said)
            else:
                await self._sleep(said.wait_s)

    async def _sleep(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self._heed_stop()
            await asyncio.sleep(min(left, LOOK_S))

    def _heed_stop(self) -> None:
        if self._stopped():
            raise NotAsked("the run is being stopped", datetime.now(UTC))

    async def _settled(self) -> None:
        while not self._batch.written:
            self._written.clear()
            self._wake.set()
            await self._written.wait()

    async def _speak(self, thread: ThreadPoolExecutor) -> None:
        """Bring what is wanted to the database, and its answers back, for as long as we are wanted."""
        away_since: float | None = None
        while True:
            await self._wake.wait()
            await asyncio.sleep(TOGETHER_S)
            self._wake.clear()
            batch, self._batch = self._batch, _Batch()
            try:
                await self._exchanged(thread, batch)
                away_since = None
            except _AWAY as error:
                away_since = away_since or time.monotonic()
                self._again(batch, error, time.monotonic() - away_since)
                await asyncio.sleep(min(2.0, 0.1 + (time.monotonic() - away_since) / 4))
                self._wake.set()
            except asyncio.CancelledError:
                self._put_back(batch)
                raise
            except Exception as error:  # a fault of ours: whoever waits must hear of it
                for future in _waiting(batch):
                    future.set_exception(error)
            self._written.set()

    async def _exchanged(self, thread: ThreadPoolExecutor, batch: _Batch) -> None:
        wishes = [wish for wish, answer in batch.wishes.values() if not answer.done()]
        origins = [origin for origin, answer in batch.origins.items() if not answer.done()]
        loop = asyncio.get_running_loop()
        given = (list(batch.ended.values()), list(batch.kept.values()), wishes, origins)
        sent = time.monotonic()
        answers, robots = await loop.run_in_executor(thread, self._exchange, *given)
        came = time.monotonic()
        for host, (_, answer) in batch.wishes.items():
            if not answer.done():
                answer.set_result(_Reply(answers.get(host) or Busy(LOOK_S), sent, came))
        for origin, found in batch.origins.items():
            if not found.done():
                found.set_result(robots.get(origin))

    def _exchange(
        self, ended: list[Ended], kept: list[KeptRobots], wishes: list[Wish], origins: list[str]
    ) -> tuple[dict[str, Answered], dict[str, KeptRobots]]:
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            end(connection, self._name, ended, self._rests)
            keep_robots(connection, kept)
            answers = take(connection, self._name, wishes, self._budget)
            return dict(answers), dict(kept_robots(connection, origins))

    def _again(self, batch: _Batch, error: Exception, away_s: float) -> None:
        """The database is away: what was wanted of it is wanted still, but not for ever."""
        self._put_back(batch)
        if away_s < self._away_s:
            return
        why = str(getattr(error, "orig", None) or error).strip().split("\n")[0][:200]
        until = datetime.now(UTC) + timedelta(seconds=self._away_s)
        for future in _waiting(self._batch):
            future.set_exception(NotAsked(f"nothing is asked without a turn, and the database is away: {why}", until))
        self._batch = _Batch(self._batch.ended, self._batch.kept)

    def _put_back(self, batch: _Batch) -> None:
        """Want what couldn't be had with what has come meanwhile."""
        now = self._batch
        self._batch = _Batch(
            batch.ended | now.ended,
            batch.kept | now.kept,
            batch.wishes | now.wishes,
            batch.origins | now.origins,
        )


def _waiting(batch: _Batch) -> list[asyncio.Future[_Reply] | asyncio.Future[KeptRobots | None]]:
    answers = [answer for _, answer in batch.wishes.values()]
    futures: list[asyncio.Future[_Reply] | asyncio.Future[KeptRobots | None]] = [*answers, *batch.origins.values()]
    return [future for future in futures if not future.done()]
