"""Overrides: put in force, restored, removed, and what they queue."""

from __future__ import annotations

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session
from store_rows import again, judge, judged, kept, pair_row, selected, verdict, walked

from models.outcome import NotJudged, Outcome
from models.statement import Term
from models.verbalise import Override
from store import schema
from store.overrides import (
    OverrideRefused,
    current_override,
    history,
    remove,
    restore,
    sample_statements,
    save_override,
)
from store.walk import put_terms
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
        assert (pair.state, pair.priority, pair.tries) == ("waiting", 20, 0)
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
