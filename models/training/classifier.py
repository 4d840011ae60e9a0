"""Fit the classifier: a forest, Platt's scaling and a threshold, all from folds that keep a group together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedGroupKFold

from models.aggregate.classifier import Classifier, calibrate, logit
from models.aggregate.features import Array

Groups = npt.NDArray[np.str_]
Labels = npt.NDArray[np.int64]

TREES, LEAF, SHARE = 300, 3, 0.3
EXTRA_WEIGHT = 0.3  # of a constructed row, against 1 for a labelled one
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

    `extra` rows teach the forest only; scaling and threshold (the best macro F1) come from the labelled rows alone, as
    predicted on inner folds, by forests that saw neither them nor anything made of them.
    """
    held_out = np.zeros(len(labels))
    folds = StratifiedGroupKFold(_INNER_FOLDS, shuffle=True, random_state=seed)
    for train, test in folds.split(rows, labels, groups):
        forest = _grow(rows[train], labels[train], extra.without(groups[test]).rows, seed, max(100, trees // 2))
        held_out[test] = forest.predict_proba(rows[test])[:, 1]
    platt = LogisticRegression(C=1e6).fit(logit(held_out)[:, None], labels)
    # A negative slope would turn the ranking over: it can only come of too few rows, so it isn't believed.
    slope, offset = max(float(platt.coef_[0, 0]), 1e-3), float(platt.intercept_[0])
    threshold = best_threshold(labels, calibrate(held_out, slope, offset))
    return Classifier(
        _grow(rows, labels, extra.rows, seed, trees), names, slope, offset, threshold, float(labels.mean())
    )


def _grow(rows: Array, labels: Labels, extra: Array, seed: int, trees: int) -> RandomForestClassifier:
    forest = RandomForestClassifier(
        trees,
        min_samples_leaf=LEAF,
        max_features=SHARE,
        class_weight="balanced_subsample",
        random_state=seed,
        n_jobs=-1,
    )
    weights = np.concatenate([np.ones(len(rows)), np.full(len(extra), EXTRA_WEIGHT)])
    targets = np.concatenate([labels, np.zeros(len(extra), dtype=np.int64)])
    return forest.fit(np.concatenate([rows, extra]), targets, sample_weight=weights)


def best_threshold(labels: Labels, probabilities: Array) -> float:
    """The threshold on y with the best macro F1; of equals, the middle one."""
    scores = np.array([f1_score(labels, probabilities >= t, average="macro", zero_division=0.0) for t in _THRESHOLDS])
    best = _THRESHOLDS[scores >= scores.max() - 1e-9]
    return float(np.median(best))
