"""Table rows as text with their headers, as a reader's eye pairs them."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST_CELL = 400  # characters; a table with longer cells is used for layout, not for data
_WIDEST = 100  # columns; beyond that a `colspan` is a mistake or an attack


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell's text, whether it is a header, and how many columns and rows it spans."""

    text: str
    is_header: bool
    columns: int = 1
    rows: int = 1


def linearise(rows: list[list[Cell]]) -> list[str]:
    """One line of text for each data row: "header: cell; header: cell", or "name: value" for rows of two.

    The first row is the header row when all its cells are header cells and there are at least two of them.
    """
    grid = _expand(rows)
    if not grid:
        return []
    headers: list[str] = []
    if len(grid) > 1 and len(grid[0]) > 1 and all(cell.is_header for cell in grid[0]):
        headers = [cell.text for cell in grid[0]]
        grid = grid[1:]
    return [line for row in grid if (line := _line(row, headers))]


def _line(row: list[Cell], headers: list[str]) -> str:
    filled = [(column, cell) for column, cell in enumerate(row) if cell.text]
    if not filled:
        return ""
    if headers:
        named = ((headers[column] if column < len(headers) else "", cell.text) for column, cell in filled)
        return "; ".join(f"{name}: {text}" if name and name != text else text for name, text in named)
    if len(filled) == 2 or filled[0][1].is_header:
        name = filled[0][1].text.rstrip(" :")
        rest = "; ".join(cell.text for _, cell in filled[1:])
        return f"{name}: {rest}" if rest else name
    return "; ".join(cell.text for _, cell in filled)


def _expand(rows: list[list[Cell]]) -> list[list[Cell]]:
    """Repeat spanning cells, so that each row has its cells at their columns."""
    grid: list[list[Cell]] = []
    hanging: dict[int, tuple[Cell, int]] = {}  # column → (cell, rows that it still covers)
    for row in rows:
        line: list[Cell] = []
        cells = iter(row)
        cell = next(cells, None)
        while (cell is not None or len(line) in hanging) and len(line) < _WIDEST:
            column = len(line)
            if column in hanging:
                held, left = hanging.pop(column)
                line.append(held)
                if left > 1:
                    hanging[column] = (held, left - 1)
                continue
            assert cell is not None
            for _ in range(min(cell.columns, _WIDEST)):
                if cell.rows > 1:
                    hanging[len(line)] = (cell, cell.rows - 1)
                line.append(cell)
            cell = next(cells, None)
        grid.append(_once(line))
    return grid


def _once(line: list[Cell]) -> list[Cell]:
    """Blank out the repeats of a cell that spans columns: a value is said once."""
    empty = Cell("", is_header=False)
    return [
        cell if index == 0 or cell is not line[index - 1] or cell.is_header else empty
        for index, cell in enumerate(line)
    ]
