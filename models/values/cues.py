"""Where a passage says which property a value belongs to: by the property's own words, or by an opposite number's.

The right value under the wrong property is the commonest trap, so both are looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from models.statement import Term
from models.values.cue_words import CUES, OPPOSITES
from models.values.names import content
from models.values.words import Words, words_of

_MOST_NAMES = 60


@dataclass(frozen=True, slots=True)
class CueMatch:
    """Where words of a property stand: character span, and how telling they are in [0, 1]: more words tell more."""

    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class Wordings:
    """The ways to say a property, as stems of words, by their first stem."""

    by_first: Mapping[str, tuple[tuple[str, ...], ...]]


@dataclass(frozen=True, slots=True)
class Stems:
    """The stems of a passage's words in order, which there are, and where the words stand."""

    stems: tuple[str, ...]
    vocabulary: frozenset[str]
    spans: tuple[tuple[int, int], ...]


def stems_of(words: Words) -> Stems:
    """Take a passage's words to their stems."""
    stems = tuple(map(stem, words.words))
    return Stems(stems, frozenset(stems), words.spans)


def own_wordings(property_: Term) -> Wordings:
    """A property's label, aliases and cue words."""
    return _own(property_.id, property_.names[:_MOST_NAMES])


@lru_cache(maxsize=4096)
def _own(property_id: str, names: tuple[str, ...]) -> Wordings:
    said = [content(words_of(name).words) for name in names]
    return _wordings([*said, *_cue_words(property_id)])


@lru_cache(maxsize=4096)
def opposite_wordings(property_id: str) -> Wordings:
    """The cue words of the properties that are often mistaken for this one, without those that it shares."""
    own = set(_cue_words(property_id))
    return _wordings(
        words for other in OPPOSITES.get(property_id, ()) for words in _cue_words(other) if words not in own
    )


def _cue_words(property_id: str) -> list[tuple[str, ...]]:
    return [tuple(cue.split()) for cue in CUES.get(property_id, ())]


def _wordings(said: Iterable[tuple[str, ...]]) -> Wordings:
    by_first: dict[str, list[tuple[str, ...]]] = {}
    for words in dict.fromkeys(tuple(map(stem, words)) for words in said if words):
        by_first.setdefault(words[0], []).append(words)
    return Wordings({first: tuple(some) for first, some in by_first.items()})


def find_cues(wordings: Wordings, text: Stems) -> list[CueMatch]:
    """Every place where a passage says one of the wordings, in order. Words of a longer one may stand a bit apart."""
    firsts = wordings.by_first.keys() & text.vocabulary
    if not firsts:
        return []
    found: list[CueMatch] = []
    for at, first in enumerate(text.stems):
        if first not in firsts:
            continue
        for wording in wordings.by_first[first]:
            size = len(wording)
            near = text.stems[at : at + size + 2]
            if size == 1 or all(word in near for word in wording):
                last = min(at + size, len(text.stems)) - 1
                found.append(CueMatch(text.spans[at][0], text.spans[last][1], min(1.0, 0.6 + 0.2 * size)))
    return sorted(found, key=lambda cue: (cue.start, cue.end))


_ENDING = re.compile(r"(?:ing|ed|es|s|e)$")


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A folded word without its commonest endings."""
    return _ENDING.sub("", word) if len(word) > 4 else word
