"""Fetching over the web of trouble: every kind of it ends as it should, politely, and nothing is led astray."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from bench.survive_checks import pace_breaches, robots_breaches
from bench.trouble.hosts import ALLOWED, JUDGED, KINDS, Host
from bench.trouble.names import Names
from bench.trouble.running import Running, trouble
from bot.fetch import Ask, Failure, Fetched, Unchanged
from bot.fetch.live import Limits, Live
from models.document import Document
from models.outcome import NotJudged, Outcome
from models.read import read

pytestmark = pytest.mark.allow_hosts(["127.77.0.0/16"])
DELAY_S = 0.15
LIMITS = Limits(timeout_s=3.0, max_bytes=1_000_000, max_redirects=3, host_delay_s=DELAY_S)
COUNT = 60


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Running]:
    """A web with one host of each kind."""
    with trouble(tmp_path / "web", COUNT) as running:
        yield running


def fetch(web: Running, pages: Collection[tuple[Host, str]]) -> dict[tuple[Host, str], Fetched]:
    """What pages bring."""
    asks = {Ask(web.url(host, path)): (host, path) for host, path in pages}
    with Live("Citewell/1 (tests)", LIMITS, allowed=(ALLOWED,), resolver=Names(web.hosts)) as live:
        brought = live.fetch(list(asks))
    return {page: brought[ask.url] for ask, page in asks.items()}


def end(fetched: Fetched) -> Outcome | str:
    """Judged, where there is something to judge; else the outcome."""
    if isinstance(fetched, Document):
        page = read(fetched)
        return page.outcome if isinstance(page, NotJudged) else JUDGED
    assert isinstance(fetched, Failure)
    return fetched.not_judged.outcome


def test_every_trouble_ends_as_it_should_and_politely(web: Running) -> None:
    pages = [(host, f"/people/{number}") for number, host in enumerate(web.hosts)]
    pages += [(host, f"/closed/{number}") for number, host in enumerate(web.hosts) if host.rules.closed]
    brought = fetch(web, pages)
    wrong = {host.name + path: end(fetched) for (host, path), fetched in brought.items()
             if end(fetched) not in host.ends(path)}  # fmt: skip
    assert wrong == {}
    assert {host.kind for host, _ in brought} == set(KINDS)
    web.process.stdin.close()  # type: ignore[union-attr]
    web.process.wait(10)
    assert robots_breaches(web.log(), web.hosts) == []
    assert pace_breaches(web.log(), web.hosts, DELAY_S) == []
    assert web.strangers() == []


def test_no_spelling_of_a_private_address_is_connected_to(web: Running) -> None:
    connected: list[str] = []
    listening = [True]

    def note(event: str, arguments: tuple[object, ...]) -> None:
        if listening and event == "socket.connect" and isinstance(arguments[1], tuple):
            connected.append(str(arguments[1][0]))

    sys.addaudithook(note)  # stays for as long as the process, so it is told when to look away
    try:
        inwards, turning = (next(host for host in web.hosts if host.kind == kind) for kind in ("inwards", "turning"))
        brought = fetch(web, [(inwards, f"/people/{number}") for number in range(9)])
        turned = [fetch(web, [(turning, f"/people/{number}")]) for number in range(2)]
    finally:
        listening.clear()
    assert {end(fetched) for fetched in brought.values()} == {Outcome.UNSAFE_ADDRESS}
    assert len(turned) == 2
    assert web.strangers() == []
    assert {address for address in connected if not address.startswith("127.77.")} == set()


def test_unchanged_page_is_not_sent_again(web: Running) -> None:
    host = next(host for host in web.hosts if host.kind == "plain" and host.robots == "none")
    url = web.url(host, "/people/1")
    with Live("Citewell/1 (tests)", LIMITS, allowed=(ALLOWED,), resolver=Names(web.hosts)) as live:
        first = live.fetch([Ask(url)])[url]
        assert isinstance(first, Document)
        headers = dict(first.headers)
        again = live.fetch([Ask(url, headers["etag"], headers["last-modified"])])[url]
    assert isinstance(again, Unchanged)
    assert [one.conditional for one in web.log() if one.path == "/people/1"] == [False, True]
