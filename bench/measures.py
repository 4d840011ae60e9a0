"""Measures with bootstrap intervals: of a ranking that looks for what is not supported, of shares and of two scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from sklearn.metrics import average_precision_score, f1_score, precision_score, recall_score, roc_auc_score

Array = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]

_RESAMPLES = 1000
_FIRST = 20


def measures(labels: Labels, runs: Sequence[tuple[Array, npt.NDArray[np.bool_]]]) -> dict[str, object]:
    """Figures of one or more runs (seeds) over the same rows, each the mean over the runs.

    `labels` are 1 for supported; each run is (y, called supported). AUC is of supported against not; average precision,
    precision, recall, F1 and precision at 20 are of the class "not supported". `ci95` resamples rows 1,000 times.
    """
    scores = [y for y, _ in runs]
    calls = [called.astype(int) for _, called in runs]

    def mean(measure: Callable[[Labels, Labels], float]) -> float:
        return round(float(np.mean([measure(labels, called) for called in calls])), 4)

    return {
        "auc": _mean(roc_auc_score, labels, scores),
        "macro_f1": mean(lambda t, p: float(f1_score(t, p, average="macro", zero_division=0.0))),
        "average_precision": _mean(absent_precision, labels, scores),
        "precision": mean(lambda t, p: float(precision_score(1 - t, 1 - p, zero_division=0.0))),
        "recall": mean(lambda t, p: float(recall_score(1 - t, 1 - p, zero_division=0.0))),
        "f1": mean(lambda t, p: float(f1_score(1 - t, 1 - p, zero_division=0.0))),
        "precision_at_20": _mean(precision_at_first, labels, scores),
        "ci95": {
            "auc": _interval(resampled_auc, labels, scores),
            "average_precision": _interval(resampled_precision, labels, scores),
        },
    }


def absent_precision(labels: Labels, scores: Array) -> float:
    """Average precision of "not supported", worst y first."""
    return float(average_precision_score(1 - labels, -scores))


def precision_at_first(labels: Labels, scores: Array, first: int = _FIRST) -> float:
    """Share of not supported among the `first` lowest scores; of equal scores at the edge, their expected share."""
    first = min(first, len(scores))
    edge = np.sort(scores)[first - 1]
    below, at_edge = scores < edge, scores == edge
    wrong = (1 - labels)[below].sum() + (first - below.sum()) * (1 - labels)[at_edge].mean()
    return float(wrong / first)


def _mean(measure: Callable[[Labels, Array], float], labels: Labels, scores: Sequence[Array]) -> float:
    return round(float(np.mean([measure(labels, one) for one in scores])), 4)


def _interval(
    resampled: Callable[[Labels, Array, Array], Array], labels: Labels, scores: Sequence[Array]
) -> list[float]:
    """Percentiles 2.5 and 97.5 of a measure over resamples of the rows, the same resamples for every run."""
    random = np.random.default_rng(0)
    counts = random.multinomial(len(labels), np.full(len(labels), 1 / len(labels)), _RESAMPLES).astype(float)
    counts = counts[(counts @ labels > 0) & (counts @ (1 - labels) > 0)]
    values = np.mean([resampled(labels, one, counts) for one in scores], axis=0)
    return _percentiles(values)


def resampled_auc(labels: Labels, scores: Array, counts: Array) -> Array:
    """AUC of each resample, shape (resamples,). `counts`, shape (resamples, rows), is how often each row is drawn."""
    supported, absent = _by_score(labels, scores, counts)
    below = np.cumsum(absent, axis=1) - absent
    won = (supported * (below + 0.5 * absent)).sum(axis=1)
    return np.asarray(won / (supported.sum(axis=1) * absent.sum(axis=1)))


def resampled_precision(labels: Labels, scores: Array, counts: Array) -> Array:
    """Average precision of "not supported" of each resample, shape (resamples,); `counts` as for `resampled_auc`."""
    supported, absent = _by_score(labels, scores, counts)
    found = np.cumsum(absent, axis=1)
    drawn = found + np.cumsum(supported, axis=1)
    precision = np.divide(found, drawn, out=np.zeros_like(found), where=drawn > 0)
    return np.asarray((precision * absent).sum(axis=1) / found[:, -1])


def _by_score(labels: Labels, scores: Array, counts: Array) -> tuple[Array, Array]:
    """How many supported and not supported each resample has at each score, lowest score first."""
    order = np.argsort(scores, kind="stable")
    starts = np.flatnonzero(np.diff(scores[order], prepend=-np.inf))
    drawn, truth = counts[:, order], labels[order]
    return np.add.reduceat(drawn * truth, starts, axis=1), np.add.reduceat(drawn * (1 - truth), starts, axis=1)


def shares(hits: Sequence[bool]) -> dict[str, object]:
    """The share of hits, of how many, with a bootstrap interval; None of none."""
    if not hits:
        return {"share": None, "n": 0, "ci95": None}
    drawn = np.random.default_rng(0).binomial(len(hits), np.mean(hits), _RESAMPLES) / len(hits)
    return {"share": round(float(np.mean(hits)), 4), "n": len(hits), "ci95": _percentiles(drawn)}


def correlations(ours: Array, theirs: Array) -> dict[str, object]:
    """Pearson's correlation with a bootstrap interval, and Spearman's; None where one of the two never varies."""
    if len(ours) < 2 or np.ptp(ours) == 0 or np.ptp(theirs) == 0:
        return {"pearson": None, "spearman": None, "ci95": None}
    rows = np.random.default_rng(0).integers(0, len(ours), (_RESAMPLES, len(ours)))
    drawn = [_pearson(ours[some], theirs[some]) for some in rows if np.ptp(ours[some]) and np.ptp(theirs[some])]
    return {
        "pearson": round(_pearson(ours, theirs), 4),
        "spearman": round(_pearson(mean_ranks(ours), mean_ranks(theirs)), 4),
        "ci95": _percentiles(np.array(drawn)),
    }


def mean_ranks(scores: Array) -> Array:
    """The rank of each score, lowest first; equal ones share the mean of theirs."""
    _, places, counts = np.unique(scores, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[places])


def _pearson(one: Array, other: Array) -> float:
    return float(np.corrcoef(one, other)[0, 1])


def _percentiles(values: Array) -> list[float]:
    low, high = np.percentile(values, [2.5, 97.5])
    return [round(float(low), 4), round(float(high), 4)]
