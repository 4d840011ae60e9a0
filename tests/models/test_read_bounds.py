"""Whatever the bytes of a document, reading it takes at most five seconds and 500 MB, and gives a page or a reason."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import zlib
from datetime import UTC, datetime
from pathlib import Path

import hostile
import made_pdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.document import Document
from models.outcome import NotJudged, Outcome
from models.read import Page, read
from models.read.entrance import MOST_BYTES, entered

ROOT = Path(__file__).parents[2]
MOST_S, MOST_MB = 5.0, 500.0
GROUPS = 4
OUTCOMES = {"page", *(outcome.value for outcome in Outcome)}
# Those that are soon made and read at 20 MB: the others were measured once, and grow no more from `MOST_BYTES` on.
LARGE = ["one tag", "text without spaces", "an image in the page", "json", "a pdf that unpacks"]


def measured(size: int, names: list[str]) -> list[dict[str, object]]:
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("bounded_read.py"), str(size), *names],
        env={"PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def hold(lines: list[dict[str, object]], names: list[str]) -> None:
    assert [line["name"] for line in lines] == names
    beyond = [line for line in lines if not (float(str(line["seconds"])) < MOST_S and float(str(line["mb"])) < MOST_MB)]
    assert not beyond
    assert {str(line["outcome"]) for line in lines} <= OUTCOMES


@pytest.mark.parametrize("group", range(GROUPS))
def test_no_document_takes_long_or_much_memory(group: int) -> None:
    names = list(hostile.MAKERS)[group::GROUPS]
    hold(measured(250_000, names), names)


def test_no_large_document_does() -> None:
    hold(measured(20_000_000, LARGE), LARGE)


def result(body: bytes, content_type: str = "text/html") -> Page | NotJudged:
    url = "https://lives.example/page"
    return read(Document(url, url, 200, (("content-type", content_type),), body, "sha256:", datetime.now(UTC)))


def test_text_after_a_large_picture_is_read() -> None:
    found = result(hostile.MAKERS["an image in the page"](MOST_BYTES + 1_000_000))
    assert isinstance(found, Page)
    assert any("She wrote about the sea" in block.text for block in found.blocks)


def test_a_large_page_is_read_as_far_as_it_goes() -> None:
    body = b"<p>Ann Lee was born in 1901 in the town of Leeds.</p>" + bytes(MOST_BYTES) + b"<p>the end"
    assert len(entered(body)) == MOST_BYTES


TYPES = st.sampled_from(
    ["", "text/html", "text/html; charset=utf-16", "text/plain", "application/xhtml+xml", "x;charset="]
)
TAGS = (
    "<table> <tr> <td> <th\tcolspan=9> </table> <p> <li> <ul> <dl> <dt> <dd> <h1> </h1> <pre> <br> <div\thidden> <nav> "
    "</div> <script> </script> <title> <svg> <math> <template> <noscript> <frameset> <frame> <select> <!-- --> "
    "<![CDATA[ ]]> <a\thref=/> </a> <b> </b> <caption> <col\tspan=99> &amp; &#0; &#xd800; &bogus; < > \" '"
).split(" ")
SAID = ["Ann Lee was born on 12 May 1901 in Leeds.", "Born: 1901", '{"@type": "Person"', "itemscope"]
SOUP = st.lists(st.one_of(st.sampled_from(TAGS), st.text(max_size=12), st.sampled_from(SAID)), max_size=60)


@settings(max_examples=150)
@given(SOUP, TYPES, st.sampled_from(["utf-8", "utf-16", "utf-16-le", "cp1252", "shift_jis"]))
def test_any_soup_gives_a_page_or_a_reason(pieces: list[str], content_type: str, encoding: str) -> None:
    body = "".join(pieces).encode(encoding, errors="replace")
    assert isinstance(result(body, content_type), Page | NotJudged)


@settings(max_examples=100)
@given(st.binary(max_size=2000), TYPES)
def test_any_bytes_give_a_page_or_a_reason(body: bytes, content_type: str) -> None:
    assert isinstance(result(body, content_type), Page | NotJudged)


REAL = {
    "html": f"<!DOCTYPE html><html><head><title>Ann</title></head><body>{hostile.P * 9}<table><tr><td>a".encode(),
    "wide html": f"<html><body>{hostile.P * 9}".encode("utf-16"),
    "xhtml": f'<?xml version="1.0" encoding="utf-8"?><html><body>{hostile.P * 3}</body></html>'.encode(),
    "text": hostile.PROSE.encode() * 9,
    "json": json.dumps({"text": [hostile.PROSE] * 9}).encode(),
    "gzip": gzip.compress(hostile.PROSE.encode() * 9, mtime=0),
    "zlib": zlib.compress(hostile.PROSE.encode() * 9),
    "png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\6\0\0\0" + bytes(500),
    "pdf": made_pdf.pdf([["Ann Lee was born in 1901 in the town of Leeds."]]),
}


@settings(max_examples=60)
@given(st.sampled_from(sorted(REAL)), st.integers(0, 2000), st.integers(0, 2000), st.binary(max_size=8))
def test_what_is_cut_or_damaged_gives_a_page_or_a_reason(name: str, end: int, at: int, damage: bytes) -> None:
    body = REAL[name][:end]
    assert isinstance(result(body[:at] + damage + body[at + len(damage) :]), Page | NotJudged)
