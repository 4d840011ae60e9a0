"""Where records went when their file was written anew: a small file beside where it stood, `NAME.moved`.

So a reader that knew the former place, and a revisit record that names it, find the record all the same.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from store.record import Place

SUFFIX = ".moved"
_MOST_MOVES = 100


def now_at(folder: Path, place: Place) -> Place | None:
    """Where the record that stood at `place` is now; None where it was let go, or its file was never written anew."""
    for _ in range(_MOST_MOVES):
        moves = moves_of(folder, place.warc)
        found = moves.get(place.offset) if moves is not None else None
        if found is None:
            return None
        if (folder / found.warc).exists():
            return found
        place = found
    return None


def moves_of(folder: Path, warc: str) -> Mapping[int, Place] | None:
    """What became of the records of a file, by their former offset; None where it wasn't written anew."""
    try:
        lines = (folder / (warc + SUFFIX)).read_text("utf-8").splitlines()
    except FileNotFoundError:
        return None
    moves = {}
    for line in lines:
        former, name, offset = line.split(" ")
        moves[int(former)] = Place(name, int(offset))
    return moves


def write_moves(folder: Path, warc: str, moves: Mapping[int, Place]) -> None:
    """Say where the records of a file went, in one step: from here on the file itself isn't needed."""
    draft = folder / f".{warc}{SUFFIX}.part"
    with draft.open("w", encoding="utf-8") as file:
        file.writelines(f"{former} {place.warc} {place.offset}\n" for former, place in sorted(moves.items()))
        file.flush()
        os.fsync(file.fileno())
    draft.rename(folder / (warc + SUFFIX))
    sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """Have it on the disk which files a folder holds."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
