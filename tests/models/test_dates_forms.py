"""The many forms in which one date is written, and the numbers that are none."""

from __future__ import annotations

import pytest

from models.statement import TimeValue
from models.values.dates import compare, find_dates

DAY = TimeValue(1966, 9, 14, 11)


def year(number: int) -> TimeValue:
    return TimeValue(number, None, None, 9)


def century(number: int) -> TimeValue:
    return TimeValue(number, None, None, 7)


def says(value: TimeValue, text: str) -> set[str]:
    return {compare(value, mention, text) for mention in find_dates(text)}


@pytest.mark.parametrize(
    "text",
    [
        "14th of September, 1966", "Sept. 14 1966", "14.9.1966", "1966-09-14", "14/09/66", "September 14, 1966",
        "1966 Sep 14", "14 ix 1966", "14.IX.1966", "the 14th day of September in the year 1966",
        "Wednesday, 14 September 1966", "14-Sep-1966", "14-Sep-66", "14 Sep 66.", "14. 9. 1966", "1966, September 14",
        "14-09-1966", "September 14th, '66", "14September1966", "date: 19660914", "1966-09-14T10:00:00Z",
        "19660914T100000Z", "September the 14th, 1966", "14/9/1966", "9/14/1966", "14.09.66", "1966/09/14",
        "1966.09.14", "on September 14 , 1966 ) .", "September 14,1966", "14–16 September 1966", "14/15 September 1966",
        "from 12 to 14 September 1966", "September 14–16, 1966", "September 14 – October 2, 1966",
        "the fourteenth of September 1966", "RecordedSeptember 14, 1966",
        "28 August – 14 September 1966", "(14 September 1966–3 May 1990)", "1966-09-14/1966-09-20",
    ],
)  # fmt: skip
def test_a_day_in_any_form(text: str) -> None:
    assert "exact" in says(DAY, text)


@pytest.mark.parametrize(
    "text",
    [
        "14. September 1966", "14 septembre 1966", "14 de septiembre de 1966", "14 settembre 1966",
        "14 de setembro de 1966", "14 september 1966", "14 września 1966 r.", "14 сентября 1966 года",
        "den 14 september 1966", "14. září 1966", "14 вересня 1966", "1966年9月14日に生まれた", "１９６６年９月１４日",
        "14 de septiembre del 1966", "14 Eylül 1966", "14. sep. 1966",
    ],
)  # fmt: skip
def test_a_day_in_the_languages_of_the_web(text: str) -> None:
    assert says(DAY, text) == {"exact"}


@pytest.mark.parametrize(
    "text",
    [
        "w listopadzie 1990 roku",
        "в ноябре 1990 года",
        "у листопаді 1990",
        "v listopadu 1990",
        "نوفمبر ١٩٩٠",
        "1990年11月",
    ],
)
def test_a_month_in_its_locative_and_in_other_figures(text: str) -> None:
    assert says(TimeValue(1990, 11, None, 10), text) == {"exact"}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("昭和41年9月14日", (1966, 9, 14)), ("平成元年1月8日", (1989, 1, 8)), ("民國92年", (2003, None, None))],
)
def test_years_of_a_reign(text: str, wanted: tuple[int, int | None, int | None]) -> None:
    (mention,) = find_dates(text)
    assert (mention.year, mention.month, mention.day) == wanted


@pytest.mark.parametrize(
    "text",
    ["1966년 9월 14일", "1966년 9월 14일에 태어났다", "김철수(1966년9월14일 ~ )", "18 febuary 1902, 14 Septernber 1966",
     "Setpember 14, 1966", "14 Septembr 1966"],
)  # fmt: skip
def test_a_day_in_korean_and_with_a_slip_in_its_month(text: str) -> None:
    assert "exact" in says(DAY, text)
    assert "exact" not in says(TimeValue(1966, 9, 15, 11), text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (year(1970), "1970년에 설립"), (TimeValue(1970, 8, None, 10), "1970년 8월"), (year(-57), "기원전 57년"),
        (TimeValue(1990, None, None, 8), "1990년대에"), (century(1850), "19세기에"),
        (TimeValue(1960, None, None, 8), "lata 60. XX wieku"), (year(793), "The raid of 793 began an age."),
        (year(1984), "not until nineteen eighty-four"), (year(1805), "in eighteen-oh-five"),
        (year(1853), "In the year of Our Lord eighteen hundred and fifty-three this stone was laid."),
        (year(2005), "since two thousand and five"),
    ],
)  # fmt: skip
def test_years_decades_and_centuries_in_other_words(value: TimeValue, text: str) -> None:
    assert says(value, text) == {"exact"}


@pytest.mark.parametrize("text", ["14 Chapters 1966", "3 Marcus 1966", "12 Members 1966", "5 Ordered 1966"])
def test_no_other_word_is_a_month(text: str) -> None:
    assert all(mention.month is None for mention in find_dates(text))


