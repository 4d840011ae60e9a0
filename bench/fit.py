"""`python -m bench fit`: propose a classifier fitted on labelled pairs, and ship it where no figure falls."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import numpy as np

from bench.calibration import calibration_error
from bench.folds import FOLDS, SEEDS, Labels, Scored, as_labels, extra_rows, scores_by_folds
from bench.judged import WTR
from bench.measured import measured
from bench.measures import measures
from bench.rows import Row, load_pages, load_rows
from bench.swaps import contrast
from bench.weighed import WeighedRows, weigh_rows
from models.aggregate.classifier import SHIPPED, Classifier, columns, save
from models.aggregate.features import FEATURES, VALUE_FEATURES
from models.judge import OWN_CLASSIFIER
from models.training.classifier import LIMIT
from models.training.classifier import fit as fit_classifier
from models.verify.verifier import SHIPPED as VERIFIER

CARDS = SHIPPED.parents[1] / "cards"
FIGURES = "figures.json"
SLACK = 0.0005  # figures are rounded
INPUTS = {
    "classifier": "matches of values and names, the evidence, and the opinions of a verifier",
    "values_only": "matches of values and names",
}

_CARD = """# {name}, version {version}

Extremely randomised trees and a logistic regression over {inputs}, their log-odds averaged, with Platt's scaling
behind: does the cited page support the statement? In: the features of `models/aggregate/features.py`, in the order
that `classifier.json` gives. Out: y in [0, 1]. A pair is called supported where y ≥ {threshold:.2f}; the judge abstains
where the expected error of its call is over {limit}.

Fitted {day} by `python -m bench fit --seed {seed}` on {n} pairs, {unsupported} of them not supported:
{files}

