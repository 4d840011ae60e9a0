"""Full stops that end no sentence, though a splitter takes them for its end: "22. Oktober", "1811. évi", "pp. 9"."""

from __future__ import annotations

import re
from functools import cache

from babel import Locale

from models.values.dates.months import is_clear, months

_REACH = 40  # characters on each side of a full stop that are looked at
_NUMBER = re.compile(r"(?<![\w.,])(\d{1,4})\.\s+\Z")
_ROMAN = re.compile(r"(?<!\w)[IVXL]{1,6}\.\s+\Z")
_WORD = re.compile(r"[^\W\d_]+")
_YEAR_BEHIND = re.compile(r"\.?\s+\d{4}(?!\d)")
# "Am 3. 10. 1811": before each of its full stops, and behind it.
_DAY, _DAY_AND_MONTH = re.compile(r"(?<![\w.,])\d{1,2}\.\s+\Z"), re.compile(r"(?<![\w.,])\d{1,2}\.\s?\d{1,2}\.\s+\Z")
_MONTH_AND_YEAR, _YEAR = re.compile(r"\d{1,2}\.\s?\d{4}(?!\d)"), re.compile(r"\d{4}(?!\d)")
# Behind these in German a number is an ordinal; so it is before a century.
_ARTICLE = re.compile(r"\b(?:im|am|vom|zum|zur|beim|ins|den|dem|der|das|ab)\s+\d{1,3}\.\s+\Z", re.IGNORECASE)
_CENTURY = re.compile(r"(?:Jahrhundert|Jahrtausend|Jhd?t?\b|Jh\b)")
# "1811. gada", "1811. godine", "1811. u Beču", "1811. évi": words that follow a year with its ordinal's full stop.
_OF_YEARS = re.compile(r"(?:gad|god|год|рок|év)\w*|u\b")
# Before a number; those of the second kind before a word in lower case too. "No" is a word as well.
_BEFORE_NUMBER = re.compile(
    r"(?<!\w)(?:(?:[Pp]p|[Vv]ols?|[Nn](?:os?|rs?)|[Ff]igs?|[Cc]h(?:s|ap|aps)?|[Ff]ols?|[Bb]de?|[Tt]om|[Pp]ts?|[Ss]ect|[Ll]ib|"
    r"[Kk]ap|[Tt]el|[Aa]bb|стр|вып)|cc?a|approx|pls?|cols?|mss?)\.\s+\Z"
)
_BEFORE_WORD = re.compile(r"(?<!\w)(?:pp|vols|nrs?|figs|approx|bde|mss)\.\s+\Z")


def goes_on(line: str, at: int) -> bool:
    """Whether the sentence that a splitter ends before a place of a line goes on there.

    A number or a Roman one with its full stop is an ordinal before a word in lower case; before a capital it is one in
    a date ("22. Oktober 1811"), behind a German article, and before a century. An abbreviation goes on to its number.
    """
    before, behind = line[max(0, at - _REACH) : at], line[at : at + _REACH]
    if not before.rstrip().endswith("."):
        return False
    if behind[:1].isdigit():
        return _leads_to_number(before, behind)
    word = _WORD.match(behind)
    if word is None or behind.startswith(":", word.end()):  # "2011;55(10):4712-7. doi:10.1128"
        return False
    number = _NUMBER.search(before)
    if not word[0].islower():
        return number is not None and _is_ordinal(number, word, before, behind)
    if number is None:
        return _ROMAN.search(before) is not None or _BEFORE_WORD.search(before) is not None
    # Those who write all in lower case end sentences with a year too.
    return len(number[1]) < 4 or word[0] in _month_names() or _OF_YEARS.match(behind) is not None


def _leads_to_number(before: str, behind: str) -> bool:
    """Whether a number follows an abbreviation or a month's short name, or is the next of a date."""
    if _BEFORE_NUMBER.search(before) or (_DAY.search(before) and _MONTH_AND_YEAR.match(behind)):
        return True
    if not _YEAR.match(behind):
        return False
    short = re.search(r"(?<!\w)([^\W\d_]{3,5})\.\s+\Z", before)
    return _DAY_AND_MONTH.search(before) is not None or (short is not None and _is_month(short[1]))


def _is_ordinal(number: re.Match[str], word: re.Match[str], before: str, behind: str) -> bool:
    """Whether a number before a word with a capital is an ordinal."""
    if len(number[1]) > 3:
        return False
    if _ARTICLE.search(before) or _CENTURY.match(behind):
        return True
    if not 1 <= int(number[1]) <= 31 or not _is_month(word[0]):
        return False
    return word[0].lower() not in _english() or _YEAR_BEHIND.match(behind, word.end()) is not None


def _is_month(word: str) -> bool:
    return word.lower() in months() and is_clear(word.lower())


@cache
def _month_names() -> frozenset[str]:
    """Months by name in languages that put the year before them with a full stop, beside those of `months`."""
    hungarian = Locale("hu").months["format"]["wide"].values()
    return frozenset({*(name for name in months() if is_clear(name) and name not in _english()), *hungarian})


@cache
def _english() -> frozenset[str]:
    """The names of months in English: capitals and full stops around them may be those of sentences."""
    wide, short = (Locale("en").months["format"][width].values() for width in ("wide", "abbreviated"))
    return frozenset(name.lower() for name in (*wide, *short))
