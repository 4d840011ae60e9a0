"""What the words around a date make of it, and dates that lie between two or are reckoned from an age."""

from __future__ import annotations

import pytest

from models.statement import TimeValue
from models.values.dates import DateMention, compare, find_dates


def year(number: int) -> TimeValue:
    return TimeValue(number, None, None, 9)


def julian(year: int, month: int, day: int) -> TimeValue:
    return TimeValue(year, month, day, 11, "julian")


def only(text: str) -> DateMention:
    (mention,) = find_dates(text)
    return mention


def how(value: TimeValue, text: str) -> str:
    return compare(value, only(text), text)


@pytest.mark.parametrize(
    "text",
    [
        "c. 1850", "ca 1850", "circa 1850", "c.1850", "about 1850", "um 1850", "около 1850", "1850?", "vers 1850",
        "etwa 1850", "hacia 1850", "około 1850 roku", "alrededor de 1850", "omstreeks 1850", "1850 ca.",
    ],
)  # fmt: skip
def test_about_a_round_year_agrees_with_five_years_to_either_side(text: str) -> None:
    assert only(text).about
    found = [how(year(number), text) for number in (1839, 1840, 1844, 1845, 1850, 1853, 1855, 1856, 1860, 1861)]
    assert found == [
        "conflict", "unclear", "unclear", "coarser", "exact", "coarser", "coarser", "unclear", "unclear", "conflict",
    ]  # fmt: skip


def test_about_a_year_that_is_no_round_one_agrees_with_two_years_to_either_side() -> None:
    found = [how(year(number), "c. 1847") for number in (1842, 1843, 1845, 1847, 1849, 1850, 1852)]
    assert found == ["conflict", "unclear", "coarser", "exact", "coarser", "unclear", "conflict"]
    assert how(TimeValue(1849, 5, 3, 11), "c. 1847") == "coarser"
    assert [mention.about for mention in find_dates("1850, c. 1860")] == [False, True]


def test_what_was_before_a_named_day_leaves_that_day_named() -> None:
    for text in (
        "the night before the 5th of November, 1605",
        "two days after 5 November 1605",
        "am Tag nach dem 5. November 1605",
        "la noche antes del 5 de noviembre de 1605",
    ):
        assert how(TimeValue(1605, 11, 5, 11), text) == "exact", text
    assert only("in the years before 1914").bound == "before"
    assert only("closed before 5 November 1905").bound == "before"


@pytest.mark.parametrize("text", ["before 1850", "prior to 1850", "pre-1850", "earlier than 1850", "vor 1850"])
def test_what_was_before_a_year_was_not_after_it(text: str) -> None:
    found = [how(year(number), text) for number in (1700, 1849, 1850, 1900)]
    assert found == ["unclear", "coarser", "unclear", "conflict"]


@pytest.mark.parametrize("text", ["by 1850", "no later than 1850", "not after 1850"])
def test_what_was_by_a_year_may_have_been_in_it(text: str) -> None:
    found = [how(year(number), text) for number in (1700, 1849, 1850, 1900)]
    assert found == ["unclear", "coarser", "coarser", "conflict"]


@pytest.mark.parametrize(
    ("text", "itself"),
    [
        ("after 1850", "unclear"), ("post-1850", "unclear"), ("later than 1850", "unclear"), ("nach 1850", "unclear"),
        ("not before 1850", "coarser"), ("no earlier than 1850", "coarser"),
    ],
)  # fmt: skip
def test_what_was_after_a_year_was_not_before_it(text: str, itself: str) -> None:
    assert [how(year(number), text) for number in (1800, 1850, 1851)] == ["conflict", itself, "coarser"]


@pytest.mark.parametrize(
    "text",
    ["born between 1850 and 1853", "between 1850 and 1853", "born 1850 or 1853", "built sometime between 1850–53"],
)
def test_one_date_between_two_is_a_coarser_one(text: str) -> None:
    assert [how(year(y), text) for y in (1849, 1850, 1851, 1853, 1855)] == [
        "conflict", "coarser", "coarser", "coarser", "conflict",
    ]  # fmt: skip
    assert how(TimeValue(1850, None, None, 8), text) == "exact"


def test_a_birth_was_in_one_of_two_years_and_a_season_in_both() -> None:
    one, two = find_dates("Season 1998/99: 34 matches")
    assert compare(year(1998), one) == compare(year(1999), two) == "exact"
    assert [how(year(y), "born 1763/4") for y in (1762, 1763, 1764, 1765)] == [
        "conflict", "coarser", "coarser", "conflict",
    ]  # fmt: skip


