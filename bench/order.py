"""`python -m bench order`: how many of the first in the list are worth an editor's look, by which order."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click
import numpy as np
import numpy.typing as npt

from bench.calibration import expected_errors
from bench.folds import Labels, Scored
from bench.judged import WTR, Judged, judge_rows, judging_options
from bench.measures import absent_precision, precision_at_first
from models.aggregate.features import FEATURES
from models.benefit import ROTTEN, chance
from models.evidence import Stance
from models.judge import REFUTES
from models.training.classifier import LIMIT
from models.values.found import HINT

Array = npt.NDArray[np.float64]

SHARES = (0.05, 0.02)  # of references that don't support, as they are met on the web
_LISTED, _DRAWS = 2000, 200


@click.command("order")
@judging_options
def order(fitted: str, by_domain: bool, pairs: tuple[Path, ...], pages: tuple[Path, ...], verifier: Path) -> None:
    """Order judged pairs by expected benefit and otherwise, and print the figures as JSON."""
    judged = judge_rows(fitted, by_domain, pairs or (WTR / "pairs.jsonl", WTR / "more.jsonl"), pages, verifier)
    rotten = _rotten(judged)
    keep = judged.weighed.judged | (rotten > 0)
    labels = judged.labels[keep]
    chances = [np.where(rotten > 0, rotten, _chances(judged, scored))[keep] for scored in judged.ours]
    baselines = {
        "y": [y[keep] for y, _ in judged.ours],
        "y_in_per_cents": [_places(judged, scored)[keep] for scored in judged.ours],
        "benefit_of_judged_only": [-np.where(rotten > 0, 0.0, _chances(judged, one))[keep] for one in judged.ours],
        "values_only_y": [y[keep] for y, _ in judged.values_only],
        "chance": [np.random.default_rng(seed).random(len(labels)) for seed in range(len(judged.ours))],
    }
    result = judged.head | {"listed": int(keep.sum()), "unsupported": int((labels == 0).sum())}
    result["benefit"] = figures(labels, [-one for one in chances])
    result["baselines"] = {name: figures(labels, runs) for name, runs in baselines.items()}
    click.echo(json.dumps(result))


def figures(labels: Labels, runs: Sequence[Array]) -> dict[str, object]:
    """Means over runs of scores (lowest first): the precision among the first 20, average precision, and the precision
    among the first 20 of 2,000 rows drawn so that 5 % or 2 % aren't supported.
    """
    return {
        "precision_at_20": round(float(np.mean([precision_at_first(labels, one) for one in runs])), 4),
        "average_precision": round(float(np.mean([absent_precision(labels, one) for one in runs])), 4),
        "precision_at_20_where": {str(share): _at_share(labels, runs, share) for share in SHARES},
    }


def _at_share(labels: Labels, runs: Sequence[Array], share: float) -> float:
    random = np.random.default_rng(0)
    bad, good = np.flatnonzero(labels == 0), np.flatnonzero(labels == 1)
    found = []
    for _ in range(_DRAWS):
        few = round(_LISTED * share)
        drawn = np.concatenate([random.choice(bad, few), random.choice(good, _LISTED - few)])
        found.append(np.mean([precision_at_first(labels[drawn], one[drawn]) for one in runs]))
    return round(float(np.mean(found)), 4)


def _chances(judged: Judged, scored: Scored) -> Array:
    """`models.benefit.chance` of each row; what hangs on a reference isn't known of these rows."""
    y, _ = scored
    stances, unsure = stances_of(judged, scored)
    return np.array([chance(one, stance, no) for one, stance, no in zip(y, stances, unsure, strict=True)])


def _rotten(judged: Judged) -> Array:
    """The chance of rows whose page isn't where the reference says; 0 for all others."""
    return np.array([ROTTEN.get(outcome, 0.0) if outcome else 0.0 for outcome in judged.weighed.outcomes])


def _places(judged: Judged, scored: Scored) -> Array:
    """The list's former order: y in whole per cents, and in each what isn't supported, can't be told, is supported."""
    y, _ = scored
    stances, unsure = stances_of(judged, scored)
    kinds = [1 if no else 2 if stance is Stance.SUPPORTS else 0 for stance, no in zip(stances, unsure, strict=True)]
    return np.asarray(np.round(np.nan_to_num(y) * 100) * 3 + kinds + np.nan_to_num(y) / 100)


def stances_of(judged: Judged, scored: Scored) -> tuple[list[Stance], npt.NDArray[np.bool_]]:
    """z of each row and whether the judge abstains, as `models.judge` has them, but for values of another property."""
    y, called = scored
    values, refuting = (judged.weighed.features[:, FEATURES.index(name)] for name in ("value_best", "refutes_max"))
    named = called & (np.nan_to_num(values) >= HINT)
    refuted = ~called & (np.nan_to_num(refuting) >= REFUTES)
    kinds = [
        Stance.SUPPORTS if yes else Stance.REFUTES if no else Stance.NOT_ENOUGH_INFO
        for yes, no in zip(named, refuted, strict=True)
    ]
    return kinds, np.asarray((expected_errors(y, called) > LIMIT) | (called & ~named))
