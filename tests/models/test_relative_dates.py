"""Dates that a newspaper gives beside the day it appeared."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.read.page import Block, Page
from models.values.appeared import appeared
from models.values.dates import find_dates
from models.values.dates.relative import find_relative

SATURDAY = date(2011, 8, 6)


def days(text: str, when: date = SATURDAY) -> list[tuple[int, int | None, int | None]]:
    return [(one.year, one.month, one.day) for one in find_relative(text, when, find_dates(text))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("She died on Wednesday in Bua Chet.", [(2011, 8, 3)]),
        ("He died on Saturday.", [(2011, 8, 6)]),
        ("He died last Saturday.", [(2011, 7, 30)]),
        ("He died Wednesday at his home.", [(2011, 8, 3)]),
        ("He shot himself at his chalet in Gstaad on Friday.", [(2011, 8, 5)]),
        ("He died yesterday at his home.", [(2011, 8, 5)]),
        ("He died on May 3 at his home.", [(2011, 5, 3)]),
        ("He died on 3 May at his home.", [(2011, 5, 3)]),
        ("He died 9 November at home.", [(2010, 11, 9)]),
        ("He died on Dec. 28 at his home.", [(2010, 12, 28)]),
        ("He died on May 3, 2007.", []),
        ("He died on 3 May 2007.", []),
        ("In 1951 he left for Italy. He died there on May 4.", []),
        ("He has died, her publisher said on Friday.", []),
        ("He has died aged 84, it was announced on Friday.", []),
        ("She died on Good Friday.", []),
        ("She died on a Monday.", []),
        ("She died a year ago on Tuesday.", []),
        ("The funeral will be held Monday.", []),
        ("She was born on Wednesday.", []),
        ("Friday was born in Dallas.", []),
        ("He died in March 12 miles from home.", []),
        ("He died on May 30-31.", []),
        ("Chapter 3 of the book", []),
        ("No day here.", []),
    ],
)
def test_a_day_of_death_is_reckoned_from_the_day_the_page_appeared(
    text: str, found: list[tuple[int, int, int]]
) -> None:
    assert days(text) == found


@given(st.dates(date(1900, 1, 1), date(2100, 1, 1)), st.sampled_from(["Monday", "Tuesday", "Friday", "Sunday"]))
def test_a_weekday_is_one_of_the_last_seven_days(when: date, weekday: str) -> None:
    (found,) = days(f"He died on {weekday}.", when)
    day = date(*found)  # type: ignore[arg-type]
    assert when - timedelta(days=7) < day <= when
    assert day.strftime("%A") == weekday


@given(st.text(max_size=200))
def test_no_text_is_too_odd(text: str) -> None:
    for one in find_relative(text, SATURDAY, ()):
        assert 0 <= one.start < one.end <= len(text)


def page(*blocks: Block) -> Page:
    return Page("", "en", blocks, ())


HEADLINE = Block("Ann Lee, Writer, Dies at 66", "heading")


def test_the_line_below_the_headline_says_when_a_page_appeared() -> None:
    copied = Block("date published: 2022-03-08T10:00:00Z", "structured")
    below = (Block("By Margaret Fox", "text"), Block("Aug. 6, 2011", "list"))
    assert appeared(page(copied, HEADLINE, *below)) == SATURDAY


def test_facts_for_machines_say_it_where_no_line_does() -> None:
    assert appeared(page(Block("date published: 2011-08-06T10:00:00Z", "structured"), HEADLINE)) == SATURDAY


def test_a_date_in_a_sentence_is_not_the_day_a_page_appeared() -> None:
    assert appeared(page(HEADLINE, Block("She was born on 12 May 1901 in Leeds, a baker's child.", "text"))) is None


@pytest.mark.parametrize(
    ("line", "when"),
    [
        ("Published: 6 August 2011", SATURDAY),
        ("Published 6 Aug 2011 at 09:15 GMT | Updated 7 Aug 2011", SATURDAY),
        ("Saturday, 6 August 2011", SATURDAY),
        ("Born: 6 August 2011", None),
        ("He was born on 6 August 2011.", None),
        ("Founded 6 August 2011", None),
        ("1 January 0001", None),
    ],
)
def test_only_a_date_line_says_when_a_page_appeared(line: str, when: date | None) -> None:
    assert appeared(page(HEADLINE, Block(line, "text"))) == when


@pytest.mark.parametrize("day", ["0001-01-01T00:00:00Z", "9999-12-31", "2011-99-99", "soon"])
def test_a_day_that_no_page_appeared_on_is_none(day: str) -> None:
    assert appeared(page(Block(f"date published: {day}", "structured"), HEADLINE)) is None
