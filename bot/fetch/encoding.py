"""A content encoding undone bit by bit, so that a small answer can't become a huge one."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Protocol

import brotli  # type: ignore[import-untyped]

LARGEST_RATIO = 200  # ordinary pages shrink to a tenth or twentieth; more than this is a bomb
RATIO_COUNTS_FROM = 1 << 20
STEP = 1 << 16
_NONE = frozenset(("", "identity", "none", "utf-8", "utf8"))  # the latter are mistakes, and browsers see past them
_GZIP = b"\x1f\x8b"
_MOST_MEMBERS = 1000  # each is begun with a copy of what follows it

ACCEPTED = "gzip, deflate, br"


class MalformedEncoding(Exception):
    """The body isn't in the encoding that its header names."""


class BodyTooLarge(Exception):
    """The body is larger than allowed, by size or by what it unpacks to."""


class _Unpacker(Protocol):
    def unpack(self, data: bytes) -> Iterator[bytes]:
        """The decoded bytes, in pieces of about `STEP`."""
        ...

    @property
    def finished(self) -> bool:
        """Whether the end of the encoded data was met."""
        ...


class _Plain:
    finished = True

    def unpack(self, data: bytes) -> Iterator[bytes]:
        yield data


class _Zlib:
    """gzip, in one member or several, or deflate with or without zlib's header: servers send both under that name."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(wbits=47)
        self._begun = self._over = False
        self._members = 1
        self._rest = b""  # behind a member's end, and too short to tell whether another follows

    @property
    def finished(self) -> bool:
        return self._stream.eof

    def unpack(self, data: bytes) -> Iterator[bytes]:
        data, self._rest = self._rest + data, b""
        while data and not self._over:
            if self._stream.eof and not self._goes_on(data):
                return
            yield self._piece(data)
            data = self._stream.unused_data if self._stream.eof else self._stream.unconsumed_tail

    def _goes_on(self, data: bytes) -> bool:
        """Whether another member of gzip's follows, which is begun then; anything else is ignored, as browsers do."""
        if len(data) < len(_GZIP) and _GZIP.startswith(data):
            self._rest = data
            return False
        self._over = not data.startswith(_GZIP)
        if not self._over:
            self._members += 1
            if self._members > _MOST_MEMBERS:
                raise zlib.error("too many members")
            self._stream = zlib.decompressobj(wbits=47)
        return not self._over

    def _piece(self, data: bytes) -> bytes:
        try:
            piece = self._stream.decompress(data, STEP)
        except zlib.error:
            if self._begun:
                raise
            self._stream = zlib.decompressobj(wbits=-15)
            piece = self._stream.decompress(data, STEP)
        self._begun = True
        return piece


class _Brotli:
    def __init__(self) -> None:
        self._stream = brotli.Decompressor()

    @property
    def finished(self) -> bool:
        return bool(self._stream.is_finished())

    def unpack(self, data: bytes) -> Iterator[bytes]:
        yield self._stream.process(data, output_buffer_limit=STEP)
        while not self._stream.can_accept_more_data():
            yield self._stream.process(b"", output_buffer_limit=STEP)


class Decoder:
    """Decodes one body, chunk by chunk, up to `max_bytes` of decoded size.

    `encoding` is a Content-Encoding header; raises `MalformedEncoding` for one that isn't `ACCEPTED`.
    """

    def __init__(self, encoding: str, max_bytes: int) -> None:
        name = encoding.strip().lower()
        self._packed = name not in _NONE
        self._unpacker = _unpacker(name)
        self._max_bytes = max_bytes
        self._read = self._given = 0

    def decode(self, chunk: bytes) -> bytes:
        """The decoded bytes of the next chunk. Raises `BodyTooLarge`, `MalformedEncoding`."""
        pieces = []
        self._read += len(chunk)
        try:
            for piece in self._unpacker.unpack(chunk):
                pieces.append(piece)
                self._given += len(piece)
                self._check()
        except (zlib.error, brotli.error) as error:
            raise MalformedEncoding("the body isn't in its content encoding") from error
        return b"".join(pieces)

    def finish(self) -> None:
        """Say that no more comes. Raises `MalformedEncoding` where the end of the encoded data wasn't met."""
        if self._read and not self._unpacker.finished:
            raise MalformedEncoding("the body breaks off")

    def _check(self) -> None:
        if self._given > self._max_bytes:
            raise BodyTooLarge(f"more than {self._max_bytes:,} bytes")
        if self._packed and self._given > max(RATIO_COUNTS_FROM, LARGEST_RATIO * self._read):
            raise BodyTooLarge(f"unpacks to more than {LARGEST_RATIO} times what was sent")


def _unpacker(name: str) -> _Unpacker:
    if name in _NONE:
        return _Plain()
    if name in ("gzip", "x-gzip", "deflate"):
        return _Zlib()
    if name == "br":
        return _Brotli()
    raise MalformedEncoding(f"content encoding {name[:40]!r}")