@pytest.mark.parametrize(
    ("text", "number"),
    [("© MCMLXVI", 1966), ("chez l'auteur, M.DCC.LXXXVIII", 1788), ("MDCCCXXXV", 1835), ("MMXXI", 2021)],
)
def test_a_year_in_roman_capitals(text: str, number: int) -> None:
    assert [mention.year for mention in find_dates(text)] == [number]


@pytest.mark.parametrize("text", ["M. C. Escher", "MC Hammer", "MM. Dupont", "DCC", "MMR vaccine", "MIX"])
def test_capitals_that_are_no_year(text: str) -> None:
    assert find_dates(text) == []


def test_figures_with_points_between_them_have_the_day_first() -> None:
    assert says(TimeValue(1990, 4, 3, 11), "03.04.1990") == {"exact"}
    assert says(TimeValue(1990, 3, 4, 11), "03.04.1990") == {"conflict"}


def test_the_first_of_a_month_has_its_own_ordinal() -> None:
    for text in (
        "1º de enero de 1900",
        "1er janvier 1900",
        "1.º de janeiro de 1900",
        "1° gennaio 1900",
        "1st January 1900",
    ):
        assert says(TimeValue(1900, 1, 1, 11), text) == {"exact"}, text


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("14 April 201214 April 2012", [(2012, 4, 14), (2012, 4, 14)]),
        ("15 October 18934 April 1953", [(1893, 10, 15), (1953, 4, 4)]),
        ("1 May 2012May 3, 2013", [(2012, 5, 1), (2013, 5, 3)]),
        ("1836 Jan. 21, 1837 Feb. 21", [(1836, 1, 21), (1837, 2, 21)]),
    ],
)
def test_dates_that_run_into_each_other_are_told_apart(text: str, days: list[tuple[int, int, int]]) -> None:
    assert [(mention.year, mention.month, mention.day) for mention in find_dates(text)] == days


@pytest.mark.parametrize(
    "text", ["March–April 1966", "March and April 1966", "04/1966", "1966-04", "1966年4月", "April, 1966"]
)
def test_a_month(text: str) -> None:
    assert "exact" in says(TimeValue(1966, 4, None, 10), text)
    assert says(TimeValue(1966, 6, None, 10), text) == {"conflict"}


@pytest.mark.parametrize(
    "text",
    ["44 BC", "44 B.C.", "44 BCE", "BC 44", "44 v. Chr.", "44 av. J.-C.", "44 a. C.", "44 до н. э.", "前44年"],
)  # fmt: skip
def test_a_year_before_christ(text: str) -> None:
    assert says(year(-44), text) == {"exact"}
    assert says(year(44), text) == {"conflict"}


@pytest.mark.parametrize("text", ["15 March 44 BC", "March 15, 44 B.C.", "15. März 44 v. Chr.", "15 mars 44 av. J.-C."])
def test_a_day_before_christ(text: str) -> None:
    assert says(TimeValue(-44, 3, 15, 11), text) == {"exact"}


@pytest.mark.parametrize(
    "text",
    ["in 842 he died", "842 AD", "AD 842", "A.D. 842", "842 C.E.", "d. 842", "Bob (768–842)", "c. 842", "2 July 842"],
)
def test_a_year_of_three_digits_needs_a_word_that_says_so(text: str) -> None:
    assert "exact" in says(year(842), text)


@pytest.mark.parametrize(
    "text",
    ["842 people", "in 842 schools", "by 842 runs", "sections 841 and 842", "Highway 842", "about 842 grn", "842"],
)
def test_three_digits_alone_are_no_year(text: str) -> None:
    assert find_dates(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "19th century", "XIX century", "the nineteenth century", "mid-19th-century", "18th–19th centuries",
        "the late 19th and early 20th century", "late-19th-/early-20th-century", "siglo XIX", "XIXe siècle",
        "im 19. Jahrhundert", "XIX века", "19世紀", "19th c. print", "the 1800s",
    ],
)  # fmt: skip
def test_a_century(text: str) -> None:
    assert "exact" in says(century(1850), text)
    assert says(century(1650), text) == {"conflict"}


def test_centuries_before_christ_and_after_twenty() -> None:
    assert says(century(-450), "the 5th century BC") == {"exact"}
    assert says(century(-450), "5. Jahrhundert v. Chr.") == {"exact"}
    assert says(century(450), "the 5th century BC") == {"conflict"}
    assert says(century(2050), "the twenty-first century") == {"exact"}
    assert says(TimeValue(-1500, None, None, 6), "the second millennium BC") == {"exact"}


def test_a_century_of_runs_or_a_studio_is_none() -> None:
    assert find_dates("scored his first century") == []
    assert find_dates("20th Century Fox") == []


