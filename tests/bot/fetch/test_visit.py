"""The browser's visits take their turns with all other requests."""

from __future__ import annotations

import threading
import time

import psycopg
import pytest
from sqlalchemy import Engine, create_engine, event, text

from bot.fetch import NotAsked
from bot.fetch.limits import Limits
from bot.fetch.visit import SharedVisits
from models.outcome import Outcome
from store.hosts import Ended, Granted, How, KeptRobots, Rests, Wish, end, keep_robots, take

URL = "https://example.org/page"
LIMITS = Limits(host_delay_s=0.2, host_budget=50)


def known(engine: Engine, robots: str | None = None, outcome: Outcome | None = None) -> None:
    with engine.begin() as connection:
        keep_robots(connection, [KeptRobots("https://example.org", robots, outcome, "", 60.0)])


def turn(engine: Engine, how: How = How.ANSWERED, rest_s: float | None = None) -> None:
    """A turn that a fetcher has, and ends."""
    outcome = Outcome.RATE_LIMITED if how is How.FAILED else None
    with engine.begin() as connection:
        take(connection, "a fetcher", [Wish("example.org", 0.2, 30.0)], 0)
        end(connection, "a fetcher", [Ended("example.org", 0.2, how, rest_s, outcome, "429 Slow Down")], Rests())


def test_a_visit_waits_for_its_turn_and_holds_it(engine: Engine) -> None:
    known(engine)
    turn(engine)
    begun = time.monotonic()
    with SharedVisits(engine, LIMITS).visit(URL, 15.0):
        assert time.monotonic() - begun > 0.1
        with engine.begin() as connection:
            got = take(connection, "a fetcher", [Wish("example.org", 0.2, 30.0)], 0)
        assert not isinstance(got["example.org"], Granted)
    with engine.begin() as connection:
        got = take(connection, "a fetcher", [Wish("example.org", 0.2, 30.0)], 0)
    assert isinstance(got["example.org"], Granted)


def test_it_waits_for_somebody_elses_turn(engine: Engine) -> None:
    known(engine)
    with engine.begin() as connection:
        take(connection, "a fetcher", [Wish("example.org", 0.0, 30.0)], 0)
    ended: list[float] = []

    def over() -> None:
        time.sleep(0.3)
        with engine.begin() as connection:
            ended.append(time.monotonic())
            end(connection, "a fetcher", [Ended("example.org", 0.0, How.ANSWERED)], Rests())

    other = threading.Thread(target=over)
    other.start()
    with SharedVisits(engine, LIMITS).visit(URL, 15.0):
        assert ended
        assert time.monotonic() >= ended[0]
    other.join()


@pytest.mark.parametrize(
    ("robots", "outcome", "why"),
    [
        ("User-agent: *\nDisallow: /page", None, "robots.txt of example.org doesn't let Citewell read this page"),
        (None, Outcome.SERVER_ERROR, "robots.txt of example.org isn't known"),
    ],
)
def test_where_robots_do_not_let_us_nothing_is_drawn(
    engine: Engine, robots: str | None, outcome: Outcome | None, why: str
) -> None:
    visits = SharedVisits(engine, LIMITS)
    assert not visits.allow(URL), "nothing is known"
    known(engine, robots, outcome)
    assert not visits.allow(URL)
    with pytest.raises(NotAsked, match=why), visits.visit(URL, 15.0):
        pass
    known(engine, "User-agent: *\nDisallow: /else")
    assert visits.allow(URL)


def test_hosts_that_are_left_alone_are_left_alone_by_the_browser(engine: Engine) -> None:
    known(engine)
    turn(engine, How.FAILED, rest_s=600.0)
    visits = SharedVisits(engine, LIMITS)
    with pytest.raises(NotAsked, match=r"429 Slow Down; example.org is left alone until"), visits.visit(URL, 15.0):
        pass
    with engine.begin() as connection:
        keep_robots(connection, [KeptRobots("http://other.example:81", None, None, "", 60.0)])
    with visits.visit("http://other.example:81/", 15.0) as visit:
        assert visit.closed == {"example.org"}


def test_a_spent_budget_and_a_stop_end_the_waiting(engine: Engine) -> None:
    known(engine)
    turn(engine)
    with (
        pytest.raises(NotAsked, match="was asked 1 times today"),
        SharedVisits(engine, Limits(host_budget=1)).visit(URL, 15.0),
    ):
        pass
    with pytest.raises(NotAsked, match="stopped"), SharedVisits(engine, LIMITS, lambda: True).visit(URL, 15.0):
        pass


def test_without_the_database_nothing_is_drawn(engine: Engine) -> None:
    broken = create_engine(engine.url)

    @event.listens_for(broken, "do_connect")
    def _connect(*_: object) -> None:
        raise psycopg.OperationalError("connection refused")

    with (
        pytest.raises(NotAsked, match="the database is away: connection refused"),
        SharedVisits(broken, LIMITS).visit(URL, 15.0),
    ):
        pass
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM host")).scalar_one() == 0
