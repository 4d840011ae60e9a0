"""What is told of items, properties, domains and the whole, against rows that were counted by hand."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, func, select, text, update
from sqlalchemy.orm import Session
from store_rows import again, judge, judged, kept, selected, verdict, walked

from models.evidence import Stance
from models.outcome import NotJudged, Outcome
from models.statement import SourceUrl
from store import schema
from store.reports import items
from store.reports.decided import agreed, first_by_month, first_of_all, reliability
from store.reports.host_states import hosts_of, last_troubles
from store.reports.layouts import bad_layouts
from store.reports.pace import days, hours
from store.reports.refresh import at_hand, counted, refresh, refresh_old
from store.reports.run_state import failing, waiting
from store.reports.tallies import GROUPS, SORTS, course, outcomes, split, tallies, tally
from store.requests import ask
from store.reviews import decide, undo
from store.walk import WalkedItem, retire
from store.work import fail, lease

STANCES = tuple(Stance)


def pair(number: int, **changes: Any) -> Any:
    """A pair of the item Q1, but for what is said otherwise."""
    return selected(number, **{"guid": f"Q1${number:04}", "item_id": "Q1"} | changes)


def found(session: Session, number: int, finding: object, **changes: Any) -> int:
    """Walk over a pair and find something of it (a y with a stance, an outcome, or None: nothing yet); its id."""
    one = pair(number, **changes)
    walked(session, one)
    cited = (schema.Pair.guid == one.guid, schema.Pair.ref_hash == one.ref_hash)
    pair_id = session.scalars(select(schema.Pair.id).where(*cited)).one()
    if finding is not None:
        settle(session, pair_id, finding)
    session.commit()
    return pair_id


def settle(session: Session, pair_id: int, finding: object) -> None:
    """Lease a pair that waits and save what is found of it."""
    tasks = {task.pair_id: task for task in lease(session, "w", 1000, 60)}
    task = tasks.pop(pair_id)
    for other in tasks:
        session.execute(update(schema.Pair).where(schema.Pair.id == other).values(_GIVEN_BACK))
    if isinstance(finding, Outcome):
        assert judge(session, task, NotJudged(finding, "why not"))
    else:
        assert isinstance(finding, tuple)
        y, stance, *unsure = finding
        url = task.urls[0].url
        assert judge(session, task, verdict(y, stance, unsure=bool(unsure)), kept(session, url))


_GIVEN_BACK = {"state": "waiting", "leased_by": None, "leased_until": None}
S, R, N = Stance.SUPPORTS, Stance.REFUTES, Stance.NOT_ENOUGH_INFO


def now(session: Session, pair_id: int) -> int:
    """The pair's current verdict."""
    return session.scalars(
        select(schema.Verdict.id).where(schema.Verdict.pair_id == pair_id, schema.Verdict.current)
    ).one()


def test_the_outcomes_are_in_one_group_each() -> None:
    assert Counter(itertools.chain(*GROUPS.values())) == Counter(Outcome)


# An item


def test_an_item_that_nothing_is_known_of_has_no_score(session: Session) -> None:
    view = items.item_view(session, "Q404")
    assert (view.term, view.score, view.coverage, view.references, view.is_checked) == (None, None, None, 0, False)
    assert items.history(session, "Q404") == []
    assert items.statements(session, "Q404") == ([], None)


def test_what_wasnt_judged_never_lowers_a_score(session: Session) -> None:
    found(session, 1, (0.9, S))
    found(session, 2, (0.5, N, "unsure"))
    before = items.item_view(session, "Q1")
    assert before.score == pytest.approx(0.7)
    assert before.coverage == 1
    found(session, 3, Outcome.NOT_FOUND)
    found(session, 4, None)
    after = items.item_view(session, "Q1")
    assert after.score == before.score
    assert after.coverage == 0.5
    assert after.found == {"supports": 1, "cant_tell": 1, "not_found": 1, "unchecked": 1}
    assert after.not_judged == {Outcome.NOT_FOUND: 1}
    assert after.due == 1


def test_an_item_of_which_nothing_could_be_judged_has_a_coverage_and_no_score(session: Session) -> None:
    found(session, 1, Outcome.BLOCKED)
    view = items.item_view(session, "Q1")
    assert (view.is_checked, view.score, view.coverage) == (True, None, 0)


