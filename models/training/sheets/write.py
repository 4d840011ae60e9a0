"""Construct evidence sets from all sources, and write them to a file."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import IO

from models.training.rows import BadRows
from models.training.sheets.claims import confusable
from models.training.sheets.fewrel import fewrel_sheets, property_labels
from models.training.sheets.infoboxes import infobox_sheets
from models.training.sheets.layouts import made_sheets
from models.training.sheets.redocred import redocred_sheets
from models.training.sheets.sets import EvidenceSet, sets_of
from models.training.sheets.sheet import Sheet

# Claims of a sheet that it supports, and claims that it doesn't, at most.
_CLAIMS = {"redocred": (7, 8), "fewrel": (1, 1), "infotabs": (1, 2), "made": (5, 7)}
_OF_FEWREL = 0.2  # share of its sentences: they are many, and of sixteen properties only


@dataclass(frozen=True, slots=True)
class Sources:
    """The files to construct sets from, and how many pages to make up.

    `false_claims` False leaves out the claims made false: for measuring what they bring.
    """

    properties: Path
    redocred: tuple[Path, ...] = ()
    fewrel: tuple[Path, ...] = ()
    infotabs: tuple[Path, ...] = ()
    made: int = 0
    false_claims: bool = True


def write_sets(sources: Sources, out: Path, seed: int) -> Counter[str]:
    """Write the sets as JSON lines, gzipped where the name ends in `.gz`; gives how many of each source.

    The same sources and seed give the same bytes. Raises `BadRows` or OSError, and then leaves what was there.
    """
    counted: Counter[str] = Counter()
    draft = out.with_name(out.name + ".new")
    try:
        with draft.open("wb") as file, _packed(file, out) as lines:
            for one in construct(sources, Random(seed)):  # noqa: S311 - a choice of examples, not a secret
                counted[one.source] += 1
                lines.write(f"{as_row(one)}\n".encode())
        if not counted:
            raise BadRows("no set can be made of these sources: give others, or a number of pages to make up")
        draft.replace(out)
    finally:
        with suppress(OSError):
            draft.unlink()
    return counted


def _packed(file: IO[bytes], out: Path) -> IO[bytes] | gzip.GzipFile:
    """Packs with neither name nor time, so that the bytes depend on the rows alone."""
    return gzip.GzipFile("", "wb", fileobj=file, mtime=0) if out.suffix == ".gz" else file


def construct(sources: Sources, random: Random) -> Iterator[EvidenceSet]:
    """The evidence sets of all sources, one source after the other."""
    for sheets in _sheets(sources, random):
        others = confusable(sheets)
        for sheet in sheets:
            supported, not_supported = _CLAIMS[sheet.source]
            yield from sets_of(sheet, others, random, supported, not_supported * sources.false_claims)


def _sheets(sources: Sources, random: Random) -> Iterator[list[Sheet]]:
    labels = property_labels(sources.properties)
    yield [sheet for path in sources.redocred for sheet in redocred_sheets(path, labels)]
    yield [s for path in sources.fewrel for s in fewrel_sheets(path, labels) if random.random() < _OF_FEWREL]
    yield [sheet for path in sources.infotabs for sheet in infobox_sheets(path, random)]
    yield list(made_sheets(random.randrange(2**32), sources.made))


def as_row(one: EvidenceSet) -> str:
    """A set as a line of JSON."""
    row = {
        "claim": one.claim,
        "passages": one.passages,
        "stances": [stance.value for stance in one.stances],
        "source": one.source,
        "property": one.property_id,
    }
    return json.dumps(row, ensure_ascii=False)
