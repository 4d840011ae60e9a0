"""The day a page appeared, as it says itself: what "died on Thursday" in its text is reckoned from."""

from __future__ import annotations

import re
from datetime import date

from models.read.page import Block, Page
from models.values.dates import find_dates

_PUBLISHED = re.compile(
    r"(?:date published|published time|article:published[_ ]time|date created)\b[^:]*: ?(?P<day>\S+)", re.I
)
# All that may stand in a date line beside its dates.
_BESIDE = re.compile(
    r"\W|\d|\b(?:published|posted|updated|last|first|modified|date|dated|written|on|at|by|the|st|nd|rd|th|am|pm|a\.m|p\.m|"
    r"gmt|bst|utc|est|edt|et|cet|ist|pst|pdt|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun|day)(?:day)?\b",
    re.I,
)
_LONGEST = 90
_HEADS = 4  # of which one is the headline
_LOOKED_AT = 6  # blocks below it
_EARLIEST, _LATEST = 1700, 2100  # no newspaper is older; 0001 and 9999 are what a page has that doesn't know


def appeared(page: Page) -> date | None:
    """The day by a line of nothing but a date below the page's headline, else by its facts for machines, which in an
    archive's copy give the day of the copy; None where neither is there.
    """
    own = [block for block in page.blocks if not block.boilerplate and block.kind not in {"structured", "table"}]
    heads = [index for index, block in enumerate(own) if block.kind == "heading"][:_HEADS]
    below = (block for head in heads for block in own[head + 1 : head + 1 + _LOOKED_AT])
    facts = (block for block in page.blocks if block.kind == "structured")
    days = (*map(_date_line, below), *map(_published, facts))
    return next((day for day in days if day is not None and _EARLIEST <= day.year <= _LATEST), None)


def _published(fact: Block) -> date | None:
    match = _PUBLISHED.match(fact.text)
    try:
        return date.fromisoformat(match["day"][:10]) if match else None
    except ValueError:
        return None


def _date_line(block: Block) -> date | None:
    if len(block.text) > _LONGEST:
        return None
    dates = [one for one in find_dates(block.text) if one.day and one.month]
    if not dates or dates[0].other:
        return None
    rest = block.text
    for one in reversed(dates):
        rest = f"{rest[: one.start]} {rest[one.end :]}"
    if _BESIDE.sub("", rest):
        return None
    try:
        return date(dates[0].year, dates[0].month or 1, dates[0].day or 1)
    except ValueError:
        return None
