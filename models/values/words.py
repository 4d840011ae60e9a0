"""Words of a text with their places, folded so that case, accents and punctuation don't matter."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]{1,2}\b)?")
_POSSESSIVE = re.compile(r"['’]s?$")
# Letters that Unicode doesn't decompose, as they are written without their strokes and ligatures.
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"})


@dataclass(frozen=True, slots=True)
class Words:
    """Folded words and their (start, end) spans in the text that they come from."""

    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


@lru_cache(maxsize=65_536)
def fold(word: str) -> str:
    """Case-folded, without accents: "Ł́ódź" and "lodz" are one word. A possessive ending is dropped."""
    folded = _POSSESSIVE.sub("", word.casefold()).translate(_LETTERS)
    if folded.isascii():
        return folded
    return "".join(c for c in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(c))


def words_of(text: str) -> Words:
    """The words of a text: runs of letters and digits."""
    found = [(fold(match.group()), match.span()) for match in _WORD.finditer(text)]
    return Words(tuple(word for word, _ in found), tuple(span for _, span in found))