def test_a_reference_that_is_gone_from_the_item_counts_no_more(session: Session) -> None:
    found(session, 1, (0.9, S))
    found(session, 2, (0.1, R))
    retire(session, [WalkedItem("Q1", 0, frozenset({("Q1$0001", "hash1")}))])
    session.commit()
    view = items.item_view(session, "Q1")
    assert (view.score, view.references, view.retired) == (0.9, 1, 1)
    assert [stated.guid for stated in items.statements(session, "Q1")[0]] == ["Q1$0001"]
    assert [(point.judged, point.references) for point in items.history(session, "Q1")] == [(1, 1)]


def test_statements_come_by_property_and_in_pages(session: Session) -> None:
    for number, property_id in enumerate(("P1000", "P20", "P569", "P20", "P9")):
        found(session, number, None, property_id=property_id)
    found(session, 9, (0.2, R), guid="Q1$0003", ref_hash="another", property_id="P20")
    seen, after = [], None
    for _ in range(5):
        page, after = items.statements(session, "Q1", after, 2)
        seen += [(one.property.id, one.guid, len(one.references)) for one in page]
        if after is None:
            break
    assert seen == [
        ("P9", "Q1$0004", 1),
        ("P20", "Q1$0001", 1),
        ("P20", "Q1$0003", 2),
        ("P569", "Q1$0002", 1),
        ("P1000", "Q1$0000", 1),
    ]


def test_a_reference_tells_what_was_found_and_who_decided(session: Session) -> None:
    pair_id = found(session, 1, (0.2, R))
    decide(session, now(session, pair_id), "Ada", "supports")
    review = decide(session, now(session, pair_id), "Bob", "does_not")
    undo(session, review.id, "Bob")
    ((stated,), _) = items.statements(session, "Q1")
    (cited,) = stated.references
    assert (cited.stance, cited.probability, cited.waits, stated.claim) == (R, 0.2, False, "Born in 1900.")
    assert [(one.reviewer, one.decision) for one in cited.decisions] == [("Ada", "supports")]
    assert items.item_view(session, "Q1").decided == {"supports": 1}


def test_a_wish_that_waits_is_told_before_one_that_was_taken_up(session: Session) -> None:
    assert items.item_view(session, "Q1").wish is None
    ask(session, "Q1", "Ada")
    wish = items.item_view(session, "Q1").wish
    assert wish is not None
    assert (wish.asked_by, wish.taken_at) == ("Ada", None)


def on(session: Session, verdict_id: int, at: datetime, revision: int = 7) -> None:
    """Move the turn to a verdict to a time of the past."""
    session.execute(
        update(schema.History).where(schema.History.verdict_id == verdict_id).values(at=at, revision=revision)
    )


def test_history_has_the_end_of_each_day_and_revision(session: Session) -> None:
    first, second = found(session, 1, (0.2, R)), found(session, 2, Outcome.NOT_FOUND)
    at = datetime(2026, 5, 1, 10, tzinfo=UTC)
    on(session, now(session, first), at, 100)
    on(session, now(session, second), at + timedelta(hours=1), 100)
    task = again(session, first)
    assert judge(session, task, verdict(0.8, S), kept(session, body=b"<p>another</p>"))
    on(session, now(session, first), at + timedelta(days=3), 101)
    task = again(session, second)
    assert judge(session, task, verdict(0.6, S), kept(session, "https://www.example.org/2"))
    on(session, now(session, second), at + timedelta(days=3, hours=2), 102)
    session.commit()
    points = [
        (point.at.day, point.revision, point.references, point.judged, round(point.score or 0, 3))
        for point in items.history(session, "Q1")
    ]
    assert points == [(1, 100, 2, 1, 0.2), (4, 101, 2, 1, 0.8), (4, 102, 2, 2, 0.7)]
    view = items.item_view(session, "Q1")
    assert view.score == pytest.approx(0.7)
    assert view.judged == 2


