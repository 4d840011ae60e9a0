"""The checks of `python -m bench survive` find each kind of breach, and nothing where all is well."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bench.survive_checks import (
    Ended,
    Settled,
    Window,
    dishonest,
    doubled,
    lost,
    pace_breaches,
    robots_breaches,
    unreadable_warcs,
)
from bench.trouble.dump import Cited, Page
from bench.trouble.hosts import Host
from bench.trouble.log import Asked
from models.document import Document
from store.archive import Archive

OPEN = Host("open.test", "127.77.0.1", "plain", "none")
PART = Host("part.test", "127.77.0.2", "plain", "part")
SLOW = Host("slow.test", "127.77.0.3", "plain", "delay")
GONE = Host("gone.test", "127.77.0.4", "404", "none")
HOSTS = (OPEN, PART, SLOW, GONE)


def asked(
    host: Host, path: str, begun: float, ended: float | None = None, whole: bool = True, rest: float = 0
) -> Asked:
    """One request in a host's log; it takes a tenth of a second where nothing else is said."""
    over = begun + 0.1 if ended is None else ended
    return Asked(host.name, host.address, path, "Citewell/1", begun, over, whole, False, rest, begun)


def test_polite_requests_are_no_breach() -> None:
    log = [
        asked(PART, "/robots.txt", 0.0),
        asked(PART, "/people/1", 1.1),
        asked(OPEN, "/robots.txt", 1.2),
        asked(PART, "/people/2", 2.2),
        asked(OPEN, "/closed/2", 2.3),
        asked(SLOW, "/robots.txt", 0.0),
        asked(SLOW, "/people/2", 2.1),
    ]
    assert robots_breaches(log, HOSTS) == []
    assert pace_breaches(log, HOSTS, 1.0) == []


def test_forbidden_page_is_a_breach() -> None:
    log = [asked(PART, "/robots.txt", 0.0), asked(PART, "/closed/1", 1.1)]
    assert robots_breaches(log, HOSTS) == ["part.test was asked for /closed/1, which its robots.txt forbids"]


@pytest.mark.parametrize(
    "log",
    [
        [asked(OPEN, "/people/1", 0.0)],
        [asked(OPEN, "/people/1", 0.0), asked(OPEN, "/robots.txt", 1.1)],
        [asked(OPEN, "/robots.txt", 0.0, whole=False), asked(OPEN, "/people/1", 1.1)],
    ],
    ids=["never asked", "asked too late", "broken off"],
)
def test_page_before_the_rules_are_known_is_a_breach(log: list[Asked]) -> None:
    assert robots_breaches(log, HOSTS) == ["open.test was asked for /people/1 before it had given its robots.txt"]


@pytest.mark.parametrize(
    ("host", "first", "second", "told"),
    [
        (OPEN, (0.0, 0.1), 1.0, "0.900 s after /a, where 1 s belong"),
        (OPEN, (0.0, 3.0), 2.5, "-0.500 s after /a, where 1 s belong"),
        (SLOW, (0.0, 0.1), 1.5, "1.400 s after /a, where 2 s belong"),
    ],
    ids=["too soon", "at the same time", "the host's own wish"],
)
def test_host_asked_too_fast_is_a_breach(host: Host, first: tuple[float, float], second: float, told: str) -> None:
    found = pace_breaches([asked(host, "/a", *first), asked(host, "/b", second)], HOSTS, 1.0)
    assert len(found) == 1
    assert told in found[0]


def test_pace_is_each_hosts_own() -> None:
    log = [asked(OPEN, "/a", 0.0), asked(PART, "/a", 0.05), asked(OPEN, "/b", 1.1)]
    assert pace_breaches(log, HOSTS, 1.0) == []


def test_connection_without_a_request_counts() -> None:
    log = [asked(OPEN, "", 0.0, whole=False), asked(OPEN, "", 0.2, whole=False)]
    assert len(pace_breaches(log, HOSTS, 1.0)) == 1


def test_host_asked_while_it_rests_is_a_breach() -> None:
    log = [asked(OPEN, "/a", 0.0, rest=3.0), asked(OPEN, "/b", 1.5), asked(OPEN, "/c", 3.1)]
    assert pace_breaches(log, HOSTS, 1.0) == ["open.test was asked for /b 1.500 s before its Retry-After had passed"]


READ = Cited("Q1$a", "r1", (Page(OPEN, "/people/1"),))
NOT_THERE = Cited("Q2$a", "r2", (Page(GONE, "/people/2"),))
CITED = (READ, NOT_THERE)
WELL = {
    ("Q1$a", "r1"): Ended("judged", "", (("supports", None),), 1),
    ("Q2$a", "r2"): Ended("not_judged", "", ((None, "not_found"),), 0),
}


def but(pair: Cited, end: Ended) -> dict[tuple[str, str], Ended]:
    """All is well but one pair."""
    return WELL | {(pair.guid, pair.ref_hash): end}


