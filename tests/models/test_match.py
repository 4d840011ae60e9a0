"""What the matcher finds of a statement in a passage, and how it decides what to hand on."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.evidence import Passage
from models.rank.prefilter import MOST, prefilter
from models.read.page import Block, Page
from models.statement import EntityValue, Statement, Term, TextValue, TimeValue
from models.values.match import bounded, match_page, match_passage
from models.values.page_words import PageWords
from models.verify.rules import stance

ANN = Term("Q1", "Ann Lee")
BORN, DIED = Term("P569", "date of birth", ("born on",)), Term("P570", "date of death", ("died on",))
BIRTH = Statement("Q1$A", ANN, BORN, "time", TimeValue(1901, None, None, 9))
DEATH = Statement("Q1$B", ANN, DIED, "time", TimeValue(1901, None, None, 9))


def passage(text: str, heading: str = "", boilerplate: bool = False) -> Passage:
    return Passage(text, "text", 0, 0, 0, heading, boilerplate)


@pytest.mark.parametrize("text", ["Ann Lee was born in 1901.", "Ann Lee (1901–1980), writer", "Born: 1901", "b. 1901"])
def test_a_year_is_tied_to_the_property_that_stands_with_it(text: str) -> None:
    right, wrong = match_passage(BIRTH, passage(text)), match_passage(DEATH, passage(text))
    assert right.bond > 0.5
    assert wrong.bond < 0


def test_the_right_value_under_the_wrong_property_supports_less() -> None:
    text = passage("Ann Lee was born in 1880 and died in 1901.")
    assert stance(match_passage(DEATH, text), 1.0)[0] > stance(match_passage(BIRTH, text), 1.0)[0]


def test_another_value_beside_the_property_is_a_conflict() -> None:
    found = match_passage(BIRTH, passage("Ann Lee was born in 1902."))
    assert found.value is None
    assert found.conflict > 0.5
    assert stance(found, 1.0)[1] > 0.5
    assert "conflict" in {match.how for match in found.spans()}


def test_a_coarser_date_is_neither() -> None:
    day = Statement("Q1$C", ANN, DIED, "time", TimeValue(1944, 1, 1, 11))
    supports, refutes, _ = stance(match_passage(day, passage("Date of death: 1944")), 1.0)
    assert supports < 0.5
    assert refutes == 0


def test_a_namesake_in_a_list_is_weak_evidence() -> None:
    spouse = Statement("Q1$D", ANN, Term("P26", "spouse"), "wikibase-item", EntityValue(Term("Q2", "John Smith")))
    listed = stance(match_passage(spouse, passage("Present were John Smith, Adam Hall and Peter Brown.")), 0.0)
    said = stance(match_passage(spouse, passage("Ann Lee married John Smith in York.")), 0.0)
    assert listed[0] < 0.2 < said[0]


@given(st.text(max_size=200), st.floats(0, 1))
def test_stances_of_any_text_are_probabilities(text: str, about: float) -> None:
    sigma = stance(match_passage(BIRTH, passage(text)), about)
    assert sum(sigma) == pytest.approx(1)
    assert all(0 <= one <= 1 for one in sigma)


@given(st.text(max_size=200), st.text(max_size=30))
def test_spans_lie_within_any_passage(text: str, value: str) -> None:
    statement = Statement("Q1$E", ANN, Term("P1476", "title"), "string", TextValue(value))
    for match in match_passage(statement, passage(text)).spans():
        assert 0 <= match.start < match.end <= len(text)


def test_the_prefilter_hands_on_the_speaking_passages_first_and_each_text_once() -> None:
    texts = [f"Line {number} about nothing much." for number in range(60)] + ["Ann Lee was born in 1901."] * 2
    passages = [passage(text) for text in texts]
    chosen = prefilter("Ann Lee was born in 1901.", passages, [match_passage(BIRTH, one) for one in passages])
    assert len(chosen) == MOST
    assert texts[chosen[0]] == "Ann Lee was born in 1901."
    assert len({texts[index] for index in chosen}) == MOST


def test_boilerplate_comes_after_the_body_unless_it_alone_has_the_value() -> None:
    passages = [passage("Ann Lee and others", boilerplate=True), passage("A body that says little.")]
    matches = [match_passage(BIRTH, one) for one in passages]
    assert prefilter("Ann Lee was born in 1901.", passages, matches)[0] == 1
    passages = [passage("Born 1901", boilerplate=True), passage("A body that says little.")]
    matches = [match_passage(BIRTH, one) for one in passages]
    assert prefilter("Ann Lee was born in 1901.", passages, matches)[0] == 0


ROW = "table"


def row(text: str) -> Passage:
    return Passage(text, ROW, 0, 0, 0)


def test_in_a_row_the_cells_own_header_decides() -> None:
    text = row("Died: 1901; Born: 1880")
    assert match_passage(DEATH, text).bond > 0.9
    assert match_passage(BIRTH, text).bond < -0.9
    swapped = row("Born: 12 May, Leeds; Died: 1901")
    assert match_passage(BIRTH, swapped).bond < -0.9


def test_a_value_under_an_opposite_property_is_marked_as_such() -> None:
    matches = match_passage(BIRTH, passage("Ann Lee died in 1901.")).spans()
    assert ("property", "opposite") in {(match.part, match.how) for match in matches}


@pytest.mark.parametrize(
    "text",
    [
        "Ann Lee's father John was born in 1870.",
        "Ann Lee married John Hall, born 1870.",
        "Her mother was born in 1870.",
        "Ann Lee was the daughter of a smith born in 1870.",
    ],
)
def test_a_date_of_somebody_elses_hardly_refutes(text: str) -> None:
    found = match_passage(BIRTH, passage(text))
    assert found.others
    assert stance(found, 1.0)[1] < 0.35


@pytest.mark.parametrize(
    "text", ["Ann Lee was born in New York City in 1870.", "Ann Lee, a painter, was born in 1870."]
)
def test_a_place_between_name_and_date_is_nobody_else(text: str) -> None:
    found = match_passage(BIRTH, passage(text))
    assert not found.others
    assert stance(found, 1.0)[1] > 0.5


def page(*blocks: Block) -> PageWords:
    passages = tuple(Passage(block.text, "text", at, 0, 0, block.heading) for at, block in enumerate(blocks))
    return PageWords(Page("", "en", blocks, passages))


def test_a_pronoun_on_a_page_about_the_subject_speaks_of_it() -> None:
    about = match_page(BIRTH, page(Block("Ann Lee", "title"), Block("She was born in 1901.", "text")))[1]
    elsewhere = match_page(BIRTH, page(Block("Leeds", "title"), Block("She was born in 1901.", "text")))[1]
    assert about.by == "pronoun"
    assert about.whose > 0.8
    assert elsewhere.whose == 0


def test_a_heading_above_says_whose_it_is() -> None:
    found = match_page(BIRTH, page(Block("People of Leeds", "title"), Block("Born 1901", "text", "Ann Lee")))[1]
    assert found.by == "heading"
    assert found.whose >= 0.9


def test_a_namesake_with_another_lifespan_is_not_the_subject() -> None:
    settler = Term("Q3", "John Bowman", description="(1763-1825) settler")
    statement = replace(BIRTH, item=settler)
    blocks = (Block("John Bowman (1800–1860)", "title"), Block("He was born in 1800.", "text"))
    assert match_page(statement, page(*blocks))[1].whose == 0
    told_differently = (Block("John Bowman (1764–1826)", "title"), Block("He was born in 1764.", "text"))
    assert match_page(statement, page(*told_differently))[1].whose > 0.8


def test_when_somebody_flourished_is_not_when_they_were_born() -> None:
    assert match_passage(BIRTH, passage("Ann Lee (fl. 1901)")).value is None
    active = Statement("Q1$F", ANN, Term("P1317", "floruit"), "time", TimeValue(1901, None, None, 9))
    assert match_passage(active, passage("Ann Lee (fl. 1901)")).value is not None


def test_on_a_page_in_another_language_the_names_there_count() -> None:
    leeds = Term("Q4", "Leeds", foreign=(("fr", ("Lides", "Leeds")), ("de", ("Liz",))))
    place = Statement(
        "Q1$G", ANN, Term("P19", "place of birth", foreign=(("fr", ("lieu de naissance",)),)), "", EntityValue(leeds)
    )
    passages = (Passage("Lieu de naissance : Lides", "table", 0, 0, 0),)
    found = match_page(place, PageWords(Page("", "fr", (Block(passages[0].text, "table"),), passages)))[0]
    assert found.value is not None
    assert found.bond > 0.9
    assert match_page(place, PageWords(Page("", "en", (Block(passages[0].text, "table"),), passages)))[0].value is None


def test_endless_names_and_texts_are_cut_to_what_wikidata_allows() -> None:
    endless = Term("Q1", "Ann Lee " * 20_000, tuple(f"name {number} " * 100 for number in range(2_000)), "x" * 100_000)
    value = TextValue("1," * 50_000)
    statement = Statement("Q1$H", endless, Term("P1", "p " * 50_000), "string", value)
    cut = bounded(statement)
    assert len(cut.item.label or "") == 250
    assert len(cut.item.aliases) == 60
    assert len(cut.value.text) == 1_500  # type: ignore[union-attr]
    assert match_passage(statement, passage("Ann Lee " * 200)).value is None
