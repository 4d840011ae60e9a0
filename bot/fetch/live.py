"""Pages fetched from the web: politely (robots.txt, pace, our name) and safely (addresses, sizes, time, redirects)."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Collection, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from bot.agent import NAME
from bot.fetch import Failure, Fetched
from bot.fetch.address import Network, UnsafeAddress, is_public, literal, socket_to_public
from bot.fetch.answer import REDIRECTS, Answer, BadRedirect, clean_header, fetched, host_of, redirect_target
from bot.fetch.encoding import ACCEPTED, BodyTooLarge, Decoder, MalformedEncoding
from bot.fetch.pace import Pace
from bot.fetch.retry_after import retry_after
from bot.fetch.robots import Rules, read_rules, robots_url
from models.document import Document
from models.outcome import NotJudged, Outcome
from models.read.onward import onward

HOSTS_AT_ONCE = 32
ROBOTS_FRESH_S = 24 * 3600.0
ROBOTS_REDIRECTS = 5
LONGEST_REST_S = 24 * 3600.0
DEFAULT_REST_S = 600.0
LONGEST_HEADER = 1 << 16


@dataclass(frozen=True, slots=True)
class Limits:
    """What one page may cost: seconds of transfer over all redirects, bytes of body, redirects; and our pace."""

    timeout_s: float = 30.0
    max_bytes: int = 10_000_000
    max_redirects: int = 10
    host_delay_s: float = 1.0


class _NoAnswer(Exception):
    """A hop brought no answer that can be used."""

    def __init__(self, outcome: Outcome, detail: str, status: int | None = None) -> None:
        super().__init__(detail)
        self.not_judged, self.status = NotJudged(outcome, detail), status


class PublicResolver(AbstractResolver):
    """Gives only addresses of the public internet. Raises `UnsafeAddress` where a name has none."""

    def __init__(self, allowed: Collection[Network] = ()) -> None:
        self._resolver, self._allowed = aiohttp.ThreadedResolver(), allowed

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The public addresses of a name."""
        found = await self._resolver.resolve(host, port, family)
        public = [one for one in found if (address := literal(one["host"])) and is_public(address, self._allowed)]
        if found and not public:
            raise UnsafeAddress(f"{host} leads to {found[0]['host']}")
        return public

    async def close(self) -> None:
        """Nothing is held."""


