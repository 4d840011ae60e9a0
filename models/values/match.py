"""Match one statement against one passage: the subject, the value, the property, and what conflicts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from models.evidence import Match, Passage
from models.read.page import Block, Page
from models.statement import (
    CoordinateValue,
    EntityValue,
    QuantityValue,
    Statement,
    Term,
    TextValue,
    TimeValue,
    Value,
    on_page_in,
)
from models.values import coordinates, dates, gender, quantities
from models.values.bond import bond
from models.values.by_year import find_by_year
from models.values.cues import CueMatch, Wordings, find_cues, opposite_wordings, own_wordings
from models.values.dates import relative
from models.values.found import HINT, NAMED, Found
from models.values.gender import find_gender
from models.values.names import find_names, find_term
from models.values.page_words import PageWords
from models.values.strings import find_strings
from models.values.whose import begins_with_pronoun, hands_on, is_namesake
from models.values.words import Words

_HEADS = 24  # titles and headings looked at for the subject
_HANDED_ON = 0.3  # of a conflict stays where somebody else stands between the subject and the value


@dataclass(frozen=True, slots=True)
class PassageMatch:
    """What a passage has of a statement.

    `subject` and `value` are the best matches in the passage or None; `value.score` is 1 for the value itself, about
    0.5 for a coarser one. `cues` are the property's words, `opposites` those of a property often mistaken for it;
    `conflicts` are other values of the same kind. `heading_cue` is true where the heading has the cue.
    `bond` in [−1, 1]: how the value hangs together with its property (1) or with an opposite one (−1).
    `conflict` in [0, 1]: how clearly the property stands with another value, and not with ours; `against` is that one.
    `whose` in [0, 1]: how surely the passage speaks of the subject, and `by` says how that is known: "name",
    "heading", "pronoun", "page" or "". `others` is true where somebody else stands between the subject and the value.
    """

    subject: Found | None
    value: Found | None
    cues: tuple[CueMatch, ...]
    opposites: tuple[CueMatch, ...]
    conflicts: tuple[Found, ...]
    bond: float
    conflict: float
    heading_cue: bool
    against: Found | None = None
    whose: float = 0.0
    by: str = ""
    others: bool = False

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
        found = []
        if self.subject and _worth_showing(self.subject):
            found.append(_as_match("subject", self.subject))
        if self.value and _worth_showing(self.value):
            found.append(_as_match("value", self.value))
        if self.against and self.conflict > 0:
            found.append(_as_match("value", self.against))
        if cue := self._telling(self.cues):
            found.append(Match("property", "exact", cue.start, cue.end, cue.score))
        if self.bond < 0 and (cue := self._telling(self.opposites)):
            found.append(Match("property", "opposite", cue.start, cue.end, cue.score))
        return tuple(sorted(found, key=lambda match: (match.start, match.end)))

    def _telling(self, cues: Sequence[CueMatch]) -> CueMatch | None:
        """The words that tell most, the nearest to the value among equals."""
        beside = self.value or self.against

        def telling(cue: CueMatch) -> tuple[float, int]:
            return cue.score, -abs(cue.start - beside.start) if beside else -cue.start

        return max(cues, key=telling, default=None)


def _worth_showing(found: Found) -> bool:
    """A hint (a surname alone, a word of the name) helps the ranking; to a reader it would look like a find."""
    return found.how == "coarser" or found.score >= HINT


def _as_match(part: str, found: Found) -> Match:
    return Match(part, found.how, found.start, found.end, found.score)


def match_passage(statement: Statement, passage: Passage) -> PassageMatch:
    """Match a statement against a passage that stands alone."""
    kind = "table" if passage.kind == "table" else "text"
    page = Page("", "en", (Block(passage.text, kind, passage.heading),), (replace(passage, block=0),))
    return match_page(statement, PageWords(page))[0]


def match_page(statement: Statement, page: PageWords) -> tuple[PassageMatch, ...]:
    """Match a statement against every passage of a page, in order, by its names in the page's language and English."""
    statement = bounded(on_page_in(statement, page.language))
    item = statement.item
    subjects = [find_term(item, page.words(one.text)) for one in page.passages]
    heads = [index for index, is_head in enumerate(page.is_head) if is_head][:_HEADS]
    about = max((subjects[index].score for index in heads if subjects[index]), default=0.0)  # type: ignore[union-attr]
    if about and is_namesake(item, _naming(page, subjects, heads)):
        about = 0.0
    by_heading = {one: find_term(item, page.words(one)) if one else None for one in page.headings}
    cues = own_wordings(statement.property), opposite_wordings(statement.property.id)
    heading_cues = {one: bool(one and find_cues(cues[0], page.stems(one))) for one in page.headings}
    return tuple(
        _matched(
            statement,
            page,
            passage,
            subject,
            _whose(passage, subject, by_heading[passage.heading], about),
            cues,
            heading_cues[passage.heading],
        )
        for passage, subject in zip(page.passages, subjects, strict=True)
    )


