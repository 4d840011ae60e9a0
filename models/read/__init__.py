"""From what a URL gave to passages that a judge can use, or the honest reason why not."""

from __future__ import annotations

from models.document import Document
from models.outcome import NotJudged, Outcome
from models.read.decode import Sniffed, decode, sniff
from models.read.html import blocks_of, clean
from models.read.language import SUPPORTED, detect
from models.read.page import Block, Page, bounded, printable
from models.read.pdf import UnreadablePdf, pdf_blocks
from models.read.sentences import passages_of

__all__ = ["Block", "Page", "read"]

LEAST_TEXT = 40  # characters of own text below which there is nothing to judge


def read(document: Document) -> Page | NotJudged:
    """Read a document by what its bytes are, not by its file name.

    Gives `NotJudged` with `WRONG_FORMAT`, `NO_TEXT` or `UNSUPPORTED_LANGUAGE` where no judge could use it.
    """
    sniffed = sniff(document.body, document.content_type)
    if sniffed is Sniffed.OTHER:
        return NotJudged(
            Outcome.WRONG_FORMAT, f"{document.content_type or 'unlabelled bytes'} from {document.url}"[:300]
        )
    title = ""
    blocks: tuple[Block, ...]
    if sniffed is Sniffed.PDF:
        try:
            title, blocks = pdf_blocks(document.body)
        except UnreadablePdf as error:
            return NotJudged(Outcome.WRONG_FORMAT, f"a PDF that can't be read: {error}"[:300])
    else:
        text = decode(document.body, document.content_type)
        if sniffed is Sniffed.HTML:
            title, blocks = blocks_of(text)
        else:
            blocks = tuple(Block(part, "text") for piece in text.split("\n\n") if (part := clean(piece)))
    blocks = bounded(blocks)
    title = printable(title)[:300]
    if sum(len(block.text) for block in blocks if block.kind not in {"title", "structured"}) < LEAST_TEXT:
        return NotJudged(Outcome.NO_TEXT, f"{len(document.body):,} bytes without text to read")
    language = detect(blocks)
    if language not in SUPPORTED:
        return NotJudged(Outcome.UNSUPPORTED_LANGUAGE, f"the text is in the language with the code “{language}”")
    return Page(title, language, blocks, passages_of(blocks))
