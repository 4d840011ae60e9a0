"""How each kind of host answers a request for one of its pages."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import re
import time
import zlib
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from email.utils import formatdate
from functools import cache

from bench.trouble.hosts import STRANGER, Host, plain_hosts
from bench.trouble.line import Line, Request
from bench.trouble.people import WRONG, Person, article

WAIT_S = 0.5  # for an answer that comes late, but comes
DRIP_S = 0.3  # between the bytes of one that drips
REST_S = 2  # that a host asks us to leave it alone for
STORM = 2  # requests that a host refuses before it gives in
FOR_EVER_S = 3600.0
BLOCK = bytes(1 << 16)

_NUMBER = re.compile(r"/(\d+)")
_CHUNKED = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n"
_HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
_SINCE = formatdate(1_700_000_000, usegmt=True)


@dataclass
class Web:
    """The hosts, the port that all share, and how often each has refused so far."""

    hosts: tuple[Host, ...]
    port: int
    refused: dict[str, int] = field(default_factory=dict)
    resting: dict[str, float] = field(default_factory=dict)

    def inwards(self, number: int) -> str:
        """A private address, in one of its spellings."""
        spellings = (
            f"http://{STRANGER}:{self.port}/secret",
            f"http://[::ffff:{STRANGER}]:{self.port}/secret",
            f"http://{int.from_bytes(bytes(map(int, STRANGER.split('.'))))}:{self.port}/secret",
            f"http://0x7f.66.1:{self.port}/secret",
            f"http://[::1]:{self.port}/secret",
            f"http://[64:ff9b::{STRANGER}]:{self.port}/secret",
            "http://169.254.169.254/latest/meta-data/",
            "http://[::ffff:10.0.0.1]/",
            f"http://inside.within.trouble.test:{self.port}/secret",
        )
        return spellings[number % len(spellings)]


@dataclass(frozen=True, slots=True)
class Call:
    """A request to a host, and the line on which to answer it."""

    web: Web
    host: Host
    request: Request
    line: Line

    @property
    def number(self) -> int:
        """Which person, or which private address, it is about."""
        found = _NUMBER.search(self.request.path)
        return int(found[1]) if found else 0

    @property
    def body(self) -> bytes:
        """The page as an honest host would give it."""
        return article(Person(self.number), wrong=self.number % WRONG == 3).encode()


Answer = Callable[[Call], Awaitable[None]]


async def _plain(call: Call) -> None:
    body = call.body
    tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
    headers = call.request.headers
    if headers.get("if-none-match") == tag or (
        "if-none-match" not in headers and headers.get("if-modified-since") == _SINCE
    ):
        await call.line.write(f"HTTP/1.1 304 Not Modified\r\nETag: {tag}\r\n\r\n".encode())
        return
    packed = call.number % 3 == 0 and "gzip" in headers.get("accept-encoding", "")
    more = (f"ETag: {tag}", f"Last-Modified: {_SINCE}")
    if packed:
        await call.line.answer("200 OK", gzip.compress(body, mtime=0), *more, "Content-Encoding: gzip")
    else:
        await call.line.answer("200 OK", body, *more)


async def _waiting(call: Call) -> None:
    await call.line.pause(WAIT_S)
    await _plain(call)


async def _silent(call: Call) -> None:
    await call.line.pause(FOR_EVER_S)


async def _dripping(call: Call) -> None:
    await call.line.write(f"{_HEAD}Content-Length: 100000\r\n\r\n".encode())
    while True:
        await call.line.write(b"<")
        await call.line.pause(DRIP_S)


async def _chunks(call: Call) -> None:
    await call.line.write(f"{_CHUNKED}5\r\n<html\r\nnot a size\r\n".encode() + call.body)
    call.line.close()


async def _short(call: Call) -> None:
    body = call.body
    await call.line.write(f"{_HEAD}Content-Length: {len(body) + 500}\r\n\r\n".encode() + body)
    call.line.close()


async def _long(call: Call) -> None:
    body = call.body
    await call.line.write(f"{_HEAD}Content-Length: {len(body)}\r\n\r\n".encode() + body + b"and this" * 40)
    call.line.close()


async def _not_gzip(call: Call) -> None:
    await call.line.answer("200 OK", call.body, "Content-Encoding: gzip")


async def _bomb(call: Call) -> None:
    await call.line.write(f"{_CHUNKED[:-2]}Content-Encoding: gzip\r\n\r\n".encode())
    for data in _fuses():
        await call.line.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        await asyncio.sleep(0)


def _fuses() -> Iterator[bytes]:
    """A gzip stream of zeros without end: its head, and then ten megabytes in every piece."""
    head, piece = _packed()
    yield head
    while True:
        yield piece


@cache
def _packed() -> tuple[bytes, bytes]:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    head = packer.compress(b"<html>") + packer.flush(zlib.Z_FULL_FLUSH)
    return head, packer.compress(BLOCK * 160) + packer.flush(zlib.Z_FULL_FLUSH)


async def _huge(call: Call) -> None:
    await call.line.write(f"{_HEAD}Content-Length: 200000000\r\n\r\n".encode())
    await _pour(call)


async def _endless(call: Call) -> None:
    await call.line.write(_CHUNKED.encode())
    while True:
        await call.line.write(b"10000\r\n" + BLOCK + b"\r\n")
        await asyncio.sleep(0)


async def _pour(call: Call) -> None:
    for _ in range(200_000_000 // len(BLOCK)):
        await call.line.write(BLOCK)
        await asyncio.sleep(0)


async def _headers(call: Call) -> None:
    await call.line.write(b"HTTP/1.1 200 OK\r\nX-Much: ")
    for _ in range(64):
        await call.line.write(b"x" * (1 << 16))
    call.line.close()


async def _loop(call: Call) -> None:
    path = call.request.path
    await _redirect(call, path.removeprefix("/again") if path.startswith("/again") else f"/again{path}")


async def _onwards(call: Call) -> None:
    base, _, times = call.request.path.partition("?at=")
    await _redirect(call, f"{base}?at={int(times or 0) + 1}")


async def _moved(call: Call) -> None:
    others = plain_hosts(call.web.hosts)
    await _redirect(call, others[call.number % len(others)].url(call.web.port, f"/people/{call.number}"))


async def _inwards(call: Call) -> None:
    await _redirect(call, call.web.inwards(call.number))


async def _redirect(call: Call, target: str) -> None:
    status = ("301 Moved Permanently", "302 Found", "303 See Other", "307 Temporary Redirect")[call.number % 4]
    await call.line.answer(status, b"", f"Location: {target}")


async def _resetting(call: Call) -> None:
    body = call.body
    await call.line.write(f"{_HEAD}Content-Length: {len(body)}\r\n\r\n".encode() + body[: len(body) // 2])
    await call.line.pause(0.05)
    call.line.reset()


async def _hanging_up(call: Call) -> None:
    call.line.close()


async def _garbage(call: Call) -> None:
    await call.line.write(bytes(range(256)) * 4)
    call.line.close()


async def _storm(call: Call) -> None:
    web, name = call.web, call.host.name
    if web.refused.get(name, 0) < STORM:
        web.refused[name] = web.refused.get(name, 0) + 1
        await _refuse(call, "429 Too Many Requests")
    else:
        await _plain(call)


async def _refuse(call: Call, status: str) -> None:
    """Ask to be left alone; every second host says until when, the others for how long."""
    until = formatdate(time.time() + REST_S, usegmt=True) if call.number % 2 else str(REST_S)
    seconds = REST_S - 1 if call.number % 2 else REST_S  # a date has no fractions
    call.web.resting[call.host.name] = time.monotonic() + seconds
    await call.line.answer(status, b"wait", f"Retry-After: {until}")


def _status(status: str, body: bytes = b"<p>no</p>", kind: str = "text/html") -> Answer:
    async def answer(call: Call) -> None:
        await call.line.answer(status, body, kind=kind)

    return answer


def _refusal(status: str) -> Answer:
    async def answer(call: Call) -> None:
        await _refuse(call, status)

    return answer


ANSWERS: dict[str, Answer] = {
    "plain": _plain,
    "waiting": _waiting,
    "silent": _silent,
    "dripping": _dripping,
    "chunks": _chunks,
    "short": _short,
    "long": _long,
    "not-gzip": _not_gzip,
    "bomb": _bomb,
    "huge": _huge,
    "endless": _endless,
    "headers": _headers,
    "loop": _loop,
    "onwards": _onwards,
    "moved": _moved,
    "inwards": _inwards,
    "resetting": _resetting,
    "hanging-up": _hanging_up,
    "garbage": _garbage,
    "429": _refusal("429 Too Many Requests"),
    "429-storm": _storm,
    "503": _refusal("503 Service Unavailable"),
    "500": _status("500 Internal Server Error"),
    "404": _status("404 Not Found"),
    "410": _status("410 Gone"),
    "403": _status("403 Forbidden"),
    "empty": _status("200 OK", b""),
    "picture": _status("200 OK", b"\x89PNG\r\n\x1a\n" + bytes(64), "image/png"),
    "turning": _plain,
}


async def robots(call: Call) -> None:
    """How a host gives its rules."""
    rules = call.host.rules
    if rules.way == "moved" and call.request.path == "/robots.txt":
        await call.line.answer("301 Moved Permanently", b"", "Location: /robots-here.txt")
        return
    if rules.way in ("silent", "resetting"):
        await (_silent(call) if rules.way == "silent" else _resetting(call))
        return
    if rules.way == "waiting":
        await call.line.pause(WAIT_S)
    reason = {200: "OK", 404: "Not Found", 410: "Gone", 403: "Forbidden", 429: "Too Many Requests"}
    status = f"{rules.status} {reason.get(rules.status, 'Broken')}"
    await call.line.answer(status, rules.text.encode(), kind="text/plain; charset=utf-8")
