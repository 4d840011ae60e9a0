"""An editor's wording for a property: one of its aliases, or a whole sentence with gaps.

The language of patterns, in full:

- `{subject}` and `{object}` take the item's label and the value in words; both must be there.
- `{P585}` takes the values of a qualifier, by its property's id: "2008", "1 May 2008", "Paris and Rome".
- `[ in {P585}]` is an optional part: it vanishes where the statement lacks a qualifier that it names. Parts can stand
  in each other: `[ from {P580}[ to {P582}]]`.

A qualifier outside of square brackets is needed: statements that lack it are put into words as if there were no
override. Qualifiers that a pattern says are not said once more; all others follow as ever.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from models.verbalise.complaint import Complaint

SUBJECT, OBJECT = "subject", "object"
MAX_PATTERN = 300
_QUALIFIER = re.compile(r"P[1-9][0-9]{0,11}")
_TOKEN = re.compile(r"(\{[^{}]*\}|\[|\])")
_UNSEEN = frozenset({"Cc", "Cs", "Zl", "Zp"})
_TURNING = frozenset("\u200b\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff")
# A blank before one of these, or before another, is too much where a part between them vanished.
_CLOSES_UP = (" ", ".", ",", ";", ":", "!", "?", ")")


@dataclass(frozen=True, slots=True)
class Override:
    """`label`: `text` stands in place of the property's own label. `pattern`: `text` is the sentence."""

    wording: Literal["label", "pattern"]
    text: str


@dataclass(frozen=True, slots=True)
class Gap:
    """Takes the subject, the object, or the values of the qualifier whose property's id it names."""

    name: str


@dataclass(frozen=True, slots=True)
class Part:
    """What stands in square brackets."""

    pieces: tuple[Piece, ...]


Piece = str | Gap | Part


def in_force(overrides: Mapping[str | None, Override], classes: Sequence[str]) -> Override | None:
    """The override for a subject of these classes, of those of its property by class (None: for all subjects).

    The first of its classes that has one decides; where none has, the one for all does.
    """
    for subject_class in classes:
        if subject_class in overrides:
            return overrides[subject_class]
    return overrides.get(None)


def named_qualifiers(text: str) -> tuple[str, ...]:
    """The ids of the qualifiers that a pattern names, each once, in their order."""
    return tuple(dict.fromkeys(gap.name for gap in _gaps(_read(text)) if gap.name not in {SUBJECT, OBJECT}))


def spoken_qualifiers(text: str, words: Mapping[str, str]) -> frozenset[str] | None:
    """Those that a pattern says of a statement whose qualifiers are `words` (by id, in words).

    None where it needs one that the statement lacks: then the pattern isn't for this statement.
    """
    pieces = _read(text)
    if not _complete(pieces, words):
        return None
    return frozenset(_spoken(pieces, words))


def fill_pattern(text: str, subject: str, object_: str, words: Mapping[str, str] | None = None) -> str:
    """Put subject, object and qualifiers (by id, in words) into the gaps, all else as it stands.

    Their own braces and brackets are never read as gaps. A needed qualifier that is lacking leaves nothing behind.
    """
    return _filled(_read(text), {**(words or {}), SUBJECT: subject, OBJECT: object_})


def check_pattern(text: str) -> Complaint | None:
    """Say what is wrong with a pattern, in words for the form; None when it is good."""
    if not text.strip():
        return Complaint("Write a sentence with {subject} and {object} in it.")
    if len(text) > MAX_PATTERN:
        return Complaint(
            "Keep the pattern within %(most)s characters; it has %(length)s.", most=MAX_PATTERN, length=len(text)
        )
    if any(unicodedata.category(character) in _UNSEEN or character in _TURNING for character in text):
        return Complaint("Keep the pattern on one line, without tabs, control characters, or marks that can't be seen.")
    return _check_braces(text) or _check_brackets(text) or _check_sentence(text)


def _check_braces(text: str) -> Complaint | None:
    for mark in re.findall(r"\{[^{}]*\}", text):
        name = mark[1:-1]
        if name in {SUBJECT, OBJECT} or _QUALIFIER.fullmatch(name):
            continue
        meant = name.strip().upper()
        if meant in {"SUBJECT", "OBJECT"} or _QUALIFIER.fullmatch(meant):
            right = f"{{{meant.lower() if meant in {'SUBJECT', 'OBJECT'} else meant}}}"
            return Complaint("Write %(right)s in place of “%(mark)s”.", right=right, mark=mark)
        return Complaint(
            "“%(mark)s” can't be filled in: only {subject}, {object} and qualifiers, like {P585}, stand in braces.",
            mark=mark,
        )
    left = re.sub(r"\{[^{}]*\}", "", text)
    if "{" in left:
        return Complaint("A brace is opened and not closed: write {subject}, {object} or a qualifier like {P585}.")
    if "}" in left:
        return Complaint("A brace is closed that was not opened: write {subject}, {object} or a qualifier like {P585}.")
    return None


