"""The years of a person's life beside a name, and whether they are those of another person of that name."""

from __future__ import annotations

import re
from dataclasses import dataclass

_REACH = 110  # characters behind a name in which its years are looked for
_SLACK = 2  # years by which sources differ about one person
_SLACK_ALONE = 5  # the same where one year is all that can be compared: sources err more often than namesakes meet
_SLACK_ABOUT = 10  # the same where a source says "about"
_SHORTEST = 15  # years; a shorter span is an office or a career
_GROWN = 15  # years after a birth from which a span of years may be a career
_LONGEST = 115  # years

_ABOUT = r"(?:(?:c|ca|circa|about|abt|approximately|before|bef|after|aft|um|vers)\b\.?\s*)"
_DAY = (
    r"(?:(?:in|on|le|am)\s+)?"
    r"(?:\d{1,2}(?:st|nd|rd|th|\.)?\s+(?:of\s+|de\s+)?)?(?:(?!act|flo|rei|ser|wor)[^\W\d_]{3,9}\.?,?\s+(?:\d{1,2}(?:st|nd|rd|th)?,?\s+)?)?"
    r"(?:\d{1,2}[./]\d{1,2}[./])?"
)
_YEAR = r"([12]?\d{3})(?:/\d{1,4})?"
_BIRTH = r"(?:born|b\.|geb\.|né[e]?|nato|nata|\*)\s*"
_DEATH = r"(?:died|d\.|gest\.|mort[e]?|†)\s*"
_SPAN = (
    rf"(?:{_BIRTH})?({_ABOUT})?{_DAY}{_YEAR}(\?)?\s*(?:,[^\d;()]{{0,30}})?\s*[-–—−]\s*"
    rf"(?:{_DEATH})?({_ABOUT})?{_DAY}{_YEAR}(\?)?"
)
_ONE = rf"(?:(?P<birth>{_BIRTH})|(?P<death>{_DEATH}))(?P<about>{_ABOUT})?{_DAY}(?P<year>[12]?\d{{3}})(?P<doubt>\?)?"
_OPEN = r"(?P<open>[12]\d{3})\s?[-–—](?=\s*(?:[).,;\]]|$))"
_DESCRIBED = re.compile(rf"(?<!\w)(?:{_SPAN}(?!\d)|{_ONE}(?!\d))", re.IGNORECASE)
# What may stand between a name and its years: signs, and a few words that say what the person was.
_OTHERS = r"(?!(?:of|and|to|by|in|his|her|son|daughter|wife|husband|brother|sister|father|mother|with|for)\b)"
_WHAT = (
    rf"(?:an?\s|the\s)?(?:[A-Z][a-z]+(?:-[A-Z][a-z]+)?\s)?"
    rf"{_OTHERS}[a-z]+(?:[ -]{_OTHERS}[a-z]+){{0,3}},?\s*(?=[(\[])"
)
_BETWEEN = rf"[\s,.:|]*(?:{_WHAT})?[(\[]?\s*"
_BESIDE = re.compile(rf"{_BETWEEN}(?:{_SPAN}(?!\d)|{_ONE}(?!\d)|{_OPEN})")
_CAREER = re.compile(
    r"(?:\bactive|\bfl\.?|\bfloruit|\bworked|\breigned|\bfrom|\bserved)\W*(?:c\.?\s*)?\Z", re.IGNORECASE
)


# "(composer, b. Worcester, Mass., 1947)": in brackets, what the person was and where go before the year.
_BRACKETED = re.compile(
    r"\s?[(\[](?P<what>[^()\[\]\d]{1,60}?[\s,;])??(?:(?P<birth>born\b|b\.|geb\.|né)|(?P<death>died\b|d\.|gest\.|†))"
    r"[^()\[\]\d;]{1,40}(?:\d{1,2}(?!\d)[^()\[\]\d;]{1,20})?(?P<year>[12]\d{3})(?!\d)"
)
_RELATIVES = re.compile(r"\b(?:and|son|daughter|wife|husband|brother|sister|father|mother|with)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Life:
    """The years of a birth and a death, None where unknown. `about`: one of them is said to be uncertain."""

    born: int | None
    died: int | None
    about: bool = False


def described_life(description: str) -> Life | None:
    """The life that a description gives: "English poet (1812–1889)", "American singer (born 1941)"; None for none."""
    match = _DESCRIBED.search(description)
    if match is None or _CAREER.search(description[: match.start()]):
        return None
    return _read(match)


def life_behind(text: str, end: int) -> Life | None:
    """The life that stands right behind a name which ends at a character of a text; None for none.

    "(1928 - 2003)", ", 1545?-1588", ", born 13 May 1868 in Faaborg", ", English novelist (1912–1975)", ", 1904-".
    """
    behind = text[end : end + _REACH]
    if not any(c.isdigit() for c in behind[:60]):
        return None
    if (match := _BESIDE.match(behind)) is not None:
        return _read(match)
    told = _BRACKETED.match(behind)
    if told is None or _RELATIVES.search(told.group()):
        return None
    year = int(told.group("year"))
    return Life(year, None) if told.group("birth") else Life(None, year)


def _read(match: re.Match[str]) -> Life | None:
    about, first, doubt, about_end, last, doubt_end = match.groups()[:6]
    if first is not None:
        born, died = int(first), int(last)
        uncertain = any((about, doubt, about_end, doubt_end))
        return Life(born, died, uncertain) if _SHORTEST <= died - born <= _LONGEST else None
    parts = match.groupdict()
    if parts.get("open"):
        return Life(int(parts["open"]), None)
    year, uncertain = int(parts["year"]), bool(parts["about"] or parts["doubt"])
    return Life(year, None, uncertain) if parts["birth"] else Life(None, year, uncertain)


def is_another(own: Life, told: Life) -> bool:
    """True where two lives can't be one person's: no year that both give agrees, or one ends before the other begins.

    A span inside a grown person's life may be a career, and says nothing.
    """
    compared = [(a, b) for a, b in ((own.born, told.born), (own.died, told.died)) if a is not None and b is not None]
    if compared:
        slack = _SLACK if len(compared) > 1 else _SLACK_ALONE
        if own.about or told.about:
            slack = _SLACK_ABOUT
        return not any(abs(a - b) <= slack for a, b in compared) and not _may_be_career(own, told)
    first, last = own.born or told.born, own.died or told.died
    return first is not None and last is not None and not 0 <= last - first <= _LONGEST


def _may_be_career(own: Life, told: Life) -> bool:
    if own.born is None or told.born is None or told.died is None:
        return False
    return own.born + _GROWN <= told.born and told.died <= (own.died or own.born + _LONGEST)
