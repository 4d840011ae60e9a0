"""The score of what was judged, and how sure a share is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.interval import wilson
from models.score import coverage, score

SHARES = st.floats(0, 1)


def test_nothing_judged_is_no_score() -> None:
    assert score(0.0, 0) is None
    assert coverage(0, 0) is None


def test_a_score_is_the_mean_support_of_what_was_judged() -> None:
    assert score(0.9 + 0.5, 2) == pytest.approx(0.7)
    assert coverage(2, 8) == 0.25


@given(st.lists(SHARES, min_size=1, max_size=40))
def test_a_score_lies_between_the_least_and_the_most_support(shares: list[float]) -> None:
    found = score(sum(shares), len(shares))
    assert found is not None
    assert 0 <= found <= 1
    assert min(shares) - 1e-9 <= found <= max(shares) + 1e-9


@given(st.lists(SHARES, min_size=1, max_size=10), SHARES)
def test_a_better_page_never_makes_a_lower_score(shares: list[float], better: float) -> None:
    raised = [max(shares[0], better), *shares[1:]]
    assert (score(sum(raised), len(raised)) or 0) >= (score(sum(shares), len(shares)) or 0) - 1e-12


def test_impossible_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="can't have been judged"):
        score(0.0, -1)
    with pytest.raises(ValueError, match="no share"):
        wilson(3, 2)


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    # By R: binom::binom.confint(part, whole, methods = "wilson").
    [(8, 10, 0.4901625, 0.9433178), (0, 10, 0.0, 0.2775328), (10, 10, 0.7224672, 1.0), (1, 2, 0.0945312, 0.9054688)],
)
def test_an_interval_is_wilsons(part: int, whole: int, low: float, high: float) -> None:
    assert wilson(part, whole) == pytest.approx((low, high), abs=1e-6)


@given(st.integers(1, 500).flatmap(lambda whole: st.tuples(st.integers(0, whole), st.just(whole))))
def test_an_interval_holds_its_share(counted: tuple[int, int]) -> None:
    part, whole = counted
    interval = wilson(part, whole)
    assert interval is not None
    assert 0 <= interval[0] <= part / whole <= interval[1] <= 1


def test_no_cases_have_no_interval() -> None:
    assert wilson(0, 0) is None
