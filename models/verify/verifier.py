"""The verifier at work: claims and marked passages in, relevance, stances and the verdict over a set out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from models.verify.marked import Marked

Array = npt.NDArray[np.float32]

LONGEST = 128  # tokens of a claim and a passage together
SHIPPED = Path(__file__).resolve().parents[1] / "weights" / "verifier"


class BrokenVerifier(ValueError):
    """A verifier's folder is missing, or isn't what this code can use. The message names it and says what to do."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the verifier makes of one passage: ρ in [−1, 1], and σ that sums to 1. `vector` is what fusion works on."""

    relevance: float
    supports: float
    refutes: float
    not_enough_info: float
    vector: Array

    @property
    def stances(self) -> tuple[float, float, float]:
        """σ as (supports, refutes, not enough info)."""
        return self.supports, self.refutes, self.not_enough_info


class Runtime(Protocol):
    """What runs the network: torch, or onnxruntime."""

    version: str

    def read(self, pairs: Sequence[Marked]) -> tuple[Array, Array, Array]:
        """Vectors (n, d), ρ (n,) and σ (n, 3) of n ≥ 1 pairs of like length."""

    def fuse(self, vectors: Array, relevance: Array) -> Array:
        """The verdict (3,) over k ≥ 1 passages: vectors (k, d), ρ (k,)."""


class Verifier:
    """Reads many pairs in batches of like length, the same pair only once."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self.version = runtime.version

    def opinions(self, pairs: Sequence[Marked], batch: int = 32) -> list[Opinion]:
        """An opinion on each pair, in their order."""
        different = sorted(dict.fromkeys(pairs), key=lambda pair: len(pair.claim) + len(pair.passage))
        known: dict[Marked, Opinion] = {}
        for first in range(0, len(different), batch):
            chosen = different[first : first + batch]
            vectors, relevance, stances = self._runtime.read(chosen)
            for index, pair in enumerate(chosen):
                supports, refutes, neither = map(float, stances[index])
                known[pair] = Opinion(float(relevance[index]), supports, refutes, neither, vectors[index])
        return [known[pair] for pair in pairs]

    def together(self, opinions: Sequence[Opinion]) -> tuple[float, float, float]:
        """What a pair's passages say together: (supports, refutes, not enough info); nothing, of none."""
        if not opinions:
            return 0.0, 0.0, 1.0
        vectors = np.stack([one.vector for one in opinions])
        relevance = np.array([one.relevance for one in opinions], dtype=np.float32)
        supports, refutes, neither = map(float, self._runtime.fuse(vectors, relevance))
        return supports, refutes, neither
