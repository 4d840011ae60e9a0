"""Real entities for the tests of this room: those of the project's own sample."""

from __future__ import annotations

import copy
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from bot.sources.entity import check_entity
from bot.sources.lines import read_lines

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "sample" / "dump.json.gz"
PAGES = ROOT / "sample" / "answers.warc.gz"
SHARED = ROOT.parent / "shared" / "data"


@cache
def _read() -> dict[str, Any]:
    entities = (check_entity(msgspec.json.decode(line.text)) for line in read_lines(SAMPLE))
    return {entity["id"]: entity for entity in entities}


def sample_entities() -> dict[str, Any]:
    """The sample's entities by id, a copy that a test may change."""
    return copy.deepcopy(_read())


def adams(url: str | tuple[str, ...], archived: str = "") -> list[dict[str, Any]]:
    """The sample's entities, with all statements of Douglas Adams citing one reference, and no others."""
    entities = sample_entities()
    urls = (url,) if isinstance(url, str) else url
    snaks = {"P854": [_url("P854", one) for one in urls]} | ({"P1065": [_url("P1065", archived)]} if archived else {})
    reference = {"hash": "a" * 40, "snaks": snaks, "snaks-order": list(snaks)}
    for name, entity in entities.items():
        if name.startswith("Q"):
            claims = entity["claims"] if name == "Q42" else {}
            entity["claims"] = {
                prop: [{**one, "references": [reference]} for one in group if _sayable(one, entities)]
                for prop, group in claims.items()
            }
    return list(entities.values())


def _sayable(statement: dict[str, Any], entities: dict[str, Any]) -> bool:
    """Whether a statement isn't deprecated and its value has words."""
    value = statement["mainsnak"].get("datavalue", {}).get("value", {})
    unlabelled = isinstance(value, dict) and "id" in value and not entities[value["id"]]["labels"]
    return statement["rank"] != "deprecated" and statement["mainsnak"]["snaktype"] == "value" and not unlabelled


def _url(prop: str, url: str) -> dict[str, Any]:
    return {"snaktype": "value", "property": prop, "datatype": "url", "datavalue": {"type": "string", "value": url}}
