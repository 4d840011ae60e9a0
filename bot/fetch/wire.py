"""One request and its answer: only to the public internet, and with bounds on all that a server may send."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from functools import partial
from types import TracebackType
from typing import Self

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from bot.fetch import NotAsked
from bot.fetch.address import Network, UnsafeAddress, is_public, literal, socket_to_public
from bot.fetch.answer import REDIRECTS, Answer, clean_header, printable
from bot.fetch.encoding import ACCEPTED, BodyTooLarge, Decoder, MalformedEncoding
from bot.fetch.site import Site
from models.outcome import NotJudged, Outcome

LONGEST_HEADER = 1 << 16
MOST_HEADERS = 128
NAMES_AT_ONCE = 32  # look-ups, each in a thread: a slow one holds up no other
LARGE = 1 << 20  # bytes; so many answers of that size are read at once, and no more, lest they fill the memory
LARGE_AT_ONCE = 16
LONGEST_VALIDATOR = 1000
CONNECT_S = 5.0
STEP = 512


class NoAnswer(Exception):
    """A hop brought no answer that can be used."""

    def __init__(self, outcome: Outcome, detail: str, status: int | None = None, phrase: str = "") -> None:
        super().__init__(detail)
        self.not_judged, self.status, self.phrase = NotJudged(outcome, detail), status, phrase


class _Unanswered(Exception):
    """A request without an answer, under a name that aiohttp doesn't know."""

    def __init__(self, cause: aiohttp.ClientError) -> None:
        super().__init__(str(cause))
        self.cause = cause


