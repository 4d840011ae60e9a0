"""Whether all that the archive should hold can be read: every byte of its files, and every place that the database
names.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Engine, text
from sqlalchemy.orm import Session

from store.archive import files, is_written
from store.members import Damage, members
from store.moved import now_at
from store.record import Place


@dataclass(slots=True)
class Checked:
    """What was read, and what is wrong, in words: `damaged` files, `lost` documents; `mended`: ends that were cut."""

    files: int = 0
    records: int = 0
    damaged: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    mended: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong (any more)."""
        return not self.damaged and not self.lost


def check(
    engine: Engine, folder: Path, *, repair: bool = False, progress: Callable[[int], None] = lambda _: None
) -> Checked:
    """Read every file to its end; with `repair` cut off the half record that a killed writer left at one's end.

    A file that is being written to isn't judged by its end. `progress` is told how many bytes were read.
    """
    checked = Checked()
    named = _named(engine)  # first: what comes in meanwhile isn't looked for
    bodies: set[tuple[str, int]] = set()
    for file in files(folder):
        checked.files += 1
        for found in members(file):
            if isinstance(found, Damage):
                _tell(file, found, repair, checked)
                continue
            checked.records += 1
            if found.head.kind == "response":
                bodies.add((file.name, found.offset))
        progress(file.stat().st_size)
    missing = {key: words for key, words in named.items() if key not in bodies and not _moved_to(folder, key, bodies)}
    still = _named(engine) if missing else {}  # what was let go meanwhile isn't lost
    checked.lost = sorted(
        f"{words}: no record of it at {offset} of {warc}"
        for (warc, offset), words in missing.items()
        if (warc, offset) in still
    )
    return checked


def archive_size(folder: Path) -> int:
    """How many bytes the archive's files have."""
    return sum(file.stat().st_size for file in files(folder))


def _tell(file: Path, damage: Damage, repair: bool, checked: Checked) -> None:
    if damage.kind == "broken":
        checked.damaged.append(f"{file.name}: {damage.length} bytes at {damage.offset} can't be read: {damage.why}")
    elif not is_written(file):
        what = f"{file.name}: cut off in a record that begins at {damage.offset} ({damage.length} bytes)"
        if repair:
            os.truncate(file, damage.offset)
            checked.mended.append(f"{what}: the half record is cut away")
        else:
            checked.damaged.append(f"{what}: its writer was killed; --repair cuts the half record away")


def _named(engine: Engine) -> dict[tuple[str, int], str]:
    """The places of all documents that have one, each with the document in words."""
    with Session(engine) as session:
        rows = session.execute(text("SELECT warc, warc_offset, id, url FROM document WHERE warc IS NOT NULL"))
        return {(row.warc, row.warc_offset): f"document {row.id} ({row.url})" for row in rows}


def _moved_to(folder: Path, place: tuple[str, int], bodies: set[tuple[str, int]]) -> bool:
    """Whether the record of a place stands elsewhere by now: a file is written anew before the database learns it."""
    moved = None if (folder / place[0]).exists() else now_at(folder, Place(*place))
    return moved is not None and (moved.warc, moved.offset) in bodies
