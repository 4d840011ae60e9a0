"""Names of people, places, works and things in a passage, in the forms in which people write them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from rapidfuzz import fuzz

from models.values.found import Found
from models.values.words import Words, words_of

# Words that a name can lose or gain without becoming another name.
_SMALL = frozenset(
    (
        "the a an of and de la le les du des von van der den zu di da do dos del el al y e in at on for to sir "
        "dame lord lady dr mr mrs ms miss prof professor rev reverend hon jr sr saint st"
    ).split()
)
_LONGEST_NAME = 300  # characters
_BRACKETS = re.compile(r"\s*[(\[][^)\]]*[)\]]\s*$")


@lru_cache(maxsize=16_384)
def _name_words(name: str) -> tuple[str, ...]:
    short = name[:_LONGEST_NAME]
    return words_of(_BRACKETS.sub("", short) or short).words


def content(words: Sequence[str]) -> tuple[str, ...]:
    """The words that carry a name; all of them where none does."""
    kept = tuple(word for word in words if word not in _SMALL)
    return kept or tuple(words)


def find_name(name: str, text: Words, how: str = "exact", fuzzy: bool = True) -> Found | None:
    """The best place where a passage has a name: the phrase itself, its words in another order (inversion, middle
    names left out or added), initials for first names, most of its words, or words spelled a little differently.

    `how` is what an exact match is called ("exact" for a label, "alias" for an alias).
    """
    wanted = _name_words(name)
    if not wanted or not text.words:
        return None
    return (
        _phrase(wanted, text, how)
        or _scattered(content(wanted), text)
        or _initials(wanted, text)
        or (_partial(content(wanted), text) if fuzzy else None)
    )


def _phrase(wanted: tuple[str, ...], text: Words, how: str) -> Found | None:
    size, words = len(wanted), text.words
    for at in _places(wanted[0], words):
        if words[at : at + size] == wanted:
            return Found(text.spans[at][0], text.spans[at + size - 1][1], how, 1.0)
    return None


def _places(word: str, words: tuple[str, ...]) -> list[int]:
    if word not in words:
        return []
    return [at for at, other in enumerate(words) if other == word]


def _scattered(wanted: tuple[str, ...], text: Words) -> Found | None:
    """All words of the name within a few words of each other, in any order."""
    if len(wanted) < 2 or any(word not in text.words for word in wanted):
        return None
    reach = len(wanted) + 3
    for at in _places(wanted[-1], text.words):
        first = max(0, at - reach + 1)
        near = text.words[first : at + reach]
        if all(word in near for word in wanted):
            places = [first + near.index(word) for word in wanted]
            return Found(text.spans[min(places)][0], text.spans[max(places)][1], "reordered", 0.95)
    return None


def _initials(wanted: tuple[str, ...], text: Words) -> Found | None:
    """ "J. R. R. Tolkien" or "J Tolkien" for John Ronald Reuel Tolkien, and the other way round; last name in full."""
    if len(wanted) < 2 or len(wanted[-1]) < 3 or wanted[-1].isdigit():
        return None
    for at in _places(wanted[-1], text.words):
        before = text.words[max(0, at - len(wanted) + 1) : at]
        after = text.words[at + 1 : at + len(wanted)]
        for given, step in ((before, -1), (after, 1)):
            if given and _agree(given if step > 0 else _last_agreeing(given, wanted), wanted[:-1]):
                ends = [at, at + step * len(given)]
                ends = [min(max(end, 0), len(text.words) - 1) for end in ends]
                return Found(text.spans[min(ends)][0], text.spans[max(ends)][1], "initials", 0.85)
    return None


def _last_agreeing(given: tuple[str, ...], wanted: tuple[str, ...]) -> tuple[str, ...]:
    """Drop words before the name that can't be its first name or initial."""
    for at in range(len(given)):
        if given[at][0] == wanted[0][0] and (len(given[at]) == 1 or len(wanted[0]) == 1):
            return given[at:]
    return ()


def _agree(given: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Each given word is a wanted one or its initial, in order, and at least one is an initial."""
    if not given or len(given) > len(wanted) or given[0][0] != wanted[0][0]:
        return False
    initials = 0
    rest = iter(wanted)
    for word in given:
        for other in rest:
            if word == other:
                break
            if word[0] == other[0] and (len(word) == 1 or len(other) == 1):
                initials += 1
                break
        else:
            return False
    return initials > 0


_SHARE = 0.6
_ALIKE = 86.0


def _partial(wanted: tuple[str, ...], text: Words) -> Found | None:
    """Most of a longer name's words near each other, or a spelling that is nearly the same."""
    present = [word for word in wanted if word in text.words]
    share = sum(map(len, present)) / sum(map(len, wanted))
    best: Found | None = None
    if share >= _SHARE:
        start, end, held = _densest(present, text, len(wanted) + 3)
        share = sum(map(len, held)) / sum(map(len, wanted))
        if share >= _SHARE:
            best = Found(start, end, "fuzzy", 0.8 * share)
    if best is None and len("".join(wanted)) >= 6:
        best = _spelled(wanted, text)
    return best


def _densest(present: list[str], text: Words, reach: int) -> tuple[int, int, set[str]]:
    chosen = set(present)
    places = [at for at, word in enumerate(text.words) if word in chosen]
    best: tuple[int, int, set[str]] = (0, 0, set())
    for index, at in enumerate(places):
        held, last = set(), at
        for other in places[index:]:
            if other - at >= reach:
                break
            held.add(text.words[other])
            last = other
        if len(held) > len(best[2]):
            best = (text.spans[at][0], text.spans[last][1], held)
    return best


def _spelled(wanted: tuple[str, ...], text: Words) -> Found | None:
    target, size = " ".join(wanted), len(wanted)
    first = wanted[0][:1]
    best: Found | None = None
    for at in range(len(text.words) - size + 1):
        if text.words[at][:1] != first:
            continue
        alike = fuzz.ratio(target, " ".join(text.words[at : at + size]), score_cutoff=_ALIKE)
        if alike and (best is None or alike / 100 * 0.9 > best.score):
            best = Found(text.spans[at][0], text.spans[at + size - 1][1], "fuzzy", alike / 100 * 0.9)
    return best


def find_names(names: Sequence[str], text: Words, most: int = 40) -> Found | None:
    """The best match of any of an entity's names (label first); at most `most` names are tried."""
    best: Found | None = None
    for index, name in enumerate(names[:most]):
        found = find_name(name, text, "exact" if index == 0 else "alias")
        if found and (best is None or found.score > best.score):
            best = found
        if best and best.score == 1.0:
            break
    return best
