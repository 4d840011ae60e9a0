"""Values that a page implies: a gender by its pronouns, a thing named by its year, a subject under a namespace."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from models.evidence import Passage
from models.read.page import Block, Page
from models.read.sentences import passages_of
from models.statement import EntityValue, QuantityValue, Statement, Term, TimeValue
from models.values.by_year import find_by_year
from models.values.gender import told_gender
from models.values.match import PassageMatch, match_page
from models.values.page_words import PageWords

ANN = Term("Q1", "Ann Lee", ())


def matches(statement: Statement, *blocks: Block) -> list[tuple[Passage, PassageMatch]]:
    page = Page(blocks[0].text, "en", blocks, passages_of(blocks))
    return list(zip(page.passages, match_page(statement, PageWords(page)), strict=True))


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["She was a writer.", "Her books sold well."], "female"),
        (["He was a baker.", "His bread sold well."], "male"),
        (["Keller studied with Marie Curie and her assistant."], ""),
        (["He met her.", "She wrote to him."], ""),
        (["The father of Robin Holt, curate at Our Lady of Sorrows, sang with Prince."], ""),
        ([], ""),
    ],
)
def test_nearly_all_pronouns_of_a_page_tell_the_gender(texts: list[str], told: str) -> None:
    assert told_gender(texts) == told


def test_gender_is_inferred_for_that_property_only_and_from_the_subjects_pronouns() -> None:
    gender = Statement("a", ANN, Term("P21", "sex or gender"), "wikibase-item", EntityValue(Term("Q2", "female")))
    blocks = (Block("Ann Lee", "title"), Block("She was a writer.", "text"), Block("Her books sold well.", "text"))
    assert [match.value_score for _, match in matches(gender, *blocks)] == [0.0, 0.7, 0.7]
    other = replace(gender, property=Term("P106", "occupation"))
    assert {match.value_score for _, match in matches(other, *blocks)} == {0.0}
    male = replace(gender, value=EntityValue(Term("Q3", "male")))
    assert {match.value_score for _, match in matches(male, *blocks)} == {0.0}


PARLIAMENT = Term("Q3", "Member of the 1539-40 Parliament")
TITLE = "CHOLMLEY, Sir Roger | History of Parliament Online"


@pytest.mark.parametrize(
    ("text", "heading", "found"),
    [
        ("LONDON: 1539", "Dates", True),
        ("1539", "Dates", True),
        ("LONDON: Nov. 1539", "Dates", True),
        ("LONDON: 1539", "Biography", False),
        ("1539; j.p. Som.", "Dates", False),
        ("m. 1539", "Dates", False),
        ("Born 1539", "Dates", False),
        ("© BBC 1539", "Dates", False),
        ("LONDON: 1554", "Dates", False),
        ("In the year that Anne of Cleves arrived he sat for Bridgwater, 1539", "Dates", False),
    ],
)
def test_an_entry_with_the_year_names_what_is_named_by_it(text: str, heading: str, found: bool) -> None:
    assert (find_by_year(PARLIAMENT, text, TITLE, heading) is not None) is found


def test_a_year_names_nothing_on_a_page_about_something_else() -> None:
    assert find_by_year(PARLIAMENT, "LONDON: 1539", "Sheriffs of England", "Dates") is None


def test_a_category_is_named_by_what_it_is_about() -> None:
    ship = Term("Q4", "Category:IMO 9233325")
    tonnage = Statement("b", ship, Term("P1093", "gross tonnage"), "quantity", QuantityValue(Decimal(85868)))
    blocks = (Block("PROSPER (IMO 9233325) - Ship Details", "title"), Block("Gross Tonnage: 85868", "definition"))
    assert matches(tonnage, *blocks)[0][1].subject_score >= 0.8


def test_the_date_of_a_release_date_is_no_word_for_inception() -> None:
    project = Term("Q5", "Urban Infrastructure")
    inception = Statement("c", project, Term("P571", "inception", ("date",)), "time", TimeValue(2010, 6, 9, 11))
    blocks = (Block("Urban Infrastructure", "title"), Block("Release date: 9 June 2010", "definition"))
    assert matches(inception, *blocks)[1][1].bond < 0
    assert matches(inception, blocks[0], Block("Date: 9 June 2010", "definition"))[1][1].bond > 0


def test_a_weekday_is_a_date_where_the_page_says_when_it_appeared() -> None:
    died = Statement("d", ANN, Term("P570", "date of death", ("died",)), "time", TimeValue(2011, 8, 3, 11))
    blocks = (
        Block("Ann Lee Dies at 66", "title"), Block("Ann Lee Dies at 66", "heading"), Block("Aug. 6, 2011", "text"),
        Block("Ann Lee died on Wednesday in Leeds.", "text"),
    )  # fmt: skip
    scores = [match.value_score for _, match in matches(died, *blocks)]
    assert scores[-1] == pytest.approx(0.9)
