"""Years that an age and another date of the same text give: "born 3 May 1900 … died aged 82"."""

from __future__ import annotations

import re
from bisect import bisect_left

from models.values.dates.calendar import GREGORIAN, date_of, day_number
from models.values.dates.mention import DateMention
from models.values.dates.words import Shaped, has_any

_WORDS = ("aged", "age ", "th year", "nd year", "rd year", "st year", "died at")
_AGE = re.compile(
    r"\baged\s{1,3}(?:about\s)?(?P<a>\d{1,3})(?!\d|[–-]\d)|\b(?:at\s(?:the\s|an?\s)?)?age(?:\sof)?\s{1,3}(?P<b>\d{1,3})(?!\d|[–-]\d)"
    r"|\bdied\sat\s(?P<c>\d{2,3})(?![\d:.]|\s?[ap]\.?m)|\bin\s(?:his|her|their|the)\s(?P<d>\d{1,3})(?:st|nd|rd|th)\syear\b"
)
_BORN = re.compile(r"(?:\b(?:born|b\.|birth|née?|geboren|geb\.|nacid[oa]|nat[oa]|nascid[oa])|\*)[^.;]{0,60}$")
_DIED = re.compile(r"(?:\b(?:died|d\.|death|dead|gestorben|mort|murió|morto)|†)[^.;]{0,60}$")
_OF_DEATH = re.compile(r"\b(?:died|dead|death|passed|aged|killed|buried|†)")
_NEAR = 60  # characters before a date in which the word "born" is about it
_FAR = 800  # characters between an age and the birth it is reckoned from
_OLDEST = 125


def find_ages(text: Shaped, found: list[DateMention]) -> list[DateMention]:
    """The date of death that an age and a birth before it give, or the date of birth from an age and a death.

    Each is a mention of the words of the age with `role` "aged" and the years that it lies in.
    """
    if not found or not has_any(text.lower, _WORDS):
        return []
    plain = [m for m in found if m.span == 1 and not (m.bound or m.role or m.last or m.short or m.other)]
    born = [m for m in plain if _is_after(_BORN, _DIED, text.lower, m.start)]
    died = [m for m in plain if _is_after(_DIED, _BORN, text.lower, m.start)]
    return [mention for match in _AGE.finditer(text.lower) if (mention := _reckoned(match, text.lower, born, died))]


def _is_after(wanted: re.Pattern[str], other: re.Pattern[str], lower: str, start: int) -> bool:
    before = lower[max(0, start - _NEAR) : start]
    one, two = wanted.search(before), other.search(before)
    return one is not None and (two is None or two.start() < one.start())


def _reckoned(match: re.Match[str], lower: str, born: list[DateMention], died: list[DateMention]) -> DateMention | None:
    age = int(match.group("a") or match.group("b") or match.group("c") or match.group("d"))
    age -= match.group("d") is not None  # in one's 83rd year one is 82
    if not 0 < age <= _OLDEST:
        return None
    start = match.start()
    if birth := _nearest(born, start):
        if _OF_DEATH.search(lower, birth.end, match.end()) is None:
            return None  # an age at something else
        return _mention(match, birth, age)
    death = _nearest(died, start)
    if death and start - death.end <= _NEAR:
        return _mention(match, death, -age - 1)
    return None


def _nearest(mentions: list[DateMention], start: int) -> DateMention | None:
    index = bisect_left([mention.start for mention in mentions], start) - 1
    return mentions[index] if index >= 0 and start - mentions[index].end <= _FAR else None


def _mention(match: re.Match[str], known: DateMention, years: int) -> DateMention | None:
    """The year that begins `years` after a birth (with that day), or after a death (with the next day)."""
    year = known.year + years
    if year <= 0 or known.year < 0:
        return None  # there is no year 0 to count over
    first, last = (year, known.month, known.day), (year + 1, known.month, known.day)
    if known.month and known.day:
        day, end = (day_number(y, known.month, known.day, GREGORIAN) for y in (year, year + 1))
        first, last = date_of(day + (years < 0), GREGORIAN), date_of(end - (years > 0), GREGORIAN)
    span = last[0] - first[0] + 1
    return DateMention(match.start(), match.end(), *first, span, known.about, role="aged", last=last)
