"""Sentences of a block, and the windows of one and two of them that become passages."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from models.evidence import Passage
from models.read.page import Block

if TYPE_CHECKING:
    from spacy.language import Language

LONGEST_SENTENCE = 600  # characters; what is longer is cut, so that one run-on page can't crowd out the rest
_ENDLESS = re.compile(r"\S{400}")  # no language has such words, and the tokeniser is slow on them
_LONGEST_LINE = 50_000  # characters given to the splitter at once
MOST_PASSAGES = 12_000
_SPLITTABLE = 40  # a block shorter than this is one sentence


@cache
def _splitter() -> Language:
    import spacy  # noqa: PLC0415 - takes seconds, and only who reads a page needs it

    # The rule-based sentence splitter over spaCy's English tokeniser, which knows "Dr.", "Jan." and "J. R. R.".
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.max_length = 2_000_000
    return nlp


def split(text: str) -> list[tuple[int, int]]:
    """Character spans (start, end) of the sentences of a block, in order, without surrounding space.

    A line break in the block ends a sentence. Every character that isn't space is in exactly one span.
    """
    spans: list[tuple[int, int]] = []
    offset = 0
    for line in text.split("\n"):
        if len(line) < _SPLITTABLE or _ENDLESS.search(line):
            spans.extend(_cut(offset, offset + len(line)))
        else:
            for at in range(0, len(line), _LONGEST_LINE):
                for sentence in _splitter()(line[at : at + _LONGEST_LINE]).sents:
                    spans.extend(_cut(offset + at + sentence.start_char, offset + at + sentence.end_char))
        offset += len(line) + 1
    trimmed = (_trim(text, start, end) for start, end in spans)
    return [(start, end) for start, end in trimmed if start < end]


def _cut(start: int, end: int) -> list[tuple[int, int]]:
    edges = [*range(start, end, LONGEST_SENTENCE), end]
    return list(pairwise(edges))


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


_KINDS = {"table": "table", "structured": "structured"}


def passages_of(blocks: tuple[Block, ...]) -> tuple[Passage, ...]:
    """Windows of one and of two sentences within each block, never across blocks (ProVe, section 4.2)."""
    passages: list[Passage] = []
    for index, block in enumerate(blocks):
        if len(passages) >= MOST_PASSAGES:
            break
        kind = _KINDS.get(block.kind, "text")
        spans = [(0, len(block.text))] if kind != "text" and len(block.text) <= LONGEST_SENTENCE else split(block.text)
        for width in (1, 2):
            for first in range(len(spans) - width + 1):
                last = first + width - 1
                text = block.text[spans[first][0] : spans[last][1]].replace("\n", " ")
                passages.append(Passage(text, kind, index, first, last, block.heading, block.boilerplate))
    return tuple(passages)
