"""The browser's visits to a host, which take their turns with all other requests.

What a page asks for when it is drawn, from its own host or others, is part of the one visit: it holds its host's turn
for as long as it is drawn, as a reader's browser would. The turns of other hosts aren't taken, since a page can't wait
a second for each picture or script; but those that are left alone are left alone by it too.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnection

from bot.agent import NAME
from bot.fetch import NotAsked
from bot.fetch.limits import Limits
from bot.fetch.pace import LATE_S, MARGIN_S, said
from bot.fetch.robots import Rules, read_rules
from bot.fetch.site import NoWebAddress, Site, site_of
from bot.worker_name import worker_name
from store.hosts import Busy, Ended, Granted, How, Resting, Wish, end, kept_robots, left_alone, take

LOOK_S = 0.5


@dataclass(frozen=True, slots=True)
class Visit:
    """A visit that may be made; `closed` are hosts that mustn't be asked for anything on its way."""

    closed: frozenset[str] = frozenset()


class Visits(Protocol):
    """Who may be visited, and when."""

    def allow(self, url: str) -> bool:
        """Whether an address may be read, as far as is known of its robots.txt."""
        ...

    def visit(self, url: str, seconds: float) -> AbstractContextManager[Visit]:
        """Wait for the turn of an address's host and hold it, for `seconds` at most. Raises `NotAsked`."""
        ...


class OwnVisits:
    """The pace of this process alone, for tests: `delay_s` is the least pause between two visits."""

    def __init__(self, delay_s: float) -> None:
        self._delay_s = delay_s
        self._last: dict[str, float] = {}

    def allow(self, url: str) -> bool:  # noqa: ARG002 - as in `Visits`
        """Nothing is known."""
        return True

    @contextmanager
    def visit(self, url: str, seconds: float) -> Iterator[Visit]:  # noqa: ARG002 - as in `Visits`
        """As in `Visits`. The page was fetched just before, so the first visit waits too."""
        host = _site(url).name
        last = self._last.get(host, time.monotonic())
        time.sleep(max(0.0, last + self._delay_s - time.monotonic()))
        try:
            yield Visit()
        finally:
            self._last[host] = time.monotonic()


class SharedVisits:
    """Visits in the turns that all workers share."""

    def __init__(
        self,
        engine: Engine,
        limits: Limits,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self._engine, self._limits, self._stopped = engine, limits, stopped
        self._name = f"{worker_name()}/browser-{uuid.uuid4().hex[:12]}"

    def allow(self, url: str) -> bool:
        """As in `Visits`; no, where nothing is known."""
        rules = self._rules(_site(url))
        return rules is not None and rules.allow(url)

    @contextmanager
    def visit(self, url: str, seconds: float) -> Iterator[Visit]:
        """As in `Visits`."""
        site = _site(url)
        rules = self._rules(site)
        if rules is None or not rules.allow(url):
            known = "isn't known" if rules is None else f"doesn't let {NAME} read this page"
            raise NotAsked(f"robots.txt of {site.name} {known}")
        delay_s = self._limits.delay_s(site.name, rules.crawl_delay_s)
        closed = self._granted(Wish(site.name, delay_s, LATE_S + seconds + delay_s + MARGIN_S))
        try:
            yield Visit(closed)
        finally:
            with suppress(DBAPIError, NoConnection), self._engine.connect() as connection, connection.begin():
                end(connection, self._name, [Ended(site.name, delay_s, How.ANSWERED)], self._limits.rests)

    def _rules(self, site: Site) -> Rules | None:
        try:
            with self._engine.connect() as connection:
                kept = kept_robots(connection, [site.origin]).get(site.origin)
        except (DBAPIError, NoConnection) as error:
            raise _away(error) from error
        if kept is None or kept.outcome is not None:
            return None
        return read_rules(kept.text) if kept.text else Rules()

    def _granted(self, wish: Wish) -> frozenset[str]:
        """Wait until the turn has come; the hosts that are left alone then."""
        while not self._stopped():
            try:
                with self._engine.connect() as connection, connection.begin():
                    sent = time.monotonic()
                    answer = take(connection, self._name, [wish], self._limits.host_budget)[wish.host]
                    closed = left_alone(connection)
            except (DBAPIError, NoConnection) as error:
                raise _away(error) from error
            if isinstance(answer, Resting):
                raise NotAsked(said(answer), answer.until)
            if not isinstance(answer, Granted | Busy):
                raise NotAsked(f"{wish.host} was asked {self._limits.host_budget:,} times today", answer.until)
            time.sleep(answer.wait_s)
            if isinstance(answer, Granted) and time.monotonic() - sent - answer.wait_s < LATE_S:
                return closed
        raise NotAsked("the run is being stopped")


def _site(url: str) -> Site:
    try:
        return site_of(url)
    except NoWebAddress as error:
        raise NotAsked(str(error)) from error


def _away(error: Exception) -> NotAsked:
    why = str(getattr(error, "orig", None) or error).strip().split("\n")[0][:200]
    return NotAsked(f"nothing is asked without a turn, and the database is away: {why}")
