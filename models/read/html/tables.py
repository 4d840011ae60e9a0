"""Tables as a reader's eye sees them: each cell with the headers that it stands under and beside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from models.read.page import CellSpan

WIDEST = 100  # columns; beyond that a `colspan` is a mistake or an attack
MOST_ROWS = 5_000
_MOST_FILLED = 500_000  # characters of a table with its spans filled in
_MOST_HEADER_ROWS = 4
_LONGEST_HEADER = 40  # characters of a plain cell that is taken for a header
_LONGEST_SECTION = 120
# Headers that say no more than that names stand to the left: "IMO: 7374280" reads better without them.
_GENERIC = frozenset("value values data detail details information info description answer content result".split())
_DIGITS = frozenset("0123456789")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell's text, whether it is a header and of what (`scope`: "col", "row" or ""), and how far it spans.

    `strong` is true where all its text is bold.
    """

    text: str
    is_header: bool = False
    columns: int = 1
    rows: int = 1
    scope: str = ""
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row as text, with its cells where they stand in it and its values by column.

    `section` is true for a row that is one heading over the rows after it.
    """

    text: str
    cells: tuple[CellSpan, ...] = ()
    values: tuple[str, ...] = ()
    section: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows under one set of column headers."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]


_EMPTY = Cell("")


@dataclass(slots=True)
class _Line:
    """A row of the grid: the cell at each column, and at which columns a cell begins."""

    cells: list[Cell]
    begins: list[int] = field(default_factory=list)

    @property
    def filled(self) -> list[int]:
        return [column for column in self.begins if self.cells[column].text]


def grids(rows: Sequence[Sequence[Cell]], heads: int = 0) -> list[Grid]:
    """The table's rows, under their headers. `heads` is the number of rows in its `thead`.

    A row of headers further down begins a new grid. Rows without text are left out.
    """
    lines = _expand(rows)
    width = max((len(line.cells) for line in lines), default=0)
    if all(_heads_columns(line, width) for line in lines if line.filled and not _is_section(line, width)):
        return [_grid([], lines, width)] if lines else []
    found: list[Grid] = []
    headers: list[_Line] = []
    body: list[_Line] = []
    if _reads_as_header(lines, width):
        headers, lines = lines[:1], lines[1:]
    for number, line in enumerate(lines):
        in_head = number < heads and len(line.filled) > 1 and heads < len(lines)
        if (in_head or _heads_columns(line, width)) and len(line.filled) > 1:
            if any(not _is_section(one, width) for one in body):
                found.append(_grid(headers, body, width))
                headers, body = [], []
            if len(headers) < _MOST_HEADER_ROWS:
                headers.append(line)
        else:
            body.append(line)
    found.append(_grid(headers, body, width))
    return [grid for grid in found if grid.rows]


def _expand(rows: Sequence[Sequence[Cell]]) -> list[_Line]:
    """Fill in spanning cells, so that each row has its cells at their columns."""
    lines: list[_Line] = []
    hanging: dict[int, tuple[Cell, int, bool]] = {}  # column → (cell, rows that it still covers, begins there)
    size = 0
    for row in rows[:MOST_ROWS]:
        line = _Line([])
        cells = iter(row)
        cell = next(cells, None)
        while len(line.cells) < WIDEST:
            column = len(line.cells)
            if column in hanging:
                held, left, begins = hanging.pop(column)
                line.cells.append(held)
                if begins:
                    line.begins.append(column)
                if left > 1:
                    hanging[column] = (held, left - 1, begins)
            elif cell is not None:
                line.begins.append(column)
                for at in range(column, min(column + max(1, cell.columns), WIDEST)):
                    if at in hanging:
                        break
                    line.cells.append(cell)
                    if cell.rows > 1:
                        hanging[at] = (cell, cell.rows - 1, at == column)
                cell = next(cells, None)
            elif hanging and max(hanging) > column:
                line.cells.append(_EMPTY)
            else:
                break
        size += sum(len(one.text) for one in line.cells)
        if size > _MOST_FILLED:
            break
        lines.append(line)
    return lines


def _is_section(line: _Line, width: int) -> bool:
    """True for a row of one header that spans all columns."""
    filled = line.filled
    if len(filled) != 1 or width < 2:
        return False
    cell = line.cells[filled[0]]
    spans = len(line.begins) == 1 and (cell.columns >= width or len(line.cells) >= width > 1 or cell.is_header)
    return spans and (cell.is_header or cell.strong) and cell.scope != "row" and len(cell.text) <= _LONGEST_SECTION


def _heads_columns(line: _Line, width: int) -> bool:
    """True where every cell with text is a header, and not of its row."""
    filled = line.filled
    if not filled or _is_section(line, width):
        return False
    cells = [line.cells[column] for column in filled]
    if cells[0].scope == "row" or (len(cells) == 1 and filled[0] == 0):
        return False
    return all(cell.is_header and cell.scope != "row" for cell in cells)


def _reads_as_header(lines: Sequence[_Line], width: int) -> bool:
    """True where no cell is marked as a header, and the first row reads as one all the same.

    It must be full of short words, and either it alone is bold, or a column has numbers everywhere below it. A table
    of two columns is rather one of names and values, so only bold counts there.
    """
    if len(lines) < 3 or width < 2 or any(cell.is_header for line in lines for cell in line.cells):
        return False
    first = [lines[0].cells[column] for column in lines[0].begins]
    if len(first) != width or len({cell.text for cell in first}) != width:
        return False
    if any(
        not cell.text or len(cell.text) > _LONGEST_HEADER or cell.text.endswith((":", ".")) or _has_digit(cell.text)
        for cell in first
    ):
        return False
    body = lines[1:]
    if all(cell.strong for cell in first):
        return not any(all(line.cells[column].strong for column in line.filled) for line in body if line.filled)
    if width < 3 or any(cell.strong for cell in first):
        return False
    return any(
        sum(_has_digit(line.cells[column].text) for line in body if column < len(line.cells)) >= 0.8 * len(body)
        for column in range(width)
    )


def _has_digit(text: str) -> bool:
    return not _DIGITS.isdisjoint(text)


def _grid(headers: Sequence[_Line], body: Sequence[_Line], width: int) -> Grid:
    columns = [_header(headers, column) for column in range(width)] if headers else []
    rows = []
    for line in body:
        if not line.filled:
            continue
        if _is_section(line, width):
            text = line.cells[line.filled[0]].text
            rows.append(Row(text, (CellSpan(0, len(text), "", ""),), (text,), section=True))
            continue
        values = tuple(cell.text for cell in line.cells)
        rows.append(Row(*_written(line, columns), values))
    return Grid(tuple(columns), tuple(rows))


def _header(headers: Sequence[_Line], column: int) -> str:
    """A column's header: that of each header row, the widest first, none said twice."""
    said = dict.fromkeys(line.cells[column].text.rstrip(" :") for line in headers if column < len(line.cells))
    return " ".join(text for text in said if text)


