"""`python -m bench wtr`: how well the judge finds references that don't support, on WTR's pairs."""

from __future__ import annotations

import json
from pathlib import Path

import click
import numpy as np

from bench.folds import Labels, Scored, as_labels, scores_as_shipped, scores_by_folds, shipped
from bench.measures import measures
from bench.rows import DATA, load_pages, load_rows
from bench.weighed import weigh_rows
from models.aggregate.features import FEATURES, VALUE_FEATURES

WTR = DATA / "wtr"


@click.command("wtr")
@click.option("--fit", "fitted", type=click.Choice(["cv", "none"]), default="cv", help="Five folds, or as shipped.")
@click.option("--by-domain", is_flag=True, help="Folds by web domain instead of by page.")
@click.option("--pairs", multiple=True, type=click.Path(path_type=Path), help="Labelled pairs; may be repeated.")
@click.option("--pages", multiple=True, type=click.Path(path_type=Path), help="A WARC file; may be repeated.")
def wtr(fitted: str, by_domain: bool, pairs: tuple[Path, ...], pages: tuple[Path, ...]) -> None:
    """Judge labelled pairs from our own wording, and print the figures as JSON."""
    rows = load_rows(pairs or (WTR / "pairs.jsonl", WTR / "more.jsonl"))
    weighed = weigh_rows(rows, load_pages(pages or (WTR / "pages.warc.gz",)), contrast=fitted == "cv")
    labels = as_labels([row.supported for row in rows])
    groups = np.array([row.domain if by_domain else row.url for row in rows])
    one_a = np.array([row.label == "1.A" or not row.supported for row in rows])
    prior = float(labels[weighed.judged].mean()) if fitted == "cv" else shipped("classifier").prior

    def score(name: str, names: tuple[str, ...]) -> list[Scored]:
        if fitted == "none":
            return scores_as_shipped(weighed, shipped(name), prior)
        return scores_by_folds(weighed, labels, groups, names)

    ours, values = score("classifier", FEATURES), score("values_only", VALUE_FEATURES)
    always = [(np.ones(len(rows)), np.ones(len(rows), dtype=bool))]
    result = {
        "n": len(rows),
        "fit": fitted,
        "folds": None if fitted == "none" else "domain" if by_domain else "page",
        "all": measures(labels, ours),
        "1A": _subset(labels, ours, one_a),
        "judged": round(float(weighed.judged.mean()), 4),
        "baselines": {"always_supported": measures(labels, always), "values_only": measures(labels, values)},
    }
    click.echo(json.dumps(result))


def _subset(labels: Labels, runs: list[Scored], keep: np.ndarray) -> dict[str, object]:
    return measures(labels[keep], [(y[keep], called[keep]) for y, called in runs])
