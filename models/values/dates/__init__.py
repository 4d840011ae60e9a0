"""Dates in running text, at the precision they are given, and how one compares with a statement's date."""

from __future__ import annotations

import re

from models.values.dates.ages import find_ages
from models.values.dates.compare import compare
from models.values.dates.deep_time import find_deep_time
from models.values.dates.forms import read_forms
from models.values.dates.mention import DateMention
from models.values.dates.roman_years import find_roman_years
from models.values.dates.setting import in_one_order, in_setting, merged
from models.values.dates.spelled_years import GATE, find_spelled_years
from models.values.dates.words import Shaped, has_any, shaped

__all__ = ["DateMention", "compare", "find_dates"]

_DIGIT = re.compile(r"\d")
# Parts of the words that a date without a digit has: "the nineteenth century", "siglo XIX", "the sixties".
_WORDS = (
    "entur", "ENTUR", "llenni", "LLENNI", "ties", "siècle", "siglo", "secolo", "século", "eeuw", "wiek", " век",
    " w.", " в.", "illion years",
)  # fmt: skip
_COMPACT = re.compile(
    r"(?<![\w.,/-])(1[6-9]\d\d|20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:(?P<time>t\d{4,6}z?)|(?![\w./-]))"
)
_EIGHT = re.compile(r"\d{8}")
_COMPACT_CUE = re.compile(r"\b(?:date|dated|born|died|birth|death|dob|dod|published|on)\W{0,4}$")


def find_dates(text: str) -> list[DateMention]:
    """Every date that a text gives, by its place, none overlapping. Never raises; linear in the text's length.

    Both ends of "1803–09" are dates; "between 1850 and 1853" is one. "Aged 82" beside a birth gives the years of death.
    """
    romans = find_roman_years(text)
    spelled = find_spelled_years(text) if has_any(text, GATE) else []
    if not _DIGIT.search(text) and not has_any(text, _WORDS):
        return _added(romans, spelled) if spelled else romans
    taken = shaped(text)
    placed = merged(taken, in_one_order([in_setting(taken, one) for one in read_forms(taken)]))
    found = [one.mention for one in placed]
    for more in (romans, spelled, _compact(taken), find_deep_time(taken), find_ages(taken, found)):
        if more:
            found = _added(found, more)
    return found


def _compact(taken: Shaped) -> list[DateMention]:
    """ "19660914" where its time of day or a word before it says that it is a date, and no other number."""
    if not _EIGHT.search(taken.lower):
        return []
    return [
        DateMention(match.start(), match.end(), int(match[1]), int(match[2]), int(match[3]))
        for match in _COMPACT.finditer(taken.lower)
        if match.group("time") or _COMPACT_CUE.search(taken.lower[max(0, match.start() - 16) : match.start()])
    ]


def _added(found: list[DateMention], more: list[DateMention]) -> list[DateMention]:
    """Both, by place; what `more` covers gives way."""
    kept: list[DateMention] = []
    for one in sorted([*((m.start, 1, m) for m in found), *((m.start, 0, m) for m in more)], key=lambda e: e[:2]):
        mention = one[2]
        if kept and mention.start < kept[-1].end:
            if one[1]:
                continue
            kept.pop()
        kept.append(mention)
    return kept
