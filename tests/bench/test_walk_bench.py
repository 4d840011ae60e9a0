"""The dump that the walk is measured on, and that the bench walks all of it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench.rows import DATA
from bench.walk import walked
from bench.walk_dump import REFERENCED, write_dump
from bot.sources.dump import DumpSource
from bot.sources.heads import EntityHead

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the measuring data is not beside the project")


def test_one_entity_in_four_cites_an_address(tmp_path: Path) -> None:
    written = write_dump(tmp_path / "dump.json.gz", 3_000_000)
    found = list(DumpSource(tmp_path / "dump.json.gz", ("en",), pytest.fail).entities())
    items = [one for one in found if isinstance(one, EntityHead) or not one["id"].startswith("P")]
    names = {one.id if isinstance(one, EntityHead) else one["id"] for one in items}
    assert len(found) == written
    assert len(names) == len(items), "no entity twice"
    citing = sum(not isinstance(one, EntityHead) for one in items) / len(items)
    assert citing == pytest.approx(1 / REFERENCED, abs=0.03), "a few have an address that nobody wrote down"
    assert walked(tmp_path / "dump.json.gz") > len(items) // REFERENCED


def test_the_bench_prints_its_rates() -> None:
    # In a process of its own: its peak is that of all that its process has done.
    command = [sys.executable, "-m", "bench", "walk", "--mb", "2", "--peers-mb", "1"]
    said = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)
    assert said["plain_mb"] == 2
    assert min(said[name] for name in ("raw_mb_s", "walk_mb_s", "qwikidata_gz_mb_s", "qwikidata_bz2_mb_s")) > 0
    assert 0 < said["peak_mb"] < 1000
