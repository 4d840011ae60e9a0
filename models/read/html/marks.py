"""Which marks of boilerplate hold, once the whole page is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from models.read.html.walk import BESIDE, BY_HEADING, BY_NAMES, HIDDEN, Mark
from models.read.page import Block

_LEAST_OWN_SHARE = 0.15
_MOST_OF_PAGE = 0.5  # a part with more of the text than that is the page itself, unless it is mostly links
_MOST_LINKED = 0.5
_LINKS_IN_A_ROW = 6
_HEADINGS_IN_A_ROW = 3
_LONGEST_LINK = 80
_MACHINE = frozenset({"title", "structured"})


def settled(blocks: Sequence[Block], marks: Sequence[Mark | None]) -> list[bool]:
    """For each block whether it is boilerplate.

    A part marked by its names or its heading alone isn't, where it holds most of the page's text, nor one beside the
    text that isn't mostly links. Runs of links above the first heading are. Where nearly all text would be
    boilerplate, no mark holds but that of what isn't shown.
    """
    sizes: Counter[int] = Counter()
    linked: Counter[int] = Counter()
    total = 0
    for block, mark in zip(blocks, marks, strict=True):
        if block.kind not in _MACHINE and not (mark and mark.why == HIDDEN):
            total += len(block.text)
            if mark is not None:
                sizes[id(mark)] += len(block.text)
                linked[id(mark)] += int(block.linked * len(block.text))

    def holds(mark: Mark) -> bool:
        if linked[id(mark)] >= _MOST_LINKED * sizes[id(mark)] or mark.why not in {BY_NAMES, BY_HEADING, BESIDE}:
            return True
        return mark.why != BESIDE and sizes[id(mark)] <= _MOST_OF_PAGE * total

    held = [mark is not None and holds(mark) for mark in marks]
    for index in _menus(blocks):
        held[index] = True
    own = sum(len(block.text) for block, is_held in zip(blocks, held, strict=True) if not is_held and _shown(block))
    if own >= _LEAST_OWN_SHARE * total:
        return held
    return [mark is not None and mark.why == HIDDEN for mark in marks]


def without_menus(blocks: Sequence[Block]) -> list[Block]:
    """The blocks with runs of headings that only link elsewhere marked, and nothing said to stand under them."""
    found = list(blocks)
    run: list[int] = []
    before = wrong = ""
    for index, block in enumerate(blocks):
        if block.kind == "heading" and block.linked >= 0.9 and block.level > 1:
            run.append(index)
            continue
        if run and block.boilerplate:
            continue
        if len(run) >= _HEADINGS_IN_A_ROW:
            wrong = blocks[run[-1]].text
            for at in run:
                found[at] = replace(blocks[at], boilerplate=True)
        elif run and not block.boilerplate:
            before, wrong = blocks[run[-1]].text, ""
        run = []
        if block.kind == "heading":
            before, wrong = (before, wrong) if block.boilerplate else (block.text, "")
        elif wrong and block.heading == wrong:
            found[index] = replace(block, heading=before)
    return found


def _shown(block: Block) -> bool:
    return block.kind not in _MACHINE


def _menus(blocks: Sequence[Block]) -> list[int]:
    """Blocks that are nothing but links, many in a row, above the page's first heading (if it has one further down)."""
    head = next((index for index, block in enumerate(blocks) if block.kind == "heading" and block.level <= 2), 0)
    found: list[int] = []
    run: list[int] = []
    for index in range(head):
        block = blocks[index]
        if block.kind in {"text", "list"} and block.linked >= 0.9 and len(block.text) <= _LONGEST_LINK:
            run.append(index)
            continue
        if len(run) >= _LINKS_IN_A_ROW:
            found += run
        run = []
    return found + (run if len(run) >= _LINKS_IN_A_ROW else [])
