"""Our own network that is away is told apart from hosts that don't answer."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from ipaddress import IPv4Network

import pytest
from local_web import LocalWeb, local_web, page
from sqlalchemy import Engine, text

from bot.agent import user_agent
from bot.fetch import Ask, Failure, Unasked, reach
from bot.fetch.limits import Limits
from bot.fetch.live import Live
from models.document import Document
from models.outcome import Outcome

LOOPBACK = (IPv4Network("127.0.0.0/8"),)
AGENT = user_agent("tests@example.org")
LIMITS = Limits(timeout_s=2.0, host_delay_s=0.0, away_s=0.5)


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "LOOK_S", 0.1)


@pytest.fixture
def web() -> Iterator[LocalWeb]:
    with local_web({"/page": page("<p>A page with a text.</p>")}) as running:
        yield running


@pytest.fixture
def nobody() -> Iterator[list[str]]:
    """Addresses of seven hosts at which nobody listens."""
    with ExitStack() as stack:
        held = [stack.enter_context(socket.socket()) for _ in range(7)]
        for one in held:
            one.bind(("127.0.0.1", 0))
        yield [f"http://127.0.0.1:{one.getsockname()[1]}/page" for one in held]


def test_hosts_that_are_not_there_are_unreachable_while_others_are(web: LocalWeb, nobody: list[str]) -> None:
    with Live(AGENT, LIMITS, LOOPBACK) as live:
        assert isinstance(live.fetch([Ask(f"{web.url}/page")])[f"{web.url}/page"], Document)
        brought = live.fetch([Ask(url) for url in nobody])
    assert all(isinstance(one, Failure) and one.not_judged.outcome is Outcome.UNREACHABLE for one in brought.values())


def test_when_those_that_answered_are_gone_too_nobody_is_blamed(nobody: list[str]) -> None:
    with Live(AGENT, LIMITS, LOOPBACK) as live:
        with local_web({"/page": page("<p>A page.</p>")}) as web:
            live.fetch([Ask(f"{web.url}/page")])
        begun = time.monotonic()
        brought = live.fetch([Ask(url) for url in nobody])
        assert time.monotonic() - begun < 10
        later = live.fetch([Ask(f"{nobody[0]}/2")])
    for one in (*brought.values(), *later.values()):
        assert isinstance(one, Unasked), one
        assert "our own network seems to be away" in one.reason
        assert one.until is not None


def test_what_answered_other_workers_is_looked_for(engine: Engine, nobody: list[str]) -> None:
    with local_web({"/page": page("<p>A page.</p>")}) as web, Live(AGENT, LIMITS, LOOPBACK, engine=engine) as live:
        live.fetch([Ask(f"{web.url}/page")])
    with Live(AGENT, LIMITS, LOOPBACK, engine=engine) as live:
        brought = live.fetch([Ask(url) for url in nobody])
    assert {type(one) for one in brought.values()} == {Unasked}
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM host WHERE failures > 0")).scalar_one() < len(nobody)


def test_a_network_that_comes_back_is_used_again(nobody: list[str]) -> None:
    with Live(AGENT, Limits(timeout_s=2.0, host_delay_s=0.0, away_s=20.0), LOOPBACK) as live:
        with local_web({"/page": page("<p>A page.</p>")}) as web:
            url = f"{web.url}/page"
            live.fetch([Ask(url)])
        live.fetch([Ask(one) for one in nobody[:6]])
        port = int(web.url.rpartition(":")[2])

        def come_back() -> None:
            time.sleep(0.5)
            with socket.create_server(("127.0.0.1", port)) as server:
                while not done.is_set():
                    server.accept()[0].close()

        done = threading.Event()
        back = threading.Thread(target=come_back)
        back.start()
        begun = time.monotonic()
        brought = live.fetch([Ask(nobody[6])])[nobody[6]]
        done.set()
        socket.create_connection(("127.0.0.1", port)).close()
        back.join()
    assert 0.3 < time.monotonic() - begun < 15
    assert isinstance(brought, Failure), "the network is there, so it is the host that isn't"


def test_where_nothing_ever_answered_many_hosts_are_not_blamed() -> None:
    """A machine without a network: each of its hosts seems away, and asking again finds them when it is back."""
    with ExitStack() as stack:
        held = [stack.enter_context(socket.socket()) for _ in range(14)]
        for one in held:
            one.bind(("127.0.0.1", 0))
        urls = [f"http://127.0.0.1:{one.getsockname()[1]}/page" for one in held]
        with Live(AGENT, LIMITS, LOOPBACK) as live:
            brought = live.fetch([Ask(url) for url in urls])
            assert {type(one) for one in brought.values()} == {Unasked}
            with local_web({"/page": page("<p>A page.</p>")}) as web:
                again = live.fetch([Ask(f"{web.url}/page")])[f"{web.url}/page"]
    assert isinstance(again, Document)


def test_without_a_witness_it_is_the_hosts(nobody: list[str]) -> None:
    with Live(AGENT, LIMITS, LOOPBACK) as live:
        brought = live.fetch([Ask(url) for url in nobody])
    assert {type(one) for one in brought.values()} == {Failure}