_LONGEST_NAME = 250  # what Wikidata allows a label, an alias and a description
_LONGEST_TEXT = 1_500  # and a string or a text
_MOST_NAMES = 60
_NAMESPACE = re.compile(r"(?:Category|Template|Portal|File|Module|Wikipedia|Help):(?=\S)")


def bounded(statement: Statement) -> Statement:
    """The statement with no name or text longer than Wikidata allows, so that none takes endless looking for."""
    value = statement.value
    if isinstance(value, EntityValue):
        value = EntityValue(_bounded(value.term))
    elif isinstance(value, TextValue):
        value = replace(value, text=value.text[:_LONGEST_TEXT])
    elif isinstance(value, QuantityValue) and value.unit is not None:
        value = replace(value, unit=_bounded(value.unit))
    return replace(statement, item=_bounded(statement.item), property=_bounded(statement.property), value=value)


def _bounded(term: Term) -> Term:
    label = term.label[:_LONGEST_NAME] if term.label else term.label
    aliases = tuple(alias[:_LONGEST_NAME] for alias in term.aliases[:_MOST_NAMES])
    if label and (namespace := _NAMESPACE.match(label)):  # a page of Wikimedia's own about the thing
        aliases = (label[namespace.end() :], *aliases)
    return replace(term, label=label, aliases=aliases, description=term.description[:_LONGEST_NAME], foreign=())


def _naming(page: PageWords, subjects: Sequence[Found | None], heads: Sequence[int]) -> list[str]:
    return [page.passages[at].text for at in heads if (found := subjects[at]) is not None and found.score >= NAMED]


def _whose(passage: Passage, subject: Found | None, heading: Found | None, about: float) -> tuple[float, str]:
    """How surely a passage speaks of the subject, and how that is known."""
    ways = [
        (subject.score if subject else 0.0, "name"),
        (0.9 * heading.score if heading else 0.0, "heading"),
        (0.85 * about if begins_with_pronoun(passage.text) else 0.0, "pronoun"),
        (0.8 * about if passage.kind in {"table", "structured"} else 0.5 * about, "page"),
    ]
    score, by = max(ways, key=lambda way: way[0])
    return (score, by) if score else (0.0, "")


def _matched(
    statement: Statement,
    page: PageWords,
    passage: Passage,
    subject: Found | None,
    whose: tuple[float, str],
    wordings: tuple[Wordings, Wordings],
    heading_cue: bool,
) -> PassageMatch:
    text, property_id = passage.text, statement.property.id
    values, conflicts = _values(statement, page, passage)
    stems = page.stems(text)
    opposites = find_cues(wordings[1], stems)
    cues = [cue for cue in find_cues(wordings[0], stems) if not any(_is_part(cue, other) for other in opposites)]
    is_row = passage.kind in {"table", "structured"}

    def tie(one: Found) -> float:
        return bond(one, cues, opposites, property_id, text, is_row)

    value, tied, against, conflict = None, 0.0, None, 0.0
    if values:
        tied, value = max(((tie(one), one) for one in values), key=lambda pair: (pair[1].score, pair[0]))
    elif conflicts:
        conflict, against = max(((tie(one), one) for one in conflicts), key=lambda pair: pair[0])
    beside = value or against
    others = beside is not None and hands_on(text, subject, beside)
    if others and value is not None and value.how == "inferred":
        value, tied = None, 0.0  # somebody else's
    if others:
        conflict *= _HANDED_ON
    return PassageMatch(
        subject,
        value,
        tuple(cues),
        tuple(opposites),
        tuple(conflicts),
        tied,
        max(0.0, conflict),
        heading_cue,
        against,
        *whose,
        others,
    )


