"""From what a URL gave to passages that a judge can use, or the honest reason why not."""

from __future__ import annotations

from dataclasses import replace

from models.document import Document
from models.outcome import NotJudged, Outcome
from models.read.decode import decode
from models.read.entrance import entered
from models.read.html import Html, read_html
from models.read.language import in_languages, page_language
from models.read.page import Block, Page, Signs, bounded, printable
from models.read.pdf import TooDearPdf, UnreadablePdf, pdf_text
from models.read.sentences import passages_of
from models.read.sniff import Form, sniff
from models.read.text import text_blocks
from models.read.xhtml import as_html

__all__ = ["Block", "Page", "read", "read_blocks"]

LEAST_TEXT = 34  # characters of own text below which there is nothing to judge


def read(document: Document) -> Page | NotJudged:
    """Read a document by what its bytes are, not by its file name.

    Gives `NotJudged` with `WRONG_FORMAT`, `NO_TEXT` or `TOO_LARGE` where there is nothing to judge by. Whatever the
    bytes are, it takes less than five seconds and 500 MB, and raises nothing.
    """
    page = read_blocks(document)
    return page if isinstance(page, NotJudged) else replace(page, passages=passages_of(page.blocks))


def read_blocks(document: Document) -> Page | NotJudged:
    """What `read` gives, without passages: enough to show the page, and no sentence is split for it."""
    found = _content(document)
    if isinstance(found, NotJudged):
        return found
    blocks = bounded(found.blocks)
    if sum(len(block.text) for block in blocks if block.kind not in {"title", "structured"}) < LEAST_TEXT:
        return NotJudged(Outcome.NO_TEXT, f"{len(document.body):,} bytes without text to read")
    blocks = in_languages(blocks)
    signs = replace(found.signs, url=document.url, final_url=document.final_url, status=document.status)
    return Page(printable(found.title)[:300], page_language(blocks), blocks, (), found.tables, signs)


def _content(document: Document) -> Html | NotJudged:
    """What a document of any form says, as if it were HTML."""
    sniffed = sniff(document.body, document.content_type)
    if sniffed.form is Form.OTHER:
        return NotJudged(Outcome.WRONG_FORMAT, f"{sniffed.looks} from {document.url}"[:300])
    if sniffed.form is Form.PDF:
        return _of_pdf(document)
    text = decode(entered(document.body), document.content_type)
    if sniffed.form is Form.TEXT:
        return Html("", text_blocks(text), (), Signs())
    return read_html(as_html(text) if sniffed.is_xml else text)


def _of_pdf(document: Document) -> Html | NotJudged:
    try:
        pdf = pdf_text(document.body)
    except UnreadablePdf as error:
        outcome = Outcome.TOO_LARGE if isinstance(error, TooDearPdf) else Outcome.WRONG_FORMAT
        return NotJudged(outcome, f"a PDF that {error}, from {document.url}"[:300])
    if not any(block.kind != "title" for block in pdf.blocks):
        return NotJudged(Outcome.NO_TEXT, f"a PDF of {pdf.pages:,} pages without text, as a scanner makes it")
    return Html(pdf.title, pdf.blocks, (), Signs())
