"""Match one statement against one passage: the subject, the value, the property, and what conflicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from models.statement import CoordinateValue, EntityValue, QuantityValue, Statement, TextValue, TimeValue, Value
from models.values import dates, quantities
from models.values.cues import CueMatch, find_cues, find_opposites
from models.values.found import Found
from models.values.names import find_names
from models.values.strings import find_string
from models.values.words import Words, words_of
from models.verdict import Match, Passage


@dataclass(frozen=True, slots=True)
class PassageMatch:
    """What a passage has of a statement.

    `subject` and `value` are the best matches or None; `cues` are the property's words, `opposites` those of a
    property often mistaken for it; `conflicts` are other values of the same kind. `value.score` is 1 for the value
    itself, about 0.5 for a coarser one. `heading_cue` is true where the heading or row header has the cue.
    `bond` in [−1, 1]: how the value hangs together with its property (1) or with an opposite one (−1).
    `conflict` in [0, 1]: how clearly the property stands with another value, and not with ours.
    """

    subject: Found | None
    value: Found | None
    cues: tuple[CueMatch, ...]
    opposites: tuple[CueMatch, ...]
    conflicts: tuple[Found, ...]
    bond: float
    conflict: float
    heading_cue: bool

    @property
    def subject_score(self) -> float:
        """Score of the subject's match in [0, 1], 0 where there is none."""
        return self.subject.score if self.subject else 0.0

    @property
    def value_score(self) -> float:
        """Score of the value's match in [0, 1], 0 where there is none."""
        return self.value.score if self.value else 0.0

    @property
    def property_score(self) -> float:
        """1 where a word of the property stands in the passage or its heading, else 0."""
        return 1.0 if self.cues or self.heading_cue else 0.0

    def spans(self) -> tuple[Match, ...]:
        """The matches as values of a verdict, in the order of the text."""
        found = [
            *(
                [Match("subject", self.subject.how, self.subject.start, self.subject.end, self.subject.score)]
                if self.subject
                else []
            ),
            *(
                [Match("value", self.value.how, self.value.start, self.value.end, self.value.score)]
                if self.value
                else []
            ),
            *(Match("value", "conflict", c.start, c.end, c.score) for c in self.conflicts if self.conflict > 0),
            *(Match("property", "exact", cue.start, cue.end, cue.score) for cue in self.cues[:1]),
        ]
        return tuple(sorted(found, key=lambda match: (match.start, match.end)))


@lru_cache(maxsize=200_000)
def _words(text: str) -> Words:
    return words_of(text)


@lru_cache(maxsize=50_000)
def _dates(text: str) -> tuple[dates.DateMention, ...]:
    return tuple(dates.find_dates(text))


@lru_cache(maxsize=50_000)
def _quantities(text: str) -> tuple[quantities.QuantityMention, ...]:
    return tuple(quantities.find_quantities(text))


def match_passage(statement: Statement, passage: Passage) -> PassageMatch:
    """Match a statement against a passage. Pure; the same text is taken apart once."""
    words = _words(passage.text)
    subject = find_names(statement.item.names, words)
    cues = find_cues(statement.property, words)
    opposites = find_opposites(statement.property.id, words)
    values, conflicts = find_value(statement.value, passage.text, words)
    value, bond = _bound(values, cues, opposites, statement.property.id, passage.text)
    heading_cue = bool(passage.heading) and bool(find_cues(statement.property, _words(passage.heading)))
    conflict = 0.0
    if conflicts and not value:
        conflict = max(
            (_bond(other, cues, opposites, statement.property.id, passage.text) for other in conflicts), default=0.0
        )
    return PassageMatch(
        subject, value, tuple(cues), tuple(opposites), tuple(conflicts), bond, max(0.0, conflict), heading_cue
    )


def find_value(value: Value, text: str, words: Words) -> tuple[list[Found], list[Found]]:
    """All places of a text that give a statement's value, and those that give another of the same kind."""
    if isinstance(value, TimeValue):
        return _find_dates(value, text)
    if isinstance(value, QuantityValue):
        return _find_quantities(value, text)
    if isinstance(value, EntityValue):
        found = find_names(value.term.names, words)
        return [found] if found else [], []
    if isinstance(value, CoordinateValue):
        return _find_coordinates(value, text), []
    return _find_text(value, text, words), []


