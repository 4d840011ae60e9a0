"""Where a text names something, and how."""

from __future__ import annotations

from dataclasses import dataclass

NAMED = frozenset({"exact", "alias", "reordered", "initials", "fuzzy", "within_bounds"})


@dataclass(frozen=True, slots=True)
class Found:
    """A character span of a text (end exclusive) that names a part of a statement.

    `how`: "exact" (a label, or a value at the statement's precision), "alias", "reordered" (inversion, middle names
    left out or added), "initials", "fuzzy" (spelled a little differently), "within_bounds" (after conversion or
    rounding), "coarser" (agrees, and says less), or "conflict" (another value of the same kind).
    `score` in [0, 1] says how surely.
    """

    start: int
    end: int
    how: str
    score: float = 1.0
