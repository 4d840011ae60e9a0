"""What a walk records, and which pairs wait because of it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import Engine, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from store_rows import MODEL, document, judge, judged, kept, pair_row, selected, verdict, walked, year

from models.outcome import NotJudged, Outcome
from models.statement import SourceUrl, Term, TimeValue
from store import schema
from store.runs import end_run, pair_states, recent_runs, save_place, start_run
from store.terms import load_terms
from store.walk import SelectedPair, WalkCounts, put_pairs, put_terms, queue_other_bodies
from store.work import lease


def walk(session: Session, *pairs: SelectedPair, model: str = MODEL) -> tuple[int, WalkCounts]:
    run = start_run(session, "a test", model)
    counts = put_pairs(session, run.id, pairs, model)
    end_run(session, run.id, "stopped")  # so that anyone may judge what it queued
    return run.id, counts


def current(session: Session, pair_id: int) -> schema.Verdict:
    query = select(schema.Verdict).where(schema.Verdict.pair_id == pair_id, schema.Verdict.current)
    return session.scalars(query, execution_options={"populate_existing": True}).one()


def test_new_pairs_wait_once(session: Session) -> None:
    _, counts = walk(session, selected(1), selected(2), selected(1))
    assert counts == WalkCounts(new=2)
    second, counts = walk(session, selected(1), selected(3))
    assert counts == WalkCounts(new=1, unchanged=1)
    assert pair_row(session, 1).run_id == second
    assert pair_states(session) == {"waiting": 3, "leased": 0, "judged": 0, "not_judged": 0, "failed": 0, "retired": 0}
    assert pair_row(session, 1).domain == "example.org"


def test_walking_nothing_is_nothing(session: Session) -> None:
    assert walk(session)[1] == WalkCounts()


def test_entities_without_words_are_rows_without_a_label(session: Session) -> None:
    unit = {"type": "quantity", "value": {"amount": "+1", "unit": "http://www.wikidata.org/entity/Q11573"}}
    qualifiers = {"P1545": [{"snaktype": "value", "datavalue": {"type": "wikibase-entityid", "value": {"id": "P18"}}}]}
    walk(
        session, selected(snak={"snaktype": "value", "datatype": "quantity", "datavalue": unit}, qualifiers=qualifiers)
    )
    items = session.execute(select(schema.Item.id, schema.Item.label).order_by(schema.Item.id)).all()
    assert [tuple(row) for row in items] == [("Q1", None), ("Q11573", None)]
    assert set(session.scalars(select(schema.Property.id))) == {"P569", "P1545", "P18"}
    assert session.get_one(schema.Property, "P569").datatype == "quantity"


def test_terms_are_replaced_by_newer_ones_but_not_by_nothing(session: Session) -> None:
    put_terms(
        session, [Term("Q1", "Ada"), Term("P1", "p"), Term("L1", "lex"), Term("Q1", "Ada L.", ("A",), "d", "mul")]
    )
    put_terms(session, [Term("Q1", None), Term("P1", "q")])
    ada = session.get_one(schema.Item, "Q1")
    assert (ada.label, ada.aliases, ada.description, ada.label_language) == ("Ada L.", ["A"], "d", "mul")
    assert session.get_one(schema.Property, "P1").label == "q"
    assert session.get_one(schema.Item, "L1").label == "lex"


def test_terms_come_back_with_their_names_in_other_languages(session: Session) -> None:
    vienna = Term("Q1741", "Vienna", ("Vindobona",), "capital", "en", (("fr", ("Vienne",)), ("ru", ("Вена",))))
    put_terms(session, [vienna])
    back = load_terms(session, ["Q1741"])("Q1741")
    assert dict(back.foreign) == dict(vienna.foreign)
    assert back.on_page_in("fr").names == ("Vienna", "Vindobona", "Vienne")


def test_a_judged_pair_that_didnt_change_stays_untouched(session: Session) -> None:
    pair_id = judged(session)
    before = (pair_row(session, pair_id).run_id, pair_row(session, pair_id).next_at)
    _, counts = walk(session, selected(revision=8))
    assert counts == WalkCounts(unchanged=1)
    pair = pair_row(session, pair_id)
    assert (pair.state, (pair.run_id, pair.next_at)) == ("judged", before)
    assert session.get_one(schema.Statement, "Q1$A", populate_existing=True).revision == 8


@pytest.mark.parametrize(
    "change",
    [
        {"snak": year(1901)},
        {"qualifiers": {"P1480": [{"snaktype": "value", "datavalue": {"type": "string", "value": "circa"}}]}},
        {"urls": (SourceUrl("https://other.example/", "live"),)},
        {"urls": (SourceUrl("https://www.example.org/1", "live"), SourceUrl("https://b.example/", "archive"))},
    ],
    ids=["value", "qualifier", "address", "archived copy"],
)
def test_a_changed_statement_makes_the_verdict_stale_and_goes_first(session: Session, change: dict[str, Any]) -> None:
    pair_id = judged(session)
    run_id, counts = walk(session, selected(**change), selected(2))
    assert counts == WalkCounts(new=1, changed=1)
    pair = pair_row(session, pair_id)
    assert (pair.state, pair.why, pair.run_id) == ("waiting", "changed", run_id)
    assert current(session, pair_id).stale
    assert [task.guid for task in lease(session, "w", 1, 60)] == ["Q1$A"]
    (task,) = lease(session, "v", 1, 60)
    assert task.guid == "Q2$A"


def test_a_changed_statement_is_judged_anew_once(session: Session) -> None:
    pair_id = judged(session)
    walk(session, selected(snak=year(1901)))
    (task,) = lease(session, "w", 1, 60)
    judge(session, task, verdict(0.9), kept(session))
    assert (current(session, pair_id).stale, current(session, pair_id).probability) == (False, 0.9)
    assert walk(session, selected(snak=year(1901)))[1] == WalkCounts(unchanged=1)


def test_a_changed_statement_changes_its_pairs_of_other_calls_too(session: Session) -> None:
    one, other = selected(), selected(ref_hash="hash2", urls=(SourceUrl("https://b.example/", "live"),))
    walked(session, one, other)
    for task in lease(session, "w", 2, 60):
        judge(session, task, verdict(), kept(session))
    run_id, counts = walk(session, selected(snak=year(1901)))
    assert counts == WalkCounts(changed=1)
    assert all(row.stale for row in session.scalars(select(schema.Verdict)))
    assert pair_states(session)["waiting"] == 2
    assert len(lease(session, "w", 5, 60, run_id)) == 2


def test_a_change_breaks_a_lease_so_that_the_old_value_is_not_saved(session: Session) -> None:
    walked(session, selected())
    (task,) = lease(session, "w", 1, 60)
    walk(session, selected(snak=year(1901)))
    assert not judge(session, task, verdict(), kept(session))
    (task,) = lease(session, "v", 1, 60)
    assert task.statement.value == TimeValue(1901, None, None, 9)


def test_an_older_revision_replaces_nothing(session: Session) -> None:
    pair_id = judged(session)
    assert walk(session, selected(snak=year(1850), revision=6))[1] == WalkCounts(unchanged=1)
    assert pair_row(session, pair_id).state == "judged"
    assert session.get_one(schema.Statement, "Q1$A", populate_existing=True).snak == year(1900)
    assert walk(session, selected(snak=year(1850), revision=0))[1] == WalkCounts(changed=1)


def test_another_model_judges_again_in_its_turn(session: Session) -> None:
    pair_id = judged(session)
    run_id, counts = walk(session, selected(), model="judge-2")
    assert counts == WalkCounts(another_model=1)
    pair = pair_row(session, pair_id)
    assert (pair.state, pair.why, pair.run_id, current(session, pair_id).stale) == ("waiting", "refuted", run_id, False)


def test_not_judged_pairs_wait_again_when_they_are_due(session: Session) -> None:
    walked(session, selected())
    (task,) = lease(session, "w", 1, 60)
    judge(session, task, NotJudged(Outcome.NOT_FOUND))
    assert walk(session, selected())[1] == WalkCounts(unchanged=1)
    session.execute(update(schema.Pair).values(next_at=datetime(2026, 1, 1, tzinfo=UTC)))
    assert walk(session, selected())[1] == WalkCounts(retried=1)
    assert pair_row(session, task.pair_id).tries == 1


def test_a_killed_runs_pairs_join_the_next_run(session: Session) -> None:
    walked(session, selected())
    (task,) = lease(session, "killed", 1, 1)
    run_id, counts = walk(session, selected())
    assert counts == WalkCounts(unchanged=1)
    pair = pair_row(session, task.pair_id)
    assert (pair.state, pair.leased_by, pair.run_id) == ("leased", "killed", run_id)


def test_a_replay_with_another_body_queues_its_pairs(session: Session) -> None:
    pair_id = judged(session)
    judged(session, number=2)
    same = document("https://www.example.org/2").digest
    run_id, _ = walk(session, selected())
    assert queue_other_bodies(session, run_id, {"https://www.example.org/2": same, "https://x.example/": "d"}) == 0
    assert queue_other_bodies(session, run_id, {"https://www.example.org/1": "sha256:other"}) == 1
    assert pair_row(session, pair_id).state == "waiting"


def test_two_walks_at_once_over_the_same_pairs(engine: Engine) -> None:
    with Session(engine) as one, Session(engine) as other:
        run = start_run(one, "one", MODEL)
        one.commit()
        assert put_pairs(one, run.id, [selected(1)], MODEL).new == 1
        one.commit()
        assert put_pairs(other, run.id, [selected(1), selected(2)], MODEL) == WalkCounts(new=1, unchanged=1)
        other.commit()


def test_thousands_of_pairs_in_one_call(session: Session) -> None:
    _, counts = walk(session, *(selected(number) for number in range(1, 3001)))
    assert counts == WalkCounts(new=3000)
    assert session.scalar(select(func.count()).select_from(schema.Item)) == 3000


def test_a_run_from_start_to_end(session: Session) -> None:
    run = start_run(session, "dump d.json", MODEL)
    assert (run.state, run.source, run.model_version, run.finished_at) == ("running", "dump d.json", MODEL, None)
    save_place(session, run.id, {"line": 7}, {"pairs": 3}, {"deprecated": 2})
    end_run(session, run.id, "failed", "it threw")
    end_run(session, run.id, "finished")
    (ended,) = recent_runs(session)
    assert (ended.state, ended.error, ended.place, ended.counts, ended.skipped) == (
        "failed",
        "it threw",
        {"line": 7},
        {"pairs": 3},
        {"deprecated": 2},
    )
    assert ended.finished_at is not None


def test_a_run_that_failed_says_why(session: Session) -> None:
    run = start_run(session, "x", MODEL)
    with pytest.raises(IntegrityError, match="error_when_failed"):
        end_run(session, run.id, "failed")
