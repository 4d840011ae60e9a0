"""`python -m bench swaps`: can the judge tell a pair from the same pair with another value or another page?"""

from __future__ import annotations

import json
from pathlib import Path

import click
import numpy as np
from sklearn.metrics import roc_auc_score

from bench.folds import Labels, Scored, as_labels, scores_as_shipped, scores_by_folds, shipped
from bench.rows import Row, load_pages, load_rows
from bench.weighed import weigh_rows
from bench.wtr import WTR
from models.aggregate.features import FEATURES, VALUE_FEATURES

KINDS = ("2.P", "2.O", "2.W")


@click.command("swaps")
@click.option("--fit", "fitted", type=click.Choice(["cv", "none"]), default="cv", help="Five folds, or as shipped.")
@click.option("--by-domain", is_flag=True, help="Folds by web domain instead of by page.")
@click.option("--pairs", multiple=True, type=click.Path(path_type=Path), help="The contrast set; may be repeated.")
@click.option("--pages", multiple=True, type=click.Path(path_type=Path), help="A WARC file; may be repeated.")
def swaps(fitted: str, by_domain: bool, pairs: tuple[Path, ...], pages: tuple[Path, ...]) -> None:
    """Judge a contrast set, and print the figures as JSON."""
    rows = load_rows(pairs or (WTR / "swaps.jsonl",))
    weighed = weigh_rows(rows, load_pages(pages or (WTR / "pages.warc.gz",)), contrast=fitted == "cv")
    labels = as_labels([row.supported for row in rows])
    groups = np.array([row.domain if by_domain else row.url for row in rows])

    def score(name: str, names: tuple[str, ...]) -> list[Scored]:
        if fitted == "none":
            return scores_as_shipped(weighed, shipped(name), shipped(name).prior)
        return scores_by_folds(weighed, labels, groups, names)

    result = {"n": len(rows), "fit": fitted, "folds": None if fitted == "none" else "domain" if by_domain else "page"}
    result |= contrast(rows, labels, score("classifier", FEATURES))
    result["baselines"] = {"values_only": contrast(rows, labels, score("values_only", VALUE_FEATURES))}
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
