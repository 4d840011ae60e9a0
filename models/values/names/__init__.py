"""Names of people, places, works and things in a passage, in the forms in which people write them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from models.statement import Term
from models.values.found import HINT, NAMED, Found
from models.values.names import spelling
from models.values.names.given import given_names
from models.values.names.hints import Phrase, hint, phrases_of
from models.values.names.lives import Life, described_life
from models.values.names.persons import looks_like_person
from models.values.names.search import ALONG, Search
from models.values.names.written import SMALL, Name, inverted, ways
from models.values.transliterate import skeleton
from models.values.words import Words, words_of

_MOST_PLACES = 64  # places of one word in one text that are looked at
_SHARED_PLACES, _FEWEST_PLACES = 128, 6  # places in one text for all ways to write the names, and for each at the least
# Readings in one text that are weighed of one way to write a name, and of all ways together: a text has 5 and 12 of
# them, if not made for it.
_MOST_READINGS, _MOST_READINGS_IN_ALL = 10, 128
_MOST_NAMES = 40  # an entity's first names that are looked for
_FUZZY_NAMES = 12  # an entity's first names that are looked for misspelled
_SHORTEST_FUZZY = 5  # letters
_SHORTEST_KEY = 3  # letters of a word that another script may transcribe
_REMEMBERED = 4_000  # words of texts that are remembered as far from any word of an entity's names

_UNIMPORTANT = SMALL | frozenset(
    "sir dame lord lady dr mr mrs ms miss prof professor rev reverend hon jr sr saint st".split()
)


def content(words: Sequence[str]) -> tuple[str, ...]:
    """The words that carry a name; all of them where none does."""
    kept = tuple(word for word in words if word not in _UNIMPORTANT)
    return kept or tuple(words)


@dataclass(slots=True)
class Names:
    """An entity's names, taken apart once. `own` are all their words; `starts` leads from a word to names by index.

    `life` is what the description gives of a person's; `phrases` are the names that give hints.
    `_near` and `_seen` remember which words of texts are spelled like a word of the names, and which were looked at.
    """

    ways: tuple[Name, ...]
    own: frozenset[str]
    starts: dict[str, tuple[int, ...]]
    literals: tuple[Name, ...]
    life: Life | None
    middles: Mapping[tuple[str, str], frozenset[str]]
    known: Mapping[tuple[str, str], frozenset[str]]
    initialled: Mapping[tuple[str, str], str]
    continued: frozenset[str]
    phrases: tuple[Phrase, ...]
    _targets: dict[str, tuple[str, ...]]
    _near: dict[str, frozenset[str]] = field(default_factory=dict)
    _seen: set[str] = field(default_factory=set)
    _keys: dict[str, set[str]] = field(default_factory=dict)

    def near(self, text: Words) -> dict[str, frozenset[str]]:
        """Words that texts have, and the words of the names that each is spelled like. Looks at new words only."""
        if not self._targets and not text.foreign:
            return self._near
        fresh = text.vocabulary - self._seen
        if fresh:
            if len(self._seen) > _REMEMBERED:
                self._seen.clear()
                self._near.clear()
                fresh = text.vocabulary
            self._seen |= fresh
            for word in fresh & text.foreign if text.foreign else ():
                if alike := self._alike_in_sound(word):
                    self._near[word] = alike
            targets_of = self._targets
            for word in fresh:
                if (targets := targets_of.get(word[:1])) and len(word) >= _SHORTEST_FUZZY - 1:
                    alike = frozenset(
                        [t for t in targets if abs(len(t) - len(word)) <= 3 and t != word and spelling.is_near(t, word)]
                    )
                    if alike:
                        self._near[word] = self._near.get(word, alike) | alike
        return self._near

    def _alike_in_sound(self, word: str) -> frozenset[str]:
        """The words of the names that a word from another script may transcribe."""
        if not self._keys:
            for way in self.ways:
                for part in way.parts:
                    if part.kind == "content" and len(part.word) >= _SHORTEST_KEY:
                        self._keys.setdefault(skeleton(part.word), set()).add(part.word)
        return frozenset(self._keys.get(skeleton(word), ())) - {word} if len(word) >= _SHORTEST_KEY else frozenset()


# Letters with which spellings of one name begin, beside the same letter; not even a misspelling changes that often.
_INITIALS = {
    **dict.fromkeys("kcqx", "kcqxt"),
    **dict.fromkeys("ijy", "ijyd"),
    **dict.fromkeys("fvw", "fvwp"),
    "t": "tkcsz", "d": "dijy", "p": "pf", "s": "szt", "z": "zst", "o": "o0", "l": "l1",
}  # fmt: skip


@lru_cache(maxsize=256)
def _compile(names: tuple[str, ...], person: bool | None, about: str = "") -> Names:
    made: list[Name] = []
    for index, name in enumerate(names):
        how = "exact" if index == 0 else "alias"
        made += ways(name, how, person)
        head, comma, rest = name.partition(", ")
        if comma and person is not False and (turned := inverted(head, rest)):
            made += [way for way in ways(turned, how, True) if way.person]
    if about:
        made = [replace(way, described=True) for way in made]
    starts: dict[str, list[int]] = {}
    for index, way in enumerate(made):
        if not way.literal:
            for form in way.parts[way.anchor].forms:
                starts.setdefault(form, []).append(index)
    targets: dict[str, dict[str, None]] = {}
    for way in made[: 2 * _FUZZY_NAMES]:
        for part in way.parts if way.proper else ():
            if part.kind == "content" and not part.shout and len(part.word) >= _SHORTEST_FUZZY and part.word.isalpha():
                for initial in _INITIALS.get(part.word[0], part.word[0]):
                    targets.setdefault(initial, {})[part.word] = None
    return Names(
        tuple(made),
        frozenset(word for way in made for part in (*way.parts, *way.qualifier) for word in part.forms)
        | words_of(about).vocabulary,
        {word: tuple(indexes) for word, indexes in starts.items()},
        tuple(way for way in made if way.literal),
        described_life(about) if about and person else None,
        _middles(made),
        _known_in_full(made),
        _initialled(made),
        _NO_WORDS if person else _continued(made),
        () if person else phrases_of(made),
        {initial: tuple(words) for initial, words in targets.items()},
    )


_NO_WORDS: frozenset[str] = frozenset()


def _middles(names: Sequence[Name]) -> dict[tuple[str, str], frozenset[str]]:
    """By first name and surname, the names between them in one of an entity's names, and its other surnames."""
    persons = [name.person for name in names if name.person is not None]
    surnames = {part.word for person in persons for part in person.surname}
    found: dict[tuple[str, str], set[str]] = {}
    for person in persons:
        if len(person.given) > 1:
            last = person.surname[-1].word
            key = (person.given[0].word, last)
            further = {part.word for part in (*person.given[1:], *person.surname[:-1])}
            found.setdefault(key, surnames - {last}).update(further)
    return {key: frozenset(words) for key, words in found.items()}


