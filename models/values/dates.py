"""Dates in running text, at the precision they are given, and how one compares with a statement's date."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from babel import Locale

from models.statement import TimeValue

_LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "sv")


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date that a text names. What the text doesn't give is None.

    `year` is astronomical in sign only (44 BC is −44, as in Wikidata's JSON); `span` is 1 for a year, 10 for a
    decade, 100 for a century, beginning at `year`. `other` is the same digits read the other way round, where
    day and month can't be told apart ("03/04/1990").
    """

    start: int
    end: int
    year: int
    month: int | None = None
    day: int | None = None
    span: int = 1
    about: bool = False
    other: tuple[int, int] | None = None  # (month, day)


@cache
def _months() -> dict[str, int]:
    names: dict[str, int] = {}
    for language in _LANGUAGES:
        months = Locale(language).months
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for number, name in months[context][width].items():
                    folded = name.casefold().rstrip(".")
                    if len(folded) >= 3 and not folded[0].isdigit():
                        names.setdefault(folded, number)
    names.update({"sept": 9, "janv": 1, "febr": 2})
    return names


@cache
def _pattern() -> re.Pattern[str]:
    month = "|".join(sorted(map(re.escape, _months()), key=len, reverse=True))
    ordinal = r"(?:st|nd|rd|th|\.|º|ª|er)?"
    era = r"(?:\s*(?P<{}b>b\.?\s?c\.?(?:\s?e\.?)?)(?![a-z]))?"
    year = r"(?P<{}>\d{{3,4}}(?!\d)|\d{{1,2}}(?=\s?b\.?\s?c)|['’]\d\d(?!\d))(?:[/–-]\d{{1,2}}(?!\d))?" + era
    return re.compile(
        rf"""
        (?<![\w/.-])(?P<iy>\d{{4}})-(?P<im>0[1-9]|1[0-2])-(?P<id>0[1-9]|[12]\d|3[01])(?!\d)
        | (?<!\w)(?P<ad>[0-3]?\d){ordinal}\s*(?:day\s)?(?:of\s|de\s)?\s*(?P<am>{month})(?![^\W\d])\.?,?
          \s*(?:de[l]?\s|of\s)?\s*{year.format("ay", "ay")}
        | (?<![^\W\d_])(?P<bm>{month})(?![^\W\d])\.?\s*(?P<bd>[0-3]?\d){ordinal}(?!\d),?
          \s*(?:in\s|of\s)?\s*{year.format("by", "by")}
        | (?<![^\W\d_])(?P<cm>{month})(?![^\W\d])\.?,?\s*(?:of\s|de\s)?\s*{year.format("cy", "cy")}
        | (?<!\w)(?P<gy>\d{{4}}),?\s+(?P<gm>{month})(?![^\W\d])\.?\s*(?P<gd>[0-3]?\d)?(?![\w])
        | (?<![\w/.-])(?P<da>\d{{1,2}})\s?(?P<ds>[./-])\s?(?P<db>\d{{1,2}})\s?(?P=ds)
          \s?(?P<dy>\d{{4}}|\d{{2}})(?![\w/-])
        | (?<![\w/.-])(?P<hy>\d{{4}})(?P<hs>[./])(?P<hm>\d{{1,2}})(?P=hs)(?P<hd>\d{{1,2}})(?![\w/])
        | (?<!\w)(?P<ec>\d{{1,2}})(?:st|nd|rd|th)[\s-]century(?P<ecb>\s*b\.?\s?c\.?(?:\s?e\.?)?(?![a-z]))?
        | (?<![\w/.,-])(?P<fd>1\d{{2}}0|20\d0)['’]?s(?!\w)
        | (?<![\w.,/£$€])(?P<yb>\d{{1,4}})(?:\s*[–-]\s*\d{{1,4}})?\s*(?P<ybb>b\.?\s?c\.?(?:\s?e\.?)?)(?![a-z])
        | (?:(?<=\ba\.d\.\s)|(?<=\bad\s)|(?<=\bc\.\s)|(?<=\bca\.\s))(?P<ya>\d{{3,4}})(?![\d.,]\d|\w)
        | (?<![\w,£$€#])(?<!\d[.])(?P<y>1\d{{3}}|20\d{{2}})(?![\w%]|[.,]\d|['’]s)
        """,
        re.VERBOSE | re.IGNORECASE,
    )


_ABOUT = re.compile(r"(?:\b(?:c|ca|circa|about|around|approximately|before|after|early|late)\.?\s*)$", re.IGNORECASE)
_SHORT_RANGE = re.compile(r"(?<!\d)(1\d{3}|20\d{2})\s?[–-]\s?(\d{2})(?!\d)")


def find_dates(text: str) -> list[DateMention]:
    """Every date in a text, in order, none overlapping; "1803–09" gives both its years."""
    found = [mention for match in _pattern().finditer(text) if (mention := _read(match, text))]
    for match in _SHORT_RANGE.finditer(text):
        year = int(match.group(1)[:2] + match.group(2))
        if year > int(match.group(1)):
            found.append(DateMention(match.start(2), match.end(2), year))
    return found


