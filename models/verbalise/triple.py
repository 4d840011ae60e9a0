"""A statement as a model is asked to say it: subject, relation and value in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Triple:
    """The words of a statement. `kind` is that of the value: `time`, `quantity`, `text`, `string` or `entity`."""

    subject: str
    relation: str
    value: str
    kind: str = "entity"


Model = Callable[[Sequence[Triple]], Sequence[str]]
"""Says each of the triples in a sentence, as it comes: what it says is checked by `models.verbalise.faithful`."""
