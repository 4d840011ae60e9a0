"""The verifier run by onnxruntime: on a CPU, with neither torch nor transformers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from models.verify.marked import Marked
from models.verify.verifier import LONGEST, Array, BrokenVerifier

READER, FUSION = "reader.onnx", "fusion.onnx"
VERSION = "version"  # in the reader's metadata: that of the weights it was exported from


class OnnxRuntime:
    """The graphs of a verifier's folder, loaded once."""

    def __init__(self, folder: Path, threads: int = 0) -> None:
        """`threads` 0 leaves onnxruntime's own choice. Raises `BrokenVerifier`."""
        import onnxruntime  # noqa: PLC0415 - only who chooses this runtime needs it
        from tokenizers import Tokenizer  # noqa: PLC0415 - as above

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        try:
            providers = ["CPUExecutionProvider"]
            self._reader = onnxruntime.InferenceSession(str(folder / READER), options, providers=providers)
            self._fusion = onnxruntime.InferenceSession(str(folder / FUSION), options, providers=providers)
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            self.version = self._reader.get_modelmeta().custom_metadata_map[VERSION]
        except Exception as error:  # what isn't a graph, or is a broken one, fails in many ways
            raise BrokenVerifier(
                f"{folder}: no usable ONNX verifier ({' '.join(str(error).split())[:200]}); "
                "make one with python -m models.training export"
            ) from error
        self._tokenizer.enable_truncation(LONGEST, strategy="longest_first")
        self._tokenizer.enable_padding()

    def read(self, pairs: Sequence[Marked]) -> tuple[Array, Array, Array]:
        """Vectors, ρ and σ; see `Runtime`."""
        encoded = self._tokenizer.encode_batch([(pair.claim, pair.passage) for pair in pairs])
        given = {
            "input_ids": np.array([one.ids for one in encoded], dtype=np.int64),
            "attention_mask": np.array([one.attention_mask for one in encoded], dtype=np.int64),
            "token_type_ids": np.array([one.type_ids for one in encoded], dtype=np.int64),
        }
        vectors, relevance, stances = self._reader.run(None, given)
        return vectors, relevance, stances

    def fuse(self, vectors: Array, relevance: Array) -> Array:
        """The verdict over a set; see `Runtime`."""
        (verdict,) = self._fusion.run(None, {"vectors": vectors[None], "relevance": relevance[None]})
        result: Array = verdict[0]
        return result
