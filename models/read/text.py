"""Plain text to blocks: its paragraphs, with lines that were only broken to fit a width joined again."""

from __future__ import annotations

import re

from models.read.page import MOST_BLOCKS, MOST_TEXT, Block
from models.read.paragraphs import is_wrapped, joined, width_of, words_of

_BLANK = re.compile(r"\n[^\S\n]*\n\s*")
_BREAK = re.compile(r"\r\n?|\f|\v|\x1c|\x1d|\x1e|\x85|\u2028|\u2029")
_STRUCK_OVER = re.compile(r"(.)\x08(?=\1)|_\x08|\x08_")  # a letter printed twice to be bold, or under a line
_RULE = re.compile(r"^[\W_]*$")  # a line of dashes or stars
_LISTING = 40  # lines that were broken by a person: more are a listing, and each is a block


def text_blocks(text: str) -> tuple[Block, ...]:
    """The blocks of a plain text. A blank line ends a paragraph; a line break that isn't a machine's stays one."""
    text = _STRUCK_OVER.sub("", text[: 2 * MOST_TEXT])
    text = _BREAK.sub(lambda found: "\n\n" if found[0] in "\f\x1c\x1d\u2029" else "\n", text)
    lines = [line for line in text.split("\n") if not _RULE.match(line)]
    pieces = [[line for line in piece.split("\n") if not _RULE.match(line)] for piece in _BLANK.split(text)]
    width = width_of(lines)
    wrapped = is_wrapped(pieces, width)
    words = words_of(lines) if wrapped else frozenset()
    blocks: list[Block] = []
    for piece in pieces[:MOST_BLOCKS]:
        shown = joined(piece, width, words) if wrapped else [" ".join(line.split()) for line in piece]
        if shown:
            blocks += [Block(part, "text") for part in (shown if len(shown) > _LISTING else ["\n".join(shown)])]
    return tuple(blocks[:MOST_BLOCKS])