These are Wikidata Textual References (Amaral, Rodrigues, Simperl; CC BY 4.0) and further pairs on the same pages,
labelled in the same scheme by a language model with the whole page at hand. Both members learned as well, at
weight 0.3, from {contrasts} pairs constructed from the supported ones (`models/training/contrast.py`: another value
that stands on the page, one that doesn't, another page). Scaling and threshold come from the labelled pairs alone, on
inner folds that keep the pairs of a page together. Which members, their strength, and the rules behind the features
were chosen by folds of these same pairs.

What to expect: `python -m bench wtr` fits on folds and never on the rows it scores; those figures stand in the README.
`python -m bench wtr --fit none` on the rows named above scores rows that these weights have seen, and says nothing.

Limits: fitted on {unsupported} pairs that are not supported, from some forty web domains, nearly all in English. On
layouts that it hasn't met it does worse: see the figures by domain. It says whether a page supports a statement, not
whether either is right.
"""


@click.command("fit")
@click.option("--pairs", multiple=True, type=click.Path(path_type=Path), help="Labelled pairs; may be repeated.")
@click.option("--pages", multiple=True, type=click.Path(path_type=Path), help="A WARC file; may be repeated.")
@click.option("--seed", default=0, show_default=True, help="Of folds and trees.")
@click.option("--verifier", type=click.Path(path_type=Path, exists=True, file_okay=False),
              help="A verifier's folder: what is fitted to it is written there, for judge.verifier.")  # fmt: skip
@click.option("--lower", is_flag=True, help="Ship even where a figure falls, or where the rows are others.")
def fit(pairs: tuple[Path, ...], pages: tuple[Path, ...], seed: int, verifier: Path | None, lower: bool) -> None:
    """Propose a classifier and its values-only twin, and ship both where no figure of the bench falls.

    The figures, with the digest of their rows, stand beside the weights. With a verifier of one's own, its classifier
    alone is written, into the verifier's folder.
    """
    shipped, reader = (SHIPPED, VERIFIER) if verifier is None else (verifier / OWN_CLASSIFIER, verifier)
    chosen, warcs = pairs or (WTR / "pairs.jsonl", WTR / "more.jsonl"), pages or (WTR / "pages.warc.gz",)
    rows, documents = load_rows(chosen), load_pages(warcs)
    weighed = weigh_rows(rows, documents, verifier=reader)
    labels = as_labels([row.supported for row in rows])
    by_page = _scored(weighed, labels, [row.url for row in rows])
    by_domain = _scored(weighed, labels, [row.domain for row in rows])
    figures = _in_brief(labels, by_page, "page") | _in_brief(labels, by_domain, "domain")
    swaps = () if pairs else (WTR / "swaps.jsonl",)
    if swaps:
        figures |= _swapped(load_rows(swaps), documents, reader)
    proposal = {"rows": {path.name: _digest(path) for path in (*chosen, *swaps, *warcs)}, "figures": figures}
    fallen = falls(_figures_of(shipped), proposal)
    click.echo(json.dumps(proposal | {"falls": fallen}))
    if fallen and not lower:
        click.echo("fit: not shipped; --lower ships it all the same", err=True)
        sys.exit(1)
    learned = replace(_learned(rows, weighed, labels, FEATURES, seed), verifier=weighed.verifier)
    _ship(shipped, learned, chosen, weighed, labels, seed)
    if verifier is None:
        twin = _learned(rows, weighed, labels, VALUE_FEATURES, seed)
        _ship(SHIPPED.parent / "values_only", twin, chosen, weighed, labels, seed)
    (shipped / FIGURES).write_text(json.dumps(proposal, indent=1) + "\n")
    how = f"{FOLDS} folds by page, {SEEDS} seeds, {FIGURES} beside the weights"
    (shipped / "measured.json").write_text(json.dumps(measured(rows, labels, by_page, LIMIT, how), indent=1) + "\n")


def falls(shipped: Mapping[str, Any] | None, proposed: Mapping[str, Any]) -> list[str]:
    """Where a proposal is worse than what ships, in words; empty where it isn't, or nothing ships yet."""
    if shipped is None:
        return []
    if shipped["rows"] != proposed["rows"]:
        return ["the rows are not those of the shipped figures"]
    fallen = []
    for name, before in shipped["figures"].items():
        now = proposed["figures"].get(name)
        less = now is None or (now - before if name.startswith("ece") else before - now) > SLACK
        if less:
            fallen.append(f"{name}: {before} before, {now} now")
    return fallen


def _figures_of(folder: Path) -> Mapping[str, Any] | None:
    path = folder / FIGURES
    return json.loads(path.read_text()) if path.exists() else None


def _scored(weighed: WeighedRows, labels: Labels, groups: Sequence[str]) -> list[Scored]:
    return scores_by_folds(weighed, labels, np.array(groups), FEATURES)


def _in_brief(labels: Labels, runs: list[Scored], by: str) -> dict[str, float]:
    all_of = measures(labels, runs)
    names = ("auc", "macro_f1", "average_precision", "precision_at_20")
    brief = {f"{name} by {by}": float(all_of[name]) for name in names}  # type: ignore[arg-type]
    return brief | {f"ece by {by}": round(float(np.mean([calibration_error(labels, y) for y, _ in runs])), 4)}


def _swapped(rows: list[Row], documents: Mapping[str, Any], verifier: Path) -> dict[str, float]:
    labels, weighed = as_labels([row.supported for row in rows]), weigh_rows(rows, documents, verifier=verifier)
    found: Any = contrast(rows, labels, _scored(weighed, labels, [row.url for row in rows]))
    return {
        "swaps auc": found["all"]["auc"],
        "swaps 2.P auc": found["2.P"]["auc"],
        "swaps above their original": found["above_swap"],
    }


def _learned(
    rows: Sequence[Row], weighed: WeighedRows, labels: Labels, names: tuple[str, ...], seed: int
) -> Classifier:
    groups, keep = np.array([row.url for row in rows]), weighed.weighed
    extra = extra_rows(weighed, groups, names)
    return fit_classifier(weighed.features[keep][:, columns(names)], labels[keep], groups[keep], names, seed, extra)


def _ship(
    folder: Path,
    learned: Classifier,
    files: Sequence[Path],
    weighed: WeighedRows,
    labels: Labels,
    seed: int,
) -> None:
    """Write weights and card: a shipped one's stands among the cards, another's beside its weights."""
    shutil.rmtree(folder, ignore_errors=True)
    version = save(learned, folder)
    click.echo(f"{folder.name}: version {version}, threshold {learned.threshold:.2f}", err=True)
    keep = weighed.weighed
    card = _CARD.format(
        name=folder.name,
        version=version,
        inputs=INPUTS[folder.name],
        threshold=learned.threshold,
        limit=learned.limit,
        day=f"{datetime.now(UTC):%Y-%m-%d}",
        seed=seed,
        n=int(keep.sum()),
        contrasts=len(weighed.contrast),
        unsupported=int((labels[keep] == 0).sum()),
        files="\n".join(f"- `{path.name}` (sha256 {_digest(path)}…)" for path in files),
    )
    shipped = folder.parent == SHIPPED.parent
    (CARDS / f"{folder.name}.md" if shipped else folder / "README.md").write_text(card)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
