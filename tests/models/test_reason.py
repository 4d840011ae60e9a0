"""The one sentence that an editor reads first: what the page names, for what, beside what the statement says."""

from __future__ import annotations

import pytest

from models.evidence import Evidence, Passage, Stance
from models.reason import reason, role_of
from models.statement import EntityValue, Statement, Term, TimeValue
from models.values.match import match_passage

ANN = Term("Q1", "Ann Lee")
DIED = Term("P570", "date of death", ("died on",))
YEAR = Statement("Q1$A", ANN, DIED, "time", TimeValue(1988, None, None, 9))
DAY = Statement("Q1$B", ANN, DIED, "time", TimeValue(1988, 3, 12, 11))


def said(statement: Statement, stance: Stance, *texts: str, about: float = 1.0) -> str:
    passages = [Passage(text, "text", at, 0, 0) for at, text in enumerate(texts)]
    evidence = [Evidence(one, 0.5, 0.3, 0.3, 0.4, match_passage(statement, one).spans()) for one in passages]
    return reason(statement, stance, evidence, about)


def test_a_refutation_names_both_values() -> None:
    sentence = said(YEAR, Stance.REFUTES, "Ann Lee died on 12 March 1987.")
    assert sentence == "The page names 12 March 1987 as the day of death; the statement says 1988."


def test_support_names_the_value_and_its_role() -> None:
    assert said(YEAR, Stance.SUPPORTS, "Ann Lee died in 1988.") == "The page names 1988 as the year of death."
    assert said(DAY, Stance.SUPPORTS, "Ann Lee died on March 12, 1988.").startswith("The page names March 12, 1988")


def test_a_coarser_value_is_said_to_be_less_precise() -> None:
    sentence = said(DAY, Stance.NOT_ENOUGH_INFO, "Ann Lee died in 1988.")
    assert sentence == "The page gives only 1988, which is less precise than 12 March 1988."


def test_the_right_value_under_another_property_is_said_so() -> None:
    sentence = said(YEAR, Stance.NOT_ENOUGH_INFO, "Ann Lee was born in 1988.")
    assert sentence == "The page names 1988, but beside “born” and not clearly as the year of death."


def test_what_is_not_there_is_said() -> None:
    assert said(YEAR, Stance.NOT_ENOUGH_INFO, "Ann Lee painted.") == "The page is about Ann Lee but doesn’t name 1988."
    assert said(YEAR, Stance.NOT_ENOUGH_INFO, "Nothing.", about=0.0) == "None of the passages names Ann Lee or 1988."


@pytest.mark.parametrize(
    ("label", "role"),
    [
        ("date of death", "as the year of death"),
        ("employer", "as the employer"),
        ("number of episodes", "as the number of episodes"),
        ("located in the administrative territorial entity", "for “located in the administrative territorial entity”"),
        ("has part(s)", "for “has part(s)”"),
        ("follows", "for “follows”"),
    ],
)
def test_a_property_is_put_as_a_place_for_its_value(label: str, role: str) -> None:
    assert role_of(Statement("Q1$C", ANN, Term("P1", label), "time", YEAR.value)) == role


def test_a_hostile_label_stays_one_plain_sentence() -> None:
    statement = Statement("Q1$D", ANN, Term("P1", "  "), "wikibase-item", EntityValue(Term("Q2", "{x}")))
    assert said(statement, Stance.SUPPORTS, "{x}").endswith(".")
