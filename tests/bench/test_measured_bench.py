"""The figures that the dashboard shows, of rows with numbers chosen by hand."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from bench.measured import measured
from bench.rows import Row
from models.statement import Statement, Term, TextValue

BORN, NAME = Term("P569", "date of birth"), Term("P1559", None)


def row(prop: Term, url: str) -> Row:
    return Row(Statement("", Term("Q1", "x"), prop, "string", TextValue("y")), url, "1.A", "", "")


# property, page, label, y of the first run, y of the second; a call is supported from 0.5
CASES = (
    (BORN, "https://a.example/1", 1, 0.95, 0.95),
    (BORN, "https://a.example/2", 0, 0.91, 0.05),  # a sure mistake in the first run
    (BORN, "https://b.example/1", 1, 0.55, 0.55),  # right, but unsure
    (NAME, "https://b.example/2", 0, 0.55, 0.15),  # a mistake that is unsure in the first run
    (NAME, "https://b.example/3", 0, 0.0, 0.0),
)


@pytest.fixture
def found() -> dict[str, Any]:
    rows = [row(prop, url) for prop, url, *_ in CASES]
    labels = np.array([case[2] for case in CASES])
    runs = [(y := np.array([case[at] for case in CASES]), y >= 0.5) for at in (3, 4)]
    return measured(rows, labels, runs, 0.3, "by hand")


def test_it_says_how_many_rows_and_how(found: dict[str, Any]) -> None:
    assert (found["rows"], found["unsupported"], found["how"]) == (5, 3, "by hand")
    assert json.loads(json.dumps(found)) == found


def test_sure_mistakes_and_unsure_calls_are_means_over_runs(found: dict[str, Any]) -> None:
    assert found["by_property"] == [
        {"id": "P569", "label": "date of birth", "n": 3, "wrong": 0.5, "unsure": 1.0},
        {"id": "P1559", "label": "", "n": 2, "wrong": 0.0, "unsure": 0.5},
    ]


def test_the_largest_group_comes_first_and_equals_by_name(found: dict[str, Any]) -> None:
    assert found["by_domain"] == [
        {"domain": "b.example", "n": 3, "wrong": 0.0, "unsure": 1.5},
        {"domain": "a.example", "n": 2, "wrong": 0.5, "unsure": 0.0},
    ]
    rows = [row(Term(name, name), "https://a.example/") for name in ("P3", "P1", "P2")]
    runs = [(np.array([0.9] * 3), np.array([True] * 3))]
    equals: dict[str, Any] = measured(rows, np.ones(3, int), runs, 0.3, "")
    assert [one["id"] for one in equals["by_property"]] == ["P1", "P2", "P3"]


def test_empty_bins_are_left_out_and_rows_of_a_bin_are_those_of_one_run(found: dict[str, Any]) -> None:
    bins = {one["from"]: one for one in found["reliability"]}
    assert {key: one["n"] for key, one in bins.items()} == {0.0: 1.5, 0.1: 0.5, 0.5: 1.5, 0.9: 1.5}
    assert sum(one["n"] for one in bins.values()) == len(CASES)
    assert bins[0.5] == {"from": 0.5, "to": 0.6, "n": 1.5, "said": 0.55, "found": pytest.approx(2 / 3, abs=1e-4)}


def test_the_risk_grows_from_the_surest_calls_to_all(found: dict[str, Any]) -> None:
    curve = {one["coverage"]: one["risk"] for one in found["risk_coverage"]}
    assert curve[0.2] == 0.0  # of either run the surest call is right
    assert curve[1.0] == pytest.approx((2 / 5 + 0) / 2)
