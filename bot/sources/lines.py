"""The lines of a Wikidata JSON dump that should hold an entity, each with its number, from a file or a pipe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import msgspec

from bot.problem import InputProblem
from bot.sources.packed import Damaged, unpacked

LONGEST_LINE = 256 << 20  # bytes; the largest entities of Wikidata are some megabytes
_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a dump that should hold an entity, without its comma. `number` counts from 1."""

    number: int
    text: bytes


class TruncatedDump(Exception):
    """The dump ends before its end. Raised after every line that could be read was given."""


def read_lines(path: Path, progress: Callable[[int], None] = lambda _: None) -> Iterator[Line]:
    """The lines of a dump that should hold an entity: blank ones and the brackets around are left out.

    Raises `InputProblem` for a file that can't be read or isn't a dump, `TruncatedDump` at a premature end.
    """
    try:
        with path.open("rb") as file:
            yield from _entity_lines(str(path), file, progress)
    except OSError as error:
        raise InputProblem(f"{path} can't be read: {error.strerror or error}. Check the path of the dump.") from error


def _entity_lines(name: str, file: BinaryIO, progress: Callable[[int], None]) -> Iterator[Line]:
    opened = closed = False
    last = 0
    for number, raw, ended in _raw_lines(name, file, progress):
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


def _raw_lines(name: str, file: BinaryIO, progress: Callable[[int], None]) -> Iterator[tuple[int, bytes, bool]]:
    """Lines with their numbers, and whether a line end was there."""
    number, early_end = 0, None
    parts, held = list[bytes](), 0  # of a line whose end hasn't come: joined once, however long it is
    try:
        for chunk in _checked(name, unpacked(file, progress)):
            *lines, rest = chunk.split(b"\n")
            for line in lines:
                number += 1
                yield number, b"".join((*parts, line)) if parts else line, True
                parts, held = [], 0
            parts.append(rest)
            held += len(rest)
            if held > LONGEST_LINE:
                raise InputProblem(f"{name} isn't a Wikidata JSON dump: line {number + 1} is longer than any entity.")
    except Damaged as damage:
        if not damage.given and not damage.ended:
            raise InputProblem(f"{name} isn't a Wikidata JSON dump: its compressed data can't be read.") from damage
        early_end = TruncatedDump(str(damage))
    rest = b"".join(parts)
    if rest.strip() and (not early_end or _parses(rest.strip().removesuffix(b","))):
        yield number + 1, rest, False
    if early_end:
        raise early_end


def _checked(name: str, chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The chunks of what begins as a dump does: with a bracket or an entity, blanks and a byte order mark aside."""
    begun = b""
    for chunk in chunks:
        begun = (begun + chunk).removeprefix(_MARK)
        if len(begun) > LONGEST_LINE:
            break
        if start := begun.lstrip()[:1]:
            if start not in (b"[", b"{"):
                raise InputProblem(
                    f"{name} isn't a Wikidata JSON dump: it begins with neither a bracket nor an entity. "
                    "A dump is a .json or .json.gz file with one entity a line."
                )
            yield begun
            yield from chunks
            return
    raise InputProblem(f"{name} isn't a Wikidata JSON dump: it is empty.")
