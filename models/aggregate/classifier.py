"""ProVe's third aggregation: a trained classifier over a pair's features, calibrated."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile

import numpy as np

from models.aggregate.features import FEATURES, Array
from models.values.found import NAMED

if TYPE_CHECKING:
    from sklearn.ensemble import RandomForestClassifier

SHIPPED = Path(__file__).resolve().parents[1] / "weights" / "classifier"
_TRUSTED = ("sklearn.tree._tree.Tree",)


class BrokenWeights(ValueError):
    """The classifier's files are missing, or aren't what this code can use. The message names the file."""


@dataclass(frozen=True, slots=True)
class Classifier:
    """A random forest with Platt's scaling behind it.

    `forest` gives the share of trees that say "supported"; y = 1 / (1 + exp(−(slope · logit + offset))).
    A pair counts as supported where y ≥ `threshold`. `prior` is the rate of support among the pairs it was fitted on;
    `version` identifies the weights.
    """

    forest: RandomForestClassifier
    names: tuple[str, ...]
    slope: float
    offset: float
    threshold: float
    prior: float
    version: str = "unsaved"

    def probabilities(self, rows: Array) -> Array:
        """y for feature rows of shape (n, len(names)): shape (n,), each in [0, 1].

        A date of which the page gives nothing as precise stays below the threshold, whatever the forest says: a bare
        year doesn't support a day. It keeps its order among its like.
        """
        y = calibrate(self.forest.predict_proba(rows)[:, 1], self.slope, self.offset)
        if {"is_time", "value_best"} <= set(self.names):
            dates = rows[:, self.names.index("is_time")] > 0
            vague = dates & (rows[:, self.names.index("value_best")] < NAMED)
            y = np.where(vague, y * self.threshold * 0.99, y)
        return y


def logit(shares: Array) -> Array:
    """Log-odds of shares, held within ±6 so that a unanimous forest stays finite."""
    clipped = np.clip(shares, 0.0025, 0.9975)
    result: Array = np.log(clipped / (1.0 - clipped))
    return result


def calibrate(shares: Array, slope: float, offset: float) -> Array:
    """Platt's scaling of a forest's shares (Platt 1999): shape kept, values in [0, 1]."""
    result: Array = 1.0 / (1.0 + np.exp(-(slope * logit(shares) + offset)))
    return result


def save(classifier: Classifier, folder: Path) -> str:
    """Write `forest.skops` and `classifier.json` to a folder; gives the version, a digest of both."""
    import skops.io  # noqa: PLC0415 - takes seconds, and only who loads or saves weights needs it

    folder.mkdir(parents=True, exist_ok=True)
    skops.io.dump(classifier.forest, folder / "forest.skops")
    settings = {
        "features": list(classifier.names),
        "slope": classifier.slope,
        "offset": classifier.offset,
        "threshold": classifier.threshold,
        "prior": classifier.prior,
    }
    (folder / "classifier.json").write_text(json.dumps(settings, indent=1) + "\n")
    return _version(folder)


def load(folder: Path = SHIPPED) -> Classifier:
    """Read what `save` wrote. Raises `BrokenWeights`."""
    import skops.io  # noqa: PLC0415 - as above
    from skops.io.exceptions import UntrustedTypesFoundException  # noqa: PLC0415

    try:
        settings = json.loads((folder / "classifier.json").read_text())
        forest = skops.io.load(folder / "forest.skops", trusted=list(_TRUSTED))
        forest.n_jobs = 1  # a pair takes less time than starting threads, and sums come out the same each time
        names = tuple(settings["features"])
        slope, offset, threshold, prior = (float(settings[key]) for key in ("slope", "offset", "threshold", "prior"))
    except (OSError, ValueError, KeyError, TypeError, BadZipFile, UntrustedTypesFoundException) as error:
        raise BrokenWeights(f"{folder}: no usable classifier ({error}); make one with python -m bench fit") from error
    unknown = set(names) - set(FEATURES)
    if unknown or forest.n_features_in_ != len(names) or not all(map(math.isfinite, (slope, offset, threshold, prior))):
        raise BrokenWeights(f"{folder}: fitted on other features; make a new one with python -m bench fit")
    return Classifier(forest, names, slope, offset, threshold, prior, _version(folder))


def _version(folder: Path) -> str:
    digest = hashlib.sha256()
    for name in ("classifier.json", "forest.skops"):
        digest.update((folder / name).read_bytes())
    return digest.hexdigest()[:10]


def columns(names: Sequence[str]) -> list[int]:
    """Where features stand in `FEATURES`."""
    return [FEATURES.index(name) for name in names]
