"""What is looked at again, who was lost, and what people ask for."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import Engine, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from store_rows import MODEL, judge, judged, kept, pair_row, selected, verdict, walked

from models.evidence import Stance
from models.outcome import NotJudged, Outcome
from store import schema
from store.again import queue_again
from store.requests import answer, any_waiting, ask, queue_items, take
from store.runs import LOST, end_lost, end_run, fail_runs, heard, lease_holders, recent_runs, running_workers, start_run
from store.work import lease

MONTH = timedelta(days=30)


def aged(session: Session, days: float, *pair_ids: int) -> None:
    """As if the pairs had been judged so many days ago."""
    then = func.now() - timedelta(days=days)
    session.execute(update(schema.Verdict).where(schema.Verdict.pair_id.in_(pair_ids)).values(judged_at=then))


def test_what_was_judged_long_ago_waits_again_and_what_wasnt_doesnt(session: Session) -> None:
    refuted, supported, fresh = (
        judged(session),
        judged(session, number=2, finding=verdict(0.9, Stance.SUPPORTS)),
        judged(session, number=3),
    )
    aged(session, 31, refuted, supported)
    assert queue_again(session, MONTH, 10) == 2
    assert [(pair_row(session, each).state, pair_row(session, each).why) for each in (refuted, supported)] == [
        ("waiting", "refuted"),
        ("waiting", "old"),
    ]
    assert pair_row(session, fresh).state == "judged"
    assert queue_again(session, MONTH, 10) == 0
    first = lease(session, "w", 1, 60)
    assert [task.pair_id for task in first] == [refuted]


def test_judged_again_as_before_it_is_one_verdict_and_fresh(session: Session) -> None:
    pair_id = judged(session)
    aged(session, 31, pair_id)
    queue_again(session, MONTH, 10)
    (task,) = lease(session, "w", 1, 60)
    judge(session, task, verdict(), kept(session))
    assert session.scalar(select(func.count()).select_from(schema.Verdict)) == 1
    assert queue_again(session, MONTH, 10) == 0


def test_what_wasnt_judged_is_tried_again_when_it_is_due(session: Session) -> None:
    walked(session, selected(1), selected(2))
    for task, outcome in zip(lease(session, "w", 2, 60), (Outcome.NOT_FOUND, Outcome.UNSAFE_ADDRESS), strict=True):
        judge(session, task, NotJudged(outcome))
    assert queue_again(session, MONTH, 10) == 0
    session.execute(update(schema.Pair).where(schema.Pair.next_at.is_not(None)).values(next_at=func.now()))
    assert queue_again(session, MONTH, 10) == 1
    (task,) = lease(session, "w", 5, 60)
    assert (task.why, task.tries) == ("old", 1)


def test_no_more_than_the_bound_wait_at_a_time(session: Session) -> None:
    pairs = [judged(session, number=n, finding=verdict(0.9, Stance.SUPPORTS)) for n in range(1, 6)]
    for days, pair_id in enumerate(pairs, 40):
        aged(session, days, pair_id)
    assert queue_again(session, MONTH, 2) == 2
    assert {pair_row(session, each).state for each in pairs[3:]} == {"waiting"}, "the oldest first"
    assert queue_again(session, MONTH, 2) == 0
    lease(session, "w", 1, 60)
    assert queue_again(session, MONTH, 2) == 0, "what is being judged counts as well"


def test_one_worker_at_a_time_queues(engine: Engine, session: Session) -> None:
    aged(session, 31, judged(session))
    session.commit()
    with Session(engine) as other:
        assert queue_again(other, MONTH, 1) == 1
        assert queue_again(session, MONTH, 1) == 0


def test_what_a_person_asks_for_goes_before_what_nobody_has_looked_at(session: Session) -> None:
    pair_id = judged(session)
    walked(session, selected(2))
    assert ask(session, "Q1", "Ada")
    assert not ask(session, "Q1", "Eve"), "it is asked for already"
    (wish,) = take(session, 5)
    assert (wish.item_id, wish.asked_by) == ("Q1", "Ada")
    assert queue_items(session, [wish.item_id]) == 1
    answer(session, wish, "")
    assert not any_waiting(session)
    assert [task.pair_id for task in lease(session, "w", 1, 60)] == [pair_id]
    assert ask(session, "Q1", "Eve"), "and may be asked for again"


def test_what_changed_stays_more_urgent_than_what_is_asked_for(session: Session) -> None:
    walked(session, selected())
    session.execute(update(schema.Pair).values(why="changed"))
    queue_items(session, ["Q1"])
    assert pair_row(session, 1).why == "changed"


def test_a_wish_is_taken_up_by_one_and_waits_where_that_one_dies(engine: Engine, session: Session) -> None:
    ask(session, "Q1", "Ada")
    session.commit()
    with Session(engine) as dying:
        assert len(take(dying, 5)) == 1
        assert take(session, 5) == []
    assert len(take(session, 5)) == 1


@pytest.mark.parametrize(("item", "who"), [("P31", "Ada"), ("Q0", "Ada"), ("", "Ada"), ("Q1", "")])
def test_a_wish_names_an_item_and_who_has_it(session: Session, item: str, who: str) -> None:
    with pytest.raises(IntegrityError, match="ck_request"):
        ask(session, item, who)


def test_a_run_whose_worker_isnt_heard_of_is_ended_as_failed(session: Session) -> None:
    lost, alive, ended = (start_run(session, name, MODEL, name).id for name in ("lost", "alive", "ended"))
    end_run(session, ended, "finished")
    session.execute(update(schema.Run).values(seen_at=func.now() - timedelta(minutes=1)))
    heard(session, alive)
    # The server of the tests may have started just now, and then nobody is taken for lost.
    assert end_lost(session, 3600) == 0
    assert end_lost(session, 0.001) == 1
    states = {run.id: (run.state, run.error) for run in recent_runs(session)}
    assert states[lost] == ("failed", LOST)
    assert states[alive] == ("running", None)
    assert states[ended] == ("finished", None)


def test_who_holds_leases_and_who_runs(session: Session) -> None:
    run = start_run(session, "x", MODEL, "w")
    walked(session, selected())
    lease(session, "w:1", 1, 60)
    assert lease_holders(session) == ["w:1"]
    assert running_workers(session) == [(run.id, "w")]
    fail_runs(session, [run.id], "killed")
    assert running_workers(session) == []
