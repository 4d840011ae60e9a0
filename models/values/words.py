"""Words of a text with their places, folded so that case, accents, script and punctuation don't matter."""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from models.values.transliterate import latin, other_script

_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]{1,2}\b)?")
_POSSESSIVE = re.compile(r"['’]s?$")
# Letters that Unicode doesn't decompose, as they are written without their strokes and ligatures.
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"})

# What a reader or a page leaves inside words: soft hyphens, words divided at the end of a line, letters written as
# entities, spaced-out letters, a year glued to the word before it.
_DIVIDED = r"(?<=[^\W\d_][^\W\d_])[-‐]\n(?=[a-zß-ÿ])"
_ENTITY = r"&[A-Za-z]{1,2}(?:uml|acute|grave|circ|tilde|cedil|caron|slash|ring|lig);"
# The soft sign of Cyrillic in a name in Latin letters ("Prokof'ev", "Gor'kii"), and the aspirate of Chinese ("Ch'ien");
# "Couldn't", "Aujourd'hui" and "Dell'arte" have neither.
_SOFT = (
    r"(?<![^\W_])(?!(?:Un|Sant|Tutt|Cent|Mezz|Quest|Grand|Senz|Anch|Com|Nient|Aujourd|Entr)['’])"
    r"[A-Z][a-z]{0,12}[b-df-hj-np-tv-z](?<!ll)['’](?!(?:re|ve|ll|em|er|un)\b)[a-z]{2,20}\b"
)
_MENDED = re.compile(
    rf"(?P<soft>{_SOFT})"
    r"|(?P<spaced>(?<![^\W_])[^\W\d_](?: [^\W\d_]){3,}(?![^\W_])|\b[A-ZÀ-Þ](?: [a-zß-ÿ]){2,}(?![^\W_]))"
    r"|(?P<glued>[^\W\d_]{3,}+)(?=(?:1\d|20)\d\d(?![^\W_]))"
    rf"|(?P<word>(?:[^\W_]|\xad|{_DIVIDED}|{_ENTITY})+(?:['’][^\W\d_]{{1,2}}\b)?)"
    r"|&(?:\#\w{1,7}|[A-Za-z]{2,8});"
)
_INSIDE = re.compile(r"\xad|[-‐]\n")
_SPACED = re.compile(r" \w \w(?: |$)")
_APOSTROPHE = re.compile(r"['’](?=[a-z]{2})")
_SOFTENED = re.compile(_SOFT)
_GLUED = re.compile(r"[12]\d{3}(?<=[^\W\d_]\d{4})(?![^\W_])")

_SPACES = re.compile(r"[^\S\n\t\r]+")
# What parts names: one thing ends before it, and another may begin behind it.
_BARRIER = re.compile(r"[;:|!?•·…\n\t\r]|(?<![\s-])[–—](?=\s)|\s[–—-]\s")
_LONGEST_ABBREVIATION = 5  # letters before a full stop that may not end a sentence: "Assoc."