def test_a_verdict_that_is_confirmed_changes_no_history(session: Session) -> None:
    pair_id = found(session, 1, (0.2, R))
    task = again(session, pair_id)
    assert judge(session, task, verdict(0.2, R), kept(session))
    session.commit()
    assert session.scalar(select(func.count()).select_from(schema.History)) == 1
    # Another comes, and the first comes back: both are turns.
    task = again(session, pair_id)
    assert judge(session, task, verdict(0.9, S), kept(session, body=b"<p>x</p>"))
    task = again(session, pair_id)
    assert judge(session, task, verdict(0.2, R), kept(session))
    first, second, third = session.scalars(select(schema.History.verdict_id).order_by(schema.History.id))
    assert first == third != second


# The whole, properties and domains


def some_rows(session: Session, number: int, seed: int = 7) -> None:
    """Many pairs of a few properties and domains, found at random."""
    chance = random.Random(seed)
    findings: list[object] = [
        None,
        *((round(chance.random(), 3), stance) for stance in STANCES for _ in range(4)),
        *((round(chance.random(), 3), stance, "unsure") for stance in STANCES),
        *Outcome,
    ]
    for each in range(number):
        domain, path = chance.choice(("a.example", "www.b.example", "c.example")), chance.choice(("", "x/", "x/12/"))
        found(
            session,
            each,
            chance.choice(findings),
            item_id=f"Q{chance.randint(1, 5)}",
            guid=f"{each}$A",
            property_id=chance.choice(("P19", "P20", "P569")),
            urls=(SourceUrl(f"https://{domain}/{path}{each}", "live"),),
        )


PLAIN = """
SELECT statement.property_id, pair.domain, pair.state, verdict.stance, verdict.unsure, verdict.outcome,
  verdict.probability
FROM pair JOIN statement USING (guid) LEFT JOIN verdict ON verdict.pair_id = pair.id AND verdict.current
WHERE pair.state <> 'retired'
"""


def plainly(rows: Iterable[Any]) -> dict[str, Any]:
    """What a tally should be, counted one by one."""
    rows = list(rows)
    judged_ones = [row for row in rows if row.stance]
    sure = Counter(row.stance for row in judged_ones if not row.unsure)
    why = Counter(row.outcome for row in rows if row.outcome)
    return {
        "pairs": len(rows),
        "judged": len(judged_ones),
        "not_judged": sum(why.values()),
        "unchecked": sum(row.stance is None and row.outcome is None for row in rows),
        "cant_tell": sum(bool(row.unsure) for row in judged_ones),
        **{stance.value: sure[stance.value] for stance in STANCES},
        **{group: sum(why[outcome.value] for outcome in some) for group, some in GROUPS.items()},
        "due": sum(row.state in ("waiting", "leased", "failed") for row in rows),
        "support": pytest.approx(sum(row.probability for row in judged_ones)),
    }


def told(one: Any, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(one, name) for name in names}


def test_tallies_equal_a_plain_count_and_add_up(session: Session, engine: Engine) -> None:
    some_rows(session, 60)
    retire(session, [WalkedItem("Q1", 0, frozenset())])
    session.commit()
    refresh(engine)
    rows = session.execute(text(PLAIN)).all()
    assert len(rows) > 40
    whole = plainly(rows)
    assert told(tally(session, "all"), whole) == whole
    for kind, column in (("property", 0), ("domain", 1)):
        listed, _ = tallies(session, kind, limit=99)  # type: ignore[arg-type]
        names = {row[column] for row in rows}
        assert {one.name for one in listed} == names
        for one in listed:
            expected = plainly(row for row in rows if row[column] == one.name)
            assert told(one, expected) == expected
            assert told(tally(session, kind, one.name), expected) == expected  # type: ignore[arg-type]
            assert one.pairs == one.judged + one.not_judged + one.unchecked
            assert one.judged == one.supports + one.refutes + one.not_enough_info + one.cant_tell
            assert one.not_judged == sum(getattr(one, group) for group in GROUPS)
            some = outcomes(session, kind, one.name)  # type: ignore[arg-type]
            assert sum(some.values()) == one.pairs - one.unchecked
            parts = split(session, kind, one.name)  # type: ignore[arg-type]
            assert sum(part.pairs for part in parts) == one.pairs
            assert sum(part.support for part in parts) == pytest.approx(one.support)