def _written(line: _Line, columns: Sequence[str]) -> tuple[str, tuple[CellSpan, ...]]:
    filled = line.filled
    if len(columns) == 2 and columns[1].lower() in _GENERIC:
        pieces = list(_by_labels(line, filled, columns))
    elif columns:
        pieces = list(_under_headers(line, filled, columns))
    elif len(filled) == 2 or any(_is_label(line.cells[column]) for column in filled[:-1]):
        pieces = list(_by_labels(line, filled, ()))
    else:
        pieces = [("; ", "", line.cells[column].text, "", "") for column in filled]
    text: list[str] = []
    spans: list[CellSpan] = []
    at = 0
    for separator, before, said, row, column_header in pieces:
        lead = f"{separator if spans else ''}{before}"
        start = at + len(lead)
        at = start + len(said)
        text += [lead, said]
        spans.append(CellSpan(start, at, row, column_header))
    return "".join(text), tuple(spans)


_Piece = tuple[str, str, str, str, str]  # separator, header before the cell, its text, its row's and column's header


def _under_headers(line: _Line, filled: Sequence[int], columns: Sequence[str]) -> Iterator[_Piece]:
    heads = [column for column in filled if line.cells[column].is_header]
    if not heads and len(filled) > 1 and filled[0] == 0 and any(map(str.isalpha, line.cells[0].text)):
        heads = [0]
    row = ", ".join(dict.fromkeys(line.cells[column].text for column in heads))
    for column in filled:
        cell = line.cells[column]
        reach = range(column, min(column + max(1, cell.columns), len(columns)))
        names = list(dict.fromkeys(columns[at] for at in reach if columns[at]))
        name = ", ".join(names) if len(names) <= 3 else f"{names[0]} – {names[-1]}"
        lead = f"{name}: " if name and name != cell.text else ""
        yield "; ", lead, cell.text, "" if column in heads else row, name


def _is_label(cell: Cell) -> bool:
    return cell.is_header or (cell.text.endswith(":") and len(cell.text) <= 2 * _LONGEST_HEADER)


def _by_labels(line: _Line, filled: Sequence[int], columns: Sequence[str]) -> Iterator[_Piece]:
    """Labels and what stands behind each: "Born: 1901; Died: 1980"."""
    labels: list[str] = []
    after_label = False
    marked = [_is_label(line.cells[column]) for column in filled]
    if not any(marked[:-1]):
        marked[0] = True
    for number, column in enumerate(filled):
        text = line.cells[column].text
        if marked[number] and (number + 1 < len(filled) or after_label is False) and text.rstrip(" :"):
            text = text.rstrip(" :")
            separator = ", " if after_label else "; "
            labels = [*labels, text] if after_label else [text]
            yield separator, "", text, "", ""
            after_label = True
        else:
            yield ": " if after_label else "; ", "", text, ", ".join(labels), columns[column] if columns else ""
            after_label = False
