"""Which statement–reference pairs of an entity are to be judged, and why the others are not."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any
from urllib.parse import urlsplit

import msgspec

from bot.sources.entity import Entity
from bot.sources.formatter import PropertyFacts, identifier_url
from bot.sources.heads import EntityHead, SnakHead
from models.statement import MalformedValue, SourceUrl, Term, entity_id, parse_value, value_entity_ids
from store.walk import SelectedPair

ARCHIVE_URL = "P1065"
REFERENCE_URL = "P854"
WIKIMEDIA_IMPORT_URL = "P4656"
IMPORTED_FROM = "P143"
_WIKIMEDIA = frozenset({IMPORTED_FROM, WIKIMEDIA_IMPORT_URL})
URL_PROPERTIES = frozenset({REFERENCE_URL, ARCHIVE_URL, "P953", "P973", "P856", "P2699"})
"""Known to hold web addresses, for snaks of old dumps that don't give their datatype."""

WORDLESS = frozenset({"commonsMedia", "geo-shape", "tabular-data", "musical-notation", "math", "entity-schema"})
"""Datatypes whose values no page says in words."""

LONGEST_URL = 4000
INSTANCE_OF = "P31"
MOST_CLASSES = 20  # of one item; a few are usual
DATATYPES = {
    "time": "time",
    "quantity": "quantity",
    "monolingualtext": "monolingualtext",
    "globecoordinate": "globe-coordinate",
    "string": "string",
}


class Skipped(str, Enum):
    """Why a pair is not judged. The value is what the run counts; `label` says it in words."""

    DEPRECATED = "deprecated"
    NO_VALUE = "no_value"
    UNKNOWN_VALUE = "unknown_value"
    ONTOLOGICAL = "ontological_property"
    WORDLESS = "value_without_words"
    UNREADABLE = "unreadable_statement"
    SUBJECT = "subject_not_an_item"
    WIKIMEDIA = "imported_from_wikimedia"
    NO_ADDRESS = "reference_without_address"
    REPEATED = "repeated_reference"
    ID_TAKEN = "statement_id_of_another"
    NOT_ASKED = "not_asked_for"

    @property
    def label(self) -> str:
        """What the summary of a run says."""
        return _LABELS[self]


_LABELS = {
    Skipped.DEPRECATED: "the statement is deprecated",
    Skipped.NO_VALUE: "the statement says that there is no value",
    Skipped.UNKNOWN_VALUE: "the statement's value is unknown",
    Skipped.ONTOLOGICAL: "the property orders the graph itself (select.skip_properties)",
    Skipped.WORDLESS: "the value isn't one that a page says in words",
    Skipped.UNREADABLE: "the statement can't be read",
    Skipped.SUBJECT: "the subject is neither an item nor a lexeme",
    Skipped.WIKIMEDIA: "the reference only says from which Wikimedia project it was imported",
    Skipped.NO_ADDRESS: "the reference has no web address",
    Skipped.REPEATED: "the statement has the same reference twice",
    Skipped.ID_TAKEN: "the statement's id is another entity's, or another statement's of the same",
    Skipped.NOT_ASKED: "the query named another statement of the item",
}


@dataclass(frozen=True, slots=True)
class Selection:
    """What one entity gave: pairs to judge, reasons counted for the rest, and the ids whose words the pairs need.

    `identifiers` are the properties whose formatter URLs the addresses of its pairs are made by.
    """

    statements: int
    pairs: tuple[SelectedPair, ...]
    skipped: Mapping[Skipped, int]
    needed: frozenset[str]
    identifiers: frozenset[str] = frozenset()


