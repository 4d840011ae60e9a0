"""A page as it was read: its blocks in document order, and the passages cut from them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import zip_longest

from models.evidence import CellSpan, Passage

__all__ = ["MOST_BLOCKS", "MOST_TEXT", "Block", "CellSpan", "Page", "Signs", "Table", "bounded", "printable"]


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of the page that a reader sees as one.

    `kind`: `title`, `heading`, `text` (a paragraph), `list` (an entry), `definition` (an entry, "term: what it is"),
    `caption`, `table` (a row, "header: cell; header: cell") or `structured` (a fact for machines, "name: value").
    `heading` is the nearest heading above it, or a table's caption. `level` is a heading's, 1 to 6, or how deep a list
    entry stands, from 1. `table` is the index in `Page.tables` of a row's table, and `cells` are the row's.
    `linked` is the share of its text that stands in links, in [0, 1]. `language` is an ISO 639-1 code, "" where the
    text is too short to tell. `sheet` is the page of a PDF, from 1; 0 elsewhere.
    """

    text: str
    kind: str
    heading: str = ""
    boilerplate: bool = False
    level: int = 0
    table: int | None = None
    cells: tuple[CellSpan, ...] = ()
    linked: float = 0.0
    language: str = ""
    sheet: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """A table kept whole: rows of cells, spans filled in. `columns` are its headers, empty where it has none.

    `blocks` are the indexes (first and last, inclusive) of the blocks of its rows.
    """

    caption: str
    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    blocks: tuple[int, int]

    def linearised(self) -> str:
        """The table as text, row by row: "row 1 is: header is cell; header is cell." (*Joint Verification and
        Reranking for Open Fact Checking Over Tables*, section 3). A cell without a header stands alone.
        """
        lines = []
        for number, row in enumerate(self.rows, 1):
            named = zip_longest(self.columns, row, fillvalue="")
            said = "; ".join(f"{name} is {cell}" if name else cell for name, cell in named if cell)
            lines.append(f"row {number} is: {said}.")
        return " ".join(lines)


@dataclass(frozen=True, slots=True)
class Signs:
    """What tells whether a page is still the one that was cited, beside its text.

    `url` is what was asked for, `final_url` where it ended, `status` its HTTP status (0 where unknown). `canonical` is
    the address that the page gives for itself ("" where none). `password` and `search`: it has a field for these.
    `links` and `scripts` count elements; `site` is the name that the page gives for its site (og:site_name).
    """

    url: str = ""
    final_url: str = ""
    status: int = 0
    canonical: str = ""
    site: str = ""
    password: bool = False
    search: bool = False
    links: int = 0
    scripts: int = 0


@dataclass(frozen=True, slots=True)
class Page:
    """What a judge and an editor see of a document. `language` is an ISO 639-1 code, detected from the text."""

    title: str
    language: str
    blocks: tuple[Block, ...]
    passages: tuple[Passage, ...]
    tables: tuple[Table, ...] = ()
    signs: Signs = Signs()


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
