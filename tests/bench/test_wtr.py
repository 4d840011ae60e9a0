"""The benches as commands, on rows and pages of our own, and on real rows where they are at hand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from made_rows import pair

from bench.rows import DATA

ROOT = Path(__file__).resolve().parents[2]
FIGURES = {"auc", "macro_f1", "average_precision", "precision", "recall", "f1", "precision_at_20", "ci95"}


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "bench", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def figures(*arguments: str) -> dict[str, Any]:
    done = bench(*arguments)
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


@pytest.mark.timeout(1200)  # a fit on folds takes a minute, or several beside other work
@pytest.mark.parametrize("how", [["--fit", "cv", "--by-domain"], ["--fit", "none"]])
def test_wtr_prints_one_object_with_every_figure(own: Path, how: list[str]) -> None:
    result = figures("wtr", "--pairs", str(own / "pairs.jsonl"), "--pages", str(own / "pages.warc.gz"), *how)
    assert result["n"] == 21
    assert result["judged"] == 1.0
    for part in (result["all"], result["1A"], *result["baselines"].values()):
        assert set(part) == FIGURES
    assert result["all"]["auc"] > 0.9
    assert result["baselines"]["always_supported"]["auc"] == 0.5
    told = result["calibration"]
    assert told["baselines"]["always_supported"]["ece"] == round(7 / 21, 4)
    assert told["ece"] < 0.5
    assert len(told["risk_coverage"]) == len(told["reliability"]) == 10


def test_swaps_prints_each_kind(own: Path) -> None:
    result = figures(
        "swaps", "--pairs", str(own / "swaps.jsonl"), "--pages", str(own / "pages.warc.gz"), "--fit", "none"
    )
    assert result["2.O"]["auc"] is None  # there are none among these
    assert result["above_swap"] > 0.8
    assert set(result["baselines"]["values_only"]) == {"all", "2.P", "2.O", "2.W", "above_swap"}


def test_a_page_that_is_not_there_is_an_outcome_not_a_crash(own: Path, tmp_path: Path) -> None:
    more = tmp_path / "more.jsonl"
    more.write_text(json.dumps(pair(99, 1950, "1.A.")) + "\n")
    result = figures(
        "wtr",
        "--pairs",
        str(own / "pairs.jsonl"),
        "--pairs",
        str(more),
        "--pages",
        str(own / "pages.warc.gz"),
        "--fit",
        "none",
    )
    assert result["judged"] == round(21 / 22, 4)


@pytest.mark.parametrize(
    ("content", "complaint"), [(None, "nowhere.jsonl"), ("{not json\n", "line 1"), ('{"claim_id": 1}\n', "line 1")]
)
def test_bad_rows_are_one_clear_line(tmp_path: Path, content: str | None, complaint: str) -> None:
    path = tmp_path / ("nowhere.jsonl" if content is None else "rows.jsonl")
    if content is not None:
        path.write_text(content)
    done = bench("wtr", "--pairs", str(path))
    assert done.returncode == 2
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not (DATA / "wtr").exists(), reason="../shared/data isn't here")
def test_real_rows_are_read_and_judged(tmp_path: Path) -> None:
    lines = (DATA / "wtr" / "pairs.jsonl").read_text().splitlines()
    some = tmp_path / "some.jsonl"
    some.write_text("\n".join(lines[:12] + [line for line in lines if '"label": "2.' in line][:8]) + "\n")
    result = figures("wtr", "--fit", "none", "--pairs", str(some))
    assert result["n"] == 20
    assert 0.8 <= result["judged"] < 1.0  # of the eight that don't support, some pages aren't what was cited any more
