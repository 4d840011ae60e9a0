"""One name in one text: its words in order around an anchor, or turned, and what case and neighbours make of that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from models.values.found import NAMED, Found
from models.values.names import neighbours, spelling
from models.values.names.continued import names_another
from models.values.names.forms import umlauts
from models.values.names.lives import Life, is_another, life_behind
from models.values.names.persons import (
    MARRIED,
    POSTNOMINALS,
    TITLES,
    WOMEN,
    Suffix,
    agreement,
    is_first_name,
    is_other_first_name,
    names_woman,
    suffix_at,
)
from models.values.names.written import SMALL, Name, Part
from models.values.transliterate import skeleton
from models.values.words import Words

_JOIN_TWO = frozenset("and und et och og".split())  # words that a person's name doesn't gain
# Where towns stand that are told apart by their rivers.
_COUNTRIES = frozenset(
    "germany deutschland allemagne germania alemania duitsland niemcy france frankreich england britain austria "
    "osterreich oesterreich switzerland schweiz suisse netherlands nederland poland polen belgium".split()
)
ALONG = frozenset("am an on upon sur ob im".split())  # leads from a town to its river or region
_ALONG_THE = frozenset({("der",), ("the",), ("dem",)})
_PLURAL_TITLES = frozenset("messrs mm herren".split())
_FIRST_NAME_ADDED = 0.85  # "Anna Eleanor Roosevelt" for Eleanor Roosevelt
_ANOTHERS = 0.5  # "Otto Holm GmbH" for Otto Holm
_OTHER_SMALL = 0.84  # "University of Texas at Austin" and "in Austin"


@dataclass(slots=True)
class Reading:
    """Words of a text read as a name: where, what they are worth, which are misspelled, and what is missing."""

    first: int
    last: int
    worth: float = 1.0
    pairs: list[tuple[str, str]] = field(default_factory=list)
    capitals: list[int] = field(default_factory=list)
    missing: int = 0
    held: int = 0


_EITHER_WAY = frozenset("lake river mount mountain loch".split())  # "Lake Como", "Como Lake"
_PLACES = frozenset("city town village municipality commune parish county".split())


def _is_of_phrase(wanted: list[Part], reading: Reading, text: Words) -> bool:
    """ "cancer of the lung" for "lung cancer"."""
    last, between = wanted[-1], text.words[reading.first + 1 : reading.last]
    return text.words[reading.first] in last.forms and between in {("of",), ("of", "the")}


@dataclass(slots=True)
class Effort:
    """How many readings of a name have been weighed."""

    weighed: int = 0


@dataclass(frozen=True, slots=True)
class Search:
    """One name in one text. `middles` are the further names that an entity's names have between a first name and a
    surname; `continued` are the words behind which one of them goes on: the Frankfurt of "Frankfurt am Main".
    `known` are the given names that they spell out, by initial and surname; `initialled` the middle initials of a
    person who goes by several, by the first name's initial and surname. `effort` counts what the search has cost.
    """

    name: Name
    own: frozenset[str]
    text: Words
    near: dict[str, frozenset[str]]
    life: Life | None = None
    middles: Mapping[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    continued: frozenset[str] = frozenset()
    known: Mapping[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    initialled: Mapping[tuple[str, str], str] = field(default_factory=dict)
    effort: Effort = field(default_factory=Effort)

    def around(self, at: int) -> Iterator[Found]:
        """The matches that take the word at a place for the name's anchor."""
        if (plain := self._in_order(at)) is not None:
            yield plain
            if plain.score >= NAMED:
                return
        if self.name.person is None and self.name.size > 1 and (turned := self._turned(at)) is not None:
            yield turned

    def takes(self, part: Part, at: int, reading: Reading) -> bool:
        """Whether a word of the text stands for a part; if so the reading is told what that is worth."""
        word = self.text.words[at]
        worth = part.forms.get(word)
        if worth is None and part.word in umlauts(self.text.surface(at)):
            worth = 1.0
        if worth is None and (part.foreign or word in self.text.foreign) and skeleton(word) == skeleton(part.word):
            worth = 0.95
        if worth is None:
            if part.word not in self.near.get(word, ()):
                return False
            reading.pairs.append((part.word, word))
        else:
            reading.worth *= worth
            if part.needed:
                reading.pairs.append((part.word, part.word))
        if part.needed:
            reading.held += len(part.word)
        if part.capital and part.kind == "content":
            reading.capitals.append(at)
        return True

    def _in_order(self, at: int) -> Found | None:
        """The name's words one behind the other around its anchor."""
        name, reading = self.name, Reading(at, at)
        if not self.takes(name.parts[name.anchor], at, reading):
            return None
        reading.first = self._walk(reversed(name.parts[: name.anchor]), at, -1, reading)
        reading.last = self._walk(iter(name.parts[name.anchor + 1 :]), at, 1, reading)
        if reading.missing:
            return self._hint(reading)
        if name.person is not None and self._joins_two_entries(reading):
            return None
        return self.finish(reading, "exact" if name.how == "exact" else name.how)

    def _joins_two_entries(self, reading: Reading) -> bool:
        """Whether a comma in a person's name parts two of a list: "George Thomas, Nelson Wright"."""
        text, first, last = self.text, reading.first, reading.last
        if not any("," in text.gap(at) for at in range(first, last)):
            return False
        before, behind = first - 1, last + 1
        if before >= 0 and text.words[before] in _PLURAL_TITLES:
            return True
        if before >= 0 and text.gap(before) == " " and neighbours.names_on(text, before):
            return text.words[before] not in TITLES
        goes_on = behind < len(text.words) and text.gap(last) == " " and neighbours.names_on(text, behind)
        return goes_on and not suffix_at(text, behind)[1] and text.words[behind] not in POSTNOMINALS

    def _walk(self, parts: Iterator[Part], at: int, step: int, reading: Reading) -> int:
        """Follow parts in one direction; gives the last place that was taken. Small words may be lost or added."""
        lost = False
        for part in parts:
            if reading.missing:
                reading.missing += len(part.word) * part.needed
                continue
            here = at + step
            if self.reaches(part, at, step) and self.takes(part, here, reading):
                at, lost = here, False
                continue
            if not part.needed:
                lost = part.kind == "small" and part.word not in {"the", "and"}
                reading.worth *= 0.97 if part.kind == "small" and part.word != "the" else 1.0
                continue
            if self._skips(at, step) and self.takes(part, here + step, reading):
                small = self.text.words[here]
                # "south of Sudan" isn't South Sudan.
                other = (lost and small not in _JOIN_TWO) or (small == "of" and not lost)
                reading.worth *= _OTHER_SMALL if other else 0.97
                at, lost = here + step, False
                continue
            reading.missing += len(part.word)
        return at

    def _skips(self, at: int, step: int) -> bool:
        """Whether a small word comes next that the name can gain, and it goes on behind it."""
        here = at + step
        if not self.open(at, step) or self.text.words[here] not in SMALL or not self.open(here, step):
            return False
        return not (self.name.person and self.text.words[here] in _JOIN_TWO)

    def open(self, at: int, step: int) -> bool:
        """Whether a name can go on from a place to the next in a direction: the end of a line doesn't part it."""
        here = at + step
        if not 0 <= here < len(self.text.words):
            return False
        before = min(at, here)
        return self.name.loose or not self.text.parted(before) or self.text.wraps(before)

    def reaches(self, part: Part, at: int, step: int) -> bool:
        """`open` for a part: a number behind a comma counts something, "Toy Story, 2 discs"."""
        if not self.open(at, step):
            return False
        counts = part.kind == "number" and step > 0 and "," in self.text.gap(at)
        return not counts or self.name.loose or part.word == self.text.words[at]

    def _hint(self, reading: Reading) -> Found | None:
        """Most of a name's words: a hint, never the name."""
        share = reading.held / (reading.held + reading.missing)
        if self.name.person or share < 0.6 or any(own != found for own, found in reading.pairs):
            return None
        fit = self._case(reading)
        return self.found(reading, "fuzzy", 0.75 * share * fit) if fit >= 0.9 else None

    def _turned(self, at: int) -> Found | None:
        """All words of the name in another order with small words between: "Department of X" and "X Department"."""
        name, text = self.name, self.text
        wanted = [part for part in name.parts if part.needed]
        if text.text.isascii() and any(text.vocabulary.isdisjoint(part.forms) for part in wanted):
            return None
        reading = Reading(at, at)
        left = [part for part in wanted if part is not name.parts[name.anchor]]
        if not self.takes(name.parts[name.anchor], at, reading):
            return None
        small = 0
        for step in (-1, 1):
            here = at
            while left and self.open(here, step) and small <= 3:
                here += step
                part = next(
                    (
                        part
                        for part in left
                        if self.reaches(part, here - step, step) and self.takes(part, here, reading)
                    ),
                    None,
                )
                if part is not None:
                    left.remove(part)
                    reading.first, reading.last = min(reading.first, here), max(reading.last, here)
                elif text.words[here] in SMALL:
                    small += 1
                else:
                    break
        if left or any(own != found for own, found in reading.pairs):
            return None
        if not name.proper and not small:
            return None
        # Two words around an "of" may be two names: Washington University isn't the University of Washington.
        pair = 0.85 if not name.proper and _is_of_phrase(wanted, reading, text) else 0.78
        if any(part.word in _EITHER_WAY for part in wanted):
            pair = 0.85
        reading.worth *= 0.85 if len(wanted) > 2 else pair
        return self.finish(reading, "reordered")

    def _case(self, reading: Reading) -> float:
        name, text = self.name, self.text
        if name.proper:
            shouts = len(name.parts) <= 2 and all(part.shout or len(part.word) == 1 for part in name.parts)
            if shouts and len(name.parts) == 1:
                return neighbours.acronym_fit(text, reading.first)
            return neighbours.capital_fit(
                text, reading.first, reading.last, sorted(reading.capitals), not self.own.isdisjoint(_PLACES)
            )
        if len(name.parts) == 1:
            return neighbours.common_fit(text, reading.first, name.parts[0].word, name.parts[0].accented)
        return 1.0

    def finish(self, reading: Reading, how: str) -> Found | None:
        """A full reading as a match: its spelling, its case, its suffix, its qualifier and its neighbours weighed."""
        name, text = self.name, self.text
        self.effort.weighed += 1
        score = name.worth * reading.worth
        if any(own != found for own, found in reading.pairs):
            order = {part.word: index for index, part in enumerate(name.parts)}
            pairs = sorted(reading.pairs, key=lambda pair: order.get(pair[0], 0))
            if name.person is not None and any(
                is_other_first_name(*pair) for pair in pairs if pair[0] in {part.word for part in name.person.given}
            ):
                return None
            how, score = "fuzzy", score * spelling.shipped().score(pairs)
        if score <= 0.3 or (fit := self._case(reading)) == 0.0:
            return None
        score *= fit
        if name.person is not None:
            suffix, taken = (Suffix(), 0) if text.parted(reading.last) else suffix_at(text, reading.last + 1)
            score *= agreement(name.suffix, suffix) * self._unmarried(reading) * self._undivided(reading)
            reading.last += taken
        score *= self._qualified(reading)
        if name.proper:
            fit = neighbours.standing(text, reading.first, reading.last, name.sort, self.own)
            score *= max(fit, _FIRST_NAME_ADDED) if self._only_gains_a_first_name(reading, how) else fit
            score *= self._continued(reading.last)
            if names_another(text, reading.first, reading.last, name.sort, self.own):
                score *= _ANOTHERS
        if score <= 0.2:
            return None
        if self.is_namesake(reading.last):
            return None
        if how in {"exact", "alias"} and score < NAMED:
            how = "fuzzy"
        return self.found(reading, how, score)

    def is_namesake(self, last: int) -> bool:
        """Whether the years of another person's life stand behind a word."""
        if self.life is None:
            return False
        told = life_behind(self.text.text, self.text.spans[last][1])
        return told is not None and is_another(self.life, told)

    def _unmarried(self, reading: Reading) -> float:
        """Little where a man's name stands behind "Mrs.": it is his wife's."""
        before, first = reading.first - 1, reading.first
        if before < 0 or self.text.words[before] not in MARRIED or self.text.parted(before):
            return 1.0
        given = self.text.words[first]
        if len(given) <= 2 or names_woman(given) or not self.own.isdisjoint(WOMEN):
            return 1.0
        return 0.5

    def _undivided(self, reading: Reading) -> float:
        """Little where a middle name of the person's is the second half of the surname in the text: Coleridge-Taylor
        isn't Taylor Coleridge.
        """
        gap, behind = self.text.gap(reading.last), reading.last + 1
        if gap not in {"-", "‐", "‑"} or behind >= len(self.text.words):
            return 1.0
        return 0.5 if any(self.text.words[behind] in known for known in self.middles.values()) else 1.0

    def _continued(self, last: int) -> float:
        """Little where a name that goes on goes on in another way: "Frankfurt (Oder)" for Frankfurt am Main."""
        text, at = self.text, last + 1
        if self.name.size != 1 or text.words[last] not in self.continued or at >= len(text.words):
            return 1.0
        gap = text.gap(last)
        if gap == " " and text.words[at] in ALONG:
            at += 1 + (text.words[at + 1 : at + 2] in _ALONG_THE)
        elif gap not in {" (", "/"} or (gap == " (" and not text.gap(at).startswith(")")):
            return 1.0
        if at >= len(text.words) or not text.is_capital(at) or text.surface(at).isupper():
            return 1.0
        return 1.0 if text.words[at] in self.own or text.words[at] in _COUNTRIES else 0.6

    def _only_gains_a_first_name(self, reading: Reading, how: str) -> bool:
        """Whether a known person's first and last name stand unchanged behind another first name."""
        text, at = self.text, reading.first - 1
        if not self.name.known_person or how not in {"exact", "alias"} or self.name.size != 2:
            return False
        if at < 0 or not is_first_name(text.words[at]) or not text.is_capital(at) or text.gap(at) != " ":
            return False
        return neighbours.standing(text, at, reading.last, self.name.sort, self.own) == 1.0

    def _qualified(self, reading: Reading) -> float:
        """What a match is worth by the qualifier: all where it follows, less where it stands elsewhere."""
        wanted = [part for part in self.name.qualifier if part.needed]
        if not wanted:
            return 1.0
        at = reading.last
        for part in wanted:
            step = next(
                (n for n in (1, 2) if at + n < len(self.text.words) and self.text.words[at + n] in part.forms), 0
            )
            if not step:
                break
            at += step
        else:
            reading.last = at
            return 1.0
        if all(not self.text.vocabulary.isdisjoint(part.forms) for part in wanted):
            return 0.95
        if self.name.brackets:
            return 0.9
        return 0.75 if self.name.size > 1 else 0.6

    def found(self, reading: Reading, how: str, score: float) -> Found:
        spans = self.text.spans
        return Found(spans[reading.first][0], spans[reading.last][1], how, round(min(1.0, score), 4))
