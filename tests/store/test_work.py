"""Leasing, judging, failing: what a worker does with the work list."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, func, select, update
from sqlalchemy.orm import Session
from store_rows import MODEL, again, judge, judged, kept, pair_row, selected, unread, verdict, walked

from models.evidence import Stance
from models.outcome import NotJudged, Outcome
from models.statement import EntityValue, Qualifier, SourceUrl, Term, TimeValue
from models.verbalise import Override
from store import schema
from store.overrides import save_override
from store.runs import end_run, start_run
from store.walk import put_pairs, put_terms
from store.work import count_due, fail, give_back, lease, renew, save_judgement


def verdicts(session: Session) -> list[schema.Verdict]:
    query = select(schema.Verdict).order_by(schema.Verdict.id).execution_options(populate_existing=True)
    return list(session.scalars(query))


def now(session: Session) -> datetime:
    return session.scalars(select(func.now())).one()


def test_a_task_has_all_that_judging_needs(session: Session) -> None:
    qualifiers = {
        "P642": [
            {
                "snaktype": "value",
                "property": "P642",
                "datavalue": {"type": "wikibase-entityid", "value": {"id": "L5"}},
            },
            {"snaktype": "somevalue", "property": "P642"},
        ]
    }
    urls = (SourceUrl("https://a.example/x", "live"), SourceUrl("https://web.archive.example/x", "archive"))
    walked(session, selected(qualifiers=qualifiers, urls=urls))
    put_terms(session, [Term("Q1", "Ada", ("Ada L.",), "poet", "mul"), Term("P569", "born"), Term("L5", "of")])
    save_override(session, "P569", "label", "year of birth", "Eve")
    (task,) = lease(session, "w", 5, 60)
    assert task.urls == urls
    assert task.override == Override("label", "year of birth")
    assert task.statement.item == Term("Q1", "Ada", ("Ada L.",), "poet", "mul")
    assert task.statement.property.label == "born"
    assert (task.statement.datatype, task.statement.revision) == ("time", 7)
    assert task.statement.value == TimeValue(1900, None, None, 9)
    assert task.statement.qualifiers == (Qualifier(Term("P642", None), EntityValue(Term("L5", "of"))),)
    assert task.qualifiers == qualifiers


@pytest.mark.parametrize("unsure", [False, True])
def test_whether_the_judge_is_unsure_is_kept(session: Session, unsure: bool) -> None:
    judged(session, finding=verdict(0.6, unsure=unsure))
    assert [(row.unsure, row.stance) for row in verdicts(session)] == [(unsure, "refutes")]


def test_two_workers_at_once_never_get_the_same_pair(engine: Engine, session: Session) -> None:
    walked(session, *(selected(number) for number in range(1, 6)))
    session.commit()
    with Session(engine) as one, Session(engine) as other:
        first = lease(one, "one", 3, 60)
        second = lease(other, "other", 3, 60)  # doesn't wait for the first, whose transaction is still open
        assert (len(first), len(second)) == (3, 2)
        assert not {task.pair_id for task in first} & {task.pair_id for task in second}


def test_pairs_of_one_page_come_together(session: Session) -> None:
    shared = (SourceUrl("https://shared.example/", "live"),)
    pairs = [selected(number, **({"urls": shared} if number % 2 else {})) for number in range(1, 9)]
    walked(session, *pairs)
    urls = [task.urls for task in lease(session, "w", 8, 60)]
    at = [place for place, each in enumerate(urls) if each == shared]
    assert len(at) == 4
    assert at == list(range(at[0], at[0] + 4))


def test_higher_priority_goes_first_then_the_longest_due(session: Session) -> None:
    walked(session, *(selected(number) for number in range(1, 4)))
    due: dict[str, dict[str, Any]] = {
        "Q1$A": {"next_at": datetime(2026, 1, 2, tzinfo=UTC)},
        "Q2$A": {"next_at": datetime(2026, 1, 1, tzinfo=UTC)},
        "Q3$A": {"why": "refuted"},
    }
    for guid, values in due.items():
        session.execute(update(schema.Pair).where(schema.Pair.guid == guid).values(**values))
    assert [lease(session, "w", 1, 60)[0].guid for _ in range(3)] == ["Q3$A", "Q2$A", "Q1$A"]
    assert lease(session, "w", 1, 60) == []


def test_a_run_leases_only_its_own(session: Session) -> None:
    walked(session, selected(1))
    second = walked(session, selected(2))
    assert [task.guid for task in lease(session, "w", 5, 60, second)] == ["Q2$A"]


def test_a_lease_that_ran_out_is_taken_over_and_the_late_worker_is_refused(session: Session) -> None:
    walked(session, selected())
    (late,) = lease(session, "late", 1, -1)
    (task,) = lease(session, "quick", 1, 60)
    assert task == replace(late, tries=1), "and it counts as a try"
    assert not judge(session, late, verdict(), kept(session), worker="late")
    assert not fail(session, late, "late", "too late")
    assert verdicts(session) == []
    assert judge(session, task, verdict(), kept(session), worker="quick")
    assert not judge(session, task, verdict(), kept(session), worker="quick")
    assert pair_row(session, task.pair_id).state == "judged"


def test_a_lease_that_ran_out_untaken_still_counts(session: Session) -> None:
    walked(session, selected())
    (task,) = lease(session, "w", 1, -1)
    assert judge(session, task, verdict(), kept(session))


def test_a_renewed_lease_isnt_taken_over(session: Session) -> None:
    walked(session, selected())
    lease(session, "w", 1, -1)
    assert renew(session, "w", 60) == 1
    assert lease(session, "other", 1, 60) == []


def test_what_is_given_back_waits_again(session: Session) -> None:
    walked(session, selected(1), selected(2))
    first = lease(session, "w", 5, 60)
    assert lease(session, "other", 5, 60) == []
    assert (give_back(session, "other"), give_back(session, "w")) == (0, 2)
    assert lease(session, "other", 5, 60) == first


def test_a_judgement_is_saved_with_its_evidence(session: Session) -> None:
    pair_id = judged(session)
    (row,) = verdicts(session)
    assert (row.stance, row.probability, row.weighted_sum, row.malon) == ("refutes", 0.1, "refutes", "not_enough_info")
    assert (row.claim, row.wording, row.via, row.reason, row.current, row.stale) == (
        "Born in 1900.",
        "pattern",
        "live",
        "It says 1901.",
        True,
        False,
    )
    (evidence,) = row.evidence
    assert (evidence.position, evidence.passage, evidence.first_sentence, evidence.last_sentence) == (
        1,
        "Born in 1901.",
        1,
        2,
    )
    assert evidence.matches == [{"part": "value", "how": "conflict", "start": 8, "end": 12, "score": 0.9}]
    pair = pair_row(session, pair_id)
    assert (pair.state, pair.tries, pair.leased_by) == ("judged", 0, None)


def test_the_same_judgement_is_one_row_however_often_it_is_saved(session: Session) -> None:
    pair_id = judged(session)
    for _ in range(2):
        assert judge(session, again(session, pair_id), verdict(), kept(session))
    (row,) = verdicts(session)
    assert (row.current, len(row.evidence)) == (True, 1)


def test_another_body_makes_a_verdict_beside_and_the_first_comes_back_with_its_body(session: Session) -> None:
    pair_id = judged(session)
    judge(session, again(session, pair_id), verdict(0.9, Stance.SUPPORTS), kept(session, body=b"other"))
    assert [(row.stance, row.current) for row in verdicts(session)] == [("refutes", False), ("supports", True)]
    judge(session, again(session, pair_id), verdict(), kept(session))
    assert [(row.stance, row.current) for row in verdicts(session)] == [("refutes", True), ("supports", False)]


def test_another_model_or_claim_makes_a_verdict_beside(session: Session) -> None:
    pair_id = judged(session)
    judge(session, again(session, pair_id), verdict(), kept(session), model="judge-2")
    judge(session, again(session, pair_id), verdict(), kept(session), text="Was born in 1900.")
    assert [row.current for row in verdicts(session)] == [False, False, True]


def test_more_than_five_passages_are_cut(session: Session) -> None:
    walked(session, selected())
    (task,) = lease(session, "w", 1, 60)
    one = verdict()
    many = type(one)(one.stance, 0.5, one.evidence * 7, one.weighted_sum, one.malon, MODEL)
    judge(session, task, many, kept(session))
    assert len(verdicts(session)[0].evidence) == 5


@pytest.mark.parametrize("outcome", list(Outcome))
def test_not_judged_waits_as_its_outcome_says(session: Session, outcome: Outcome) -> None:
    walked(session, selected())
    waits = []
    for _ in range(2):
        if pair_row(session, 1).state == "not_judged":
            session.execute(update(schema.Pair).values(state="waiting", next_at=func.now()))
        (task,) = lease(session, "w", 1, 60)
        assert judge(session, task, NotJudged(outcome, "404 Not Found from example.org"))
        pair = pair_row(session, task.pair_id)
        assert pair.state == "not_judged"
        waits.append(pair.next_at and pair.next_at - now(session))
    after = outcome.retry_after
    assert waits == [after, after and 2 * after]
    (row,) = verdicts(session)
    assert (row.outcome, row.stance, row.detail) == (outcome.value, None, "404 Not Found from example.org")


def test_passages_that_name_the_value_are_kept_where_nothing_was_judged(session: Session) -> None:
    walked(session, selected())
    (task,) = lease(session, "w", 1, 60)
    assert judge(session, task, unread(*map(str, range(1900, 1907))), kept(session))
    (row,) = verdicts(session)
    assert (row.outcome, row.stance, row.probability) == ("unsupported_language", None, None)
    assert [one.passage for one in row.evidence] == ["1900", "1901", "1902", "1903", "1904"]
    assert {(one.kind, one.supports, one.refutes, one.not_enough_info) for one in row.evidence} == {
        ("value", 0.0, 0.0, 1.0)
    }
    assert row.evidence[0].matches == [{"part": "value", "how": "exact", "start": 0, "end": 4, "score": 1.0}]


def test_an_outcome_that_is_saved_again_has_the_passages_found_last_and_no_others(session: Session) -> None:
    walked(session, selected())
    (task,) = lease(session, "w", 1, 60)
    for texts in (("1900", "in 1900"), ("1900", "in 1900"), ("about 1900",)):
        judge(session, task, unread(*texts), kept(session))
        task = again(session, task.pair_id)
    (row,) = verdicts(session)
    assert [one.passage for one in row.evidence] == ["about 1900"]


def test_a_statement_without_words_has_no_claim(session: Session) -> None:
    run_id = walked(session, selected())
    (task,) = lease(session, "w", 1, 60)
    missing = NotJudged(Outcome.NO_LABEL, "Q1 has no label")
    assert save_judgement(session, task, "w", run_id, None, "sha256:", None, None, missing, MODEL)
    assert verdicts(session)[0].claim == ""


def test_a_failure_says_why_and_is_tried_again_after_growing_delays(session: Session) -> None:
    walked(session, selected())
    waits = []
    for _ in range(7):
        session.execute(update(schema.Pair).values(next_at=func.now()))
        (task,) = lease(session, "w", 1, 60)
        assert fail(session, task, "w", "the model broke")
        pair = pair_row(session, task.pair_id)
        assert (pair.state, pair.last_error, pair.leased_by) == ("failed", "the model broke", None)
        assert pair.next_at is not None
        waits.append(pair.next_at - now(session))
    assert waits == [timedelta(minutes=minutes) for minutes in (5, 20, 80, 320, 1280, 1440, 1440)]
    assert lease(session, "w", 1, 60) == []


def test_a_value_that_cant_be_read_fails_alone(session: Session) -> None:
    walked(session, selected(1, snak={"snaktype": "value", "datavalue": {"type": "hologram", "value": 1}}), selected(2))
    assert [task.guid for task in lease(session, "w", 5, 60)] == ["Q2$A"]
    pair = session.scalars(select(schema.Pair).where(schema.Pair.guid == "Q1$A")).one()
    assert pair.state == "failed"
    assert "hologram" in (pair.last_error or "")


def test_what_a_run_queued_is_its_own_while_it_goes_on(session: Session) -> None:
    running = start_run(session, "a replay", MODEL, own_pages=True).id
    put_pairs(session, running, [selected()], MODEL)
    assert count_due(session) == 0
    assert lease(session, "another", 5, 60) == []
    assert count_due(session, running) == 1
    end_run(session, running, "stopped")
    assert [task.guid for task in lease(session, "another", 5, 60)] == ["Q1$A"]
