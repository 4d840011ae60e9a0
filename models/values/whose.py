"""Whom a passage speaks of: the subject by name, by the heading above, by a pronoun, or somebody else."""

from __future__ import annotations

import re
from collections.abc import Iterable

from models.statement import Term
from models.values.found import Found

_PRONOUN = re.compile(
    r"\W*(?:he|she|they|it|his|her|hers|their|its|the (?:author|artist|company|film|book|album))\b", re.I
)
# Between a subject's name and a value, these hand the sentence on to a relative.
_RELATIVE = re.compile(
    r"\b(?:father|mother|parents?|wife|husband|widow(?:er)?|spouse|married|sons?|daughters?|child(?:ren)?|brothers?|"
    r"sisters?|siblings?|twin|uncle|aunt|nephew|niece|cousin|grand(?:father|mother|son|daughter|parents?)|heir|"
    r"stepfather|stepmother|predecessor|successor|succeeded by|pupil|student of|namesake)\b",
    re.I,
)
_NAME = re.compile(r"(?<![^\W\d_])(?:[A-ZÀ-ÖØ-Þ][\w’'.-]*\s+){1,4}[A-ZÀ-ÖØ-Þ][\w’'-]+")
_PLACED = re.compile(r"\b(?:in|at|of|near|from|to|for|by|on|the|and|with|de|von|van)\s+\Z", re.I)
_MONTH_OR_DAY = re.compile(
    r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\b", re.I
)
_LIFESPAN = re.compile(r"(?<!\d)(1\d{3}|20\d{2}|[5-9]\d{2})\s*[-–—]\s*(1\d{3}|20\d{2}|[5-9]\d{2})(?!\d)")
_SLACK = 2  # years by which sources differ about one person


def begins_with_pronoun(text: str) -> bool:
    """True where a passage goes on about whom the page is about: "She was born …"."""
    return _PRONOUN.match(text) is not None


def hands_on(text: str, subject: Found | None, value: Found) -> bool:
    """True where a relative or another person is named between the subject (or the beginning) and the value.

    "Ann Lee married John Hall, born 1820" gives nobody's birth but Hall's. Places, which follow a preposition, don't
    count.
    """
    start = subject.end if subject and subject.end <= value.start else 0
    between = text[start : value.start]
    if _RELATIVE.search(between):
        return True
    if subject is None:
        return False
    return any(
        not _PLACED.search(between[: name.start()]) and not _MONTH_OR_DAY.search(name.group())
        for name in _NAME.finditer(between)
    )


def lifespans(texts: Iterable[str]) -> list[tuple[int, int]]:
    """The spans of years in texts, as (first, last)."""
    return [(int(span.group(1)), int(span.group(2))) for text in texts for span in _LIFESPAN.finditer(text)]


def is_namesake(item: Term, heads: Iterable[str]) -> bool:
    """True where the item's description gives a lifespan, and the heads that name it give others in both their years.

    A span that shares either year is the same person's, told differently.
    """
    own = lifespans([item.description])
    theirs = lifespans(heads)
    return bool(own and theirs) and not any(
        abs(first - a) <= _SLACK or abs(last - b) <= _SLACK for first, last in own for a, b in theirs
    )
