"""Export a verifier to ONNX, so that a host without torch can run it.

The weights stay in half precision in the file and are widened when it is loaded, so that it is half as large.
"""

from __future__ import annotations

import math
import warnings
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn
from torch.nn import functional

from models.verify.network import SHARPNESS, Network, load
from models.verify.onnx_runtime import FUSION, READER, VERSION
from models.verify.torch_runtime import digest

_SMALL = 256  # weights of fewer numbers stay in single precision


class _Reader(nn.Module):
    """The network's reading as a function of tensors."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        read = self.network(
            {"input_ids": input_ids, "attention_mask": attention_mask, "token_type_ids": token_type_ids}
        )
        return read.vectors, read.relevance, read.stances.softmax(dim=1)


class _Fusion(nn.Module):
    """The fusion of one pair as a function of tensors; attention is written out, so that any number of passages may
    come, where torch's own would be traced for one.
    """

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.fusion = network.fusion

    def forward(self, vectors: torch.Tensor, relevance: torch.Tensor) -> torch.Tensor:
        attention = self.fusion.attention
        projected = functional.linear(vectors, attention.in_proj_weight, attention.in_proj_bias).chunk(3, dim=-1)
        heads = [_headed(part, attention) for part in projected]
        weights = (heads[0] @ heads[1].transpose(2, 3) / math.sqrt(attention.head_dim)).softmax(dim=-1)
        attended = attention.out_proj((weights @ heads[2]).transpose(1, 2).flatten(2))
        together = self.fusion.norm(vectors + attended)
        shares = (SHARPNESS * relevance).softmax(dim=1)
        logits: torch.Tensor = self.fusion.verdict((shares.unsqueeze(-1) * together).sum(dim=1))
        return logits.softmax(dim=1)


def _headed(values: torch.Tensor, attention: nn.MultiheadAttention) -> torch.Tensor:
    """(1, k, d) to (1, heads, k, d / heads)."""
    return values.reshape(1, -1, attention.num_heads, attention.head_dim).transpose(1, 2)


def export(folder: Path) -> tuple[Path, Path]:
    """Write the two graphs of a verifier's folder beside its weights, and give their paths.

    Raises OSError or ValueError where the folder holds no verifier.
    """
    network, tokenizer = load(folder)
    with torch.inference_mode(False), torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tokens = tokenizer(["a : b : c", "d : e : f"], ["@ a @ b # c #", "nothing"], padding=True, return_tensors="pt")
        ids = ("input_ids", "attention_mask", "token_type_ids")
        torch.onnx.export(
            _Reader(network).eval(), tuple(tokens[name] for name in ids), str(folder / READER), dynamo=False,
            input_names=list(ids), output_names=["vectors", "relevance", "stances"], opset_version=17,
            dynamic_axes={name: {0: "pairs", 1: "tokens"} for name in ids}
            | {name: {0: "pairs"} for name in ("vectors", "relevance", "stances")},
        )  # fmt: skip
        size = network.encoder.config.hidden_size
        torch.onnx.export(
            _Fusion(network).eval(), (torch.zeros(1, 3, size), torch.zeros(1, 3)), str(folder / FUSION), dynamo=False,
            input_names=["vectors", "relevance"], output_names=["verdict"], opset_version=17,
            dynamic_axes={"vectors": {1: "passages"}, "relevance": {1: "passages"}},
        )  # fmt: skip
    for name in (READER, FUSION):
        _halve(folder / name, digest(folder))
    return folder / READER, folder / FUSION


def _halve(path: Path, version: str) -> None:
    """Keep the graph's larger weights in half precision, each widened by a Cast, and note the version."""
    model = onnx.load(str(path))
    casts = []
    for weights in model.graph.initializer:
        values = numpy_helper.to_array(weights)
        if weights.data_type == TensorProto.FLOAT and values.size >= _SMALL:
            name = weights.name
            half = numpy_helper.from_array(values.astype(np.float16), f"{name}.half")
            weights.CopyFrom(half)
            casts.append(helper.make_node("Cast", [f"{name}.half"], [name], to=TensorProto.FLOAT, name=f"{name}.wide"))
    for at, cast in enumerate(casts):
        model.graph.node.insert(at, cast)
    helper.set_model_props(model, {VERSION: version})
    onnx.save(model, str(path))
