"""Snaks as Wikidata shows them: a property with its values, each with what it may link to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from models.statement import EntityValue, MalformedValue, QuantityValue, Term, TextValue, Value, parse_value
from models.verbalise import say_value
from web.links import is_web


@dataclass(frozen=True, slots=True)
class ShownValue:
    """A value in words, with the entity or the address it names; `language` is that of a monolingual text."""

    text: str
    entity_id: str | None = None
    url: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class ShownSnaks:
    """A property and its values in a statement, its qualifiers or a reference."""

    property: Term
    values: tuple[ShownValue, ...]


def show_snaks(snaks: Mapping[str, Sequence[Mapping[str, Any]]], terms: Mapping[str, Term]) -> tuple[ShownSnaks, ...]:
    """Every property of a mapping as in Wikibase JSON, in the order of the mapping."""

    def term(entity_id: str) -> Term:
        return terms.get(entity_id) or Term(entity_id, None)

    return tuple(
        ShownSnaks(term(property_id), tuple(show_snak(snak, term) for snak in some))
        for property_id, some in snaks.items()
    )


def show_snak(snak: Mapping[str, Any], term: Callable[[str], Term]) -> ShownValue:
    """One snak; `somevalue` and `novalue` in Wikidata's own words."""
    kind = snak.get("snaktype", "value")
    if kind == "somevalue":
        return ShownValue("unknown value")
    if kind == "novalue":
        return ShownValue("no value")
    try:
        return show_value(parse_value(snak.get("datavalue", {}), term))
    except MalformedValue:
        return ShownValue("a value that Citewell can’t read")


def show_value(value: Value) -> ShownValue:
    """A value in words. An entity without a label shows its id."""
    if isinstance(value, EntityValue):
        return ShownValue(value.term.label or value.term.id, entity_id=value.term.id)
    if isinstance(value, TextValue):
        return ShownValue(value.text, url=value.text if is_web(value.text) else None, language=value.language)
    if isinstance(value, QuantityValue):
        # Where the unit has no label the amount stands beside its id.
        return ShownValue(say_value(value) or f"{value.amount:f}", entity_id=value.unit.id if value.unit else None)
    return ShownValue(say_value(value))
