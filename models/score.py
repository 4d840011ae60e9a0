"""The score of an item, a property or a domain: how much of what was judged its pages are expected to support."""

from __future__ import annotations


def score(support: float, judged: int) -> float | None:
    """The mean of the probabilities y: `support`, their sum, over `judged`, the number of judged references.

    From 0 to 1: the share of the judged references whose page is expected to support its statement, for y is
    calibrated. None where nothing was judged: there is no score then, and 0 would be one. What wasn't judged counts
    neither for nor against (its share is the coverage's to tell), and what the judge can't tell counts by its y.
    Editors' decisions don't change it; they stand beside it.
    """
    if judged < 0:
        raise ValueError(f"{judged} references can't have been judged")
    if judged == 0:
        return None
    return min(max(support / judged, 0.0), 1.0)  # sums of floats may be a hair outside


def coverage(judged: int, references: int) -> float | None:
    """The share of the references that were judged, from 0 to 1; None where there are none."""
    return judged / references if references else None
