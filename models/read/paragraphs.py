"""Paragraphs out of lines that a machine broke: hard-wrapped text, and the pages of a PDF."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

# What begins an entry of a list, or a numbered heading.
_ENTRY = re.compile(
    r"\s*(?:[-*+•‣▪◦●–—]\s|\(?\d{1,3}(?:\.\d{1,3}){0,4}[.)]\s|\d{1,2}(?:\.\d{1,2}){1,4}\s+[A-Z]|\(?[a-zA-Z]\)\s)"
)
ENDED = re.compile(r"[.!?:;…。！？][\"'”’»)\]]*$")
_BROKEN_WORD = re.compile(r"([^\W\d_]+)[-\u00ad\u2010]$")
_SOFT = re.compile(r"(\w+)\u00ad(\w+)")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_NARROWEST, _WIDEST = 50, 200  # characters: lines that are shorter or longer weren't broken to fit a page
_LEAST_LINES, _MOST = 3, 0.6
_COMMON = 0.9  # of the lines are no longer than the width of the page


def joined(lines: Sequence[str], width: float, words: frozenset[str] = frozenset()) -> list[str]:
    """The paragraphs of lines without blank ones between them, each on one line.

    Two lines belong together where the next one's first word wouldn't have fitted into `width` characters on the
    first. A word broken at the end of a line is made whole; a hyphen that belongs to it stays where `words` says so.
    """
    paragraphs: list[str] = []
    for number, line in enumerate(lines):
        text = _SOFT.sub(lambda found: _whole(found[1], found[2], words), " ".join(line.split()))
        if number and paragraphs and _goes_on(lines[number - 1], line, width):
            paragraphs[-1] = _together(paragraphs[-1], text, words)
        else:
            paragraphs.append(text)
    return [paragraph for paragraph in paragraphs if paragraph]


def words_of(lines: Sequence[str]) -> frozenset[str]:
    """The words of lines in lower case, hyphenated ones as one word."""
    return frozenset(word.lower() for line in lines for word in _WORD.findall(line))


def is_wrapped(pieces: Sequence[Sequence[str]], width: int) -> bool:
    """Whether a machine broke the lines of a text to fit a width: in some piece of it most lines are full."""
    if not _NARROWEST <= width <= _WIDEST:
        return False
    for piece in pieces:
        full = sum(_goes_on(line, after, width) for line, after in pairwise(piece))
        if len(piece) >= _LEAST_LINES and full >= _MOST * (len(piece) - 1):
            return True
    return False


def width_of(lines: Sequence[str]) -> int:
    """How long a full line is: the longest but for a tenth of the lines, which may stick out."""
    lengths = sorted(len(line.rstrip()) for line in lines if line.strip())
    if not lengths:
        return 0
    usual = lengths[min(len(lengths) - 1, int(len(lengths) * _COMMON))]
    return max(length for length in lengths if length <= usual * 1.25)


def _goes_on(line: str, after: str, width: float) -> bool:
    line, first = line.rstrip(), after.split(maxsplit=1)[:1]
    if not line or not first or _ENTRY.match(after):
        return False
    if _BROKEN_WORD.search(line) and after.lstrip()[0].islower():
        return True
    if len(line) + 1 + len(first[0]) > width:
        return True
    return after.lstrip()[0].islower() and not ENDED.search(line) and len(line) > width / 2


def _together(before: str, after: str, words: frozenset[str]) -> str:
    broken = _BROKEN_WORD.search(before)
    if broken is None or not after[:1].islower():
        return f"{before} {after}" if before[-1:] != "-" or before[-2:-1].isspace() else before + after
    rest = _WORD.match(after)
    end = rest.end() if rest else 0
    return before[: broken.start()] + _whole(broken[1], after[:end], words) + after[end:]


def _whole(start: str, end: str, words: frozenset[str]) -> str:
    """A word that was broken; with its hyphen where it is only known with one, and between numbers."""
    hyphenated = f"{start}-{end}"
    known = hyphenated.lower() in words and (start + end).lower() not in words
    return hyphenated if known or start[-1].isdigit() or end[:1].isdigit() else start + end
