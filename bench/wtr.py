"""`python -m bench wtr`: how well the judge finds references that don't support, on WTR's pairs."""

from __future__ import annotations

import json
from pathlib import Path

import click
import numpy as np

from bench.folds import Labels, Scored
from bench.judged import WTR, judge_rows, judging_options
from bench.measures import measures


@click.command("wtr")
@judging_options
def wtr(fitted: str, by_domain: bool, pairs: tuple[Path, ...], pages: tuple[Path, ...]) -> None:
    """Judge labelled pairs from our own wording, and print the figures as JSON."""
    judged = judge_rows(fitted, by_domain, pairs or (WTR / "pairs.jsonl", WTR / "more.jsonl"), pages)
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
    }
    click.echo(json.dumps(result))


def _subset(labels: Labels, runs: list[Scored], keep: np.ndarray) -> dict[str, object]:
    return measures(labels[keep], [(y[keep], called[keep]) for y, called in runs])
