"""A date that a text names."""

from __future__ import annotations

from dataclasses import dataclass

Point = tuple[int, int | None, int | None]
"""Year as in Wikidata's JSON, month, day."""


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date that a text names, at [start, end). What the text doesn't give is None.

    `year` is as in Wikidata's JSON (44 BC is −44). `span` is the number of years that it may be: 1 for a year, 10 for a
    decade, 100 for a century, beginning at `year`. `about` is true where the text says so ("c. 1850").
    `other` is the same digits read the other way round as (month, day), where the two can't be told apart
    ("03/04/1990").
    `role`: "floruit" (the date of activity, so of neither birth nor death), "aged" (reckoned from an age and another
    date of the text), "dated" (reckoned from the day the page appeared), or "".
    `bound`: "before", "after", "by" (not later than) or "from" (not earlier than) where only a limit is given, or "".
    `calendar`: "julian" or "gregorian" where the text says so, or "".
    `short`: the century isn't given ("14/09/66", "the sixties"), and `year` is a guess.
    `part`: the part of the span that it lies in, a name of `models.values.dates.compare.PARTS`, or "".
    `last`: where one date lies between two ("between 1850 and 1853"), the later of them; the fields give the earlier.
    `run`: first and last of a run of days or months that the mention is an end of ("14–16 September 1966").
    `or_century`: "the 1800s", which may be ten years or a hundred.
    """

    start: int
    end: int
    year: int
    month: int | None = None
    day: int | None = None
    span: int = 1
    about: bool = False
    other: tuple[int, int] | None = None
    role: str = ""
    bound: str = ""
    calendar: str = ""
    short: bool = False
    part: str = ""
    last: Point | None = None
    run: tuple[Point, Point] | None = None
    or_century: bool = False