@pytest.mark.parametrize("sort", SORTS)
def test_a_list_of_tallies_is_whole_and_in_order_in_pages_of_any_length(
    session: Session, engine: Engine, sort: str
) -> None:
    for number in range(9):
        finding = (number % 3 / 4, STANCES[number % 3]) if number % 4 else Outcome.GONE
        found(session, number, finding, property_id=f"P{number % 7 + 1}")
    refresh(engine)
    at_once, none = tallies(session, "property", sort, limit=99)
    assert none is None
    seen, after = [], None
    for _ in range(9):
        page, after = tallies(session, "property", sort, after, 2)
        seen += page
        if after is None:
            break
    assert seen == at_once
    assert len({one.name for one in seen}) == 7
    scores = [2 if one.score is None else one.score for one in at_once]
    expected = {"name": sorted(one.name for one in at_once)}.get(sort)
    if expected:
        assert [one.name for one in at_once] == expected
    elif sort == "score":
        assert scores == sorted(scores)
    else:
        assert [getattr(one, sort) for one in at_once] == sorted((getattr(one, sort) for one in at_once), reverse=True)


def test_tallies_are_found_by_what_is_in_their_names_and_by_nothing_else(session: Session, engine: Engine) -> None:
    for number, domain in enumerate(("a_b.example", "axb.example", "c%.example")):
        found(session, number, None, urls=(SourceUrl(f"https://{domain}/", "live"),))
    refresh(engine)

    def named(part: str) -> list[str]:
        return [one.name for one in tallies(session, "domain", "name", named=part)[0]]

    assert named("") == ["a_b.example", "axb.example", "c%.example"]
    assert named("a_b") == ["a_b.example"]
    assert named("%") == ["c%.example"]
    assert named("XB.") == ["axb.example"]
    assert named("\\") == []
    assert tallies(session, "domain", least=2)[0] == []


def test_the_course_of_months_ends_with_how_things_stand(session: Session, engine: Engine) -> None:
    some_rows(session, 40)
    session.execute(text("UPDATE history SET at = at - (pair_id % 5) * interval '35 days'"))
    session.commit()
    refresh(engine)
    whole = course(session, "all")
    assert len(whole) >= 5
    assert whole[-1].found == outcomes(session, "all")
    assert [month.pairs for month in whole] == sorted(month.pairs for month in whole)  # nothing retired
    assert whole[-1].judged == tally(session, "all").judged
    assert sum(whole[-1].of(group) for group in GROUPS) == tally(session, "all").not_judged
    firsts = [month.month for month in whole]
    assert all((b - a).days in (28, 29, 30, 31) for a, b in itertools.pairwise(firsts))
    by_domain = [course(session, "domain", one.name)[-1].pairs for one in tallies(session, "domain")[0]]
    assert sum(by_domain) == whole[-1].pairs


def test_a_page_that_was_lost_is_seen_in_its_month(session: Session, engine: Engine) -> None:
    pair_id = found(session, 1, (0.9, S))
    on(session, now(session, pair_id), datetime(2026, 1, 31, 23, tzinfo=UTC))
    task = again(session, pair_id)
    assert judge(session, task, NotJudged(Outcome.NOT_FOUND, "404"))
    on(session, now(session, pair_id), datetime(2026, 3, 1, 1, tzinfo=UTC))
    session.commit()
    refresh(engine)
    months = course(session, "domain", "example.org")
    assert [(month.month.month, dict(month.found)) for month in months] == [
        (1, {"supports": 1}),
        (2, {"supports": 1}),
        (3, {"not_found": 1}),
    ]


# When figures are counted


def test_figures_are_counted_on_first_need_and_then_when_they_are_old(session: Session, engine: Engine) -> None:
    assert counted(session) is None
    first = at_hand(engine)
    assert at_hand(engine).at == first.at
    found(session, 1, (0.9, S))
    assert tally(session, "all").pairs == 0
    session.execute(text("UPDATE refreshed SET at = at - interval '1 hour'"))
    session.commit()
    assert at_hand(engine).at > first.at
    assert tally(session, "all").pairs == 1


def test_what_takes_long_keeps_no_reader_waiting(session: Session, engine: Engine) -> None:
    at_hand(engine)
    found(session, 1, (0.9, S))
    session.execute(text("UPDATE refreshed SET at = at - interval '1 hour', seconds = 30"))
    session.commit()
    at_hand(engine)
    assert tally(session, "all").pairs == 0
    # A worker counts them; and not again until something else was judged.
    assert refresh_old(engine) is not None
    assert tally(session, "all").pairs == 1
    session.execute(text("UPDATE refreshed SET at = clock_timestamp(), seconds = 0"))
    session.commit()
    assert refresh_old(engine) is None


