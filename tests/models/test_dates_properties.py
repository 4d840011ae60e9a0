"""What holds for any date in any form, and for any text at all."""

from __future__ import annotations

import time
from datetime import date, timedelta
from itertools import pairwise

import pytest
from babel.dates import format_date
from hypothesis import assume, given
from hypothesis import strategies as st

from models.statement import TimeValue
from models.values.dates import compare, find_dates
from models.values.dates.calendar import GREGORIAN, JULIAN, date_of, day_number

DAYS = st.dates(date(1000, 1, 1), date(2099, 12, 31))
LATE = st.dates(date(1924, 1, 1), date(2099, 12, 31))  # no calendar but one
FORMS = (
    "{d.day} {d:%B} {d.year}", "{d:%B} {d.day}, {d.year}", "{d:%Y-%m-%d}", "{d.day}.{d.month}.{d.year}",
    "{d.day} {d:%b} {d.year}", "{d:%b}. {d.day} {d.year}", "{d.year} {d:%B} {d.day}",
    "{d:%A}, {d.day} {d:%B}, {d.year}", "{d:%d-%b-%Y}", "{d:%Y/%m/%d}", "{d.year}年{d.month}月{d.day}日",
    "the {d.day}th day of {d:%B} in the year {d.year}", "{d.day} {roman} {d.year}", "{d:%Y-%m-%d}T10:00:00Z",
    "{d:%B} the {d.day}th, {d.year}", "{d:%d/%m/%Y}", "{d:%m/%d/%Y}",
)  # fmt: skip
ROMAN = "I II III IV V VI VII VIII IX X XI XII".split()
LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "sv", "ja", "zh")


def value(day: date, precision: int = 11) -> TimeValue:
    month, number = day.month if precision > 9 else None, day.day if precision > 10 else None
    return TimeValue(day.year, month, number, precision)


def written(form: str, day: date) -> str:
    return form.format(d=day, roman=ROMAN[day.month - 1])


@given(
    DAYS,
    st.sampled_from(FORMS),
    st.sampled_from(["", "He died on ", "(", "born: "]),
    st.sampled_from(["", ".", ")", ", x"]),
)
def test_a_day_in_any_form_is_that_day_month_and_year(day: date, form: str, before: str, after: str) -> None:
    found = find_dates(before + written(form, day) + after)
    assert [compare(value(day, precision), found[0]) for precision in (9, 10, 11)] == ["exact"] * 3
    assert len(found) == 1


@given(DAYS, st.sampled_from(LANGUAGES), st.sampled_from(["long", "full", "medium"]))
def test_a_day_in_any_of_the_languages_is_that_day(day: date, language: str, length: str) -> None:
    found = find_dates(format_date(day, format=length, locale=language))
    assert [compare(value(day), mention) for mention in found] == ["exact"]


@given(LATE, LATE, st.sampled_from(FORMS[:-2]))
def test_another_day_conflicts(one: date, two: date, form: str) -> None:
    assume(one != two and (one.month, one.day) != (two.day, two.month))
    (mention,) = find_dates(written(form, one))
    assert compare(value(two), mention) == ("exact" if mention.other == (two.month, two.day) else "conflict")


@given(DAYS, st.integers(1, 9))
def test_what_is_coarser_agrees_and_does_not_support(day: date, shift: int) -> None:
    for text in (f"in {day.year}", f"{day:%B} {day.year}", f"the {day.year // 10 * 10}s"):
        (mention,) = find_dates(text)
        assert compare(value(day), mention) in {"coarser", "unclear"} if day.year % 100 < 10 else {"coarser"}
    (mention,) = find_dates(f"in {day.year}")
    assert compare(TimeValue(day.year + shift, None, None, 9), mention) == "conflict"


@given(st.integers(day_number(1200, 1, 1, JULIAN), day_number(1922, 1, 1, GREGORIAN)), st.booleans())
def test_one_day_in_two_calendars_is_one_date(number: int, gregorian: bool) -> None:
    calendars = (GREGORIAN, JULIAN) if gregorian else (JULIAN, GREGORIAN)
    stated, shown = (date_of(number, calendar) for calendar in calendars)
    text = f"{shown[2]} {date(2000, shown[1], 1):%B} {shown[0]}"
    (mention,) = find_dates(text)
    late = gregorian and stated[0] > 1752
    wanted = "exact" if not late else "unclear" if shown[0] <= 1918 else "conflict"
    assert compare(TimeValue(*stated, 11, calendars[0]), mention) == wanted


