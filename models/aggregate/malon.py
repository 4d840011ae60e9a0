"""ProVe's second aggregation: Malon's rule."""

from __future__ import annotations

from collections.abc import Sequence

from models.evidence import Evidence, Stance


def malon(evidence: Sequence[Evidence]) -> tuple[Stance, float]:
    """z and y by Malon's rule (ProVe, equations 11–12): SUPPORTS if any passage supports, else REFUTES if any
    refutes, else NOT ENOUGH INFO; y is 1 for SUPPORTS and 0 otherwise.
    """
    stances = {one.stance for one in evidence}
    for stance in (Stance.SUPPORTS, Stance.REFUTES):
        if stance in stances:
            return stance, float(stance is Stance.SUPPORTS)
    return Stance.NOT_ENOUGH_INFO, 0.0
