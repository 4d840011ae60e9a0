"""Dates in running text, and how they stand to a statement's date (cases 9 and 10)."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.statement import TimeValue, parse_value
from models.values.dates import compare, find_dates

DAY = TimeValue(1966, 9, 14, 11)


def verdicts(value: TimeValue, text: str) -> list[str]:
    return [compare(value, mention, text) for mention in find_dates(text)]


@pytest.mark.parametrize(
    "text",
    [
        "14th of September, 1966", "Sept. 14 1966", "14.9.1966", "1966-09-14", "14/09/66",
        "born 14 September 1966 in Leeds",
        "September 14th, 1966", "14 septembre 1966", "14. September 1966", "14 de septiembre de 1966", "1966 Sep 14",
        "14 Sept 1966", "14 SEPTEMBER 1966",
    ],
)  # fmt: skip
def test_a_day_is_recognised_however_it_is_written(text: str) -> None:
    assert "exact" in verdicts(DAY, text)


@pytest.mark.parametrize("text", ["15 September 1966", "14 October 1966", "14 September 1967", "1966-09-15"])
def test_another_day_conflicts(text: str) -> None:
    assert verdicts(DAY, text) == ["conflict"]


@pytest.mark.parametrize("text", ["in 1966 he", "September 1966"])
def test_a_coarser_date_neither_supports_nor_refutes_a_day(text: str) -> None:
    assert verdicts(DAY, text) == ["coarser"]


def test_a_bare_year_supports_a_year() -> None:
    assert verdicts(TimeValue(1966, None, None, 9), "He was born in 1966.") == ["exact"]


def test_the_first_of_january_is_not_read_into_a_year() -> None:
    assert verdicts(TimeValue(1944, 1, 1, 11), "Date of Death: 1944") == ["coarser"]


def test_a_month_in_wikidata_has_no_day() -> None:
    value = parse_value(
        {"type": "time", "value": {"time": "+1990-11-00T00:00:00Z", "precision": 10, "calendarmodel": "x/Q1985727"}},
        lambda _: pytest.fail("a date needs no words"),
    )
    assert value == TimeValue(1990, 11, None, 10)
    assert verdicts(value, "3 November 1990") == ["exact"]
    assert verdicts(value, "3 December 1990") == ["conflict"]


def test_both_ends_of_a_span_are_read() -> None:
    assert [mention.year for mention in find_dates("John Bowman (1763–1825), settler")] == [1763, 1825]
    assert [mention.year for mention in find_dates("bap. 1803–09")] == [1803, 1809]


def test_years_before_christ_are_negative() -> None:
    assert verdicts(TimeValue(-44, None, None, 9), "killed in 44 BC") == ["exact"]
    assert verdicts(TimeValue(44, None, None, 9), "killed in 44 BC") == ["conflict"]
    assert verdicts(TimeValue(-44, 3, 15, 11), "died on 15 March 44 BC") == ["exact"]


@pytest.mark.parametrize(
    ("text", "how"), [("the 19th century", "exact"), ("in 1850", "exact"), ("in 1750", "conflict")]
)
def test_a_century_holds_its_years(text: str, how: str) -> None:
    assert verdicts(TimeValue(1900, None, None, 7), text) == [how]


@pytest.mark.parametrize("text", ["$1966", "room 12", "1,966 people", "No. 1966/7/8/9", "ISBN 1966123456"])
def test_numbers_that_are_no_dates_are_left_alone(text: str) -> None:
    assert "exact" not in verdicts(DAY, text)


def test_day_and_month_that_cannot_be_told_apart_support_either() -> None:
    assert verdicts(TimeValue(1990, 4, 3, 11), "03/04/1990") == ["exact"]
    assert verdicts(TimeValue(1990, 3, 4, 11), "03/04/1990") == ["exact"]
    assert verdicts(TimeValue(1990, 3, 5, 11), "03/04/1990") == ["conflict"]


FORMS = ("{d.day} {d:%B} {d.year}", "{d:%B} {d.day}, {d.year}", "{d:%Y-%m-%d}", "{d.day}.{d.month}.{d.year}")


@given(st.dates(date(1000, 1, 1), date(2099, 12, 28)), st.sampled_from(FORMS), st.text(max_size=30))
def test_any_day_in_any_form_is_found_and_no_other_day_is(day: date, form: str, after: str) -> None:
    text = f"on {form.format(d=day)} ({after}"
    mention = find_dates(text)[0]
    assert compare(TimeValue(day.year, day.month, day.day, 11), mention, text) == "exact"
    assert compare(TimeValue(day.year + 1, day.month, day.day, 11), mention, text) == "conflict"
    assert text[mention.start : mention.end] == form.format(d=day)


@given(st.text(max_size=300))
def test_no_text_breaks_the_search_and_spans_lie_within(text: str) -> None:
    for mention in find_dates(text):
        assert 0 <= mention.start < mention.end <= len(text)
