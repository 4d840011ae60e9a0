"""The plan of faults: seeded, with every kind in it."""

from __future__ import annotations

from collections import Counter

import pytest

from bench.survive_faults import CUTS, KINDS, plan


def test_same_seed_gives_the_same_plan() -> None:
    assert plan(24, 5) == plan(24, 5)
    assert plan(24, 5) != plan(24, 6)


@pytest.mark.parametrize("seed", range(5))
def test_twenty_faults_are_of_every_kind_and_spread_over_the_work(seed: int) -> None:
    faults = plan(24, seed)
    assert {fault.kind for fault in faults} == set(KINDS)
    assert {fault.way for fault in faults if fault.kind == "network"} == set(CUTS)
    assert Counter(fault.kind for fault in faults)["kill"] >= 8
    shares = [fault.share for fault in faults]
    assert shares == sorted(shares)
    assert 0 <= shares[0] < shares[-1] < 0.7
    assert all(0 <= fault.seconds <= 4 for fault in faults)
