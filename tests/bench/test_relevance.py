"""The bench of relevance: what is ranked is what the judge ranks, and its figures are what they say."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench.relevance import WAYS, as_read, recall, relevance_command, scored_passages, shared_words
from bench.rows import load_pages, load_rows
from models.statement import Statement, Term, TimeValue
from models.verdict import Claim
from models.verify.torch_runtime import TorchRuntime
from models.verify.verifier import Verifier

ANN = Statement(
    "Q1$A", Term("Q1", "Ann Lee"), Term("P569", "date of birth", ("born on",)), "time", TimeValue(1901, 5, 12, 11)
)


@pytest.fixture(scope="module")
def verifier(tiny_verifier: Path) -> Verifier:
    return Verifier(TorchRuntime(tiny_verifier, "cpu", 1))


def test_it_prints_recall_and_agreement(own: Path, tiny_verifier: Path, tmp_path: Path) -> None:
    evidence = tmp_path / "evidence.jsonl"
    said = [("Ann Number1 was born in 1901 in Leeds.", 0.9), ("She wrote of the sea.", -0.8), ("Died in 1990.", 0.1)]
    rows = [{"claim_id": "Q1$A", "evidence": text, "score": score} for text, score in said]
    rows.append({"claim_id": "Q999$A", "evidence": "Of no pair here.", "score": 0.5})
    evidence.write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = ["--verifier", tiny_verifier, "--pairs", own / "pairs.jsonl", "--pages", own / "pages.warc.gz"]
    ran = CliRunner().invoke(relevance_command, [*map(str, options), "--evidence", str(evidence)])
    assert ran.exit_code == 0, ran.output
    found = json.loads(ran.stdout.splitlines()[-1])
    assert found["recall"]["all"] == {"share": 1.0, "n": 14, "ci95": [1.0, 1.0]}  # of 21, seven aren't supported
    assert found["recall"]["1.A"]["n"] == 14
    assert found["recall"]["1.B"]["share"] is None
    assert set(found["baselines"]) == set(WAYS) - {"recall"}
    assert found["prove"]["n"] == 3
    assert found["prove"]["baselines"]["shared_words"]["pearson"] > 0.5
    assert -1 <= found["prove"]["verifier"]["pearson"] <= 1


def test_the_value_far_behind_on_a_long_page_is_found_by_those_who_look_for_it(own: Path, verifier: Verifier) -> None:
    rows = load_rows([own / "pairs.jsonl"])[1:2]
    (url,) = {row.url for row in rows}
    document = load_pages([own / "pages.warc.gz"])[url]
    # The claim's own words in every sentence of ten, and its value in one that has hardly any of them.
    prose = "".join(f"<p>Ann Number1 was born on a date of birth, they said, {word}.</p>" for word in "abcdefghij")
    body = f"<title>Ann</title>{prose}<p>In 1901 a daughter came.</p>".encode()
    found = recall(rows, {url: replace(document, body=body)}, verifier)
    assert found["recall"]["all"]["share"] == 1.0  # type: ignore[index]
    assert found["baselines"]["prefilter_5"]["all"]["share"] == 1.0  # type: ignore[index]
    assert found["baselines"]["shared_words_5"]["all"]["share"] == 0.0  # type: ignore[index]


def test_a_page_without_the_value_does_not_count(own: Path, verifier: Verifier) -> None:
    rows = load_rows([own / "pairs.jsonl"])
    unsupported = [row for row in rows if not row.supported]
    documents = load_pages([own / "pages.warc.gz"])
    assert recall(unsupported, documents, verifier)["recall"]["all"]["n"] == 0  # type: ignore[index]


def test_a_passage_alone_is_marked_under_its_title() -> None:
    pair, match = as_read(ANN, "Ann Lee – Lives", "She was born on 12 May 1901.")
    assert pair.passage == "@ Ann Lee @ – Lives | She was born on # 12 May 1901 # ."
    assert match.value_score == 1.0


def test_shared_words_are_the_claims() -> None:
    assert shared_words(Claim("Ann was born in Leeds", "grammar"), "Born: Leeds, of late") == pytest.approx(2 / 5)


def test_rows_that_are_no_scores_are_said(tmp_path: Path) -> None:
    path = tmp_path / "evidence.jsonl"
    path.write_text('{"claim_id": "Q1$A"}\n')
    with pytest.raises(ValueError, match="line 1"):
        scored_passages(path)
