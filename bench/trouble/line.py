"""One connection to a host of the web of trouble: what came in on it, and ways to answer that no decent server has."""

from __future__ import annotations

import asyncio
import socket
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass

LONGEST_HEAD = 1 << 16


class Gone(Exception):
    """The other side has hung up."""


class NotHttp(Exception):
    """What came in is no request."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request: its path with the query, its headers in lower case, and when it had come in (monotonic, seconds)."""

    path: str
    headers: dict[str, str]
    begun: float


class Watched(asyncio.StreamReaderProtocol):
    """A stream that tells at once when the other side hangs up."""

    def __init__(self, connected: Callable[[Line], None]) -> None:
        reader = asyncio.StreamReader(limit=LONGEST_HEAD)
        super().__init__(reader, lambda reader, writer: connected(Line(reader, writer, self)))
        self.gone = asyncio.Event()
        self.gone_at = 0.0

    def eof_received(self) -> bool | None:
        """It sends nothing more: clients of HTTP do that only when they leave."""
        self._leave()
        return super().eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """It has hung up."""
        self._leave()
        super().connection_lost(exc)

    def _leave(self) -> None:
        self.gone_at = self.gone_at or time.monotonic()
        self.gone.set()


@dataclass(slots=True, eq=False)
class Line:
    """A connection. `written` is when the last bytes were handed over (monotonic, seconds)."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    watched: Watched
    written: float = 0.0

    @property
    def closing(self) -> bool:
        """Whether either side has hung up, or is about to."""
        return self.watched.gone.is_set() or self.writer.is_closing()

    def close(self) -> None:
        """Hang up once all that was written has gone out."""
        self.writer.close()

    async def request(self) -> Request | None:
        """The next request; None where the other side leaves instead. Raises `NotHttp`."""
        try:
            head = await self.reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError as error:
            if error.partial.strip():
                raise NotHttp from error
            return None
        except asyncio.LimitOverrunError as error:
            raise NotHttp from error
        except ConnectionError:
            return None
        begun = time.monotonic()
        first, *lines = head.decode("latin-1").split("\r\n")
        words = first.split(" ")
        if len(words) != 3 or not words[2].startswith("HTTP/"):
            raise NotHttp(first[:40])
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        return Request(words[1], headers, begun)

    async def write(self, data: bytes) -> None:
        """Send bytes. Raises `Gone`."""
        if self.closing:
            raise Gone
        self.written = time.monotonic()  # before: the other side may be done with them before we are
        self.writer.write(data)
        try:
            await self.writer.drain()
        except ConnectionError as error:
            raise Gone from error

    async def pause(self, seconds: float) -> None:
        """Do nothing for a while. Raises `Gone` as soon as the other side has hung up."""
        try:
            await asyncio.wait_for(self.watched.gone.wait(), seconds)
        except TimeoutError:
            return
        raise Gone

    def reset(self) -> None:
        """Break off with a reset."""
        peer: socket.socket | None = self.writer.get_extra_info("socket")
        if peer is not None:
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()

    async def answer(self, status: str, body: bytes, *headers: str, kind: str = "text/html; charset=utf-8") -> None:
        """A whole and honest answer."""
        lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body)}", *headers]
        await self.write("\r\n".join((*lines, "", "")).encode("latin-1") + body)
