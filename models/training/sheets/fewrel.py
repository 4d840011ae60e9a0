"""Sheets from FewRel: single sentences of Wikipedia's, each with one Wikidata property of two entities in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from models.read.page import Block, Page
from models.read.sentences import passages_of, split
from models.statement import EntityValue, Term
from models.training.rows import MALFORMED, BadRows, as_list, json_lines, writable
from models.training.sheets.redocred import plain
from models.training.sheets.sheet import Fact, Said, Sheet


def property_labels(path: Path) -> dict[str, str]:
    """Labels by id from FewRel's list of properties. Raises `BadRows`."""
    labels: dict[str, str] = {}
    for number, row in json_lines(path):
        try:
            labels[str(row["property_id"])] = str(writable(row)["label"])
        except MALFORMED as error:
            raise BadRows(f"{path}, line {number}: not a property of FewRel's ({error})") from error
    labels.pop("P0", None)  # none of the others
    return labels


def fewrel_sheets(path: Path, properties: Mapping[str, str]) -> Iterator[Sheet]:
    """A sheet for each sentence of FewRel's that our splitter takes for one. Raises `BadRows`."""
    for number, row in json_lines(path):
        try:
            sheet = _sheet(writable(row), properties)
        except MALFORMED as error:
            raise BadRows(f"{path}, line {number}: not a sentence of FewRel's ({error})") from error
        if sheet is not None:
            yield sheet


def _sheet(row: Mapping[str, Any], properties: Mapping[str, str]) -> Sheet | None:
    text = plain(" ".join(as_list(row["tokens"])))
    if row["property_id"] not in properties or len(split(text)) != 1:
        return None
    head, tail = (Term(str(row[f"{end}_id"]), _as_written(str(row[end]), text)) for end in ("head", "tail"))
    fact = Fact(head, Term(row["property_id"], properties[row["property_id"]]), EntityValue(tail))
    blocks = (Block(text, "text"),)
    return Sheet(Page("", "en", blocks, passages_of(blocks)), (Said(fact, 0, frozenset({0})),), (), "fewrel")


def _as_written(name: str, text: str) -> str:
    """A name in the sentence's own spelling: FewRel's are in lower case."""
    name = plain(name)
    at = text.casefold().find(name.casefold())
    return text[at : at + len(name)] if at >= 0 else name
