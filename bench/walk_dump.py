"""A dump to measure a walk on: real entities over and over under new ids, in the shares that Wikidata has."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.rows import DATA, MissingRows
from bot.select import select, untyped_properties
from bot.sources.entity import Entity, check_entity
from bot.sources.formatter import PropertyFacts
from bot.sources.lines import read_lines

REFERENCED = 4  # one in so many entities has references that can be used
WHOLE = 8  # one in so many is an entity as it is on Wikidata, the others are cut to what one reference needs
SOURCES = (DATA / "wikidata" / "entities.json.gz", DATA / "wtr" / "dump.json.gz")
_WIKIMEDIA = frozenset({"P143", "P4656"})  # in references that name a Wikimedia project, which most items have


@dataclass(frozen=True, slots=True)
class Shapes:
    """Lines of items: with references that can be used, and the same without these; whole ones apart from cut ones."""

    referenced: tuple[tuple[bytes, ...], tuple[bytes, ...]]
    bare: tuple[tuple[bytes, ...], tuple[bytes, ...]]
    properties: tuple[bytes, ...]


def shapes(sources: Sequence[Path] = SOURCES) -> Shapes:
    """The shapes of two dumps, the first of whole entities. Raises `MissingRows` where one isn't there."""
    referenced: tuple[list[bytes], list[bytes]] = ([], [])
    bare: tuple[list[bytes], list[bytes]] = ([], [])
    properties: list[bytes] = []
    for cut, path in enumerate(sources):
        if not path.exists():
            raise MissingRows(f"{path} isn't there: the bench needs real entities to build its dump from")
        for line in read_lines(path):
            entity = json.loads(line.text)
            if entity["id"].startswith("P"):
                properties.append(_line(entity))
            elif _selected(check_entity(entity)):
                referenced[cut].append(_line(entity))
                bare[cut].append(_line(_without(entity)))
            else:
                bare[cut].append(_line(entity))
    return Shapes(_frozen(referenced), _frozen(bare), tuple(properties))


def _frozen(lines: tuple[list[bytes], list[bytes]]) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    return tuple(lines[0]), tuple(lines[1])


def write_dump(path: Path, size: int, seed: int = 1, progress: Callable[[int], None] = lambda _: None) -> int:
    """Write a gzip dump of at least `size` bytes of plain text; how many entities it has."""
    entities = 0
    with gzip.open(path, "wb", compresslevel=6) as file:
        for line in lines(size, seed):
            file.write(line)
            progress(len(line))
            entities += line.startswith(b"{")
    return entities


def lines(size: int, seed: int) -> Iterator[bytes]:
    """The lines of such a dump, brackets and commas included."""
    chosen = random.Random(seed)  # noqa: S311 - a sample, no secret
    known = shapes()
    yield b"[\n"
    given = number = 0
    for line in known.properties:
        yield line + b",\n"
        given += len(line)
    while given < size:
        number += 1
        kinds = known.referenced if number % REFERENCED == 0 else known.bare
        line = _renamed(chosen.choice(kinds[chosen.randrange(WHOLE) > 0]), f"Q{number + 1_000_000}")
        given += len(line)
        yield line + (b",\n" if given < size else b"\n")
    yield b"]\n"


def _line(entity: Mapping[str, Any]) -> bytes:
    head = {"type": entity.get("type", "item"), "id": entity["id"]}
    return json.dumps(head | dict(entity), ensure_ascii=False, separators=(",", ":")).encode()


def _selected(entity: Entity) -> bool:
    facts = {name: PropertyFacts("url" if name == "P854" else "") for name in untyped_properties(entity)}
    return bool(select(entity, facts).pairs)


def _without(entity: Mapping[str, Any]) -> dict[str, Any]:
    """The entity with no reference but those that name a Wikimedia project."""
    claims = {
        name: [{**statement, "references": _useless(statement.get("references", ()))} for statement in group]
        for name, group in entity["claims"].items()
    }
    return {**entity, "claims": claims}


def _useless(references: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [one for one in references if _WIKIMEDIA & set(one["snaks"]) and set(one["snaks"]) <= _WIKIMEDIA | {"P813"}]


def _renamed(line: bytes, name: str) -> bytes:
    """The line under another id, in its statements' ids too."""
    start = line.index(b'"id":"') + 6
    old, new = line[start : line.index(b'"', start)], name.encode()
    renamed = line[:start] + new + line[start + len(old) :]
    return renamed.replace(b'"' + old + b"$", b'"' + new + b"$").replace(b'"' + old.lower() + b"$", b'"' + new + b"$")
