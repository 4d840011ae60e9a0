"""The list, its filters and pages, and all about one pair."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.orm import Session
from store_rows import again, judge, judged, kept, selected, unread, verdict, walked, year

from models.evidence import Evidence, Match, Passage, Stance
from models.outcome import NotJudged, Outcome
from models.statement import SourceUrl, Term, TimeValue
from store.archive import Place
from store.pair_view import pair_view
from store.queue import Cursor, Facet, Filters, facets, low_support
from store.reviews import decide
from store.walk import put_terms
from store.work import lease


def listed(session: Session, **filters: Any) -> list[int]:
    return [row.pair_id for row in low_support(session, Filters(**filters)).rows]


def test_the_worst_come_first(session: Session) -> None:
    pairs = {probability: judged(session, probability, number) for number, probability in enumerate((0.5, 0.1, 0.9), 1)}
    walked(session, selected(9))
    assert listed(session) == [pairs[0.1], pairs[0.5], pairs[0.9]]


def test_a_row_has_what_the_list_shows(session: Session) -> None:
    pair_id = judged(session, 0.25)
    put_terms(session, [Term("Q1", "Ada", ("A",)), Term("P569", "born")])
    (row,) = low_support(session, Filters()).rows
    assert (row.pair_id, row.item, row.property) == (pair_id, Term("Q1", "Ada", ("A",)), Term("P569", "born"))
    assert (row.claim, row.url, row.domain) == ("Born in 1900.", "https://www.example.org/1", "example.org")
    assert (row.stance, row.probability, row.outcome) == (Stance.REFUTES, 0.25, None)
    assert (row.reason, row.pair_state, row.stale, row.decision) == ("It says 1901.", "judged", False, None)


def test_filters_narrow_the_list(session: Session) -> None:
    one = judged(session)
    other = judged(session, number=2, property_id="P570", urls=(SourceUrl("https://b.example/", "live"),))
    better = verdict(0.8, Stance.SUPPORTS, "judge-2")
    judge(session, again(session, other), better, kept(session), model="judge-2")
    lost = judged(session, number=3)
    judge(session, again(session, lost), NotJudged(Outcome.NOT_FOUND, "404"))
    assert listed(session) == [one, other]
    assert listed(session, property_id="P570") == [other]
    assert listed(session, domain="example.org") == [one]
    assert listed(session, stance=Stance.SUPPORTS) == [other]
    assert listed(session, outcome=Outcome.NOT_FOUND) == [lost]
    assert listed(session, outcome=Outcome.GONE) == []
    assert listed(session, stance=Stance.SUPPORTS, domain="example.org") == []


def test_reviewed_pairs_leave_the_open_list(session: Session) -> None:
    one, other = judged(session), judged(session, number=2)
    (row, _) = low_support(session, Filters()).rows
    decide(session, row.verdict_id, "Ada", "supports")
    decide(session, row.verdict_id, "Eve", "does_not")
    assert listed(session) == [other]
    assert listed(session, state="all") == [one, other]
    (row,) = low_support(session, Filters(state="reviewed")).rows
    assert (row.pair_id, row.decision) == (one, "does_not")


def test_pages_stay_in_step_while_rows_come_and_go(session: Session) -> None:
    pairs = [judged(session, probability / 10, number) for number, probability in enumerate((1, 1, 2, 2, 3, 4), 1)]
    first = low_support(session, Filters(), limit=2)
    assert [row.pair_id for row in first.rows] == pairs[:2]
    # One of the page seen is judged anew and moves to the end, one worse comes in, one ahead is reviewed.
    judge(session, again(session, pairs[0]), verdict(0.9), kept(session), model="judge-2")
    judged(session, 0.05, 7)
    ahead = low_support(session, Filters(), first.next, limit=2)
    decide(session, ahead.rows[0].verdict_id, "Ada", "supports")
    second = low_support(session, Filters(), first.next, limit=2)
    assert [row.pair_id for row in second.rows] == [pairs[3], pairs[4]]
    third = low_support(session, Filters(), second.next, limit=2)
    assert [row.pair_id for row in third.rows] == [pairs[5], pairs[0]]
    assert third.next is None


def test_in_one_per_cent_the_unsure_stand_between_what_isnt_and_what_is_supported(session: Session) -> None:
    findings = [
        verdict(0.704, Stance.SUPPORTS),
        verdict(0.703, unsure=True),
        verdict(0.702, Stance.SUPPORTS, unsure=True),
        verdict(0.701, Stance.NOT_ENOUGH_INFO),
        verdict(0.7, Stance.SUPPORTS),
        verdict(0.699, Stance.REFUTES),
        verdict(0.693, unsure=True),
        verdict(0.71, Stance.REFUTES),
    ]
    pairs = [judged(session, number=number, finding=finding) for number, finding in enumerate(findings, 1)]
    expected = [pairs[at] for at in (6, 5, 3, 2, 1, 4, 0, 7)]
    assert listed(session) == expected
    seen: list[int] = []
    after = None
    for _ in pairs:
        page = low_support(session, Filters(), after, limit=1)
        seen += [row.pair_id for row in page.rows]
        after = Cursor.parse(str(page.next)) if page.next else None
    assert (seen, after) == (expected, None)


def test_sure_stances_and_what_the_judge_cant_tell_are_filters_of_their_own(session: Session) -> None:
    sure = judged(session, 0.1)
    leans = judged(session, number=2, finding=verdict(0.6, unsure=True))
    other = judged(session, number=3, finding=verdict(0.7, Stance.SUPPORTS, unsure=True), property_id="P570")
    assert listed(session) == [sure, leans, other]
    assert listed(session, stance=Stance.REFUTES) == [sure]
    assert listed(session, stance=Stance.SUPPORTS) == []
    assert listed(session, unsure=True) == [leans, other]
    assert listed(session, unsure=True, property_id="P570") == [other]
    assert listed(session, unsure=True, stance=Stance.REFUTES) == [leans]
    assert [(row.stance, row.unsure) for row in low_support(session, Filters(unsure=True)).rows] == [
        (Stance.REFUTES, True),
        (Stance.SUPPORTS, True),
    ]
    assert facets(session).stances == (Facet("cant_tell", "cant tell", 2), Facet("refutes", "refutes", 1))
    view = pair_view(session, leans)
    assert view is not None
    assert view.current is not None
    assert (view.current.stance, view.current.unsure) == (Stance.REFUTES, True)


def test_a_page_of_the_list_is_found_by_its_index(session: Session) -> None:
    judged(session)
    asked: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        asked.append((statement, parameters))

    connection = session.connection()
    event.listen(connection, "before_cursor_execute", note)
    low_support(session, Filters(), Cursor(3, 0.01, 5))
    event.remove(connection, "before_cursor_execute", note)
    ((statement, parameters),) = asked
    for way in ("seqscan", "sort", "bitmapscan"):  # what PostgreSQL prefers where there are only few rows
        connection.exec_driver_sql(f"SET LOCAL enable_{way} = off")
    plan = " ".join(connection.exec_driver_sql(f"EXPLAIN {statement}", parameters).scalars())
    assert "Index Scan using ix_verdict_queue" in plan
    assert "Index Cond: (ROW(queue_place, probability, id) > ROW(" in plan
    assert "Sort" not in plan.split("SubPlan")[0]


def test_pages_of_outcomes(session: Session) -> None:
    pairs = []
    for number in (1, 2, 3):
        pairs.append(judged(session, number=number))
        judge(session, again(session, pairs[-1]), NotJudged(Outcome.GONE))
    filters = Filters(outcome=Outcome.GONE)
    first = low_support(session, filters, limit=2)
    assert first.next is not None
    second = low_support(session, filters, Cursor.parse(str(first.next)), limit=2)
    assert [row.pair_id for row in first.rows + second.rows] == pairs
    assert second.next is None


@pytest.mark.parametrize(
    "cursor", [Cursor(90, 0.1 + 0.2, 7), Cursor(0, 1e-300, 1), Cursor(None, None, 3), Cursor(302, 1.0, 5)]
)
def test_a_cursor_survives_an_address(cursor: Cursor) -> None:
    assert Cursor.parse(str(cursor)) == cursor


@pytest.mark.parametrize(
    "written",
    [
        *("", "7", "x", "0.5~1", "9~0.5", "9~0.5~", "9~0.5~x", "9~nan~1", "9~2~1", "9~~1", "~0.5~1", "x~0.5~1"),
        *("303~1~1", "-1~0.5~1", "1~1~1~1", "~-1", "~1~2", f"~{2**63}", "~²"),
    ],
)
def test_what_isnt_a_cursor_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match=r"not a place in the list|could not convert"):
        Cursor.parse(written)


def test_facets_count_what_is_current(session: Session) -> None:
    judged(session)
    judged(session, number=2)
    other = judged(session, number=3, property_id="P570", urls=(SourceUrl("https://b.example/", "live"),))
    judge(session, again(session, other), NotJudged(Outcome.NOT_FOUND))
    put_terms(session, [Term("P569", "born")])
    found = facets(session)
    assert found.properties == (Facet("P569", "born", 2), Facet("P570", "P570", 1))
    assert found.domains == (Facet("example.org", "example.org", 2), Facet("b.example", "b.example", 1))
    assert found.stances == (Facet("refutes", "refutes", 2),)
    assert found.outcomes == (Facet("not_found", "Page not found", 1),)


def test_the_view_of_a_pair_has_all_of_it(session: Session) -> None:
    value = {"type": "wikibase-entityid", "value": {"id": "Q9"}}
    ref_snaks = {"P248": [{"snaktype": "value", "property": "P248", "datavalue": value}]}
    one = selected(ref_snaks=ref_snaks)
    other = selected(ref_hash="other", urls=(SourceUrl("https://b.example/", "live"),))
    walked(session, one, other)
    put_terms(session, [Term("Q1", "Ada"), Term("Q9", "Who's Who"), Term("P248", "stated in")])
    for task in lease(session, "w", 2, 60):
        judge(session, task, verdict(), kept(session, task.urls[0].url))
        if task.ref_hash == one.ref_hash:
            pair_id = task.pair_id
    judge(session, again(session, pair_id), verdict(0.2, model="judge-2"), kept(session), model="judge-2")
    view = pair_view(session, pair_id)
    assert view is not None
    assert (view.guid, view.item.label, view.property, view.rank) == ("Q1$A", "Ada", Term("P569", None), "normal")
    assert view.statement is not None
    assert view.statement.value == TimeValue(1900, None, None, 9)
    assert (view.snak, view.ref_snaks, view.urls) == (year(1900), ref_snaks, one.urls)
    assert (view.terms["Q9"].label, view.terms["P248"].label) == ("Who's Who", "stated in")
    assert view.current is not None
    assert (view.current.model_version, view.current.probability) == ("judge-2", 0.2)
    assert [former.model_version for former in view.former] == ["judge-1"]
    assert view.current.evidence == (
        Evidence(
            Passage("Born in 1901.", "table", 3, 1, 2, "Life", True),
            0.5,
            0.1,
            0.7,
            0.2,
            (Match("value", "conflict", 8, 12, 0.9),),
        ),
    )
    assert view.current.document is not None
    assert view.current.document.place == Place("a.warc.gz", 0)
    (sibling,) = view.others
    assert (sibling.url, sibling.stance, sibling.probability) == ("https://b.example/", Stance.REFUTES, 0.1)
    assert view.reviews == ()


def test_the_view_of_a_pair_that_waits_or_cant_be_read(session: Session) -> None:
    walked(session, selected(snak={"snaktype": "value", "datavalue": {"type": "hologram", "value": 1}}, urls=()))
    view = pair_view(session, 1)
    assert view is not None
    assert (view.statement, view.current, view.pair_state, view.urls, view.domain) == (None, None, "waiting", (), "")
    assert pair_view(session, 2) is None


def test_a_pair_that_was_not_judged_has_the_passages_that_name_the_value(session: Session) -> None:
    pair_id = judged(session)
    judge(session, again(session, pair_id), unread("Born in 1900"), kept(session, body=b"other"))
    view = pair_view(session, pair_id)
    assert view is not None
    assert view.current is not None
    assert (view.current.stance, view.current.outcome) == (None, Outcome.UNSUPPORTED_LANGUAGE)
    assert view.current.evidence == unread("Born in 1900").evidence
