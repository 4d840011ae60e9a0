"""Days that are written in both calendars at once, and which days a month has."""

from __future__ import annotations

from models.values.dates.calendar import GREGORIAN, JULIAN, astronomical, days_of, month_length

LAST_YEAR_OF_BOTH = 1930  # the Julian calendar went out of use by 1923; dates were written in both for a while
MonthDay = tuple[int, int]


def valid_day(year: int, month: int, day: int) -> bool:
    """True where a month (1–12) of a year (as in Wikidata's JSON) has such a day, in either calendar."""
    return 1 <= day <= 28 or 1 <= day <= month_length(astronomical(year), month, JULIAN)


def gregorian_of(year: int, one: MonthDay, two: MonthDay) -> tuple[int, int, int] | None:
    """The Gregorian date of "11/22 February 1732": one of the two in the Julian calendar is the other in ours.

    None where they are two days, or later than anyone wrote so. `year` is that of the date as written; the Gregorian
    one may be in the next year.
    """
    if year > LAST_YEAR_OF_BOTH:
        return None
    for julian, gregorian in ((one, two), (two, one)):
        if not (valid_day(year, *julian) and valid_day(year, *gregorian)):
            continue
        for before, after in ((year, year), (year - 1, year), (year, year + 1)):
            if before and after and days_of(before, *julian, JULIAN) == days_of(after, *gregorian, GREGORIAN):
                return after, *gregorian
    return None
