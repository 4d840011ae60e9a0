"""Text of a PDF, a page of it a heading, so that a passage says where it stands."""

from __future__ import annotations

import re

import pypdfium2 as pdfium

from models.read.page import Block

MOST_PAGES = 300
_GAP = re.compile(r"\n\s*\n")


class UnreadablePdf(ValueError):
    """The bytes begin like a PDF but aren't one that can be opened, or it is locked."""


def pdf_blocks(body: bytes) -> tuple[str, tuple[Block, ...]]:
    """Title and blocks of a PDF with text; no blocks for a scanned one. Raises `UnreadablePdf`."""
    try:
        document = pdfium.PdfDocument(body)
    except pdfium.PdfiumError as error:
        raise UnreadablePdf(str(error)) from error
    with document:
        title = str(document.get_metadata_dict().get("Title") or "").strip()
        blocks = [Block(title, "title")] if title else []
        for number in range(min(len(document), MOST_PAGES)):
            page = document[number]
            text = page.get_textpage().get_text_bounded().replace("\r", "")
            for piece in _GAP.split(text):
                line = " ".join(piece.split())
                if line:
                    blocks.append(Block(line, "text", f"page {number + 1}"))
    return title, tuple(blocks)
