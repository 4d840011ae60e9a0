"""Days counted through in the Julian and the Gregorian calendar, so that dates compare as spans of days.

Both calendars run without end in both directions (proleptic). A day is its Julian Day Number: 0 is 1 January
4713 BC of the Julian calendar, 2451545 is 1 January 2000 of the Gregorian.
"""

from __future__ import annotations

GREGORIAN = "gregorian"
JULIAN = "julian"

Days = tuple[float, float]
"""First and last day, both within; infinite where a side is open."""

_YEAR_FROM_MARCH = {GREGORIAN: 1721120, JULIAN: 1721118}  # the day number of 1 March of the astronomical year 0


def astronomical(year: int) -> int:
    """The year on a line with a year 0, of a year as Wikidata's JSON writes it: −44 (44 BCE) is −43."""
    return year + 1 if year < 0 else year


def day_number(year: int, month: int, day: int, calendar: str) -> int:
    """The Julian Day Number of a date; `year` is astronomical. A day past a month's end runs into the next month."""
    # Years begin in March here, so that the leap day is the last of a year and months need no table.
    march_year = year - (month < 3)
    days = 365 * march_year + march_year // 4 + (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    if calendar == GREGORIAN:
        days += march_year // 400 - march_year // 100
    return days + _YEAR_FROM_MARCH[calendar]


def date_of(number: int, calendar: str) -> tuple[int, int, int]:
    """Year (astronomical), month and day of a Julian Day Number: `day_number` backwards."""
    days = number - _YEAR_FROM_MARCH[calendar]
    centuries = 0
    if calendar == GREGORIAN:
        cycles, days = divmod(days, 146_097)
        hundreds = min(days // 36_524, 3)  # the fourth century of a cycle is a day longer
        days -= hundreds * 36_524
        centuries = 400 * cycles + 100 * hundreds
    fours, days = divmod(days, 1461)
    ones = min(days // 365, 3)
    days -= ones * 365
    month = (5 * days + 2) // 153
    day = days - (153 * month + 2) // 5 + 1
    return centuries + 4 * fours + ones + (month >= 10), (month + 2) % 12 + 1, day


def month_length(year: int, month: int, calendar: str) -> int:
    """How many days a month has; `year` is astronomical."""
    later = (year + 1, 1) if month == 12 else (year, month + 1)
    return day_number(*later, 1, calendar) - day_number(year, month, 1, calendar)


def days_of(year: int, month: int | None, day: int | None, calendar: str) -> Days:
    """The days of a day, a month or a year; `year` as in Wikidata's JSON."""
    whole = astronomical(year)
    if month is None:
        return days_of_years(whole, whole, calendar)
    if day is None:
        first = day_number(whole, month, 1, calendar)
        return first, first + month_length(whole, month, calendar) - 1
    only = day_number(whole, month, day, calendar)
    return only, only


def days_of_years(first: int, last: int, calendar: str) -> Days:
    """The days of a run of years, both within; both astronomical."""
    return day_number(first, 1, 1, calendar), day_number(last + 1, 1, 1, calendar) - 1
