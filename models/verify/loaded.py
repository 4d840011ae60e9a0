"""The verifier that the configuration names, with the runtime that it names: only that one's libraries are loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from models.verify.verifier import SHIPPED, Runtime, Verifier

RuntimeName = Literal["torch", "onnx"]


def load_verifier(folder: str = "", runtime: RuntimeName = "torch", device: str = "auto", threads: int = 0) -> Verifier:
    """The verifier of a folder, or the shipped one where it is empty; `device` matters to torch alone.

    Raises `BrokenVerifier`.
    """
    return Verifier(_runtime(Path(folder) if folder else SHIPPED, runtime, device, threads))


def _runtime(folder: Path, runtime: RuntimeName, device: str, threads: int) -> Runtime:
    if runtime == "onnx":
        from models.verify.onnx_runtime import OnnxRuntime  # noqa: PLC0415 - see above

        return OnnxRuntime(folder, threads)
    from models.verify.torch_runtime import TorchRuntime  # noqa: PLC0415 - see above

    return TorchRuntime(folder, device, threads)
