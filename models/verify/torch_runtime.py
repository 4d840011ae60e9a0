"""The verifier run by torch: on a CPU, or a GPU where there is one."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from models.verify.marked import Marked
from models.verify.network import HEADS, load
from models.verify.verifier import LONGEST, Array, BrokenVerifier


class TorchRuntime:
    """A verifier's folder, loaded once."""

    def __init__(self, folder: Path, device: str = "auto", threads: int = 0) -> None:
        """`device` is auto, cpu or cuda; `threads` 0 leaves torch's own choice. Raises `BrokenVerifier`."""
        if threads:
            torch.set_num_threads(threads)
        self._device = ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
        try:
            network, self._tokenizer = load(folder)
            self.version = digest(folder)
        except Exception as error:  # what isn't a model, or is a broken one, fails in many ways
            raise BrokenVerifier(
                f"{folder}: no usable verifier ({' '.join(str(error).split())[:200]}); "
                "make one with python -m models.training verifier"
            ) from error
        self._network = network.to(self._device)

    @torch.inference_mode()
    def read(self, pairs: Sequence[Marked]) -> tuple[Array, Array, Array]:
        """Vectors, ρ and σ; see `Runtime`."""
        tokens = self._tokenizer(
            [pair.claim for pair in pairs],
            [pair.passage for pair in pairs],
            truncation="longest_first",
            max_length=LONGEST,
            padding=True,
            return_tensors="pt",
        )
        read = self._network({name: value.to(self._device) for name, value in tokens.items()})
        return _array(read.vectors), _array(read.relevance), _array(read.stances.softmax(dim=1))

    @torch.inference_mode()
    def fuse(self, vectors: Array, relevance: Array) -> Array:
        """The verdict over a set; see `Runtime`."""
        given = torch.from_numpy(vectors)[None].to(self._device), torch.from_numpy(relevance)[None].to(self._device)
        logits = self._network.fusion(*given, torch.ones(1, len(vectors), dtype=torch.bool, device=self._device))
        return _array(logits.softmax(dim=1)[0])


def digest(folder: Path) -> str:
    """What identifies a verifier's weights."""
    made = hashlib.sha256()
    for name in ("model.safetensors", HEADS):
        made.update((folder / name).read_bytes())
    return made.hexdigest()[:10]


def _array(value: torch.Tensor) -> Array:
    result: Array = value.float().cpu().numpy().astype(np.float32)
    return result