@dataclass(frozen=True, slots=True)
class Words:
    """Folded words of a text, and their (start, end) spans in it.

    `vocabulary` is the set of the words; `text` is kept for what folding loses: case and punctuation. `foreign` are
    the words that were written in another script.
    """

    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    text: str = ""
    vocabulary: frozenset[str] = frozenset()
    foreign: frozenset[str] = frozenset()

    def surface(self, at: int) -> str:
        """A word as it is written."""
        start, end = self.spans[at]
        return self.text[start:end]

    def is_capital(self, at: int) -> bool:
        """True where a word begins with a capital; digits and letters without case don't."""
        return self.text[self.spans[at][0]].isupper()

    def has_case(self, at: int) -> bool:
        """True where a word's first letter has a case at all."""
        first = self.text[self.spans[at][0]]
        return first.isupper() or first.islower()

    def gap(self, at: int) -> str:
        """What stands between a word and the next one, several spaces as one; "\\n" where there is none."""
        if at < 0 or at + 1 >= len(self.words):
            return "\n"
        gap = self.text[self.spans[at][1] : self.spans[at + 1][0]]
        return gap if gap == " " else _plain_gap(gap)

    def behind(self, at: int) -> str:
        """The character right behind a word, "" at the end of the text."""
        end = self.spans[at][1]
        return self.text[end : end + 1]

    def wraps(self, at: int) -> bool:
        """True where a line ends between a word and the next, and nothing else."""
        return 0 <= at < len(self.words) - 1 and self.gap(at) == "\n"

    def parted(self, at: int) -> bool:
        """True where a name can't go on from a word to the next: the text, a sentence or a cell ends there."""
        gap = self.gap(at)
        if gap in {" ", "-", ", "}:
            return False
        if len(gap) > 6 or _BARRIER.search(gap):
            return True
        if "." in gap and (" " in gap or gap != "."):
            letters = self.spans[at][1] - self.spans[at][0]
            return letters > _LONGEST_ABBREVIATION or (letters > 1 and not self.is_capital(at))
        return False

    def opens(self, at: int) -> bool:
        """True where a word stands first in the text, a sentence, a cell or a quotation: capitals say nothing there."""
        gap = self.gap(at - 1)
        return at == 0 or self.parted(at - 1) or any(sign in gap for sign in '"“”„«»(.')


@lru_cache(maxsize=4096)
def _plain_gap(gap: str) -> str:
    if len(gap) > 64:
        return gap
    plain = _SPACES.sub(" ", html.unescape(gap) if "&" in gap else gap)
    return "\n" if plain.strip(" ") == "\n" else plain


@lru_cache(maxsize=65_536)
def fold(word: str) -> str:
    """Case-folded, without accents, in Latin letters: "Łódź" and "lodz" are one word, "Толстой" and "tolstoi" too.

    A possessive ending is dropped.
    """
    folded = _POSSESSIVE.sub("", word.casefold()).translate(_LETTERS)
    if folded.isascii():
        return folded
    # Other scripts before accents go, since й and ё are letters of their own.
    plain = unicodedata.normalize("NFKD", latin(folded))
    return "".join(c for c in plain if not unicodedata.combining(c))


def words_of(text: str) -> Words:
    """The words of a text: runs of letters and digits; those that a page or its reader broke are mended."""
    if _is_broken(text):
        surfaces, spans = _mended(text)
    else:
        spans = tuple([match.span() for match in _WORD.finditer(text)])
        surfaces = [text[start:end] for start, end in spans]
    words = tuple(map(fold, surfaces))
    foreign = (
        _NONE if text.isascii() or not other_script(text) else frozenset(map(fold, filter(other_script, surfaces)))
    )
    return Words(words, spans, text, frozenset(words), foreign)


_NONE: frozenset[str] = frozenset()


def _is_broken(text: str) -> bool:
    return (
        "-\n" in text
        or "\xad" in text
        or ("&" in text and ";" in text)
        or _GLUED.search(text) is not None
        or (
            ("'" in text or "’" in text) and _APOSTROPHE.search(text) is not None and _SOFTENED.search(text) is not None
        )
        or _SPACED.search(text) is not None
    )


def _mended(text: str) -> tuple[list[str], tuple[tuple[int, int], ...]]:
    """The words as they would be unbroken, and where they stand."""
    surfaces, spans = [], []
    for match in _MENDED.finditer(text):
        kind, surface = match.lastgroup, match.group()
        if kind is None:
            continue
        if kind == "spaced":
            surface = surface.replace(" ", "")
        elif kind == "soft":
            surface = surface.replace("'", "").replace("’", "")
        elif kind == "word":
            surface = _INSIDE.sub("", html.unescape(surface))
            if not surface:
                continue
        surfaces.append(surface)
        spans.append(match.span())
    return surfaces, tuple(spans)
