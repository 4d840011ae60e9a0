"""Years in Roman numerals, as on title pages and in films: "MCMLXVI", "M.DCC.LXXXVIII"."""

from __future__ import annotations

import re
from itertools import pairwise

from models.values.dates.mention import DateMention
from models.values.dates.words import has_any

_GATE = ("MC", "MD", "MM", "M.D", "M.C", "M D", "M C")
_NUMERAL = re.compile(
    r"(?<![\w.])M(?P<m>M)?[. ]?(?P<c>CM|CD|D?C{0,4})[. ]?(?P<x>XC|XL|L?X{0,4})[. ]?(?P<i>IX|IV|V?I{0,4})(?![\w'’])"
)
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_FEWEST = 4  # letters: "MM." and "MC" are more often something else


def find_roman_years(text: str) -> list[DateMention]:
    """Every year of a text in Roman capitals, from 1400 to 2099."""
    if not has_any(text, _GATE):
        return []
    return [mention for match in _NUMERAL.finditer(text) if (mention := _read(match))]


def _read(match: re.Match[str]) -> DateMention | None:
    groups = match.group("c", "x", "i")
    year = 1000 * (2 if match.group("m") else 1) + sum(map(_value, groups))
    if sum(map(len, groups)) + 1 < _FEWEST or not 1400 <= year < 2100:
        return None
    return DateMention(match.start(), match.start() + len(match.group().rstrip(". ")), year)


def _value(letters: str) -> int:
    """The value of the letters of one place; a smaller one before a larger one is taken away."""
    values = [_VALUES[letter] for letter in letters] + [0]
    return sum(-one if one < two else one for one, two in pairwise(values))
