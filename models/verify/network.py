"""The verifier's network: one encoder, two heads over each passage, attention over a pair's passages.

After *Joint Verification and Reranking for Open Fact Checking Over Tables* (Schlichtkrull, Karpukhin, Oğuz, Lewis, Yih,
Riedel; section 3): each piece of evidence is read with the claim, the vectors attend to one another, and a verdict is
given over all, weighed by how relevant each is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import nn
from transformers import AutoConfig, AutoModel, AutoTokenizer
from transformers.utils import logging as transformers_logging

HEADS = "heads.safetensors"
ATTENDING = 4  # heads of attention over the passages
SHARPNESS = 4.0  # of the weights that passages have by their relevance


@dataclass(frozen=True, slots=True)
class Read:
    """What the network makes of passages: vectors (n, d), ρ (n,) in [−1, 1], logits of σ (n, 3)."""

    vectors: torch.Tensor
    relevance: torch.Tensor
    stances: torch.Tensor


class Fusion(nn.Module):
    """The verdict over a pair's passages."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(size, ATTENDING, batch_first=True)
        self.norm = nn.LayerNorm(size)
        self.verdict = nn.Linear(size, 3)

    def forward(self, vectors: torch.Tensor, relevance: torch.Tensor, present: torch.Tensor) -> torch.Tensor:
        """Logits (pairs, 3) of vectors (pairs, k, d), relevance (pairs, k) and where there is a passage (pairs, k)."""
        attended, _ = self.attention(vectors, vectors, vectors, key_padding_mask=~present, need_weights=False)
        together = self.norm(vectors + attended)
        weights = (SHARPNESS * relevance).masked_fill(~present, -torch.inf).softmax(dim=1)
        logits: torch.Tensor = self.verdict((weights.unsqueeze(-1) * together).sum(dim=1))
        return logits


class Network(nn.Module):
    """Encoder and heads. `forward` reads (claim, passage) pairs that a tokenizer made."""

    def __init__(self, encoder: Any) -> None:
        super().__init__()
        size = int(encoder.config.hidden_size)
        self.encoder = encoder
        self.relevance = nn.Linear(size, 1)
        self.stance = nn.Linear(size, 3)
        self.fusion = Fusion(size)

    def forward(self, tokens: dict[str, torch.Tensor]) -> Read:
        """Read n pairs: σ's logits are in the order supports, refutes, not enough info."""
        vectors = self.encoder(**tokens).last_hidden_state[:, 0]
        return Read(vectors, torch.tanh(self.relevance(vectors)).squeeze(-1), self.stance(vectors))

    def heads(self) -> dict[str, torch.Tensor]:
        """The weights beside the encoder's."""
        return {name: value for name, value in self.state_dict().items() if not name.startswith("encoder.")}


def batched(read: Read, sizes: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Passages in a row as sets: vectors (sets, k, d), relevance (sets, k), and where there is a passage (sets, k)."""
    vectors = nn.utils.rnn.pad_sequence(list(torch.split(read.vectors, list(sizes))), batch_first=True)
    relevance = nn.utils.rnn.pad_sequence(list(torch.split(read.relevance, list(sizes))), batch_first=True)
    present = torch.arange(vectors.shape[1], device=vectors.device)[None, :] < torch.tensor(
        sizes, device=vectors.device
    ).unsqueeze(1)
    return vectors, relevance, present


def from_base(folder: str) -> tuple[Network, Any]:
    """A network with fresh heads on a base encoder, and its tokenizer. Raises what transformers raises."""
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    encoder = AutoModel.from_pretrained(folder, dtype=torch.float32, add_pooling_layer=False)
    return Network(encoder), AutoTokenizer.from_pretrained(folder)


def save(network: Network, tokenizer: Any, folder: Path) -> None:
    """Write a Hugging Face folder with the heads beside it, half precision."""
    folder.mkdir(parents=True, exist_ok=True)
    half = {name: value.half().contiguous() for name, value in network.encoder.state_dict().items()}
    network.encoder.config.dtype = torch.float16
    network.encoder.config.save_pretrained(folder)
    save_file(half, folder / "model.safetensors", metadata={"format": "pt"})
    save_file({name: value.half().contiguous() for name, value in network.heads().items()}, folder / HEADS)
    tokenizer.save_pretrained(folder)


def load(folder: str | Path) -> tuple[Network, Any]:
    """Read what `save` wrote, in single precision. Raises OSError or ValueError where it isn't that."""
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    config = AutoConfig.from_pretrained(folder)
    network = Network(AutoModel.from_config(config, add_pooling_layer=False).float())  # type: ignore[no-untyped-call]
    encoder = load_file(Path(folder) / "model.safetensors")
    network.encoder.load_state_dict({name: value.float() for name, value in encoder.items()})
    heads = {name: value.float() for name, value in load_file(Path(folder) / HEADS).items()}
    missing, unexpected = network.load_state_dict(heads, strict=False)
    if unexpected or any(not name.startswith("encoder.") for name in missing):
        raise ValueError(f"{folder}: {HEADS} isn't of this network")
    return network.eval(), AutoTokenizer.from_pretrained(folder)
