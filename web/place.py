"""Where a passage stands in its page: in words, and as a link that leads there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flask_babel import gettext, lazy_gettext

from models.evidence import Match
from models.read.page import Block, CellSpan, Page
from web.links import Quote, at_sheet, at_text
from web.snapshot import Placed

_WHOLE = 12  # words up to which a text is quoted whole; of a longer one its first and last words
_FIRST, _LAST = 6, 4
_BEFORE = 4  # words of the cell before, that tell which of several like cells is meant
_KINDS = {
    "title": lazy_gettext("the page’s title"),
    "heading": lazy_gettext("a heading"),
    "list": lazy_gettext("in a list"),
    "definition": lazy_gettext("in a list of terms"),
    "caption": lazy_gettext("in a caption"),
    "structured": lazy_gettext("in structured data, which the page doesn’t show"),
    "table": lazy_gettext("in a table"),
}
_LONGEST = 120  # characters of a heading or a caption


@dataclass(frozen=True, slots=True)
class Located:
    """A passage's place in words, e.g. "row “Born”, in the table “Early life”"; and the address that leads to it."""

    words: str
    link: str


def locate(page: Page, placed: Placed, matches: Sequence[Match], url: str) -> Located:
    """Where a passage that was found in the page stands, at `url`; the link is "" where the page doesn't show it."""
    block = page.blocks[placed.block]
    cell = _cell(block, placed, matches)
    return Located(_words(page, block, cell), _link(page, block, placed, cell, url))


def _cell(block: Block, placed: Placed, matches: Sequence[Match]) -> CellSpan | None:
    """The cell of a row that a reader should look at: the one with the value, or the subject, or its longest."""
    there = [cell for cell in block.cells if cell.start < placed.end and placed.start < cell.end]
    for match in sorted(matches, key=lambda match: match.part != "value"):
        at = placed.start + match.start
        if match.part in {"value", "subject"}:
            for cell in there:
                if cell.start <= at < cell.end:
                    return cell
    return max(there, key=lambda cell: cell.end - cell.start, default=None)


def _words(page: Page, block: Block, cell: CellSpan | None) -> str:
    said = []
    if cell is not None and cell.row:
        said.append(gettext("row “%(row)s”", row=_short(cell.row)))
    if cell is not None and cell.column:
        said.append(gettext("column “%(column)s”", column=_short(cell.column)))
    table = page.tables[block.table] if block.table is not None and block.table < len(page.tables) else None
    caption = table.caption if table is not None else ""
    if block.kind == "table" and caption:
        said.append(gettext("in the table “%(caption)s”", caption=_short(caption)))
    elif kind := _KINDS.get(block.kind):
        said.append(str(kind))
    heading = table.heading if table is not None else block.heading
    if heading and heading != caption and block.kind not in {"title", "heading", "structured"}:
        said.append(gettext("under the heading “%(heading)s”", heading=_short(heading)))
    if block.sheet:
        said.append(gettext("page %(sheet)s of the PDF", sheet=block.sheet))
    if block.boilerplate:
        said.append(gettext("among menus, notices and the like"))
    return ", ".join(said)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1].rstrip() + "…"


def _link(page: Page, block: Block, placed: Placed, cell: CellSpan | None, url: str) -> str:
    if block.kind in {"structured", "title"}:
        return ""
    if block.sheet:
        return at_sheet(url, block.sheet)
    if cell is not None:
        return at_text(url, *_of_cell(page, block, cell))
    return at_text(url, *_of_text(block.text[placed.start : placed.end]))


def _of_text(text: str) -> tuple[Quote, ...]:
    """A quote of a text: whole where it is short and stands together, for what ends it may stand in another block."""
    lines = [line.split() for line in text.split("\n") if line.split()]
    if not lines:
        return ()
    label, colon, rest = text.partition(": ")
    if colon and len(label.split()) <= _FIRST and rest.strip():
        return (Quote(" ".join(label.split()), " ".join(lines[-1][-_LAST:]) if len(lines) > 1 else _end(rest)),)
    if len(lines) == 1 and len(lines[0]) <= _WHOLE:
        return (Quote(" ".join(lines[0])),)
    return (Quote(" ".join(lines[0][:_FIRST]), " ".join(lines[-1][-_LAST:])),)


def _end(text: str) -> str:
    return " ".join(text.split()[-_LAST:])


def _of_cell(page: Page, block: Block, cell: CellSpan) -> tuple[Quote, ...]:
    """Quotes of a cell's own text, behind the cell before it: a short text may stand elsewhere as well.

    Where the row has a comma the page may break the line. Cells can also lie otherwise on the page than in the row
    (spans, a colon after a label), so there is a second quote.
    """
    text = block.text[cell.start : cell.end]
    quotes = _of_text(text.replace(", ", "\n"))
    before = max((one for one in block.cells if one.end <= cell.start), key=lambda one: one.end, default=None)
    if before is None or not quotes:
        return quotes
    (own,) = quotes
    words = block.text[before.start : before.end].split()[-_BEFORE:]
    behind = Quote(own.start, own.end, " ".join(words))
    once = sum(one.text.count(text) for one in page.blocks) == 1
    return (behind, *_of_text(text)) if once else (behind, Quote(" ".join(words), _end(text)))
