"""Text of a PDF, a page of it a heading, so that a passage says where it stands."""

from __future__ import annotations

import re

import pypdfium2 as pdfium

from models.read.page import MOST_TEXT, Block

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
        title = _title(document)
        blocks = [Block(title, "title")] if title else []
        room = MOST_TEXT
        for number in range(min(len(document), MOST_PAGES)):
            try:
                text = document[number].get_textpage().get_text_bounded().replace("\r", "")
            except pdfium.PdfiumError:
                continue  # a broken page; the others may be whole
            room -= len(text)
            if room < 0:
                break
            for piece in _GAP.split(text):
                line = " ".join(piece.split())
                if line:
                    blocks.append(Block(line, "text", f"page {number + 1}"))
    return title, tuple(blocks)


def _title(document: pdfium.PdfDocument) -> str:
    try:
        return str(document.get_metadata_dict().get("Title") or "").strip()[:300]
    except (pdfium.PdfiumError, UnicodeError):
        return ""
