"""What the benches of the judge share: their options, and labelled rows scored by a classifier and its twin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click
import numpy as np
import numpy.typing as npt

from bench.folds import Labels, Scored, as_labels, scores_as_shipped, scores_by_folds, shipped
from bench.rows import DATA, Row, load_pages, load_rows
from bench.weighed import WeighedRows, weigh_rows
from models.aggregate.features import FEATURES, VALUE_FEATURES
from models.verify.verifier import SHIPPED

WTR = DATA / "wtr"
F = TypeVar("F", bound=Callable[..., Any])


def judging_options(command: F) -> F:
    """The options of a bench that judges pairs: how the classifier is fitted, on which rows and pages, by whom read."""
    for option in (
        click.option(
            "--verifier",
            type=click.Path(path_type=Path, exists=True, file_okay=False),
            default=SHIPPED,
            help="A verifier's folder, where not the shipped one.",
        ),
        click.option("--pages", multiple=True, type=click.Path(path_type=Path), help="A WARC file; may be repeated."),
        click.option(
            "--pairs", multiple=True, type=click.Path(path_type=Path), help="Labelled pairs; may be repeated."
        ),
        click.option("--by-domain", is_flag=True, help="Folds by web domain instead of by page."),
        click.option(
            "--fit", "fitted", type=click.Choice(["cv", "none"]), default="cv", help="Five folds, or as shipped."
        ),
    ):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class Judged:
    """Rows with their labels (1 for supported), scored with all features and with those of values only.

    `weighed` holds their features, and `groups` what no fold splits. `share` of the rows were judged; `fit` and `folds`
    say how the scores came about, in the words of the output.
    """

    rows: list[Row]
    labels: Labels
    weighed: WeighedRows
    groups: npt.NDArray[np.str_]
    ours: list[Scored]
    values_only: list[Scored]
    share: float
    fit: str
    folds: str | None

    @property
    def head(self) -> dict[str, object]:
        """How many rows, by which verifier they were read, and how they were scored."""
        return {"n": len(self.rows), "verifier": self.weighed.verifier, "fit": self.fit, "folds": self.folds}


def judge_rows(
    fitted: str, by_domain: bool, pairs: Sequence[Path], pages: Sequence[Path], verifier: Path = SHIPPED
) -> Judged:
    """Judge labelled pairs from our own wording.

    Raises `MissingRows` or `ValueError` for files that aren't right, `BrokenWeights` where nothing is fitted and the
    shipped classifier learned from another verifier.
    """
    rows = load_rows(pairs)
    weighed = weigh_rows(rows, load_pages(pages or (WTR / "pages.warc.gz",)), fitted == "cv", verifier)
    labels = as_labels([row.supported for row in rows])
    groups = np.array([row.domain if by_domain else row.url for row in rows])

    def score(name: str, names: tuple[str, ...]) -> list[Scored]:
        if fitted == "none":
            return scores_as_shipped(weighed, shipped(name), shipped(name).prior)
        return scores_by_folds(weighed, labels, groups, names)

    return Judged(
        rows,
        labels,
        weighed,
        groups,
        score("classifier", FEATURES),
        score("values_only", VALUE_FEATURES),
        round(float(weighed.judged.mean()), 4),
        fitted,
        None if fitted == "none" else "domain" if by_domain else "page",
    )
