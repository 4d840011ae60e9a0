"""Constructed pairs are of the kind of the original, and never what the page supports."""

from __future__ import annotations

from models.judge import Case
from models.read.page import Block, Page
from models.read.sentences import passages_of
from models.statement import EntityValue, Statement, Term, TimeValue
from models.training.contrast import contrasts
from models.verbalise import verbalise


def case(number: int, statement_value: TimeValue | EntityValue, text: str) -> Case:
    item = Term(f"Q{number}", f"Person {number}")
    prop = Term("P569", "date of birth") if isinstance(statement_value, TimeValue) else Term("P19", "place of birth")
    kind = "time" if isinstance(statement_value, TimeValue) else "wikibase-item"
    statement = Statement(f"Q{number}$A", item, prop, kind, statement_value)
    claim = verbalise(statement)
    assert claim is not None
    blocks = (Block(text, "text"),)
    return Case(statement, claim, Page("", "en", blocks, passages_of(blocks)))


LEEDS, YORK, HULL = (EntityValue(Term(f"Q{n}", name)) for n, name in ((50, "Leeds"), (51, "York"), (52, "Hull")))
CASES = [
    case(1, TimeValue(1901, 5, 12, 11), "Person 1 was born on 12 May 1901 and died on 3 June 1980."),
    case(2, LEEDS, "Person 2 was born in Leeds and died in York."),
    case(3, YORK, "Person 3 was born in York."),
    case(4, HULL, "Person 4 was born in Hull."),
]
MADE = contrasts(CASES, [True, True, True, False], ["a", "a", "b", "b"])


def test_another_value_that_stands_on_the_page_is_taken() -> None:
    values = [one.case.statement.value for one in MADE if one.claim_of == 0 and one.page_of == 0]
    assert TimeValue(1980, 6, 3, 11) in values
    assert YORK in [one.case.statement.value for one in MADE if one.claim_of == 1 and one.page_of == 1]


def test_no_constructed_claim_is_the_original_on_its_own_page() -> None:
    for one in MADE:
        original = CASES[one.claim_of]
        assert one.case.statement.value != original.statement.value or one.case.page is not original.page
        assert type(one.case.statement.value) is type(original.statement.value)


def test_what_is_not_supported_gives_nothing() -> None:
    assert {one.claim_of for one in MADE} == {0, 1, 2}


def test_the_other_page_is_of_the_same_domain_where_there_is_one() -> None:
    assert [one.page_of for one in MADE if one.claim_of == 0 and one.page_of != 0] == [1]


def test_the_claim_is_worded_anew() -> None:
    for one in MADE:
        if one.case.statement.value != CASES[one.claim_of].statement.value:
            assert one.case.claim != CASES[one.claim_of].claim
