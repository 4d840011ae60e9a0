"""Turns of hosts: one at a time for all workers, with a pause between; and hosts that are left alone."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, Engine, text
from sqlalchemy.orm import Session

from models.outcome import Outcome
from store.hosts import (
    Answered,
    Busy,
    Ended,
    Granted,
    How,
    KeptRobots,
    Resting,
    Rests,
    Spent,
    Wish,
    busiest,
    end,
    keep_robots,
    kept_robots,
    pass_by,
    resting,
    take,
)

HOST = "example.org"
RESTS = Rests(after=3, first_s=600.0, most_s=3600.0)


@pytest.fixture
def connection(engine: Engine) -> Iterator[Connection]:
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        yield connection


def ask(connection: Connection, worker: str = "a", host: str = HOST, delay_s: float = 1.0, budget: int = 0) -> Answered:
    """What becomes of one wish."""
    return take(connection, worker, [Wish(host, delay_s, 30.0)], budget)[host]


def over(connection: Connection, how: How = How.ANSWERED, worker: str = "a", **changes: object) -> None:
    end(connection, worker, [Ended(HOST, 1.0, how, **changes)], RESTS)  # type: ignore[arg-type]


def fail(connection: Connection, outcome: Outcome = Outcome.SERVER_ERROR, rest_s: float | None = None) -> None:
    over(connection, How.FAILED, outcome=outcome, why=f"500 Oh No from {HOST}", rest_s=rest_s)


def later(connection: Connection, seconds: float) -> None:
    """Let time pass for the hosts."""
    moved = ("next_at", "held_until", "wanted_at", "resting_until", "failing_since")
    columns = ", ".join(f"{name} = {name} - make_interval(secs => :seconds)" for name in moved)
    connection.execute(text(f"UPDATE host SET {columns}"), {"seconds": seconds})


def test_the_first_turn_is_had_at_once(connection: Connection) -> None:
    assert ask(connection) == Granted(0.0)


def test_a_turn_is_one_workers_until_it_is_over(connection: Connection) -> None:
    ask(connection)
    assert isinstance(ask(connection, "b"), Busy)
    over(connection)
    got = ask(connection, "b")
    assert isinstance(got, Granted)
    assert 0.5 < got.wait_s <= 1.0


def test_somebody_elses_turn_is_not_ended(connection: Connection) -> None:
    ask(connection)
    over(connection, worker="b")
    assert isinstance(ask(connection, "b"), Busy)


def test_a_turn_whose_worker_died_runs_out(connection: Connection) -> None:
    ask(connection)
    later(connection, 29)
    assert isinstance(ask(connection, "b"), Busy)
    later(connection, 2)
    assert ask(connection, "b") == Granted(0.0)


@pytest.mark.parametrize("column", ["held", "wanted"])
def test_what_a_clock_wrote_that_was_put_back_holds_nobody_up(connection: Connection, column: str) -> None:
    ask(connection)
    over(connection)
    later(connection, 5)
    when = "held_until" if column == "held" else "wanted_at"
    connection.execute(text(f"UPDATE host SET {column}_by = 'ghost', {when} = now() + interval '1 year'"))
    assert isinstance(ask(connection), Granted)


def test_idle_hosts_may_be_looked_for_and_nobody_asks_them_meanwhile(connection: Connection) -> None:
    ask(connection, host="held.example")
    for host in ("paused.example", "idle.example", "late.example"):
        ask(connection, host=host, delay_s=1.0 if host != "late.example" else 60.0)
        end(connection, "a", [Ended(host, 1.0 if host != "late.example" else 60.0, How.ANSWERED)], RESTS)
    connection.execute(text("UPDATE host SET next_at = now() WHERE name = 'idle.example'"))
    names = ["held.example", "paused.example", "idle.example", "late.example", "unknown.example"]
    found = pass_by(connection, names, 3, 2.0, 5.0)
    assert set(found) == {"paused.example", "idle.example"}
    assert found["idle.example"] == 0.0
    assert 0.5 < found["paused.example"] <= 1.0
    wait = ask(connection, "b", "idle.example")
    assert isinstance(wait, Granted)
    assert wait.wait_s > 5.5
    assert not pass_by(connection, names, 3, 2.0, 5.0)


def test_a_turn_that_was_had_already_is_had_again(connection: Connection) -> None:
    """The answer to the first wish may have been lost on the way."""
    ask(connection)
    assert isinstance(ask(connection), Granted)


def test_the_pause_is_the_longer_of_what_both_ask_for(connection: Connection) -> None:
    ask(connection)
    end(connection, "a", [Ended(HOST, 7.0, How.ANSWERED)], RESTS)
    got = ask(connection, delay_s=1.0)
    assert isinstance(got, Granted)
    assert 6.0 < got.wait_s <= 7.0


def test_who_waits_gets_the_next_turn(connection: Connection) -> None:
    """The holder asks for the next turn in the same moment in which it ends one: it would always be the first."""
    ask(connection)
    assert isinstance(ask(connection, "b"), Busy)
    over(connection)
    assert isinstance(ask(connection), Busy), "b waits"
    assert isinstance(ask(connection, "b"), Granted)
    assert isinstance(ask(connection), Busy)


def test_a_wish_that_is_not_renewed_is_forgotten(connection: Connection) -> None:
    ask(connection)
    ask(connection, "b")
    over(connection)
    later(connection, 3)
    assert isinstance(ask(connection), Granted)


def test_a_turn_that_was_not_used_costs_nothing(connection: Connection) -> None:
    ask(connection, budget=1)
    over(connection, How.UNUSED)
    assert ask(connection, budget=1) == Granted(0.0)


def test_a_failing_host_is_asked_ever_more_slowly_and_then_left_alone(connection: Connection) -> None:
    waits = []
    for _ in range(2):
        assert isinstance(ask(connection), Granted)
        fail(connection)
        got = ask(connection)
        assert isinstance(got, Granted)
        waits.append(got.wait_s)
    assert [round(wait) for wait in waits] == [2, 4]
    fail(connection)
    left = ask(connection)
    assert isinstance(left, Resting)
    assert (left.host, left.outcome, left.why, left.failures) == (
        HOST,
        Outcome.SERVER_ERROR,
        "500 Oh No from example.org",
        3,
    )
    assert 590 < left.wait_s <= 600
    assert left.since is not None
    assert left.since < datetime.now(UTC) + timedelta(seconds=5)


def test_each_rest_is_twice_as_long_as_the_last_up_to_a_bound(connection: Connection) -> None:
    rests = []
    for _ in range(8):
        assert isinstance(ask(connection), Granted)
        fail(connection)
        left = ask(connection)
        if isinstance(left, Resting):
            rests.append(round(left.wait_s, -1))
            later(connection, left.wait_s + 1)
        else:
            over(connection, How.UNUSED)
    assert rests == [600, 1200, 2400, 3600, 3600, 3600]


def test_an_answer_forgives_all(connection: Connection) -> None:
    for _ in range(2):
        ask(connection)
        fail(connection)
    ask(connection)
    over(connection)
    ask(connection)
    fail(connection)
    assert isinstance(ask(connection), Granted)


def test_a_host_is_left_alone_for_as_long_as_it_asks(connection: Connection) -> None:
    ask(connection)
    fail(connection, Outcome.RATE_LIMITED, rest_s=120.0)
    left = ask(connection, "b")
    assert isinstance(left, Resting)
    assert 110 < left.wait_s <= 120
    assert left.outcome is Outcome.RATE_LIMITED
    later(connection, 121)
    assert isinstance(ask(connection, "b"), Granted)


def test_one_that_says_too_many_without_saying_for_how_long_is_left_alone(connection: Connection) -> None:
    ask(connection)
    fail(connection, Outcome.RATE_LIMITED)
    left = ask(connection)
    assert isinstance(left, Resting)
    assert 590 < left.wait_s <= 600


def test_the_budget_of_a_day(connection: Connection) -> None:
    for _ in range(2):
        assert isinstance(ask(connection, budget=2), Granted)
        over(connection)
    spent = ask(connection, budget=2)
    assert isinstance(spent, Spent)
    assert timedelta() < spent.until - datetime.now(UTC) <= timedelta(days=1, seconds=5)
    assert isinstance(ask(connection, budget=3), Granted)
    over(connection)
    connection.execute(text("UPDATE host SET day = day - 1"))
    assert isinstance(ask(connection, budget=2), Granted)
    assert connection.execute(text("SELECT requests FROM host")).scalar_one() == 1


def test_many_hosts_are_asked_for_at_once(connection: Connection) -> None:
    wishes = [Wish(f"h{number}.example", 1.0, 30.0) for number in range(500)]
    assert set(take(connection, "a", wishes, 0).values()) == {Granted(0.0)}
    end(connection, "a", [Ended(wish.host, 1.0, How.ANSWERED) for wish in wishes], RESTS)
    again = take(connection, "b", wishes, 0)
    assert all(isinstance(one, Granted) and one.wait_s > 0.3 for one in again.values())


@pytest.mark.parametrize("workers", [4])
def test_workers_at_the_same_time_never_share_a_turn(engine: Engine, workers: int) -> None:
    """Threads with connections of their own, over the same hosts in different orders."""
    hosts = [f"h{number}.example" for number in range(6)]
    until = time.monotonic() + 1.0
    held: dict[str, list[tuple[float, float]]] = {host: [] for host in hosts}

    def work(number: int) -> None:
        mine = hosts[number:] + hosts[:number]
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            while time.monotonic() < until:
                got = take(connection, str(number), [Wish(host, 0.0, 30.0) for host in mine], 0)
                mine_now = [host for host, one in got.items() if isinstance(one, Granted)]
                begun = time.monotonic()
                time.sleep(0.002)
                ended = time.monotonic()
                for host in mine_now:
                    held[host].append((begun, ended))
                end(connection, str(number), [Ended(host, 0.0, How.ANSWERED) for host in mine_now], RESTS)

    threads = [threading.Thread(target=work, args=[number]) for number in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(held.values())
    for turns in held.values():
        turns.sort()
        assert all(before[1] <= after[0] for before, after in pairwise(turns))


STEPS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from(["take", "answered", "failed", "unused", "late"])), max_size=25
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_whatever_workers_do_a_turn_is_one_workers(connection: Connection, steps: list[tuple[str, str]]) -> None:
    connection.execute(text("DELETE FROM host"))
    holder: str | None = None
    for worker, step in steps:
        if step == "take":
            got = ask(connection, worker, delay_s=0.0)
            if isinstance(got, Granted):
                assert holder in (None, worker)
                holder = worker
        elif step == "late":
            later(connection, 90_000.0)
            holder = None
        else:
            over(connection, How(step), worker, **({"outcome": Outcome.TIMED_OUT} if step == "failed" else {}))
            holder = None if holder == worker else holder
        row = connection.execute(text("SELECT held_by FROM host WHERE held_until > now()")).scalar()
        assert row == holder


def test_robots_are_known_to_all_for_as_long_as_they_stand(connection: Connection) -> None:
    rules = KeptRobots("https://example.org", "User-agent: *\nDisallow: /x", None, "", 3600.0)
    closed = KeptRobots("http://example.org", None, Outcome.SERVER_ERROR, "503 from example.org", 60.0)
    keep_robots(connection, [rules, closed])
    kept = kept_robots(connection, [rules.origin, closed.origin, "https://other.example"])
    assert set(kept) == {rules.origin, closed.origin}
    assert kept[rules.origin].text == rules.text
    assert 3590 < kept[rules.origin].fresh_s <= 3600
    assert kept[closed.origin].outcome is Outcome.SERVER_ERROR
    keep_robots(connection, [KeptRobots(closed.origin, None, None, "", 3600.0)])
    assert kept_robots(connection, [closed.origin])[closed.origin].outcome is None
    connection.execute(text("UPDATE robots SET fresh_until = now()"))
    assert kept_robots(connection, [rules.origin]) == {}


def test_what_a_status_shows(engine: Engine, connection: Connection) -> None:
    for host, times in (("a.example", 1), ("b.example", 3), ("c.example", 2)):
        for _ in range(times):
            ask(connection, host=host)
            end(connection, "a", [Ended(host, 0.0, How.ANSWERED)], RESTS)
    ask(connection)
    fail(connection, Outcome.RATE_LIMITED, 500.0)
    with Session(engine) as session:
        assert [(load.host, load.requests) for load in busiest(session, 2)] == [("b.example", 3), ("c.example", 2)]
        (left,) = resting(session, 5)
    assert (left.host, left.outcome) == (HOST, Outcome.RATE_LIMITED)
    assert 490 < left.wait_s <= 500
