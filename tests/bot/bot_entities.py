"""Real entities for the tests of this room: those of the project's own sample."""

from __future__ import annotations

import copy
from functools import cache
from pathlib import Path
from typing import Any

from bot.sources.dump import DumpSource

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "sample" / "dump.json.gz"
PAGES = ROOT / "sample" / "answers.warc.gz"
SHARED = ROOT.parent / "shared" / "data"


@cache
def _read() -> dict[str, Any]:
    return {entity["id"]: entity for entity in DumpSource(SAMPLE, ("en",), print).entities()}


def sample_entities() -> dict[str, Any]:
    """The sample's entities by id, a copy that a test may change."""
    return copy.deepcopy(_read())
