"""Passages, what they say of a claim, and where: the values that evidence is made of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Stance(str, Enum):
    """What a passage or a page says of a claim."""

    SUPPORTS = "supports"
    REFUTES = "refutes"
    NOT_ENOUGH_INFO = "not_enough_info"


@dataclass(frozen=True, slots=True)
class CellSpan:
    """A table's cell where it stands in its row's text: characters `start` to `end` (exclusive), and its headers."""

    start: int
    end: int
    row: str
    column: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a page that can be evidence.

    `kind`: `text`, `table`, `structured`, `value` or `graph`. `block` is the index of the block it stands in,
    in document order; `first` and `last` count the sentences of that block (both inclusive, from 0).
    `heading` is the nearest heading above. A table row's text carries its headers ("header: cell").
    `boilerplate` marks navigation, notices and the like. `cells` are those of a table row that stand in the text.
    """

    text: str
    kind: str
    block: int
    first: int
    last: int
    heading: str = ""
    boilerplate: bool = False
    cells: tuple[CellSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class Match:
    """A span of a passage that names a part of the statement.

    `part`: `subject`, `property` or `value`; `how`: `exact`, `coarser`, `within_bounds`, `alias`, `reordered`,
    `initials`, `fuzzy`, `reckoned` (from the day the page appeared), `inferred` (a pronoun for a gender, a year for
    what is named by it), `conflict` (another value of the same kind), or `opposite` (words of a property that this one
    is often mistaken for); `score` in [0, 1].
    `start` and `end` count characters of the passage's text, end exclusive.
    """

    part: str
    how: str
    start: int
    end: int
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage with relevance ρ in [−1, 1] and stance probabilities σ that sum to 1."""

    passage: Passage
    relevance: float
    supports: float
    refutes: float
    not_enough_info: float
    matches: tuple[Match, ...] = ()

    @property
    def stance(self) -> Stance:
        """The likeliest stance of this passage."""
        ranked = (
            (self.supports, Stance.SUPPORTS),
            (self.refutes, Stance.REFUTES),
            (self.not_enough_info, Stance.NOT_ENOUGH_INFO),
        )
        return max(ranked, key=lambda pair: pair[0])[1]
