"""Which pairs a lease takes: hosts in turn, urgent ones first, none of hosts that can't be asked; how long it lasts."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy import Engine, func, select, text, update
from sqlalchemy.orm import Session
from store_rows import MODEL, judge, kept, pair_row, selected, verdict, walked

from models.statement import SourceUrl
from store import schema
from store.runs import start_run
from store.walk import SelectedPair, put_pairs
from store.work import any_due, count_due, fail, give_back, give_up, held, lease, renew


def at(host: str, number: int, **changes: Any) -> SelectedPair:
    """Pair `number`, which cites a page of its own on `host`."""
    return selected(number, urls=(SourceUrl(f"https://{host}/{number}", "live"),), **changes)


def host_row(session: Session, name: str, **values: object) -> None:
    row = {"delay_s": 1.0, "day": func.current_date(), "next_at": func.now()} | values
    session.execute(schema.Host.__table__.insert().values(name=name, **row))


def hosts(session: Session, limit: int = 10, **how: Any) -> list[str]:
    return [task.host for task in lease(session, "w", limit, 60, one_page=True, **how)]


def test_a_batch_has_one_page_of_each_host(session: Session) -> None:
    walked(session, *(at(host, 10 * place + n) for place, host in enumerate("abc", 1) for n in range(5)))
    assert sorted(hosts(session)) == ["a", "b", "c"]
    assert sorted(hosts(session)) == ["a", "b", "c"], "the next pages of the same hosts"


def test_all_that_cite_the_page_come_with_it(session: Session) -> None:
    shared = (SourceUrl("https://a/shared", "live"),)
    walked(session, *(selected(n, urls=shared) for n in range(1, 5)), at("a", 5), at("b", 6))
    first = lease(session, "w", 10, 60, one_page=True)
    second = lease(session, "w", 10, 60, one_page=True)
    assert sorted(len({task.urls for task in some if task.host == "a"}) for some in (first, second)) == [1, 1]
    assert len(first) + len(second) == 6


def test_hosts_take_turns_behind_the_one_that_came_last(session: Session) -> None:
    walked(session, *(at(host, n) for n, host in enumerate("abcde", 1)))
    assert sorted(hosts(session, 2, after="b")) == ["c", "d"]
    assert sorted(hosts(session, 2, after="d")) == ["a", "e"], "the ring goes round"
    assert hosts(session, 2, after="z") == ["b"]


def test_what_is_urgent_goes_first_whatever_its_host(session: Session) -> None:
    walked(session, *(at("a", n) for n in range(1, 4)), *(at("b", n) for n in range(4, 6)))
    order = [schema.WHY[place] for place in (4, 0, 2, 1, 5)]
    for number, why in enumerate(order, 1):
        session.execute(update(schema.Pair).where(schema.Pair.guid == f"Q{number}$A").values(why=why))
    taken = [lease(session, "w", 1, 60, one_page=True)[0].why for _ in order]
    assert taken == sorted(order, key=schema.WHY.index)


def test_a_host_that_rests_gives_nothing_until_its_time(session: Session) -> None:
    walked(session, at("resting", 1), at("ready", 2))
    later = func.now() + timedelta(hours=1)
    host_row(session, "resting", resting_until=later, resting_outcome="server_error", resting_why="503")
    assert hosts(session) == ["ready"]
    assert not any_due(session)
    session.execute(update(schema.Host).values(resting_until=func.now() - timedelta(seconds=1)))
    assert any_due(session)
    assert hosts(session) == ["resting"]


def test_a_page_that_is_only_reworded_needs_no_host(session: Session) -> None:
    walked(session, at("resting", 1, classes=()))
    session.execute(update(schema.Pair).values(why="reworded"))
    later = func.now() + timedelta(hours=1)
    host_row(session, "resting", resting_until=later, resting_outcome="server_error", resting_why="503")
    assert hosts(session) == ["resting"]


def test_a_host_whose_turn_is_far_off_holds_up_no_batch(session: Session) -> None:
    walked(session, at("slow", 1), at("soon", 2))
    host_row(session, "slow", next_at=func.now() + timedelta(seconds=50))
    host_row(session, "soon", next_at=func.now() + timedelta(seconds=2))
    assert hosts(session) == ["soon"]


def test_a_host_that_has_had_its_days_requests_waits_for_the_next_day(session: Session) -> None:
    walked(session, at("spent", 1), at("other", 2))
    today = func.timezone("UTC", func.now()).cast(schema.Host.day.type)
    host_row(session, "spent", requests=7, day=today)
    assert hosts(session, budget=7) == ["other"]
    assert not any_due(session, budget=7)
    session.execute(update(schema.Host).values(day=schema.Host.day - 1))
    assert hosts(session, budget=7) == ["spent"]


def test_pairs_without_an_address_are_leased_too(session: Session) -> None:
    walked(session, selected(urls=()))
    assert hosts(session) == [""]


def test_the_host_of_a_pair_is_named_as_hosts_are(session: Session) -> None:
    urls = ("HTTPS://User@WWW.Example.org:8443/a?b#c", "http://b.example", "https://c.example?x", "https://d.example#x")
    walked(session, *(selected(n, urls=(SourceUrl(url, "live"),)) for n, url in enumerate(urls, 1)))
    named = session.scalars(select(schema.Pair.host).order_by(schema.Pair.guid)).all()
    assert named == ["www.example.org:8443", "b.example", "c.example", "d.example"]


def test_a_lease_uses_the_index_however_long_the_queue_of_one_host(session: Session) -> None:
    walked(session, *(at("big", n) for n in range(1, 1501)), at("small", 2000))
    session.execute(text("ANALYZE pair"))
    assert sorted(hosts(session, 2)) == ["big", "small"]


def test_renewing_keeps_leases_and_leaves_what_someone_changes(engine: Engine, session: Session) -> None:
    run = walked(session, at("a", 1), at("b", 2))
    lease(session, "one", 1, 1)
    lease(session, "two", 1, 1)
    session.commit()
    with Session(engine) as other:
        put_pairs(other, run, [at("b", 2, snak={"snaktype": "value", "datavalue": {}}, revision=9)], MODEL)
        assert renew(session, ["one", "two"], 3600) == 1, "and doesn't wait for the other transaction"
        session.commit()
        other.commit()
    later = session.scalars(select(schema.Pair.leased_until - func.now()).where(schema.Pair.state == "leased")).all()
    assert [round(each.total_seconds(), -2) for each in later] == [3600]


def test_what_is_held_and_what_was_lost(session: Session) -> None:
    walked(session, at("a", 1), at("b", 2))
    tasks = lease(session, "late", 2, -1)
    (taken,) = lease(session, "quick", 1, 60)
    ids = [task.pair_id for task in tasks]
    assert held(session, "late", ids) == set(ids) - {taken.pair_id}
    assert held(session, "quick", ids) == {taken.pair_id}


def test_giving_back_names_what_is_given(session: Session) -> None:
    walked(session, at("a", 1), at("b", 2), at("c", 3))
    for name in ("w:1", "w:2", "v:1"):
        lease(session, name, 1, 60)
    assert give_back(session, {"w:1", "w:2"}) == 2
    assert give_back(session, ()) == 0
    assert count_due(session) == 2


def test_a_pair_that_is_put_off_has_lost_no_try(session: Session) -> None:
    walked(session, selected())
    (task,) = lease(session, "w", 1, 60)
    tomorrow = session.scalars(select(func.now() + timedelta(days=1))).one()
    assert fail(session, task, "w", "the host has had its requests of the day", tomorrow)
    pair = pair_row(session, task.pair_id)
    assert (pair.state, pair.tries, pair.next_at) == ("failed", 0, tomorrow)


def test_other_workers_help_with_what_a_run_queues_unless_its_pages_are_its_own(session: Session) -> None:
    for number, own_pages in enumerate((False, True), 1):
        run = start_run(session, "a walk", MODEL, "somebody", own_pages)
        put_pairs(session, run.id, [at("a", number)], MODEL)
    assert [task.guid for task in lease(session, "helper", 5, 60)] == ["Q1$A"]


def test_a_late_verdict_of_a_batch_is_refused_though_the_worker_has_the_pair_again(session: Session) -> None:
    walked(session, selected())
    (late,) = lease(session, "w:1", 1, -1)
    (again,) = lease(session, "w:2", 1, 60)
    assert not judge(session, late, verdict(), kept(session), worker="w:1")
    assert judge(session, again, verdict(), kept(session), worker="w:2")


def test_what_workers_keep_dying_over_doesnt_hold_up_the_queue(session: Session) -> None:
    walked(session, at("a", 1))
    for died in range(3):
        assert len(lease(session, f"w:{died}", 1, -1)) == 1, "twice it is taken over at once"
    assert lease(session, "w:3", 1, 60) == []
    pair = pair_row(session, 1)
    assert (pair.state, pair.tries) == ("failed", 3)
    assert pair.last_error == "its worker died over it, or over a pair leased with it"
    wait = session.scalars(select(schema.Pair.next_at - func.now())).one()
    assert timedelta(minutes=2) < wait < timedelta(minutes=8)


def test_what_a_dead_worker_held_waits_again(session: Session) -> None:
    walked(session, at("a", 1), at("b", 2))
    lease(session, "dead:1", 1, 60)
    lease(session, "alive:1", 1, 60)
    assert give_up(session, ["dead:1"]) == 1
    assert [task.tries for task in lease(session, "w", 5, 60)] == [1]