def test_a_time_between_two_years_has_them_as_its_ends() -> None:
    one, two = find_dates("She taught drawing there between 1905 and 1929")
    assert compare(year(1905), one) == compare(year(1929), two) == "exact"
    assert compare(year(1910), one) == "coarser"
    assert compare(year(1930), two) == "conflict"


def test_what_lasted_from_day_to_day_was_on_those_between_too() -> None:
    days = find_dates("held on 14–17 September 1966")
    assert [mention.day for mention in days] == [14, 17]
    assert {compare(TimeValue(1966, 9, 15, 11), mention) for mention in days} == {"coarser"}
    assert {compare(TimeValue(1966, 9, 18, 11), mention) for mention in days} == {"conflict"}


def test_two_days_are_no_run() -> None:
    days = find_dates("held on 14 and 17 September 1966")
    assert {compare(TimeValue(1966, 9, 15, 11), mention) for mention in days} == {"conflict"}


def test_a_range_with_about_before_it_is_one_date() -> None:
    assert how(year(1853), "ca. 1845–1860, walnut") == "coarser"


def test_a_long_range_with_about_before_it_is_a_life() -> None:
    one, two = find_dates("Sir Roger (c. 1495–1565)")
    assert compare(year(1497), one) == "coarser"
    assert compare(year(1565), two) == "exact"


def test_a_stroke_between_round_years_leaves_the_date_between_them() -> None:
    found = [how(year(number), "Ferrara, um 1430/35") for number in (1425, 1428, 1433, 1437, 1440)]
    assert found == ["conflict", "unclear", "coarser", "unclear", "conflict"]


def test_the_ends_of_a_life_say_nothing_of_the_years_within() -> None:
    assert {compare(year(1800), mention) for mention in find_dates("John Bowman (1763–1825)")} == {"conflict"}


@pytest.mark.parametrize(
    "text", ["fl. 1850", "floruit 1850", "active in Paris, 1850", "flourished c. 1850", "Years active: 1850"]
)
def test_a_floruit_is_marked(text: str) -> None:
    assert only(text).role == "floruit"


def test_both_ends_of_a_floruit_are_marked_and_a_birth_is_not() -> None:
    assert [mention.role for mention in find_dates("active 1831-1871, died 1880")] == ["floruit", "floruit", ""]
    assert only("Miami, FL 1966").role == ""


@pytest.mark.parametrize(
    ("text", "value", "wanted"),
    [
        ("late 19th century", 1880, "coarser"), ("late 19th century", 1850, "unclear"),
        ("first half of the 19th century", 1830, "coarser"), ("first half of the 19th century", 1870, "conflict"),
        ("early 1960s", 1961, "coarser"), ("early 1960s", 1969, "unclear"), ("mid-19th-century", 1850, "coarser"),
        ("19th century", 1900, "coarser"), ("19th century", 1800, "unclear"), ("19th century", 1901, "conflict"),
        ("the 1800s", 1805, "coarser"), ("the 1800s", 1850, "unclear"), ("the 1800s", 1910, "conflict"),
    ],
)  # fmt: skip
def test_a_part_of_a_century(text: str, value: int, wanted: str) -> None:
    assert how(year(value), text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "11/22 February 1731/2", "11 February 1731 (O.S.)", "11 February 1731/2", "11 Feb 1731/32", "22 February 1732",
        "22 February 1732 (N.S.)", "11 (22) February 1732", "O.S. 11 February 1731", "11 February 1732 (Old Style)",
        "11 February 1732 (Julian calendar)",
    ],
)  # fmt: skip
def test_a_day_is_the_same_in_either_calendar(text: str) -> None:
    assert "exact" in {compare(TimeValue(1732, 2, 22, 11), mention) for mention in find_dates(text)}
    assert "exact" in {compare(julian(1732, 2, 11), mention) for mention in find_dates(text)}
    assert {compare(TimeValue(1732, 2, 23, 11), mention) for mention in find_dates(text)} == {"conflict"}


def test_a_gregorian_day_agrees_with_a_julian_statement_and_early_the_other_way_round() -> None:
    assert how(julian(1866, 9, 2), "born 14 September 1866") == "exact"
    assert how(TimeValue(1732, 2, 22, 11), "born 11 February 1732") == "exact"
    assert how(TimeValue(1866, 9, 14, 11), "26 September 1866") == "conflict"


