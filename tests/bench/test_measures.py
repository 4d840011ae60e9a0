"""Figures of the bench on scores whose answer is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr
from sklearn.metrics import roc_auc_score

from bench.folds import scores_as_shipped, shipped
from bench.measures import (
    absent_precision,
    correlations,
    measures,
    precision_at_first,
    resampled_auc,
    resampled_precision,
    shares,
)
from bench.weighed import WeighedRows
from models.aggregate.classifier import BrokenWeights
from models.aggregate.features import FEATURES
from models.outcome import Outcome

LABELS = np.array([1] * 90 + [0] * 10)


def test_always_supported_scores_what_it_must() -> None:
    figures = measures(LABELS, [(np.ones(100), np.ones(100, dtype=bool))])
    assert figures["auc"] == 0.5
    assert figures["average_precision"] == pytest.approx(0.1)
    assert figures["precision_at_20"] == pytest.approx(0.1)
    assert (figures["precision"], figures["recall"], figures["f1"]) == (0.0, 0.0, 0.0)


def test_a_perfect_ranking_scores_one() -> None:
    y = LABELS.astype(float)
    figures = measures(LABELS, [(y, y > 0.5)])
    assert (figures["auc"], figures["macro_f1"], figures["average_precision"]) == (1.0, 1.0, 1.0)
    assert figures["precision_at_20"] == 0.5  # ten of twenty: there are no more


def test_the_interval_holds_the_figure() -> None:
    y = np.random.default_rng(0).random(100) + 0.3 * LABELS
    figures = measures(LABELS, [(y, y > 0.5)])
    low, high = figures["ci95"]["auc"]  # type: ignore[index]
    assert low < figures["auc"] < high  # type: ignore[operator]


def test_equal_scores_at_the_edge_count_by_their_share() -> None:
    labels = np.array([0, 1, 0, 1])
    assert precision_at_first(labels, np.array([0.1, 0.5, 0.5, 0.5]), 2) == pytest.approx((1 + 1 / 3) / 2)


def test_an_outcome_counts_against_only_where_the_source_is_absent() -> None:
    outcomes = (Outcome.NOT_FOUND, Outcome.NO_TEXT, Outcome.TIMED_OUT, Outcome.UNSUPPORTED_LANGUAGE)
    nothing = np.empty(0, dtype=np.int64)
    classifier = shipped("classifier")
    none = np.empty((0, len(FEATURES)))
    rows = np.full((4, len(FEATURES)), np.nan)
    weighed = WeighedRows(rows, outcomes, none, nothing, nothing, classifier.verifier)
    y, called = scores_as_shipped(weighed, classifier, prior=0.9)[0]
    assert y.tolist() == [0.0, 0.0, 0.9, 0.9]
    assert called.tolist() == [False, False, True, True]
    with pytest.raises(BrokenWeights, match=f"learned from verifier {classifier.verifier}"):
        scores_as_shipped(replace(weighed, verifier="another"), classifier, prior=0.9)


def test_resampling_by_counts_gives_what_the_library_gives_row_by_row() -> None:
    random = np.random.default_rng(1)
    labels, scores = np.array([1] * 30 + [0] * 10), random.integers(0, 8, 40) / 8  # with many equal scores
    for rows in (np.arange(40), random.integers(0, 40, 40)):
        counts = np.bincount(rows, minlength=40)[None].astype(float)
        assert resampled_auc(labels, scores, counts)[0] == pytest.approx(roc_auc_score(labels[rows], scores[rows]))
        expected = absent_precision(labels[rows], scores[rows])
        assert resampled_precision(labels, scores, counts)[0] == pytest.approx(expected)


def test_a_share_comes_with_its_interval() -> None:
    found = shares([True] * 80 + [False] * 20)
    low, high = found["ci95"]  # type: ignore[misc]
    assert (found["share"], found["n"]) == (0.8, 100)
    assert 0.7 < low < 0.8 < high < 0.9
    assert shares([])["share"] is None


def test_correlations_are_the_librarys() -> None:
    random = np.random.default_rng(2)
    ours = random.integers(0, 6, 60).astype(float)  # with many equal scores
    theirs = ours + random.normal(0, 3, 60)
    found = correlations(ours, theirs)
    assert found["pearson"] == pytest.approx(pearsonr(ours, theirs)[0], abs=1e-4)
    assert found["spearman"] == pytest.approx(spearmanr(ours, theirs)[0], abs=1e-4)
    low, high = found["ci95"]  # type: ignore[misc]
    assert low < found["pearson"] < high  # type: ignore[operator]
    assert correlations(np.ones(3), theirs[:3])["pearson"] is None
