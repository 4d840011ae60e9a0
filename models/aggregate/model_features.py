"""What the classifier knows from the verifier: its opinions on a pair's passages, and on what they say together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.values.found import NAMED
from models.values.match import PassageMatch
from models.verify.verifier import Opinion

MODEL_FEATURES = (
    "model_supports_1", "model_supports_2", "model_supports_named", "model_supports_whose", "model_refutes_1",
    "model_relevance_1", "model_relevance_mean", "together_supports", "together_refutes",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Seen:
    """A passage as matcher and verifier saw it."""

    match: PassageMatch
    opinion: Opinion


def model_features(seen: Sequence[Seen], together: tuple[float, float, float]) -> dict[str, float]:
    """The features by name, of the passages that the verifier read and of its verdict over the five.

    `named` are passages that name the value; `whose` weighs by how surely a passage speaks of the subject.
    """
    supports = np.array([one.opinion.supports for one in seen])
    refutes = np.array([one.opinion.refutes for one in seen])
    relevance = np.array([one.opinion.relevance for one in seen])
    named = np.array([one.match.value_score >= NAMED for one in seen], dtype=bool)
    whose = np.array([one.match.whose for one in seen])
    ordered = np.sort(supports)[::-1]
    return {
        "model_supports_1": float(ordered[0]),
        "model_supports_2": float(ordered[1]) if len(ordered) > 1 else 0.0,
        "model_supports_named": float(supports[named].max(initial=0.0)),
        "model_supports_whose": float((supports * whose).max(initial=0.0)),
        "model_refutes_1": float(refutes.max(initial=0.0)),
        "model_relevance_1": float(relevance.max(initial=-1.0)),
        "model_relevance_mean": float(np.sort(relevance)[-5:].mean()),
        "together_supports": together[0],
        "together_refutes": together[1],
    }
