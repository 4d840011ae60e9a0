"""Whether it is our own network that is away, and not the hosts that don't answer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import UTC, datetime, timedelta

from bot.fetch import Failure, Fetched, NotAsked, Unasked
from bot.fetch.site import NoWebAddress, Site, site_of
from models.outcome import NotJudged, Outcome

FEW = 5  # different hosts, one after the other, with none answering between: less is no reason to doubt the network
MANY = 10  # different hosts, where nothing has ever answered anybody: a machine without a network
WITNESSES = 3  # hosts that answered before, which are then looked for
KNOWN = 30  # of those that answered other workers, from which they are chosen
LOOK_S = 2.0
SILENT = (Outcome.UNREACHABLE, Outcome.TIMED_OUT)


class Reach:
    """Doubts the network where hosts fail one after the other, and asks the last that answered whether it is there.

    `connects` says whether a connection to a site can be made (nothing is asked on it), `known` gives origins that have
    answered other workers, and `turns` those of some sites that may be looked for now, since nobody else asks them.
    Without a witness it is the hosts that failed, unless they are many.
    """

    def __init__(
        self,
        connects: Callable[[Site], Awaitable[bool]],
        known: Callable[[], Awaitable[Collection[str]]],
        turns: Callable[[Collection[Site]], Awaitable[Sequence[Site]]],
        away_s: float,
    ) -> None:
        """`away_s` is how long whoever wants to ask waits for the network to come back."""
        self._connects, self._known, self._turns, self._away_s = connects, known, turns, away_s
        self._answered: dict[str, Site] = {}  # the last that did, by name
        self._silent: dict[str, datetime] = {}  # those that didn't since, and when
        self._lost: dict[str, datetime] = {}
        self._away_since: float | None = None
        self._looking = asyncio.Lock()

    def answered(self, site: Site) -> None:
        """A site has answered, so the network is there."""
        self._no_doubt()
        self._answered.pop(site.name, None)
        self._answered[site.name] = site
        while len(self._answered) > WITNESSES:
            del self._answered[next(iter(self._answered))]

    async def is_away(self, site: Site) -> bool:
        """A site couldn't be reached: whether that is because nothing can be."""
        self._silent.setdefault(site.name, datetime.now(UTC))
        if self._away_since is None and len(self._silent) < FEW:
            return False
        async with self._looking:
            if self._away_since is None and len(self._silent) >= FEW:
                await self._look()
            away = self._away_since is not None
            if away:
                self._lost |= self._silent
            return away

    async def wait(self) -> None:
        """Go on only with a network. Raises `NotAsked` where it doesn't come back in time."""
        while self._away_since is not None:
            async with self._looking:
                if self._away_since is None:
                    return
                if time.monotonic() - self._away_since > self._away_s:
                    if not await self._witnesses():
                        self._no_doubt()  # there is nobody to look for, so the hosts are asked again
                        return
                    self._away_since = time.monotonic() - self._away_s + LOOK_S  # the next batch looks again
                    raise self.not_asked()
                await asyncio.sleep(LOOK_S)
                await self._look()

    def not_asked(self) -> NotAsked:
        """What becomes of a page that can't be asked for."""
        until = datetime.now(UTC) + timedelta(seconds=self._away_s)
        return NotAsked("our own network seems to be away: several hosts in a row couldn't be reached", until)

    def told_apart(self, fetched: Fetched) -> Fetched:
        """What a page brought, where it didn't fail for our network before that was found out."""
        if not isinstance(fetched, Failure) or fetched.status is not None or not self.is_lost(fetched.not_judged):
            return fetched
        try:
            lost = self._lost.get(site_of(fetched.final_url).name)
        except NoWebAddress:
            return fetched
        if lost is None:
            return fetched
        said = self.not_asked()
        return Unasked(fetched.url, str(said), said.until)

    def is_lost(self, not_judged: NotJudged | None) -> bool:
        """Whether an outcome may say no more than that our network was away."""
        return bool(self._lost) and not_judged is not None and not_judged.outcome in SILENT

    def forget(self) -> None:
        """What failed is told: the next batch begins anew."""
        self._lost.clear()

    async def _look(self) -> None:
        """Look for those that answered before: the network is away where none of them is there any more."""
        witnesses = await self._witnesses()
        if not witnesses:
            if len(self._silent) >= MANY and self._away_since is None:
                self._away_since = time.monotonic()
            return
        free = list(await self._turns(witnesses))[:WITNESSES]
        there = [await self._connects(site) for site in free]
        if any(there):
            self._no_doubt()
        elif free and self._away_since is None:
            self._away_since = time.monotonic()

    async def _witnesses(self) -> list[Site]:
        own = list(self._answered.values())
        return own + [site for origin in await self._known() if (site := site_of(origin)) not in own]

    def _no_doubt(self) -> None:
        self._silent.clear()
        self._away_since = None