async def _once(request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
    """aiohttp sends a request that got no answer again at once, which no turn was taken for."""
    try:
        return await handler(request)
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise _Unanswered(error) from error


class Clock:
    """How much of a page's time is left; it runs while the clock is entered, not while we wait for a host's turn."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.left_s, self._since = seconds, seconds, 0.0

    def __enter__(self) -> Self:
        self._since = time.monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        self.left_s -= time.monotonic() - self._since


class PublicResolver(AbstractResolver):
    """Gives only addresses of the public internet. Raises `UnsafeAddress` where a name has none.

    `resolver` is what looks names up: the system's, where it is None.
    """

    def __init__(self, allowed: Collection[Network] = (), resolver: AbstractResolver | None = None) -> None:
        self._resolver, self._allowed = resolver or aiohttp.ThreadedResolver(), allowed

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


class Wire:
    """What asks: a context manager, with connections that live until it is left. `allowed` as for `PublicResolver`."""

    def __init__(self, agent: str, allowed: Collection[Network] = (), resolver: AbstractResolver | None = None) -> None:
        self._agent, self._allowed, self._resolver = agent, tuple(allowed), resolver
        self._names: PublicResolver | None = None  # made in the loop that it works in
        self._large = asyncio.Semaphore(LARGE_AT_ONCE)
        self._stack = AsyncExitStack()
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(NAMES_AT_ONCE, "names"))
        self._names = PublicResolver(self._allowed, self._resolver)
        connector = aiohttp.TCPConnector(
            resolver=self._names,
            socket_factory=partial(socket_to_public, self._allowed),
            limit=0,
            force_close=True,  # one that was kept open may have been closed meanwhile, and the request be in vain
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
                middlewares=(_once,),
                max_line_size=LONGEST_HEADER,
                max_field_size=LONGEST_HEADER,
                max_headers=MOST_HEADERS,
            )
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def connects(self, site: Site) -> bool:
        """Whether a connection to a site can be made; nothing is asked on it."""
        assert self._names is not None, "used outside of its context"
        port = site.port or (443 if site.scheme == "https" else 80)
        try:
            async with asyncio.timeout(CONNECT_S):
                address = str(site.address or (await self._names.resolve(site.host))[0]["host"])
                family = socket.AF_INET6 if ":" in address else socket.AF_INET
                with socket_to_public(self._allowed, (family, socket.SOCK_STREAM, 0, "", (address, port))) as sock:
                    sock.setblocking(False)
                    await asyncio.get_running_loop().sock_connect(sock, (address, port))
                    return True
        except (OSError, ValueError, IndexError):  # a TimeoutError too
            return False

    async def get(
        self, url: str, host: str, clock: Clock, max_bytes: int, headers: Mapping[str, str], cut: bool = False
    ) -> Answer:
        """The answer to one request, as it was sent but for its content encoding.

        With `cut` only the first `max_bytes` of the body are read, where it has more. Raises `NoAnswer`, and `NotAsked`
        where it was ourselves who couldn't go on.
        """
        waits: list[bool] = []
        with clock:
            try:
                async with asyncio.timeout(clock.left_s):
                    return await self._get(url, max_bytes, headers, cut, waits)
            except _Unanswered as error:
                raise _no_answer(error.cause, host, clock.seconds) from error
            except (aiohttp.ClientError, OSError, ValueError, MalformedEncoding, BodyTooLarge) as error:
                if waits and isinstance(error, TimeoutError):
                    raise NotAsked("too many large pages came at once") from error
                raise _no_answer(error, host, clock.seconds) from error

    async def _get(self, url: str, max_bytes: int, headers: Mapping[str, str], cut: bool, waits: list[bool]) -> Answer:
        assert self._session is not None, "used outside of its context"
        asked = URL(url).with_user(None)  # a name and password in a reference aren't ours to give
        async with self._session.get(asked, allow_redirects=False, headers=headers) as response:
            given = tuple((key, clean_header(key, value)) for key, value in _lowered(response))
            bodiless = response.status in REDIRECTS or response.status == 304
            body = b"" if bodiless else await self._body(response, max_bytes, cut, waits)
            reason = printable(clean_header("", response.reason or ""))
            return Answer(url, datetime.now(UTC), response.status, reason, given, body)

    async def _body(self, response: aiohttp.ClientResponse, max_bytes: int, cut: bool, waits: list[bool]) -> bytes:
        if not cut and response.content_length is not None and response.content_length > max_bytes:
            raise BodyTooLarge(f"{response.content_length:,} bytes")
        encoding = ", ".join(response.headers.getall("Content-Encoding", ()))
        if cut:
            return await _beginning(response, Decoder(encoding, 4 * max_bytes), max_bytes)
        decoder = Decoder(encoding, max_bytes)
        parts: list[bytes] = []
        held = 0
        async with AsyncExitStack() as stack:
            async for chunk in response.content.iter_any():
                parts.append(decoder.decode(chunk))
                before, held = held, held + len(parts[-1])
                if before <= LARGE < held:
                    waits.append(True)
                    await stack.enter_async_context(self._large)
                    waits.clear()
            decoder.finish()
        return b"".join(parts)


async def _beginning(response: aiohttp.ClientResponse, decoder: Decoder, most: int) -> bytes:
    """The first `most` bytes of a body; packed ones are taken little by little, lest they unpack to far more."""
    begun = bytearray()
    async for chunk in response.content.iter_any():
        for start in range(0, len(chunk), STEP):
            begun += decoder.decode(chunk[start : start + STEP])
            if len(begun) >= most:
                return bytes(begun[:most])
    decoder.finish()
    return bytes(begun)


def validators(etag: str, last_modified: str) -> Mapping[str, str]:
    """The headers of a conditional request; what can't stand in a header is left out."""
    given = {"If-None-Match": etag, "If-Modified-Since": last_modified}
    return {
        name: value
        for name, value in given.items()
        if value and value.isascii() and value.isprintable() and len(value) <= LONGEST_VALIDATOR
    }


def _lowered(response: aiohttp.ClientResponse) -> list[tuple[str, str]]:
    return [(name.lower(), value) for name, value in response.headers.items()]


def _no_answer(error: Exception, host: str, seconds: float) -> NoAnswer:
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
        (isinstance(error, TimeoutError), Outcome.TIMED_OUT, f"{host} took longer than {seconds:g} s"),
        (isinstance(error, aiohttp.ClientSSLError), Outcome.TLS, f"{host}: {_short(certificate)}"),
        (
            isinstance(error, aiohttp.ClientConnectionError | OSError)
            and not isinstance(error, aiohttp.ClientPayloadError),
            Outcome.UNREACHABLE,
            f"{host} can't be reached: {_short(getattr(cause, 'strerror', None) or cause)}",
        ),
    )
    meant = ((outcome, said) for applies, outcome, said in meanings if applies)
    return NoAnswer(*next(meant, (Outcome.MALFORMED_ANSWER, f"{host}: {_short(error)}")))


def _short(reason: object) -> str:
    return " ".join(str(reason).split())[:150]
