"""Sentences of a block, and the windows of one and two of them that become passages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from models.evidence import CellSpan, Passage
from models.read.full_stops import goes_on
from models.read.page import Block

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

LONGEST_SENTENCE = 600  # characters; what is longer is cut, so that one run-on page can't crowd out the rest
_ENDLESS = re.compile(r"\S{400}")  # no language has such words, and the tokeniser is slow on them
_LONGEST_LINE = 50_000  # characters given to the splitter at once
MOST_PASSAGES = 12_000
_SPLITTABLE = 40  # a block shorter than this is one sentence


_LONGEST_REPEATED = 200  # a row's first cell, said again where the row is cut
_LOOK_BACK = 80  # characters in which a space is sought, so that a cut falls between words


@cache
def _splitter() -> Language:
    import spacy  # noqa: PLC0415 - takes seconds, and only who reads a page needs it

    # The rule-based sentence splitter over spaCy's English tokeniser, which knows "Dr.", "Jan." and "J. R. R.".
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.max_length = 2_000_000
    return nlp


@cache
def _ends() -> re.Pattern[str]:
    """What may end a sentence within a line: a line without that is one sentence, and costs no look.

    The tokeniser keeps a full stop apart from what follows only before a space, a mark, or a capital.
    """
    marks = set(_splitter().get_pipe("sentencizer").punct_chars)  # type: ignore[attr-defined]
    other = "".join(sorted(marks - set(".!?")))
    return re.compile(rf"[.!?](?=[^\w.]|[^\W\d_a-z]|\.+\S)|[{re.escape(other)}].")


def split(text: str) -> list[tuple[int, int]]:
    """Character spans (start, end) of the sentences of a block, in order, without surrounding space.

    A line break in the block ends a sentence. Every character that isn't space is in exactly one span.
    """
    spans: list[tuple[int, int]] = []
    offset = 0
    for line in text.split("\n"):
        if len(line) < _SPLITTABLE or _ENDLESS.search(line) or not _ends().search(line):
            spans.extend(_cut(text, offset, offset + len(line)))
        else:
            for at in range(0, len(line), _LONGEST_LINE):
                piece = line[at : at + _LONGEST_LINE]
                for start, end in _joined(piece, _sentences(_splitter()(piece), len(piece))):
                    spans.extend(_cut(text, offset + at + start, offset + at + end))
        offset += len(line) + 1
    trimmed = (_trim(text, start, end) for start, end in spans)
    return [(start, end) for start, end in trimmed if start < end]


def _sentences(doc: Doc, length: int) -> Iterator[tuple[int, int]]:
    """Where sentences start and end; the same as `doc.sents`, which is slow."""
    first = 0
    flags, places = doc.to_array(["SENT_START", "IDX"]).T.tolist() if len(doc) else ((), ())
    for flag, place in zip(flags, places, strict=True):
        if flag == 1 and place > first:
            yield first, place
            first = place
    yield first, length


def _joined(line: str, sentences: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Sentences that stand one behind the other, those joined that a full stop inside them has parted."""
    first = 0
    for start, _ in sentences:
        if start > first and not goes_on(line, start):
            yield first, start
            first = start
    yield first, len(line)


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A span in pieces of at most `LONGEST_SENTENCE`, cut between words where there is a space."""
    while end - start > LONGEST_SENTENCE:
        edge = start + LONGEST_SENTENCE
        space = text.rfind(" ", edge - _LOOK_BACK, edge)
        edge = space if space > start else edge
        yield start, edge
        start = edge
    yield start, end


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


_KINDS = {"table": "table", "structured": "structured"}


def passages_of(blocks: tuple[Block, ...]) -> tuple[Passage, ...]:
    """Windows of one and of two sentences within each block, never across blocks (ProVe, section 4.2).

    A table's row is one passage; a long one is cut between its cells, with its first cell said again.
    """
    passages: list[Passage] = []
    for index, block in enumerate(blocks):
        if len(passages) >= MOST_PASSAGES:
            break
        kind = _KINDS.get(block.kind, "text")
        if kind != "text" and len(block.text) <= LONGEST_SENTENCE:
            passages.append(Passage(block.text, kind, index, 0, 0, block.heading, block.boilerplate, block.cells))
        elif block.cells:
            for number, (text, cells) in enumerate(_pieces(block)):
                passages.append(Passage(text, kind, index, number, number, block.heading, block.boilerplate, cells))
        else:
            passages.extend(islice(_windows(block, index, kind), MOST_PASSAGES - len(passages)))
    return tuple(passages)


def _windows(block: Block, index: int, kind: str) -> Iterator[Passage]:
    spans = split(block.text)
    for width in (1, 2):
        for first in range(len(spans) - width + 1):
            last = first + width - 1
            text = block.text[spans[first][0] : spans[last][1]].replace("\n", " ")
            yield Passage(text, kind, index, first, last, block.heading, block.boilerplate)


def _pieces(block: Block) -> Iterator[tuple[str, tuple[CellSpan, ...]]]:
    """A long row in pieces of whole cells, as far as these are short enough; each begins with the row's first cell."""
    text, cells = block.text, block.cells
    groups: list[list[CellSpan]] = []  # cells that stand together: a label and its value
    for before, cell in pairwise((None, *cells)):
        assert cell is not None
        if before is not None and not text.startswith("; ", before.end):
            groups[-1].append(cell)
        else:
            groups.append([cell])
    starts = [0, *(group[-1].end + 2 for group in groups[:-1])]
    ends = [*(group[-1].end for group in groups[:-1]), len(text)]
    head = text[: cells[0].end] + text[cells[0].end : cells[0].end + 2]
    head = head if len(head) <= _LONGEST_REPEATED and len(cells) > 1 else ""
    at = 0
    while at < len(groups):
        lead = head if at else ""
        last = at
        while last + 1 < len(groups) and len(lead) + ends[last + 1] - starts[at] <= LONGEST_SENTENCE:
            last += 1
        shift = len(lead) - starts[at]
        held = tuple(
            replace(cell, start=cell.start + shift, end=cell.end + shift)
            for group in groups[at : last + 1]
            for cell in group
        )
        if ends[last] - starts[at] + len(lead) <= LONGEST_SENTENCE:
            yield lead + text[starts[at] : ends[last]], held
        else:  # a cell longer than a passage: in sentences
            for start, end in split(text[starts[at] : ends[last]]):
                lead_in = lead if at or not start else head
                yield lead_in + text[starts[at] + start : starts[at] + end], ()
        at = last + 1