def test_a_day_that_would_be_the_julian_one_is_left_open_until_1918() -> None:
    assert how(TimeValue(1866, 9, 14, 11), "born 2 September 1866 in Moscow") == "unclear"
    assert how(TimeValue(1866, 9, 14, 11), "born 2 September 1866 (O.S.)") == "exact"
    assert how(TimeValue(1752, 9, 14, 11), "born 3 September 1752") == "exact"
    assert how(TimeValue(1753, 9, 14, 11), "born 3 September 1753") == "unclear"
    assert how(TimeValue(1919, 5, 14, 11), "born 1 May 1919") == "conflict"
    assert how(TimeValue(1921, 4, 3, 11), "March 1921") == "conflict"
    assert how(TimeValue(1911, 4, 3, 11), "March 1911") == "unclear"


def test_the_same_figures_agree_where_the_text_names_no_calendar() -> None:
    assert how(julian(1866, 9, 2), "born 2 September 1866") == "exact"
    assert how(julian(1400, 5, 3), "born 3 May 1400") == "exact"


def test_a_new_year_between_the_calendars_leaves_the_year_open() -> None:
    assert how(TimeValue(1866, 1, 6, 11), "born on 25 December 1865") == "unclear"
    assert how(TimeValue(1719, 1, 6, 11), "born on 26 December 1718") == "exact"
    assert how(year(1866), "born on 25 December 1865") == "unclear"
    assert how(TimeValue(1866, 1, 6, 11), "born in 1865") == "unclear"
    assert how(year(1866), "born in 1865") == "conflict"
    assert how(TimeValue(1966, 1, 6, 11), "born in 1965") == "conflict"


def test_a_mark_of_the_other_calendar_on_the_same_figures_is_left_open() -> None:
    assert how(TimeValue(1866, 9, 14, 11), "14 September 1866 (O.S.)") == "unclear"


def test_no_calendar_shifts_a_date_of_our_time() -> None:
    assert how(TimeValue(1966, 9, 14, 11), "1 September 1966") == "conflict"


AGED = "born 3 May 1900 in Leeds, she died {}"


@pytest.mark.parametrize("words", ["aged 82", "at the age of 82", "at age 82", "in her 83rd year", "(aged 82)"])
def test_an_age_gives_the_year_that_a_death_lies_in(words: str) -> None:
    mention = find_dates(AGED.format(words))[1]
    assert mention.role == "aged"
    found = [
        compare(value, mention)
        for value in (year(1981), year(1982), TimeValue(1983, 2, 1, 11), TimeValue(1983, 6, 1, 11), year(1984))
    ]
    assert found == ["conflict", "coarser", "coarser", "conflict", "conflict"]


def test_an_age_at_a_death_gives_the_year_of_a_birth() -> None:
    mention = find_dates("Died: 3 May 1982 (aged 82)")[1]
    assert [compare(year(y), mention) for y in (1898, 1899, 1900, 1901)] == [
        "conflict",
        "coarser",
        "coarser",
        "conflict",
    ]


def test_an_age_without_a_date_gives_nothing() -> None:
    assert find_dates("She died aged 82.") == []
    assert len(find_dates("Born in 1900, he went to sea at the age of 12.")) == 1


def test_one_clear_date_settles_the_order_of_the_others() -> None:
    day, month = TimeValue(1990, 4, 3, 11), TimeValue(1990, 3, 4, 11)
    assert how(day, "03/04/1990") == how(month, "03/04/1990") == "exact"
    text = "03/04/1990 and 25/04/1990"
    assert [compare(value, find_dates(text)[0]) for value in (day, month)] == ["exact", "conflict"]
    text = "03/04/1990 and 04/25/1990"
    assert [compare(value, find_dates(text)[0]) for value in (day, month)] == ["conflict", "exact"]


def test_two_figures_are_a_year_of_any_century() -> None:
    assert how(TimeValue(1866, 9, 14, 11), "14/09/66") == how(TimeValue(1966, 9, 14, 11), "14/09/66") == "exact"
    assert how(TimeValue(1967, 9, 14, 11), "14/09/66") == "conflict"


def test_a_day_that_its_month_lacks_is_not_moved_to_the_next() -> None:
    assert how(TimeValue(1966, 7, 1, 11), "31 June 1966") == "conflict"
    assert how(TimeValue(1966, 6, 30, 11), "31 June 1966") == "coarser"
