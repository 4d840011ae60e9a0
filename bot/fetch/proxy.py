"""The browser's only way to the web: a forward proxy on loopback that connects to the public internet and nowhere else.

It is open only while a page is being drawn, and each page has so many bytes and connections and no more.
Plain HTTP is passed on one request a connection; all else (TLS, web sockets) is a tunnel (CONNECT).
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from bot.fetch.address import Network, UnsafeAddress, socket_to_public
from bot.fetch.site import NoWebAddress, site_of
from bot.fetch.wire import PublicResolver

MOST_BYTES = 50_000_000
MOST_CONNECTIONS = 400
CONNECT_S = 10.0
IDLE_S = 30.0
LONGEST_HEAD = 1 << 16
CHUNK = 1 << 16
_OF_THE_HOP = (b"proxy-", b"connection:", b"keep-alive:", b"te:", b"upgrade:")


@dataclass(slots=True)
class Budget:
    """What one page may still use, and how many of its connections were refused because of where they led."""

    bytes: int = MOST_BYTES
    connections: int = MOST_CONNECTIONS
    refused: int = 0


class BudgetSpent(Exception):
    """A page has used all that it may."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the head of a request asks for: whom to connect to, and what to say there (nothing for a tunnel)."""

    host: str
    port: int
    head: bytes | None
    body_bytes: int = 0

    @property
    def name(self) -> str:
        """The name that the host's pace is kept under (`bot.fetch.site`)."""
        scheme = "https" if self.head is None else "http"
        try:
            return site_of(f"{scheme}://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}/").name
        except NoWebAddress:
            return ""


class Proxy:
    """A forward proxy in a thread of its own. A context manager: it listens on `port` of 127.0.0.1 until it is left.

    `allowed` adds networks that may be connected to besides the public internet; only tests have reason to.
    """

    def __init__(self, allowed: Collection[Network] = ()) -> None:
        self._allowed = tuple(allowed)
        self._resolver: PublicResolver | None = None  # made in the loop that it works in
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxy", daemon=True)
        self._budget: Budget | None = None
        self._closed: frozenset[str] = frozenset()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self.port = 0

    def __enter__(self) -> Self:
        self._thread.start()
        self._do(self._listen())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._do(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @contextmanager
    def page(self, budget: Budget | None = None, closed: Collection[str] = ()) -> Iterator[Budget]:
        """Open for one page, but not to the hosts `closed`; whatever is still connected when it is left is cut off."""
        self._closed = frozenset(closed)
        self._budget = budget = budget or Budget()
        try:
            yield budget
        finally:
            self._budget = None
            self._do(self._cut())

    def _do(self, what: object) -> None:
        asyncio.run_coroutine_threadsafe(what, self._loop).result()  # type: ignore[arg-type]

    async def _listen(self) -> None:
        self._resolver = PublicResolver(self._allowed)
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=LONGEST_HEAD)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _close(self) -> None:
        assert self._server is not None
        self._server.close()
        await self._cut()
        await self._loop.shutdown_default_executor()

    async def _cut(self) -> None:
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = self._loop.create_task(self._serve(reader, writer, self._budget))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, budget: Budget | None) -> None:
        try:
            if budget is not None and budget.connections > 0:
                budget.connections -= 1
                await self._pass_on(reader, writer, budget)
        except (OSError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, BudgetSpent):
            pass  # the browser sees a connection that ended
        finally:
            writer.close()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, budget: Budget) -> None:
        async with asyncio.timeout(CONNECT_S):
            asked = _asked(await reader.readuntil(b"\r\n\r\n"))
        try:
            if asked.name in self._closed:
                raise ConnectionRefusedError(f"{asked.name} is left alone")
            async with asyncio.timeout(CONNECT_S):
                there, to_there = await self._connect(asked.host, asked.port)
        except OSError as error:  # a TimeoutError too
            budget.refused += isinstance(error, UnsafeAddress)
            if asked.head is None:  # else a word of ours would pass for the server's
                writer.write(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
                await writer.drain()
            return
        try:
            if asked.head is None:
                writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
            else:
                to_there.write(asked.head)
            most = None if asked.head is None else asked.body_bytes
            sending = asyncio.create_task(_copy(reader, to_there, budget, most))
            try:
                await _copy(there, writer, budget)
            finally:
                sending.cancel()
                await asyncio.gather(sending, return_exceptions=True)
        finally:
            to_there.close()

    async def _connect(self, host: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection to the first of a name's public addresses that answers. Raises `OSError`, `UnsafeAddress`."""
        assert self._resolver is not None
        found = await self._resolver.resolve(host, port, socket.AF_UNSPEC)
        last: OSError = OSError(f"{host} has no address")
        for one in found:
            target = (one["host"], port)
            try:
                sock = socket_to_public(self._allowed, (one["family"], socket.SOCK_STREAM, one["proto"], "", target))
                return await self._connected(sock, target)
            except OSError as error:
                last = error
        raise last

    async def _connected(
        self, sock: socket.socket, target: tuple[str, int]
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        try:
            sock.setblocking(False)
            await self._loop.sock_connect(sock, target)
            return await asyncio.open_connection(sock=sock)
        except BaseException:
            sock.close()
            raise


async def _copy(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, budget: Budget, most: int | None = None
) -> None:
    """Pass bytes on until the sender ends or `most` have passed. Raises `BudgetSpent`, `OSError`."""
    while most is None or most > 0:
        async with asyncio.timeout(IDLE_S):
            data = await reader.read(CHUNK if most is None else min(CHUNK, most))
        if not data:
            return
        most = None if most is None else most - len(data)
        budget.bytes -= len(data)
        if budget.bytes < 0:
            raise BudgetSpent
        writer.write(data)
        await writer.drain()


def _asked(head: bytes) -> _Asked:
    """Whom a request is for. Raises `ValueError` where it can't be told."""
    line, *headers = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    method, target, _ = line.decode("ascii").split(" ")
    if method == "CONNECT":
        parts = urlsplit(f"//{target}")
        if not parts.hostname or not parts.port:
            raise ValueError(target)
        return _Asked(parts.hostname, parts.port, None)
    parts = urlsplit(target)
    if parts.scheme != "http" or not parts.hostname:
        raise ValueError(target)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    kept = [header for header in headers if not header.lower().startswith(_OF_THE_HOP)]
    sent = b"\r\n".join([f"{method} {path} HTTP/1.1".encode("ascii"), *kept, b"Connection: close", b"", b""])
    return _Asked(parts.hostname, parts.port or 80, sent, _body_bytes(kept))


def _body_bytes(headers: Collection[bytes]) -> int:
    for header in headers:
        name, _, value = header.partition(b":")
        if name.lower() == b"transfer-encoding":
            raise ValueError("a body of unknown length")
        if name.lower() == b"content-length":
            with suppress(ValueError):
                return int(value)
    return 0
