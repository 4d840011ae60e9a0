"""Fetching by several workers at once: one pace, one robots.txt, and hosts that are left alone by all of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from ipaddress import IPv4Network
from itertools import pairwise

import psycopg
import pytest
from local_web import Asked, LocalWeb, local_web, page, raw
from sqlalchemy import Engine, create_engine, event, text

from bot.agent import user_agent
from bot.fetch import Ask, Failure, Fetched, Unasked, Unchanged
from bot.fetch.live import Limits, Live
from models.document import Document
from models.outcome import Outcome
from store.hosts import Rests

LOOPBACK = (IPv4Network("127.0.0.0/8"),)
AGENT = user_agent("tests@example.org")
QUICK = Limits(timeout_s=2.0, max_bytes=300_000, max_redirects=5, host_delay_s=0.0)
PACED = Limits(timeout_s=2.0, max_bytes=300_000, max_redirects=5, host_delay_s=0.2)
TEXT = "<title>Ada Lovelace</title><p>Ada Lovelace was born on 10 December 1815.</p>"


@pytest.fixture
def web() -> Iterator[LocalWeb]:
    with local_web({f"/{number}": page(TEXT) for number in range(20)}) as running:
        yield running


def name_of(web: LocalWeb) -> str:
    return web.url.removeprefix("http://")


def fetch(engine: Engine, web: LocalWeb, *paths: str, limits: Limits = QUICK) -> list[Fetched]:
    """What some paths bring, all of them asked for at once."""
    with Live(AGENT, limits, LOOPBACK, engine=engine) as live:
        brought = live.fetch([Ask(web.url + path) for path in paths])
    return [brought[web.url + path] for path in paths]


def pauses(asked: list[Asked]) -> list[float]:
    """The seconds from the end of each request to the beginning of the next."""
    return [after.begun - before.ended for before, after in pairwise(asked)]


def failed(brought: Fetched, outcome: Outcome) -> Failure:
    assert isinstance(brought, Failure), brought
    assert brought.not_judged.outcome is outcome, brought.not_judged
    return brought


def test_workers_keep_one_pace_together(engine: Engine, web: LocalWeb) -> None:
    brought: list[Fetched] = []

    def work(number: int) -> None:
        brought.extend(fetch(engine, web, f"/{number}", f"/{number + 1}", limits=PACED))

    threads = [threading.Thread(target=work, args=[number]) for number in (0, 2, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    web.settle()
    assert len(brought) == 6
    assert all(isinstance(one, Document) for one in brought)
    assert len(web.asked) == 7, "one robots.txt for all"
    assert all(pause >= 0.19 for pause in pauses(web.asked)), pauses(web.asked)


def test_the_pace_outlives_its_worker(engine: Engine, web: LocalWeb) -> None:
    fetch(engine, web, "/1", limits=PACED)
    fetch(engine, web, "/2", limits=PACED)
    web.settle()
    assert web.paths() == ["/robots.txt", "/1", "/2"], "a new process doesn't ask for robots.txt again"
    assert all(pause >= 0.19 for pause in pauses(web.asked))


def test_a_request_holds_its_turn_however_long_it_takes(engine: Engine, web: LocalWeb) -> None:
    def slow(request: BaseHTTPRequestHandler) -> None:
        time.sleep(0.5)
        page(TEXT)(request)

    web.routes["/slow"] = slow
    fetch(engine, web, "/1")
    first = threading.Thread(target=fetch, args=[engine, web, "/slow"])
    first.start()
    while "/slow" not in web.paths():
        time.sleep(0.01)
    fetch(engine, web, "/2")
    first.join()
    web.settle()
    assert web.paths()[-1] == "/2"
    assert pauses(web.asked)[-1] >= 0.0


def test_a_host_can_have_a_pause_of_its_own(engine: Engine, web: LocalWeb) -> None:
    limits = Limits(timeout_s=2.0, host_delay_s=0.0, hosts={name_of(web): 0.3})
    fetch(engine, web, "/1", limits=limits)
    web.settle()
    assert pauses(web.asked)[0] >= 0.29


def test_a_redirect_waits_for_its_hosts_turn_and_asks_its_robots(engine: Engine, web: LocalWeb) -> None:
    with local_web({"/there": page(TEXT)}) as other:
        other.routes["/robots.txt"] = page("User-agent: *\nDisallow: /closed")
        web.routes |= {
            "/away": page(status=302, Location=f"{other.url}/there"),
            "/shut": page(status=302, Location=f"{other.url}/closed"),
        }
        away, shut = fetch(engine, web, "/away", "/shut", limits=PACED)
        other.settle()
        assert isinstance(away, Document)
        assert away.chain == (f"{web.url}/away", f"{other.url}/there")
        assert failed(shut, Outcome.ROBOTS).chain == (f"{web.url}/shut", f"{other.url}/closed")
        assert other.paths() == ["/robots.txt", "/there"]
        assert all(pause >= 0.19 for pause in pauses(other.asked))


# robots.txt.


def test_what_robots_ask_for_holds_from_the_next_request_on_up_to_a_bound(engine: Engine, web: LocalWeb) -> None:
    web.routes["/robots.txt"] = page("User-agent: *\nCrawl-delay: 3600")
    limits = Limits(timeout_s=2.0, host_delay_s=0.0, crawl_delay_max_s=0.3)
    fetch(engine, web, "/1", "/2", limits=limits)
    web.settle()
    assert all(pause >= 0.29 for pause in pauses(web.asked))


def test_each_origin_has_robots_of_its_own(engine: Engine, web: LocalWeb) -> None:
    with local_web({"/1": page(TEXT)}) as other:
        web.routes["/robots.txt"] = page("User-agent: *\nDisallow: /")
        (shut,) = fetch(engine, web, "/1")
        (there,) = fetch(engine, other, "/1")
    failed(shut, Outcome.ROBOTS)
    assert isinstance(there, Document)


@pytest.mark.parametrize(
    "robots",
    [
        page("Disallow: /1 would be forbidden\n" * 9, 200, Content_Length="9999"),
        raw(b"SSH-2.0-OpenSSH_9.2\r\n"),
        raw(b""),
        page("", Content_Encoding="gzip", Content_Length="5"),
    ],
)
def test_a_robots_txt_that_breaks_off_forbids_everything(engine: Engine, web: LocalWeb, robots) -> None:  # type: ignore[no-untyped-def]
    web.routes["/robots.txt"] = robots
    (brought,) = fetch(engine, web, "/1")
    assert isinstance(brought, Failure)
    assert brought.not_judged.detail.startswith("robots.txt can't be read: ")
    assert web.paths() == ["/robots.txt"]


def test_the_beginning_of_a_huge_robots_txt_holds(engine: Engine, web: LocalWeb) -> None:
    web.routes["/robots.txt"] = page("User-agent: *\nDisallow: /2\n" + "# and so on\n" * 200_000)
    open_, shut = fetch(engine, web, "/1", "/2")
    assert isinstance(open_, Document)
    failed(shut, Outcome.ROBOTS)


# Hosts that fail, or ask for patience.


def test_a_host_that_keeps_failing_is_left_alone_and_the_outcome_says_so(engine: Engine, web: LocalWeb) -> None:
    web.routes |= {f"/{number}": page("oh no", 503, "Down Today") for number in range(1, 9)}
    limits = Limits(timeout_s=2.0, host_delay_s=0.0, rests=Rests(after=3))
    brought = fetch(engine, web, *(f"/{number}" for number in range(1, 9)), limits=limits)
    (later,) = fetch(engine, web, "/0", limits=limits)
    assert len(web.asked) == 4, "robots.txt, and three that failed"
    left = failed(later, Outcome.SERVER_ERROR)
    assert left.status is None
    since = f"{datetime.now(UTC):%Y-%m-%d %H:}"
    detail = left.not_judged.detail
    assert detail.startswith(f"503 Down Today from {name_of(web)}, 3 times in a row since {since}"), detail
    assert f"; {name_of(web)} is left alone until " in detail
    assert sum(isinstance(one, Failure) and one.status == 503 for one in brought) == 3


def test_nobody_there_counts_as_failing(engine: Engine, free_port: int) -> None:
    limits = Limits(timeout_s=2.0, host_delay_s=0.0, rests=Rests(after=2))
    asks = [Ask(f"http://127.0.0.1:{free_port}/{number}") for number in range(4)]
    said = []
    for _ in range(3):
        with Live(AGENT, limits, LOOPBACK, engine=engine) as live:
            brought = live.fetch(asks)
        said += [failed(one, Outcome.UNREACHABLE).not_judged.detail for one in brought.values()]
        with engine.begin() as connection:
            connection.execute(text("UPDATE robots SET fresh_until = now()"))
            failures = connection.execute(text("SELECT failures FROM host")).scalar_one()
    assert failures == 2
    assert "can't be reached" in said[0]
    assert "2 times in a row" in said[-1]


def test_a_short_rest_is_waited_for(engine: Engine, web: LocalWeb) -> None:
    web.routes["/later"] = page("later", 429, Retry_After="1")
    first, second = fetch(engine, web, "/later", "/1")
    web.settle()
    failed(first, Outcome.RATE_LIMITED)
    assert isinstance(second, Document)
    assert pauses(web.asked)[-1] >= 0.99


@pytest.mark.parametrize(
    ("status", "asked"),
    [(429, "3600"), (503, "3600"), (429, None), (429, "soon"), (503, "Fri, 31 Dec 9999 23:59:59 GMT")],
)
def test_a_host_that_asks_for_patience_gets_it(engine: Engine, web: LocalWeb, status: int, asked: str | None) -> None:
    web.routes["/busy"] = page("busy", status, **({"Retry_After": asked} if asked else {}))
    fetch(engine, web, "/busy")
    (left,) = fetch(engine, web, "/1")
    detail = failed(left, Outcome.RATE_LIMITED).not_judged.detail
    assert detail.startswith(f"{status} ")
    assert "left alone until" in detail
    with engine.connect() as connection:
        rest = connection.execute(text("SELECT resting_until - now() FROM host")).scalar_one()
    assert timedelta(minutes=9) < rest <= timedelta(days=1)
    assert "/1" not in web.paths()


def test_a_host_has_a_budget_for_a_day(engine: Engine, web: LocalWeb) -> None:
    limits = Limits(timeout_s=2.0, host_delay_s=0.0, host_budget=3)
    brought = fetch(engine, web, "/1", "/2", "/3", limits=limits)
    assert [isinstance(one, Document) for one in brought[:2]] == [True, True]
    unasked = brought[2]
    assert isinstance(unasked, Unasked), unasked
    assert f"{name_of(web)} was asked 3 times today" in unasked.reason
    assert unasked.until is not None
    assert len(web.asked) == 3


# What we have still stands.


def test_a_page_that_has_not_changed_is_not_sent_again(engine: Engine, web: LocalWeb) -> None:
    def conditional(request: BaseHTTPRequestHandler) -> None:
        fresh = request.headers["If-None-Match"] == '"v1"'
        page("" if fresh else TEXT, 304 if fresh else 200, ETag='"v1"')(request)

    web.routes |= {"/old": page(status=301, Location="/new"), "/new": conditional}
    ask = Ask(f"{web.url}/old", '"v1"', "Mon, 30 Nov 2026 10:00:00 GMT", f"{web.url}/new")
    with Live(AGENT, QUICK, LOOPBACK, engine=engine) as live:
        brought = live.fetch([ask])[ask.url]
    assert isinstance(brought, Unchanged), brought
    assert (brought.final_url, brought.status) == (f"{web.url}/new", 304)
    assert brought.chain == (f"{web.url}/old", f"{web.url}/new")
    assert ("etag", '"v1"') in brought.headers
    old, new = (next(one for one in web.asked if one.path == path) for path in ("/old", "/new"))
    assert "If-None-Match" not in old.headers, "the validators are another address's"
    assert new.headers["If-Modified-Since"] == "Mon, 30 Nov 2026 10:00:00 GMT"


def test_validators_go_to_no_other_address(engine: Engine, web: LocalWeb) -> None:
    web.routes["/moved"] = page(status=302, Location="/1")
    ask = Ask(f"{web.url}/moved", '"v1"')
    with Live(AGENT, QUICK, LOOPBACK, engine=engine) as live:
        assert isinstance(live.fetch([ask])[ask.url], Document)
    assert [one.headers["If-None-Match"] for one in web.asked] == [None, '"v1"', None]


def test_a_304_that_nobody_asked_for_is_malformed(engine: Engine, web: LocalWeb) -> None:
    web.routes["/304"] = page("", 304)
    failed(fetch(engine, web, "/304")[0], Outcome.MALFORMED_ANSWER)


@pytest.mark.parametrize("etag", ['"a\r\nX-Evil: 1"', "\x00", "é", "x" * 5_000])
def test_a_validator_that_is_no_header_is_not_sent(engine: Engine, web: LocalWeb, etag: str) -> None:
    ask = Ask(f"{web.url}/1", etag, etag)
    with Live(AGENT, QUICK, LOOPBACK, engine=engine) as live:
        assert isinstance(live.fetch([ask])[ask.url], Document)
    assert all("If-None-Match" not in one.headers and "X-Evil" not in one.headers for one in web.asked)


# The database is away.


def away(engine: Engine, times: int) -> Engine:
    """An engine on the same database that can't connect the first `times` times."""
    left = [times]
    broken = create_engine(engine.url)

    @event.listens_for(broken, "do_connect")
    def _connect(*_: object) -> None:
        left[0] -= 1
        if left[0] >= 0:
            raise psycopg.OperationalError("connection refused")

    return broken


