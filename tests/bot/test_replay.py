"""Pages replayed from WARC files."""

from __future__ import annotations

import gzip
import json
from io import BytesIO
from pathlib import Path

import pytest
from bot_entities import PAGES, SHARED
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from bot.fetch import Failure, Fetched
from bot.fetch.replay import Replay
from bot.problem import InputProblem
from models.document import Document
from models.outcome import Outcome

URL = "https://example.org/a"


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
    return Replay(path, max_bytes, pytest.fail).fetch([url])[url]


@pytest.mark.skipif(not SHARED.is_dir(), reason="the measuring data is not beside the project")
def test_every_page_of_the_wtr_file_is_replayed() -> None:
    replay = Replay(SHARED / "wtr" / "pages.warc.gz", 10_000_000, pytest.fail)
    assert len(replay) == 245
    lines = (SHARED / "wtr" / "pairs.jsonl").read_text().splitlines()
    found = replay.fetch([json.loads(line)["url"] for line in lines])
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


def test_a_damaged_file_gives_what_can_be_read(tmp_path: Path) -> None:
    whole = warc(
        tmp_path / "x.warc.gz", *((f"{URL}{number}", "200 OK", {}, b"text" * number) for number in range(1, 9))
    )
    whole.write_bytes(whole.read_bytes()[:-40])
    reports: list[str] = []
    replay = Replay(whole, 1000, reports.append)
    assert isinstance(replay.fetch([URL + "1"])[URL + "1"], Document)
    missing = replay.fetch([URL + "8"])[URL + "8"]
    assert isinstance(missing, Failure)


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
