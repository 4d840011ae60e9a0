"""Scores of rows by a classifier that has not seen their group, or by the shipped one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed
from sklearn.model_selection import StratifiedGroupKFold

from bench.weighed import WeighedRows
from models.aggregate import classifier as classifiers
from models.aggregate.classifier import BrokenWeights, Classifier, columns
from models.training.classifier import Extra, fit

Array = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]
Scored = tuple[Array, npt.NDArray[np.bool_]]

FOLDS, SEEDS = 5, 5


def scores_by_folds(
    weighed: WeighedRows, labels: Labels, groups: npt.NDArray[np.str_], names: tuple[str, ...]
) -> list[Scored]:
    """(y, called supported) for each of five seeds: five folds, a group never split between training and test.

    Pairs with an outcome are scored by it (`_fill`); in training they take part where they have features.
    """
    return list(Parallel(n_jobs=-1)(delayed(_scores)(weighed, labels, groups, names, seed) for seed in range(SEEDS)))


def _scores(
    weighed: WeighedRows, labels: Labels, groups: npt.NDArray[np.str_], names: tuple[str, ...], seed: int
) -> Scored:
    judged = weighed.judged
    rows = weighed.features[:, columns(names)]
    y, called = np.full(len(labels), np.nan), np.ones(len(labels), dtype=bool)
    for train, test in StratifiedGroupKFold(FOLDS, shuffle=True, random_state=seed).split(rows, labels, groups):
        seen, test_judged = train[weighed.weighed[train]], test[judged[test]]
        extra = extra_rows(weighed, groups, names).without(groups[test])
        learned = fit(rows[seen], labels[seen], groups[seen], names, seed, extra, trees=200)
        if len(test_judged):
            y[test_judged] = learned.probabilities(rows[test_judged])
            called[test_judged] = y[test_judged] >= learned.threshold
        _fill(y, called, weighed, test, learned.prior)
    return y, called


def extra_rows(weighed: WeighedRows, groups: npt.NDArray[np.str_], names: tuple[str, ...]) -> Extra:
    """The constructed rows, with the groups of the rows that they are made of."""
    return Extra(weighed.contrast[:, columns(names)], groups[weighed.claim_of], groups[weighed.page_of])


def scores_as_shipped(weighed: WeighedRows, classifier: Classifier, prior: float) -> list[Scored]:
    """(y, called supported) by a classifier as it is, nothing fitted. Raises `BrokenWeights` for another verifier's."""
    if not classifier.learned_from(weighed.verifier):
        raise BrokenWeights(
            f"the classifier learned from verifier {classifier.verifier}, and these rows were read by "
            f"{weighed.verifier}: leave out --fit none"
        )
    judged = weighed.judged
    y, called = np.full(len(judged), np.nan), np.ones(len(judged), dtype=bool)
    if judged.any():
        y[judged] = classifier.probabilities(weighed.features[judged][:, columns(classifier.names)])
        called[judged] = y[judged] >= classifier.threshold
    _fill(y, called, weighed, np.arange(len(judged)), prior)
    return [(y, called)]


def _fill(
    y: Array, called: npt.NDArray[np.bool_], weighed: WeighedRows, where: npt.NDArray[np.int64], prior: float
) -> None:
    """A pair with an outcome: y = 0 when the source isn't there, else the rate of support among the judged."""
    for index in where:
        outcome = weighed.outcomes[index]
        if outcome is not None:
            y[index] = 0.0 if outcome.source_is_absent else prior
            called[index] = not outcome.source_is_absent


def shipped(name: str) -> Classifier:
    """A shipped classifier by the name of its folder. Raises `BrokenWeights`."""
    return classifiers.load(classifiers.SHIPPED.parent / name)


def as_labels(flags: Sequence[bool]) -> Labels:
    """1 for supported, 0 for not."""
    return np.array(flags, dtype=np.int64)
