"""ProVe's first aggregation: stances weighted by relevance."""

from __future__ import annotations

from collections.abc import Sequence

from models.evidence import Evidence, Stance


def weighted_sum(evidence: Sequence[Evidence]) -> tuple[Stance, float]:
    """z and y by ProVe's weighted sum (equations 7–10): σ_k = Σᵢ ρᵢ σᵢₖ over the evidence, z = argmax_k σ_k,
    and y the share of the sum that supports, in [0, 1].

    A negative ρ counts as 0: a passage that isn't about the claim shouldn't vote against its own stance. With no
    relevant evidence, z is NOT ENOUGH INFO and y 0.
    """
    weights = [max(one.relevance, 0.0) for one in evidence]
    total = sum(weights)
    if total <= 0:
        return Stance.NOT_ENOUGH_INFO, 0.0
    sums = {
        Stance.SUPPORTS: sum(w * one.supports for w, one in zip(weights, evidence, strict=True)),
        Stance.REFUTES: sum(w * one.refutes for w, one in zip(weights, evidence, strict=True)),
        Stance.NOT_ENOUGH_INFO: sum(w * one.not_enough_info for w, one in zip(weights, evidence, strict=True)),
    }
    return max(sums, key=lambda stance: sums[stance]), sums[Stance.SUPPORTS] / total
