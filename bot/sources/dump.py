"""A Wikidata JSON dump: one entity a line, plain or compressed, walked without being held in memory."""

from __future__ import annotations

import bz2
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import msgspec
from isal import isal_zlib

from bot.problem import InputProblem
from bot.progress import Show, unseen
from bot.sources import Report
from bot.sources.entity import Entity, MalformedEntity, check_entity, entity_terms
from bot.sources.formatter import PropertyFacts, property_facts
from models.statement import Term

CHUNK = 1 << 17  # bytes read at a time
LONGEST_LINE = 256 << 20  # bytes; the largest entities of Wikidata are some megabytes
REPORTED_LINES = 20
DAMAGE: tuple[type[Exception], ...] = (isal_zlib.error, OSError, EOFError)  # type: ignore[assignment]  # a class, whatever its stub says
GZIP, BZIP2 = b"\x1f\x8b", b"BZh"


class _Head(msgspec.Struct):
    """The beginning of an entity: enough to know whether the rest is wanted."""

    id: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a dump that should hold an entity, without its comma. `number` counts from 1."""

    number: int
    text: bytes


class TruncatedDump(Exception):
    """The dump ends before its end. Raised after every line that could be read was given."""


class DumpSource:
    """Walks a dump; malformed lines are reported by number and skipped, a truncated dump is said to be so at the end.

    `meter` shows how far a pass has come: called with a label and the bytes of the file, it gives a context manager
    that gives a function to be called with the bytes read since the last call.
    """

    def __init__(self, path: Path, languages: tuple[str, ...], report: Report, meter: Show = unseen) -> None:
        self._path, self._languages, self._report, self._meter = path, languages, report, meter
        self._facts: dict[str, PropertyFacts] = {}
        self._all_facts_known = False
        self._notes: Counter[str] = Counter()

    def check(self) -> None:
        """Look at the beginning of the file. Raises `InputProblem` where it can't be read or is no dump at all."""
        try:
            next(read_lines(self._path), None)
        except TruncatedDump as error:
            raise InputProblem(f"{self._path} breaks off before its first entity. Fetch the dump again.") from error

    @property
    def name(self) -> str:
        """What was asked for, in a few words."""
        return f"dump {self._path}"

    @property
    def notes(self) -> Mapping[str, int]:
        """Malformed lines and truncation, counted."""
        return dict(self._notes)

    @property
    def absent(self) -> frozenset[str]:
        """None: a dump may well be of a part only."""
        return frozenset()

    @property
    def wanted(self) -> None:
        """Every statement of a dump is asked for."""
        return None

    def entities(self) -> Iterator[Entity]:
        """Every readable entity. Raises `InputProblem` where the file can't be read or isn't a dump."""
        found, early = 0, list[str]()  # what is said of lines before the first entity waits: it may be no dump at all
        try:
            for line in self._lines("Reading the dump"):
                try:
                    entity = check_entity(_decoded(line.text))
                except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, MalformedEntity) as error:
                    self._malformed(line.number, error, self._report if found else early.append)
                    continue
                for told in early:
                    self._report(told)
                early.clear()
                found += 1
                if entity["id"].startswith("P"):
                    self._facts[entity["id"]] = property_facts(entity)
                yield entity
        except TruncatedDump as error:
            if not found and not early:
                raise InputProblem(f"{self._path} breaks off before its first entity. Fetch the dump again.") from error
            self._notes["truncated"] = 1
            if found:
                self._report(f"{self._path} is truncated: {error}. What could be read was walked; fetch it again.")
        malformed = self._notes["malformed_lines"]
        if malformed and not found:
            raise InputProblem(
                f"{self._path} isn't a Wikidata JSON dump: none of its lines holds an entity. "
                "A dump is a .json or .json.gz file with one entity a line."
            )
        if malformed > REPORTED_LINES:
            self._report(f"{self._path}: {malformed} malformed lines skipped in all.")

    def properties(self, ids: Collection[str]) -> Mapping[str, PropertyFacts]:
        """Facts of properties; where one hasn't been met yet, the whole dump is looked through for them once."""
        if not self._all_facts_known and any(name not in self._facts for name in ids):
            for entity in self._matching(lambda head: head.id.startswith("P")):
                self._facts[entity["id"]] = property_facts(entity)
            self._all_facts_known = True
        return {name: self._facts[name] for name in ids if name in self._facts}

    def terms(self, ids: Collection[str]) -> Iterator[Term]:
        """The words of ids, in one pass over the dump."""
        left = set(ids)
        lexemes = {name.split("-", 1)[0] for name in left if name.startswith("L")}
        if not left:
            return
        for entity in self._matching(lambda head: head.id in left or head.id in lexemes):
            for term in entity_terms(entity, self._languages):
                if term.id in left:
                    left.discard(term.id)
                    yield term
            if not left:
                return

    def _matching(self, wanted: Callable[[_Head], bool]) -> Iterator[Entity]:
        """The readable entities whose head is wanted; faults were or will be reported by `entities`."""
        decoder = msgspec.json.Decoder(_Head)
        try:
            for line in self._lines("Reading words"):
                try:
                    if wanted(decoder.decode(line.text)):
                        yield check_entity(_decoded(line.text))
                except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, MalformedEntity):
                    continue
        except TruncatedDump:
            return

    def _lines(self, label: str) -> Iterator[Line]:
        with self._meter(label, self._path.stat().st_size if self._path.is_file() else 0) as progress:
            yield from read_lines(self._path, progress)

    def _malformed(self, number: int, error: Exception, report: Report) -> None:
        self._notes["malformed_lines"] += 1
        if self._notes["malformed_lines"] <= REPORTED_LINES:
            report(f"{self._path}: line {number} is malformed and was skipped: {error}")


