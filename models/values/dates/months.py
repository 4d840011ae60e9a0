"""Names of months in the languages that the web and Wikidata are mostly written in."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache

from babel import Locale
from rapidfuzz.distance import OSA

_LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "sv")
_MORE = ("ar", "ca", "cs", "da", "nb", "tr", "uk")  # whole names only: their abbreviations are often words elsewhere
_SHORT = {
    "sept": 9, "janv": 1, "febr": 2, "fevr": 2, "avr": 4, "juill": 7, "jänner": 1, "jun": 6, "jul": 7, "okt": 10,
    "märz": 3, "maerz": 3,
}  # fmt: skip
# "In November" has an ending of its own in the Slavic languages, which Babel doesn't have.
_LOCATIVES = (
    "styczniu lutym marcu kwietniu maju czerwcu lipcu sierpniu wrześniu październiku listopadzie grudniu",
    "январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре",
    "січні лютому березні квітні травні червні липні серпні вересні жовтні листопаді грудні",
    "lednu únoru březnu dubnu květnu červnu červenci srpnu září říjnu listopadu prosinci",
)
_CLEAR = frozenset("jan feb mar apr may jun jul aug sep oct nov dec okt dez mai maj mei mrt".split())
_UNCLEAR = frozenset({"mart"})


@cache
def months() -> dict[str, int]:
    """Month by its name or abbreviation, in lower case and without a full stop; also without accents."""
    names: dict[str, int] = dict(_SHORT)
    for language in _LANGUAGES + _MORE:
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated") if language in _LANGUAGES else ("wide",):
                for number, name in Locale(language).months[context][width].items():
                    folded = name.lower().rstrip(".")
                    if len(folded) >= 3 and folded.isalpha():
                        names.setdefault(folded, number)
                        names.setdefault(_plain(folded), number)
    for line in _LOCATIVES:
        for number, name in enumerate(line.split(), 1):
            names.setdefault(name, number)
    return names


_FEWEST = 6  # letters of a month that may be misspelt: shorter ones are too near to other words, but in English
_SHORTER = ("march", "april")
_SLIPS = 2  # letters wrong, swapped, missing or too many in a name of seven letters or more, else one


@cache
def _long_names() -> dict[str, int]:
    return {name: number for name, number in months().items() if len(name) >= _FEWEST or name in _SHORTER}


@lru_cache(maxsize=65_536)
def misspelt(word: str) -> int | None:
    """The month that a word in lower case is a slip of: "febuary", "septernber" as a machine reads it; else None."""
    if not _FEWEST <= len(word) + 1 <= 13:
        return None
    names = _long_names()
    for name in names:
        allowed = _SLIPS if len(name) > 6 else 1
        if name[0] == word[0] and 0 < OSA.distance(name, word, score_cutoff=allowed) <= allowed:
            return names[name]
    return None


def month_of(word: str) -> int:
    """The number of a month by its name, abbreviation or a slip of it; raises `KeyError` for any other word."""
    number = months().get(word) or misspelt(word)
    if number is None:
        raise KeyError(word)
    return number


def _plain(name: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c))


def is_clear(name: str) -> bool:
    """False for a short form that is a common word of another language ("out", "set", "sie"): it needs a day."""
    return name in _CLEAR or not name.isascii() or (len(name) > 3 and name not in _UNCLEAR)