def _known_in_full(names: Sequence[Name]) -> dict[tuple[str, str], frozenset[str]]:
    """By initial and surname, the given names that an entity's names spell out: J. S. Mill is John, not James."""
    found: dict[tuple[str, str], set[str]] = {}
    for name in names:
        if name.person is not None:
            for part in name.person.given:
                if len(part.word) > 1:
                    found.setdefault((part.word[0], name.person.surname[-1].word), set()).add(part.word)
    return {key: frozenset(words) for key, words in found.items()}


def _initialled(names: Sequence[Name]) -> dict[tuple[str, str], str]:
    """By a first name's initial and the surname, the middle initials of a person who goes by two or more."""
    found: dict[tuple[str, str], str] = {}
    for name in names:
        if name.person is not None and len(name.person.given) > 2:
            first, *middles = name.person.given
            if all(len(part.word) == 1 for part in middles):
                key = (first.word[0], name.person.surname[-1].word)
                found.setdefault(key, "".join(part.word for part in middles))
    return found


def _continued(names: Sequence[Name]) -> frozenset[str]:
    """The words behind which one of an entity's names goes on with a river or a region."""
    return frozenset(name.parts[0].word for name in names if len(name.parts) > 1 and name.parts[1].word in ALONG)


def find_name(
    name: str, text: Words, how: str = "exact", fuzzy: bool = True, person: bool | None = None
) -> Found | None:
    """The best place where a passage has a name: the phrase itself, its words in another order (inversion, middle
    names left out or added), initials for first names, most of its words, or words spelled a little differently.

    `how` is what an exact match is called ("exact" for a label, "alias" for an alias). Without `fuzzy`, only what
    names the thing for sure. `person` says whether it is a person's name, where that is known.
    """
    best = _best(_places(_compile((name,), person), text))
    if best is None or (not fuzzy and (best.how == "fuzzy" or best.score < NAMED)):
        return None
    return Found(best.start, best.end, how, best.score) if best.how == "exact" else best


