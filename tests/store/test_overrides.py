"""Overrides: put in force, restored, removed, and what they queue."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, select, update
from sqlalchemy.orm import Session
from store_rows import again, judge, judged, kept, pair_row, selected, verdict, walked

from models.outcome import NotJudged, Outcome
from models.statement import Term
from models.verbalise import Override
from store import schema
from store.overrides import (
    OverrideRefused,
    SubjectClass,
    current_override,
    history,
    remove,
    restore,
    save_override,
    subject_classes,
)
from store.runs import end_run, start_run
from store.telling import sample_statements
from store.walk import WalkCounts, put_pairs, put_terms
from store.work import fail, lease

PATTERN = "{subject} was born in {object}."


def test_saving_queues_what_it_changes_before_all_else(session: Session) -> None:
    first, second = judged(session), judged(session, number=2)
    judge(session, again(session, second), NotJudged(Outcome.NO_LABEL))
    elsewhere = judged(session, number=3, property_id="P570")
    saved = save_override(session, "P569", "pattern", PATTERN, "Ada")
    assert saved.queued == 2
    assert current_override(session, "P569") == Override("pattern", PATTERN)
    for pair_id in (first, second):
        pair = pair_row(session, pair_id)
        assert (pair.state, pair.why, pair.tries) == ("waiting", "reworded", 0)
    assert pair_row(session, elsewhere).state == "judged"
    stale = select(schema.Verdict.pair_id).where(schema.Verdict.stale).where(schema.Verdict.current)
    assert set(session.scalars(stale)) == {first, second}
    assert {task.override for task in lease(session, "w", 5, 60)} == {Override("pattern", PATTERN)}


def test_a_worker_that_has_the_former_wording_is_refused(session: Session) -> None:
    walked(session, selected(1), selected(2))
    old, failed = lease(session, "w", 2, 60)
    fail(session, failed, "w", "broke")
    assert save_override(session, "P569", "label", "year of birth", "Ada").queued == 2
    assert not judge(session, old, verdict(), kept(session))
    tasks = lease(session, "w", 2, 60)
    assert [task.override for task in tasks] == [Override("label", "year of birth")] * 2


def test_the_history_is_kept_and_earlier_versions_come_back(session: Session) -> None:
    judged(session)
    first = save_override(session, "P569", "label", " year of birth ", "Ada").version
    save_override(session, "P569", "pattern", PATTERN, "Eve")
    back = restore(session, "P569", first.id, "Bob")
    assert (back.version.restored_from, back.version.override) == (first.id, Override("label", "year of birth"))
    gone = remove(session, "P569", "Ada")
    assert gone.queued == 1
    assert current_override(session, "P569") is None
    versions = history(session, "P569")
    assert [version.author for version in versions] == ["Ada", "Bob", "Eve", "Ada"]
    assert [version.current for version in versions] == [True, False, False, False]
    assert versions[0].override is None
    assert lease(session, "w", 1, 60)[0].override is None


def test_saving_what_is_in_force_changes_nothing(session: Session) -> None:
    judged(session)
    first = save_override(session, "P569", "pattern", PATTERN, "Ada")
    again_saved = save_override(session, "P569", "pattern", PATTERN, "Eve")
    assert (again_saved.version, again_saved.queued) == (first.version, 0)
    assert len(history(session, "P569")) == 1


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (("P569", "pattern", "{subject} was born.", "Ada"), "{object}"),
        (("P569", "pattern", "{object} was born.", "Ada"), "{subject}"),
        (("P569", "pattern", PATTERN + "{x}", "Ada"), "braces"),
        (("P569", "label", "  ", "Ada"), "empty wording"),
        (("P569", "song", "la", "Ada"), "a label or a pattern"),
        (("P569", "label", "born", " "), "who you are"),
        (("P1", "label", "born", "Ada"), "P1 isn't a property"),
    ],
)
def test_bad_wordings_are_refused(session: Session, given: tuple[str, str, str, str], complaint: str) -> None:
    pair_id = judged(session)
    with pytest.raises(OverrideRefused, match=complaint):
        save_override(session, *given)
    assert pair_row(session, pair_id).state == "judged"


def test_only_a_propertys_own_versions_are_restored(session: Session) -> None:
    judged(session)
    judged(session, number=2, property_id="P570")
    version = save_override(session, "P569", "label", "born", "Ada").version
    for property_id, version_id in (("P570", version.id), ("P569", 99)):
        with pytest.raises(OverrideRefused, match="has no version"):
            restore(session, property_id, version_id, "Ada")
    with pytest.raises(OverrideRefused, match="no override to remove"):
        remove(session, "P570", "Ada")


def test_sample_statements_show_the_labelled_first_and_skip_the_unreadable(session: Session) -> None:
    broken = {"snaktype": "value", "datavalue": {"type": "hologram", "value": 1}}
    walked(session, selected(1), selected(2), selected(3, snak=broken), selected(4, property_id="P570"))
    put_terms(session, [Term("Q2", "Ada")])
    assert [statement.item.id for statement in sample_statements(session, "P569", 5)] == ["Q2", "Q1"]
    assert sample_statements(session, "P1", 5) == []


def test_the_author_of_a_removed_wording_stays(session: Session) -> None:
    judged(session)
    save_override(session, "P569", "label", "born", "Ada")
    session.execute(update(schema.Property).values(label="date of birth"))
    remove(session, "P569", "Eve")
    assert [(version.author, version.override) for version in history(session, "P569")] == [
        ("Eve", None),
        ("Ada", Override("label", "born")),
    ]


SHIP, BOOK, NOVEL = "Q11446", "Q571", "Q8261"
LAUNCHED = "{subject} was launched in {object}."


def test_the_wording_for_a_class_goes_before_the_one_for_all(session: Session) -> None:
    walked(session, selected(1, classes=(SHIP,)), selected(2, classes=(BOOK,)), selected(3))
    save_override(session, "P569", "pattern", PATTERN, "Ada")
    assert save_override(session, "P569", "pattern", LAUNCHED, "Ada", SHIP).queued == 1
    overrides = {task.guid: task.override for task in lease(session, "w", 3, 60)}
    for_all, for_ships = Override("pattern", PATTERN), Override("pattern", LAUNCHED)
    assert overrides == {"Q1$A": for_ships, "Q2$A": for_all, "Q3$A": for_all}
    assert current_override(session, "P569") == for_all
    assert current_override(session, "P569", SHIP) == for_ships
    assert current_override(session, "P569", BOOK) is None


def test_the_subjects_first_class_that_has_a_wording_decides(session: Session) -> None:
    walked(session, selected(1, classes=(NOVEL, BOOK)), selected(2, classes=(BOOK, NOVEL)))
    save_override(session, "P569", "label", "out since", "Ada", BOOK)
    save_override(session, "P569", "label", "printed in", "Ada", NOVEL)
    overrides = {task.guid: task.override for task in lease(session, "w", 2, 60)}
    assert overrides == {"Q1$A": Override("label", "printed in"), "Q2$A": Override("label", "out since")}


def test_exactly_the_pairs_that_read_otherwise_are_judged_again(session: Session) -> None:
    judged(session, number=1, classes=(SHIP,))
    judged(session, number=2, classes=(BOOK,))
    judged(session, number=3, classes=(SHIP,), property_id="P570")
    for_ships = save_override(session, "P569", "label", "launched", "Ada", SHIP)
    assert (for_ships.queued, pair_row(session, 1).state) == (1, "waiting")
    assert {pair_row(session, number).state for number in (2, 3)} == {"judged"}
    assert save_override(session, "P569", "label", "came out", "Ada").queued == 1  # the books; ships have their own
    assert save_override(session, "P569", "label", "came out", "Ada", BOOK).queued == 0  # says what holds for all
    assert remove(session, "P569", "Ada", BOOK).queued == 0
    assert remove(session, "P569", "Ada", SHIP).queued == 1  # falls back to what holds for all


def test_each_class_has_its_own_versions(session: Session) -> None:
    judged(session, classes=(SHIP,))
    first = save_override(session, "P569", "label", "launched", "Ada", SHIP).version
    save_override(session, "P569", "label", "born", "Ada")
    second = save_override(session, "P569", "label", "afloat since", "Eve", SHIP).version
    assert restore(session, "P569", first.id, "Bob").version.subject_class == SHIP
    assert current_override(session, "P569") == Override("label", "born")
    versions = [(version.subject_class, version.current) for version in history(session, "P569")]
    assert versions == [(SHIP, True), (SHIP, False), (None, True), (SHIP, False)]
    assert (second.current, second.subject_class) == (True, SHIP)


def test_a_class_that_no_subject_has_is_refused(session: Session) -> None:
    judged(session, classes=(SHIP,))
    judged(session, number=2, classes=(BOOK,), property_id="P570")
    for subject_class in (BOOK, NOVEL, "ships"):
        with pytest.raises(OverrideRefused, match="no subject of P569"):
            save_override(session, "P569", "label", "launched", "Ada", subject_class)
    with pytest.raises(OverrideRefused, match=f"for the instances of {SHIP} to remove"):
        remove(session, "P569", "Ada", SHIP)


def test_a_wording_is_removed_and_restored_also_when_its_class_is_met_no_more(session: Session) -> None:
    walked(session, selected(classes=(SHIP,)))
    version = save_override(session, "P569", "label", "launched", "Ada", SHIP).version
    walked(session, selected(classes=(BOOK,), revision=8))
    assert remove(session, "P569", "Ada", SHIP).queued == 0
    assert restore(session, "P569", version.id, "Ada").queued == 0


def test_classes_that_occur_are_counted_and_named(session: Session) -> None:
    walked(
        session,
        selected(1, classes=(SHIP,)),
        selected(2, classes=(BOOK, SHIP)),
        selected(3, classes=(NOVEL,), property_id="P570"),
        selected(4),
    )
    put_terms(session, [Term(SHIP, "ship")])
    ships, books = SubjectClass(SHIP, "ship", 2), SubjectClass(BOOK, None, 1)
    assert subject_classes(session, "P569", 5) == (ships, books)
    assert subject_classes(session, "P569", 1) == (ships,)
    assert subject_classes(session, "P569", 1, only=BOOK) == (books,)
    assert subject_classes(session, "P569", 1, only=NOVEL) == ()


def test_samples_of_a_class_are_its_instances(session: Session) -> None:
    walked(session, selected(1, classes=(SHIP,)), selected(2, classes=(BOOK, SHIP)), selected(3))
    samples = sample_statements(session, "P569", 5, SHIP)
    assert {sample.item.id: sample.classes for sample in samples} == {"Q1": (SHIP,), "Q2": (BOOK, SHIP)}
    assert len(sample_statements(session, "P569", 5)) == 3


CLASSES = st.lists(st.sampled_from([SHIP, BOOK, NOVEL]), unique=True, max_size=3).map(tuple)
CHANGES = st.lists(
    st.tuples(st.sampled_from([None, SHIP, BOOK, NOVEL]), st.sampled_from(["one", "two", None])), min_size=1, max_size=5
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(CLASSES, min_size=1, max_size=4), CHANGES)
def test_what_is_queued_is_what_another_wording_would_be_leased_with(
    engine: Engine, items: list[tuple[str, ...]], changes: list[tuple[str | None, str | None]]
) -> None:
    everywhere = selected(99, classes=(SHIP, BOOK, NOVEL), guid="Q99$other")
    with Session(engine) as session:  # closed without a commit: the next example begins with nothing
        walked(session, everywhere, *(selected(number, classes=of) for number, of in enumerate(items, start=1)))
        before = {task.guid: task.override for task in lease(session, "w", 99, 600)}
        for subject_class, words in changes:
            try:
                if words:
                    saved = save_override(session, "P569", "label", words, "Ada", subject_class)
                else:
                    saved = remove(session, "P569", "Ada", subject_class)
            except OverrideRefused:
                continue
            tasks = {task.guid: task.override for task in lease(session, "w", 99, 600)}
            assert len(tasks) == saved.queued
            assert all(before[guid] != override for guid, override in tasks.items())
            before |= tasks
        session.execute(update(schema.Pair).values(state="waiting", leased_by=None, leased_until=None))
        assert {task.guid: task.override for task in lease(session, "w", 99, 600)} == before


def walk_again(session: Session, **changes: object) -> WalkCounts:
    run = start_run(session, "a test", "judge-1")
    counts = put_pairs(session, run.id, [selected(**changes)], "judge-1")
    end_run(session, run.id, "stopped")
    return counts


def test_an_item_of_another_class_is_judged_again_where_that_changes_the_wording(session: Session) -> None:
    judged(session, classes=(BOOK,))
    judged(session, number=2, item_id="Q1", property_id="P570", classes=(BOOK,))
    judged(session, number=3, item_id="Q1", classes=(BOOK,))
    judged(session, number=4, classes=(SHIP,))
    save_override(session, "P569", "label", "launched", "Ada", SHIP)
    (task,) = lease(session, "w", 5, 60)
    judge(session, task, verdict(), kept(session))
    assert walk_again(session, classes=(BOOK, NOVEL), revision=8) == WalkCounts(unchanged=1)
    assert walk_again(session, classes=(SHIP,), revision=7) == WalkCounts(unchanged=1)  # from before that
    assert walk_again(session, classes=(SHIP,), revision=9) == WalkCounts(reworded=1)
    waiting = {pair.guid for pair in session.scalars(select(schema.Pair).where(schema.Pair.state == "waiting"))}
    assert waiting == {"Q1$A", "Q3$A"}  # the other statement of that property, too, though it wasn't walked
    assert {task.override for task in lease(session, "w", 5, 60)} == {Override("label", "launched")}
    assert walk_again(session, classes=(SHIP,), revision=9) == WalkCounts(unchanged=1)