def test_pairs_that_came_to_an_end_are_not_lost() -> None:
    assert lost(CITED, WELL) == []
    assert dishonest(CITED, WELL) == []
    assert doubled([Settled(1, 10.0, "judged", None), Settled(2, 11.0, "not_judged", 99.0)], WELL) == []


@pytest.mark.parametrize(
    "end",
    [
        Ended("waiting", "", (), 0),
        Ended("leased", "", (), 0),
        Ended("failed", "the disk is full", (), 0),
        Ended("judged", "", (), 0),
        Ended("judged", "", ((None, "not_found"),), 0),
        Ended("not_judged", "", (("supports", None),), 1),
        Ended("judged", "", (("supports", None), ("refutes", None)), 2),
    ],
    ids=lambda end: f"{end.state} {len(end.current)}",
)
def test_pair_without_an_end_is_lost(end: Ended) -> None:
    assert len(lost(CITED, but(READ, end))) == 1


def test_pair_that_is_not_there_is_lost() -> None:
    assert lost(CITED, {key: end for key, end in WELL.items() if key[0] != "Q1$a"}) == ["Q1$a with r1: not there"]


@pytest.mark.parametrize(
    ("pair", "end"),
    [
        (READ, Ended("not_judged", "", ((None, "not_found"),), 0)),
        (READ, Ended("not_judged", "", ((None, "unreachable"),), 0)),
        (NOT_THERE, Ended("judged", "", (("supports", None),), 1)),
        (NOT_THERE, Ended("not_judged", "", ((None, "blocked"),), 0, cut=True)),
    ],
    ids=["read page not found", "reachable host unreachable", "judged without a page", "cut, yet something else"],
)
def test_outcome_that_the_page_cannot_have_is_dishonest(pair: Cited, end: Ended) -> None:
    assert len(dishonest(CITED, but(pair, end))) == 1


def test_unreachable_is_honest_where_the_network_was_cut() -> None:
    assert dishonest(CITED, but(READ, Ended("not_judged", "", ((None, "unreachable"),), 0, cut=True))) == []


def test_archived_copy_makes_a_dead_page_readable() -> None:
    archived = Cited("Q3$a", "r3", (Page(GONE, "/people/3"), Page(OPEN, "/people/3", "P1065")))
    assert archived.ends == {"judged"}
    assert Cited("Q3$a", "r3", (Page(OPEN, "/people/3"), Page(GONE, "/people/3"))).ends == {"judged"}


def test_windows_meet_where_they_overlap() -> None:
    assert Window(1, 3).meets(Window(2, 5))
    assert not Window(1, 3).meets(Window(3.5, 5))


@pytest.mark.parametrize(
    "settled",
    [
        [Settled(1, 10.0, "judged", None), Settled(1, 12.0, "judged", None)],
        [Settled(1, 10.0, "not_judged", 500.0), Settled(1, 12.0, "judged", None)],
        [Settled(1, 10.0, "not_judged", None), Settled(1, 12.0, "not_judged", None)],
    ],
    ids=["judged twice", "tried again too early", "tried again though never to be"],
)
def test_pair_settled_again_is_doubled(settled: list[Settled]) -> None:
    assert len(doubled(settled, WELL)) == 1


def test_pair_tried_again_when_due_is_not_doubled() -> None:
    assert doubled([Settled(1, 10.0, "not_judged", 11.0), Settled(1, 12.0, "judged", None)], WELL) == []


def test_second_stance_of_a_pair_is_doubled() -> None:
    assert doubled([], but(READ, replace(WELL["Q1$a", "r1"], stances=2))) == ["Q1$a with r1 has 2 stances"]


def archive(folder: Path, pages: int = 4) -> Path:
    """A WARC file with some pages."""
    kept = Archive(folder)
    for number in range(pages):
        body = f"<p>page {number}</p>".encode() * 50
        digest = "sha256:" + hashlib.sha256(body).hexdigest()
        url = f"http://open.test/{number}"
        kept.keep(Document(url, url, 200, (("content-type", "text/html"),), body, digest, datetime.now(UTC), "live"))
    return next(folder.glob("*.warc.gz"))


def test_whole_archive_is_readable(tmp_path: Path) -> None:
    archive(tmp_path)
    assert unreadable_warcs(tmp_path) == []


@pytest.mark.parametrize(
    ("cut", "mend"),
    [(-30, ""), (-4, ""), (-60, "after"), (0, "junk")],
    ids=["last record cut off", "its checksum cut off", "cut off in the midst", "something else at the end"],
)
def test_damaged_archive_is_unreadable(tmp_path: Path, cut: int, mend: str) -> None:
    file = archive(tmp_path)
    data = file.read_bytes()
    more = {"": b"", "after": data, "junk": b"junk"}[mend]
    file.write_bytes((data[:cut] if cut else data) + more)
    found = unreadable_warcs(tmp_path)
    assert len(found) == 1
    assert found[0].startswith(file.name)


def test_changed_byte_is_found(tmp_path: Path) -> None:
    file = archive(tmp_path)
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0x10
    file.write_bytes(data)
    assert len(unreadable_warcs(tmp_path)) == 1
