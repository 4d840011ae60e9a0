"""A WARC file walked from end to end, gzip member by gzip member, in bounded memory: what stands where, and what is
damaged.

Other readers end at the first damage. This one says what it is, and goes on at the next member.
"""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

from store.record import Head, read_head

_MAGIC = b"\x1f\x8b\x08"
_PIECE = 1 << 16
_LONGEST_HEAD = 1 << 20


@dataclass(frozen=True, slots=True)
class Member:
    """A whole record: its gzip member is `length` bytes from `offset`."""

    offset: int
    length: int
    head: Head


@dataclass(frozen=True, slots=True)
class Damage:
    """Bytes of a file that are no whole record: `cut` off at the file's end, or `broken`; `why` in words."""

    offset: int
    length: int
    kind: Literal["cut", "broken"]
    why: str


def members(path: Path) -> Iterator[Member | Damage]:
    """All that stands in a file, in its order. Raises `OSError` where the file can't be read."""
    with path.open("rb") as stream:
        end = stream.seek(0, 2)
        offset = 0
        while offset < end:
            found = _member(stream, offset, end)
            if isinstance(found, Damage):
                found = _bounded(stream, found, end)
            yield found
            offset += found.length


def _bounded(stream: BinaryIO, damage: Damage, end: int) -> Damage:
    """The damage up to the next member. What reaches the file's end is cut off there only where no member follows it:
    a flipped bit can make gzip skip any length.
    """
    if damage.length and damage.kind == "broken":
        return damage
    until = _next_member(stream, damage.offset + 1, end)
    if damage.kind == "cut" and until == end:
        return damage
    return Damage(damage.offset, until - damage.offset, "broken", damage.why)


def _member(stream: BinaryIO, offset: int, end: int) -> Member | Damage:
    """The member at `offset`, checked in all its bytes; a broken one of length 0 is of a length that isn't known."""
    stream.seek(offset)
    begin = stream.read(len(_MAGIC))
    if begin != _MAGIC:
        short = _MAGIC.startswith(begin) and offset + len(begin) == end
        return Damage(offset, end - offset if short else 0, "cut" if short else "broken", _NO_MEMBER)
    stream.seek(offset)
    reading = _Reading()
    try:
        length = reading.run(stream)
    except zlib.error as error:
        return Damage(offset, 0, "broken", f"damaged: {str(error).partition(': ')[2] or error}")
    if length is None:
        return Damage(offset, end - offset, "cut", "cut off")
    if reading.head is None:
        return Damage(offset, length, "broken", "no WARC record")
    wrong = reading.wrong()
    if wrong:
        return Damage(offset, length, "broken", wrong)
    return Member(offset, length, reading.head)


_NO_MEMBER = "no record begins there"


class _Reading:
    """One member as it is unpacked: its head, and whether the rest is what the head says."""

    def __init__(self) -> None:
        self.head: Head | None = None
        self._start: bytes | None = b""  # what came before the end of the head; None after it
        self._block = hashlib.sha1(usedforsecurity=False)
        self._payload = hashlib.sha256()
        self._http: bytes | None = b""  # likewise, of the HTTP headers
        self._left = 0

    def run(self, stream: BinaryIO) -> int | None:
        """Read to the member's end; its length, None where the file ends first. Raises `zlib.error`."""
        machine = zlib.decompressobj(zlib.MAX_WBITS + 16)
        length = 0
        while not machine.eof:
            packed = machine.unconsumed_tail or stream.read(_PIECE)
            if not packed:
                return None
            length += 0 if machine.unconsumed_tail else len(packed)
            self._take(machine.decompress(packed, 1 << 20))
        return length - len(machine.unused_data)

    def wrong(self) -> str:
        """Why the record isn't what its head says; "" where it is."""
        headers = self.head.headers if self.head else {}
        if self._left > 0 or self._start is not None:
            return "shorter than its head says"
        if not _agrees(headers.get("warc-block-digest", ""), "sha1", self._block.digest()):
            return "another content than its digest says"
        is_response = headers.get("warc-type") == "response"
        if is_response and not _agrees(headers.get("warc-payload-digest", ""), "sha256", self._payload.digest()):
            return "another body than its digest says"
        return ""

    def _take(self, data: bytes) -> None:
        if self._start is not None:
            self._start += data
            raw, separator, data = self._start.partition(b"\r\n\r\n")
            if not separator:
                if len(self._start) > _LONGEST_HEAD:
                    raise zlib.error("head: a head without end")
                return
            self.head, self._start = read_head(raw), None
            length = self.head.headers.get("content-length", "") if self.head else ""
            self._left = int(length) if length.isascii() and length.isdigit() else 0
        self._content(data[: self._left])

    def _content(self, data: bytes) -> None:
        self._left -= len(data)
        self._block.update(data)
        if self._http is not None:
            self._http += data
            _, separator, data = self._http.partition(b"\r\n\r\n")
            if separator or len(self._http) > _LONGEST_HEAD:  # beyond that it is no head
                self._http = None
            if not separator:
                return
        self._payload.update(data)


def _agrees(written: str, algorithm: str, digest: bytes) -> bool:
    """Whether a digest in a record's head (in hex or base 32) is that; True where it is by another algorithm."""
    name, _, value = written.partition(":")
    if name.lower() != algorithm:
        return True
    return value.lower() in (digest.hex(), base64.b32encode(digest).decode().lower())


def _next_member(stream: BinaryIO, offset: int, end: int) -> int:
    """Where the next member begins whose first bytes are those of a WARC record; `end` where none does."""
    while offset < end:
        stream.seek(offset)
        piece = stream.read(_PIECE + len(_MAGIC) - 1)
        at = piece.find(_MAGIC)
        if at < 0:
            offset += _PIECE
        elif _begins_a_record(stream, offset + at):
            return offset + at
        else:
            offset += at + 1
    return end


def _begins_a_record(stream: BinaryIO, offset: int) -> bool:
    stream.seek(offset)
    try:
        return zlib.decompressobj(zlib.MAX_WBITS + 16).decompress(stream.read(_PIECE), 5) == b"WARC/"
    except zlib.error:
        return False


__all__ = ["Damage", "Member", "members"]
