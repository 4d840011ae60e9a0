"""The five passages that a verdict rests on."""

from __future__ import annotations

from collections.abc import Iterable

from models.evidence import Evidence

MOST = 5


def top_without_overlap(evidence: Iterable[Evidence], most: int = MOST) -> tuple[Evidence, ...]:
    """The most relevant passages of which no two share a sentence (ProVe, equation 5), most relevant first."""
    chosen: list[Evidence] = []
    for candidate in sorted(evidence, key=lambda one: (-one.relevance, one.passage.block, one.passage.first)):
        if not any(_overlap(candidate, taken) for taken in chosen):
            chosen.append(candidate)
        if len(chosen) == most:
            break
    return tuple(chosen)


def _overlap(one: Evidence, other: Evidence) -> bool:
    a, b = one.passage, other.passage
    return a.block == b.block and a.first <= b.last and b.first <= a.last
