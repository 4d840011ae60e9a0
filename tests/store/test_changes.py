"""What a walk notices of what became of references: removed, come back, put into other words, or old."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session
from store_rows import MODEL, judge, judged, kept, pair_row, selected, verdict, walked, year

from models.statement import Term
from store import schema
from store.filters import Filters
from store.overrides import save_override
from store.pair_view import pair_view
from store.queue import worst_first
from store.runs import end_run, start_run
from store.walk import SelectedPair, WalkCounts, WalkedItem, put_pairs, put_terms, retire
from store.work import lease


def walk(session: Session, *pairs: SelectedPair, older_than: timedelta | None = None) -> WalkCounts:
    run = start_run(session, "a test", MODEL)
    counts = put_pairs(session, run.id, pairs, MODEL, older_than)
    end_run(session, run.id, "stopped")
    return counts


def seen(*pairs: SelectedPair, item: str = "Q1", revision: int = 8) -> WalkedItem:
    return WalkedItem(item, revision, frozenset((pair.guid, pair.ref_hash) for pair in pairs))


def current(session: Session, pair_id: int) -> list[schema.Verdict]:
    query = select(schema.Verdict).where(schema.Verdict.pair_id == pair_id, schema.Verdict.current)
    return list(session.scalars(query, execution_options={"populate_existing": True}))


def test_a_reference_that_was_removed_retires_and_its_verdict_is_kept(session: Session) -> None:
    pair_id, other = judged(session), judged(session, number=2)
    assert retire(session, [seen(item="Q1"), seen(selected(2), item="Q2")]) == 1
    assert (pair_row(session, pair_id).state, pair_row(session, other).state) == ("retired", "judged")
    assert current(session, pair_id) == []
    view = pair_view(session, pair_id)
    assert view is not None
    assert (view.pair_state, view.current, len(view.former)) == ("retired", None, 1)
    assert [row.pair_id for row in worst_first(session, Filters()).rows] == [other], "editors aren't shown it"
    assert retire(session, [seen(item="Q1")]) == 0


def test_one_of_two_references_retires_alone(session: Session) -> None:
    one, other = selected(), selected(ref_hash="hash2")
    walked(session, one, other)
    assert retire(session, [seen(other)]) == 1
    assert [task.ref_hash for task in lease(session, "w", 5, 60)] == ["hash2"]


def test_an_older_revision_of_an_item_retires_nothing(session: Session) -> None:
    pair_id = judged(session)
    assert retire(session, [seen(revision=6)]) == 0
    assert retire(session, [seen(revision=0)]) == 1, "where it is unknown, what was just seen counts"
    assert pair_row(session, pair_id).state == "retired"


def test_a_pair_that_retires_while_it_is_judged_is_judged_no_more(session: Session) -> None:
    walked(session, selected())
    (task,) = lease(session, "w", 1, 60)
    retire(session, [seen()])
    assert not judge(session, task, verdict(), kept(session))
    assert lease(session, "w", 1, 60) == []


def test_what_comes_back_is_judged_again_and_its_verdict_stands_again(session: Session) -> None:
    pair_id = judged(session)
    retire(session, [seen()])
    assert walk(session, selected(revision=9)) == WalkCounts(returned=1)
    assert (pair_row(session, pair_id).state, pair_row(session, pair_id).why) == ("waiting", "new")
    (task,) = lease(session, "w", 1, 60)
    judge(session, task, verdict(), kept(session))
    assert len(current(session, pair_id)) == 1
    assert session.scalar(select(func.count()).select_from(schema.Verdict)) == 1


def test_a_wording_or_a_changed_value_doesnt_bring_back_what_retired(session: Session) -> None:
    one, other = selected(), selected(ref_hash="hash2")
    walked(session, one, other)
    retire(session, [seen(other)])
    save_override(session, "P569", "label", "year of birth", "Ada")
    walk(session, selected(ref_hash="hash2", snak=year(1901), revision=9))
    assert {task.ref_hash for task in lease(session, "w", 5, 60)} == {"hash2"}


@pytest.mark.parametrize("renamed", ["Q1", "P569", "P642", "L5"])
def test_a_label_that_changed_has_its_claims_judged_again(session: Session, renamed: str) -> None:
    value = {"type": "wikibase-entityid", "value": {"id": "L5"}}
    qualifiers = {"P642": [{"snaktype": "value", "property": "P642", "datavalue": value}]}
    put_terms(session, [Term(name, f"the old {name}") for name in ("Q1", "P569", "P642", "L5", "Q2")])
    pair_id = judged(session, qualifiers=qualifiers)
    assert walk(session, selected(qualifiers=qualifiers)) == WalkCounts(unchanged=1)
    put_terms(session, [Term("Q2", "of another item"), Term(renamed, "the new one")])
    assert walk(session, selected(qualifiers=qualifiers)) == WalkCounts(reworded=1)
    assert (pair_row(session, pair_id).state, pair_row(session, pair_id).why) == ("waiting", "reworded")
    assert current(session, pair_id)[0].stale
    (task,) = lease(session, "w", 1, 60)
    judge(session, task, verdict(), kept(session), text="In other words.")
    assert walk(session, selected(qualifiers=qualifiers)) == WalkCounts(unchanged=1)


def test_an_alias_or_a_description_changes_no_claim(session: Session) -> None:
    put_terms(session, [Term("Q1", "Ada")])
    judged(session)
    put_terms(session, [Term("Q1", "Ada", ("A. L.",), "a poet's daughter")])
    assert walk(session, selected()) == WalkCounts(unchanged=1)


def test_a_label_that_changed_reaches_the_statements_other_references(session: Session) -> None:
    one, other = selected(), selected(ref_hash="hash2")
    put_terms(session, [Term("Q1", "Ada")])
    walked(session, one, other)
    for task in lease(session, "w", 2, 60):
        judge(session, task, verdict(), kept(session))
    put_terms(session, [Term("Q1", "Ada Lovelace")])
    assert walk(session, one) == WalkCounts(reworded=1)
    assert len(lease(session, "w", 5, 60)) == 2


def test_what_was_walked_before_labels_were_noted_isnt_all_judged_again(session: Session) -> None:
    judged(session)
    session.execute(update(schema.Statement).values(words=None))
    assert walk(session, selected()) == WalkCounts(unchanged=1)


def test_a_walk_has_what_is_old_judged_again(session: Session) -> None:
    old, fresh = judged(session), judged(session, number=2)
    then = func.now() - timedelta(days=31)
    session.execute(update(schema.Verdict).where(schema.Verdict.pair_id == old).values(judged_at=then))
    month = timedelta(days=30)
    assert walk(session, selected(), selected(2)) == WalkCounts(unchanged=2), "a replay never does"
    assert walk(session, selected(), selected(2), older_than=month) == WalkCounts(old=1, unchanged=1)
    assert pair_row(session, old).why == "refuted"
    assert pair_row(session, fresh).state == "judged"
