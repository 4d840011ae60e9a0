"""Fit the classifier: its two members, Platt's scaling and a threshold, all from folds that keep a group together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedGroupKFold

from models.aggregate.classifier import Classifier, Linear, calibrate, mean_log_odds
from models.aggregate.features import Array
from models.aggregate.model_features import MODEL_FEATURES

Groups = npt.NDArray[np.str_]
Labels = npt.NDArray[np.int64]

TREES, LEAF, SHARE = 300, 3, 0.4
STRENGTH = 0.01  # of the logistic regression: the inverse of its regularisation
EXTRA_WEIGHT = 0.3  # of a constructed row, against 1 for a labelled one
LIMIT = 0.35  # the expected error of a call over which the judge abstains
_INNER_FOLDS = 4
_THRESHOLDS = np.linspace(0.05, 0.95, 91)


@dataclass(frozen=True, slots=True)
class Extra:
    """Constructed rows that aren't supported: features (m, names), and the groups that each row is made of."""

    rows: Array
    claim_groups: Groups
    page_groups: Groups

    def without(self, groups: Groups) -> Extra:
        """The rows that have nothing to do with these groups."""
        keep = ~(np.isin(self.claim_groups, groups) | np.isin(self.page_groups, groups))
        return Extra(self.rows[keep], self.claim_groups[keep], self.page_groups[keep])


def fit(
    rows: Array,
    labels: Labels,
    groups: Groups,
    names: tuple[str, ...],
    seed: int,
    extra: Extra,
    trees: int = TREES,
) -> Classifier:
    """Fit on feature rows (n, len(names)), labels (1 supported, 0 not) and groups that must not be split.

    `extra` rows teach the two members only; scaling and threshold (the best macro F1) come from the labelled rows
    alone, as predicted on inner folds, by members that saw neither them nor anything made of them.
    """
    tree_names = tuple(name for name in names if name not in MODEL_FEATURES)
    chosen = [names.index(name) for name in tree_names]
    held_out = np.zeros(len(labels))
    folds = StratifiedGroupKFold(_INNER_FOLDS, shuffle=True, random_state=seed)
    for train, test in folds.split(rows, labels, groups):
        inner = extra.without(groups[test]).rows
        some = _grow(rows[train][:, chosen], labels[train], inner[:, chosen], seed, max(100, trees // 2))
        held_out[test] = mean_log_odds(some, _line(rows[train], labels[train], inner), rows[test], chosen)
    platt = LogisticRegression(C=1e6).fit(held_out[:, None], labels)
    # A negative slope would turn the ranking over: it can only come of too few rows, so it isn't believed.
    slope, offset = max(float(platt.coef_[0, 0]), 1e-3), float(platt.intercept_[0])
    return Classifier(
        _grow(rows[:, chosen], labels, extra.rows[:, chosen], seed, trees),
        _line(rows, labels, extra.rows),
        names,
        tree_names,
        slope,
        offset,
        best_threshold(labels, calibrate(held_out, slope, offset)),
        float(labels.mean()),
        LIMIT,
    )


def _grow(rows: Array, labels: Labels, extra: Array, seed: int, trees: int) -> ExtraTreesClassifier:
    grown = ExtraTreesClassifier(
        trees, min_samples_leaf=LEAF, max_features=SHARE, class_weight="balanced", random_state=seed, n_jobs=-1
    )
    given, targets, weights = _together(rows, labels, extra)
    return grown.fit(given, targets, sample_weight=weights)


def _line(rows: Array, labels: Labels, extra: Array) -> Linear:
    given, targets, weights = _together(rows, labels, extra)
    mean, scale = given.mean(axis=0), given.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    model = LogisticRegression(C=STRENGTH, class_weight="balanced", max_iter=2_000)
    model.fit((given - mean) / scale, targets, sample_weight=weights)
    return Linear(mean, scale, model.coef_[0].copy(), float(model.intercept_[0]))


def _together(rows: Array, labels: Labels, extra: Array) -> tuple[Array, Labels, Array]:
    """Labelled and constructed rows with their labels and weights."""
    weights = np.concatenate([np.ones(len(rows)), np.full(len(extra), EXTRA_WEIGHT)])
    targets = np.concatenate([labels, np.zeros(len(extra), dtype=np.int64)])
    return np.concatenate([rows, extra]), targets, weights


def best_threshold(labels: Labels, probabilities: Array) -> float:
    """The threshold on y with the best macro F1; of equals, the middle one."""
    scores = np.array([f1_score(labels, probabilities >= t, average="macro", zero_division=0.0) for t in _THRESHOLDS])
    best = _THRESHOLDS[scores >= scores.max() - 1e-9]
    return float(np.median(best))