def _check_brackets(text: str) -> Complaint | None:
    named: list[bool] = []  # of the parts that are open, whether they name a qualifier
    for mark in _TOKEN.split(text):
        if mark == "[":
            named.append(False)
        elif mark == "]":
            if not named:
                return Complaint("A square bracket is closed that was not opened.")
            if not named.pop():
                return Complaint(
                    "Square brackets hold what is left out where a qualifier is missing: name one, as in [ in {P585}]."
                )
            if named:  # a part is about what those in it are about, too
                named[-1] = True
        elif named and mark in {"{subject}", "{object}"}:
            return Complaint("Take %(gap)s out of the square brackets: it is always said.", gap=mark)
        elif named and mark.startswith("{"):
            named[-1] = True
    return Complaint("A square bracket is opened and not closed.") if named else None


def _check_sentence(text: str) -> Complaint | None:
    for gap in ("{subject}", "{object}"):
        if gap not in text:
            return Complaint("The pattern lacks %(gap)s.", gap=gap)
    always = "".join(_always(_read(text)))
    said = re.split(r"\{(?:subject|object)\}", always)
    if not any(character.isalpha() for part in said for character in part) or not said[1].strip():
        return Complaint("Write words between {subject} and {object} that say how they belong together.")
    return None


def _always(pieces: Sequence[Piece]) -> Iterator[str]:
    """What is said of every statement, without qualifiers."""
    for piece in pieces:
        if isinstance(piece, str):
            yield piece
        elif isinstance(piece, Gap) and piece.name in {SUBJECT, OBJECT}:
            yield f"{{{piece.name}}}"


@lru_cache(maxsize=1024)
def _read(text: str) -> tuple[Piece, ...]:
    """A pattern in pieces. What isn't a gap, or a part that names a qualifier, is words, whatever it looks like."""
    open_: list[list[Piece]] = [[]]
    for mark in _TOKEN.split(text):
        if mark == "[":
            open_.append([])
        elif mark == "]" and len(open_) > 1:
            pieces = open_.pop()
            if any(gap.name not in {SUBJECT, OBJECT} for gap in _gaps(pieces)):
                open_[-1].append(Part(tuple(pieces)))
            else:
                open_[-1] += ["[", *pieces, "]"]
        elif mark.startswith("{") and (mark[1:-1] in {SUBJECT, OBJECT} or _QUALIFIER.fullmatch(mark[1:-1])):
            open_[-1].append(Gap(mark[1:-1]))
        elif mark:
            open_[-1].append(mark)
    while len(open_) > 1:
        pieces = open_.pop()
        open_[-1] += ["[", *pieces]
    return tuple(open_[0])


def _gaps(pieces: Sequence[Piece]) -> Iterator[Gap]:
    for piece in pieces:
        if isinstance(piece, Gap):
            yield piece
        elif isinstance(piece, Part):
            yield from _gaps(piece.pieces)


def _complete(pieces: Sequence[Piece], words: Mapping[str, str]) -> bool:
    """Whether all that stands here itself, not in a part of it, can be said."""
    return all(
        words.get(piece.name) for piece in pieces if isinstance(piece, Gap) and piece.name not in {SUBJECT, OBJECT}
    )


def _sayable(part: Part, words: Mapping[str, str]) -> bool:
    """Whether a part says something of the statement: it has all that it needs, and, of what it names, anything."""
    own = any(isinstance(piece, Gap) for piece in part.pieces)
    inner = any(isinstance(piece, Part) and _sayable(piece, words) for piece in part.pieces)
    return _complete(part.pieces, words) and (own or inner)


def _spoken(pieces: Sequence[Piece], words: Mapping[str, str]) -> Iterator[str]:
    for piece in pieces:
        if isinstance(piece, Gap) and piece.name not in {SUBJECT, OBJECT}:
            yield piece.name
        elif isinstance(piece, Part) and _sayable(piece, words):
            yield from _spoken(piece.pieces, words)


def _filled(pieces: Sequence[Piece], words: Mapping[str, str]) -> str:
    said, vanished = "", False
    for piece in pieces:
        if isinstance(piece, Part) and not _sayable(piece, words):
            vanished = True
            continue
        more = _one(piece, words)
        if vanished and more:
            if said.endswith(" ") and more.startswith(_CLOSES_UP):
                said = said.removesuffix(" ")
            elif not said:
                more = more.lstrip(" ")
            vanished = False
        said += more
    return said.removesuffix(" ") if vanished else said


def _one(piece: Piece, words: Mapping[str, str]) -> str:
    match piece:
        case Gap(name):
            return words.get(name, "")
        case Part(pieces):
            return _filled(pieces, words)
        case _:
            return piece
