"""Pages replayed from WARC files."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from bot_entities import PAGES, SHARED
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from bot.fetch import Ask, Failure, Fetched
from bot.fetch.replay import Replay
from bot.problem import InputProblem
from models.document import Document
from models.outcome import NotJudged, Outcome
from store.archive import Archive, Place
from store.members import Member, members

URL = "https://example.org/a"
FETCHED = datetime(2026, 11, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def warc(path: Path, *answers: tuple[str, str, dict[str, str], bytes], packed: bool = True) -> Path:
    """A WARC file of answers: address, status line, headers, body."""
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=packed)
        for url, status, headers, body in answers:
            head = StatusAndHeaders(status, list(headers.items()), protocol="HTTP/1.1")
            record = writer.create_warc_record(
                url, "response", payload=BytesIO(body), length=len(body), http_headers=head
            )
            writer.write_record(record)
    return path


def brought(path: Path, url: str = URL, max_bytes: int = 100_000) -> Fetched:
    return Replay(path, max_bytes, pytest.fail).fetch([Ask(url)])[url]


@pytest.mark.skipif(not SHARED.is_dir(), reason="the measuring data is not beside the project")
def test_every_page_of_the_wtr_file_is_replayed() -> None:
    replay = Replay(SHARED / "wtr" / "pages.warc.gz", 10_000_000, pytest.fail)
    assert len(replay) == 245
    lines = (SHARED / "wtr" / "pairs.jsonl").read_text().splitlines()
    found = replay.fetch([Ask(json.loads(line)["url"]) for line in lines])
    assert len(found) == 245
    assert all(isinstance(one, Document) for one in found.values())


def test_the_samples_pages_are_replayed() -> None:
    assert len(Replay(PAGES, 10_000_000, pytest.fail)) > 5


@pytest.mark.parametrize("packed", [True, False])
def test_a_page_is_a_document(tmp_path: Path, packed: bool) -> None:
    path = warc(tmp_path / "x.warc", (URL, "200 OK", {"Content-Type": "text/html"}, b"<p>text</p>"), packed=packed)
    document = brought(path)
    assert isinstance(document, Document)
    assert (document.body, document.content_type, document.status) == (b"<p>text</p>", "text/html", 200)
    assert document.fetched_at.tzinfo is not None


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({"Content-Encoding": "gzip"}, gzip.compress(b"<p>text</p>", mtime=0)),
        ({"Transfer-Encoding": "chunked"}, b"5\r\n<p>te\r\n6\r\nxt</p>\r\n0\r\n\r\n"),
    ],
)
def test_what_the_wire_did_is_undone(tmp_path: Path, headers: dict[str, str], body: bytes) -> None:
    document = brought(warc(tmp_path / "x.warc.gz", (URL, "200 OK", headers, body)))
    assert isinstance(document, Document)
    assert document.body == b"<p>text</p>"


def test_of_several_answers_the_last_counts(tmp_path: Path) -> None:
    path = warc(tmp_path / "x.warc.gz", (URL, "200 OK", {}, b"old"), (URL, "200 OK", {}, b"new"))
    assert isinstance(document := brought(path), Document)
    assert document.body == b"new"


@pytest.mark.parametrize(
    ("answers", "outcome", "detail"),
    [
        ([], Outcome.UNREACHABLE, "not in x.warc.gz"),
        ([(URL, "404 Not Found", {}, b"")], Outcome.NOT_FOUND, "404 Not Found from example.org"),
        (
            [(URL, "301 Moved", {"Location": "/b"}, b"")],
            Outcome.UNREACHABLE,
            "301 Moved from example.org to https://example.org/b, which is not in x.warc.gz",
        ),
        (
            [(URL, "301 Moved", {"Location": "/a"}, b"")],
            Outcome.REDIRECT_LOOP,
            "301 Moved from example.org to https://example.org/a",
        ),
        ([(URL, "200 OK", {}, b"x" * 200_000)], Outcome.TOO_LARGE, "more than 100,000 bytes from example.org"),
        (
            [(URL, "200 OK", {"Content-Encoding": "gzip"}, b"plain text")],
            Outcome.MALFORMED_ANSWER,
            "the body isn't in its content encoding from example.org",
        ),
    ],
)
def test_each_outcome(
    tmp_path: Path, answers: list[tuple[str, str, dict[str, str], bytes]], outcome: Outcome, detail: str
) -> None:
    failure = brought(warc(tmp_path / "x.warc.gz", ("https://example.org/else", "200 OK", {}, b"x"), *answers))
    assert isinstance(failure, Failure)
    assert (failure.url, failure.not_judged.outcome, failure.not_judged.detail) == (URL, outcome, detail)


def test_a_redirect_within_the_file_is_followed(tmp_path: Path) -> None:
    path = warc(
        tmp_path / "x.warc.gz",
        (URL, "301 Moved", {"Location": "/b?c=d#e"}, b""),
        ("https://example.org/b?c=d", "200 OK", {}, b"text"),
    )
    document = brought(path)
    assert isinstance(document, Document)
    assert (document.url, document.final_url) == (URL, "https://example.org/b?c=d")


@pytest.mark.parametrize(
    "content",
    [b"", b"hello\n" * 99, gzip.compress(b"hello\n" * 99, mtime=0), b"\x1f\x8bnonsense", b"PK\x03\x04" + b"\0" * 99],
)
def test_what_is_no_warc_is_said_in_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.warc.gz"
    path.write_bytes(content)
    with pytest.raises(InputProblem, match=r"x\.warc\.gz isn't a WARC file") as raised:
        Replay(path, 1000, pytest.fail)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("name", ["missing.warc.gz", "."])
def test_what_cannot_be_read_is_said_in_one_line(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputProblem, match="can't be read"):
        Replay(tmp_path / name, 1000, pytest.fail)


def damaged(path: Path, change: Callable[[bytes], bytes], packed: bool = True) -> tuple[Replay, list[str]]:
    """A replay of eight pages from a file that something happened to, and what was said of it."""
    warc(path, *((f"{URL}{number}", "200 OK", {}, b"text %d " % number * 500) for number in range(1, 9)), packed=packed)
    path.write_bytes(change(path.read_bytes()))
    reports: list[str] = []
    return Replay(path, 100_000, reports.append), reports


def pages_of(replay: Replay) -> list[int]:
    """The numbers of the pages that the replay gives."""
    found = replay.fetch([Ask(f"{URL}{number}") for number in range(1, 9)])
    return [number for number in range(1, 9) if isinstance(found[f"{URL}{number}"], Document)]


@pytest.mark.parametrize("packed", [True, False])
def test_a_file_that_is_cut_off_is_said_so_after_all_that_can_be_read(tmp_path: Path, packed: bool) -> None:
    replay, reports = damaged(tmp_path / "x.warc.gz", lambda data: data[:-40], packed)
    assert pages_of(replay) == [1, 2, 3, 4, 5, 6, 7]
    where, rest = reports
    assert re.search(r"x\.warc\.gz is cut off at byte [\d,]+: [\d,]+ bytes of it can't be read", where)
    assert "what could be read, 7 records with 7 pages, is replayed" in rest
    assert not any("\n" in line for line in reports)


@pytest.mark.parametrize("packed", [True, False])
def test_what_stands_after_a_damage_is_read(tmp_path: Path, packed: bool) -> None:
    def spoil(data: bytes) -> bytes:
        middle = len(data) // 2
        return data[:middle] + b"\xff" * 30 + data[middle + 30 :]

    replay, reports = damaged(tmp_path / "x.warc.gz", spoil, packed)
    assert set(pages_of(replay)) in ({1, 2, 3, 4, 6, 7, 8}, {1, 2, 3, 6, 7, 8}, {1, 2, 3, 5, 6, 7, 8})
    assert re.search(r"x\.warc\.gz is damaged at byte [\d,]+: [\d,]+ bytes", reports[0])
    assert "Fetch the file again" in reports[-1]


@pytest.mark.parametrize("packed", [True, False])
def test_a_damage_is_said_with_its_place(tmp_path: Path, packed: bool) -> None:
    sizes: list[int] = []

    def add(data: bytes) -> bytes:
        sizes.append(len(data))
        return data + b"not a record" * 9

    replay, reports = damaged(tmp_path / "x.warc.gz", add, packed)
    assert pages_of(replay) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert f"at byte {sizes[0]:,}: 108 bytes" in reports[0]


def test_many_damages_are_told_in_few_lines(tmp_path: Path) -> None:
    path = tmp_path / "x.warc"
    warc(path, *((f"{URL}{number}", "200 OK", {}, b"good %d" % number) for number in range(60)), packed=False)
    path.write_bytes(path.read_bytes().replace(b"good", b"evil"))
    reports: list[str] = []
    with pytest.raises(InputProblem, match="isn't a WARC file"):
        Replay(path, 1000, reports.append)
    warc(path, *((f"{URL}{number}", "200 OK", {}, b"good %d" % number) for number in range(60)), packed=False)
    path.write_bytes(path.read_bytes().replace(b"good", b"evil", 20))
    assert len(Replay(path, 1000, reports.append)) == 40
    assert len(reports) == 6
    assert "It is damaged at 20 places" in reports[-1]


# Our own archive's files.


def archived(folder: Path, *documents: Document) -> tuple[Archive, list[Place], Path]:
    """An archive that holds documents, where, and its one file."""
    archive = Archive(folder)
    places = [archive.keep(document) for document in documents]
    (path,) = folder.glob("*.warc.gz")
    return archive, places, path


def kept(body: bytes = b"<p>text</p>", at: datetime = FETCHED, **changes: Any) -> Document:
    headers = (("content-type", "text/html"),)
    digest = "sha256:" + sha256(body).hexdigest()
    return replace(Document(URL, URL, 200, headers, body, digest, at), **changes)


def test_a_file_of_our_own_archive_gives_what_was_kept(tmp_path: Path) -> None:
    chain = (URL, "https://b.example/", "https://c.example/end")
    one = kept(final_url=chain[-1], chain=chain, headers=(("content-type", "text/html"), ("x-a", "b")))
    _, _, path = archived(
        tmp_path, one, replace(kept(b"other"), url="https://d.example/", final_url="https://e.example/")
    )
    assert brought(path) == one
    other: Fetched = brought(path, "https://d.example/")
    assert isinstance(other, Document)
    assert other.final_url == "https://e.example/"


def test_a_body_that_was_kept_decoded_is_not_decoded_again(tmp_path: Path) -> None:
    one = kept(headers=(("content-type", "text/html"), ("content-encoding", "gzip")))
    document = brought(archived(tmp_path, one)[2])
    assert isinstance(document, Document)
    assert document.body == one.body


@pytest.mark.parametrize("status", [200, 304])
def test_a_revisit_gives_the_body_that_it_refers_to(tmp_path: Path, status: int) -> None:
    """First this body, then another, then the first again: what was last is what counts."""
    archive, (place, _), path = archived(tmp_path, kept(), kept(b"other", FETCHED + DAY))
    archive.revisit(place, URL, URL, FETCHED + 2 * DAY, (), status)
    document = brought(path)
    assert isinstance(document, Document)
    assert (document.body, document.status, document.fetched_at) == (b"<p>text</p>", 200, FETCHED + 2 * DAY)


def test_a_revisit_without_its_page_says_so(tmp_path: Path) -> None:
    archive, (place,), path = archived(tmp_path / "a", kept())
    archive.revisit(place, URL, URL, FETCHED + DAY, ())
    whole = Replay(path, 1000, pytest.fail)
    assert isinstance(whole.fetch([Ask(URL)])[URL], Document)
    (offset,) = [one.offset for one in members(path) if isinstance(one, Member) and one.head.kind == "revisit"]
    alone = tmp_path / "alone.warc.gz"
    alone.write_bytes(path.read_bytes()[offset:])
    failure = brought(alone)
    assert isinstance(failure, Failure)
    said = "the page that alone.warc.gz refers to at byte 0 is not in it"
    assert failure.not_judged == NotJudged(Outcome.UNREACHABLE, said)


def test_failures_that_were_kept_are_failures_again(tmp_path: Path) -> None:
    archive, _, path = archived(tmp_path, kept(url="https://d.example/", final_url="https://d.example/"))
    archive.keep_failure(URL, URL, FETCHED, 404, "Nothing Here", (), b"<h1>Not found</h1>", (URL,))
    loop = "https://l.example/"
    chain: tuple[str, ...] = (loop, loop + "a")
    archive.keep_failure(loop, loop + "a", FETCHED, 302, "Found", (("location", loop),), b"", chain)
    failure = brought(path)
    assert isinstance(failure, Failure)
    assert (failure.not_judged.outcome, failure.phrase) == (Outcome.NOT_FOUND, "Nothing Here")
    assert failure.not_judged.detail == "404 Nothing Here from example.org"
    looped = brought(path, loop)
    assert isinstance(looped, Failure)
    assert (looped.not_judged.outcome, looped.chain) == (Outcome.REDIRECT_LOOP, chain)


REFRESH = b'<meta http-equiv="refresh" content="0;url=/b"><p>This page has moved.'


def test_a_page_that_hands_on_is_followed_within_the_file(tmp_path: Path) -> None:
    other = ("https://example.org/b", "200 OK", {}, b"<p>The page itself.")
    document = brought(warc(tmp_path / "x.warc.gz", (URL, "200 OK", {}, REFRESH), other))
    assert isinstance(document, Document)
    assert (document.url, document.final_url, document.body) == (URL, "https://example.org/b", other[3])


@pytest.mark.parametrize(
    "other",
    [
        ("https://example.org/c", "200 OK", {}, b"<p>Another page."),
        ("https://example.org/b", "404 Not Found", {}, b""),
        ("https://example.org/b", "301 Moved", {"Location": "/a"}, b""),
        ("https://example.org/b", "200 OK", {"Content-Encoding": "gzip"}, b"no gzip"),
    ],
)
def test_where_the_next_page_is_not_there_the_one_at_hand_is_read(
    tmp_path: Path, other: tuple[str, str, dict[str, str], bytes]
) -> None:
    document = brought(warc(tmp_path / "x.warc.gz", (URL, "200 OK", {}, REFRESH), other))
    assert isinstance(document, Document)
    assert (document.final_url, document.body) == (URL, REFRESH)


def test_pages_that_hand_on_to_each_other_end(tmp_path: Path) -> None:
    back = b'<meta http-equiv="refresh" content="0;url=/a">'
    path = warc(tmp_path / "x.warc.gz", (URL, "200 OK", {}, REFRESH), ("https://example.org/b", "200 OK", {}, back))
    assert isinstance(brought(path), Document)
