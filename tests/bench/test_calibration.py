"""Calibration and risk on numbers whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest

from bench.calibration import calibration, calibration_error, expected_errors, reliability, risk

LABELS = np.array([1, 1, 0, 0])


def test_the_error_is_the_gap_of_each_bin_weighed_by_its_rows() -> None:
    y = np.array([0.95, 0.91, 0.92, 0.15])  # bin 9: mean y 0.9267, two of three supported; bin 1: y 0.15, none
    expected = 3 / 4 * abs(2.78 / 3 - 2 / 3) + 1 / 4 * 0.15
    assert calibration_error(LABELS, y) == pytest.approx(expected)


def test_y_that_is_the_truth_or_the_rate_has_no_error() -> None:
    assert calibration_error(LABELS, LABELS.astype(float)) == 0.0
    assert calibration_error(LABELS, np.full(4, 0.5)) == 0.0


def test_always_saying_supported_errs_by_the_share_that_is_not() -> None:
    always = [(np.ones(4), np.ones(4, dtype=bool))]
    figures = calibration(LABELS, always)
    assert (figures["ece"], figures["risk_at_80"]) == (0.5, 0.5)


def test_the_bins_hold_every_row_with_one_in_the_last() -> None:
    bins = reliability(LABELS, np.array([1.0, 0.95, 0.0, 0.1]))
    assert [one["n"] for one in bins] == [1, 1, 0, 0, 0, 0, 0, 0, 0, 2]
    assert bins[9] == {"from": 0.9, "to": 1.0, "n": 2, "y": 0.975, "supported": 1.0}
    assert bins[5]["y"] is None


def test_a_call_errs_as_y_says_whatever_the_threshold() -> None:
    y, called = np.array([0.9, 0.8, 0.1]), np.array([True, False, False])  # 0.8 lies below the threshold here
    assert expected_errors(y, called) == pytest.approx([0.1, 0.8, 0.1])


def test_the_surest_come_first_and_equals_share() -> None:
    labels = np.array([1, 0, 1, 0, 1])
    y, called = np.array([0.99, 0.9, 0.6, 0.02, 0.8]), np.array([True, True, True, False, False])
    assert risk(labels, y, called, 0.4) == 0.0  # 0.99 and 0.02, both right
    assert risk(labels, y, called, 0.6) == pytest.approx(1 / 3)  # 0.9 was wrong
    assert risk(labels, y, called, 1.0) == pytest.approx(2 / 5)  # and 0.8, called not supported, comes last
    tied = np.array([0.9, 0.9, 0.9, 0.9, 0.9])
    assert risk(labels, tied, np.ones(5, dtype=bool), 0.2) == pytest.approx(2 / 5)


def test_the_figures_are_means_over_the_seeds() -> None:
    called = np.array([True, True, False, False])
    right, even = (LABELS.astype(float), called), (np.full(4, 0.75), np.ones(4, dtype=bool))
    figures = calibration(LABELS, [right, even])
    assert figures["ece"] == pytest.approx(0.25 / 2)
    assert figures["risk_coverage"][-1] == [1.0, 0.25]  # type: ignore[index]
    assert sum(one["n"] for one in figures["reliability"]) == 8  # type: ignore[attr-defined]
