"""Claims to put to a sheet: those that it supports, and those made false in the ways in which references go wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from random import Random

from models.evidence import Stance
from models.statement import EntityValue, QuantityValue, Term, TimeValue, Value
from models.training.sheets.sheet import Fact, Sheet, agrees, datatype_of, other_values, same, stance_of

Confusable = Mapping[str, Sequence[Term]]
"""Properties with values of a datatype, by that datatype, as often as they come."""

# Where a thing is: one of these can hold beside another, so none stands for a false one of another.
_PLACES = frozenset("P17 P131 P276 P159 P27 P495 P740 P551 P30 P706 P150 P1376 P36 P19 P937 P1001 P205 P206".split())
_PEOPLE = frozenset("P57 P58 P162 P170 P50 P86 P175 P676 P112 P178 P176 P800 P1441 P674 P161".split())


def confusable(sheets: Sequence[Sheet]) -> Confusable:
    """The properties of sheets by the datatype of their values."""
    found: dict[str, list[Term]] = {}
    for sheet in sheets:
        for fact in sheet.facts():
            found.setdefault(datatype_of(fact.value), []).append(fact.property)
    return found


def true_claims(sheet: Sheet, random: Random, most: int) -> list[Fact]:
    """At most `most` of the facts that some passage of the sheet says."""
    told = [
        fact
        for fact in dict.fromkeys(one.fact for one in sheet.said)
        if any(stance_of(fact, passage, sheet) is Stance.SUPPORTS for passage in sheet.page.passages)
    ]
    return random.sample(told, min(most, len(told)))


def false_claims(sheet: Sheet, others: Confusable, random: Random, most: int) -> list[Fact]:
    """At most `most` claims that don't hold: each of the ways below in turn, on facts of the sheet in random order."""
    facts = sheet.facts()
    order = [one.fact for one in sheet.said if one.sentences] or [one.fact for one in sheet.said]
    random.shuffle(order)
    made: list[Fact] = []
    for number, fact in enumerate(order * 2):
        if len(made) >= most:
            break
        way = _WAYS[number % len(_WAYS)]
        options = [one for one in way(fact, sheet, others, random) if not _holds(one, facts)]
        if options:
            made.append(random.choice(options))
    return list(dict.fromkeys(made))


def _holds(fact: Fact, facts: Sequence[Fact]) -> bool:
    return any(
        same(fact, known)
        or (
            known.property.id == fact.property.id and _is_same(known.subject, fact.subject) and agrees_with(known, fact)
        )
        for known in facts
    )


def agrees_with(known: Fact, fact: Fact) -> bool:
    """Whether a known fact's value can stand beside the claim's."""
    return agrees(known.value, fact.value)


def _is_same(one: Term, other: Term) -> bool:
    return bool({name.casefold() for name in one.names} & {name.casefold() for name in other.names})


def _another_value(fact: Fact, sheet: Sheet, _others: Confusable, _random: Random) -> Iterator[Fact]:
    yield from other_values(fact, sheet.facts())


def _another_property(fact: Fact, sheet: Sheet, others: Confusable, random: Random) -> Iterator[Fact]:
    kind = datatype_of(fact.value)
    near = [one.property for one in sheet.facts() if datatype_of(one.value) == kind]
    anywhere = list(others.get(kind, ()))
    for prop in random.sample(near, min(3, len(near))) + random.sample(anywhere, min(2, len(anywhere))):
        if prop.id != fact.property.id and not any({prop.id, fact.property.id} <= some for some in (_PLACES, _PEOPLE)):
            yield replace(fact, property=prop)


def _another_subject(fact: Fact, sheet: Sheet, _others: Confusable, _random: Random) -> Iterator[Fact]:
    subjects = {one.subject.label: one.subject for one in sheet.facts() if one.property.id == fact.property.id}
    if len(subjects) < 2:
        subjects |= {one.subject.label: one.subject for one in sheet.facts()}
    for subject in subjects.values():
        if not _is_same(subject, fact.subject) and not _is_value(subject, fact.value):
            yield replace(fact, subject=subject)


def _reversed(fact: Fact, _sheet: Sheet, _others: Confusable, _random: Random) -> Iterator[Fact]:
    if isinstance(fact.value, EntityValue) and fact.property.id not in {"P26", "P3373", "P47", "P460", "P530"}:
        yield replace(fact, subject=fact.value.term, value=EntityValue(fact.subject))


def _near_value(fact: Fact, sheet: Sheet, _others: Confusable, random: Random) -> Iterator[Fact]:
    value = near(fact.value, random)
    if value is not None:
        yield replace(fact, value=value)
    else:
        yield from other_values(fact, sheet.facts())


def near(value: Value, random: Random) -> Value | None:
    """A date or an amount that differs a little; None for what has no neighbours."""
    if isinstance(value, TimeValue):
        if value.day and random.random() < 0.5:
            return replace(value, day=random.choice([day for day in range(1, 29) if day != value.day]))
        if value.month and random.random() < 0.3:
            month = random.choice([month for month in range(1, 13) if month != value.month])
            return replace(value, month=month, day=value.day and min(value.day, 28))
        return replace(value, year=value.year + random.choice((-10, -3, -2, -1, 1, 2, 3, 10)))
    if isinstance(value, QuantityValue):
        factor = Decimal(random.choice(("0.7", "0.9", "1.1", "1.5", "2")))
        return replace(value, amount=(value.amount * factor).normalize(), lower=None, upper=None)
    return None


def _is_value(term: Term, value: Value) -> bool:
    return isinstance(value, EntityValue) and _is_same(term, value.term)


_Way = Callable[[Fact, Sheet, Confusable, Random], Iterator[Fact]]
_WAYS: tuple[_Way, ...] = (
    _another_value, _another_property, _another_subject, _another_value, _another_property, _near_value,
    _another_property, _reversed,
)  # fmt: skip
