"""Real workers over a web of trouble, killed, cut off and without their database: nothing is lost, nothing doubled."""

from __future__ import annotations

from pathlib import Path

from bench.survive import ordeal

PROMISED = (
    "lost doubled robots_breaches pace_breaches private_connections unreadable_warcs dishonest leases_left".split()
)


def test_small_ordeal_is_survived(tmp_path: Path) -> None:
    report = ordeal(tmp_path, pairs=40, workers=2, faults=3, hosts=60, seed=1)
    assert {name: report[name] for name in PROMISED} == dict.fromkeys(PROMISED, 0), report["findings"]
    assert report["pairs"] == 40
    assert report["faults"] == 3
