"""Pages fetched from the web: politely (robots.txt, pace, our name) and safely (addresses, sizes, time, redirects).

Nothing else of ours decides whether, when and how a page is asked for.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

from aiohttp.abc import AbstractResolver
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from bot.agent import NAME, user_agent
from bot.fetch import Ask, Failure, Fetched, NotAsked, Unasked, Unchanged
from bot.fetch.address import Network, is_public
from bot.fetch.answer import Answer, BadRedirect, fetched, host_of, redirect_target
from bot.fetch.limits import Limits, limits_of
from bot.fetch.pace import Left, OwnPace, Pace, Turn
from bot.fetch.reach import KNOWN, LOOK_S, SILENT, WITNESSES, Reach
from bot.fetch.retry_after import retry_after
from bot.fetch.robots import LARGEST, Rules, read_rules, rules_text
from bot.fetch.shared_pace import SharedPace
from bot.fetch.site import NoWebAddress, Site, site_of
from bot.fetch.wire import CONNECT_S, Clock, NoAnswer, PublicResolver, Wire, validators
from bot.worker_name import worker_name
from config import Config
from models.document import Document
from models.outcome import NotJudged, Outcome
from models.read.onward import onward
from store.hosts import KeptRobots, answering, pass_by

ROBOTS_FRESH_S = 24 * 3600.0
ROBOTS_FAILED_S = 600.0  # that one which couldn't be read is held to forbid everything, before it is asked for again
ROBOTS_SILENT_S = 60.0  # the same where there was no answer at all, which may be over soon
ROBOTS_REDIRECTS = 5
ROBOTS_HELD = 2_000  # of origins, parsed; the others are in the database
LONGEST_REST_S = 24 * 3600.0
_OF_THE_HOST = (Outcome.TIMED_OUT, Outcome.UNREACHABLE, Outcome.TLS)  # it says so of all its pages


def configured(
    config: Config,
    engine: Engine,
    allowed: Collection[Network] = (),
    resolver: AbstractResolver | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Live:
    """Fetching as the configuration says. Raises `InputProblem` where it names no contact."""
    agent = user_agent(config.contact)
    return Live(agent, limits_of(config.fetch), allowed, engine=engine, resolver=resolver, stopped=stopped)


class _Known(Exception):
    """Somebody else has asked for a robots.txt while we waited for our turn."""

    def __init__(self, kept: KeptRobots) -> None:
        super().__init__(kept.origin)
        self.kept = kept


class Live:
    """Fetches from the web. A context manager, for one thread: connections live until it is left.

    `engine` is where the turns are kept, for all workers; without one there is the pace of this process only, and
    only tests have reason for that. `allowed` adds networks that may be connected to besides the public internet, and
    `resolver` looks names up in the system's place; again only tests have reason to. When `stopped` says so, nothing
    more is asked for.
    """

    def __init__(
        self,
        agent: str,
        limits: Limits,
        allowed: Collection[Network] = (),
        *,
        engine: Engine | None = None,
        resolver: AbstractResolver | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self._limits, self._allowed = limits, tuple(allowed)
        self._wire = Wire(agent, self._allowed, resolver)
        self._pace = _pace(limits, engine, stopped)
        self._engine = engine
        self._reach = Reach(self._wire.connects, self._known, self._turns, limits.away_s)
        self._rules: OrderedDict[str, tuple[float, Rules]] = OrderedDict()
        self._asking: dict[str, asyncio.Lock] = {}
        self._runner = asyncio.Runner()
        self._stack = AsyncExitStack()

    def __enter__(self) -> Self:
        self._runner.__enter__()
        self._runner.run(self._stack.enter_async_context(self._wire))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._runner.run(self._stack.aclose())
        self._runner.__exit__(kind, error, trace)

    def fetch(self, asks: Collection[Ask]) -> Mapping[str, Fetched]:
        """What each of them brought; hosts side by side, the pages of one host one after the other."""
        first = {ask.url: ask for ask in reversed(list(asks))}
        return self._runner.run(self._fetch_all([first[url] for url in dict.fromkeys(ask.url for ask in asks)]))

    async def _fetch_all(self, asks: list[Ask]) -> Mapping[str, Fetched]:
        async with self._pace.working():
            tasks = {ask.url: asyncio.create_task(self._fetch(ask)) for ask in asks}
            try:
                brought = await asyncio.gather(*tasks.values())
                return dict(zip(tasks, map(self._reach.told_apart, brought), strict=True))
            finally:
                for origin in [one for one, (_, rules) in self._rules.items() if self._reach.is_lost(rules.closed)]:
                    del self._rules[origin]
                self._reach.forget()
                for task in tasks.values():
                    task.cancel()
                await asyncio.gather(*tasks.values(), return_exceptions=True)

    async def _fetch(self, ask: Ask) -> Fetched:
        """What a URL brought; where that hands on to another page, by a refresh or a frame, what that one brought."""
        clock, chain = Clock(self._limits.timeout_s), [ask.url]
        held: Document | None = None
        while True:
            brought = await self._end(ask, chain, clock)
            if isinstance(brought, Failure):
                return held or brought  # the page at hand, where the next one can't be had
            if not isinstance(brought, Document):
                return brought
            target = onward(brought)
            if target is None or target in chain or len(chain) > self._limits.max_redirects:
                return brought
            held = brought
            chain.append(target)

    async def _end(self, ask: Ask, chain: list[str], clock: Clock) -> Fetched:
        at = datetime.now(UTC)
        try:
            answer = await self._follow(ask, chain, clock)
        except NoAnswer as error:
            return Failure(ask.url, chain[-1], at, error.status, error.not_judged, tuple(chain), error.phrase)
        except Left as error:
            said = NotJudged(error.resting.outcome, str(error))
            return Failure(ask.url, chain[-1], at, None, said, tuple(chain))
        except NotAsked as error:
            return Unasked(ask.url, str(error), error.until)
        if answer.status == 304 and self._conditions(ask, chain[-1]):
            return Unchanged(ask.url, answer.url, answer.at, answer.status, answer.headers, tuple(chain))
        return fetched(chain, answer)

    async def _follow(self, ask: Ask, chain: list[str], clock: Clock) -> Answer:
        """The answer at the end of the redirects from the last of `chain`, which collects the addresses on the way."""
        while True:
            url = chain[-1]
            rules = await self._rules_of(url)
            if rules.closed:
                raise NoAnswer(rules.closed.outcome, rules.closed.detail)
            if not rules.allow(url):
                raise NoAnswer(Outcome.ROBOTS, f"robots.txt of {host_of(url)} doesn't let {NAME} read this page")
            headers = self._conditions(ask, url)
            answer = await self._hop(url, clock, rules.crawl_delay_s, headers)
            target = _target(answer)
            if target is None:
                return answer
            if target in chain or len(chain) > self._limits.max_redirects:
                said = f"{answer.said} to {target}, after {len(chain)} addresses"
                raise NoAnswer(Outcome.REDIRECT_LOOP, said, answer.status, answer.reason)
            chain.append(target)

    def _conditions(self, ask: Ask, url: str) -> Mapping[str, str]:
        """What a request is made conditional by: the validators, at the address whose answer they came from."""
        return validators(ask.etag, ask.last_modified) if url == (ask.final_url or ask.url) else {}

    async def _rules_of(self, url: str) -> Rules:
        """The rules for a URL, asked for once a day by all workers together. Raises `NoAnswer`, `Left`, `NotAsked`."""
        site = _site(url, self._allowed)
        held = self._held_rules(site.origin)
        if held is not None:
            return held
        async with self._asking.setdefault(site.origin, asyncio.Lock()):
            held = self._held_rules(site.origin)
            if held is not None:
                return held
            kept = await self._pace.robots(site.origin)
            if kept is None:
                kept = await self._ask_robots(site)
                if kept.outcome not in SILENT:  # which may be our own network's fault
                    self._pace.keep(kept)
            rules = _rules(kept)
            self._rules[site.origin] = time.monotonic() + kept.fresh_s, rules
            while len(self._rules) > ROBOTS_HELD:
                self._rules.popitem(last=False)
            self._asking.pop(site.origin, None)
            return rules

    def _held_rules(self, origin: str) -> Rules | None:
        fresh_until, rules = self._rules.get(origin, (0.0, Rules()))
        if fresh_until <= time.monotonic():
            return None
        self._rules.move_to_end(origin)
        return rules

    async def _ask_robots(self, site: Site) -> KeptRobots:
        """What an origin's robots.txt says: 4xx, and more than five redirects, that all may be read; 5xx, no answer
        and one that breaks off, that nothing may.
        """
        clock, url = Clock(self._limits.timeout_s), site.robots_url
        try:
            for _ in range(ROBOTS_REDIRECTS + 1):
                answer = await self._hop(url, clock, 0.0, {}, robots_of=site.origin)
                target = _target(answer)
                if target is None:
                    break
                url = target
            else:
                return KeptRobots(site.origin, None, None, "", ROBOTS_FRESH_S)
        except _Known as error:
            return error.kept
        except NoAnswer as error:
            return _closed(site.origin, error.not_judged.outcome, error.not_judged.detail)
        if answer.status >= 500:
            return _closed(site.origin, Outcome.SERVER_ERROR, answer.said)
        if answer.status == 429:
            return _closed(site.origin, Outcome.RATE_LIMITED, answer.said)
        text = rules_text(answer.body) if 200 <= answer.status < 300 else None
        return KeptRobots(site.origin, text, None, "", ROBOTS_FRESH_S)

    async def _known(self) -> Collection[str]:
        """Origins that have answered one of the workers."""
        return await asyncio.to_thread(_answering, self._engine) if self._engine is not None else []

    async def _turns(self, sites: Collection[Site]) -> list[Site]:
        """Those of some sites that may be connected to, when their turn has come: at most `WITNESSES`, idle ones."""
        if self._engine is None:
            return list(sites)
        waits = await asyncio.to_thread(_idle, self._engine, {site.name for site in sites})
        free = [site for site in sites if site.name in waits]
        await asyncio.sleep(max((waits[site.name] for site in free), default=0.0))
        return free

    async def _hop(
        self, url: str, clock: Clock, crawl_delay_s: float, headers: Mapping[str, str], robots_of: str = ""
    ) -> Answer:
        """One request in its host's turn, and its answer; with `robots_of` for the robots.txt of that origin.

        Raises `NoAnswer`, `Left`, `NotAsked`, `_Known`.
        """
        site = _site(url, self._allowed)
        await self._reach.wait()
        async with self._pace.turn(site.name, self._limits.delay_s(site.name, crawl_delay_s)) as turn:
            if robots_of and (kept := await self._pace.robots(robots_of)):
                turn.unused()
                raise _Known(kept)
            try:
                most = LARGEST if robots_of else self._limits.max_bytes
                answer = await self._wire.get(url, host_of(url), clock, most, headers, cut=bool(robots_of))
            except NoAnswer as error:
                if error.not_judged.outcome is Outcome.UNSAFE_ADDRESS:
                    turn.unused()
                elif error.not_judged.outcome in SILENT and await self._reach.is_away(site):
                    turn.unused()
                    raise self._reach.not_asked() from error
                elif error.not_judged.outcome in _OF_THE_HOST:
                    turn.failed(error.not_judged.outcome, error.not_judged.detail)
                else:
                    self._reach.answered(site)
                raise
            self._reach.answered(site)
            _note(turn, answer)
            if robots_of and 200 <= answer.status < 300:  # what it asks for holds from now on
                turn.delay_s = self._limits.delay_s(site.name, read_rules(rules_text(answer.body)).crawl_delay_s)
        return answer


def _answering(engine: Engine) -> list[str]:
    try:
        with engine.connect() as connection:
            return answering(connection, KNOWN)
    except SQLAlchemyError:
        return []


def _idle(engine: Engine, hosts: Collection[str]) -> Mapping[str, float]:
    try:
        with engine.connect() as connection, connection.begin():
            return pass_by(connection, hosts, WITNESSES, LOOK_S, CONNECT_S)
    except SQLAlchemyError:
        return {}


def _pace(limits: Limits, engine: Engine | None, stopped: Callable[[], bool]) -> Pace:
    if engine is None:
        return OwnPace(limits.at_once)
    name = f"{worker_name()}/{uuid.uuid4().hex[:12]}"  # nobody takes another's turn for his own
    turns = (limits.timeout_s, limits.at_once, limits.host_budget, limits.rests)
    return SharedPace(engine, name, *turns, stopped, limits.away_s)


def _site(url: str, allowed: Collection[Network]) -> Site:
    try:
        site = site_of(url)
    except NoWebAddress as error:
        raise NoAnswer(Outcome.NO_USABLE_URL, str(error)) from error
    if site.address is not None and not is_public(site.address, allowed):
        raise NoAnswer(Outcome.UNSAFE_ADDRESS, f"{host_of(url)} isn't on the public internet")
    return site


def _rules(kept: KeptRobots) -> Rules:
    if kept.outcome is not None:
        return Rules(closed=NotJudged(kept.outcome, kept.detail))
    return read_rules(kept.text) if kept.text else Rules()


def _closed(origin: str, outcome: Outcome, said: str) -> KeptRobots:
    fresh_s = ROBOTS_SILENT_S if outcome in _OF_THE_HOST else ROBOTS_FAILED_S
    return KeptRobots(origin, None, outcome, f"robots.txt can't be read: {said}", fresh_s)


def _note(turn: Turn, answer: Answer) -> None:
    """What an answer says of how its host does."""
    asked = answer.header("retry-after").strip()
    if answer.status == 429 or (answer.status == 503 and asked):
        rest_s = retry_after(asked, -1.0)
        turn.failed(Outcome.RATE_LIMITED, answer.said, min(rest_s, LONGEST_REST_S) if rest_s >= 0 else None)
    elif answer.status >= 500 and answer.status < 600:
        turn.failed(Outcome.SERVER_ERROR, answer.said)


def _target(answer: Answer) -> str | None:
    try:
        return redirect_target(answer)
    except BadRedirect as error:
        raise NoAnswer(Outcome.MALFORMED_ANSWER, str(error), answer.status, answer.reason) from error


__all__ = ["Limits", "Live", "PublicResolver", "configured"]
