"""PDFs to blocks with their pages; scans, locked and broken ones, and those made to harm, to a reason."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

import made_pdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.document import Document
from models.outcome import NotJudged, Outcome
from models.read import Page, pdf, read
from models.read.pdf import TooDearPdf, pdf_text

FULL = [
    "Ann Lee was born on 12 May 1901 in the town of Leeds, where her father kept a",
    "shop and her mother taught at the school of the par-",
    "ish for more than thirty years. She went to the well-known grammar school and",
    "won a scholarship in 1919.",
    "In 1923 she moved to York, and her well-",
    "known book came out.",
]


def result(body: bytes) -> Page | NotJudged:
    url = "https://lives.example/lee.pdf"
    return read(Document(url, url, 200, (("content-type", "text/html"),), body, "sha256:", datetime.now(UTC)))


def test_a_pdf_is_read_with_its_pages() -> None:
    page = result(made_pdf.pdf([["Ann Lee was born in 1901 in Leeds."], ["She died in 1980 in York."]], "The Lees"))
    assert isinstance(page, Page)
    assert page.title == "The Lees"
    said = [(block.text, block.kind, block.sheet) for block in page.blocks]
    assert said == [
        ("The Lees", "title", 0),
        ("Ann Lee was born in 1901 in Leeds.", "text", 1),
        ("She died in 1980 in York.", "text", 2),
    ]


def test_lines_are_joined_to_paragraphs_and_broken_words_made_whole() -> None:
    blocks = [block.text for block in pdf_text(made_pdf.pdf([FULL])).blocks]
    assert blocks[0].startswith("Ann Lee was born on 12 May 1901 in the town of Leeds, where her father kept a shop")
    assert "of the parish for more" in blocks[0]
    assert blocks[0].endswith("won a scholarship in 1919.")
    assert blocks[1] == "In 1923 she moved to York, and her well-known book came out."
    assert len(blocks) == 2


def test_a_paragraph_goes_on_on_the_next_page() -> None:
    blocks = pdf_text(made_pdf.pdf([FULL[:3], FULL[3:]])).blocks
    assert blocks[0].text.endswith("She went to the well-known grammar school and won a scholarship in 1919.")
    assert (blocks[0].sheet, blocks[1].sheet) == (1, 2)


def test_running_headers_and_footers_are_marked_and_said_once() -> None:
    pages = [
        [
            "The Lives of Leeds",
            f"Person {name} was born in that year, and she died in the other.",
            f"Page {number} of 6",
        ]
        for number, name in enumerate("ABCDEF", 1)
    ]
    blocks = pdf_text(made_pdf.pdf(pages)).blocks
    own = [block.text for block in blocks if not block.boilerplate]
    assert own[0] == "The Lives of Leeds"  # at the top of the first page it is the title
    assert own[1:] == [page[1] for page in pages]
    assert [block.text for block in blocks if block.boilerplate] in ([], ["The Lives of Leeds"])


def test_entries_and_numbered_headings_stay_apart() -> None:
    lines = ["1. The first of the things that stand in this list of things to say", "2. The second of them"]
    assert [block.text for block in pdf_text(made_pdf.pdf([lines])).blocks] == lines


@pytest.mark.parametrize(
    ("body", "outcome", "said"),
    [
        (made_pdf.scan(12), Outcome.NO_TEXT, "a PDF of 12 pages without text"),
        (made_pdf.locked(), Outcome.WRONG_FORMAT, "it is locked with a password, from https://lives.example/lee.pdf"),
        (made_pdf.pdf([FULL])[:200], Outcome.WRONG_FORMAT, "a PDF that can't be opened: it is broken"),
        (b"%PDF-1.7\n", Outcome.WRONG_FORMAT, "a PDF that can't be opened: it is broken"),
        (made_pdf.bomb(300_000_000), Outcome.TOO_LARGE, "a PDF that can't be read within the memory"),
        (made_pdf.bomb(300_000_000, filters=2), Outcome.TOO_LARGE, "a PDF that can't be read within the memory"),
        (made_pdf.assembled([b"<<>>"]) + bytes(pdf.LARGEST), Outcome.TOO_LARGE, "a PDF that has 67,"),
    ],
    ids=["scan", "locked", "cut", "empty", "bomb", "bomb in a bomb", "large"],
)
def test_what_cannot_be_read_says_why(body: bytes, outcome: Outcome, said: str) -> None:
    found = result(body)
    assert isinstance(found, NotJudged)
    assert found.outcome is outcome
    assert said in found.detail
    assert "\n" not in found.detail


def test_what_stands_before_a_page_that_cannot_be_read_is_kept() -> None:
    read_text = pdf_text(made_pdf.laughs(8))
    assert [(block.text, block.sheet) for block in read_text.blocks] == [("The first page.", 1)]


def test_what_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "SECONDS", 0.01)
    with pytest.raises(TooDearPdf, match=r"within 0\.01 seconds"):
        pdf_text(made_pdf.pdf([FULL]))


def test_a_reader_that_cannot_start_is_no_fault_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(RuntimeError, match="can't be read here"):
        pdf_text(made_pdf.pdf([FULL]))


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.binary(min_size=1, max_size=20))
def test_a_damaged_pdf_gives_text_or_a_reason(at: int, damage: bytes) -> None:
    whole = made_pdf.pdf([FULL, FULL])
    at %= len(whole)
    found = result(whole[:at] + damage + whole[at + len(damage) :])
    assert isinstance(found, Page | NotJudged)
