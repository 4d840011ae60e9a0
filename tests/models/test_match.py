"""What the matcher finds of a statement in a passage, and how it decides what to hand on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.rank.prefilter import MOST, prefilter
from models.statement import EntityValue, Statement, Term, TextValue, TimeValue
from models.values.match import match_passage
from models.verdict import Passage
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
