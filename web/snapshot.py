"""The page as it was read, laid out for an editor: its structure kept, evidence marked, what was left out folded."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from models.read.page import Block, Page
from web.layout import Laid, Layout, Mark

# A page of a few megabytes or of thousands of blocks is cut for the browser's sake; blocks with evidence are always
# shown, and half of the room is for what stands beside them. The longest page that we have met has 1,900 blocks.
MOST_CHARACTERS, MOST_BLOCKS = 200_000, 2_500
_BESIDE = 100  # blocks before and behind one with evidence


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


def snapshot(
    page: Page, places: Sequence[Place], most: int = MOST_CHARACTERS, most_blocks: int = MOST_BLOCKS
) -> Snapshot:
    """Lay a page out with the given passages marked in it; no more than so many characters and blocks beside them."""
    placed = {place.number: at for place in places if (at := _find(page.blocks, place)) is not None}
    marks: dict[int, list[Mark]] = {}
    for number, at in placed.items():
        marks.setdefault(at.block, []).append(Mark(number, at.start, at.end))
    layout = Layout(page.tables, marks)
    parts = tuple(
        Part(kind, len(blocks), tuple(layout.of(blocks)) if kind != "cut" else (), any(at in marks for at, _ in blocks))
        for kind, blocks in _stretches(page.blocks, _shown(page.blocks, marks, most, most_blocks))
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


def _shown(blocks: Sequence[Block], marked: Collection[int], most: int, most_blocks: int) -> Collection[int]:
    """The indexes of the blocks to show: the marked ones, then those nearest to them, then those that come first."""
    if len(blocks) <= most_blocks and sum(len(block.text) for block in blocks) <= most:
        return range(len(blocks))
    shown = set(marked)
    nearest = (at + way * far for far in range(1, _BESIDE + 1) for at in sorted(marked) for way in (-1, 1))
    _add(shown, blocks, (index for index in nearest if 0 <= index < len(blocks)), most // 2, most_blocks // 2)
    _add(shown, blocks, range(len(blocks)), most, most_blocks)
    return shown


def _add(shown: set[int], blocks: Sequence[Block], indexes: Iterable[int], most: int, most_blocks: int) -> None:
    """Add to what is shown as many more blocks, in the order of their indexes, as leave it within its bounds."""
    most -= sum(len(blocks[index].text) for index in shown)
    for index in indexes:
        if index not in shown:
            most -= len(blocks[index].text)
            if most < 0 or len(shown) >= most_blocks:
                return
            shown.add(index)


def _stretches(blocks: Sequence[Block], shown: Collection[int]) -> Iterator[tuple[str, list[tuple[int, Block]]]]:
    """Blocks of one kind that stand together; those that aren't shown are `cut`."""

    def kind(one: tuple[int, Block]) -> str:
        index, block = one
        if index not in shown:
            return "cut"
        if block.boilerplate:
            return "boilerplate"
        return "structured" if block.kind == "structured" else "body"

    for name, stretch in groupby(enumerate(blocks), key=kind):
        yield name, list(stretch)
