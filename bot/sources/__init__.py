"""Where statements come from: a dump, a SPARQL query or a list of items."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Protocol

from bot.sources.entity import Entity
from bot.sources.formatter import PropertyFacts
from bot.sources.heads import EntityHead
from models.statement import Term

Report = Callable[[str], None]
"""Takes one line for the operator: a skipped line, a redirect, an answer cut short."""


class Source(Protocol):
    """Gives entities, and the words and facts of ids that their statements name.

    `name` is what the run is called by, e.g. "dump sample/dump.json.gz". `entities` may be walked once;
    a source that can't be read raises `bot.problem.InputProblem`.
    """

    @property
    def name(self) -> str:
        """What was asked for, in a few words."""
        ...

    def entities(self) -> Iterator[Entity | EntityHead]:
        """The entities to walk, in the source's order; of one that cites no address the head will do."""
        ...

    def properties(self, ids: Collection[str]) -> Mapping[str, PropertyFacts]:
        """Datatype and formatter URLs of those of the properties that the source knows."""
        ...

    def terms(self, ids: Collection[str]) -> Iterator[Term]:
        """The words of those of the ids that the source knows, each at most once."""
        ...

    @property
    def notes(self) -> Mapping[str, int]:
        """What went wrong on the way, counted, e.g. {"malformed_lines": 2}."""
        ...

    @property
    def absent(self) -> frozenset[str]:
        """Ids asked for that aren't entities any more: they were deleted, or redirect to others."""
        ...

    @property
    def wanted(self) -> frozenset[str] | None:
        """GUIDs of the statements asked for, in lower case; None where every statement of the entities is."""
        ...