def test_whoever_comes_while_another_counts_has_what_that_one_counted(session: Session, engine: Engine) -> None:
    some_rows(session, 5)
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: refresh(engine), range(4)))
    assert tally(session, "all").pairs == 5
    assert len({one.at for one in done}) <= 4


# What reads badly


def test_layouts_that_read_badly_come_first(session: Session, engine: Engine) -> None:
    def page(number: int, path: str, finding: object) -> int:
        return found(session, number, finding, urls=(SourceUrl(f"https://www.site.example{path}", "live"),))

    for number in range(4):
        page(number, f"/good/{number}", (0.9, S))
    bad = [page(10 + number, f"/name/nm{number}/bio", (0.5, N, "unsure")) for number in range(3)]
    page(20, "/name/nm9/bio", (0.9, S))
    empty = page(30, "/app#/x", Outcome.NO_TEXT)
    page(40, "/lost/1", Outcome.NOT_FOUND)
    broken = found(session, 50, None, urls=(SourceUrl("https://site.example/app?id=1", "live"),))
    (task,) = lease(session, "w", 1, 60)
    assert task.pair_id == broken
    fail(session, task, "w", "judging failed: boom")
    session.commit()
    refresh(engine)
    layouts = bad_layouts(session, "site.example")
    assert [(one.prefix, one.pairs, one.unsure, one.unread, one.failed) for one in layouts] == [
        ("/name/nm…/", 4, 3, 0, 0),
        ("/", 2, 0, 1, 1),
    ]
    assert [one.pair_id for one in layouts[0].examples] == bad
    assert layouts[0].share == 0.75
    assert [(one.pair_id, one.outcome, one.failed) for one in layouts[1].examples] == [
        (empty, Outcome.NO_TEXT, None),
        (broken, None, "judging failed: boom"),
    ]


def test_the_hosts_of_a_domain_and_its_last_troubles(session: Session, engine: Engine) -> None:
    first = found(session, 1, Outcome.NOT_FOUND)
    second = found(session, 2, Outcome.BLOCKED)
    found(session, 3, Outcome.BLOCKED, urls=(SourceUrl("https://other.example/", "live"),))
    session.execute(update(schema.Verdict).where(schema.Verdict.pair_id == first).values(judged_at=func.now()))
    later = datetime.now(UTC) + timedelta(hours=1)
    day = datetime.now(UTC).date()
    session.add_all(
        [
            schema.Host(
                name="www.example.org",
                delay_s=2.5,
                day=day,
                requests=4,
                failures=6,
                failing_since=later - timedelta(days=1),
                resting_until=later,
                resting_outcome="server_error",
                resting_why="503 <b>Busy</b>",
            ),
            schema.Host(name="example.org:8080", delay_s=1, day=day - timedelta(days=1), requests=9),
            schema.Host(name="notexample.org", delay_s=1, day=day),
        ]
    )
    session.commit()
    refresh(engine)
    assert [
        (one.name, one.delay_s, one.requests, one.failures, one.outcome) for one in hosts_of(session, "example.org")
    ] == [("example.org:8080", 1, 0, 0, None), ("www.example.org", 2.5, 4, 6, Outcome.SERVER_ERROR)]
    assert [(one.pair_id, one.outcome) for one in last_troubles(session, "example.org")] == [
        (first, Outcome.NOT_FOUND),
        (second, Outcome.BLOCKED),
    ]


# What people decided


