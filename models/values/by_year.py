"""Things that are named by their year: a parliament, an election, a season, games.

A record gives only the year where the page says what it is a year of: "LONDON: 1539" among the dates on a page about
Parliament.
"""

from __future__ import annotations

import re

from models.statement import Term
from models.values.found import Found
from models.values.words import words_of

_SCORE = 0.65  # less than the name
_YEAR = re.compile(r"(?<![\w.,/-])(?P<year>1\d{3}|20\d\d)(?:[-–/]\d{2,4})?(?![\w-])")
_TELLING = 5  # letters of a word that tells what the thing is
# A year with a place before it, and a month: nothing of whoever was born, married or appointed then.
_ENTRY = re.compile(
    r"(?:[A-Z][A-Z' .&-]+\d?:? )?(?:(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.? )?\d{4}"
)
_OF_DATES = frozenset("date dates year years elected returned served terms sessions seasons".split())


def find_by_year(term: Term, text: str, title: str, heading: str) -> Found | None:
    """The year of the thing's name in an entry of nothing else but a place, under a heading of dates or of the thing,
    on a page whose title has another word of the name. None where it isn't named by a year.
    """
    if not _ENTRY.fullmatch(text):
        return None
    for name in term.names[:8]:
        named = _YEAR.search(name)
        if named is None or not text.endswith(named["year"]):
            continue
        telling = {word for word in words_of(name).words if len(word) >= _TELLING and word.isalpha()}
        under = set(words_of(heading).words)
        if telling & set(words_of(title).words) and under & (_OF_DATES | telling):
            return Found(len(text) - 4, len(text), "inferred", _SCORE)
    return None