def _decoded(text: bytes) -> Any:
    """A line as JSON, without NUL characters, which nothing downstream can keep."""
    return msgspec.json.decode(text.replace(b"\\u0000", b""))


def read_lines(path: Path, progress: Callable[[int], None] = lambda _: None) -> Iterator[Line]:
    """The lines of a dump that should hold an entity: blank ones and the brackets around are left out.

    Raises `InputProblem` for a file that can't be read or isn't a dump, `TruncatedDump` at a premature end.
    """
    try:
        with path.open("rb") as file:
            yield from _entity_lines(path, _unpacked(path, file, progress))
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: OSError) -> InputProblem:
    return InputProblem(f"{path} can't be read: {error.strerror or error}. Check the path of the dump.")


def _entity_lines(path: Path, chunks: Iterator[bytes]) -> Iterator[Line]:
    opened = closed = False
    last = 0
    for number, raw, ended in _raw_lines(path, chunks):
        last, text = number, raw.strip()
        if not opened and text.startswith(b"["):
            opened, text = True, text[1:].strip()
        if opened and (text == b"]" or text.endswith(b"}]")):
            closed, text = True, text[:-1]
        text = text.removesuffix(b",").rstrip()
        if text and not ended and not _parses(text):
            raise TruncatedDump(f"line {number} breaks off")
        if text:
            yield Line(number, text)
    if opened and not closed:
        raise TruncatedDump(f"its closing bracket is missing after line {last}")


def _parses(text: bytes) -> bool:
    try:
        msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def _raw_lines(path: Path, chunks: Iterator[bytes]) -> Iterator[tuple[int, bytes, bool]]:
    """Lines with their numbers, and whether a line end was there. The first byte decides whether it is a dump."""
    number, rest, begun, early_end = 0, b"", False, None
    for chunk in _until_truncated(chunks):
        if isinstance(chunk, TruncatedDump):
            early_end = chunk
            break
        rest += chunk
        if not begun and (start := rest.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]):
            begun = True
            rest = rest.removeprefix(b"\xef\xbb\xbf")
            if start not in (b"[", b"{"):
                raise InputProblem(
                    f"{path} isn't a Wikidata JSON dump: it begins with neither a bracket nor an entity. "
                    "A dump is a .json or .json.gz file with one entity a line."
                )
        *lines, rest = rest.split(b"\n")
        for line in lines:
            number += 1
            yield number, line, True
        if len(rest) > LONGEST_LINE:
            raise InputProblem(f"{path} isn't a Wikidata JSON dump: line {number + 1} is longer than any entity.")
    if not begun and not early_end:
        raise InputProblem(f"{path} isn't a Wikidata JSON dump: it is empty.")
    if rest.strip() and (not early_end or _parses(rest.strip().removesuffix(b","))):
        yield number + 1, rest, False
    if early_end:
        raise early_end


def _until_truncated(chunks: Iterator[bytes]) -> Iterator[bytes | TruncatedDump]:
    """The chunks, and the premature end as a value, so that what came before it is used first."""
    try:
        yield from chunks
    except TruncatedDump as error:
        yield error


class _Unpacker(Protocol):
    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, /) -> bytes: ...


def _unpacked(path: Path, file: BinaryIO, progress: Callable[[int], None]) -> Iterator[bytes]:
    """The bytes of a plain, gzip or bzip2 file, told apart by how it begins."""
    start = file.read(3)
    file.seek(0)
    if start.startswith(GZIP):
        yield from _decompressed(path, file, progress, lambda: isal_zlib.decompressobj(wbits=31))
    elif start.startswith(BZIP2):
        yield from _decompressed(path, file, progress, bz2.BZ2Decompressor)
    else:
        while chunk := file.read(CHUNK):
            progress(len(chunk))
            yield chunk


def _decompressed(
    path: Path, file: BinaryIO, progress: Callable[[int], None], new: Callable[[], _Unpacker]
) -> Iterator[bytes]:
    unpacker, given = new(), 0
    while chunk := file.read(CHUNK):
        progress(len(chunk))
        while chunk:
            if unpacker.eof:  # dumps are made of several compressed members, one after the other
                unpacker = new()
            try:
                data = unpacker.decompress(chunk)
            except DAMAGE as error:
                raise _damaged(path, given, file.tell()) from error
            given += len(data)
            yield data
            chunk = unpacker.unused_data if unpacker.eof else b""
    if not unpacker.eof:
        raise TruncatedDump("its compressed data ends too early")


def _damaged(path: Path, given: int, position: int) -> Exception:
    if not given:
        return InputProblem(f"{path} isn't a Wikidata JSON dump: its compressed data can't be read.")
    return TruncatedDump(f"its compressed data is damaged near byte {position}")
