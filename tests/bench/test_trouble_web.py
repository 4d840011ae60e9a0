"""The web of trouble: it is as troublesome as it says, and its log tells what happened."""

from __future__ import annotations

import gzip
import http.client
import json
import socket
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from bench.trouble.dump import write_dump
from bench.trouble.hosts import ALLOWED, JUDGED, KINDS, LISTENING, ROBOTS, STRANGER, Host, web_of
from bench.trouble.log import Asked
from bench.trouble.names import Names
from bench.trouble.people import Person
from bench.trouble.running import Running, trouble
from bot.fetch.address import is_public, literal
from bot.select import select
from bot.sources.dump import DumpSource
from bot.sources.heads import EntityHead
from models.outcome import Outcome

pytestmark = pytest.mark.allow_hosts(["127.0.0.0/8", "::1"])
COUNT = 60


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A web with one host of each kind."""
    with trouble(tmp_path_factory.mktemp("web"), COUNT) as running:
        yield running


def host(web: Running, kind: str, robots: str | None = None) -> Host:
    """The first host of a kind."""
    return next(one for one in web.hosts if one.kind == kind and robots in (None, one.robots))


def ask(web: Running, one: Host, path: str, **headers: str) -> tuple[int, bytes, dict[str, str]]:
    """Status, body and headers of what a host answers."""
    line = http.client.HTTPConnection(one.address, web.port, timeout=5)
    try:
        line.request("GET", path, headers=headers)
        answer = line.getresponse()
        return answer.status, answer.read(), {name.lower(): value for name, value in answer.getheaders()}
    finally:
        line.close()


def logged(web: Running, one: Host, path: str, times: int = 1) -> list[Asked]:
    """What the host's log says about a path, as soon as it was asked for so many times."""
    until = time.monotonic() + 5
    while time.monotonic() < until:
        found = [each for each in web.log() if (each.host, each.path) == (one.name, path)]
        if len(found) >= times:
            return found
        time.sleep(0.01)
    return []


def test_there_is_a_host_for_every_kind_of_trouble_and_of_rules() -> None:
    hosts = web_of(COUNT)
    assert {one.kind for one in hosts} == set(KINDS)
    assert {one.robots for one in hosts} == set(ROBOTS)
    assert len({one.address for one in hosts}) == len({one.name for one in hosts}) == COUNT
    assert all(address in ALLOWED for one in hosts if (address := literal(one.address)))
    with pytest.raises(ValueError, match="at least"):
        web_of(20)


def test_plain_host_gives_its_page_and_says_when_it_has_not_changed(web: Running) -> None:
    status, body, headers = ask(web, host(web, "plain"), "/people/5")
    assert status == 200
    assert Person(5).name in body.decode()
    status, body, _ = ask(web, host(web, "plain"), "/people/5", **{"If-None-Match": headers["etag"]})
    assert (status, body) == (304, b"")
    log = logged(web, host(web, "plain"), "/people/5", times=2)
    assert [one.conditional for one in log] == [False, True]
    assert all(one.whole and one.begun <= one.ended < one.begun + 2 for one in log)


def test_page_is_packed_where_the_client_takes_that(web: Running) -> None:
    _, body, headers = ask(web, host(web, "plain"), "/people/6", **{"Accept-Encoding": "gzip"})
    assert headers["content-encoding"] == "gzip"
    assert Person(6).name in gzip.decompress(body).decode()


@pytest.mark.parametrize("kind", ["short", "chunks", "resetting", "hanging-up", "garbage", "headers"])
def test_broken_answer_is_broken(web: Running, kind: str) -> None:
    with pytest.raises((http.client.HTTPException, ConnectionError, ValueError)):
        ask(web, host(web, kind), "/people/1")


def test_bomb_is_small_on_the_wire_and_endless_when_unpacked(web: Running) -> None:
    with socket.create_connection((host(web, "bomb").address, web.port)) as line:
        line.sendall(b"GET /people/1 HTTP/1.1\r\nHost: x\r\n\r\n")
        data = b""
        while len(data) < 60_000:
            data += line.recv(4096)
    head, _, body = data.partition(b"\r\n\r\n")
    assert b"Content-Encoding: gzip" in head
    packed = b"".join(piece for at, piece in enumerate(body.split(b"\r\n", 5)) if at % 2)[:12_000]
    assert len(zlib.decompressobj(31).decompress(packed)) > 8_000_000