def test_agreement_counts_the_latest_decision_of_each_pair_by_stance(session: Session, engine: Engine) -> None:
    said = [
        ((0.9, S), "supports"),
        ((0.8, S), "does_not"),
        ((0.1, R), "wrong_statement"),
        ((0.2, R), "gone"),
        ((0.3, N), "does_not"),
        ((0.5, S, "unsure"), "supports"),
    ]
    for number, (finding, decision) in enumerate(said):
        pair_id = found(session, number, finding)
        earlier = decide(session, now(session, pair_id), "Bob", "cant_tell")
        session.execute(
            update(schema.Review)
            .where(schema.Review.id == earlier.id)
            .values(decided_at=datetime(2026, 1, 1, tzinfo=UTC))
        )
        decide(session, now(session, pair_id), "Ada", decision)
    undone = found(session, 90, (0.9, S))
    review = decide(session, now(session, undone), "Ada", "does_not")
    undo(session, review.id, "Ada")
    session.commit()
    refresh(engine)
    rows = {one.stance: one for one in agreed(session, "property", "P569")}
    assert {name: (one.agreed, one.told, one.open) for name, one in rows.items()} == {
        "supports": (1, 2, 0),
        "refutes": (1, 1, 1),
        "not_enough_info": (1, 1, 0),
        "cant_tell": (None, 1, 0),
    }
    assert list(rows) == ["supports", "refutes", "not_enough_info", "cant_tell"]
    assert rows["supports"].interval == pytest.approx((0.0945312, 0.9054688), abs=1e-6)
    assert rows["cant_tell"].interval is None
    assert agreed(session, "property", "P1") == []
    assert agreed(session, "domain", "example.org") == agreed(session, "all") == list(rows.values())
    bins = [(round(one.low, 1), one.pairs, round(one.said, 3), one.found) for one in reliability(session)]
    assert bins == [(0.1, 1, 0.1, 0), (0.3, 1, 0.3, 0), (0.5, 1, 0.5, 1), (0.8, 1, 0.8, 0), (0.9, 1, 0.9, 1)]


def test_precision_is_of_the_first_twenty_in_the_lists_order(session: Session, engine: Engine) -> None:
    refresh(engine)
    assert first_of_all(session) is None
    assert first_by_month(session) == []
    may, june = datetime(2026, 5, 3, tzinfo=UTC), datetime(2026, 6, 3, tzinfo=UTC)
    for number in range(25):
        pair_id = found(session, number, (number / 100, R))
        bad = number < 10 or number >= 20
        review = decide(session, now(session, pair_id), "Ada", "does_not" if bad else "supports")
        session.execute(
            update(schema.Review).where(schema.Review.id == review.id).values(decided_at=may if number % 5 else june)
        )
    session.commit()
    refresh(engine)
    whole = first_of_all(session)
    assert whole is not None
    assert (whole.month, whole.decided, whole.worth, whole.share) == (None, 20, 10, 0.5)
    by_month = [(one.month and one.month.month, one.decided, one.worth) for one in first_by_month(session)]
    assert by_month == [(5, 20, 12), (6, 5, 3)]


# The work


def test_the_pace_has_every_hour_and_day(session: Session, engine: Engine) -> None:
    for number, (hours_ago, finding) in enumerate(((0, (0.9, S)), (0, Outcome.GONE), (3, (0.1, R)), (50, (0.1, R)))):
        pair_id = found(session, number, finding)
        session.execute(
            update(schema.Verdict)
            .where(schema.Verdict.pair_id == pair_id)
            .values(judged_at=func.now() - timedelta(hours=hours_ago))
        )
    session.commit()
    refresh(engine)
    of_hours, of_days = hours(session), days(session)
    assert (len(of_hours), len(of_days)) == (24, 14)
    assert [(one.judged, one.not_judged) for one in of_hours if one.judged] == [(1, 0), (1, 1)]
    assert of_hours[-1].judged == 1
    assert sum(one.judged for one in of_days) == 3
    assert all(b.since - a.since == timedelta(hours=1) for a, b in itertools.pairwise(of_hours))
    assert all(b.since - a.since == timedelta(days=1) for a, b in itertools.pairwise(of_days))


def test_what_is_left_of_a_run(session: Session) -> None:
    run_id = walked(session, *(pair(number) for number in range(3)))
    tasks = lease(session, "w", 2, 60)
    fail(session, tasks[0], "w", "can't reach https://example.org/1")
    fail(session, tasks[1], "w", "can't reach https://example.org/2")
    session.commit()
    assert waiting(session, run_id) == 3
    assert [(one.reason, one.pairs) for one in failing(session, run_id)] == [("can't reach https://…", 2)]
    assert waiting(session, 999) == 0


def test_judging_is_kept_in_history_by_the_database_itself(session: Session) -> None:
    pair_id = judged(session)
    (row,) = session.scalars(select(schema.History))
    assert (row.pair_id, row.revision) == (pair_id, 7)
