"""The page as it was read, laid out for an editor: blocks in order, evidence marked, what was left out folded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from models.read import Block, Page

# A page of a few megabytes is cut for the browser's sake; blocks with evidence are always shown.
MOST_CHARACTERS = 200_000


@dataclass(frozen=True, slots=True)
class Place:
    """A passage to find in the page: its number as shown, its text, and the index of the block it was cut from."""

    number: int
    text: str
    block: int


@dataclass(frozen=True, slots=True)
class Run:
    """A part of a block's text. `passages` are those it belongs to, `begins` those that start with it."""

    text: str
    passages: tuple[int, ...] = ()
    begins: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """A block as it is shown. `heading` is set where it differs from that of the block before."""

    kind: str
    heading: str
    runs: tuple[Run, ...]
    passages: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of blocks: `body`, `boilerplate`, `structured`, or `cut` (too long to show, `count` blocks)."""

    kind: str
    blocks: tuple[Shown, ...] = ()
    count: int = 0

    @property
    def has_evidence(self) -> bool:
        """True where a passage of the verdict stands in it."""
        return any(block.passages for block in self.blocks)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole page for the template. `placed` are the numbers of the passages that were found in it."""

    title: str
    language: str
    parts: tuple[Part, ...]
    placed: frozenset[int]


def snapshot(page: Page, places: Sequence[Place], most: int = MOST_CHARACTERS) -> Snapshot:
    """Lay a page out with the given passages marked in it."""
    found = {place.number: at for place in places if (at := _find(page.blocks, place)) is not None}
    by_block: dict[int, list[Place]] = {}
    for place in places:
        if place.number in found:
            by_block.setdefault(found[place.number], []).append(place)
    return Snapshot(page.title, page.language, tuple(_parts(page.blocks, by_block, most)), frozenset(found))


def _find(blocks: Sequence[Block], place: Place) -> int | None:
    """The block a passage stands in. Reading may have changed since the verdict: then it is sought by its text."""
    if place.block < len(blocks) and _holds(blocks[place.block], place):
        return place.block
    return next((index for index, block in enumerate(blocks) if _holds(block, place)), None)


def _holds(block: Block, place: Place) -> bool:
    return _plain(place.text) in _plain(block.text)


def _plain(text: str) -> str:
    return " ".join(text.split())


def _parts(blocks: Sequence[Block], by_block: dict[int, list[Place]], most: int) -> Iterator[Part]:
    heading = ""
    for kind, indexes in groupby(range(len(blocks)), key=lambda index: _stretch(blocks[index])):
        kept: list[Shown] = []
        cut = 0
        for index in indexes:
            block = blocks[index]
            most -= len(block.text)
            if most < 0 and index not in by_block:
                cut += 1
                continue
            if cut:
                yield from _part(kept, kind)
                yield Part("cut", count=cut)
                kept, cut = [], 0
            kept.append(_shown(block, by_block.get(index, ()), heading))
            heading = _plain(block.text if block.kind in ("heading", "title") else block.heading)
        yield from _part(kept, kind)
        if cut:
            yield Part("cut", count=cut)


def _stretch(block: Block) -> str:
    if block.boilerplate:
        return "boilerplate"
    return "structured" if block.kind == "structured" else "body"


def _part(blocks: list[Shown], kind: str) -> Iterator[Part]:
    if blocks:
        yield Part(kind, tuple(blocks))


def _shown(block: Block, places: Iterable[Place], heading_before: str) -> Shown:
    there = tuple(places)
    own_heading = block.kind in ("heading", "title") or _plain(block.heading) == heading_before
    return Shown(
        kind=block.kind,
        heading="" if own_heading else block.heading,
        runs=_runs(block.text, there),
        passages=tuple(place.number for place in there),
    )


def _runs(text: str, places: Sequence[Place]) -> tuple[Run, ...]:
    if not places:
        return (Run(text),)
    spans = [(_span(text, place.text), place.number) for place in places]
    cuts = sorted({0, len(text), *(at for span, _ in spans for at in span)})
    return tuple(
        Run(
            text[start:end],
            tuple(number for (a, b), number in spans if a <= start and end <= b),
            tuple(number for (a, _), number in spans if a == start),
        )
        for start, end in pairwise(cuts)
    )


def _span(text: str, passage: str) -> tuple[int, int]:
    """The characters of a passage in its block; the whole block where it differs by more than line breaks."""
    start = text.replace("\n", " ").find(passage)
    return (start, start + len(passage)) if start >= 0 else (0, len(text))
