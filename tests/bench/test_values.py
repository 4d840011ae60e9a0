"""The bench of values: figures whose answer is known, and the command on files of our own."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.cases import ValueCase
from bench.values import answer, figures, on_paragraphs
from models.statement import EntityValue, Term, TimeValue

ROOT = Path(__file__).resolve().parents[2]
DAY = TimeValue(1966, 9, 14, 11)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("on 14 September 1966", "names"),
        ("in 1966", "coarser"),
        ("on 15 September 1966", "conflict"),
        ("page 14", "nothing"),
    ],
)
def test_the_matchers_answer_in_the_words_of_a_case(text: str, says: str) -> None:
    assert answer(DAY, text)[0] == says


def test_precision_and_recall_are_of_naming_the_value() -> None:
    said = ["names", "names", "nothing", "names"]
    cases = [ValueCase(DAY, str(n), says) for n, says in enumerate(["names", "names", "names", "conflict"])]
    result = figures(list(zip(cases, said, strict=True)))
    assert (result["precision"], result["recall"], result["n"]) == (0.6667, 0.6667, 4)
    assert result["conflict"] == {"precision": None, "recall": 0.0}
    assert result["answers"]["conflict"] == {"names": 1}  # type: ignore[index]


def paragraphs(path: Path) -> Path:
    paragraph = {
        "title": "Ann Lee",
        "sentences": ["Ann Lee was born in Leeds on 3 May 1901 .", "She left it ."],
        "entities": [
            {"names": ["Ann Lee"], "type": "PER", "sentences": [0]},
            {"names": ["Leeds"], "type": "LOC", "sentences": [0, 1]},
            {"names": ["3 May 1901"], "type": "TIME", "sentences": [0]},
        ],
        "facts": [
            {"head": 0, "property_id": "P19", "tail": 1, "evidence": [0]},
            {"head": 0, "property_id": "P569", "tail": 2, "evidence": [0]},
        ],
    }
    with gzip.open(path, "wt") as stream:
        stream.write(json.dumps(paragraph) + "\n")
    return path


def test_paragraphs_are_scored_by_the_places_that_people_marked(tmp_path: Path) -> None:
    result = on_paragraphs(paragraphs(tmp_path / "dev.jsonl.gz"))
    assert result == {"precision": 1.0, "recall": 0.6667, "n": 3}


def test_the_command_prints_one_object(tmp_path: Path) -> None:
    own = paragraphs(tmp_path / "dev.jsonl.gz")
    command = [sys.executable, "-m", "bench", "values", "--drawn", "20", "--redocred", str(own)]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert set(result) == {"dates", "quantities", "names", "held_out", "redocred", "checks_per_s"}
    for kind in ("dates", "quantities", "names"):
        assert result[kind]["n"] >= 220
        assert result[kind]["precision"] > 0.9
        assert result[kind]["recall"] > 0.85


def test_a_missing_file_is_one_clear_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bench", "values", "--drawn", "0", "--redocred", str(tmp_path / "none.gz")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "none.gz" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_name_with_aliases_is_matched_by_any_of_them() -> None:
    value = EntityValue(Term("Q1", "John Ronald Reuel Tolkien", ("J. R. R. Tolkien",)))
    assert answer(value, "a tale by J. R. R. Tolkien")[0] == "names"
