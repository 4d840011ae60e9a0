"""The page as it was read, laid out for an editor: its structure kept, evidence marked, what was left out folded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from models.read.page import Block, Page
from web.layout import Laid, Layout, Mark

# A page of a few megabytes is cut for the browser's sake; blocks with evidence are always shown.
MOST_CHARACTERS = 200_000


@dataclass(frozen=True, slots=True)
class Place:
    """A passage to find in the page: its number as shown, its text, and the index of the block it was cut from."""

    number: int
    text: str
    block: int


@dataclass(frozen=True, slots=True)
class Placed:
    """A passage that was found: the index of its block, and its characters there (end exclusive)."""

    block: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of the page: `body`, `boilerplate`, `structured`, or `cut` (too long to show); `count` blocks."""

    kind: str
    count: int
    laid: tuple[Laid, ...] = ()
    has_evidence: bool = False


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole page for the template. `placed` has the passages that were found in it, by number."""

    title: str
    language: str
    parts: tuple[Part, ...]
    placed: Mapping[int, Placed]


def snapshot(page: Page, places: Sequence[Place], most: int = MOST_CHARACTERS) -> Snapshot:
    """Lay a page out with the given passages marked in it."""
    placed = {place.number: at for place in places if (at := _find(page.blocks, place)) is not None}
    marks: dict[int, list[Mark]] = {}
    for number, at in placed.items():
        marks.setdefault(at.block, []).append(Mark(number, at.start, at.end))
    layout = Layout(page.tables, marks)
    parts = tuple(
        Part(kind, len(blocks), tuple(layout.of(blocks)) if kind != "cut" else (), any(at in marks for at, _ in blocks))
        for kind, blocks in _stretches(page.blocks, marks, most)
    )
    return Snapshot(page.title, page.language, parts, placed)


def _find(blocks: Sequence[Block], place: Place) -> Placed | None:
    """Where a passage stands. Reading may have changed since the verdict: then it is sought by its text."""
    if place.block < len(blocks) and _holds(blocks[place.block], place):
        return _placed(blocks, place.block, place)
    index = next((index for index, block in enumerate(blocks) if _holds(block, place)), None)
    return None if index is None else _placed(blocks, index, place)


def _holds(block: Block, place: Place) -> bool:
    return _plain(place.text) in _plain(block.text)


def _placed(blocks: Sequence[Block], index: int, place: Place) -> Placed:
    """The characters of a passage in its block; the whole block where it differs by more than line breaks."""
    text = blocks[index].text
    start = text.replace("\n", " ").find(place.text)
    return Placed(index, start, start + len(place.text)) if start >= 0 else Placed(index, 0, len(text))


def _plain(text: str) -> str:
    return " ".join(text.split())


def _stretches(
    blocks: Sequence[Block], marks: Mapping[int, Sequence[Mark]], most: int
) -> Iterator[tuple[str, list[tuple[int, Block]]]]:
    """Blocks of one kind that stand together; those beyond `most` characters are `cut` unless they are marked."""

    def kind(one: tuple[int, Block]) -> str:
        nonlocal most
        index, block = one
        most -= len(block.text)
        if most < 0 and index not in marks:
            return "cut"
        if block.boilerplate:
            return "boilerplate"
        return "structured" if block.kind == "structured" else "body"

    for name, stretch in groupby(enumerate(blocks), key=kind):
        yield name, list(stretch)