@given(DAYS, st.integers(1, 110), st.integers(0, 364))
def test_an_age_agrees_with_every_day_of_its_year(born: date, age: int, days: int) -> None:
    assume((born.month, born.day) != (2, 29))
    died = date(born.year + age, born.month, born.day) + timedelta(days=days)
    found = find_dates(f"born {born.day} {born:%B} {born.year}, she died aged {age}")
    assert [mention.role for mention in found] == ["", "aged"]
    assert compare(value(died), found[1]) == compare(value(died, 9), found[1]) == "coarser"


@given(st.integers(-4000, -1), st.sampled_from(["{} BC", "{} BCE", "{} B.C.", "{} v. Chr."]))
def test_a_year_before_christ_is_itself_in_its_century(number: int, form: str) -> None:
    (mention,) = find_dates(form.format(-number))
    assert compare(TimeValue(number, None, None, 9), mention) == "exact"
    assert compare(TimeValue(number, None, None, 7), mention) == "exact"
    assert compare(TimeValue(number - 1, None, None, 9), mention) == "conflict"


WORDS = (
    "1 12 31 1966 842 44 000 0 99 May january sept. 19th century the s ' ’ - – / . , : ( ) [ ] b. d. c. ca born died "
    "aged 82 between and or before after BC AD O.S. fl. million years ago Ma 年 月 日 世紀 XIX ix x of in year 20th st "
    "£ p. km twenty first II sixties % ² İ ß １９ \n \u00a0 _ T10 2012-04-14 15 1731/2 1999999 in his 83rd year not"
)
PIECES = st.lists(st.sampled_from(WORDS.split(" ")), max_size=40)


@given(st.one_of(st.text(max_size=200), PIECES.map(" ".join), PIECES.map("".join)))
def test_no_text_breaks_the_search(text: str) -> None:
    found = find_dates(text)
    for mention in found:
        assert 0 <= mention.start < mention.end <= len(text)
        assert mention.year != 0 or mention.span > 1
        for precision in range(15):
            assert compare(TimeValue(1966, 9, 14, precision), mention, text) in {
                "exact",
                "coarser",
                "unclear",
                "conflict",
            }
    assert all(one.end <= two.start for one, two in pairwise(found))


@given(
    st.integers(-5_000_000_000, 10**12),
    st.none() | st.integers(0, 99), st.none() | st.integers(0, 99), st.integers(-3, 20),
    st.sampled_from(["gregorian", "julian", "", "other"]),
)  # fmt: skip
def test_no_statement_breaks_the_comparison(
    year: int, month: int | None, day: int | None, precision: int, calendar: str
) -> None:
    for text in (
        "14 September 1666",
        "c. 44 BC",
        "19th century",
        "66 Ma",
        "03/04/05",
        "before 1850",
        "1731/2",
        "the 1800s",
    ):
        for mention in find_dates(text):
            assert compare(TimeValue(year, month, day, precision, calendar), mention) in {
                "exact", "coarser", "unclear", "conflict",
            }  # fmt: skip


@pytest.mark.parametrize(
    "piece",
    [
        "1", "1 ", "january ", "1-", "1/", "1.", "a", "1966 ", "1966-", "i ", "12 september ", "1 million years ",
        "born 1900 died aged 82 ", "1,000,", "first ", "fl. 1850 ", "between 1850 and ", "(", "1.2.1999.", "İ1",
        "1966 Aa", "c.", "c. ", "before ", "the ", "19th - ", "12 (", "14–", "born ", "Abc ", "year 1 ", "年1",
    ],
)  # fmt: skip
def test_hostile_text_takes_time_in_proportion_to_its_length(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    began = time.process_time()
    find_dates("1966 years old, aged 5, millions " + text)
    assert time.process_time() - began < 5, "quadratic search would take minutes"