def select(
    entity: Entity,
    properties: Mapping[str, PropertyFacts],
    skip: Collection[str] = (),
    wants: Collection[str] | None = None,
) -> Selection:
    """Choose the pairs of an entity.

    `properties` gives formatter URLs and datatypes (an address may come later, by `with_addresses`); `skip` names
    ontological properties; `wants`, where given, holds the GUIDs asked for, in lower case. Each reference of a
    statement is one pair, selected or counted as skipped.
    """
    classes = _classes(entity)
    pairs: list[SelectedPair] = []
    skipped: Counter[Skipped] = Counter()
    statements = 0
    ids: set[str] = set()
    needed: set[str] = set()
    identifiers: set[str] = set()
    for statement in _statements(entity):
        statements += 1
        references, guid = _references(statement), str(statement.get("id")).lower()
        if not references:  # most of them; nothing is selected or skipped
            ids.add(guid)
            continue
        reason = _reason_to_skip(entity, statement, skip, wants) or (Skipped.ID_TAKEN if guid in ids else None)
        if reason:
            skipped[reason] += len(references)
            continue
        ids.add(guid)
        seen: set[str] = set()
        for reference in references:
            pair = _pair(entity, statement, reference, properties, classes)
            if isinstance(pair, Skipped):
                skipped[pair] += 1
            elif (names := _named(pair)) is None:
                skipped[Skipped.UNREADABLE] += 1
            elif pair.ref_hash in seen:
                skipped[Skipped.REPEATED] += 1
            else:
                seen.add(pair.ref_hash)
                pairs.append(pair)
                needed |= names
                identifiers |= _identifiers(pair.ref_snaks)
    return Selection(statements, tuple(pairs), dict(skipped), frozenset(needed), frozenset(identifiers))


def passed_over(head: EntityHead, skip: Collection[str] = ()) -> Selection:
    """What `select` would say of an entity that cites no address (`EntityHead.may_cite`), values unread."""
    skipped: Counter[Skipped] = Counter()
    statements = 0
    for statement in head.statements():
        statements += 1
        if statement.references:
            reason = _reason(head.id, statement.id, statement.rank, statement.mainsnak, skip)
            for reference in statement.references:
                wikimedia = any(snak.property in _WIKIMEDIA for snak in reference.every_snak())
                skipped[reason or (Skipped.WIKIMEDIA if wikimedia else Skipped.NO_ADDRESS)] += 1
    return Selection(statements, (), dict(skipped), frozenset())


def untyped_properties(entity: Entity) -> frozenset[str]:
    """The properties without whose facts `select` can't do: those of snaks that lack their datatype (old dumps)."""
    found: set[str] = set()
    for statement in _statements(entity):
        if references := _references(statement):
            found.update(_untyped(_main_snak(statement)))
            for reference in references:
                for group in _map(reference.get("snaks") if isinstance(reference, dict) else None).values():
                    for snak in _sequence(group):
                        found.update(_untyped(snak))
    return frozenset(found)


def _untyped(snak: object) -> tuple[str, ...]:
    return (str(snak.get("property")),) if isinstance(snak, dict) and snak.get("datatype") is None else ()


def with_addresses(pair: SelectedPair, properties: Mapping[str, PropertyFacts]) -> SelectedPair:
    """The pair with the addresses of its identifiers, by the facts of all properties of its reference."""
    if not _identifiers(pair.ref_snaks):
        return pair
    snaks = [_with_datatype(snak, properties) for snak in _snaks({"snaks": pair.ref_snaks})]
    return replace(pair, urls=_urls([snak for snak in snaks if _is_address(snak)], properties))


def _identifiers(ref_snaks: Mapping[str, Any]) -> set[str]:
    return {name for name, group in ref_snaks.items() for snak in _sequence(group) if _is_identifier(snak)}


def _is_identifier(snak: object) -> bool:
    return isinstance(snak, dict) and snak.get("datatype") == "external-id"


def _statements(entity: Entity) -> Iterator[Mapping[str, Any]]:
    for group in entity.get("claims", {}).values():
        yield from (statement for statement in _sequence(group) if isinstance(statement, dict))


def _references(statement: Mapping[str, Any]) -> Sequence[Any]:
    return _sequence(statement.get("references"))