class Live:
    """Fetches from the web. A context manager: connections live until it is left.

    `allowed` adds networks that may be connected to besides the public internet; only tests have reason to.
    """

    def __init__(self, agent: str, limits: Limits, allowed: Collection[Network] = ()) -> None:
        self._agent, self._limits, self._allowed = agent, limits, tuple(allowed)
        self._pace = Pace(limits.host_delay_s)
        self._rules: dict[str, tuple[float, Rules | _NoAnswer]] = {}
        self._rules_locks: dict[str, asyncio.Lock] = {}
        self._resting: dict[str, tuple[float, str]] = {}
        self._places = asyncio.Semaphore(HOSTS_AT_ONCE)
        self._runner = asyncio.Runner()
        self._stack = AsyncExitStack()
        self._session: aiohttp.ClientSession | None = None

    def __enter__(self) -> Self:
        self._runner.__enter__()
        self._runner.run(self._open())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._runner.run(self._stack.aclose())
        self._runner.__exit__(kind, error, trace)

    async def _open(self) -> None:
        connector = aiohttp.TCPConnector(
            resolver=PublicResolver(self._allowed),
            socket_factory=partial(socket_to_public, self._allowed),
            limit=0,
        )
        self._session = await self._stack.enter_async_context(
            aiohttp.ClientSession(
                connector=connector,
                headers={
                    "User-Agent": self._agent,
                    "Accept": "text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.5",
                    "Accept-Language": "en,*;q=0.5",
                    "Accept-Encoding": ACCEPTED,
                },
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=None),  # each hop has what is left of the page's own time
                auto_decompress=False,
                trust_env=False,
                max_line_size=LONGEST_HEADER,
                max_field_size=LONGEST_HEADER,
            )
        )

    def fetch(self, urls: Collection[str]) -> Mapping[str, Fetched]:
        """What each of the URLs brought; hosts side by side, the pages of one host one after the other."""
        return self._runner.run(self._fetch_all(list(dict.fromkeys(urls))))

    async def _fetch_all(self, urls: list[str]) -> Mapping[str, Fetched]:
        return dict(zip(urls, await asyncio.gather(*map(self._fetch, urls)), strict=True))

    async def _fetch(self, url: str) -> Fetched:
        """What a URL brought; where that hands on to another page, by a refresh or a frame, what that one brought."""
        clock, chain = _Clock(self._limits.timeout_s), [url]
        held: Document | None = None
        while True:
            brought = await self._end(chain, clock)
            if isinstance(brought, Failure):
                return held or brought  # the page at hand, where the next one can't be had
            target = onward(brought)
            if target is None or target in chain or len(chain) > self._limits.max_redirects:
                return brought
            held = brought
            chain.append(target)

    async def _end(self, chain: list[str], clock: _Clock) -> Fetched:
        at = datetime.now(UTC)
        try:
            return fetched(chain[0], await self._follow(chain, clock))
        except _NoAnswer as error:
            return Failure(chain[0], chain[-1], at, error.status, error.not_judged)

    async def _follow(self, chain: list[str], clock: _Clock) -> Answer:
        """The answer at the end of the redirects from the last of `chain`, which collects the addresses on the way."""
        while True:
            rules = await self._rules_of(chain[-1])
            if not rules.allow(chain[-1]):
                said = rules.closed or f"robots.txt of {host_of(chain[-1])} doesn't let {NAME} read this page"
                raise _NoAnswer(Outcome.ROBOTS, said)
            answer = await self._hop(chain[-1], clock, self._limits.max_bytes, rules.crawl_delay_s)
            target = _target(answer)
            if target is None:
                return answer
            if target in chain or len(chain) > self._limits.max_redirects:
                said = f"{answer.said} to {target}, after {len(chain)} addresses"
                raise _NoAnswer(Outcome.REDIRECT_LOOP, said, answer.status)
            chain.append(target)

    async def _rules_of(self, url: str) -> Rules:
        """The rules of a URL's host, asked for once a day. Raises `_NoAnswer` where the host can't be reached."""
        where = robots_url(url)
        async with self._rules_locks.setdefault(where, asyncio.Lock()):
            kept = self._rules.get(where)
            if kept is None or kept[0] < time.monotonic():
                kept = (time.monotonic() + ROBOTS_FRESH_S, await self._ask_rules(where))
                self._rules[where] = kept
        if isinstance(kept[1], _NoAnswer):
            raise kept[1]
        return kept[1]

    async def _ask_rules(self, where: str) -> Rules | _NoAnswer:
        clock, url = _Clock(self._limits.timeout_s), where
        try:
            for _ in range(ROBOTS_REDIRECTS + 1):
                answer = await self._hop(url, clock, self._limits.max_bytes, 0.0)
                target = _target(answer)
                if target is None:
                    break
                url = target
            else:
                return Rules()  # RFC 9309: too many redirects count as no rules
        except _NoAnswer as error:
            if error.not_judged.outcome in (Outcome.TOO_LARGE, Outcome.MALFORMED_ANSWER):
                return Rules()
            return error
        if answer.status >= 500 or answer.status == 429:
            return Rules(closed=f"robots.txt can't be read: {answer.said}")
        return read_rules(answer.body) if 200 <= answer.status < 300 else Rules()

    async def _hop(self, url: str, clock: _Clock, max_bytes: int, delay_s: float) -> Answer:
        """One request and its answer. Raises `_NoAnswer`."""
        host = host_of(url)
        address = literal(urlsplit(url).hostname or "")
        if address is not None and not is_public(address, self._allowed):
            raise _NoAnswer(Outcome.UNSAFE_ADDRESS, f"{host} isn't on the public internet")
        async with self._pace.turn(host, delay_s), self._places:
            self._heed_rest(host)
            with clock:
                try:
                    async with asyncio.timeout(clock.left_s):
                        answer = await self._request(url, max_bytes)
                except (aiohttp.ClientError, OSError, ValueError, MalformedEncoding, BodyTooLarge) as error:
                    raise _no_answer(error, host, self._limits) from error
        if answer.status == 429 or (answer.status == 503 and answer.header("retry-after")):
            wait = min(retry_after(answer.header("retry-after"), DEFAULT_REST_S), LONGEST_REST_S)
            self._resting[host] = (time.monotonic() + wait, answer.said)
        return answer

    def _heed_rest(self, host: str) -> None:
        until, said = self._resting.get(host, (0.0, ""))
        if until > time.monotonic():
            raise _NoAnswer(Outcome.RATE_LIMITED, f"{said} a moment ago; it is left alone for a while")

    async def _request(self, url: str, max_bytes: int) -> Answer:
        assert self._session is not None, "used outside of its context"
        async with self._session.get(url, allow_redirects=False) as response:
            headers = tuple((key, clean_header(key, value)) for key, value in _lowered(response))
            body = b"" if response.status in REDIRECTS else await self._body(response, max_bytes)
            return Answer(
                url, datetime.now(UTC), response.status, clean_header("", response.reason or ""), headers, body
            )

    async def _body(self, response: aiohttp.ClientResponse, max_bytes: int) -> bytes:
        if response.content_length is not None and response.content_length > max_bytes:
            raise BodyTooLarge(f"{response.content_length:,} bytes")
        decoder = Decoder(response.headers.get("Content-Encoding", ""), max_bytes)
        parts = []
        async for chunk in response.content.iter_any():
            parts.append(decoder.decode(chunk))
        decoder.finish()
        return b"".join(parts)


