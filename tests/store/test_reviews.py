"""Decisions about verdicts: recorded, undone, standing, and what ends them."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from store_rows import again, judge, judged, kept, selected, unread, verdict, walked, year

from models.evidence import Stance
from models.outcome import NotJudged, Outcome
from store import schema
from store.filters import Filters
from store.queue import worst_first
from store.reviews import (
    ReviewRefused,
    decide,
    decisions_about,
    differ,
    disputed,
    disputed_pairs,
    disputes,
    reviews_of,
    standing_reviews,
    undo,
)
from store.work import lease


def verdict_id(session: Session, pair_id: int) -> int:
    return session.scalars(
        select(schema.Verdict.id).where(schema.Verdict.pair_id == pair_id, schema.Verdict.current)
    ).one()


def ends(session: Session, pair_id: int) -> list[str | None]:
    """What ended each review; and the queue must hold the same for reviewed as the page of the pair does."""
    states = reviews_of(session, pair_id)
    listed = {row.pair_id for row in worst_first(session, Filters(state="reviewed")).rows}
    judged_now = {row.pair_id for row in worst_first(session, Filters(state="all")).rows}
    assert (pair_id in listed) == (pair_id in judged_now and any(state.stands for state in states))
    return [state.ended_by for state in states]


def test_a_decision_is_recorded_with_who_and_when(session: Session) -> None:
    pair_id = judged(session)
    review = decide(session, verdict_id(session, pair_id), " Ada ", "does_not")
    assert (review.reviewer, review.decision, review.undone_at) == ("Ada", "does_not", None)
    assert review.decided_at.tzinfo is not None
    assert standing_reviews(session, pair_id) == (review,)


def test_a_second_decision_by_the_same_person_undoes_the_first(session: Session) -> None:
    pair_id = judged(session)
    first = decide(session, verdict_id(session, pair_id), "Ada", "supports")
    other = decide(session, verdict_id(session, pair_id), "Eve", "supports")
    second = decide(session, verdict_id(session, pair_id), "Ada", "cant_tell")
    assert standing_reviews(session, pair_id) == (second, other)
    assert session.get_one(schema.Review, first.id, populate_existing=True).undone_at is not None
    assert decide(session, verdict_id(session, pair_id), "Ada", "cant_tell") == second


def test_a_decision_can_be_undone_by_the_one_who_made_it(session: Session) -> None:
    pair_id = judged(session)
    review = decide(session, verdict_id(session, pair_id), "Ada", "supports")
    with pytest.raises(ReviewRefused, match="this decision is Ada's"):
        undo(session, review.id, "Eve")
    undone = undo(session, review.id, "Ada")
    assert undone.undone_at is not None
    assert undo(session, review.id, "Ada") == undone
    assert reviews_of(session, pair_id) == ()


@pytest.mark.parametrize(
    ("verdict", "reviewer", "decision", "complaint"),
    [
        (0, "Ada", "supports", "no verdict 0"),
        (None, " ", "supports", "say who you are"),
        (None, "Ada", "delete", "a decision is one of supports, does_not, cant_tell, gone"),
    ],
)
def test_what_cant_be_recorded_is_refused(
    session: Session, verdict: int | None, reviewer: str, decision: str, complaint: str
) -> None:
    pair_id = judged(session)
    with pytest.raises(ReviewRefused, match=complaint):
        decide(session, verdict_id(session, pair_id) if verdict is None else verdict, reviewer, decision)


def test_undoing_what_isnt_there_is_refused(session: Session) -> None:
    with pytest.raises(ReviewRefused, match="no decision 9"):
        undo(session, 9, "Ada")


def test_a_decision_outlives_a_new_model_of_the_same_stance(session: Session) -> None:
    pair_id = judged(session)
    first = decide(session, verdict_id(session, pair_id), "Ada", "supports")
    judge(session, again(session, pair_id), verdict(0.2, model="judge-2"), kept(session), model="judge-2")
    assert ends(session, pair_id) == [None]
    second = decide(session, verdict_id(session, pair_id), "Ada", "does_not")
    assert standing_reviews(session, pair_id) == (second,)
    assert session.get_one(schema.Review, first.id, populate_existing=True).undone_at is not None


def test_a_new_models_other_stance_ends_it(session: Session) -> None:
    pair_id = judged(session)
    decide(session, verdict_id(session, pair_id), "Ada", "supports")
    flipped = verdict(0.9, Stance.SUPPORTS, "judge-2")
    judge(session, again(session, pair_id), flipped, kept(session), model="judge-2")
    assert ends(session, pair_id) == ["a new model's stance flipped"]


@pytest.mark.parametrize("unsure", [False, True])
@pytest.mark.parametrize("leaning", list(Stance))
def test_a_model_that_cant_tell_ends_nothing(session: Session, unsure: bool, leaning: Stance) -> None:
    pair_id = judged(session, finding=verdict(0.6, unsure=unsure))
    decide(session, verdict_id(session, pair_id), "Ada", "supports")
    cant_tell = verdict(0.7, leaning, "judge-2", unsure=True)
    judge(session, again(session, pair_id), cant_tell, kept(session), model="judge-2")
    assert ends(session, pair_id) == [None]
    sure = verdict(0.9, leaning, "judge-3")
    judge(session, again(session, pair_id), sure, kept(session), model="judge-3")
    assert ends(session, pair_id) == [None if leaning is Stance.REFUTES else "a new model's stance flipped"]


@pytest.mark.parametrize("decision", ["supports", "does_not"])
def test_nothing_is_decided_about_a_page_that_nobody_read(session: Session, decision: str) -> None:
    pair_id = judged(session)
    judge(session, again(session, pair_id), NotJudged(Outcome.NOT_FOUND))
    with pytest.raises(ReviewRefused, match="no page was read"):
        decide(session, verdict_id(session, pair_id), "Ada", decision)
    assert decisions_about(None) == ("cant_tell", "gone", "wrong_statement", "bad_wording")
    assert decisions_about("sha256:x") == schema.DECISIONS


def test_a_page_in_a_language_that_isnt_read_can_be_decided_about(session: Session) -> None:
    pair_id = judged(session)
    judge(session, again(session, pair_id), unread(), kept(session, body=b"other"))
    assert decide(session, verdict_id(session, pair_id), "Ada", "supports").decision == "supports"


def test_a_changed_statement_ends_it(session: Session) -> None:
    pair_id = judged(session)
    decide(session, verdict_id(session, pair_id), "Ada", "supports")
    walked(session, selected(snak=year(1901)))
    (task,) = lease(session, "w", 1, 60)
    judge(session, task, verdict(), kept(session))
    assert ends(session, pair_id) == ["the statement changed"]


def test_another_body_ends_it_until_the_first_is_back(session: Session) -> None:
    pair_id = judged(session)
    decide(session, verdict_id(session, pair_id), "Ada", "supports")
    judge(session, again(session, pair_id), verdict(), kept(session, body=b"other"))
    assert ends(session, pair_id) == ["the page changed"]
    judge(session, again(session, pair_id), verdict(), kept(session))
    assert ends(session, pair_id) == [None]


def test_a_page_that_cant_be_read_for_now_ends_it_for_now(session: Session) -> None:
    pair_id = judged(session)
    decide(session, verdict_id(session, pair_id), "Ada", "supports")
    judge(session, again(session, pair_id), NotJudged(Outcome.TIMED_OUT))
    assert ends(session, pair_id) == ["the page couldn't be read again"]
    judge(session, again(session, pair_id), verdict(), kept(session))
    assert ends(session, pair_id) == [None]


def test_a_decision_about_an_outcome_stands_until_another(session: Session) -> None:
    pair_id = judged(session)
    judge(session, again(session, pair_id), NotJudged(Outcome.NOT_FOUND))
    decide(session, verdict_id(session, pair_id), "Ada", "cant_tell")
    judge(session, again(session, pair_id), NotJudged(Outcome.NOT_FOUND))
    assert [state.stands for state in reviews_of(session, pair_id)] == [True]
    judge(session, again(session, pair_id), NotJudged(Outcome.GONE))
    assert ends(session, pair_id) == ["the page changed"]


def test_what_is_decided_about_the_claim_outlives_the_page_and_any_stance(session: Session) -> None:
    pair_id = judged(session)
    decide(session, verdict_id(session, pair_id), "Ada", "wrong_statement")
    decide(session, verdict_id(session, pair_id), "Eve", "bad_wording")
    judge(session, again(session, pair_id), verdict(0.9, Stance.SUPPORTS, "judge-2"), kept(session), model="judge-2")
    assert ends(session, pair_id) == [None, None]
    judge(session, again(session, pair_id), verdict(), kept(session, body=b"other"))
    assert ends(session, pair_id) == [None, None]
    judge(session, again(session, pair_id), NotJudged(Outcome.NOT_FOUND))
    assert ends(session, pair_id) == [None, None]
    walked(session, selected(snak=year(1901)))
    (task,) = lease(session, "w", 1, 60)
    judge(session, task, verdict(), kept(session))
    assert ends(session, pair_id) == ["the statement changed", "the statement changed"]


@pytest.mark.parametrize("decision", schema.DECISIONS)
def test_another_wording_ends_any_decision_and_is_told_from_another_statement(session: Session, decision: str) -> None:
    pair_id = judged(session)
    decide(session, verdict_id(session, pair_id), "Ada", decision)
    judge(session, again(session, pair_id), verdict(), kept(session), text="The year of birth is 1900.")
    assert ends(session, pair_id) == ["the wording changed"]


def test_that_a_page_is_gone_stands_until_another_body_of_it_is_read(session: Session) -> None:
    pair_id = judged(session)
    decide(session, verdict_id(session, pair_id), "Ada", "gone")
    judge(session, again(session, pair_id), verdict(0.9, Stance.SUPPORTS, "judge-2"), kept(session), model="judge-2")
    assert ends(session, pair_id) == [None]
    judge(session, again(session, pair_id), NotJudged(Outcome.NOT_FOUND))
    assert ends(session, pair_id) == [None]
    judge(session, again(session, pair_id), NotJudged(Outcome.GONE))
    assert ends(session, pair_id) == [None]
    judge(session, again(session, pair_id), verdict(), kept(session, body=b"other"))
    assert ends(session, pair_id) == ["the page could be read again"]


def test_that_a_page_nobody_could_read_is_gone_ends_when_it_is_read(session: Session) -> None:
    pair_id = judged(session)
    judge(session, again(session, pair_id), NotJudged(Outcome.NOT_FOUND))
    decide(session, verdict_id(session, pair_id), "Ada", "gone")
    judge(session, again(session, pair_id), verdict(), kept(session))
    assert ends(session, pair_id) == ["the page could be read again"]


def test_a_new_decision_takes_the_place_of_one_that_outlived_another_page(session: Session) -> None:
    pair_id = judged(session)
    decide(session, verdict_id(session, pair_id), "Ada", "wrong_statement")
    judge(session, again(session, pair_id), verdict(), kept(session, body=b"other"))
    second = decide(session, verdict_id(session, pair_id), "Ada", "supports")
    assert standing_reviews(session, pair_id) == (second,)


def test_people_who_disagree_find_the_pair(session: Session) -> None:
    pair_id, other = judged(session), judged(session, number=2)
    decide(session, verdict_id(session, pair_id), "Ada", "supports")
    decide(session, verdict_id(session, other), "Ada", "supports")
    decide(session, verdict_id(session, other), "Eve", "supports")
    assert disputed_pairs(session, "Ada") == ()
    assert not differ(standing_reviews(session, other))
    mine = decide(session, verdict_id(session, pair_id), "Eve", "does_not")
    assert differ(standing_reviews(session, pair_id))
    assert disputed_pairs(session, "Ada") == disputed_pairs(session, "Eve") == (pair_id,)
    assert disputed_pairs(session, "Mary") == ()
    (dispute,) = disputes(session, "Ada")
    assert (dispute.pair_id, dispute.claim) == (pair_id, "Born in 1900.")
    assert [(review.reviewer, review.decision) for review in dispute.reviews] == [
        ("Eve", "does_not"),
        ("Ada", "supports"),
    ]
    now = schema.Verdict
    by_anyone = select(now.pair_id).where(now.current, disputed(now))
    assert session.scalars(by_anyone).all() == [pair_id]
    assert session.scalars(select(now.pair_id).where(now.current, disputed(now, "Mary"))).all() == []
    undo(session, mine.id, "Eve")
    assert disputed_pairs(session, "Ada") == ()


def test_a_decision_that_no_longer_stands_disputes_nothing(session: Session) -> None:
    pair_id = judged(session)
    decide(session, verdict_id(session, pair_id), "Ada", "supports")
    judge(session, again(session, pair_id), verdict(), kept(session, body=b"other"))
    decide(session, verdict_id(session, pair_id), "Eve", "does_not")
    assert disputed_pairs(session, "Ada") == disputed_pairs(session, "Eve") == ()


def test_one_standing_decision_of_a_person_is_held_by_the_schema(engine: Engine, session: Session) -> None:
    pair_id = judged(session)
    row = {"verdict_id": verdict_id(session, pair_id), "reviewer": "Ada", "decision": "supports"}
    session.add_all([schema.Review(**row), schema.Review(**row)])
    with pytest.raises(IntegrityError, match="uq_review_standing"):
        session.flush()
