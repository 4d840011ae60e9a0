"""When a page that isn't found is gone."""

from __future__ import annotations

from dataclasses import replace

from models.outcome import NotJudged, Outcome
from store.tries import Missing


def gone(not_judged: NotJudged, missing: Missing | None) -> NotJudged:
    """The outcome of a page that no copy can be read of: gone, where it wasn't found for long enough."""
    if not_judged.outcome is not Outcome.NOT_FOUND or missing is None or not missing.gone:
        return not_judged
    since = f"{missing.since.day} {missing.since:%B %Y}"
    said = f"{not_judged.detail}; not found each time that it answered since {since}, on {missing.days} days"
    return replace(not_judged, outcome=Outcome.GONE, detail=said)
