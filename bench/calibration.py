"""Does y mean what it says, and are the surest calls the right ones?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bench.measures import Array, Labels

Scored = tuple[Array, npt.NDArray[np.bool_]]

BINS = 10
_COVERAGES = tuple(round(0.1 * step, 1) for step in range(1, 11))
_KEPT = 0.8

DEFINITION = {
    "ece": "expected calibration error (Naeini, Cooper, Hauskrecht 2015): mean of |share supported - mean y| over ten "
    "bins of equal width on y, weighed by their rows; mean over seeds. Always giving the rate of support has 0.",
    "reliability": "the bins, with the rows of all seeds: mean y and the share that is supported",
    "risk": "share of calls that the label contradicts among the surest (Geifman, El-Yaniv 2017), mean over seeds",
    "surest": "those of the smallest expected error: 1 - y where called supported, y where called not supported; "
    "of equals at the edge their mean",
}


def calibration(labels: Labels, runs: Sequence[Scored]) -> dict[str, object]:
    """Figures of one or more runs (seeds) over the same rows, as `DEFINITION` says. `labels` are 1 for supported."""
    return calibration_in_brief(labels, runs) | {
        "risk_coverage": [[share, _mean([risk(labels, *run, share) for run in runs])] for share in _COVERAGES],
        "reliability": reliability(np.tile(labels, len(runs)), np.concatenate([y for y, _ in runs])),
    }


def calibration_in_brief(labels: Labels, runs: Sequence[Scored]) -> dict[str, object]:
    """The two numbers of `calibration`."""
    return {
        "ece": _mean([calibration_error(labels, y) for y, _ in runs]),
        "risk_at_80": _mean([risk(labels, *run, _KEPT) for run in runs]),
    }


def calibration_error(labels: Labels, y: Array) -> float:
    """Expected calibration error of y in [0, 1] as the probability that a row is supported."""
    bins = _bins(y)
    rows = np.bincount(bins, minlength=BINS)
    gaps = np.abs(np.bincount(bins, labels, BINS) - np.bincount(bins, y, BINS))
    return float(gaps.sum() / rows.sum())  # of a bin: its share of the rows times the gap of its means


def reliability(labels: Labels, y: Array) -> list[dict[str, float | int | None]]:
    """For each bin from 0 up: where it begins and ends, its rows, their mean y and the share supported."""
    bins = _bins(y)
    rows = np.bincount(bins, minlength=BINS)
    means, supported = np.bincount(bins, y, BINS), np.bincount(bins, labels, BINS)
    return [
        {
            "from": at / BINS,
            "to": (at + 1) / BINS,
            "n": int(rows[at]),
            "y": round(float(means[at] / rows[at]), 4) if rows[at] else None,
            "supported": round(float(supported[at] / rows[at]), 4) if rows[at] else None,
        }
        for at in range(BINS)
    ]


def expected_errors(y: Array, called: npt.NDArray[np.bool_]) -> Array:
    """How likely each call is wrong, if y is right."""
    return np.where(called, 1.0 - y, y)


def risk(labels: Labels, y: Array, called: npt.NDArray[np.bool_], coverage: float) -> float:
    """Share of wrong calls among that share of the rows (one at least) whose expected error is smallest."""
    expected, wrong = expected_errors(y, called), called.astype(int) != labels
    kept = max(1, round(coverage * len(y)))
    edge = np.sort(expected)[kept - 1]
    below, at_edge = expected < edge, expected == edge
    return float((wrong[below].sum() + (kept - below.sum()) * wrong[at_edge].mean()) / kept)


def _bins(y: Array) -> npt.NDArray[np.int64]:
    """The bin of each y; 1 belongs to the last."""
    return np.minimum((y * BINS).astype(np.int64), BINS - 1)


def _mean(figures: Sequence[float]) -> float:
    return round(float(np.mean(figures)), 4)
