"""One decision about many references."""

from __future__ import annotations

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session
from store_rows import again, document, judge, judged, verdict

from models.evidence import Stance
from models.outcome import NotJudged, Outcome
from models.statement import SourceUrl
from store import bulk, schema
from store.archive import Place
from store.bulk import ChangedSince, Target
from store.documents import put_document
from store.filters import Filters
from store.queue import worst_first
from store.reviews import ReviewRefused, decide, reviews_of

HERE = Target("domain", "example.org")


def open_pairs(session: Session) -> list[int]:
    return sorted(row.pair_id for row in worst_first(session, Filters()).rows)


def test_a_domain_is_decided_about_as_a_whole_and_undone_as_a_whole(session: Session) -> None:
    pairs = [judged(session, number=number) for number in (1, 2, 3)]
    elsewhere = judged(session, number=4, urls=(SourceUrl("https://b.example/", "live"),))
    lost = judged(session, number=5)
    judge(session, again(session, lost), NotJudged(Outcome.NOT_FOUND))
    plan = bulk.plan(session, HERE)
    assert (plan.number, plan.found) == (4, {"refutes": 3, "not_found": 1})
    made = bulk.carry_out(session, HERE, "Ada", plan.seen)
    assert (made.number, made.standing, made.decision, made.reviewer) == (4, 4, "gone", "Ada")
    assert open_pairs(session) == [elsewhere]
    (state,) = reviews_of(session, pairs[0])
    assert (state.review.decision, state.review.bulk_id, state.stands) == ("gone", made.id, True)
    assert {each.pair_id for each in bulk.examples_of(session, made.id)} == {*pairs, lost}
    undone = bulk.undo(session, made.id, "Ada")
    assert undone.undone_at is not None
    assert undone.standing == 0
    assert open_pairs(session) == sorted([*pairs, elsewhere, lost])
    assert [one.id for one in bulk.bulks(session)] == [made.id]
    assert bulk.bulks(session, before=made.id) == []


def test_what_is_decided_supported_or_archived_is_left_alone(session: Session) -> None:
    reviewed, plain = judged(session), judged(session, number=2)
    supported = judged(session, number=3, finding=verdict(0.9, Stance.SUPPORTS))
    leaning = judged(session, number=4, finding=verdict(0.6, Stance.SUPPORTS, unsure=True))
    copied = judged(session, number=5)
    copy = put_document(session, document("https://archive.example/5", b"copy"), Place("a.warc.gz", 9))
    judge(session, again(session, copied), verdict(0.2), copy, via="archive")
    rows = {row.pair_id: row.verdict_id for row in worst_first(session, Filters()).rows}
    decide(session, rows[reviewed], "Eve", "supports")
    plan = bulk.plan(session, HERE)
    assert (plan.number, plan.decided, plan.archived, plan.supported) == (2, 1, 1, 1)
    assert {each.pair_id for each in plan.examples} == {plain, leaning}
    everything = Target("domain", "example.org", supported=True)
    assert bulk.plan(session, everything).number == 3
    bulk.carry_out(session, everything, "Ada", bulk.plan(session, everything).seen)
    decided = session.scalars(select(schema.Review.verdict_id).where(schema.Review.bulk_id.is_not(None)))
    assert set(decided) == {rows[plain], rows[leaning], rows[supported]}


def test_an_address_is_decided_about_wherever_it_is_cited(session: Session) -> None:
    same = (SourceUrl("https://www.example.org/list", "live"),)
    pairs = [judged(session, number=number, urls=same) for number in (1, 2)]
    other = judged(session, number=3, urls=(SourceUrl("https://www.example.org/list?page=2", "live"),))
    target = Target("address", "https://www.example.org/list")
    made = bulk.carry_out(session, target, "Ada", bulk.plan(session, target).seen)
    assert (made.kind, made.number) == ("address", 2)
    assert open_pairs(session) == [other]
    assert {each.pair_id for each in bulk.examples_of(session, made.id)} == set(pairs)


def test_only_what_was_seen_is_decided(session: Session) -> None:
    judged(session)
    seen = bulk.plan(session, HERE).seen
    judged(session, number=2)
    with pytest.raises(ChangedSince, match=r"example\.org"):
        bulk.carry_out(session, HERE, "Ada", seen)
    assert bulk.bulks(session) == []


def test_a_single_decision_of_a_bulk_can_be_undone_alone(session: Session) -> None:
    pairs = [judged(session, number=number) for number in (1, 2)]
    made = bulk.carry_out(session, HERE, "Ada", bulk.plan(session, HERE).seen)
    (state,) = reviews_of(session, pairs[0])
    from store.reviews import undo

    undo(session, state.review.id, "Ada")
    found = bulk.bulk(session, made.id)
    assert found is not None
    assert (found.standing, found.undone_at) == (1, None)
    assert open_pairs(session) == [pairs[0]]


@pytest.mark.parametrize("reviewer", ["", " "])
def test_a_bulk_needs_a_name(session: Session, reviewer: str) -> None:
    judged(session)
    with pytest.raises(ReviewRefused, match="who you are"):
        bulk.carry_out(session, HERE, reviewer, bulk.plan(session, HERE).seen)


def test_nothing_is_no_bulk_and_another_persons_cant_be_undone(session: Session) -> None:
    with pytest.raises(ReviewRefused, match="no reference"):
        bulk.carry_out(session, HERE, "Ada", bulk.plan(session, HERE).seen)
    judged(session)
    made = bulk.carry_out(session, HERE, "Ada", bulk.plan(session, HERE).seen)
    with pytest.raises(ReviewRefused, match="Ada's"):
        bulk.undo(session, made.id, "Eve")
    with pytest.raises(ReviewRefused, match="no decision 99"):
        bulk.undo(session, 99, "Eve")
