"""`python -m bench fit`: fit what ships on WTR's pairs, and write it with its card."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path

import click
import numpy as np

from bench.folds import as_labels, extra_rows
from bench.judged import WTR
from bench.rows import load_pages, load_rows
from bench.weighed import weigh_rows
from models.aggregate.classifier import SHIPPED, columns, save
from models.aggregate.features import FEATURES, VALUE_FEATURES
from models.training.classifier import fit as fit_classifier

CARDS = SHIPPED.parents[1] / "cards"
INPUTS = {"classifier": "matches of values and names, and the evidence", "values_only": "matches of values and names"}

_CARD = """# {name}, version {version}

A random forest with Platt's scaling over {inputs}: does the cited page support the statement?
In: the features of `models/aggregate/features.py`, in the order that `classifier.json` gives. Out: y in [0, 1].
A pair is called supported where y ≥ {threshold:.2f}.

Fitted {day} by `python -m bench fit --seed {seed}` on {n} pairs, {unsupported} of them not supported:
{files}

These are Wikidata Textual References (Amaral, Rodrigues, Simperl; CC BY 4.0) and further pairs on the same pages,
labelled in the same scheme by a language model with the whole page at hand. The forest learned as well, at
weight 0.3, from {contrasts} pairs constructed from the supported ones (`models/training/contrast.py`: another value
that stands on the page, one that doesn't, another page). Scaling and threshold come from the labelled pairs alone, on
inner folds that keep the pairs of a page together.

What to expect: `python -m bench wtr` fits on folds and never on the rows it scores; those figures stand in the README.
`python -m bench wtr --fit none` on the rows named above scores rows that these weights have seen, and says nothing.

Limits: fitted on {unsupported} pairs that are not supported, from some forty web domains, nearly all in English. On
layouts that it hasn't met it does worse: see the figures by domain. It says whether a page supports a statement, not
whether either is right.
"""


@click.command("fit")
@click.option("--pairs", multiple=True, type=click.Path(path_type=Path), help="Labelled pairs; may be repeated.")
@click.option("--pages", multiple=True, type=click.Path(path_type=Path), help="A WARC file; may be repeated.")
@click.option("--seed", default=0, show_default=True, help="Of folds and forest.")
def fit(pairs: tuple[Path, ...], pages: tuple[Path, ...], seed: int) -> None:
    """Fit the classifier and its values-only twin, and write weights and cards."""
    chosen = pairs or (WTR / "pairs.jsonl", WTR / "more.jsonl")
    rows = load_rows(chosen)
    weighed = weigh_rows(rows, load_pages(pages or (WTR / "pages.warc.gz",)))
    keep = weighed.weighed
    labels = as_labels([row.supported for row in rows])[keep]
    all_groups = np.array([row.url for row in rows])
    groups = all_groups[keep]
    for name, features in (("classifier", FEATURES), ("values_only", VALUE_FEATURES)):
        learned = fit_classifier(
            weighed.features[keep][:, columns(features)],
            labels,
            groups,
            features,
            seed,
            extra_rows(weighed, all_groups, features),
        )
        version = save(learned, SHIPPED.parent / name)
        card = _CARD.format(
            name=name,
            version=version,
            inputs=INPUTS[name],
            threshold=learned.threshold,
            day=f"{datetime.now(UTC):%Y-%m-%d}",
            seed=seed,
            n=len(labels),
            contrasts=len(weighed.contrast),
            unsupported=int((labels == 0).sum()),
            files="\n".join(f"- `{path.name}` (sha256 {_digest(path)}…)" for path in chosen),
        )
        CARDS.mkdir(exist_ok=True)
        (CARDS / f"{name}.md").write_text(card)
        click.echo(f"{name}: version {version}, {len(labels)} pairs, threshold {learned.threshold:.2f}")


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