def _is_part(cue: CueMatch, other: CueMatch) -> bool:
    """Whether a word of the property is only a part of words for another: the "date" of a "release date"."""
    longer = other.end - other.start > cue.end - cue.start
    return longer and other.start <= cue.start and cue.end <= other.end


def _values(statement: Statement, page: PageWords, passage: Passage) -> tuple[list[Found], list[Found]]:
    value, text = statement.value, passage.text
    if isinstance(value, TimeValue):
        return _find_dates(value, page.dates(text), text, statement.property.id)
    if isinstance(value, QuantityValue):
        return _find_quantities(value, page.quantities(text))
    matches, conflicts = find_value(value, text, page.words(text))
    if not matches and isinstance(value, EntityValue):
        inferred = _infer(statement.property.id, value, page, passage)
        matches = [inferred] if inferred else []
    return matches, conflicts


def _infer(property_id: str, value: EntityValue, page: PageWords, passage: Passage) -> Found | None:
    """What a reader would take the value from, where it isn't named."""
    if passage.boilerplate:
        return None
    if property_id == gender.PROPERTY:
        return find_gender(value.term.label, passage.text, page.gender)
    return find_by_year(value.term, passage.text, page.title, passage.heading)


def find_value(value: Value, text: str, words: Words) -> tuple[list[Found], list[Found]]:
    """All places of a text that give a statement's value, and those that give another of the same kind."""
    if isinstance(value, TimeValue):
        return _find_dates(value, dates.find_dates(text), text)
    if isinstance(value, QuantityValue):
        return _find_quantities(value, quantities.find_quantities(text))
    if isinstance(value, EntityValue):
        found = find_term(value.term, words)
        return [found] if found else [], []
    if isinstance(value, CoordinateValue):
        return _find_coordinates(value, text)
    return _find_text(value, text, words), []


_SCORES = {"exact": 1.0, "within_bounds": 0.95, "coarser": 0.5}
_OF_ACTIVITY = frozenset({"P1317", "P2031", "P2032", "P580", "P582", "P585"})


def _find_dates(
    value: TimeValue, mentions: Sequence[dates.DateMention], text: str, property_id: str = "P1317"
) -> tuple[list[Found], list[Found]]:
    matches, conflicts = [], []
    for mention in mentions:
        if mention.role == "floruit" and property_id not in _OF_ACTIVITY:
            continue  # when somebody flourished is neither birth nor death
        if mention.role == relative.ROLE and property_id != relative.PROPERTY:
            continue
        how = dates.compare(value, mention, text)
        if how in _SCORES:
            score = _SCORES[how] - (0.1 if mention.about or mention.role == relative.ROLE else 0.0)
            how = "reckoned" if mention.role == relative.ROLE and how == "exact" else how
            if how == "coarser" and mention.month is not None:
                score += 0.15
            matches.append(Found(mention.start, mention.end, how, score))
        elif how == "conflict" and mention.role != relative.ROLE:
            conflicts.append(Found(mention.start, mention.end, "conflict", 1.0))
    return matches, conflicts


def _find_quantities(
    value: QuantityValue, mentions: Sequence[quantities.QuantityMention]
) -> tuple[list[Found], list[Found]]:
    return _told_apart((one.start, one.end, quantities.compare(value, one)) for one in mentions)


def _find_coordinates(value: CoordinateValue, text: str) -> tuple[list[Found], list[Found]]:
    mentions = coordinates.find_coordinates(text)
    return _told_apart((one.start, one.end, coordinates.compare(value, one)) for one in mentions)


def _told_apart(compared: Iterable[tuple[int, int, str]]) -> tuple[list[Found], list[Found]]:
    """Places of a text, each with how it stands to the value, as those that give it and those that conflict."""
    matches, conflicts = [], []
    for start, end, how in compared:
        if how in _SCORES:
            matches.append(Found(start, end, how, _SCORES[how]))
        elif how == "conflict":
            conflicts.append(Found(start, end, "conflict", 1.0))
    return matches, conflicts


def _find_text(value: TextValue, text: str, words: Words) -> list[Found]:
    if exact := find_strings(value.text, text):
        return exact
    if value.language is None and (any(c.isdigit() for c in value.text) or len(value.text.split()) == 1):
        return []
    found = find_names((value.text,), words)
    return [found] if found else []
