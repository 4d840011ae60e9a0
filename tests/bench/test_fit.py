"""When a proposed classifier is worse than what ships."""

from __future__ import annotations

from typing import Any

import pytest

from bench.fit import SLACK, falls

FIGURES = {"auc by page": 0.9, "macro_f1 by domain": 0.8, "ece by page": 0.05, "swaps above their original": 0.1}


def proposal(**changed: float) -> dict[str, Any]:
    """The shipped rows with other figures; "_" in a name stands for a space."""
    return {"rows": {"pairs.jsonl": "ab12"}, "figures": FIGURES | {k.replace("_", " "): v for k, v in changed.items()}}


SHIPPED = proposal()


def test_nothing_falls_where_nothing_ships_or_nothing_changed() -> None:
    assert falls(None, SHIPPED) == []
    assert falls(SHIPPED, SHIPPED) == []


@pytest.mark.parametrize(
    ("name", "now", "fallen"),
    [
        ("auc by page", 0.89, True),
        ("auc by page", 0.91, False),
        ("auc by page", 0.9 - SLACK / 2, False),  # rounding
        ("auc by page", 0.9 - 2 * SLACK, True),
        ("ece by page", 0.06, True),  # an error: less is better
        ("ece by page", 0.04, False),
        ("ece by page", 0.05 + SLACK / 2, False),
        ("ece by page", 0.05 + 2 * SLACK, True),
    ],
)
def test_each_figure_falls_in_its_own_direction(name: str, now: float, fallen: bool) -> None:
    found = falls(SHIPPED, proposal(**{name: now}))
    assert found == ([f"{name}: {FIGURES[name]} before, {now} now"] if fallen else [])


def test_every_fall_is_named_however_much_others_gain() -> None:
    found = falls(SHIPPED, proposal(auc_by_page=0.8, ece_by_page=0.2) | {"falls": []})
    assert [one.split(":")[0] for one in found] == ["auc by page", "ece by page"]
    assert falls(SHIPPED, {"rows": SHIPPED["rows"], "figures": FIGURES | {"auc by page": 1.0, "new": 0.0}}) == []


def test_a_figure_that_is_gone_is_a_fall() -> None:
    without = {name: value for name, value in FIGURES.items() if name != "auc by page"}
    assert falls(SHIPPED, {"rows": SHIPPED["rows"], "figures": without}) == ["auc by page: 0.9 before, None now"]


@pytest.mark.parametrize("rows", [{}, {"pairs.jsonl": "cd34"}, {"pairs.jsonl": "ab12", "more.jsonl": "ef56"}])
def test_figures_of_other_rows_are_not_compared(rows: dict[str, str]) -> None:
    found = falls(SHIPPED, {"rows": rows, "figures": dict.fromkeys(FIGURES, 1.0)})
    assert found == ["the rows are not those of the shipped figures"]
