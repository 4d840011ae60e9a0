"""A page taken apart once, however many statements are matched against it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from functools import cached_property
from typing import TypeVar

from models.evidence import Passage
from models.read.page import Page
from models.values.appeared import appeared
from models.values.cues import Stems, stems_of
from models.values.dates import DateMention, find_dates
from models.values.dates.relative import find_relative
from models.values.gender import told_gender
from models.values.quantities import QuantityMention, find_quantities
from models.values.words import Words, words_of

T = TypeVar("T")


class PageWords:
    """The words, dates and amounts of a page's passages, each taken apart when first asked for and then kept.

    It lives as long as its page is being judged; nothing is kept beyond that.
    """

    def __init__(self, page: Page) -> None:
        self.language = page.language
        self.title = page.title
        self._page = page
        self.passages: Sequence[Passage] = page.passages
        self.is_head = tuple(page.blocks[one.block].kind in {"title", "heading"} for one in page.passages)
        self._words: dict[str, Words] = {}
        self._stems: dict[str, Stems] = {}
        self._dates: dict[str, tuple[DateMention, ...]] = {}
        self._quantities: dict[str, tuple[QuantityMention, ...]] = {}

    @cached_property
    def appeared(self) -> date | None:
        """The day that the page appeared."""
        return appeared(self._page)

    @cached_property
    def gender(self) -> str:
        """What the pronouns of the page's own text tell: "male", "female" or ""."""
        return told_gender(one.text for one in self.passages if not one.boilerplate and one.first == one.last)

    @cached_property
    def headings(self) -> tuple[str, ...]:
        """The different headings that passages stand under."""
        return tuple(dict.fromkeys(one.heading for one in self.passages))

    def words(self, text: str) -> Words:
        """The words of a text of the page."""
        return _kept(self._words, text, words_of)

    def stems(self, text: str) -> Stems:
        """The stems of a text of the page."""
        return _kept(self._stems, text, lambda one: stems_of(self.words(one)))

    def dates(self, text: str) -> tuple[DateMention, ...]:
        """The dates that a text of the page names, those among them that it gives beside the day it appeared."""
        return _kept(self._dates, text, self._find_dates)

    def _find_dates(self, text: str) -> tuple[DateMention, ...]:
        found = find_dates(text)
        return (*found, *(find_relative(text, self.appeared, found) if self.appeared else ()))

    def quantities(self, text: str) -> tuple[QuantityMention, ...]:
        """The amounts that a text of the page names."""
        return _kept(self._quantities, text, lambda one: tuple(find_quantities(one)))


def _kept(kept: dict[str, T], text: str, take_apart: Callable[[str], T]) -> T:
    found = kept.get(text)
    if found is None:
        found = kept[text] = take_apart(text)
    return found
