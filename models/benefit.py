"""Expected benefit: what an editor gains by looking at a reference, by which the list is ordered, highest first.

benefit = chance · use. Neither is fitted: the orders that they make are measured by `python -m bench order`.
"""

from __future__ import annotations

from models.evidence import Stance
from models.outcome import Outcome

SURE = {Stance.REFUTES: 1.0, Stance.NOT_ENOUGH_INFO: 0.8, Stance.SUPPORTS: 1.0}
"""How much of 1 − y counts by the stance: where the page names another value, an editor sees at once what is wrong;
where it says nothing, all of it may have to be read.
"""
UNSURE = 0.5
"""The same where the judge abstains, whichever way it leans."""
ROTTEN = {Outcome.GONE: 1.0, Outcome.REDIRECTED_ELSEWHERE: 0.9, Outcome.NOT_FOUND: 0.6}
"""The same where the page isn't there any more: what was found once only may be back tomorrow. Other outcomes say
nothing of the page, and stand among themselves alone.
"""
RANKS = {"preferred": 1.0, "normal": 1.0, "deprecated": 0.25}
OUTRANKED = 0.5
"""Of a normal statement beside a preferred one of the same property: queries and articles pass it over."""
BACKED = 0.5
"""Of a reference whose statement another one supports: the statement doesn't hang on it."""


def chance(probability: float, stance: Stance, unsure: bool) -> float:
    """How far one can expect, in [0, 1], that the page doesn't support the statement: 1 − y, less where we are less
    sure of it. `probability` is y.
    """
    return (1.0 - probability) * (UNSURE if unsure else SURE[stance])


def use(rank: str, outranked: bool, backed: bool, weight: float = 1.0) -> float:
    """How much hangs on a reference, ≥ 0; 1 where it is the only one of a statement that all readers get.

    `outranked`: a normal statement beside a preferred one; `backed`: another reference supports the statement;
    `weight` is its property's (`queue.weights` in config.yaml).
    """
    return RANKS[rank] * (OUTRANKED if outranked and rank == "normal" else 1.0) * (BACKED if backed else 1.0) * weight