def test_client_that_leaves_is_noted_at_once(web: Running) -> None:
    one = host(web, "silent")
    with socket.create_connection((one.address, web.port)) as line:
        line.sendall(b"GET /people/77 HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(0.2)
        left = time.monotonic()
    (asked,) = logged(web, one, "/people/77")
    assert not asked.whole
    assert left - 0.01 <= asked.ended < left + 1


def test_refusal_says_how_long_to_wait_and_a_storm_passes(web: Running) -> None:
    one = host(web, "429-storm")
    answers = [ask(web, one, "/people/2") for _ in range(3)]
    assert [status for status, _, _ in answers] == [429, 429, 200]
    assert answers[0][2]["retry-after"] == "2"
    first = logged(web, one, "/people/2")[0]
    assert first.rest_until == pytest.approx(first.begun + 2, abs=1)


def test_robots_are_given_as_the_rules_say(web: Running) -> None:
    assert ask(web, host(web, "plain", "none"), "/robots.txt")[0] == 404
    assert ask(web, host(web, "plain", "500"), "/robots.txt")[0] == 500
    status, _, headers = ask(web, host(web, "plain", "moved"), "/robots.txt")
    assert (status, headers["location"]) == (301, "/robots-here.txt")
    assert b"/closed/" in ask(web, host(web, "plain", "moved"), "/robots-here.txt")[1]


def test_private_listener_notes_who_comes(web: Running) -> None:
    before = len(web.strangers())
    with suppress(ConnectionError), socket.create_connection((STRANGER, web.port)) as line:
        line.recv(1)
    assert web.strangers()[before:] == [STRANGER]


@pytest.mark.parametrize("way", ["refuse", "reset", "silence"])
def test_network_can_be_cut_and_is_mended(web: Running, way: str) -> None:
    one = host(web, "plain")
    with socket.create_connection((one.address, web.port)) as line:
        line.settimeout(5)
        assert web.process.stdin is not None
        web.process.stdin.write(f"cut {way} 0.3\n")
        web.process.stdin.flush()
        time.sleep(0.1)
        try:
            line.sendall(b"GET /people/1 HTTP/1.1\r\nHost: x\r\n\r\n")
            got = line.recv(100)
        except ConnectionError:
            got = b""
    assert web.process.stdout is not None
    assert web.process.stdout.readline() == "mended\n"
    assert got == b""
    assert ask(web, one, "/people/1")[0] == 200


def test_names_lead_astray_at_the_second_look(tmp_path: Path) -> None:
    hosts = web_of(COUNT)
    names = Names(hosts, tmp_path / "names.jsonl")
    turning = next(one for one in hosts if one.kind == "turning")
    assert [names.address(turning.name) for _ in range(3)] == [turning.address, STRANGER, turning.address]
    within = next(one for one in hosts if one.kind == "within")
    inside = [literal(names.address(within.name)) for _ in range(5)]
    assert not any(is_public(address, (ALLOWED,)) for address in inside if address is not None)
    assert len((tmp_path / "names.jsonl").read_text().splitlines()) == 6
    for unknown in ("elsewhere.example", next(one.name for one in hosts if one.kind == "nameless")):
        with pytest.raises(socket.gaierror):
            names.address(unknown)


def test_dump_holds_the_pairs_that_it_says(tmp_path: Path) -> None:
    hosts = web_of(COUNT)
    cited = write_dump(tmp_path / "dump.json.gz", hosts, 8000, 200, seed=3)
    source = DumpSource(tmp_path / "dump.json.gz", ("en",), pytest.fail)
    referenced = [entity for entity in source.entities() if not isinstance(entity, EntityHead)]
    pairs = [pair for entity in referenced for pair in select(entity, source.properties(())).pairs]
    assert {(pair.guid, pair.ref_hash) for pair in pairs} == {(one.guid, one.ref_hash) for one in cited}
    assert len(pairs) == len(cited) == 200
    assert {url.via for pair in pairs for url in pair.urls} == {"live", "archive"}
    assert max(len(pair.urls) for pair in pairs) > 1
    assert len({pair.ref_hash for pair in pairs}) < len(pairs)
    assert {page.host.kind for one in cited for page in one.pages} == set(KINDS)


def test_no_pair_is_there_twice(tmp_path: Path) -> None:
    cited = write_dump(tmp_path / "dump.json.gz", web_of(COUNT), 8000, 2000, seed=1)
    assert len({(one.guid, one.ref_hash) for one in cited}) == 2000


def test_same_seed_gives_the_same_dump(tmp_path: Path) -> None:
    hosts = web_of(COUNT)
    one, same, other = (write_dump(tmp_path / f"{seed}.gz", hosts, 8000, 60, seed) for seed in (1, 1, 2))
    assert one == same
    assert one != other


def test_what_a_page_may_end_as_follows_from_its_host() -> None:
    hosts = {(one.kind, one.robots): one for one in web_of(COUNT)}
    assert hosts["plain", "part"].ends("/people/1") == {JUDGED}
    assert hosts["plain", "part"].ends("/closed/1") == {Outcome.ROBOTS}
    assert hosts["plain", "shut"].ends("/people/1") == {Outcome.ROBOTS}
    assert hosts["404", "none"].ends("/people/1") == {Outcome.NOT_FOUND}
    assert "refusing" not in LISTENING


def test_log_lines_are_whole_json(web: Running) -> None:
    ask(web, host(web, "plain"), "/people/9")
    logged(web, host(web, "plain"), "/people/9")
    for line in (web.folder / "requests.jsonl").read_text().splitlines():
        assert set(json.loads(line)) >= {"host", "path", "agent", "begun", "ended"}
