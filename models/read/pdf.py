"""Text of a PDF, with the page that each block stands on.

A PDF is opened in a process of its own, unlike all else here: its library is in C, and a file of some kilobytes can
make it take gigabytes, minutes, or the whole process down with it. No such file may end a worker. The process starts
as a program anew (no fork of this one, whose threads hold locks), in 40 ms, imports nothing but that library, and
limits itself; what it says of pages before the end is kept.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from models.read.page import Block
from models.read.paragraphs import ENDED, joined, width_of, words_of

SECONDS = 4.0  # for all of it
LARGEST = 64 << 20  # bytes
_CHILD = Path(__file__).with_name("pdf_child.py")
_FULL = 0.8  # of the longest line's letters, on a line that is full: letters differ in width
_NARROWEST = 30.0  # letters: a shorter line is a heading, or an entry
_EDGE = 2  # lines at the top and at the foot of a page that can be a running header or footer
_LEAST_REPEATS = 3
_NUMBER = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)
_PAGE_NUMBER = re.compile(
    r"\W*(?:p(?:age|\.)?\s*)?(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:of|/)\s*\d{1,4})?\W*", re.IGNORECASE
)
_BROKEN = re.compile(r"[\x02\ufffe](?:[\r\n]+(?=[a-z]))?")  # the library's own mark for a hyphen where a line ended
_LEADER = re.compile(r"(?:[.·_…] ?){5,}")  # of a table of contents
_LEAST_BROKEN = 60  # characters of a paragraph that can go on on the next page


class UnreadablePdf(ValueError):
    """A PDF that can't be opened. The message says what is wrong with it, to stand behind "a PDF that …"."""


class TooDearPdf(UnreadablePdf):
    """A PDF that takes more time or memory than one page may cost."""


@dataclass(frozen=True, slots=True)
class PdfText:
    """The title that a PDF gives itself ("" where none), how many pages it has, and its blocks: none in a scan."""

    title: str
    pages: int
    blocks: tuple[Block, ...]


def pdf_text(body: bytes) -> PdfText:
    """Read a PDF. Raises `UnreadablePdf`, or `TooDearPdf`."""
    if len(body) > LARGEST:
        raise TooDearPdf(f"has {len(body):,} bytes")
    said, ended = _asked(body)
    if not said:
        raise TooDearPdf(f"can't be opened within {ended}")
    head, *pages = said
    if "error" in head:
        raise UnreadablePdf(f"can't be opened: {head['error']}")
    if not pages and ended:
        raise TooDearPdf(f"can't be read within {ended}")
    title = " ".join(str(head["title"]).split())[:300]
    sheets = {int(page["page"]): _lines(str(page["text"])) for page in pages}
    blocks = tuple(_blocks(sheets))
    return PdfText(title, int(head["pages"]), ((Block(title, "title"),) if title else ()) + blocks)


_STOPPED = frozenset({-signal.SIGTERM, -signal.SIGINT, -signal.SIGKILL})


def _asked(body: bytes) -> tuple[list[dict[str, Any]], str]:
    """The whole lines that the child wrote, and what it came to the end of ("" where it ended by itself).

    Raises `RuntimeError` where the child can't run at all, which is no page's fault.
    """
    try:
        done = subprocess.run(  # noqa: S603 - our own file, by this interpreter
            [sys.executable, "-P", str(_CHILD)],  # -P: modules beside that file have names of the standard library's
            input=body,
            capture_output=True,
            timeout=SECONDS,
            check=False,
            start_new_session=True,  # a Ctrl-C is for who reads, and says nothing of the page
        )
        if done.returncode in _STOPPED:
            raise RuntimeError("reading a PDF was stopped from outside")
        written, ended = done.stdout, "" if done.returncode in (0, 1) else "the memory that a page may take"
        if not written and not ended:
            raise RuntimeError(f"PDFs can't be read here: {done.stderr.decode(errors='replace').strip()[-200:]}")
    except subprocess.TimeoutExpired as error:
        written, ended = error.output or b"", f"{SECONDS:g} seconds"
    lines = written.split(b"\n")[:-1]  # the last one is empty, or broken off
    return [json.loads(line) for line in lines], ended


def _lines(text: str) -> list[str]:
    text = _BROKEN.sub("\u00ad", text)
    lines = (_LEADER.sub(" … ", line).strip() for line in text.replace("\r", "\n").split("\n"))
    return [line for line in lines if line]


def _blocks(sheets: dict[int, list[str]]) -> list[Block]:
    """The blocks of a document's pages: its paragraphs, and each running header and footer once, marked."""
    running = _running(list(sheets.values()))
    words = words_of([line for lines in sheets.values() for line in lines])
    blocks: list[Block] = []
    seen: set[str] = set()
    last = -1  # the index of the last paragraph
    for number, lines in sheets.items():
        own, marked = _apart(lines, running, first=number == min(sheets))
        for line in marked:
            if _shape(line) not in seen and not _PAGE_NUMBER.fullmatch(line):
                blocks.append(Block(line, "text", boilerplate=True, sheet=number))
            seen.add(_shape(line))
        for position, text in enumerate(joined(own, max(_NARROWEST, width_of(own) * _FULL), words)):
            if position == 0 and last >= 0 and _goes_on(blocks[last].text, text):
                whole = " ".join(joined([blocks[last].text, text], 0, words))
                blocks[last] = replace(blocks[last], text=whole)
                continue
            last = len(blocks)
            blocks.append(Block(text, "text", sheet=number))
    return blocks


def _goes_on(before: str, after: str) -> bool:
    """Whether a paragraph at the end of a page goes on at the beginning of the next."""
    return ENDED.search(before) is None and (after[0].islower() or len(before) >= _LEAST_BROKEN)


def _apart(lines: list[str], running: frozenset[str], first: bool) -> tuple[list[str], list[str]]:
    """A page's own lines, and those at its edges that stand on many pages. The first page's top is its title."""
    top = 0
    while top < min(_EDGE, len(lines)) and not first and _runs(lines[top], running):
        top += 1
    foot = len(lines)
    while foot > max(top, len(lines) - _EDGE) and _runs(lines[foot - 1], running):
        foot -= 1
    return lines[top:foot], lines[:top] + lines[foot:]


def _runs(line: str, running: frozenset[str]) -> bool:
    return _shape(line) in running or bool(_PAGE_NUMBER.fullmatch(line))


def _running(pages: list[list[str]]) -> frozenset[str]:
    """The shapes of lines that stand at the edges of many pages."""
    edges = Counter(shape for lines in pages for shape in {_shape(line) for line in lines[:_EDGE] + lines[-_EDGE:]})
    least = max(_LEAST_REPEATS, len(pages) // 8)
    return frozenset(shape for shape, count in edges.items() if count >= least and shape)


def _shape(line: str) -> str:
    """A line without its numbers, which differ from page to page."""
    return _NUMBER.sub("#", " ".join(line.casefold().split()))
