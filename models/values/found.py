"""Where a text names something, and how."""

from __future__ import annotations

from dataclasses import dataclass

NAMED = 0.8
"""The score from which a match names the thing."""
HINT = 0.6
"""Below this a match is only a hint of the thing: a surname alone, some of a name's words."""


@dataclass(frozen=True, slots=True)
class Found:
    """A character span of a text (end exclusive) that names a part of a statement.

    `how`: "exact" (a label, or a value at the statement's precision), "alias", "reordered" (inversion, middle names
    left out or added), "initials", "fuzzy" (spelled a little differently), "within_bounds" (after conversion or
    rounding), "coarser" (agrees, and says less), "reckoned" (from the day the page appeared), "inferred" (not
    named, but it follows), or "conflict" (another value of the same kind).
    `score` in [0, 1] says how surely.
    """

    start: int
    end: int
    how: str
    score: float = 1.0