def _sequence(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _main_snak(statement: Mapping[str, Any]) -> Mapping[str, Any]:
    snak = statement.get("mainsnak")
    return snak if isinstance(snak, dict) else {}


def _reason_to_skip(
    entity: Entity, statement: Mapping[str, Any], skip: Collection[str], wants: Collection[str] | None
) -> Skipped | None:
    snak, guid = _main_snak(statement), statement.get("id")
    if wants is not None and str(guid).lower() not in wants:
        return Skipped.NOT_ASKED
    if not isinstance(guid, str) or not guid or "property" not in snak:
        return Skipped.UNREADABLE
    head = SnakHead(snak["property"], str(snak.get("snaktype")), snak.get("datatype"))
    reason = _reason(entity["id"], guid, str(statement.get("rank")), head, skip)
    return reason or (None if _readable(snak) else Skipped.UNREADABLE)


def _reason(name: str, guid: str, rank: str, snak: SnakHead, skip: Collection[str]) -> Skipped | None:
    """Why no pair of a statement is judged, as far as that can be said without its value."""
    # On Wikidata an id begins with its entity's, in whatever case, and no two statements share one.
    if not guid.lower().startswith(f"{name.lower()}$"):
        return Skipped.ID_TAKEN
    if not name.startswith(("Q", "L")):
        return Skipped.SUBJECT
    if rank == "deprecated":
        return Skipped.DEPRECATED
    if (without := _WITHOUT_VALUE.get(snak.snaktype)) is not None:
        return without
    if snak.property in skip:
        return Skipped.ONTOLOGICAL
    return Skipped.WORDLESS if snak.datatype in WORDLESS else None


_WITHOUT_VALUE = {"novalue": Skipped.NO_VALUE, "somevalue": Skipped.UNKNOWN_VALUE}


def _readable(snak: Mapping[str, Any]) -> bool:
    try:
        parse_value(snak["datavalue"], lambda name: Term(name, None))
    except (KeyError, MalformedValue):
        return False
    return True


def _classes(entity: Entity) -> tuple[str, ...]:
    """What the entity is an instance of, those of preferred rank first; never what is deprecated."""
    ranked: dict[str, list[str]] = {"preferred": [], "normal": []}
    for statement in _sequence(entity.get("claims", {}).get(INSTANCE_OF)):
        if isinstance(statement, dict) and (rank := str(statement.get("rank", "normal"))) in ranked:
            value = _map(_map(_main_snak(statement).get("datavalue")).get("value"))
            try:
                ranked[rank].append(entity_id(value))
            except (KeyError, TypeError, ValueError, OverflowError):
                continue  # `somevalue`, or nothing that names an item
    found = dict.fromkeys((*ranked["preferred"], *ranked["normal"]))
    return tuple(name for name in found if _CLASS_ID.fullmatch(name))[:MOST_CLASSES]


def _pair(
    entity: Entity,
    statement: Mapping[str, Any],
    reference: object,
    properties: Mapping[str, PropertyFacts],
    classes: tuple[str, ...],
) -> SelectedPair | Skipped:
    groups = _groups(reference)
    snaks = [
        _with_datatype(snak, properties)
        for group in groups.values()
        for snak in _sequence(group)
        if isinstance(snak, dict)
    ]
    addresses = [snak for snak in snaks if _is_address(snak)]
    if not addresses:
        wikimedia = _WIKIMEDIA & {snak.get("property") for snak in snaks}
        return Skipped.WIKIMEDIA if wikimedia else Skipped.NO_ADDRESS
    snak = _with_datatype(_main_snak(statement), properties)
    return SelectedPair(
        guid=statement["id"],
        item_id=entity["id"],
        property_id=snak["property"],
        snak=dict(snak),
        qualifiers=_map(statement.get("qualifiers")),
        rank="preferred" if statement.get("rank") == "preferred" else "normal",
        revision=int(entity.get("lastrevid") or 0),
        ref_hash=_hash(reference),
        ref_snaks=groups,
        urls=_urls(addresses, properties),
        classes=classes,
    )


def _snaks(reference: object) -> list[Mapping[str, Any]]:
    """The snaks of a reference, in the order in which Wikidata shows them."""
    return [snak for group in _groups(reference).values() for snak in _sequence(group) if isinstance(snak, dict)]


def _groups(reference: object) -> dict[str, Any]:
    """The snaks of a reference by property, in that order."""
    groups = _map(reference.get("snaks")) if isinstance(reference, dict) else {}
    order = _sequence(reference.get("snaks-order")) if isinstance(reference, dict) else ()
    if len(groups) < 2:
        return groups
    names = [name for name in order if isinstance(name, str) and name in groups]
    return {name: groups[name] for name in (*names, *groups)}


def _map(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _with_datatype(snak: Mapping[str, Any], properties: Mapping[str, PropertyFacts]) -> Mapping[str, Any]:
    """The snak with its datatype: old dumps leave it to the property, or to the datavalue's type."""
    if snak.get("datatype"):
        return snak
    known, datavalue = properties.get(str(snak.get("property"))), _map(snak.get("datavalue"))
    if known and known.datatype:
        return {**snak, "datatype": known.datatype}
    if snak.get("property") in URL_PROPERTIES:
        return {**snak, "datatype": "url"}
    value = _map(datavalue.get("value"))
    kind = str(datavalue.get("type", ""))
    inferred = f"wikibase-{value.get('entity-type')}" if kind == "wikibase-entityid" else DATATYPES.get(kind, "")
    return {**snak, "datatype": inferred}


def _is_address(snak: Mapping[str, Any]) -> bool:
    return snak.get("datatype") in ("url", "external-id") and snak.get("property") != WIKIMEDIA_IMPORT_URL


def _urls(snaks: Sequence[Mapping[str, Any]], properties: Mapping[str, PropertyFacts]) -> tuple[SourceUrl, ...]:
    """The addresses in the order to try: live ones, then archived copies, then those of identifiers."""
    found = [url for snak in snaks if (url := _source_url(snak, properties))]
    if len(found) < 2:
        return tuple(found)
    order = ("live", "archive", "identifier")
    unique = {source.url: source for source in sorted(found, key=lambda source: -order.index(source.via))}
    return tuple(sorted(unique.values(), key=lambda source: (order.index(source.via), found.index(source))))


def _source_url(snak: Mapping[str, Any], properties: Mapping[str, PropertyFacts]) -> SourceUrl | None:
    value = _map(snak.get("datavalue")).get("value")
    if snak.get("snaktype", "value") != "value" or not isinstance(value, str):
        return None  # `somevalue`: there is an address, but nobody wrote it down
    if snak.get("datatype") == "external-id":
        facts = properties.get(str(snak.get("property")))
        url = usable_url(identifier_url(value.strip(), facts.formatters) or "") if facts else None
        return SourceUrl(url, "identifier") if url else None
    url = usable_url(value)
    return SourceUrl(url, "archive" if snak.get("property") == ARCHIVE_URL else "live") if url else None


def usable_url(text: str) -> str | None:
    """The address without blanks around it, or None where it is none of the web's."""
    url = text.strip()
    try:
        parts = urlsplit(url)
        usable = parts.scheme.lower() in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, a bracket left open
        return None
    return url if usable and len(url) <= LONGEST_URL and not _UNSEEN.search(url) else None


_UNSEEN = re.compile(r"[\x00-\x20\x7f]")


def _hash(reference: object) -> str:
    """The reference's own hash; where an old dump has none, one of its snaks."""
    given = reference.get("hash") if isinstance(reference, dict) else None
    if isinstance(given, str) and given:
        return given
    canonical = json.dumps([_bare(snak) for snak in _snaks(reference)], sort_keys=True, ensure_ascii=False)
    return hashlib.sha1(canonical.encode(), usedforsecurity=False).hexdigest()


def _bare(snak: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: snak.get(name) for name in ("property", "snaktype", "datavalue")}


_ENTITY_ID = re.compile(r"[QPL][1-9][0-9]*(?:-[FS][1-9][0-9]*)?")
_CLASS_ID = re.compile(r"Q[1-9][0-9]{0,11}")


def _named(pair: SelectedPair) -> frozenset[str] | None:
    """The ids whose words a pair needs; None where one is none, or the pair holds what no database keeps."""
    try:
        names = frozenset(_needed(pair))
        # Half a surrogate pair can't be written.
        text = msgspec.json.encode([pair.guid, pair.ref_hash, pair.snak, pair.qualifiers, pair.ref_snaks])
    except (TypeError, AttributeError, ValueError, RecursionError):
        return None
    ids = all(_ENTITY_ID.fullmatch(name) and name.isascii() for name in names)
    groups = all(isinstance(group, list) for group in pair.qualifiers.values())
    return names if ids and groups and b"\\u0000" not in text else None


def _needed(pair: SelectedPair) -> Iterator[str]:
    yield pair.item_id
    yield from pair.classes
    for snak in (pair.snak, *(snak for group in pair.qualifiers.values() for snak in _sequence(group))):
        if isinstance(snak, dict) and "property" in snak:
            yield str(snak["property"])
            try:
                yield from value_entity_ids(_map(snak.get("datavalue")))
            except (KeyError, TypeError, ValueError):
                continue  # a qualifier that can't be read takes no part in the claim
