"""Years in English words: "nineteen eighty-four", "in the year of Our Lord eighteen hundred and fifty-three"."""

from __future__ import annotations

import re

from models.values.dates.mention import DateMention

GATE = ("teen", "wenty", "housand", "TEEN", "WENTY", "HOUSAND")
_UNITS = {w: n for n, w in enumerate("one two three four five six seven eight nine".split(), 1)}
_TEENS = {
    w: n
    for n, w in enumerate("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(), 10)
}
_TENS = {w: n for n, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_UNIT, _TEN = "|".join(_UNITS), "|".join(_TENS)
_REST = (
    rf"(?:(?P<teen>{'|'.join(_TEENS)})|(?P<ten>{_TEN})(?:[- ](?P<of_ten>{_UNIT}))?"
    rf"|(?:(?:oh?|aught|nought)[- ])?(?P<unit>{_UNIT}))"
)
_YEAR = re.compile(
    rf"(?<![\w-])(?:(?P<first>thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty)[- ]"
    rf"(?P<hundred>hundred(?:[- ]and)?[- ])?|(?P<thousand>(?P<many>one|two|a)[- ]thousand[- ]and[- ]))"
    rf"{_REST}(?![\w-]|,? (?:hundred|thousand|million|percent|per cent|years?|days?|minutes?|hours?|miles?)\b)",
    re.IGNORECASE,
)
_DATED = re.compile(
    r"(?:\b(?:in|since|until|till|by|before|after|from|of|during|anno domini|year|lord|spring|summer|autumn|fall|"
    r"winter|january|february|march|april|may|june|july|august|september|october|november|december)|[,(])\s$",
    re.IGNORECASE,
)
# What is counted: "nineteen eighty-four votes" is none.
_COUNTED = re.compile(r"\s(?!this\b|always\b|across\b|perhaps\b|besides\b|whereas\b)[a-z]{3,30}s\b(?<!ss)(?!')")
_TITLE = re.compile(r"[a-z][ -][A-Z]")


def find_spelled_years(text: str) -> list[DateMention]:
    """Every year of a text in words, from 1301 to 2099, that nothing behind it makes a number of things."""
    return [mention for match in _YEAR.finditer(text) if (mention := _read(match, text))]


def _read(match: re.Match[str], text: str) -> DateMention | None:
    first, thousand = match["first"], match["thousand"]
    plain = first and not match["hundred"] and first.lower() != "twenty" and not (match["unit"] or match["teen"])
    if _COUNTED.match(text, match.end()) and not _IN.search(text[max(0, match.start() - 6) : match.start()]):
        return None
    plain = plain and not _TITLE.search(match.group())  # "Nineteen Eighty-Four is a novel"
    if not plain and not _DATED.search(text[max(0, match.start() - 16) : match.start()]):
        return None
    if thousand:
        year = 2000 if match["many"].lower() == "two" else 1000
    else:
        year = 100 * (20 if first.lower() == "twenty" else _TEENS[first.lower()])
    year += _TEENS.get((match["teen"] or "").lower(), 0) + 10 * _TENS.get((match["ten"] or "").lower(), 0)
    year += _UNITS.get((match["of_ten"] or match["unit"] or "").lower(), 0)
    return DateMention(match.start(), match.end(), year)


_IN = re.compile(r"\bin\s$", re.IGNORECASE)
