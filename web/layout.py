"""Blocks of a page laid out as what they are: headings, paragraphs, lists, facts by name, and tables.

All of it is text of ours: a template writes the elements, and no markup of the page comes near it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import TypeAlias

from models.read.page import Block, CellSpan, Table

_DEEPEST_LIST = 6
_LONGEST_NAME = 200  # characters before a colon that can be a fact's name


@dataclass(frozen=True, slots=True)
class Mark:
    """Characters `start` to `end` (exclusive) of a block that belong to the passage with this number."""

    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Run:
    """A part of a block's text. `passages` are those it belongs to, `begins` those that start with it."""

    text: str
    passages: tuple[int, ...] = ()
    begins: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """A text of its own. `kind`: `title`, `heading` (of `level` 3 to 6), `under` (a heading that stands elsewhere),
    `sheet` (a page of a PDF begins), `caption` or `text`. `language` is set where it isn't English.
    """

    kind: str
    runs: tuple[Run, ...]
    level: int = 0
    language: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a list, with the list that stands within it."""

    runs: tuple[Run, ...]
    language: str = ""
    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Listed:
    """A list."""

    entries: tuple[Entry, ...]
    kind: str = "list"


@dataclass(frozen=True, slots=True)
class Fact:
    """A term with what it is, or a name with its value."""

    name: tuple[Run, ...]
    value: tuple[Run, ...]
    language: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """Terms with what they are, one after the other."""

    facts: tuple[Fact, ...]
    kind: str = "facts"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table; `heads` is true where it is the header of its row."""

    runs: tuple[Run, ...]
    heads: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table; a lone cell spans it. `passages` are those that stand in it."""

    cells: tuple[Cell, ...]
    passages: tuple[int, ...] = ()
    language: str = ""


@dataclass(frozen=True, slots=True)
class Tabled:
    """A table, or the rows of it that stand together. `columns` are its headers, none where it has none."""

    caption: tuple[Run, ...]
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    kind: str = "table"

    @property
    def width(self) -> int:
        """How many columns it has."""
        return max(len(self.columns), *(len(row.cells) for row in self.rows))


Laid: TypeAlias = Said | Listed | Facts | Tabled


class Layout:
    """Lays blocks out in document order, stretch by stretch; knows which heading and which page of a PDF came last."""

    def __init__(self, tables: Sequence[Table], marks: Mapping[int, Sequence[Mark]]) -> None:
        """`marks` are those of each block by its index."""
        self._tables, self._marks = tables, marks
        self._heading, self._level, self._sheet = "", 2, 0

    def of(self, blocks: Sequence[tuple[int, Block]]) -> Iterator[Laid]:
        """The elements of a stretch of blocks, each block with its index."""
        caption: Said | None = None
        for one in self._elements(blocks):
            if caption is not None and isinstance(one, Tabled) and not one.caption:
                yield replace(one, caption=caption.runs)
                caption = None
                continue
            if caption is not None:
                yield caption
            caption = one if isinstance(one, Said) and one.kind == "caption" else None
            if caption is None:
                yield one
        if caption is not None:
            yield caption

    def _elements(self, blocks: Sequence[tuple[int, Block]]) -> Iterator[Laid]:
        for (_, sheet, *_), grouped in groupby(blocks, key=lambda one: _together(*one)):
            group = list(grouped)
            if sheet != self._sheet:
                self._sheet = sheet
                yield Said("sheet", (Run(f"Page {sheet}"),))
            yield from self._group(group)

    def _group(self, group: Sequence[tuple[int, Block]]) -> Iterator[Laid]:
        first = group[0][1]
        kind = _shown_as(first)
        if kind == "table":
            table = self._table(first)
            yield _tabled(group, table, self._caption(first, table), self._marks)
            return
        if kind not in {"heading", "title"} and _plain(first.heading) not in {"", self._heading}:
            self._heading = _plain(first.heading)
            yield Said("under", (Run(first.heading),))
        if kind == "list":
            deep = [(min(block.level, _DEEPEST_LIST), self._entry(index, block)) for index, block in group]
            yield Listed(_nested(deep))
        elif kind == "facts":
            yield Facts(tuple(_fact(block, self._marks.get(index, ())) for index, block in group))
        else:
            yield from (self._said(kind, index, block) for index, block in group)

    def _said(self, kind: str, index: int, block: Block) -> Said:
        if kind in {"heading", "title", "caption"}:
            self._heading = _plain(block.text)
        if kind == "heading":
            # Below the headings of our own page, and none left out on the way down, as a screen reader needs it.
            self._level = min(max(block.level, 1) + 2, self._level + 1, 6)
        (runs,) = cut(block.text, self._marks.get(index, ()), [(0, len(block.text))])
        return Said(kind, runs, self._level if kind == "heading" else 0, _foreign(block))

    def _entry(self, index: int, block: Block) -> Entry:
        (runs,) = cut(block.text, self._marks.get(index, ()), [(0, len(block.text))])
        return Entry(runs, _foreign(block))

    def _table(self, block: Block) -> Table | None:
        return self._tables[block.table] if block.table is not None and block.table < len(self._tables) else None

    def _caption(self, block: Block, table: Table | None) -> str:
        caption = table.caption if table is not None and table.caption else block.heading
        if _plain(caption) == self._heading:
            return ""
        self._heading = _plain(caption)
        return caption


_SHOWN_AS = {"structured": "facts", "definition": "facts", "list": "list", "table": "table", "title": "title"}
_SHOWN_AS |= {"heading": "heading", "caption": "caption"}


def _shown_as(block: Block) -> str:
    kind = _SHOWN_AS.get(block.kind, "text")
    return "text" if kind == "facts" and _separator(block.text) < 0 else kind


def _together(index: int, block: Block) -> tuple[str, int, str, int]:
    """Blocks that stand side by side and agree in this are laid out as one element."""
    kind = _shown_as(block)
    if kind == "table":
        return kind, block.sheet, "" if block.table is not None else block.heading, block.table or 0
    return kind, block.sheet, block.heading, 0 if kind in {"list", "facts"} else index


def cut(text: str, marks: Sequence[Mark], segments: Sequence[tuple[int, int]]) -> list[tuple[Run, ...]]:
    """Segments of a block's text, each cut where passages begin and end.

    A passage begins with the first shown character of it; one of which none is shown, with the first segment.
    """
    shown = {mark.number for mark in marks for a, b in segments if max(mark.start, a) < min(mark.end, b)}
    waiting = [mark.number for mark in marks]
    made: list[tuple[Run, ...]] = []
    for start, end in segments:
        edges = sorted({start, end, *(at for mark in marks for at in (mark.start, mark.end) if start < at < end)})
        runs = []
        for a, b in pairwise(edges) if start < end else ((start, end),):
            here = tuple(mark.number for mark in marks if mark.start <= a < mark.end and b <= mark.end)
            begins = tuple(number for number in waiting if number in here or number not in shown)
            waiting = [number for number in waiting if number not in begins]
            runs.append(Run(text[a:b], here, begins))
        made.append(tuple(runs))
    return made


def _nested(entries: Sequence[tuple[int, Entry]]) -> tuple[Entry, ...]:
    """Entries with how deep each stands, as lists within lists."""
    made: list[Entry] = []
    at = 0
    top = min(level for level, _ in entries)
    while at < len(entries):
        entry = entries[at][1]
        below = at + 1
        while below < len(entries) and entries[below][0] > top:
            below += 1
        if entries[at][0] > top:
            made.extend(_nested(entries[at:below]))
        else:
            inner = _nested(entries[at + 1 : below]) if below > at + 1 else ()
            made.append(Entry(entry.runs, entry.language, inner))
        at = below
    return tuple(made)


def _separator(text: str) -> int:
    """Where the name of a fact ends, −1 where it has none."""
    return text.find(": ", 1, _LONGEST_NAME)


def _fact(block: Block, marks: Sequence[Mark]) -> Fact:
    at = _separator(block.text)
    name, value = cut(block.text, marks, [(0, at), (at + 2, len(block.text))])
    return Fact(name, value, _foreign(block))


def _tabled(
    group: Sequence[tuple[int, Block]], table: Table | None, caption: str, marks: Mapping[int, Sequence[Mark]]
) -> Tabled:
    columns = table.columns if table is not None else _columns(group)
    rows = tuple(_row(block, columns, marks.get(index, ())) for index, block in group)
    return Tabled((Run(caption),) if caption else (), columns if any(columns) else (), rows)


def _columns(group: Sequence[tuple[int, Block]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(cell.column for _, block in group for cell in block.cells))


def _row(block: Block, columns: Sequence[str], marks: Sequence[Mark]) -> Row:
    numbers = tuple(mark.number for mark in marks)
    cells = block.cells or (CellSpan(0, len(block.text), "", ""),)
    heads = {name for cell in cells if cell.row for name in (cell.row, *cell.row.split(", "))}
    made: list[Cell] = []
    for cell, runs in zip(cells, cut(block.text, marks, [(one.start, one.end) for one in cells]), strict=True):
        column = _at_column(columns, cell.column, len(made))
        made.extend(Cell((Run(""),)) for _ in range(column - len(made)))
        made.append(Cell(runs, heads=not cell.row and block.text[cell.start : cell.end] in heads))
    return Row(tuple(made), numbers, _foreign(block))


def _at_column(columns: Sequence[str], column: str, least: int) -> int:
    """The place of a column by its header, not before `least`: cells without text are left out of a row."""
    return next((at for at in range(least, len(columns)) if column and columns[at] == column), least)


def _foreign(block: Block) -> str:
    return "" if block.language == "en" else block.language


def _plain(text: str) -> str:
    return " ".join(text.split())
