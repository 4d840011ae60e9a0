"""The bytes of a file that may be packed: by gzip, bzip2 or Zstandard, told apart by how it begins, or not at all."""

from __future__ import annotations

import bz2
from collections.abc import Callable, Iterator
from typing import BinaryIO, Protocol

import zstandard
from isal import isal_zlib

CHUNK = 1 << 17  # bytes read at a time
GZIP, BZIP2, ZSTD = b"\x1f\x8b", b"BZh", b"\x28\xb5\x2f\xfd"
WIDEST_WINDOW = 1 << 31  # what `zstd --long=31` packs with; a decoder refuses more than 128 MiB by itself
DAMAGE: tuple[type[Exception], ...] = (isal_zlib.error, zstandard.ZstdError, OSError, EOFError)  # type: ignore[assignment]  # a class, whatever its stub says


class Damaged(Exception):
    """The compressed data can't be read on: `given` bytes came before, `ended` where the file merely ends too early."""

    def __init__(self, given: int, near: int, ended: bool) -> None:
        super().__init__(
            "its compressed data ends too early" if ended else f"its compressed data is damaged near byte {near}"
        )
        self.given, self.ended = given, ended


class _Unpacker(Protocol):
    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, /) -> bytes: ...


def unpacked(file: BinaryIO, progress: Callable[[int], None] = lambda _: None) -> Iterator[bytes]:
    """The plain bytes in chunks, in constant memory. `progress` is told of the bytes read from the file.

    Nothing of the file is read twice, so it may be a pipe. Raises `Damaged`, after all that could be read was given.
    """
    first = _chunk(file)
    new = _kind(first)
    if new is None:
        while first:
            progress(len(first))
            yield first
            first = _chunk(file)
        return
    unpacker, given, taken, chunk = new(), 0, 0, first
    while chunk:
        progress(len(chunk))
        taken += len(chunk)
        while chunk:
            if unpacker.eof:  # dumps are made of several compressed members, one after the other
                unpacker = new()
            try:
                data = unpacker.decompress(chunk)
            except DAMAGE as error:
                raise Damaged(given, taken, ended=False) from error
            given += len(data)
            yield data
            chunk = unpacker.unused_data if unpacker.eof else b""
        chunk = _chunk(file)
    if not unpacker.eof:
        raise Damaged(given, taken, ended=True)


def _chunk(file: BinaryIO) -> bytes:
    """The next bytes of a file or a pipe, which may give fewer than asked for; empty at its end."""
    parts, size = list[bytes](), 0
    while size < CHUNK and (part := file.read(CHUNK - size)):
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _kind(start: bytes) -> Callable[[], _Unpacker] | None:
    if start.startswith(GZIP):
        return lambda: isal_zlib.decompressobj(wbits=31)
    if start.startswith(BZIP2):
        return bz2.BZ2Decompressor
    if start.startswith(ZSTD):
        return zstandard.ZstdDecompressor(max_window_size=WIDEST_WINDOW).decompressobj
    return None
