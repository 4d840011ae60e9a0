"""Entities in words, from the tables, and statements built with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from models.statement import Qualifier, Statement, Term, parse_value, value_entity_ids
from store import schema

TermOf = Callable[[str], Term]


def load_terms(session: Session, ids: Iterable[str]) -> TermOf:
    """Look all `ids` up in two queries; the answer gives each id's words, a term with no label where unknown."""
    wanted = set(ids)
    properties = [identifier for identifier in wanted if identifier.startswith("P")]
    items = [identifier for identifier in wanted if not identifier.startswith("P")]
    rows: list[schema.Item | schema.Property] = []
    if properties:
        rows += session.scalars(select(schema.Property).where(schema.Property.id.in_(properties)))
    if items:
        rows += session.scalars(select(schema.Item).where(schema.Item.id.in_(items)))
    known = {row.id: term_of(row) for row in rows}

    def term(identifier: str) -> Term:
        return known.get(identifier) or Term(identifier, None)

    return term


def term_of(row: schema.Item | schema.Property) -> Term:
    """The words that a row holds."""
    foreign = tuple((language, tuple(names)) for language, names in row.foreign.items())
    return Term(row.id, row.label, tuple(row.aliases), row.description, row.label_language or "en", foreign)


def statement_ids(
    item_id: str, property_id: str, snak: Mapping[str, Any], qualifiers: Mapping[str, Any]
) -> frozenset[str]:
    """The ids of every entity whose words a statement needs."""
    ids = {item_id, property_id, *_snak_ids(snak)}
    for qualifier, snaks in qualifiers.items():
        ids.add(qualifier)
        for each in snaks:
            ids.update(_snak_ids(each))
    return frozenset(ids)


def snaks_ids(snaks: Mapping[str, Any]) -> frozenset[str]:
    """The ids that a mapping of property id to snaks (qualifiers, a reference) names."""
    return frozenset(snaks) | {identifier for each in snaks.values() for snak in each for identifier in _snak_ids(snak)}


def build_statement(row: schema.Statement, term: TermOf) -> Statement:
    """The statement of a row in the values of `models`. Raises `MalformedValue` where its snak can't be read.

    Reads `row.item`: where there are many rows, load their items with them.
    """
    return Statement(
        guid=row.guid,
        item=term(row.item_id),
        property=term(row.property_id),
        datatype=str(row.snak.get("datatype", "")),
        value=parse_value(row.snak.get("datavalue", {}), term),
        rank=row.rank,
        qualifiers=tuple(
            Qualifier(term(property_id), parse_value(snak.get("datavalue", {}), term))
            for property_id, snaks in row.qualifiers.items()
            for snak in snaks
            if snak.get("snaktype") == "value"
        ),
        revision=row.revision,
        classes=tuple(row.item.classes),
    )


def _snak_ids(snak: Mapping[str, Any]) -> tuple[str, ...]:
    datavalue = snak.get("datavalue")
    if not isinstance(datavalue, Mapping):
        return ()
    try:
        return value_entity_ids(datavalue)
    except (KeyError, TypeError, ValueError):
        return ()  # an entity value with neither id nor number: parse_value says so to whoever needs it


__all__ = ["TermOf", "build_statement", "load_terms", "snaks_ids", "statement_ids", "term_of"]
