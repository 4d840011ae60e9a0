"""The whole way of the sample: what the bot finds in it is what a careful reader finds."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import create_engine, func, select
from sqlalchemy.orm import Session

from models.evidence import Stance
from models.outcome import Outcome
from sample.build import DUMP, PAGES
from sample.dump import guid, reference_hash
from sample.statements import load_sample
from store import schema

pytestmark = pytest.mark.xdist_group("sample_run")
ROOT = Path(__file__).parents[2]
OUTCOMES = frozenset(outcome.value for outcome in Outcome)


@dataclass(frozen=True)
class Row:
    """A pair of the sample: what is expected and why, and what stands in the database (None: no such pair)."""

    expect: str
    because: str
    claim: str
    found: str | None
    probability: float | None
    via: str | None


def _bot(url: str, var: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "CITEWELL_DATABASE_URL": url, "CITEWELL_VAR": str(var)}
    command = [sys.executable, "-m", "bot", "run", "--dump", str(DUMP), "--pages", str(PAGES)]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def _rows(session: Session) -> list[Row]:
    sample = load_sample()
    query = select(schema.Pair, schema.Verdict).join(
        schema.Verdict, (schema.Verdict.pair_id == schema.Pair.id) & schema.Verdict.current
    )
    found = {(pair.guid, pair.ref_hash): verdict for pair, verdict in session.execute(query)}
    rows = []
    for made in sample.statements:
        for citation in made.cites:
            verdict = found.pop((guid(made), reference_hash(sample, citation.reference)), None)
            rows.append(
                Row(
                    citation.expect,
                    citation.because,
                    verdict.claim if verdict else f"{made.item} {made.property}",
                    (verdict.outcome or verdict.stance) if verdict else None,
                    verdict.probability if verdict else None,
                    verdict.via if verdict else None,
                )
            )
    assert not found, "pairs that the sample doesn't have"
    return rows


@dataclass(frozen=True)
class Walked:
    """The sample after one run, and after a second over the same."""

    rows: list[Row]
    skipped: int
    rows_after_second: list[Row]
    verdicts: tuple[int, int]


@pytest.fixture(scope="module")
def walked(
    new_database: Callable[[str], AbstractContextManager[str]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Walked]:
    var = tmp_path_factory.mktemp("var")
    with new_database("sample") as url:
        engine = create_engine(url)
        kept = []
        for _ in range(2):
            done = _bot(url, var)
            assert done.returncode == 0, done.stderr
            with Session(engine) as session:
                count = session.scalar(select(func.count()).select_from(schema.Verdict)) or 0
                run = session.scalars(select(schema.Run).order_by(schema.Run.id.desc())).first()
                assert run is not None
                kept.append((_rows(session), count, sum(run.skipped.values())))
        engine.dispose()
        (first, made, skipped), (second, after, _) = kept
        yield Walked(first, skipped, second, (made, after))


def test_each_outcome_is_found(walked: Walked) -> None:
    expected = [row for row in walked.rows if row.expect in OUTCOMES]
    assert [(row.claim, row.because, row.found) for row in expected] == [
        (row.claim, row.because, row.expect) for row in expected
    ]
    assert [row for row in walked.rows if row.found in OUTCOMES and row.expect not in OUTCOMES] == []


def test_what_is_not_to_be_judged_is_counted_and_not_there(walked: Walked) -> None:
    skipped = [row for row in walked.rows if row.expect == "skipped"]
    assert [row.found for row in skipped] == [None] * len(skipped)
    assert walked.skipped == len(skipped)


def test_pages_that_support_are_found_to(walked: Walked) -> None:
    wrong = [row for row in walked.rows if row.expect == Stance.SUPPORTS and row.found != Stance.SUPPORTS]
    assert wrong == []


def test_pages_that_do_not_support_come_first_in_the_queue(walked: Walked) -> None:
    judged = [row for row in walked.rows if row.expect in set(Stance) and row.probability is not None]
    bad = [row.probability or 0 for row in judged if row.expect != Stance.SUPPORTS]
    good = [row.probability or 0 for row in judged if row.expect == Stance.SUPPORTS]
    pairs = [(low, high) for low in bad for high in good]
    # The share of pairs in the right order, which is the area under the ROC curve; 0.5 is a queue in no order.
    assert sum(low < high for low, high in pairs) / len(pairs) >= 0.97, sorted(judged, key=lambda row: row.probability)


def test_the_verdict_says_which_copy_was_read(walked: Walked) -> None:
    by_reason = {row.because: row.via for row in walked.rows}
    assert by_reason["the archived copy tells of the wedding"] == "archive"
    assert by_reason["the catalogue's record has the birth name"] == "identifier"
    assert by_reason["born in Cambridge"] == "live"


def test_a_second_run_changes_nothing(walked: Walked) -> None:
    assert walked.rows_after_second == walked.rows
    assert walked.verdicts[0] == walked.verdicts[1]
