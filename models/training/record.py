"""What a finished training leaves in its folder, by which the same training is known again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from models.training.rows import MALFORMED

RECORD = "training.json"


class TrainingProblem(ValueError):
    """Rows, a folder or a recipe that can't be used. The message says which, and what to do."""


def finished(folder: Path, identity: str, what: str) -> bool:
    """Whether a folder holds the result of this training: `what` is a word for it in messages.

    Raises `TrainingProblem` where it holds another's, or a record that can't be read.
    """
    path = folder / RECORD
    if not path.exists():
        return False
    try:
        known = json.loads(path.read_text("utf-8"))["identity"]
    except (OSError, *MALFORMED) as error:
        raise TrainingProblem(f"{path} isn't a training's record: choose another folder, or remove it") from error
    if known != identity:
        raise TrainingProblem(f"{folder} holds a {what} of another base, data or recipe: choose another folder")
    return True


def write_record(folder: Path, record: Mapping[str, Any], indent: int | None = None) -> None:
    """Replace a folder's record as a whole; `record` has the `identity` that `finished` looks for."""
    draft = folder / f"{RECORD}.new"
    draft.write_text(json.dumps(record, indent=indent) + "\n", encoding="utf-8")
    draft.replace(folder / RECORD)
