"""The list, its filters and pages, and all about one pair."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Date, Engine, event, func, select, text
from sqlalchemy.orm import Session
from store_rows import again, judge, judged, kept, selected, unread, verdict, walked, year

from models.evidence import Evidence, Match, Passage, Stance
from models.outcome import NotJudged, Outcome
from models.statement import SourceUrl, Term, TimeValue
from store import schema
from store.archive import Place
from store.counts import count
from store.facets import Facet, facets, languages
from store.filters import Filters
from store.pair_view import pair_view
from store.queue import Cursor, worst_first
from store.reports.refresh import refresh
from store.reviews import decide
from store.walk import put_terms
from store.work import lease


def listed(session: Session, **filters: Any) -> list[int]:
    return [row.pair_id for row in worst_first(session, Filters(**filters)).rows]


def test_the_worst_come_first(session: Session) -> None:
    pairs = {probability: judged(session, probability, number) for number, probability in enumerate((0.5, 0.1, 0.9), 1)}
    walked(session, selected(9))
    assert listed(session) == [pairs[0.1], pairs[0.5], pairs[0.9]]


def test_a_row_has_what_the_list_shows(session: Session) -> None:
    pair_id = judged(session, 0.25)
    put_terms(session, [Term("Q1", "Ada", ("A",)), Term("P569", "born")])
    (row,) = worst_first(session, Filters()).rows
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
    barred = judged(session, number=4)
    judge(session, again(session, barred), NotJudged(Outcome.BLOCKED, "403"))
    assert listed(session) == [one, lost, other], "with pages that aren't there, without those that can't be read"
    assert listed(session, judged=True) == [one, other]
    assert listed(session, property_id="P570") == [other]
    assert listed(session, domain="example.org") == [one, lost]
    assert listed(session, stance=Stance.SUPPORTS) == [other]
    assert listed(session, outcome=Outcome.NOT_FOUND) == [lost]
    assert listed(session, outcome=Outcome.GONE) == []
    assert listed(session, stance=Stance.SUPPORTS, domain="example.org") == []


def test_reviewed_pairs_leave_the_open_list(session: Session) -> None:
    one, other = judged(session), judged(session, number=2)
    row = next(row for row in worst_first(session, Filters()).rows if row.pair_id == one)
    decide(session, row.verdict_id, "Ada", "supports")
    decide(session, row.verdict_id, "Eve", "does_not")
    assert listed(session) == [other]
    assert sorted(listed(session, state="all")) == [one, other]
    (row,) = worst_first(session, Filters(state="reviewed")).rows
    assert (row.pair_id, row.decision) == (one, "does_not")


def test_pages_stay_in_step_while_rows_come_and_go(session: Session) -> None:
    pairs = [judged(session, probability / 10, number) for number, probability in enumerate((1, 1.1, 2, 2.1, 3, 4), 1)]
    first = worst_first(session, Filters(), limit=2)
    assert [row.pair_id for row in first.rows] == pairs[:2]
    # One of the page seen is judged anew and moves to the end, one worse comes in, one ahead is reviewed.
    judge(session, again(session, pairs[0]), verdict(0.9), kept(session), model="judge-2")
    judged(session, 0.05, 7)
    ahead = worst_first(session, Filters(), first.next, limit=2)
    decide(session, ahead.rows[0].verdict_id, "Ada", "supports")
    second = worst_first(session, Filters(), first.next, limit=2)
    assert [row.pair_id for row in second.rows] == [pairs[3], pairs[4]]
    third = worst_first(session, Filters(), second.next, limit=2)
    assert [row.pair_id for row in third.rows] == [pairs[5], pairs[0]]
    assert third.next is None


def test_how_sure_we_are_counts_beside_how_unlikely_support_is(session: Session) -> None:
    findings = [
        verdict(0.1, Stance.NOT_ENOUGH_INFO),
        verdict(0.2, Stance.REFUTES),
        verdict(0.7, Stance.SUPPORTS),
        verdict(0.45, unsure=True),
        verdict(0.6, Stance.REFUTES),
        verdict(0.05, Stance.REFUTES),
    ]
    pairs = [judged(session, number=number, finding=finding) for number, finding in enumerate(findings, 1)]
    expected = [pairs[at] for at in (5, 1, 0, 4, 2, 3)]  # 0.95, 0.8, 0.72, 0.4, 0.3, 0.275
    assert listed(session) == expected
    seen: list[int] = []
    after = None
    for _ in pairs:
        page = worst_first(session, Filters(), after, limit=1)
        seen += [row.pair_id for row in page.rows]
        after = Cursor.parse(str(page.next)) if page.next else None
    assert (seen, after) == (expected, None)


def test_one_can_go_back_as_far_as_one_came(session: Session) -> None:
    pairs = [judged(session, 0.3, number) for number in range(1, 8)]  # of equal benefit, so the newest first
    expected = pairs[::-1]
    third = worst_first(session, Filters(), worst_first(session, Filters(), limit=4).next, limit=2)
    assert [row.pair_id for row in third.rows] == expected[4:6]
    assert third.previous is not None
    second = worst_first(session, Filters(), limit=2, before=Cursor.parse(str(third.previous)))
    assert [row.pair_id for row in second.rows] == expected[2:4]
    assert second.next == second.rows[-1].cursor
    first = worst_first(session, Filters(), limit=2, before=second.previous)
    assert ([row.pair_id for row in first.rows], first.previous) == (expected[:2], None)
    assert worst_first(session, Filters(), limit=2).previous is None


def test_the_filters_of_subjects_pages_days_and_runs_combine(session: Session) -> None:
    person = judged(session, classes=("Q5", "Q82955"))
    work = judged(session, number=2, classes=("Q571",), language="de")
    run_id = session.get_one(schema.Pair, work).run_id
    judged(session, number=3)
    today = session.scalars(select(func.timezone("UTC", func.now()).cast(Date))).one()
    assert listed(session, class_id="Q5") == [person]
    assert listed(session, class_id="Q82955", language="en") == []
    assert listed(session, class_id="Q571", language="de", run_id=run_id, since=today, until=today) == [work]
    assert listed(session, since=today + timedelta(days=1)) == []
    assert listed(session, until=today - timedelta(days=1)) == []
    assert languages(session) == ("de",)


def test_mine_and_disputed_are_lists_of_their_own(session: Session) -> None:
    pairs = [judged(session, number=number) for number in (1, 2, 3)]
    rows = {row.pair_id: row.verdict_id for row in worst_first(session, Filters()).rows}
    decide(session, rows[pairs[0]], "Ada", "supports")
    decide(session, rows[pairs[1]], "Eve", "supports")
    decide(session, rows[pairs[2]], "Ada", "supports")
    decide(session, rows[pairs[2]], "Eve", "does_not")
    assert sorted(listed(session, state="mine", reviewer="Ada")) == [pairs[0], pairs[2]]
    assert listed(session, state="mine", reviewer="Bob") == []
    assert listed(session, state="disputed") == [pairs[2]]
    assert listed(session) == []


def test_short_lists_are_counted_and_long_ones_estimated(session: Session) -> None:
    for number in range(1, 6):
        judged(session, number=number, property_id="P569" if number < 4 else "P570")
    found = count(session, Filters())
    assert (found.number, found.exact) == (5, True)
    assert count(session, Filters(property_id="P570")).number == 2
    session.execute(text("ANALYZE"))
    for filters in (Filters(state="all"), Filters(state="mine", reviewer="A%d(s"), Filters(class_id="Q5")):
        estimated = count(session, filters, exact=0) if count(session, filters).number else None
        assert estimated is None or (not estimated.exact and estimated.number >= 0)


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
    assert [(row.stance, row.unsure) for row in worst_first(session, Filters(unsure=True)).rows] == [
        (Stance.REFUTES, True),
        (Stance.SUPPORTS, True),
    ]
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
    worst_first(session, Filters(), Cursor(0.5, 5))
    event.remove(connection, "before_cursor_execute", note)
    ((statement, parameters),) = asked
    for way in ("seqscan", "sort", "bitmapscan"):  # what PostgreSQL prefers where there are only few rows
        connection.exec_driver_sql(f"SET LOCAL enable_{way} = off")
    plan = " ".join(connection.exec_driver_sql(f"EXPLAIN {statement}", parameters).scalars())
    assert "Index Scan Backward using ix_verdict_queue" in plan
    assert "Index Cond: (ROW(benefit, id) < ROW(" in plan
    assert "Sort" not in plan.split("SubPlan")[0]


def test_pages_of_outcomes(session: Session) -> None:
    pairs = []
    for number in (1, 2, 3):
        pairs.append(judged(session, number=number))
        judge(session, again(session, pairs[-1]), NotJudged(Outcome.GONE))
    filters = Filters(outcome=Outcome.GONE)
    first = worst_first(session, filters, limit=2)
    assert first.next is not None
    second = worst_first(session, filters, Cursor.parse(str(first.next)), limit=2)
    assert [row.pair_id for row in first.rows + second.rows] == pairs[::-1], "of equal use, so the newest first"
    assert second.next is None


@pytest.mark.parametrize("cursor", [Cursor(0.1 + 0.2, 7), Cursor(1e-300, 1), Cursor(0.0, 2**63 - 1), Cursor(150.0, 5)])
def test_a_cursor_survives_an_address(cursor: Cursor) -> None:
    assert Cursor.parse(str(cursor)) == cursor


@pytest.mark.parametrize(
    "written",
    [
        *("", "7", "x", "0.5~", "~1", "0.5~x", "nan~1", "inf~1", "-1~1", "0.5~-1", "0.5~1~1", "9~0.5~1", "x~1"),
        *(f"1~{2**63}", "1~²", "²~1", "1" * 41 + "~1", "0.5~" + "9" * 5000),
    ],
)
def test_what_isnt_a_cursor_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match=r"not a place in the list|could not convert"):
        Cursor.parse(written)


def test_facets_are_as_they_were_counted_last(session: Session, engine: Engine) -> None:
    judged(session)
    judged(session, number=2)
    other = judged(session, number=3, property_id="P570", urls=(SourceUrl("https://b.example/", "live"),))
    judge(session, again(session, other), NotJudged(Outcome.NOT_FOUND))
    judged(session, number=4, classes=("Q5",))
    put_terms(session, [Term("P569", "born"), Term("Q5", "human")])
    session.commit()
    refresh(engine)
    found = facets(session)
    assert found.properties == (Facet("P569", "born", 3), Facet("P570", "P570", 1))
    assert found.classes == (Facet("Q5", "human", 1),)
    assert found.domains == (Facet("example.org", "example.org", 3), Facet("b.example", "b.example", 1))
    assert found.stances == (Facet("refutes", "refutes", 3),)
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
