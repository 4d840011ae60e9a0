"""A page of which it is known what each part says, and the claims that can be put to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from models.evidence import Passage, Stance
from models.read.page import Page
from models.statement import EntityValue, QuantityValue, Statement, Term, TextValue, TimeValue, Value

# Properties of which a thing has one value as a rule: another one in its place refutes.
SINGLE = frozenset(
    (
        "P569 P570 P19 P20 P22 P25 P21 P571 P576 P577 P580 P582 P585 P619 P606 P729 P730 P1619 P575 P36 P1082 P2044 "
        "P2046 P2048 P2049 P2043 P2386 P2067 P1093 P1104 P2047 P1476 P225 P105 P274 P281 P298 P297 P509 P1196 P119"
    ).split()
)

_YEAR = 9  # precision


@dataclass(frozen=True, slots=True)
class Fact:
    """What a sheet says: a subject, a property and a value."""

    subject: Term
    property: Term
    value: Value

    def as_statement(self) -> Statement:
        """The fact as a statement of Wikidata's kind; there is no item behind it."""
        return Statement("", self.subject, self.property, datatype_of(self.value), self.value)


@dataclass(frozen=True, slots=True)
class Said:
    """A fact and where it is said: the block, and the sentences of that block that are needed for it together.

    `sentences` empty: any passage of the block may or may not say it; no label is drawn from it.
    """

    fact: Fact
    block: int
    sentences: frozenset[int]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page, what it says where, and facts that hold whether or not it says them: no claim of these is false."""

    page: Page
    said: tuple[Said, ...]
    known: tuple[Fact, ...] = ()
    source: str = ""

    def facts(self) -> tuple[Fact, ...]:
        """All that holds."""
        return tuple(dict.fromkeys((*(one.fact for one in self.said), *self.known)))


def stance_of(fact: Fact, passage: Passage, sheet: Sheet) -> Stance | None:
    """What a passage of a sheet says of a fact; None where nobody knows."""
    unsure = refuted = False
    for said in sheet.said:
        if said.block != passage.block or not about_same(said.fact, fact):
            continue
        whole = bool(said.sentences) and said.sentences <= set(range(passage.first, passage.last + 1))
        if says(said.fact.value, fact.value):
            if whole:
                return Stance.SUPPORTS
            unsure = unsure or not said.sentences or bool(said.sentences & {passage.first, passage.last})
        elif whole and fact.property.id in SINGLE and not agrees(said.fact.value, fact.value):
            refuted = True
    if unsure:
        return None
    return Stance.REFUTES if refuted else Stance.NOT_ENOUGH_INFO


def about_same(one: Fact, other: Fact) -> bool:
    """Whether two facts have subject and property in common."""
    return one.property.id == other.property.id and one.subject.label == other.subject.label


def same(one: Fact, other: Fact) -> bool:
    """Whether two facts are one."""
    return about_same(one, other) and same_value(one.value, other.value)


def same_value(one: Value, other: Value) -> bool:
    """Whether two values are one; a name that both have is enough."""
    if isinstance(one, EntityValue) and isinstance(other, EntityValue):
        return bool({name.casefold() for name in one.term.names} & {name.casefold() for name in other.term.names})
    return one == other


def says(one: Value, other: Value) -> bool:
    """Whether who says one value says the other as well: the same, or a coarser date."""
    if isinstance(one, TimeValue) and isinstance(other, TimeValue):
        return other.precision <= one.precision and other.precision >= _YEAR and agrees(one, other)
    return same_value(one, other)


def agrees(one: Value, other: Value) -> bool:
    """Whether a value can stand beside another: the same, or a coarser date or part of the name."""
    if isinstance(one, TimeValue) and isinstance(other, TimeValue):
        if (coarser := min(one.precision, other.precision)) < _YEAR:
            return bool(abs(one.year - other.year) < 10 ** (_YEAR - coarser))
        pairs = ((one.year, other.year), (one.month, other.month), (one.day, other.day))
        return all(a == b or a is None or b is None for a, b in pairs)
    if isinstance(one, EntityValue) and isinstance(other, EntityValue):
        return any(_within(a, b) or _within(b, a) for a in one.term.names for b in other.term.names)
    return one == other


def _within(name: str, other: str) -> bool:
    return name.casefold() in other.casefold()


def datatype_of(value: Value) -> str:
    """The datatype of a property with such a value."""
    match value:
        case EntityValue():
            return "wikibase-item"
        case TimeValue():
            return "time"
        case QuantityValue():
            return "quantity"
        case TextValue():
            return "string"
        case _:
            return "globe-coordinate"


def other_values(fact: Fact, facts: tuple[Fact, ...]) -> Iterator[Fact]:
    """The fact with each other value of its kind, where that isn't known to hold."""
    for other in facts:
        if type(other.value) is type(fact.value) and not agrees(other.value, fact.value):
            made = replace(fact, value=other.value)
            if not any(same(made, known) for known in facts):
                yield made
