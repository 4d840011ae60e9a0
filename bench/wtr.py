"""`python -m bench wtr`: how well the judge finds references that don't support, on WTR's pairs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import click
import numpy as np

from bench.calibration import DEFINITION, calibration, calibration_in_brief
from bench.folds import Labels, Scored, scores_by_folds
from bench.judged import WTR, Judged, judge_rows, judging_options
from bench.measures import measures
from models.aggregate.features import FEATURES


@click.command("wtr")
@judging_options
@click.option("--ablate", is_flag=True, help="Also without the fusion, and without constructed pairs.")
def wtr(
    fitted: str, by_domain: bool, pairs: tuple[Path, ...], pages: tuple[Path, ...], verifier: Path, ablate: bool
) -> None:
    """Judge labelled pairs from our own wording, and print the figures as JSON."""
    judged = judge_rows(fitted, by_domain, pairs or (WTR / "pairs.jsonl", WTR / "more.jsonl"), pages, verifier)
    rows, labels = judged.rows, judged.labels
    plain = np.array([row.label == "1.A" or not row.supported for row in rows])
    always = [(np.ones(len(rows)), np.ones(len(rows), dtype=bool))]
    result = judged.head | {
        "all": measures(labels, judged.ours),
        "1A": _subset(labels, judged.ours, plain),
        "judged": judged.share,
        "baselines": {
            "always_supported": measures(labels, always),
            "values_only": measures(labels, judged.values_only),
        },
        "calibration": calibration(labels, judged.ours)
        | {
            "baselines": {
                "always_supported": calibration_in_brief(labels, always),
                "values_only": calibration_in_brief(labels, judged.values_only),
            },
            "definition": DEFINITION,
        },
    }
    if ablate:
        result["ablations"] = _ablations(judged)
    click.echo(json.dumps(result))


def _ablations(judged: Judged) -> dict[str, object]:
    """The same folds, fitted without a part. Without the verifier altogether is the baseline `values_only`."""
    few = tuple(name for name in FEATURES if not name.startswith("together"))
    weighed = judged.weighed
    none = np.empty(0, dtype=np.int64)
    alone = replace(weighed, contrast=weighed.contrast[:0], claim_of=none, page_of=none)
    runs = {
        "without_fusion": scores_by_folds(weighed, judged.labels, judged.groups, few),
        "without_constructed_pairs": scores_by_folds(alone, judged.labels, judged.groups, FEATURES),
    }
    return {name: measures(judged.labels, scored) for name, scored in runs.items()}


def _subset(labels: Labels, runs: list[Scored], keep: np.ndarray) -> dict[str, object]:
    return measures(labels[keep], [(y[keep], called[keep]) for y, called in runs])
