"""Real workers over a web of trouble, killed, cut off and without their database: nothing is lost, nothing doubled."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench.survive import ordeal, survive
from bench.survive_worker import note

PROMISED = (
    "lost doubled robots_breaches pace_breaches private_connections unreadable_warcs dishonest leases_left".split()
)


def test_small_ordeal_is_survived(tmp_path: Path) -> None:
    report = ordeal(tmp_path, pairs=40, workers=2, faults=3, hosts=60, seed=1)
    assert {name: report[name] for name in PROMISED} == dict.fromkeys(PROMISED, 0), report["findings"]
    assert report["pairs"] == 40
    assert report["faults"] == 3


@pytest.mark.parametrize(
    ("event", "target", "noted"),
    [
        ("socket.connect", ("10.0.0.1", 80), ["10.0.0.1"]),
        ("socket.connect", ("::1", 80, 0, 0), ["::1"]),
        ("socket.connect", ("127.66.0.1", 80), ["127.66.0.1"]),
        ("socket.connect", ("127.77.0.9", 80), []),
        ("socket.connect", "/tmp/postgres/.s.PGSQL.5432", []),
        ("socket.bind", ("10.0.0.1", 80), []),
    ],
)
def test_worker_notes_every_connection_that_leaves_its_web(
    tmp_path: Path, event: str, target: object, noted: list[str]
) -> None:
    log = tmp_path / "connects.jsonl"
    note(log, event, (None, target))
    assert [json.loads(line)["to"] for line in (log.read_text().splitlines() if log.exists() else ())] == noted


def test_folder_of_another_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "requests.jsonl").touch()
    result = CliRunner().invoke(survive, ["--keep", str(tmp_path)])
    assert isinstance(result.exception, ValueError)
    assert "isn't an empty folder" in str(result.exception)