_SCORES = {"exact": 1.0, "within_bounds": 0.95, "coarser": 0.5}


def _find_dates(value: TimeValue, text: str) -> tuple[list[Found], list[Found]]:
    matches, conflicts = [], []
    for mention in _dates(text):
        how = dates.compare(value, mention, text)
        if how in _SCORES:
            score = _SCORES[how] - (0.1 if mention.about else 0.0)
            if how == "coarser" and mention.month is not None:
                score += 0.15
            matches.append(Found(mention.start, mention.end, how, score))
        elif how == "conflict":
            conflicts.append(Found(mention.start, mention.end, "conflict", 1.0))
    return matches, conflicts


def _find_quantities(value: QuantityValue, text: str) -> tuple[list[Found], list[Found]]:
    matches, conflicts = [], []
    for mention in _quantities(text):
        how = quantities.compare(value, mention)
        place = Found(mention.start, mention.end, how, _SCORES.get(how, 1.0))
        if how in _SCORES:
            matches.append(place)
        elif how == "conflict" and (value.unit is None or mention.unit):
            conflicts.append(place)
    return matches, conflicts


def _find_coordinates(value: CoordinateValue, text: str) -> list[Found]:
    wanted = (f"{abs(value.latitude):.2f}", f"{abs(value.longitude):.2f}")
    places = [text.find(number[:-1]) for number in wanted]
    if min(places) < 0:
        return []
    return [
        Found(min(places), max(place + len(number) for place, number in zip(places, wanted, strict=True)), "fuzzy", 0.9)
    ]


def _find_text(value: TextValue, text: str, words: Words) -> list[Found]:
    if exact := find_string(value.text, text):
        return [exact]
    if value.language is None and (any(c.isdigit() for c in value.text) or len(value.text.split()) == 1):
        return []
    found = find_names((value.text,), words)
    return [found] if found else []


_NEAR = 60.0  # characters over which the tie between a property's word and a value halves


def _bound(
    values: Sequence[Found], cues: Sequence[CueMatch], opposites: Sequence[CueMatch], property_id: str, text: str
) -> tuple[Found | None, float]:
    """The value that is best tied to the property, and its tie."""
    if not values:
        return None, 0.0
    best = max(values, key=lambda value: (value.score, _bond(value, cues, opposites, property_id, text)))
    return best, _bond(best, cues, opposites, property_id, text)


def _bond(value: Found, cues: Sequence[CueMatch], opposites: Sequence[CueMatch], property_id: str, text: str) -> float:
    """The nearer of the property's words and an opposite property's, before the value rather than after it."""
    span = _span_role(value, property_id, text)
    if span:
        return span
    own = max((_tie(value, cue) for cue in cues), default=0.0)
    other = max((_tie(value, cue) for cue in opposites), default=0.0)
    return own if own >= other else -other


def _tie(value: Found, cue: CueMatch) -> float:
    if cue.start < value.end and value.start < cue.end:
        return 0.0
    gap = value.start - cue.end if cue.end <= value.start else 2 * (cue.start - value.end) + 10
    return float(2.0 ** (-max(0, gap) / _NEAR))


_LIFE = {"P569": 0, "P570": 1, "P571": 0, "P576": 1, "P2031": 0, "P2032": 1, "P580": 0, "P582": 1}


def _span_role(value: Found, property_id: str, text: str) -> float:
    """1 or −1 where the value is an end of a span like "(1763–1825)": the first year is of birth, the last of death."""
    if property_id not in _LIFE:
        return 0.0
    before, after = text[: value.start].rstrip(), text[value.end :].lstrip()
    opens = after[:1] in {"-", "–", "—"} and any(c.isdigit() for c in after[:14])
    closes = before[-1:] in {"-", "–", "—"} and any(c.isdigit() for c in before[-14:-1])
    if opens == closes:
        return 0.0
    return 0.9 if closes == bool(_LIFE[property_id]) else -0.9
