"""How a claim and a passage are written for the verifier."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from models.read.page import Block, Page
from models.read.sentences import passages_of
from models.statement import EntityValue, Statement, Term, TimeValue
from models.values.match import match_page
from models.values.page_words import PageWords
from models.verify.marked import Marked, marked, said

ANN = Term("Q1", "Ann Lee", ("A. Lee",))
BORN = Statement("a", ANN, Term("P569", "date of birth", ("born",)), "time", TimeValue(1901, 5, 12, 11))


def texts(statement: Statement, title: str, *blocks: Block) -> list[Marked]:
    everything = (Block(title, "title"), *blocks)
    page = Page(title, "en", everything, passages_of(everything))
    words = PageWords(page)
    matches = match_page(statement, words)
    return [marked(statement, title, one, match, words) for one, match in zip(page.passages, matches, strict=True)]


def last(statement: Statement, title: str, *blocks: Block) -> str:
    return texts(statement, title, *blocks)[-1].passage


def test_the_claim_is_said_in_three_parts() -> None:
    assert said(BORN) == "Ann Lee : date of birth : 12 May 1901"


def test_subject_and_value_are_marked_where_they_stand() -> None:
    found = last(BORN, "Lives", Block("Ann Lee was born on 12 May 1901 in Leeds.", "text"))
    assert found == "Lives | @ Ann Lee @ was born on # 12 May 1901 # in Leeds."


def test_another_value_of_the_kind_and_a_part_of_the_value_have_marks_of_their_own() -> None:
    assert "$ 13 May 1901 $" in last(BORN, "Lives", Block("Ann Lee was born on 13 May 1901.", "text"))
    assert "~ 1901 ~" in last(BORN, "Lives", Block("Ann Lee was born in 1901.", "text"))


def test_title_and_heading_stand_before_the_passage_with_the_subject_marked() -> None:
    found = last(BORN, "Ann Lee – Lives", Block("Born: 12 May 1901", "definition", heading="Ann Lee"))
    assert found == "@ Ann Lee @ – Lives | @ Ann Lee @ | Born: # 12 May 1901 #"


def test_a_page_cannot_mark_itself() -> None:
    found = last(BORN, "Lives", Block("Ann # Lee # was @ born on 12 May 1901 ~ $.", "text"))
    assert found.count("#") == 2
    assert "@" not in found.replace("@ Ann", "").replace("Lee @", "")
    assert "$" not in found


def test_a_long_passage_is_cut_around_the_value() -> None:
    filler = "and many more words about nothing at all " * 20
    found = last(BORN, "Lives", Block(f"Ann Lee {filler}was born on 12 May 1901 {filler}", "table"))
    assert "# 12 May 1901 #" in found
    assert len(found) < 900


def test_the_value_stays_marked_where_it_is_the_subject_too() -> None:
    same = Statement("b", ANN, Term("P1559", "name in native language"), "wikibase-item", EntityValue(ANN))
    assert (
        last(same, "Lives", Block("Here lies Ann Lee of Leeds.", "text")) == "Lives | Here lies # Ann Lee # of Leeds."
    )


@given(st.text(max_size=300), st.text(max_size=100))
def test_any_page_can_be_written_for_the_verifier(text: str, title: str) -> None:
    for one in texts(BORN, title, Block(text, "text")):
        assert len(one.passage) <= 2 * 90 + 4 * 200 + 40
        assert one.passage.count("#") in {0, 2}
