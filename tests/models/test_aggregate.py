"""ProVe's aggregations, and the classifier's files."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.aggregate.classifier import SHIPPED, TREES, BrokenWeights, Classifier, calibrate, load, save
from models.aggregate.malon import malon
from models.aggregate.weighted_sum import weighted_sum
from models.evidence import Evidence, Passage, Stance
from models.rank.select import top_without_overlap
from models.training.classifier import Extra, best_threshold, fit


def evidence(
    relevance: float, supports: float, refutes: float, block: int = 0, first: int = 0, last: int = 0
) -> Evidence:
    passage = Passage("text", "text", block, first, last)
    return Evidence(passage, relevance, supports, refutes, 1 - supports - refutes)


def test_the_weighted_sum_follows_the_most_relevant() -> None:
    stance, y = weighted_sum([evidence(0.9, 0.8, 0.1), evidence(0.1, 0.0, 0.9)])
    assert stance is Stance.SUPPORTS
    assert y == pytest.approx((0.9 * 0.8) / 1.0)


def test_an_irrelevant_passage_has_no_vote() -> None:
    assert weighted_sum([evidence(-0.5, 0.9, 0.0)]) == (Stance.NOT_ENOUGH_INFO, 0.0)


def test_malon_takes_any_support_before_any_refutation() -> None:
    refuting, neither, supporting = evidence(0.9, 0.1, 0.8), evidence(0.5, 0.1, 0.1), evidence(0.1, 0.8, 0.1)
    assert malon([refuting, neither, supporting]) == (Stance.SUPPORTS, 1.0)
    assert malon([refuting, neither]) == (Stance.REFUTES, 0.0)
    assert malon([neither]) == (Stance.NOT_ENOUGH_INFO, 0.0)


unit = st.floats(0, 1)


@given(st.lists(st.tuples(st.floats(-1, 1), unit, unit), max_size=5))
def test_aggregations_stay_in_range_for_any_evidence(rows: list[tuple[float, float, float]]) -> None:
    given_evidence = [evidence(rho, a * 0.5, b * 0.5) for rho, a, b in rows]
    for aggregate in (weighted_sum, malon):
        assert 0 <= aggregate(given_evidence)[1] <= 1


def test_of_overlapping_passages_the_more_relevant_is_kept() -> None:
    wide, narrow, apart = evidence(0.5, 0, 0, 1, 0, 1), evidence(0.9, 0, 0, 1, 1, 1), evidence(0.1, 0, 0, 2, 0, 1)
    assert top_without_overlap([wide, narrow, apart]) == (narrow, apart)


@pytest.fixture(scope="module")
def learned() -> Classifier:
    random = np.random.default_rng(0)
    rows = random.normal(size=(240, 2))
    labels = (rows[:, 0] + 0.3 * random.normal(size=240) > -0.8).astype(np.int64)
    groups = np.array([f"page {index // 3}" for index in range(240)])
    return fit(rows, labels, groups, ("value_best", "conflict"), 0, Extra(rows[:0], groups[:0], groups[:0]), trees=60)


def test_a_classifier_learns_what_there_is_to_learn(learned: Classifier) -> None:
    low, high = learned.probabilities(np.array([[-2.5, 0.0], [1.5, 0.0]]))
    assert low < learned.threshold < high
    assert 0 <= low < 0.5 < high <= 1


def test_a_saved_classifier_gives_the_same_probabilities(learned: Classifier, tmp_path: Path) -> None:
    version = save(learned, tmp_path)
    again = load(tmp_path)
    rows = np.random.default_rng(1).normal(size=(20, 2))
    assert again.probabilities(rows) == pytest.approx(learned.probabilities(rows))
    assert again.version == version


def test_broken_weights_say_which_file_and_what_to_do(learned: Classifier, tmp_path: Path) -> None:
    with pytest.raises(BrokenWeights, match="python -m bench fit"):
        load(tmp_path / "nowhere")
    save(learned, tmp_path)
    (tmp_path / TREES).write_bytes(b"PK not a zip")
    with pytest.raises(BrokenWeights, match=str(tmp_path)):
        load(tmp_path)


@pytest.mark.parametrize("change", ["linear", "tree_features", "limit"])
def test_settings_that_are_no_classifiers_are_not_loaded(learned: Classifier, tmp_path: Path, change: str) -> None:
    save(learned, tmp_path)
    path = tmp_path / "classifier.json"
    settings = json.loads(path.read_text())
    settings[change] = {
        "linear": {"mean": [], "scale": [], "weights": [], "bias": 0},
        "tree_features": ["value_best"],
    }.get(change, "much")
    path.write_text(json.dumps(settings))
    with pytest.raises(BrokenWeights, match="python -m bench fit"):
        load(tmp_path)


def test_calibration_keeps_the_order() -> None:
    assert (np.diff(calibrate(np.linspace(-6, 6, 50), 0.7, 0.2)) >= 0).all()


def test_the_judge_abstains_where_its_call_is_likely_wrong(learned: Classifier) -> None:
    cautious = replace(learned, threshold=0.8, limit=0.35)
    assert [cautious.is_unsure(y) for y in (0.1, 0.34, 0.5, 0.79, 0.81, 0.99)] == [
        False,
        False,
        True,
        True,
        False,
        False,
    ]
    assert not replace(cautious, limit=1.0).is_unsure(0.5)


@pytest.fixture(scope="module")
def shipped() -> Classifier:
    return load()  # a second each time


@given(y=st.floats(0, 1))
def test_no_call_is_sure_whose_expected_error_is_over_the_limit(shipped: Classifier, y: float) -> None:
    error = 1 - y if y >= shipped.threshold else y
    assert shipped.is_unsure(y) is (error > shipped.limit)


def test_the_threshold_is_where_the_classes_part() -> None:
    labels = np.array([0, 0, 0, 1, 1, 1])
    assert 0.3 < best_threshold(labels, np.array([0.1, 0.2, 0.3, 0.7, 0.8, 0.9])) <= 0.7


def test_what_ships_says_how_it_was_measured() -> None:
    measured = json.loads((SHIPPED / "measured.json").read_text())
    assert measured["rows"] > 0
    assert {"by_property", "by_domain", "reliability", "risk_coverage"} <= measured.keys()
    figures = json.loads((SHIPPED / "figures.json").read_text())
    assert figures["rows"]
    assert all(0 <= figure <= 1 for figure in figures["figures"].values())


def test_what_ships_loads() -> None:
    shipped = load()
    assert 0 < shipped.threshold < 1
    assert len(shipped.names) > 30
