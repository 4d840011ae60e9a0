"""When a sentence is an adequate wording of a statement: subject, value, property, direction.

A sentence is adequate when, dates and numbers normalised,

- it names the subject and, elsewhere, the value: a label or an alias, the same date at the same precision, the same
  number with its unit, a string character for character;
- what stands around the two states the property in the right direction, as one of these does:
  the property's label or an alias; a human-checked sentence for the property; a sentence that the crowd found adequate
  and that at least two other statements of the property share (never the statement's own machine-made sentence);
- and nothing else: a word that none of those uses fails it.

Where wordings contradict each other about the direction, the label decides, then the majority.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from bench.frames import SUBJECT, VALUE, Frame, Relation, label_relations, read_frame, words_of
from models.statement import CoordinateValue, EntityValue, QuantityValue, Statement, TextValue, TimeValue, Value

# Whose exchange of subject and value says the same: for these, either direction is right.
SYMMETRIC = frozenset(
    {"P26", "P47", "P129", "P190", "P197", "P451", "P460", "P461", "P1038", "P1327", "P1382", "P1889", "P2789"}
    | {"P3364", "P3373"}
)
_VOUCHERS = 2
# Verbs that only lead from a property's name to its value, or back: "belongs to the mountain range _".
_LINKS = words_of("belongs holds held received served reads led includes".split())
_MOST_SPANS = 8

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Miss:
    """Why a sentence isn't adequate, in a few words."""

    why: str


def normal(text: str) -> str:
    """Casefolded, compatibility forms and accents of Latin folded, one kind of dash and quote, single spaces."""
    text = unicodedata.normalize("NFKC", text)
    text = "".join(c for c in unicodedata.normalize("NFD", text) if not "\u0300" <= c <= "\u036f")
    text = re.sub(r"[\u2010-\u2015\u2212]", "-", re.sub(r"[’‘ʼ`]", "'", text))
    text = re.sub(r"n't\b", " not", text)
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", text)).casefold().strip()


_TOKEN = re.compile(r"'s\b|(?<=s)'(?=\s)|(?<!\d)[-+](?=\d)|\d+(?:[.,]\d+)*|[^\W\d_]+|\d+")


def _tokens(text: str) -> list[tuple[str, Span]]:
    return [("'s" if found.group() == "'" else found.group(), found.span()) for found in _TOKEN.finditer(text)]


def words(text: str) -> list[str]:
    """The words of a text as the measure compares them."""
    return [token for token, _ in _tokens(normal(text))]


def _named(text: str, names: Iterable[str]) -> Iterator[Span]:
    tokens = [(token, span) for token, span in _tokens(text) if token not in {"the", "a", "an"}]
    listed = [token for token, _ in tokens]
    for name in names:
        wanted = [token for token in words(name) if token not in {"the", "a", "an"}]
        if not wanted:
            yield from _literally(text, name)
            continue
        for start in range(len(listed) - len(wanted) + 1):
            if listed[start] == wanted[0] and listed[start : start + len(wanted)] == wanted:
                yield tokens[start][1][0], tokens[start + len(wanted) - 1][1][1]


def _literally(text: str, wanted: str) -> Iterator[Span]:
    wanted = normal(wanted)
    start = text.find(wanted) if wanted else -1
    while start >= 0:
        end = start + len(wanted)
        inside_word = (start and text[start - 1].isalnum() and wanted[0].isalnum()) or (
            end < len(text) and text[end].isalnum() and wanted[-1].isalnum()
        )
        if not inside_word:
            yield start, end
        start = text.find(wanted, start + 1)


_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = "|".join(_MONTHS)
_ERA = r"(?:\s(?P<bc>bc|bce))?"
_DATES = tuple(
    re.compile(rf"(?<![\w.,/-]){pattern}(?![\w/]|[.,-]\d)(?: \(julian calendar\))?")
    for pattern in (
        r"(?P<d>\d{1,2})/(?P<m>\d{1,2})/(?P<y>\d{1,4})",
        r"(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})",
        rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<mm>{_MONTH}),? (?:ad )?(?P<y>\d{{1,4}}){_ERA}",
        rf"(?P<mm>{_MONTH}) (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>\d{{1,4}}){_ERA}",
        rf"(?P<mm>{_MONTH}),? (?:of )?(?:ad )?(?P<y>\d{{1,4}}){_ERA}",
        r"(?P<m>\d{1,2})/(?P<y>\d{4})",
        r"(?P<c>\d{1,2})(?:st|nd|rd|th) century(?:\s(?P<bc>bc|bce))?",
        r"(?P<k>\d{1,2})(?:st|nd|rd|th) millennium(?:\s(?P<bc>bc|bce))?",
        r"(?:years )?(?P<s>\d{1,4})(?:s|-\d{1,4})(?:\s(?P<bc>bc|bce))?",
        rf"(?:ad )?(?P<y>\d{{1,4}}){_ERA}",
    )
)


