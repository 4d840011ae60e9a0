"""The bench of the judge's speed and memory, on pairs and pages of our own with a tiny verifier."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench.judge import AT_ONCE, judge_all, judge_command, open_judge, passages_to_read, peak_mb, read_cases, sampled
from bot.work import JUDGED
from models.aggregate.classifier import SHIPPED
from models.training.export import export

ROOT = Path(__file__).resolve().parents[2]
RULES_ONLY = SHIPPED.parent / "values_only"  # a classifier that any verifier goes with


@pytest.mark.timeout(900)  # three processes load all there is, and a BERT is made
@pytest.mark.parametrize("runtime", ["torch", "onnx"])
def test_it_prints_speeds_and_memory(own: Path, tiny_verifier: Path, runtime: str) -> None:
    if runtime == "onnx":
        export(tiny_verifier)
    options = {
        "--first": 4, "--passages": 1, "--runtime": runtime, "--verifier": tiny_verifier, "--classifier": RULES_ONLY,
        "--pairs": own / "pairs.jsonl", "--pages": own / "pages.warc.gz",
    }  # fmt: skip
    ran = CliRunner().invoke(judge_command, [str(part) for option in options.items() for part in option])
    assert ran.exit_code == 0, ran.output
    found = json.loads(ran.stdout.splitlines()[-1])
    assert (found["pairs"], found["judged"]) == (4, 4)
    assert found["ratio"] == pytest.approx(found["pairs_per_s"] / found["prove_pairs_per_s"], rel=0.05)
    # Two of BERT-base's passes take longer than one of a network of one small layer.
    assert found["same_model_pairs_per_s"] > found["prove_pairs_per_s"]
    assert found["peak_mb"]["judging"] >= found["peak_mb"]["ready"] > 50
    assert found["start_up"]["torch"]["peak_mb"] > 50
    assert found["start_up"]["torch"]["start_up_s"] > 0.1


def test_as_many_are_judged_at_once_as_by_the_bot() -> None:
    assert AT_ONCE == JUDGED


def test_every_pair_that_has_a_page_is_judged(own: Path, tiny_verifier: Path) -> None:
    cases = read_cases(own / "pairs.jsonl", own / "pages.warc.gz")
    assert len(cases) == 21
    assert judge_all(open_judge("torch", tiny_verifier, RULES_ONLY), cases) == 21


def test_the_passages_of_a_page_are_windows_without_boilerplate(own: Path) -> None:
    page = read_cases(own / "pairs.jsonl", own / "pages.warc.gz")[0].page
    own_words = [passage for passage in page.passages if not passage.boilerplate]
    assert passages_to_read(page) == len(own_words) >= 4  # a heading, two sentences, and both together


def test_the_sample_takes_a_small_a_middling_and_a_large_pair() -> None:
    assert sampled([100, 3, 8, 400, 50, 9], most=20) == 8 + 20 + 20
    assert sampled([5], most=20) == 5
    assert sampled([0], most=20) == 1


def test_a_process_s_peak_is_its_own() -> None:
    held = b"x" * 400_000_000
    said = subprocess.run(
        [sys.executable, "-c", "from bench.judge import peak_mb; print(peak_mb())"],
        check=True, capture_output=True, text=True, cwd=ROOT,
    )  # fmt: skip
    assert 50 < int(said.stdout) < peak_mb() - len(held) / 2**21


def test_no_readable_page_is_said(own: Path, tmp_path: Path) -> None:
    other = tmp_path / "pairs.jsonl"
    row = json.loads((own / "pairs.jsonl").read_text().splitlines()[0])
    other.write_text(json.dumps(row | {"url": "https://nowhere.example/"}) + "\n")
    with pytest.raises(ValueError, match="no pair has a page"):
        read_cases(other, own / "pages.warc.gz")
