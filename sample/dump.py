"""The sample's entities in the form of a Wikidata JSON dump: one entity a line, between brackets."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sample.statements import (
    Cited,
    Entity,
    Formatter,
    Made,
    Nothing,
    Quantity,
    Sample,
    Text,
    Thing,
    Time,
    Unknown,
    Value,
)

Json = dict[str, Any]

ENTITY_URI = "http://www.wikidata.org/entity/"
CALENDARS = {"gregorian": ENTITY_URI + "Q1985727", "julian": ENTITY_URI + "Q1985786"}
MODIFIED = "2026-03-01T12:00:00Z"
REVISION = 2_300_000_000
# Statement and page ids have to be the same in every build, and must not pass for those of the live site.
SPACE = uuid.uuid5(uuid.NAMESPACE_URL, "https://citewell.example/sample")


def dump_lines(sample: Sample) -> Iterator[str]:
    """The dump, line by line, without line ends: brackets, and an entity a line with a comma after all but the last."""
    lines = [_compact(entity_json(sample, entity_id)) for entity_id in sample.entities]
    yield "["
    yield from (line + "," for line in lines[:-1])
    yield from lines[-1:]
    yield "]"


def entity_json(sample: Sample, entity_id: str) -> Json:
    """An item or property of the sample with its statements, as Wikibase writes it."""
    entity = sample.entities[entity_id]
    if entity_id.startswith("P"):
        claims = _by_property(_formatter_claim(entity_id, formatter) for formatter in entity.formatters)
        kind: Json = {"type": "property", "datatype": entity.datatype}
        title, namespace = f"Property:{entity_id}", 120
    else:
        told = [_claim(sample, made) for made in sample.statements if made.item == entity_id]
        if entity.instance_of:
            told.append(_claim(sample, Made(item=entity_id, property="P31", value=Thing(entity.instance_of), cites=())))
        claims = _by_property(told)
        kind, title, namespace = {"type": "item"}, entity_id, 0
    return {
        **kind,
        "id": entity_id,
        **_terms(entity),
        # Wikibase writes an empty map as an empty list.
        "claims": claims or [],
        **({} if namespace else {"sitelinks": []}),
        "pageid": int(entity_id[1:]),
        "ns": namespace,
        "title": title,
        "lastrevid": REVISION + int(entity_id[1:]),
        "modified": MODIFIED,
    }


def guid(made: Made) -> str:
    """The statement's GUID: of our own making, in Wikidata's form."""
    name = f"{made.item} {made.property} {made.value!r}"
    return f"{made.item}${str(uuid.uuid5(SPACE, name)).upper()}"


def reference_hash(sample: Sample, name: str) -> str:
    """The hash of a reference by its name in the file."""
    return str(_reference(sample, sample.references[name])["hash"])


def _terms(entity: Entity) -> Json:
    language = entity.language
    label = {language: {"language": language, "value": entity.label}} if entity.label else {}
    description = {"en": {"language": "en", "value": entity.description}} if entity.description else {}
    aliases = {language: [{"language": language, "value": alias} for alias in entity.aliases]} if entity.aliases else {}
    return {"labels": label or [], "descriptions": description or [], "aliases": aliases or []}


def _by_property(claims: Iterable[Json]) -> dict[str, list[Json]]:
    grouped: defaultdict[str, list[Json]] = defaultdict(list)
    for claim in claims:
        grouped[claim["mainsnak"]["property"]].append(claim)
    return dict(grouped)


def _claim(sample: Sample, made: Made) -> Json:
    qualifiers = {
        property_id: [_hashed(_snak(sample, property_id, value))] for property_id, value in made.qualifiers.items()
    }
    return {
        "mainsnak": _snak(sample, made.property, made.value),
        "type": "statement",
        **({"qualifiers": qualifiers, "qualifiers-order": list(qualifiers)} if qualifiers else {}),
        "id": guid(made),
        "rank": made.rank,
        "references": [_reference(sample, sample.references[citation.reference]) for citation in made.cites],
    }


def _formatter_claim(property_id: str, formatter: Formatter) -> Json:
    qualifier = _hashed(_text_snak(formatter.told_by, formatter.pattern, "string"))
    return {
        "mainsnak": _text_snak("P1630", formatter.url, "string"),
        "type": "statement",
        "qualifiers": {formatter.told_by: [qualifier]},
        "qualifiers-order": [formatter.told_by],
        "id": f"{property_id}${str(uuid.uuid5(SPACE, f'{property_id} {formatter.url}')).upper()}",
        "rank": formatter.rank,
    }


def _reference(sample: Sample, cited: Cited) -> Json:
    snaks: dict[str, list[Json]] = {}
    if cited.imported_from:
        snaks["P143"] = [_snak(sample, "P143", Thing(cited.imported_from))]
    for property_id, identifier in cited.identifier.items():
        snaks[property_id] = [_text_snak(property_id, identifier, "external-id")]
    if cited.urls:
        snaks["P854"] = [_text_snak("P854", url, "url") for url in cited.urls]
    if cited.unknown_url:
        snaks["P854"] = [_snak(sample, "P854", Unknown())]
    if cited.archive:
        snaks["P1065"] = [_text_snak("P1065", cited.archive, "url")]
    if cited.retrieved:
        snaks["P813"] = [_snak(sample, "P813", Time(cited.retrieved))]
    return {"hash": _sha1(snaks), "snaks": snaks, "snaks-order": list(snaks)}


def _snak(sample: Sample, property_id: str, value: Value) -> Json:
    datatype = sample.entities[property_id].datatype
    if isinstance(value, Unknown | Nothing):
        kind = "somevalue" if isinstance(value, Unknown) else "novalue"
        return {"snaktype": kind, "property": property_id, "datatype": datatype}
    return {"snaktype": "value", "property": property_id, "datavalue": _datavalue(value), "datatype": datatype}


def _text_snak(property_id: str, text: str, datatype: str) -> Json:
    datavalue = {"value": text, "type": "string"}
    return {"snaktype": "value", "property": property_id, "datavalue": datavalue, "datatype": datatype}


def _datavalue(value: Time | Thing | Quantity | Text) -> Json:
    match value:
        case Time():
            return {"value": _time(value), "type": "time"}
        case Thing():
            number = int(value.id[1:])
            return {"value": {"entity-type": "item", "numeric-id": number, "id": value.id}, "type": "wikibase-entityid"}
        case Quantity():
            return {"value": _quantity(value), "type": "quantity"}
        case Text():
            return {"value": {"text": value.text, "language": value.language}, "type": "monolingualtext"}


def _time(value: Time) -> Json:
    sign, digits = ("-", value.at[1:]) if value.at.startswith("-") else ("+", value.at)
    parts = digits.split("-")
    # Parts that are finer than the precision are 00, as Wikidata writes them: year 9, month 10, day 11.
    return {
        "time": f"{sign}{'-'.join([*parts, '00', '00'][:3])}T00:00:00Z",
        "timezone": 0,
        "before": 0,
        "after": 0,
        "precision": 8 + len(parts),
        "calendarmodel": CALENDARS[value.calendar],
    }


def _quantity(value: Quantity) -> Json:
    bounds = {"upperBound": value.upper, "lowerBound": value.lower}
    unit = value.unit if value.unit == "1" else ENTITY_URI + value.unit
    return {"amount": _signed(value.amount), "unit": unit, **{k: _signed(v) for k, v in bounds.items() if v}}


def _signed(number: str) -> str:
    return number if number.startswith("-") else "+" + number


def _hashed(snak: Json) -> Json:
    return {**snak, "hash": _sha1(snak)}


def _sha1(value: Mapping[str, Any]) -> str:
    # As long as Wikibase's own hashes, and like them only an identity: nothing here is secret.
    return hashlib.sha1(_compact(value).encode(), usedforsecurity=False).hexdigest()


def _compact(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
