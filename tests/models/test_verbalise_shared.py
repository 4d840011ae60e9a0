"""Claims for real statements, where the data sets are at hand."""

from __future__ import annotations

import gzip
import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from models.statement import Statement, Term, parse_value
from models.verbalise import say_value, verbalise

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


def test_a_hundred_thousand_claims_take_a_few_seconds() -> None:
    statements = [statement(row) for row in rows("wdv/crowd.jsonl.gz")]
    started = time.perf_counter()
    for real in statements * 7:
        verbalise(real)
    # Ten times slower than measured on a small machine still passes: this is for accidents, not for tuning.
    assert (time.perf_counter() - started) / (len(statements) * 7) < 200e-6