def _lowered(response: aiohttp.ClientResponse) -> list[tuple[str, str]]:
    return [(name.lower(), value) for name, value in response.headers.items()]


class _Clock:
    """How much of a page's time is left; it runs while the clock is entered, not while we wait for a host's turn."""

    def __init__(self, seconds: float) -> None:
        self.left_s, self._since = seconds, 0.0

    def __enter__(self) -> Self:
        self._since = time.monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        self.left_s -= time.monotonic() - self._since


def _target(answer: Answer) -> str | None:
    try:
        return redirect_target(answer)
    except BadRedirect as error:
        raise _NoAnswer(Outcome.MALFORMED_ANSWER, str(error), answer.status) from error


def _no_answer(error: Exception, host: str, limits: Limits) -> _NoAnswer:
    """What a failed request means."""
    cause = getattr(error, "os_error", None) or error
    certificate = getattr(getattr(error, "certificate_error", cause), "verify_message", None) or cause
    meanings: tuple[tuple[bool, Outcome, str], ...] = (
        (
            isinstance(cause, UnsafeAddress) or isinstance(error, aiohttp.InvalidURL),
            Outcome.UNSAFE_ADDRESS,
            f"{host} isn't on the public internet",
        ),
        (isinstance(error, BodyTooLarge), Outcome.TOO_LARGE, f"{error} from {host}"),
        (isinstance(error, TimeoutError), Outcome.TIMED_OUT, f"{host} took longer than {limits.timeout_s:g} s"),
        (isinstance(error, aiohttp.ClientSSLError), Outcome.TLS, f"{host}: {_short(certificate)}"),
        (
            isinstance(error, aiohttp.ClientConnectionError | OSError)
            and not isinstance(error, aiohttp.ClientPayloadError),
            Outcome.UNREACHABLE,
            f"{host} can't be reached: {_short(getattr(cause, 'strerror', None) or cause)}",
        ),
    )
    meant = ((outcome, said) for applies, outcome, said in meanings if applies)
    return _NoAnswer(*next(meant, (Outcome.MALFORMED_ANSWER, f"{host}: {_short(error)}")))


def _short(reason: object) -> str:
    return " ".join(str(reason).split())[:150]
