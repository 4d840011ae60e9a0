"""The error of the judge per property and per domain, and its curves, as the dashboard shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from bench.calibration import calibration, expected_errors
from bench.folds import Labels, Scored
from bench.rows import Row


def measured(rows: Sequence[Row], labels: Labels, runs: Sequence[Scored], limit: float, how: str) -> dict[str, object]:
    """Means over runs of scores of rows that the classifier hadn't seen; of a group, `wrong` counts the sure calls.

    `limit` is the expected error over which the judge abstains.
    """
    unsure = np.array([expected_errors(y, called) > limit for y, called in runs])
    wrong = np.array([called != labels.astype(bool) for _, called in runs]) & ~unsure
    curves = calibration(labels, runs)
    named = {row.statement.property.id: row.statement.property.label or "" for row in rows}

    def grouped(key: Callable[[Row], str]) -> list[tuple[str, dict[str, float]]]:
        groups = np.array([key(row) for row in rows])
        counted = []
        for name in sorted(set(groups), key=lambda one: (-int((groups == one).sum()), one)):
            of = groups == name
            figures = {"wrong": wrong[:, of].sum(axis=1).mean(), "unsure": unsure[:, of].sum(axis=1).mean()}
            counted.append((name, {"n": int(of.sum())} | {key: round(float(v), 2) for key, v in figures.items()}))
        return counted

    properties, domains = grouped(lambda row: row.statement.property.id), grouped(lambda row: row.domain)
    bins = [one for one in curves["reliability"] if one["n"]]  # type: ignore[attr-defined]
    return {
        "rows": len(rows),
        "unsupported": int((labels == 0).sum()),
        "how": how,
        "by_property": [{"id": name, "label": named[name]} | figures for name, figures in properties],
        "by_domain": [{"domain": name} | figures for name, figures in domains],
        "reliability": [
            {
                "from": one["from"],
                "to": one["to"],
                "n": round(one["n"] / len(runs), 1),
                "said": one["y"],
                "found": one["supported"],
            }
            for one in bins
        ],
        "risk_coverage": [{"coverage": share, "risk": risk} for share, risk in curves["risk_coverage"]],  # type: ignore[attr-defined]
    }
