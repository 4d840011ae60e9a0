"""A page under construction: filled wordings become blocks, and each fact is kept with the sentences that say it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from models.read.page import Block, Page
from models.read.sentences import LONGEST_SENTENCE, passages_of, split
from models.statement import EntityValue
from models.training.sheets.fill import Filled
from models.training.sheets.sheet import Fact, Said, Sheet
from models.training.sheets.thing import Thing

_MOST_SENTENCES = 2  # of a passage


class Draft:
    """Blocks and what they say, in document order."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.blocks: list[Block] = []
        self.said: list[Said] = []

    def plain(self, text: str, kind: str = "text", heading: str = "", boilerplate: bool = False) -> None:
        """Adds a block that says no fact."""
        level = {"heading": 2, "title": 1, "list": 1}.get(kind, 0)
        self.blocks.append(Block(text, kind, heading, boilerplate, level, language="en"))

    def add(self, filled: Sequence[Filled], kind: str = "text", heading: str = "", joint: str = " ") -> None:
        """Adds a block of filled wordings, and what they say."""
        text, parts = "", []
        for one in filled:
            for number, part in enumerate(one.parts):
                if text:
                    text += joint if number == 0 else " "
                parts.append((one, number, len(text), len(text) + len(part)))
                text += part
        index = len(self.blocks)
        self.plain(text, kind, heading)
        whole = kind in {"table", "structured"} and len(text) <= LONGEST_SENTENCE
        spans = [(0, len(text))] if whole else split(text)
        said: dict[Fact, list[frozenset[int]]] = {}
        for one, number, start, end in parts:
            for mark in one.marks:
                if mark.part == number:
                    also = [
                        (first, last) for other, n, first, last in parts if other is one and n == number + mark.also
                    ]
                    first, last = min(start, also[0][0]), max(end, also[0][1])
                    needed = _needed(spans, first, last, start + mark.start, start + mark.end)
                    if mark.back and not _is_named(mark.fact, text[start:end]):
                        needed = frozenset()
                    said.setdefault(mark.fact, []).append(needed)
        for fact, places in said.items():
            self.said += [Said(fact, index, place) for place in dict.fromkeys(places)]

    def sheet(self, things: Iterable[Thing], source: str) -> Sheet:
        """The page with its passages, what it says, and what else holds of its things."""
        blocks = tuple(self.blocks)
        page = Page(self.title, "en", blocks, passages_of(blocks))
        said = {one.fact for one in self.said}
        known = dict.fromkeys(fact for thing in things for fact in thing.facts() if fact not in said)
        return Sheet(page, tuple(self.said), tuple(known), source)


def _is_named(fact: Fact, text: str) -> bool:
    return isinstance(fact.value, EntityValue) and any(name in text for name in fact.value.term.names)


def _needed(spans: Sequence[tuple[int, int]], start: int, end: int, value: int, value_end: int) -> frozenset[int]:
    """The sentences of a part, where they are few enough for a passage; else none, for nobody can tell."""
    held = frozenset(at for at, (first, last) in enumerate(spans) if first < end and last > start)
    holds_value = any(first <= value and value_end <= last for first, last in spans)
    return held if len(held) <= _MOST_SENTENCES and holds_value else frozenset()
