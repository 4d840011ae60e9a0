"""ProVe's third aggregation: a trained classifier over a pair's features, calibrated."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZIP_DEFLATED, BadZipFile

import numpy as np

from models.aggregate.features import FEATURES, Array
from models.values.found import NAMED

if TYPE_CHECKING:
    from sklearn.ensemble import ExtraTreesClassifier

SHIPPED = Path(__file__).resolve().parents[1] / "weights" / "classifier"
TREES = "trees.skops"
_TRUSTED = ("sklearn.tree._tree.Tree",)


class BrokenWeights(ValueError):
    """The classifier's files are missing, or aren't what this code can use. The message names the file."""


@dataclass(frozen=True, slots=True)
class Linear:
    """A logistic regression over standardised features: p = 1 / (1 + exp(−(weights · (x − mean) / scale + bias)))."""

    mean: Array
    scale: Array
    weights: Array
    bias: float

    def shares(self, rows: Array) -> Array:
        """p for feature rows (n, m): shape (n,)."""
        result: Array = 1.0 / (1.0 + np.exp(-((rows - self.mean) / self.scale @ self.weights + self.bias)))
        return result


@dataclass(frozen=True, slots=True)
class Classifier:
    """Trees and a logistic regression, their log-odds averaged, with Platt's scaling behind them.

    `trees` (of `tree_names`, a part of `names`) gives the share of trees that say "supported". With s the mean of both
    members' log-odds, y = 1 / (1 + exp(−(slope · s + offset))). A pair counts as supported where y ≥ `threshold`; the
    judge abstains where the error of so calling it, 1 − y or else y, is over `limit`. `prior` is the rate of support
    among the pairs it was fitted on; `version` identifies the weights. `verifier` is the version of the verifier whose
    opinions it learned from, empty where it learned from none.
    """

    trees: ExtraTreesClassifier
    linear: Linear
    names: tuple[str, ...]
    tree_names: tuple[str, ...]
    slope: float
    offset: float
    threshold: float
    prior: float
    limit: float = 1.0
    version: str = "unsaved"
    verifier: str = ""

    def probabilities(self, rows: Array) -> Array:
        """y for feature rows of shape (n, len(names)): shape (n,), each in [0, 1].

        A date of which the page gives nothing as precise stays below the threshold, whatever the members say: a bare
        year doesn't support a day. It keeps its order among its like.
        """
        y = calibrate(mean_log_odds(self.trees, self.linear, rows, self._tree_columns), self.slope, self.offset)
        if {"is_time", "value_best"} <= set(self.names):
            dates = rows[:, self.names.index("is_time")] > 0
            vague = dates & (rows[:, self.names.index("value_best")] < NAMED)
            y = np.where(vague, y * self.threshold * 0.99, y)
        return y

    @property
    def _tree_columns(self) -> list[int]:
        return [self.names.index(name) for name in self.tree_names]

    def learned_from(self, verifier: str) -> bool:
        """Whether it may be used with the opinions of a verifier of that version."""
        return self.verifier in ("", verifier)

    def is_unsure(self, y: float) -> bool:
        """Whether the error of calling a pair by y would be too high."""
        return (1.0 - y if y >= self.threshold else y) > self.limit


def mean_log_odds(trees: ExtraTreesClassifier, linear: Linear, rows: Array, tree_columns: Sequence[int]) -> Array:
    """The mean of both members' log-odds for feature rows: shape (n,)."""
    result: Array = 0.5 * (logit(trees.predict_proba(rows[:, list(tree_columns)])[:, 1]) + logit(linear.shares(rows)))
    return result


def logit(shares: Array) -> Array:
    """Log-odds of shares, held within ±6 so that unanimous trees stay finite."""
    clipped = np.clip(shares, 0.0025, 0.9975)
    result: Array = np.log(clipped / (1.0 - clipped))
    return result


def calibrate(log_odds: Array, slope: float, offset: float) -> Array:
    """Platt's scaling of log-odds (Platt 1999): order kept, values in [0, 1]."""
    result: Array = 1.0 / (1.0 + np.exp(-(slope * log_odds + offset)))
    return result


def save(classifier: Classifier, folder: Path) -> str:
    """Write `trees.skops` and `classifier.json` to a folder; gives the version, a digest of both."""
    import skops.io  # noqa: PLC0415 - takes seconds, and only who loads or saves weights needs it

    folder.mkdir(parents=True, exist_ok=True)
    skops.io.dump(classifier.trees, folder / TREES, compression=ZIP_DEFLATED, compresslevel=9)
    settings = {
        "features": list(classifier.names),
        "tree_features": list(classifier.tree_names),
        "linear": {
            "mean": classifier.linear.mean.tolist(),
            "scale": classifier.linear.scale.tolist(),
            "weights": classifier.linear.weights.tolist(),
            "bias": classifier.linear.bias,
        },
        "slope": classifier.slope,
        "offset": classifier.offset,
        "threshold": classifier.threshold,
        "prior": classifier.prior,
        "limit": classifier.limit,
        "verifier": classifier.verifier,
    }
    (folder / "classifier.json").write_text(json.dumps(settings, indent=1) + "\n")
    return _version(folder)


def load(folder: Path = SHIPPED) -> Classifier:
    """Read what `save` wrote. Raises `BrokenWeights`."""
    import skops.io  # noqa: PLC0415 - as above
    from skops.io.exceptions import UntrustedTypesFoundException  # noqa: PLC0415

    try:
        settings = json.loads((folder / "classifier.json").read_text())
        trees = skops.io.load(folder / TREES, trusted=list(_TRUSTED))
        trees.n_jobs = 1  # a pair takes less time than starting threads, and sums come out the same each time
        names, tree_names = tuple(settings["features"]), tuple(settings["tree_features"])
        numbers = [float(settings[key]) for key in ("slope", "offset", "threshold", "prior", "limit")]
        mean, scale, weights = (np.array(settings["linear"][key], dtype=float) for key in ("mean", "scale", "weights"))
        linear = Linear(mean, scale, weights, float(settings["linear"]["bias"]))
        verifier = str(settings["verifier"])
    except (OSError, ValueError, KeyError, TypeError, BadZipFile, UntrustedTypesFoundException) as error:
        raise BrokenWeights(f"{folder}: no usable classifier ({error}); make one with python -m bench fit") from error
    fits = set(tree_names) <= set(names) <= set(FEATURES) and trees.n_features_in_ == len(tree_names)
    fits = fits and mean.shape == scale.shape == weights.shape == (len(names),) and bool((scale > 0).all())
    finite = all(map(math.isfinite, (*numbers, *mean, *scale, *weights, linear.bias)))
    if not fits or not finite:
        raise BrokenWeights(f"{folder}: fitted on other features; make a new one with python -m bench fit")
    slope, offset, threshold, prior, limit = numbers
    version = _version(folder)
    return Classifier(trees, linear, names, tree_names, slope, offset, threshold, prior, limit, version, verifier)


def _version(folder: Path) -> str:
    digest = hashlib.sha256()
    for name in ("classifier.json", TREES):
        digest.update((folder / name).read_bytes())
    return digest.hexdigest()[:10]


def columns(names: Sequence[str]) -> list[int]:
    """Where features stand in `FEATURES`."""
    return [FEATURES.index(name) for name in names]
