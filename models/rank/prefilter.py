"""Cheap before dear: the passages worth a model's time, by what the matcher found in them."""

from __future__ import annotations

from collections.abc import Sequence

from models.evidence import Passage
from models.values.match import PassageMatch
from models.values.words import words_of

MOST = 24


def strength(match: PassageMatch) -> float:
    """How much of a statement a passage has, in [0, 1]: value first, then subject, then the property's words."""
    tie = max(match.bond, 0.6 * match.property_score, match.conflict)
    return 0.5 * max(match.value_score, 0.6 * match.conflict) + 0.25 * match.subject_score + 0.25 * tie


def prefilter(claim: str, passages: Sequence[Passage], matches: Sequence[PassageMatch], most: int = MOST) -> list[int]:
    """Indexes of at most `most` passages to hand to the model, strongest first; the same text only once.

    Boilerplate comes only after everything that speaks (cases 22), and shared words break ties.
    """
    wanted = set(words_of(claim).words)

    def score(index: int) -> tuple[bool, float, float, int]:
        passage, match = passages[index], matches[index]
        words = set(words_of(passage.text).words)
        shared = len(wanted & words) / (len(wanted) or 1)
        speaks = strength(match) + 0.3 * shared
        return (not passage.boilerplate or match.value_score >= 0.8, speaks, -len(passage.text), -index)

    chosen: list[int] = []
    seen: set[str] = set()
    for index in sorted(range(len(passages)), key=score, reverse=True):
        text = passages[index].text
        if text not in seen:
            seen.add(text)
            chosen.append(index)
        if len(chosen) == most:
            break
    return chosen
