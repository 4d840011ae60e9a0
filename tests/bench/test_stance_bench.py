"""The bench of stances: what the tests' rows become, the rule beside the verifier, and the figures."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from bench.rows import MissingRows
from bench.stance import likeliest, load_tests, named_values, right, rows_of, said_by_values, stance, surest, unmarked
from models.evidence import Stance
from models.statement import EntityValue, QuantityValue, TimeValue
from models.verify.verifier import Opinion

YES, NO, NEITHER = Stance
BOTH = (YES, NO)


def write(path: Path, rows: Sequence[object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt") as lines:
        lines.writelines(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The three sets in small."""
    table = {"title": ["Ann Lee"], **{f"Row {n}": [f"cell {n}", "more"] for n in range(7)}, "Born": ["12 May 1901"]}
    write(tmp_path / "infotabs" / "tables.jsonl.gz", [{"id": "T1", "table": table}])
    hypotheses = [("Ann Lee was born in 1901.", "E"), ("Ann Lee was born in 1950.", "C"), ("Ann sang.", "N")]
    write(
        tmp_path / "infotabs" / "test_alpha1.jsonl.gz",
        [{"table_id": "T1", "hypothesis": text, "label": label} for text, label in hypotheses],
    )
    write(
        tmp_path / "fever_symmetric" / "test.jsonl.gz",
        [
            {"claim": "Ann was born in 1901.", "evidence": "Ann came to the world in 1901.", "label": "SUPPORTS"},
            {"claim": "Ann was born in 1901.", "evidence": "Ann came to the world in 1950.", "label": "REFUTES"},
        ],
    )
    labels = ("ENTAILMENT", "CONTRADICTION", "NEUTRAL", "NEUTRAL")
    write(
        tmp_path / "sick" / "test.jsonl.gz",
        [{"premise": "A dog runs", "hypothesis": "A dog is running", "label": label} for label in labels],
    )
    return tmp_path


def test_it_prints_every_test_with_its_baselines(data: Path, tiny_verifier: Path) -> None:
    ran = CliRunner().invoke(stance, ["--verifier", str(tiny_verifier), "--data", str(data)])
    assert ran.exit_code == 0, ran.output
    found = json.loads(ran.stdout.splitlines()[-1])
    assert {name: found[name]["n"] for name in ("fever_symmetric", "infotabs", "sick")} == {
        "fever_symmetric": 2, "infotabs": 3, "sick": 4,
    }  # fmt: skip
    assert found["fever_symmetric"]["labels"] == ["supports", "refutes"]
    assert set(found["infotabs"]) == {"n", "labels", "together", "max", "baselines"}
    assert set(found["sick"]) == {"n", "labels", "stance", "baselines"}
    assert found["sick"]["baselines"]["majority"]["accuracy"] == 0.5
    assert found["fever_symmetric"]["baselines"]["values_only"]["accuracy"] == 1.0
    assert "learned" in found


def test_a_limit_is_a_sample(data: Path, tiny_verifier: Path) -> None:
    ran = CliRunner().invoke(stance, ["--verifier", str(tiny_verifier), "--data", str(data), "--limit", "2"])
    assert json.loads(ran.stdout.splitlines()[-1])["sick"]["n"] == 2


def test_the_rows_of_a_table_stand_under_its_title(data: Path) -> None:
    assert rows_of({"title": ["Ann Lee"], "Born": ["1901", "Leeds"]}) == ("Ann Lee | Born: 1901, Leeds",)
    first = load_tests(data)["infotabs"][0]
    assert (first.label, len(first.passages)) == (YES, 8)


def test_a_missing_set_is_said_with_the_option(tmp_path: Path) -> None:
    with pytest.raises(MissingRows, match="--data FOLDER"):
        load_tests(tmp_path)


@pytest.mark.parametrize(
    ("claim", "evidence", "said"),
    [
        ("Ann Lee was born on 12 May 1901.", "Ann Lee, born 12 May 1901", YES),
        ("Ann Lee was born on 12 May 1901.", "Ann Lee, born 13 May 1901", NO),
        ("The tower is 30 metres high.", "It rises to 30 m.", YES),
        ("The tower is 30 metres high.", "It rises to 45 m.", NO),
        ("Ann moved to Leeds.", "Ann moved to York.", NEITHER),
        ("A dog runs.", "A dog runs.", NEITHER),
    ],
)
def test_the_rule_goes_by_what_is_named(claim: str, evidence: str, said: Stance) -> None:
    assert said_by_values(claim, evidence) is said


def test_where_there_is_no_neither_something_missing_refutes() -> None:
    assert said_by_values("Ann moved to Leeds.", "Ann moved to York.", BOTH) is NO
    assert said_by_values("A dog runs.", "A dog runs.", BOTH) is YES


def test_a_sentence_names_dates_amounts_and_names() -> None:
    found = list(named_values("The novelist Ann Lee wrote 12 books for Faber and Faber since 4 March 1925."))
    names = [value.term.label for value in found if isinstance(value, EntityValue)]
    assert names == ["Ann Lee", "Faber and Faber"]
    assert TimeValue(1925, 3, 4, 11) in found
    assert [value.amount for value in found if isinstance(value, QuantityValue)] == [12]


def opinion(supports: float, refutes: float) -> Opinion:
    return Opinion(0.0, supports, refutes, 1 - supports - refutes, np.zeros(2, dtype=np.float32))


def test_the_surest_passage_speaks_for_all() -> None:
    assert surest([opinion(0.1, 0.2), opinion(0.7, 0.1)]) == pytest.approx((0.7, 0.2, 0.3))
    assert likeliest(surest([opinion(0.3, 0.1), opinion(0.1, 0.4)]), tuple(Stance)) is NEITHER
    assert likeliest((0.2, 0.1, 0.7), BOTH) is YES


def test_what_would_be_a_mark_is_taken_out() -> None:
    assert unmarked("worth $11 million @ #1 ~ 3") == "worth 11 million 1 3"


def test_macro_f1_counts_each_label_alike() -> None:
    found = right([YES, YES, YES, NO], [YES, YES, YES, YES])
    assert found["accuracy"] == 0.75
    assert found["macro_f1"] == pytest.approx((6 / 7) / 2, abs=1e-4)