def _dates(text: str) -> Iterator[tuple[tuple[int, int, int, int], Span]]:
    """(precision, year, month, day) and where; a date within a fuller one isn't given again."""
    taken: list[Span] = []
    for pattern in _DATES:
        for found in pattern.finditer(text):
            if any(start < found.end() and found.start() < end for start, end in taken):
                continue
            part = found.groupdict()
            sign = -1 if part.get("bc") else 1
            taken.append(found.span())
            for name, precision in (("c", 7), ("k", 6), ("s", 8)):
                if part.get(name):
                    yield (precision, sign * int(part[name]), 0, 0), found.span()
                    break
            else:
                month = _MONTHS.index(part["mm"]) + 1 if part.get("mm") else int(part.get("m") or 0)
                day = int(part.get("d") or 0)
                yield (11 if day else 10 if month else 9, sign * int(part["y"]), month, day), found.span()


def _as_date(value: TimeValue) -> tuple[int, int, int, int]:
    sign = -1 if value.year < 0 else 1
    if value.precision in {6, 7}:
        size = 1000 if value.precision == 6 else 100
        return value.precision, sign * max(1, (abs(value.year) + size - 1) // size), 0, 0
    if value.precision == 8:
        return 8, sign * (abs(value.year) // 10 * 10), 0, 0
    day = value.day or 0 if value.month else 0
    return 11 if day else 10 if value.month else 9, value.year, value.month or 0, day


_NUMBER = re.compile(r"(?<![\w.,])(?P<n>-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?)(?![\w]|[.,]\d)")
_SPREAD = re.compile(r" ?(?:± ?[\d.,]*\d|\(between [^()]{1,60}\))")


def _quantity(text: str, value: QuantityValue) -> Iterator[Span]:
    unit = [_singular(word) for word in words(value.unit.label or "")] if value.unit else []
    for found in _NUMBER.finditer(text):
        if Decimal(found["n"].replace(",", "")) != value.amount:
            continue
        end = spread.end() if (spread := _SPREAD.match(text, found.end())) else found.end()
        if not unit:
            yield found.start(), end
        following = _tokens(text[end:])[: len(unit)]
        if unit and [_singular(word) for word, _ in following] == unit:
            yield found.start(), end + following[-1][1][1]
        elif unit and value.unit and (value.unit.label or "") in {"%", "‰", "°"}:
            yield found.start(), end + text[end:].startswith(value.unit.label or "")


def _singular(word: str) -> str:
    irregular = {"feet": "foot", "inches": "inch", "centuries": "century", "people": "person"}
    return irregular.get(word, word.removesuffix("s"))


def value_spans(text: str, value: Value) -> Iterator[Span]:
    """Where a normalised text names the value."""
    match value:
        case EntityValue(term):
            yield from _named(text, term.names)
        case TextValue(said, language):
            yield from _named(text, (said,)) if language else _literally(text, said)
        case TimeValue():
            yield from (span for date, span in _dates(text) if date == _as_date(value))
        case QuantityValue():
            yield from _quantity(text, value)
        case CoordinateValue():
            numbers = [found.span() for found in _NUMBER.finditer(text)]
            if len(numbers) > 1:
                yield numbers[0][0], numbers[1][1]


def frames(sentence: str, statement: Statement) -> list[Frame] | Miss:
    """The sentence's frames around subject and value, one for each place where both can stand apart."""
    text = normal(sentence)
    subjects = sorted(set(_named(text, statement.item.names)), key=_longest)[:_MOST_SPANS]
    if not subjects:
        return Miss("subject not named")
    values = sorted(set(value_spans(text, statement.value)), key=_longest)[:_MOST_SPANS]
    if not values:
        return Miss("value not named")
    read = [
        read_frame(_framed(text, subject, value))
        for subject in subjects
        for value in values
        if subject[1] <= value[0] or value[1] <= subject[0]
    ]
    return read or Miss("subject and value not named apart")


def _longest(span: Span) -> tuple[int, int]:
    return span[0] - span[1], span[0]


def _framed(text: str, subject: Span, value: Span) -> list[str]:
    (first, second), gaps = sorted((subject, value)), [SUBJECT, VALUE]
    if first == value:
        gaps.reverse()
    parts = (text[: first[0]], text[first[1] : second[0]], text[second[1] :])
    before, between, after = ([token for token, _ in _tokens(part)] for part in parts)
    return [*before, gaps[0], *between, gaps[1], *after]


@dataclass
class Wordings:
    """How a property is said: by its label and aliases, and by the sentences of its statements."""

    label: set[Relation] = field(default_factory=set)
    aliases: set[Relation] = field(default_factory=set)
    checked: set[Relation] = field(default_factory=set)
    crowd: dict[Relation, set[str]] = field(default_factory=lambda: defaultdict(set))
    known: set[str] = field(default_factory=set)
    crowd_words: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def add_names(self, names: Sequence[str]) -> None:
        """The property's label, and its aliases."""
        for name in names:
            said = self.label if name == names[0] else self.aliases
            for alternative in _alternatives(name):
                said |= label_relations(words(alternative))
            self.known |= words_of(words(name))

    def add_sentence(self, sentence: str, statement: Statement, *, checked: bool) -> None:
        """A sentence known to be adequate, by a person's check or by the crowd's vote."""
        read = frames(sentence, statement)
        if isinstance(read, Miss):
            return
        # Of the places where subject and value may stand, the one that leaves the fewest words is what was meant.
        frame = min(read, key=lambda frame: len(frame.words))
        spoken = {word for word in frame.words if not word.isdigit()}
        if checked:
            self.checked |= frame.relations
            self.known |= spoken
            return
        for relation in frame.relations:
            self.crowd[relation].add(statement.guid)
        for word in spoken:
            self.crowd_words[word].add(statement.guid)

    def why_not(self, frame: Frame, guid: str, *, symmetric: bool) -> str | None:
        """Why the frame doesn't say the property; None when it does."""
        unknown = (
            frame.words
            - _LINKS
            - self.known
            - {w for w, by in self.crowd_words.items() if len(by - {guid}) >= _VOUCHERS}
        )
        if unknown:
            return f"words not of the property: {' '.join(sorted(unknown))}"
        accepted = self._accepted(guid)
        if any(self._says(relation, accepted) for relation in frame.relations):
            return None
        if any(self._says(relation.reversed, accepted) for relation in frame.relations):
            return None if symmetric else "wrong direction"
        return "no wording of the property"

    def _accepted(self, guid: str) -> set[Relation]:
        crowd = {
            relation
            for relation, by in self.crowd.items()
            if len(by - {guid}) >= max(_VOUCHERS, len(self.crowd.get(relation.reversed, set()) - {guid}) + 1)
        }
        others = self.aliases | self.checked | crowd
        return self.label | {relation for relation in others if not self._contradicted(relation)}

    def _contradicted(self, relation: Relation) -> bool:
        """Whether the label says the same words the other way round, and not also this way."""
        return self._in_label(relation.reversed) and not self._in_label(relation)

    def _in_label(self, relation: Relation) -> bool:
        return any(
            said.kind == relation.kind
            and said.forward == relation.forward
            and said.kind != "bare"
            and (said.words <= relation.words or relation.words <= said.words)
            for said in self.label
        )

    @staticmethod
    def _says(relation: Relation, accepted: set[Relation]) -> bool:
        return any(
            said.kind == relation.kind
            and said.forward == relation.forward
            and (said.words == relation.words if said.kind == "bare" else said.words <= relation.words)
            for said in accepted
        )


_EITHER = re.compile(r"\s*/\s*")


def _alternatives(name: str) -> list[str]:
    """The name, and each side of an "A / B" or of an "A or B" between single words."""
    sides = _EITHER.split(name)
    plain = re.fullmatch(r"(\w+) or (\w+)", name)
    name = name.replace("(s)", "s")
    return [name, *(sides if len(sides) > 1 else ()), *(plain.groups() if plain else ())]


def judge(sentence: str, statement: Statement, wordings: Wordings) -> Miss | None:
    """Why the sentence isn't an adequate wording of the statement; None when it is."""
    read = frames(sentence, statement)
    if isinstance(read, Miss):
        return read
    symmetric = statement.property.id in SYMMETRIC
    reasons = [wordings.why_not(frame, statement.guid, symmetric=symmetric) for frame in read]
    # The first frame has the longest names, so its reason is the telling one.
    return None if None in reasons else Miss(str(reasons[0]))
