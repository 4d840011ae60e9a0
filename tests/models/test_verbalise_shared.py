"""Claims for real statements, where the data sets are at hand."""

from __future__ import annotations

import gzip
import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from models.statement import EntityValue, Statement, Term, parse_value
from models.verbalise import say_value, verbalise
from models.verbalise.patterns import pattern_ids

DATA = Path(__file__).parents[2].parent / "shared" / "data"
FILES = ("wtr/pairs.jsonl", "wtr/more.jsonl", "wdv/crowd.jsonl.gz")

pytestmark = pytest.mark.skipif(not (DATA / FILES[0]).exists(), reason="the data sets in ../shared/data are not here")


def rows(name: str) -> list[dict[str, Any]]:
    path = DATA / name
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in data.splitlines()]


def statement(row: dict[str, Any]) -> Statement:
    label = row["object_label"]
    if row["datavalue"]["type"] == "quantity":
        label = label.partition(" ")[2] or None

    def term(entity_id: str) -> Term:
        return Term(entity_id, label)

    return Statement(
        guid=row["claim_id"],
        item=Term(row["entity_id"], row["entity_label"], description=row.get("entity_description") or ""),
        property=Term(row["property_id"], row["property_label"]),
        datatype="",
        value=parse_value(row["datavalue"], term),
    )


@pytest.mark.parametrize("name", FILES)
def test_every_real_statement_is_said_with_its_subject_and_value(name: str) -> None:
    for row in rows(name):
        real = statement(row)
        claim = verbalise(real)
        assert claim is not None, row["claim_id"]
        assert " ".join((real.item.label or "").split()) in claim.text
        assert say_value(real.value) in claim.text
        assert not re.search(r"T00:00:00Z|\bnan\b|\.\.$", claim.text)


def test_almost_all_of_wtr_has_a_sentence_of_its_own() -> None:
    wordings = [claim.wording for row in rows("wtr/pairs.jsonl") if (claim := verbalise(statement(row)))]
    assert wordings.count("pattern") / len(wordings) > 0.97


# Read one by one: these say their property with other words than its label.
SAID_OTHERWISE = frozenset(
    "P17 P19 P20 P21 P26 P27 P31 P106 P119 P186 P200 P201 P291 P403 P414 P740 P840 P859 P885 P915 P937 P1071 P2175 "
    "P2522 P2632 P3602".split()
)


def test_no_pattern_stands_under_another_property() -> None:
    """Each shares the stem of a word with the English label that FewRel gives, unless it was read."""
    labels = {row["property_id"]: row["label"] for row in rows("fewrel/properties.jsonl")}
    strangers = set()
    for property_id in pattern_ids() & labels.keys():
        value = EntityValue(Term("Q2", "Yy"))
        claim = verbalise(Statement("g", Term("Q1", "Xx"), Term(property_id, "label"), "", value))
        assert claim is not None
        said = {word[:5] for word in re.findall(r"\w{4,}|use", claim.text.lower())}
        if not said & {word[:5] for word in re.findall(r"\w{4,}|use", labels[property_id].lower())}:
            strangers.add(property_id)
    assert strangers <= SAID_OTHERWISE


def test_a_hundred_thousand_claims_take_a_few_seconds() -> None:
    statements = [statement(row) for row in rows("wdv/crowd.jsonl.gz")]
    started = time.perf_counter()
    for real in statements * 7:
        verbalise(real)
    # Ten times slower than measured on a small machine still passes: this is for accidents, not for tuning.
    assert (time.perf_counter() - started) / (len(statements) * 7) < 200e-6
