"""A table of the tree as cells: whether it holds data or only lays out a page, and each cell's text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

from models.read.html.boilerplate import names_of
from models.read.html.content import children, shown_text
from models.read.html.tables import MOST_ROWS, WIDEST, Cell

LONGEST_CELL = 400  # characters; a table with longer cells is used for layout, if nothing marks it as data
_LONGEST_DATA_CELL = 3_000
_MOST_TEXT = 500_000  # characters of a table's cells
_DATA = re.compile(
    r"(?:^|[\s_-])(?:infobox|wikitable|data|datatable|dataTable|details?|record|facts?)(?=$|[\s_-])", re.IGNORECASE
)


@dataclass(slots=True)
class DataTable:
    """A table that holds data: rows of cells, how many of them stand in its `thead`, and what else is in it.

    `nested` are the tables in its cells, each with the label of its row; `hidden` is text that isn't shown.
    """

    rows: list[list[Cell]] = field(default_factory=list)
    linked: list[float] = field(default_factory=list)
    heads: int = 0
    caption: str = ""
    nested: list[tuple[LexborNode, str]] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)


def data_table(table: LexborNode) -> DataTable | None:
    """The cells of a data table; None where the table only lays out a page."""
    attributes = table.attributes
    rows, caption, heads = _rows(table)
    if not rows:
        return None
    tags = [
        [(cell, cell.tag == "th") for cell in children(row) if cell.tag in {"td", "th"}] for row in rows[:MOST_ROWS]
    ]
    if max(map(len, tags)) < 2:
        return None
    marked = any(is_header for row in tags for _, is_header in row)
    if (attributes.get("role") or "").lower() in {"presentation", "none"} and not marked:
        return None
    marked = marked or heads > 0 or caption is not None or _DATA.search(names_of(attributes)) is not None
    longest = _LONGEST_DATA_CELL if marked else LONGEST_CELL
    found = DataTable(heads=heads)
    size = 0
    for row in tags:
        cells: list[Cell] = []
        linked = 0
        for node, is_header in row[:WIDEST]:
            content = shown_text(node, longest)
            if content is None or (content.tables and not marked):
                return None
            text = content.text
            size += len(text)
            linked += content.linked
            cells.append(_cell(text, is_header, content.strong, node.attributes))
            label = cells[0].text if len(cells) > 1 else ""
            found.nested.extend((inner, label.rstrip(" :")) for inner in content.tables)
            found.hidden.extend(content.hidden)
        if cells:
            found.rows.append(cells)
            said = sum(len(cell.text) for cell in cells)
            found.linked.append(min(1.0, linked / said) if said else 0.0)
        elif len(found.rows) < found.heads:
            found.heads -= 1
        if size > _MOST_TEXT:
            break
    if max(map(len, found.rows), default=0) < 2:
        return None
    if caption is not None and (content := shown_text(caption, LONGEST_CELL)):
        found.caption = content.text
    return found


def _rows(table: LexborNode) -> tuple[list[LexborNode], LexborNode | None, int]:
    rows: list[LexborNode] = []
    feet: list[LexborNode] = []
    caption, heads = None, 0
    for part in children(table):
        if part.tag == "caption":
            caption = caption or part
        elif part.tag == "tr":
            rows.append(part)
        elif part.tag in {"thead", "tbody", "tfoot"}:
            own = [row for row in children(part) if row.tag == "tr"]
            if part.tag == "thead" and not rows:
                heads = len(own)
            (feet if part.tag == "tfoot" else rows).extend(own)
    return rows + feet, caption, heads


def _cell(text: str, is_header: bool, strong: bool, attributes: Mapping[str, str | None]) -> Cell:
    if not attributes:
        return Cell(text, is_header, strong=strong)
    scope = (attributes.get("scope") or "").lower()
    scope = scope[:3] if scope in {"row", "rowgroup", "col", "colgroup"} else ""
    role = (attributes.get("role") or "").lower()
    is_header = is_header or scope != "" or role in {"rowheader", "columnheader"}
    return Cell(text, is_header, _span(attributes, "colspan"), _span(attributes, "rowspan"), scope, strong)


def _span(attributes: Mapping[str, str | None], name: str) -> int:
    value = (attributes.get(name) or "1").strip()[:20]
    if not (value.isascii() and value.isdigit()):
        return 1
    if name == "rowspan" and int(value) == 0:
        return MOST_ROWS
    return max(1, min(int(value), WIDEST if name == "colspan" else MOST_ROWS))
