"""Which answers stand where in a WARC file: found by their address, and what of the file can't be read."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from fastwarc.warc import ArchiveIterator, WarcRecord

from store.members import Damage, members
from store.record import Head

_KINDS = ("response", "revisit")
_VERSION = b"WARC/1."
_PIECE = 1 << 20
_GZIP = b"\x1f\x8b"
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the newest answer of an address stands, and where its body does: elsewhere for a revisit.

    `body_at` is None where the record that a revisit refers to isn't in the file; `at` is None where it isn't said.
    """

    offset: int
    body_at: int | None
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Index:
    """What a file holds: `records` of any type, the answers by address, and its damages in their order."""

    records: int
    answers: Mapping[str, Standing]
    damages: tuple[Damage, ...]


@dataclass(frozen=True, slots=True)
class _Record:
    offset: int
    at: datetime
    head: Head


def index(path: Path) -> Index:
    """Walk through a file to its end, past what is damaged. Raises `OSError` where it can't be read at all."""
    found = list(_walk(path))
    records = [one for one in found if isinstance(one, _Record)]
    damages = [one for one in found if isinstance(one, Damage)]
    return Index(len(records), _answers([one for one in records if one.head.kind in _KINDS]), tuple(damages))


def _walk(path: Path) -> Iterator[_Record | Damage]:
    """All records. Most files are whole: only one that isn't is walked again by a slower way that goes on."""
    with path.open("rb") as file:
        packed = file.read(len(_GZIP)) == _GZIP
        quick = list(_records(file, 0, verified=not packed))
    if not packed:
        yield from _past_damages(path, quick)
    elif not any(isinstance(one, Damage) for one in quick):
        yield from quick
    elif len(quick) > 1:
        for one in members(path):
            yield one if isinstance(one, Damage) else _record(one.offset, one.head)


def _past_damages(path: Path, found: list[_Record | Damage]) -> Iterator[_Record | Damage]:
    """The records of a file that isn't packed, each damage followed by the next record whose beginning is found."""
    with path.open("rb") as file:
        while len(found) > 1 and isinstance(last := found[-1], Damage):
            yield from found[:-1]
            at = _next_version(file, last.offset + 1) if last.kind == "broken" else None
            yield last if at is None else replace(last, length=at - last.offset)
            found = list(_records(file, at, verified=True)) if at is not None else []
        yield from found


def _records(file: BinaryIO, start: int, verified: bool) -> Iterator[_Record | Damage]:
    """The records of a file from `start` up to where no further one can be read: that comes last.

    `verified`: a content that isn't what its digest says is damaged; a packed file says so by itself.
    """
    at, held, end = start, 0, file.seek(0, 2)
    file.seek(start)
    records = ArchiveIterator(file, parse_http=False)
    while True:
        try:
            record = next(records, None)
            if record is None:
                return
            at = record.stream_pos if record.stream_pos >= start else start + record.stream_pos
            held, agrees = _content(record, verified)
        except OSError as error:
            if error.errno is not None:
                raise
            after = _end(file, at) + held
            yield Damage(after, end - after, "broken", "no record that can be read follows")
            return
        if held < record.content_length:
            yield Damage(at, end - at, "cut", "cut off")
            return
        head = Head({name.lower(): value for name, value in record.headers.items()})
        yield _record(at, head) if agrees else Damage(at, held, "broken", "another content than its digest says")


def _content(record: WarcRecord, verified: bool) -> tuple[int, bool]:
    """How many bytes a record has, and whether they are what its digest says, where it says that by SHA-1."""
    held, sum_ = 0, hashlib.sha1(usedforsecurity=False)
    while chunk := record.reader.read(_PIECE):
        held += len(chunk)
        if verified:
            sum_.update(chunk)
    name, _, said = str(record.headers.get("WARC-Block-Digest") or "").partition(":")
    found = (sum_.hexdigest(), base64.b32encode(sum_.digest()).decode().lower())
    return held, not verified or name.lower() != "sha1" or said.lower() in found


def _end(file: BinaryIO, start: int) -> int:
    """Where an unpacked record ends, but for the length of its content; `start` where none stands there."""
    file.seek(start)
    head = file.read(_PIECE)
    blank = head.find(b"\r\n\r\n") if head.startswith(_VERSION) else -1
    return start + blank + 2 * len(b"\r\n\r\n") if blank >= 0 else start


def _next_version(file: BinaryIO, start: int) -> int | None:
    """Where the next line begins that says that it is a record's; None where there is none."""
    offset = start
    while True:
        file.seek(offset)
        piece = file.read(_PIECE + len(_VERSION))
        at = piece.find(b"\n" + _VERSION)
        if at >= 0:
            return offset + at + 1
        if len(piece) <= _PIECE:
            return None
        offset += _PIECE


def _record(offset: int, head: Head) -> _Record:
    try:
        at = datetime.fromisoformat(head.headers.get("warc-date", ""))
    except ValueError:
        at = _LONG_AGO
    return _Record(offset, at if at.tzinfo else at.replace(tzinfo=UTC), head)


def _answers(records: list[_Record]) -> Mapping[str, Standing]:
    """The newest answer of each address; of one moment, the last in the file."""
    newest: dict[str, _Record] = {}
    for record in records:
        url = record.head.url
        if url and (url not in newest or newest[url].at <= record.at):
            newest[url] = record
    responses = [one for one in records if one.head.kind == "response"]
    bodies = _Bodies(responses) if len(responses) < len(records) else None
    return {
        url: Standing(
            one.offset,
            bodies.of(one) if bodies and one.head.kind == "revisit" else one.offset,
            one.at if one.at > _LONG_AGO else None,
        )
        for url, one in newest.items()
    }


class _Bodies:
    """The responses of a file, by what a revisit can name them by."""

    def __init__(self, responses: list[_Record]) -> None:
        self._by: dict[tuple[str, ...], int] = {}
        for one in responses:
            headers = one.head.headers
            for key in (("digest", one.head.digest), ("of", one.head.url, one.head.digest)):
                if one.head.digest:
                    self._by[key] = one.offset
            self._by["at", one.head.url, headers.get("warc-date", "")] = one.offset
            if record_id := headers.get("warc-record-id", ""):
                self._by["id", record_id] = one.offset

    def of(self, revisit: _Record) -> int | None:
        """Where the body of a revisit stands; by the record that it names, else by its digest."""
        headers, url, digest = revisit.head.headers, revisit.head.url, revisit.head.digest
        target = headers.get("warc-refers-to-target-uri", "").strip("<>") or url
        keys = (
            ("id", headers.get("warc-refers-to", "")),
            ("at", target, headers.get("warc-refers-to-date", "")),
            ("of", target, digest),
            ("digest", digest),
        )
        return next((self._by[key] for key in keys if key in self._by), None)
