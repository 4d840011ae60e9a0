"""Pairs that a page doesn't support, made from pairs that it does: the same claim with another value, or another page.

Labels of what is not supported are few; these teach what absence, a neighbouring value and a strange page look like.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from models.judge import Case
from models.read.page import Page
from models.statement import EntityValue, QuantityValue, Statement, TextValue, TimeValue, Value
from models.values.dates import compare, find_dates
from models.values.names import find_name
from models.values.quantities import compare as compare_quantity
from models.values.quantities import find_quantities
from models.values.words import Words, words_of
from models.verbalise import verbalise


@dataclass(frozen=True, slots=True)
class Contrast:
    """A case that isn't supported, and the indexes of the two given cases that it is made of: claim and page."""

    case: Case
    claim_of: int
    page_of: int


def contrasts(
    cases: Sequence[Case], supported: Sequence[bool], domains: Sequence[str], seed: int = 0
) -> list[Contrast]:
    """For each supported case: its claim with another value that stands on its page, with one that doesn't, and its
    claim against another page of the same domain (of any, where there is none). What can't be made is left out.
    """
    random = Random(seed)  # noqa: S311 - a choice of examples, not a secret
    made: list[Contrast] = []
    for index, case in enumerate(cases):
        if not supported[index]:
            continue
        for value in (_value_on_page(case, cases, random), _value_elsewhere(case, cases, random)):
            if value is not None and (changed := _reworded(case, value)):
                made.append(Contrast(changed, index, index))
        if (other := _other_page(index, cases, domains, random)) is not None:
            made.append(Contrast(replace(case, page=cases[other].page), index, other))
    return made


def _reworded(case: Case, value: Value) -> Case | None:
    statement = replace(case.statement, value=value)
    claim = verbalise(statement)
    return replace(case, statement=statement, claim=claim) if claim else None


def _text(page: Page) -> str:
    return "\n".join(block.text for block in page.blocks)


def _value_on_page(case: Case, cases: Sequence[Case], random: Random) -> Value | None:
    value, text = case.statement.value, _text(case.page)
    options: list[Value] = []
    if isinstance(value, TimeValue):
        options = [
            replace(value, year=mention.year, month=mention.month, day=mention.day)
            for mention in find_dates(text)
            if compare(value, mention, text) == "conflict"
            and mention.span == 1
            and _as_fine(value, mention.month, mention.day)
        ]
        options = [_at_precision(option, value) for option in options if isinstance(option, TimeValue)]
    elif isinstance(value, QuantityValue):
        options = [
            QuantityValue(mention.amount, None, None, value.unit)
            for mention in find_quantities(text)
            if compare_quantity(value, mention) == "conflict"
        ]
    elif isinstance(value, EntityValue):
        words = words_of(text)
        others = _others(case.statement, cases)
        random.shuffle(others)
        for other in others[:60]:
            if isinstance(other, EntityValue) and _named(other.term.names, words):
                return other
    return random.choice(options) if options else None


def _as_fine(value: TimeValue, month: int | None, day: int | None) -> bool:
    return (month is not None or value.precision < 10) and (day is not None or value.precision < 11)


def _at_precision(option: TimeValue, value: TimeValue) -> TimeValue:
    return replace(
        option,
        month=option.month if value.precision >= 10 else None,
        day=option.day if value.precision >= 11 else None,
    )


def _value_elsewhere(case: Case, cases: Sequence[Case], random: Random) -> Value | None:
    value = case.statement.value
    if isinstance(value, TimeValue):
        return replace(value, year=value.year + random.choice([-30, -11, -2, -1, 1, 2, 11, 30]))
    words = words_of(_text(case.page))
    others = _others(case.statement, cases)
    random.shuffle(others)
    for other in others[:60]:
        names = (
            other.term.names
            if isinstance(other, EntityValue)
            else (other.text,)
            if isinstance(other, TextValue)
            else ()
        )
        if not names or not _named(names, words):
            return other
    return None


def _named(names: Sequence[str], words: Words) -> bool:
    """True where one of the first names stands in the text as it is; nothing fuzzy, since whole pages are searched."""
    return any(find_name(name, words, fuzzy=False) for name in names[:6])


def _others(statement: Statement, cases: Sequence[Case]) -> list[Value]:
    """Values of the same kind from other cases: of the same property where there are any."""
    value = statement.value
    alike = [
        case.statement for case in cases if type(case.statement.value) is type(value) and case.statement.value != value
    ]
    same = [other.value for other in alike if other.property.id == statement.property.id]
    return same or [other.value for other in alike]


def _other_page(index: int, cases: Sequence[Case], domains: Sequence[str], random: Random) -> int | None:
    page = cases[index].page
    near = [i for i, case in enumerate(cases) if domains[i] == domains[index] and case.page is not page]
    options = near or [i for i, case in enumerate(cases) if case.page is not page]
    return random.choice(options) if options else None
