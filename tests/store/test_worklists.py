"""Worklists: made and refused, taken up by one worker at a time, filled, counted, put away and brought back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine, func, select, text, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from store_rows import MODEL, judge, judged, kept, selected, unread, verdict, walked

from models.outcome import NotJudged, Outcome
from models.verdict import Verdict
from store import schema
from store import worklists as lists
from store.pasted import Pasted, read_pasted
from store.requests import answer, ask
from store.requests import take as take_wishes
from store.reviews import decide, undo
from store.taken_out import put_taken_out
from store.work import lease

ITEMS = "Q1 Q2 Q3"


def make(session: Session, name: str = "Mine", kind: str = "items", source: str = ITEMS, who: str = "Ada") -> int:
    made = lists.make(session, name, kind, source, who)
    session.commit()
    return made


def filled(session: Session, *ids: str, said: str = "", who: str = "Ada") -> int:
    made = make(session, source=" ".join(ids) or ITEMS, who=who)
    taken = lists.take(session, "w", 60)
    assert taken is not None
    assert taken.id == made
    assert lists.fill(session, made, "w", ids, said)
    session.commit()
    return made


def shown(session: Session, worklist_id: int) -> lists.Worklist:
    found = lists.worklist(session, worklist_id)
    assert found is not None
    return found


def wishes(session: Session) -> list[tuple[str, str]]:
    rows = session.scalars(select(schema.Request).order_by(schema.Request.id))
    return [(row.item_id, row.asked_by) for row in rows]


ids = st.builds(lambda kind, number: f"{kind}{number}", st.sampled_from("QL"), st.integers(1, 10**12 - 1))
spellings = st.sampled_from(
    [
        "{}",
        "wd:{}",
        "https://www.wikidata.org/wiki/{}",
        "http://www.wikidata.org/entity/{}",
        "https://m.wikidata.org/wiki/{}#P31",
        "https://www.wikidata.org/wiki/Special:EntityPage/{}?uselang=de",
        "Lexeme:{}",
        "[[d:{}]]",
        "<http://www.wikidata.org/entity/{}>",
        "{{{{Q|{}}}}}",
        '"{}"',
    ]
)


@given(
    st.lists(st.tuples(ids, spellings, st.booleans())),
    st.sampled_from([" ", ", ", "\n", ";", "\t", "|", "\r\n", "、", "  \n "]),
)
def test_ids_are_read_however_they_are_written(named: list[tuple[str, str, bool]], between: str) -> None:
    written = [how.format(one.lower() if low else one) for one, how, low in named]
    assert read_pasted(between.join(written)) == Pasted(tuple(dict.fromkeys(one for one, _, _ in named)), ())


@given(st.text(max_size=300))
def test_any_text_is_read(pasted: str) -> None:
    found = read_pasted(pasted)
    assert all(one[0] in "QL" and one[1:].isdecimal() and one[1] != "0" for one in found.ids)
    assert len(set(found.ids)) == len(found.ids)
    assert len(found.strangers) <= len(pasted)


@pytest.mark.parametrize(
    ("pasted", "found", "strangers"),
    [
        ("Q42\tDouglas Adams\nQ1 universe", ("Q42", "Q1"), ()),
        ("{{Q|42}} {{L|7}} {{q|Q5}}", ("Q42", "L7", "Q5"), ()),
        ("L99-F1, L99-S2", ("L99",), ()),
        ("Douglas Adams\nQ42", ("Q42",), ("Douglas Adams",)),
        ("Q42, Q4x, P31, Q0", ("Q42",), ("Q4x", "P31", "Q0")),
        ("https://en.wikipedia.org/wiki/Q10\nhttps://evil.example/wikidata.org/wiki/Q11", (),
         ("https://en.wikipedia.org/wiki/Q10", "https://evil.example/wikidata.org/wiki/Q11")),
        ("Q1234567890123", (), ("Q1234567890123",)),
        ("", (), ()),
    ],
)  # fmt: skip
def test_what_is_no_id_is_named(pasted: str, found: tuple[str, ...], strangers: tuple[str, ...]) -> None:
    assert read_pasted(pasted) == Pasted(found, strangers)


@pytest.mark.parametrize(
    ("name", "kind", "source", "kept_as"),
    [
        ("  My \x00 list ", "items", " q42\x00 ", ("My list", "q42")),
        ("n", "pagepile", "12345", ("n", "12345")),
        ("n", "pagepile", "https://pagepile.toolforge.org/api.php?id=77&action=get_data", ("n", "77")),
        ("n", "sparql", "PREFIX a: <b>\nselect ?x {}", ("n", "PREFIX a: <b>\nselect ?x {}")),
        ("ن" * 200, "items", "Q1", ("ن" * 200, "Q1")),
    ],
)
def test_a_list_is_kept_as_it_was_given(
    session: Session, name: str, kind: str, source: str, kept_as: tuple[str, str]
) -> None:
    made = shown(session, make(session, name, kind, source))
    assert (made.name, made.source) == kept_as
    assert (made.kind, made.made_by, made.state, made.open) == (kind, "Ada", "waiting", True)
    assert lists.name_of(session, made.id) == kept_as[0]
    assert lists.any_waiting(session)


@pytest.mark.parametrize(
    ("name", "kind", "source", "who", "fields"),
    [
        ("", "items", "Q1", "Ada", {"name"}),
        (" \x01 ", "items", "", "Ada", {"name", "source"}),
        ("n" * 201, "items", "Q1", "Ada", {"name"}),
        ("n", "", "Q1", "Ada", {"kind"}),
        ("n", "dump", "Q1", "Ada", {"kind"}),
        ("n", "items", "Douglas Adams", "Ada", {"source"}),
        ("n", "items", "Q1 " * 200_000, "Ada", {"source"}),
        ("n", "pagepile", "0", "Ada", {"source"}),
        ("n", "pagepile", "https://pagepile.toolforge.org/", "Ada", {"source"}),
        ("n", "pagepile", "https://[/?id=3", "Ada", {"source"}),
        ("n", "pagepile", "٣", "Ada", {"source"}),
        ("n", "sparql", "", "Ada", {"source"}),
        ("n", "sparql", "ASK {}", "Ada", {"source"}),
        ("n", "sparql", "select " * 5000, "Ada", {"source"}),
        ("n", "items", "Q1", " ", {"name"}),
    ],
)
def test_what_cant_be_made_is_refused_by_its_field(
    session: Session, name: str, kind: str, source: str, who: str, fields: set[str]
) -> None:
    with pytest.raises(lists.WorklistRefused) as refused:
        lists.make(session, name, kind, source, who)
    assert set(refused.value.complaints) == fields
    assert all(refused.value.complaints.values())
    assert lists.worklists(session, 10) == ()


def test_a_list_is_taken_up_by_one_worker_and_filled_by_it_alone(engine: Engine, session: Session) -> None:
    first, second = make(session), make(session)
    with Session(engine) as one, Session(engine) as other:
        taken, also = lists.take(one, "a", 60), lists.take(other, "b", 60)
        assert taken is not None
        assert also is not None
        assert (taken.id, also.id) == (first, second)
        assert lists.take(other, "b", 60) is None
        one.commit()
        other.commit()
    assert not lists.any_waiting(session)
    assert sorted(lists.takers(session)) == ["a", "b"]
    assert not lists.hold(session, first, "b", 60)
    assert not lists.fill(session, first, "b", ["Q9"])
    assert not lists.fail(session, first, "b", "no")
    assert not lists.put_off(session, first, "b", "no", 1)
    assert lists.hold(session, first, "a", 60)
    assert lists.fill(session, first, "a", ["Q2", "Q1", "Q2"], "said")
    found = shown(session, first)
    assert (found.state, found.said, found.progress.items, found.open) == ("ready", "said", 2, False)
    assert found.resolved_at is not None
    rows = session.scalars(select(schema.WorklistItem).order_by(schema.WorklistItem.position))
    assert [row.item_id for row in rows] == ["Q2", "Q1"]


def expire(session: Session) -> None:
    session.execute(update(schema.Worklist).values(leased_until=func.now() - timedelta(seconds=1)))


def test_what_a_worker_let_run_out_or_died_over_is_taken_up_again_but_not_for_ever(session: Session) -> None:
    made = make(session)
    assert lists.take(session, "a", 60) is not None
    assert lists.take(session, "b", 60) is None
    assert lists.take(session, "b", 60, dead=["a"]) is not None
    for _ in range(lists.MOST_TRIES - 2):
        expire(session)
        assert lists.any_waiting(session)
        assert lists.take(session, "c", 60) is not None
    expire(session)
    assert lists.take(session, "c", 60) is None
    failed = shown(session, made)
    assert (failed.state, failed.error) == ("failed", f"its worker died over it {lists.MOST_TRIES} times")


def test_what_is_put_off_waits_for_its_time_and_says_why(session: Session) -> None:
    made = make(session)
    lists.take(session, "a", 60)
    assert lists.put_off(session, made, "a", "the service is away", 60)
    assert not lists.any_waiting(session)
    found = shown(session, made)
    assert (found.state, found.error, found.tries) == ("waiting", "the service is away", 1)
    session.execute(update(schema.Worklist).values(next_at=func.now()))
    assert lists.take(session, "a", 60) is not None
    lists.give_back(session, made, "a")
    assert (shown(session, made).tries, shown(session, made).state) == (1, "waiting")


def test_a_list_that_failed_keeps_its_items_and_is_resolved_again(session: Session) -> None:
    made = filled(session, "Q1", "Q2", said="said")
    assert lists.again(session, made)
    assert shown(session, made).progress.items == 2
    lists.take(session, "a", 60)
    assert not lists.again(session, made), "it is being resolved"
    assert lists.fail(session, made, "a", "a wrong query")
    found = shown(session, made)
    assert (found.state, found.error, found.progress.items) == ("failed", "a wrong query", 2)
    assert lists.again(session, made)
    found = shown(session, made)
    assert (found.state, found.error, found.tries) == ("waiting", None, 0)


def test_a_list_is_put_away_and_brought_back(session: Session) -> None:
    made = make(session, "Away")
    assert lists.remove(session, made, "Bob")
    assert not lists.remove(session, made, "Bob")
    assert not lists.any_waiting(session)
    assert lists.take(session, "a", 60) is None
    assert not lists.again(session, made)
    assert lists.worklists(session, 10) == ()
    (away,) = lists.worklists(session, 10, removed=True)
    assert (away.id, away.removed_by, away.open) == (made, "Bob", False)
    assert lists.name_of(session, made) == "Away"
    assert lists.restore(session, made)
    assert not lists.restore(session, made)
    assert [one.id for one in lists.worklists(session, 10)] == [made]
    assert lists.any_waiting(session)


def test_lists_come_the_newest_first_a_page_at_a_time(session: Session) -> None:
    made = [make(session, f"list {number}") for number in range(5)]
    page = lists.worklists(session, 2)
    assert [one.id for one in page] == made[:2:-1]
    assert [one.id for one in lists.worklists(session, 9, before=page[-1].id)] == made[2::-1]


def test_nothing_is_known_of_a_list_that_isnt_there(session: Session) -> None:
    assert lists.worklist(session, 7) is None
    assert lists.name_of(session, 7) is None
    assert not lists.remove(session, 7, "Ada")
    assert not lists.restore(session, 7)
    assert not lists.again(session, 7)


def test_items_that_were_never_walked_are_asked_for_by_the_lists_maker_once(session: Session) -> None:
    judged(session, number=1)
    session.execute(text("INSERT INTO item (id) VALUES ('Q5')"))  # met as a value only
    put_taken_out(session, "item", "Q6", "Ada", "")
    made = filled(session, "Q3", "Q1", "L2", "Q5", "Q6", who="Bob")
    assert wishes(session) == [("Q3", "Bob"), ("L2", "Bob"), ("Q5", "Bob")]
    lists.again(session, made)
    lists.take(session, "w", 60)
    assert lists.fill(session, made, "w", ["Q3", "Q4"])
    assert wishes(session) == [("Q3", "Bob"), ("L2", "Bob"), ("Q5", "Bob"), ("Q4", "Bob")]


def test_people_take_turns_so_that_a_long_list_keeps_nobody_waiting(session: Session) -> None:
    filled(session, "Q1", "Q2", "Q3", "Q4")
    for name in ("Q5", "Q6"):
        assert ask(session, name, "Bob")
    assert [(wish.item_id, wish.asked_by) for wish in take_wishes(session, 4)] == [
        ("Q1", "Ada"),
        ("Q5", "Bob"),
        ("Q2", "Ada"),
        ("Q6", "Bob"),
    ]


def test_a_list_is_cut_where_it_is_too_long(session: Session) -> None:
    made = filled(session, *(f"Q{number}" for number in range(1, lists.MOST_ITEMS + 2)))
    found = shown(session, made).progress
    assert (found.items, found.asked) == (lists.MOST_ITEMS, lists.MOST_ITEMS)
    assert len(wishes(session)) == lists.MOST_ITEMS


def test_progress_counts_items_pairs_and_decisions(session: Session) -> None:
    judged(session, 0.1, 1)
    judged(session, 0.2, 2)
    walked(session, selected(3, guid="Q1$B", item_id="Q1"))
    (task,) = lease(session, "w", 1, 60)
    assert judge(session, task, NotJudged(Outcome.NOT_FOUND, "404"))
    walked(session, selected(4, guid="Q1$C", item_id="Q1"), selected(5))
    session.commit()
    made = filled(session, "Q1", "Q2", "Q8", "Q9")
    other = filled(session, "Q5")
    (wish, *_) = take_wishes(session, 1)
    answer(session, wish, "it has no reference that can be judged")
    session.commit()
    assert shown(session, made).progress == lists.Progress(
        items=4, known=2, asked=1, with_pairs=2, pairs=4, judged=2, not_judged=1, waiting=1, decided=0, open=3
    )
    assert shown(session, other).progress == lists.Progress(
        items=1, known=1, asked=0, with_pairs=1, pairs=1, judged=0, not_judged=0, waiting=1, decided=0, open=0
    )
    (of_one,) = session.scalars(select(schema.Verdict.id).where(schema.Verdict.pair_id == 1))
    of_three = session.scalars(select(schema.Verdict.id).where(schema.Verdict.pair_id == task.pair_id)).one()
    first = decide(session, of_one, "Ada", "does_not")
    decide(session, of_one, "Bob", "does_not")
    decide(session, of_three, "Ada", "gone")
    now = shown(session, made).progress
    assert (now.decided, now.open, now.to_review) == (2, 1, 3)
    assert now.share == pytest.approx(2 / 3)
    undo(session, first.id, "Ada")
    assert shown(session, made).progress.decided == 2, "Bob's stands"
    assert [one.progress.items for one in lists.worklists(session, 5)] == [1, 4]


def test_items_come_in_the_lists_order_with_what_is_known_of_them(session: Session) -> None:
    judged(session, 0.1, 1)
    walked(session, selected(4, guid="Q1$C", item_id="Q1"))
    session.execute(text("UPDATE item SET label = 'one' WHERE id = 'Q1'"))
    made = filled(session, "Q8", "Q1", "L2", "Q9")
    for wish in take_wishes(session, 1):
        answer(session, wish, "")
    found = lists.items_of(session, made, 3)
    assert [(each.position, each.item.id, each.item.label) for each in found] == [
        (1, "Q8", None),
        (2, "Q1", "one"),
        (3, "L2", None),
    ]
    assert [(each.known, each.asked, each.references, each.looked_at) for each in found] == [
        (False, False, 0, 0),
        (True, False, 2, 1),
        (False, True, 0, 0),
    ]
    assert [each.item.id for each in lists.items_of(session, made, 3, found[-1].position)] == ["Q9"]


def test_a_decision_that_ended_leaves_the_pair_open(session: Session) -> None:
    pair_id = judged(session, 0.1, 1)
    made = filled(session, "Q1")
    (now,) = session.scalars(select(schema.Verdict).where(schema.Verdict.pair_id == pair_id))
    decide(session, now.id, "Ada", "does_not")
    assert shown(session, made).progress.decided == 1
    session.execute(update(schema.Pair).values(state="waiting"))
    (task,) = lease(session, "w", 1, 60)
    assert judge(session, task, verdict(0.9), kept(session, body=b"<p>another page</p>"))
    assert (shown(session, made).progress.decided, shown(session, made).progress.open) == (0, 1)


def test_an_empty_list_has_nothing_to_review(session: Session) -> None:
    found = shown(session, filled(session)).progress
    assert (found, found.share) == (lists.Progress(), 0.0)


@pytest.mark.parametrize("finding", [lambda: verdict(0.1), unread])
def test_the_list_narrows_what_is_looked_at(session: Session, finding: Callable[[], Verdict | NotJudged]) -> None:
    for number in (1, 2, 3):
        walked(session, selected(number))
        (task,) = lease(session, "w", 1, 60)
        assert judge(session, task, finding(), kept(session, f"https://www.example.org/{number}"))
    made = filled(session, "Q1", "Q3", "Q77")
    found = session.scalars(
        select(schema.Statement.guid).where(lists.is_in(made)).order_by(schema.Statement.guid)
    ).all()
    assert found == ["Q1$A", "Q3$A"]
    assert session.scalars(select(schema.Statement.guid).where(lists.is_in(made + 1))).all() == []


def test_a_worker_is_heard_of(session: Session) -> None:
    assert not lists.is_heard(session)
    session.add(schema.Run(source="what waits", model_version=MODEL))
    session.flush()
    assert lists.is_heard(session)


LIST: dict[str, Any] = {"name": "n", "kind": "items", "source": "Q1", "made_by": "Ada"}


@pytest.mark.parametrize(
    ("changes", "constraint"),
    [
        ({"name": " "}, "ck_worklist_name"),
        ({"name": "n" * 201}, "ck_worklist_name"),
        ({"kind": "dump"}, "ck_worklist_kind"),
        ({"source": ""}, "ck_worklist_source"),
        ({"kind": "pagepile"}, "number_of_a_pile"),
        ({"made_by": ""}, "person_named"),
        ({"state": "lost"}, "ck_worklist_state"),
        ({"state": "resolving"}, "ck_worklist_lease"),
        ({"taken_by": "w"}, "ck_worklist_lease"),
        ({"state": "ready"}, "resolved_when_ready"),
        ({"state": "failed"}, "error_when_failed"),
        ({"state": "failed", "error": ""}, "error_said"),
        ({"state": "ready", "resolved_at": func.now(), "error": "e"}, "no_error_when_ready"),
        ({"removed_at": func.now()}, "removed_by_a_person"),
        ({"removed_at": func.now(), "removed_by": ""}, "person_named"),
    ],
)
def test_lists_are_whole(session: Session, changes: dict[str, Any], constraint: str) -> None:
    session.add(schema.Worklist(**LIST | changes))
    with pytest.raises(IntegrityError, match=constraint):
        session.flush()


@pytest.mark.parametrize(
    ("row", "constraint"),
    [
        ({"item_id": "P31"}, "ck_worklist_item_item"),
        ({"item_id": "Q1"}, "pk_worklist_item"),
        ({"item_id": "Q2", "position": 0}, "ck_worklist_item_position"),
        ({"item_id": "Q2", "worklist_id": 99}, "fk_worklist_item_worklist_id_worklist"),
    ],
)
def test_items_of_lists_are_whole(session: Session, row: dict[str, Any], constraint: str) -> None:
    made = filled(session, "Q1")
    session.add(schema.WorklistItem(**{"worklist_id": made, "position": 2} | row))
    with pytest.raises(IntegrityError, match=constraint):
        session.flush()