@pytest.mark.parametrize(
    "text", ["the 1960s", "1960's", "the sixties", "the ’60s", "1960er Jahre", "1960年代", "années 1960"]
)
def test_a_decade(text: str) -> None:
    assert says(TimeValue(1960, None, None, 8), text) == {"exact"}
    assert says(year(1966), text) == {"coarser"}
    assert says(year(1971), text) == {"conflict"}


def test_the_second_of_two_decades_borrows_its_century() -> None:
    assert [mention.year for mention in find_dates("the 1960s–70s")] == [1960, 1970]


def test_his_sixties_are_an_age() -> None:
    assert find_dates("a man in his sixties") == []


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (TimeValue(-65_000_000, None, None, 3), "65 million years ago"),
        (TimeValue(-66_000_000, None, None, 3), "66 Ma"),
        (TimeValue(-2_500_000_000, None, None, 1), "2.5 Gya"),
        (TimeValue(-4_540_000_000, None, None, 1), "4.54 billion years"),
        (TimeValue(-10_000, None, None, 5), "12,000 years ago"),
        (TimeValue(-2_000_000, None, None, 3), "two million years ago"),
        (TimeValue(-65_000_000, None, None, 3), "vor 65 Millionen Jahren"),
        (TimeValue(-60_200_000, None, None, 4), "60,200,000 years BP"),
    ],
)
def test_deep_time(value: TimeValue, text: str) -> None:
    assert says(value, text) == {"exact"}


def test_another_million_of_years_conflicts() -> None:
    assert says(TimeValue(-66_000_000, None, None, 3), "65 million years ago") == {"conflict"}


def test_how_long_something_took_is_no_date() -> None:
    assert find_dates("for 20,000 years") == []
    assert find_dates("50 years ago") == []


@pytest.mark.parametrize(
    "text",
    [
        "pp. 1900–1910", "$1,900", "1900 km", "ISBN 0-19-861411-X", "room 1984", "555-1984", "version 1.2.1999",
        "1600 Pennsylvania Avenue", "1,950 people", "population 1950", "19:45", "p. 1900", "vol. 1900", "§ 1900",
        "No. 1900", "£1900", "1900 €", "1984 votes", "1920 x 1080", "1900%", "IMG_19660914_1", "19660914",
        "1950 m", "3.1415", "1,950", "100.1950", "A1966B", "Episode 3x20", "44.5 x 3.5 cm", "281(23):1189-97",
        "Nucleotide C1409", "19.3 °C.", "tel. +380 44 278-1221", "192.168.19.66", "26 x 1500 mm",
        "https://example.org/2012/04/14/news", 'Orwell\'s "1984"', "a 2048-bit key", "Ring 1300 650 411",
        "1853 of 4210", "1942,00 €", "doi:10.5555/abc.1942.x", "NGC 1942", "ANQ-M, CE1-4", "Left by mike2001 on",
        "10-11-12", "a village of 1942 souls", "+44 20 7946 1958", "(020) 7946 1958", "Tel. 030 1958", "Tel: 1958",
        "(555) 867 1920",
        "978-0-1984-1412-8", "ISBN 978 0 1984 1412 8", "ISSN 1412-1984", "1963 personnes", "1954 Einwohner",
        "mit 1954 Einwohnern", "1972 habitantes", "2010 dipendenti", "1660 moradores", "1780 inwoners",
        "1 905 mieszkańców", "1990 человек", "1340 invånare", "1963人", "1963명", "by 1942 votes to 1890",
        "500년 동안", "twenty ten-pound notes", "nineteen eighty-four votes", "Nineteen Eighty-Four is a novel",
    ],
)  # fmt: skip
def test_numbers_that_are_no_dates(text: str) -> None:
    assert find_dates(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "in 1969 Abbey Road came out", "1950 M. Smith left", "1509-1558 Members", "1998b. London",
        "Founded1966Headquarters", "a 1963 children's book", "1966—against", "c1680", "(1966)", "1966: he left",
        "1966/Leeds", "In 1950 people left", "Im Jahr 1954 Einwohner von Rom", "bis 1990 Mitarbeiter am Institut",
        "1917 deaths", "Population 9500 1959", "vol. 12 1985",
    ],
)  # fmt: skip
def test_a_year_is_one_whatever_stands_beside_it(text: str) -> None:
    assert find_dates(text) != []


@pytest.mark.parametrize(
    ("text", "years"),
    [("1803–09", [1803, 1809]), ("1997 - 8", [1997, 1998]), ("Nov. 1545-52", [1545, 1552]), ("58–50 BC", [-58, -50])],
)
def test_both_ends_of_a_run_are_dates(text: str, years: list[int]) -> None:
    assert [mention.year for mention in find_dates(text)] == years
