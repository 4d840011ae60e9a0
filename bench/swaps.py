"""`python -m bench swaps`: can the judge tell a pair from the same pair with another value or another page?"""

from __future__ import annotations

import json
from pathlib import Path

import click
import numpy as np
from sklearn.metrics import roc_auc_score

from bench.folds import Labels, Scored
from bench.judged import WTR, judge_rows, judging_options
from bench.rows import Row

KINDS = ("2.P", "2.O", "2.W")


@click.command("swaps")
@judging_options
def swaps(fitted: str, by_domain: bool, pairs: tuple[Path, ...], pages: tuple[Path, ...], verifier: Path) -> None:
    """Judge a contrast set, and print the figures as JSON."""
    judged = judge_rows(fitted, by_domain, pairs or (WTR / "swaps.jsonl",), pages, verifier)
    result = judged.head | contrast(judged.rows, judged.labels, judged.ours)
    result["baselines"] = {"values_only": contrast(judged.rows, judged.labels, judged.values_only)}
    click.echo(json.dumps(result))


def contrast(rows: list[Row], labels: Labels, runs: list[Scored]) -> dict[str, object]:
    """AUC of originals against all and against each kind, and the share of originals above their own swaps."""
    kinds = np.array([row.label for row in rows])
    figures: dict[str, object] = {"all": {"auc": _auc(labels, runs, np.ones(len(rows), dtype=bool))}}
    for kind in KINDS:
        figures[kind] = {"auc": _auc(labels, runs, (labels == 1) | (kinds == kind))}
    own = {row.original: index for index, row in enumerate(rows) if row.kind == "original"}
    twins = [(own[row.original], i) for i, row in enumerate(rows) if row.kind == "swap" and row.original in own]
    shares = [np.mean([y[original] > y[swap] for original, swap in twins]) for y, _ in runs if twins]
    figures["above_swap"] = round(float(np.mean(shares)), 4) if shares else None
    return figures


def _auc(labels: Labels, runs: list[Scored], keep: np.ndarray) -> float | None:
    if len(set(labels[keep])) < 2:
        return None
    return round(float(np.mean([roc_auc_score(labels[keep], y[keep]) for y, _ in runs])), 4)
