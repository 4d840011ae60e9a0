"""The bench of a verifier on evidence sets: what is told from what, with the marks alone beside it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from bench.verifier import Told, figures, verifier_command
from models.evidence import Stance
from models.training.sheets.sets import EvidenceSet
from models.training.sheets.write import as_row
from models.verify.verifier import Opinion

YES, NO, NEITHER = Stance
BORN = "@ Ann @ was born in # 1901 # ."
SISTER = "@ Ann @ 's sister was born in # 1901 # ."
OTHER = "@ Ann @ was born in $ 1950 $ ."


def made(passages: dict[str, Stance], property_id: str = "P569", source: str = "a") -> EvidenceSet:
    texts, stances = tuple(passages), tuple(passages.values())
    return EvidenceSet("Ann : date of birth : 1901", texts, stances, source, property_id)


def told(one: EvidenceSet, supports: tuple[float, ...], together: float) -> Told:
    opinions = tuple(Opinion(0.0, each, 0.0, 1.0 - each, np.zeros(2, dtype=np.float32)) for each in supports)
    return Told(one, opinions, (together, 0.0, 1.0 - together))


def test_a_perfect_reader_beats_the_marks() -> None:
    sets = [made({BORN: YES, OTHER: NEITHER}), made({SISTER: NEITHER}), made({OTHER: NO})]
    found = figures([told(sets[0], (0.9, 0.1), 0.9), told(sets[1], (0.2,), 0.1), told(sets[2], (0.1,), 0.1)])
    assert found == {
        "sets": 3,
        "passages": {"n": 4, "auc": 1.0, "marks": pytest.approx(5 / 6, abs=1e-4)},
        "marked": {"n": 2, "auc": 1.0},
        "verdict": {"n": 3, "auc": 1.0, "surest": 1.0, "marks": 0.75},
    }


def test_a_reader_that_only_sees_marks_tells_nothing_among_the_marked() -> None:
    sets = [made({BORN: YES}), made({SISTER: NEITHER}), made({OTHER: NO})]
    found = figures([told(one, (0.9 if "#" in one.passages[0] else 0.0,), 0.5) for one in sets])
    assert found["marked"] == {"n": 2, "auc": 0.5}
    assert found["verdict"] == {"n": 3, "auc": 0.5, "surest": 0.75, "marks": 0.75}


def test_where_all_are_alike_only_their_number_is_said() -> None:
    assert figures([told(made({BORN: YES}), (0.9,), 0.9)])["marked"] == {"n": 1}


def test_the_command_counts_by_source_and_sets_properties_apart(tiny_verifier: Path, tmp_path: Path) -> None:
    rows = [made({BORN: YES, OTHER: NEITHER}, source=source) for source in "ab"]
    rows += [made({SISTER: NEITHER}, "P570", "a"), made({BORN: YES}, "P570", "a")]
    data = tmp_path / "sets.jsonl"
    data.write_text("".join(f"{as_row(one)}\n" for one in rows))
    given = ["--data", str(data), "--verifier", str(tiny_verifier), "--apart", "P570"]
    ran = CliRunner().invoke(verifier_command, given)
    assert ran.exit_code == 0, ran.output
    found = json.loads(ran.stdout.splitlines()[-1])
    assert {name: found["a"][name]["sets"] for name in ("all", "apart", "others")} == {
        "all": 3,
        "apart": 2,
        "others": 1,
    }
    assert found["b"]["apart"] == {"sets": 0, "passages": {"n": 0}, "marked": {"n": 0}, "verdict": {"n": 0}}


def test_what_is_no_set_is_named_with_its_line(tiny_verifier: Path, tmp_path: Path) -> None:
    data = tmp_path / "sets.jsonl"
    data.write_text('{"claim": "x"}\n')
    ran = CliRunner().invoke(verifier_command, ["--data", str(data), "--verifier", str(tiny_verifier)])
    assert isinstance(ran.exception, ValueError)
    assert "sets.jsonl, line 1" in str(ran.exception)