def test_without_the_database_nothing_is_asked(engine: Engine, web: LocalWeb) -> None:
    limits = Limits(timeout_s=2.0, host_delay_s=0.0, away_s=0.3)
    broken = away(engine, 1_000)
    begun = time.monotonic()
    brought = fetch(broken, web, "/1", "/2", limits=limits)
    assert time.monotonic() - begun < 10
    for one in brought:
        assert isinstance(one, Unasked)
        assert "the database is away: connection refused" in one.reason
    assert web.asked == []


def test_a_database_that_comes_back_is_waited_for(engine: Engine, web: LocalWeb) -> None:
    back = away(engine, 3)
    assert isinstance(fetch(back, web, "/1")[0], Document)
    back.dispose()


def test_who_is_asked_to_stop_asks_for_nothing_more(engine: Engine, web: LocalWeb) -> None:
    stopped = threading.Event()

    def last(request: BaseHTTPRequestHandler) -> None:
        stopped.set()
        page(TEXT)(request)

    web.routes["/1"] = last
    with Live(AGENT, PACED, LOOPBACK, engine=engine, stopped=stopped.is_set) as live:
        first, second = live.fetch([Ask(f"{web.url}/1"), Ask(f"{web.url}/2")]).values()
    assert isinstance(first, Document)
    assert isinstance(second, Unasked)
    assert "/2" not in web.paths()
    with engine.connect() as connection:
        assert connection.execute(text("SELECT held_by FROM host")).scalars().all() == [None]


def test_many_hosts_are_asked_side_by_side(engine: Engine) -> None:
    def slow(request: BaseHTTPRequestHandler) -> None:
        time.sleep(0.3)
        page(TEXT)(request)

    with local_web({"/page": slow}) as web:
        port = web.url.rpartition(":")[2]
        asks = [Ask(f"http://{name}:{port}/page") for name in ("127.0.0.1", "localhost")]
        with Live(AGENT, QUICK, LOOPBACK, engine=engine) as live:
            brought = live.fetch(asks)
        web.settle()
    assert all(isinstance(one, Document) for one in brought.values())
    pages = [one for one in web.asked if one.path == "/page"]
    assert pages[1].begun < pages[0].ended