def find_names(
    names: Sequence[str], text: Words, most: int = _MOST_NAMES, person: bool | None = None, about: str = ""
) -> Found | None:
    """The best match of any of an entity's names (label first); at most `most` names are tried.

    A score of 0.8 or more means that the passage names the entity; below that it is a hint: a surname alone, a part of
    the name, a longer name that holds it. `person` says whether the entity is a person, where that is known; `about` is
    its description, in which a state tells towns of one name apart.
    """
    return _best_or_hint(_compile(tuple(names[:most]), person, about[:300]), text)


def all_names(
    names: Sequence[str],
    text: Words,
    most: int = _MOST_NAMES,
    person: bool | None = None,
    about: str = "",
    least: float = 0.0,
) -> list[Found]:
    """Every place where a passage has one of an entity's names, in order, none overlapping another; of those that
    overlap the best. Places that score below `least` are left out. Bounded: see `_MOST_PLACES` and
    `_MOST_READINGS`.
    """
    found = sorted(
        _places(_compile(tuple(names[:most]), person, about[:300]), text),
        key=lambda f: (-f.score, f.start - f.end, f.start),
    )
    kept: list[Found] = []
    for one in found:
        if one.score >= least and all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
        if len(kept) >= _MOST_PLACES:
            break
    return sorted(kept, key=lambda f: f.start)


def find_term(term: Term, text: Words) -> Found | None:
    """The best match of a term's names, read as a person's where its description says that it is one."""
    return _best_or_hint(_of_term(term), text)


@lru_cache(maxsize=256)
def _of_term(term: Term) -> Names:
    return _compile(term.names[:_MOST_NAMES], looks_like_person(term), term.description[:300])


def _best_or_hint(names: Names, text: Words) -> Found | None:
    """The best match; where there is none that could be the name, most words of a phrase near each other."""
    best = _best(_places(names, text))
    if names.phrases and (best is None or best.score < HINT):
        hinted = hint(names.phrases, text)
        if hinted is not None and (best is None or hinted.score > best.score):
            return hinted
    return best


def _best(places: Iterator[Found]) -> Found | None:
    best: Found | None = None
    for found in places:
        if best is None or found.score > best.score:
            best = found
            if best.score == 1.0:
                break
    return best


def _places(names: Names, text: Words) -> Iterator[Found]:
    """Matches of each name, label first."""
    vocabulary = text.vocabulary
    near = names.near(text)
    spelled = near.keys() & vocabulary if near else set()
    held = names.starts.keys() & vocabulary
    if not held and not spelled and not names.literals:
        return
    for literal in names.literals:
        at = text.text.find(literal.literal)
        if at >= 0 and not (literal.shouts and text.text[at - 1 : at].isalnum()):
            yield Found(at, at + len(literal.literal), literal.how, literal.worth)
    anchors = _anchors(names, near, held, spelled)
    weighed, most = 0, min(_MOST_PLACES, max(_FEWEST_PLACES, _SHARED_PLACES // max(1, len(anchors))))
    for index in sorted(anchors):
        if weighed >= _MOST_READINGS_IN_ALL:
            break
        name = names.ways[index]
        search = Search(
            name, names.own, text, near, names.life, names.middles, names.continued, names.known, names.initialled
        )
        for at in _occurrences(anchors[index], text, most):
            if search.effort.weighed >= _MOST_READINGS:
                break
            sure = False
            for found in search.around(at):
                sure = sure or found.score >= NAMED
                yield found
            if name.person is not None and not sure:
                yield from given_names(search, name.person, at)
        weighed += search.effort.weighed


def _anchors(
    names: Names, near: Mapping[str, frozenset[str]], held: Collection[str], spelled: Collection[str]
) -> dict[int, dict[str, None]]:
    """By the index of a way to write a name, the words of a text that may be its anchor."""
    anchors: dict[int, dict[str, None]] = {}
    for word in held:
        for index in names.starts[word]:
            anchors.setdefault(index, {})[word] = None
    for word in spelled:
        for own in near[word]:
            for index in names.starts.get(own, ()):
                anchors.setdefault(index, {})[word] = None
    return anchors


def _occurrences(words: dict[str, None], text: Words, most: int) -> list[int]:
    """The first places of some words, in order, at most so many."""
    found: list[int] = []
    for word in words:
        at = -1
        for _ in range(most):
            try:
                at = text.words.index(word, at + 1)
            except ValueError:
                break
            found.append(at)
    return sorted(found)[:most]
