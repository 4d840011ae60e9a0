"""A page as it was read: its blocks in document order, and the passages cut from them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from models.verdict import Passage


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of the page that a reader sees as one: a paragraph, a heading, a list entry, a table row, a fact.

    `kind`: `title`, `heading`, `text`, `table` or `structured`. A row's text carries its headers
    ("header: cell; header: cell"). `heading` is the nearest heading above it, or a table's caption.
    """

    text: str
    kind: str
    heading: str = ""
    boilerplate: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """What a judge and an editor see of a document. `language` is an ISO 639-1 code, detected from the text."""

    title: str
    language: str
    blocks: tuple[Block, ...]
    passages: tuple[Passage, ...]


MOST_TEXT = 500_000  # characters of a page; four times the longest real page that we have met
MOST_BLOCKS = 20_000

# What no database keeps and no reader sees: control characters (but the line break), and halves of surrogate pairs.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def printable(text: str) -> str:
    """A text without control characters and lone surrogates."""
    return _UNPRINTABLE.sub("", text)


def bounded(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """The first blocks of a page, as many as a judge can look at in seconds, printable, none empty."""
    kept: list[Block] = []
    room = MOST_TEXT
    for block in blocks:
        text = printable(block.text)[:room].strip()
        if text:
            kept.append(replace(block, text=text, heading=printable(block.heading)))
            room -= len(text)
        if room <= 0 or len(kept) == MOST_BLOCKS:
            break
    return tuple(kept)
