"""A dump in Wikidata's form, of invented people whose references lead to the web of trouble."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.trouble.hosts import JUDGED, Host, plain_hosts
from bench.trouble.people import TOWNS, Person
from models.outcome import Outcome

FIRST_PERSON, FIRST_TOWN, OCCUPATION = 1_000_000, 9_000_000, 9_900_000
_PROPERTIES = {
    "P569": ("date of birth", "time"),
    "P19": ("place of birth", "wikibase-item"),
    "P106": ("occupation", "wikibase-item"),
    "P854": ("reference URL", "url"),
    "P1065": ("archive URL", "url"),
}
_STATEMENTS = ("P569", "P19", "P106")
_ARCHIVED, _SEVERAL, _CLOSED, _TROUBLED = 0.15, 0.1, 0.3, 0.5  # shares of references
Snak = dict[str, Any]
_Ends = frozenset[Outcome | str]


@dataclass(frozen=True, slots=True)
class Page:
    """A page that a reference cites: its host, its path, and its property (P854, or P1065 for an archived copy)."""

    host: Host
    path: str
    property_id: str = "P854"


@dataclass(frozen=True, slots=True)
class Cited:
    """A pair of the dump: its statement, its reference, the pages in the order of trying, and what it may end as."""

    guid: str
    ref_hash: str
    pages: tuple[Page, ...]

    @property
    def ends(self) -> _Ends:
        """Judged, or the outcome of the first page, where none of the pages can be read."""
        each = [page.host.ends(page.path) for page in self.pages]
        readable = frozenset({JUDGED}) if any(JUDGED in ends for ends in each) else frozenset[str]()
        surely = any(ends == {JUDGED} for ends in each)
        return readable | (frozenset() if surely else each[0] - {JUDGED})


def write_dump(path: Path, hosts: Sequence[Host], port: int, pairs: int, seed: int) -> tuple[Cited, ...]:
    """Write a dump (.json.gz) with so many pairs, and say which they are. The same seed gives the same dump."""
    chance, cited, lines = random.Random(seed), list[Cited](), [_words()]  # noqa: S311 - not for secrets
    numbers = iter(range(pairs))
    while len(cited) < pairs:
        entity, found = _person(Person(next(numbers)), hosts, port, pairs - len(cited), chance)
        cited += found
        lines.append([entity])
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as file:
        file.write("[\n" + ",\n".join(json.dumps(entity) for some in lines for entity in some) + "\n]\n")
    return tuple(cited)


def _words() -> list[dict[str, Any]]:
    """The entities whose words the statements need."""
    towns = {f"Q{FIRST_TOWN + place}": town for place, town in enumerate(TOWNS)}
    items = [_entity(name, label) for name, label in (towns | {f"Q{OCCUPATION}": "cartographer"}).items()]
    properties = [
        _entity(name, label) | {"type": "property", "datatype": kind} for name, (label, kind) in _PROPERTIES.items()
    ]
    return items + properties


def _entity(name: str, label: str) -> dict[str, Any]:
    labels = {"en": {"language": "en", "value": label}}
    return {"type": "item", "id": name, "labels": labels, "aliases": {}, "descriptions": {}, "claims": {}}


def _person(
    person: Person, hosts: Sequence[Host], port: int, most: int, chance: random.Random
) -> tuple[dict[str, Any], list[Cited]]:
    """A person with some statements; most of them share a reference, some have two."""
    name = f"Q{FIRST_PERSON + person.number}"
    first, second = (_reference(person, hosts, chance, at) for at in range(2))
    claims: dict[str, list[dict[str, Any]]] = {}
    cited: list[Cited] = []
    for property_id in _STATEMENTS:
        references = [first, second] if property_id == "P569" else [first]
        references = references[: most - len(cited)]
        guid = f"{name}${hashlib.md5(f'{name}{property_id}'.encode(), usedforsecurity=False).hexdigest()}"
        statement = {"id": guid, "type": "statement", "rank": "normal", "mainsnak": _value(person, property_id)}
        claims[property_id] = [statement | {"references": [_written(pages, port) for pages in references]}]
        cited += [Cited(guid, _hash(pages, port), pages) for pages in references]
    return _entity(name, person.name) | {"claims": claims, "lastrevid": 1 + person.number}, cited


def _reference(person: Person, hosts: Sequence[Host], chance: random.Random, at: int) -> tuple[Page, ...]:
    """The pages of a reference; the hosts are gone through in turn, so that none of them is left out."""
    turn = person.number * 2 + at
    plain = plain_hosts(hosts)
    host = hosts[turn // 2 % len(hosts)] if at == 0 else chance.choice(plain)
    if at == 0 and turn // 2 >= len(hosts) and chance.random() > _TROUBLED:
        host = chance.choice(plain)
    folder = "closed" if host.rules.closed and chance.random() < _CLOSED else "people"
    pages = [Page(host, f"/{folder}/{person.number}{'?again' if at else ''}")]  # no reference is the other one
    if chance.random() < _SEVERAL:
        pages.append(Page(chance.choice(plain), f"/people/{person.number}?more"))
    if chance.random() < _ARCHIVED:
        pages.append(Page(chance.choice(plain), f"/people/{person.number}?archived", "P1065"))
    return tuple(pages)


def _written(pages: Sequence[Page], port: int) -> dict[str, Any]:
    snaks: dict[str, list[Snak]] = {}
    for page in pages:
        value = {"type": "string", "value": page.host.url(port, page.path)}
        snaks.setdefault(page.property_id, []).append(_snak(page.property_id, value))
    return {"hash": _hash(pages, port), "snaks": snaks, "snaks-order": list(snaks)}


def _hash(pages: Sequence[Page], port: int) -> str:
    text = " ".join(f"{page.property_id} {page.host.url(port, page.path)}" for page in pages)
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()


def _value(person: Person, property_id: str) -> Snak:
    if property_id == "P569":
        calendar = "http://www.wikidata.org/entity/Q1985727"
        time = {"time": f"+{person.born}T00:00:00Z", "timezone": 0, "before": 0, "after": 0, "precision": 11}
        return _snak(property_id, {"type": "time", "value": time | {"calendarmodel": calendar}})
    number = FIRST_TOWN + person.town if property_id == "P19" else OCCUPATION
    item = {"entity-type": "item", "numeric-id": number, "id": f"Q{number}"}
    return _snak(property_id, {"type": "wikibase-entityid", "value": item})


def _snak(property_id: str, value: dict[str, Any]) -> Snak:
    datatype = _PROPERTIES[property_id][1]
    return {"snaktype": "value", "property": property_id, "datatype": datatype, "datavalue": value}


def addresses(cited: Sequence[Cited], port: int) -> Iterator[str]:
    """Every address that is cited, once."""
    yield from dict.fromkeys(page.host.url(port, page.path) for one in cited for page in one.pages)
