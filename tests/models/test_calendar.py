"""Days counted through in both calendars."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.values.dates.calendar import GREGORIAN, JULIAN, date_of, day_number, days_of, month_length
from models.values.dates.dual import gregorian_of

CALENDARS = st.sampled_from([GREGORIAN, JULIAN])


@pytest.mark.parametrize(
    ("year", "month", "day", "calendar", "number"),
    [
        (-4712, 1, 1, JULIAN, 0),  # where the count begins
        (2000, 1, 1, GREGORIAN, 2_451_545),
        (1858, 11, 17, GREGORIAN, 2_400_001),  # the first modified Julian day
        (1582, 10, 15, GREGORIAN, 2_299_161),
        (1582, 10, 5, JULIAN, 2_299_161),
    ],
)
def test_days_that_are_known_have_their_numbers(year: int, month: int, day: int, calendar: str, number: int) -> None:
    assert day_number(year, month, day, calendar) == number
    assert date_of(number, calendar) == (year, month, day)


@given(st.dates(), st.dates())
def test_the_gregorian_calendar_counts_as_python_does(one: date, two: date) -> None:
    numbers = [day_number(day.year, day.month, day.day, GREGORIAN) for day in (one, two)]
    assert numbers[1] - numbers[0] == (two - one).days


@given(st.integers(-10_000_000, 10_000_000), CALENDARS)
def test_a_day_and_its_number_are_one(number: int, calendar: str) -> None:
    year, month, day = date_of(number, calendar)
    assert day_number(year, month, day, calendar) == number
    assert 1 <= month <= 12
    assert 1 <= day <= month_length(year, month, calendar)


@given(st.integers(-5000, 5000), st.integers(1, 12), CALENDARS)
def test_months_follow_each_other_without_a_gap(year: int, month: int, calendar: str) -> None:
    following = (year + 1, 1) if month == 12 else (year, month + 1)
    last = day_number(year, month, month_length(year, month, calendar), calendar)
    assert day_number(*following, 1, calendar) == last + 1


def test_only_the_julian_calendar_has_a_leap_day_in_1900() -> None:
    assert month_length(1900, 2, JULIAN) == 29
    assert month_length(1900, 2, GREGORIAN) == 28


def test_a_year_before_christ_comes_right_before_the_first() -> None:
    assert days_of(-1, None, None, JULIAN)[1] + 1 == days_of(1, None, None, JULIAN)[0]


@given(st.dates(date(1583, 1, 1), date(1929, 1, 1)))
def test_a_day_written_in_both_calendars_is_known(day: date) -> None:
    number = day_number(day.year, day.month, day.day, GREGORIAN)
    year, *julian = date_of(number, JULIAN)
    written = (julian[0], julian[1]), (day.month, day.day)
    assert gregorian_of(day.year, *written) == (day.year, day.month, day.day)
    assert gregorian_of(day.year, *reversed(written)) == (day.year, day.month, day.day)
    assert day.year - 1 <= year <= day.year


def test_two_days_in_one_date_are_not_always_one() -> None:
    assert gregorian_of(1732, (2, 11), (2, 23)) is None
    assert gregorian_of(1987, (1, 3), (1, 16)) is None, "nobody writes so any more"
