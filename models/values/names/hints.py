"""Most words of a phrase near each other in a text: a hint that it says what the phrase says, never its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from models.values.found import HINT, Found
from models.values.names.written import SMALL, Name
from models.values.words import Words

_SHARE = 0.6  # of a phrase's letters that a text must have
_ROOM = 3  # words that may stand between those of a phrase
_MOST = HINT - 0.01
_PHRASES = 8  # an entity's first names that give hints
_LONGEST = 24  # words of a phrase
_MOST_PLACES = 256  # places of a phrase's words in one text that are looked at


@dataclass(frozen=True, slots=True)
class Phrase:
    """The words that carry a phrase, folded, with how many letters they have together; the numbers among them."""

    words: frozenset[str]
    letters: int
    numbers: frozenset[str]


def phrases_of(ways: Sequence[Name]) -> tuple[Phrase, ...]:
    """The phrases among ways to write names: two words or more, and no person's name."""
    made: dict[Phrase, None] = {}
    for way in ways:
        if way.person is not None or way.known_person:
            continue
        words = frozenset(part.word for part in way.parts if part.word not in SMALL)
        if 2 <= len(words) <= _LONGEST:
            numbers = frozenset(word for word in words if word.isdigit())
            made[Phrase(words, sum(map(len, words)), numbers)] = None
        if len(made) >= _PHRASES:
            break
    return tuple(made)


def hint(phrases: Sequence[Phrase], text: Words) -> Found | None:
    """The best place where most words of a phrase, and all its numbers, stand near each other. Scores below 0.6."""
    best: Found | None = None
    for phrase in phrases:
        held = phrase.words & text.vocabulary
        if len(held) < 2 or not phrase.numbers <= held or sum(map(len, held)) < _SHARE * phrase.letters:
            continue
        found = _nearest(phrase, held, text)
        if found is not None and (best is None or found.score > best.score):
            best = found
    return best


def _nearest(phrase: Phrase, held: frozenset[str], text: Words) -> Found | None:
    """The window of a text that has the most letters of a phrase."""
    words, reach = text.words, len(phrase.words) + _ROOM
    places = [at for at, word in enumerate(words) if word in held][:_MOST_PLACES]
    most, first, last = 0, 0, 0
    for index, at in enumerate(places):
        near: set[str] = set()
        end = at
        for other in places[index : index + reach]:
            if other - at >= reach:
                break
            if words[other] not in near:
                near.add(words[other])
                end = other
        letters = sum(map(len, near))
        if letters > most and len(near) >= 2 and phrase.numbers <= near:
            most, first, last = letters, at, end
    share = most / phrase.letters
    if share < _SHARE:
        return None
    return Found(text.spans[first][0], text.spans[last][1], "fuzzy", round(min(_MOST, HINT * share), 4))