def _read(match: re.Match[str], text: str) -> DateMention | None:
    group = match.group
    start, end = match.span()
    about = _ABOUT.search(text[max(0, start - 16) : start]) is not None
    if group("iy"):
        return _dated(start, end, int(group("iy")), int(group("im")), int(group("id")), about)
    for key in ("a", "b"):
        if group(f"{key}m"):
            year = _year(group(f"{key}y"), group(f"{key}yb"))
            return _dated(start, end, year, _months()[group(f"{key}m").casefold()], int(group(f"{key}d")), about)
    if group("cm"):
        return DateMention(start, end, _year(group("cy"), group("cyb")), _months()[group("cm").casefold()], about=about)
    if group("gm"):
        day = int(group("gd")) if group("gd") else None
        return _dated(start, end, int(group("gy")), _months()[group("gm").casefold()], day, about)
    if group("hy"):
        return _dated(start, end, int(group("hy")), int(group("hm")), int(group("hd")), about)
    if group("dy"):
        return _numeric(start, end, int(group("da")), int(group("db")), group("dy"), about)
    if group("ec"):
        number = int(group("ec"))
        first = -number * 100 if group("ecb") else (number - 1) * 100
        return DateMention(start, end, first, span=100, about=about)
    if group("fd"):
        return DateMention(start, end, int(group("fd")), span=10, about=about)
    if group("yb"):
        return DateMention(start, end, -int(group("yb")), about=about) if int(group("yb")) else None
    return DateMention(start, end, int(group("ya") or group("y")), about=about)


def _year(digits: str, bc: str | None) -> int:
    if digits[0] in "'’":
        return _full_year(digits[1:])
    return -int(digits) if bc else int(digits)


def _full_year(digits: str) -> int:
    """A two-digit year after POSIX's rule: 69–99 are 1969–1999."""
    number = int(digits)
    return number if len(digits) > 2 else number + (1900 if number >= 69 else 2000)


def _dated(start: int, end: int, year: int, month: int, day: int | None, about: bool) -> DateMention | None:
    if not 1 <= month <= 12:
        return None
    if day is not None and not 1 <= day <= 31:
        return DateMention(start, end, year, month, about=about)
    return DateMention(start, end, year, month, day, about=about)


def _numeric(start: int, end: int, a: int, b: int, digits: str, about: bool) -> DateMention | None:
    year = _full_year(digits)
    if a > 31 or b > 31 or not a or not b or (a > 12 and b > 12):
        return None
    if a > 12:
        return DateMention(start, end, year, b, a, about=about)
    if b > 12:
        return DateMention(start, end, year, a, b, about=about)
    return DateMention(start, end, year, b, a, about=about, other=None if a == b else (a, b))


def two_digit_twin(mention: DateMention, text: str, year: int) -> bool:
    """True where a two-digit year of the text could be `year` of another century ("14/09/66" and 1866)."""
    words = text[mention.start : mention.end]
    tail = re.search(r"(?<!\d)(\d{2})$", words)
    # With a whole year in it ("2000-01-01"), what stands last is a day.
    return tail is not None and year % 100 == int(tail.group(1)) and re.search(r"\d{3}", words) is None


def compare(value: TimeValue, mention: DateMention, text: str = "") -> str:
    """How a mentioned date stands to a statement's date.

    "exact": the same at the statement's precision (a finer mention too: 14 September 1966 says 1966);
    "coarser": agrees as far as it goes but says less; "conflict": another date; "unclear": neither can be told.
    """
    if value.precision < 9:
        return _compare_span(value, mention)
    if mention.span > 1:
        return "coarser" if mention.year <= value.year < mention.year + mention.span else "conflict"
    if mention.year != value.year and not (text and mention.day and two_digit_twin(mention, text, value.year)):
        return "conflict"
    if value.precision == 9 or value.month is None:
        return "exact"
    if mention.month is None:
        return "coarser"
    readings = [(mention.month, mention.day), *([mention.other] if mention.other else [])]
    months = [day for month, day in readings if month == value.month]
    if not months:
        return "conflict"
    if value.precision == 10 or value.day is None:
        return "exact"
    if value.day in months:
        return "exact"
    return "coarser" if None in months else "conflict"


_SPANS = {8: 10, 7: 100, 6: 1000}


def _compare_span(value: TimeValue, mention: DateMention) -> str:
    span = _SPANS.get(value.precision)
    if span is None:
        return "unclear"
    # A century is written as its last year or any year of it: 1900 at precision 7 is the 19th century.
    first = (value.year - 1) // span * span if value.precision <= 7 else value.year // span * span
    if mention.span == 1:
        return "exact" if first <= mention.year < first + span + (1 if span >= 100 else 0) else "conflict"
    if mention.span == span:
        return "exact" if mention.year == first else "conflict"
    if mention.span < span:
        return "exact" if first <= mention.year < first + span else "conflict"
    return "coarser" if mention.year <= first < mention.year + mention.span else "conflict"
