"""Choices made of coin flips."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Choice:
    """Chooses by flips of the coin `flip`; with all flips False, it chooses the first of everything.

    Of flips alone, because Hypothesis mixes the constants of all imported modules into the whole numbers that it
    draws: the cases would change whenever any file of the project does.
    """

    flip: Callable[[], bool]

    def below(self, limit: int) -> int:
        """A whole number from 0 to limit − 1, nearly even."""
        drawn = 0
        for _ in range(limit.bit_length() + 3):
            drawn = 2 * drawn + self.flip()
        return drawn % limit

    def between(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return low + self.below(high - low + 1)

    def one(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self.below(len(options))]
