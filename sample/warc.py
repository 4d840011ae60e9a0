"""The sample's pages as the records of a WARC file."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from http import HTTPStatus
from io import BytesIO
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from sample.dump import SPACE
from sample.statements import Page

FETCHED = "2026-03-02T09:00:00Z"
FETCHED_HTTP = "Mon, 02 Mar 2026 09:00:00 GMT"


def warc_bytes(pages: Iterable[Page], folder: Path) -> bytes:
    """A WARC file, each record gzipped by itself: a warcinfo, then a response a page.

    `folder` is where the pages' files are. The same pages give the same bytes.
    """
    out = BytesIO()
    writer = WARCWriter(out, gzip=True)
    about = {"software": "citewell sample", "format": "WARC File Format 1.0"}
    info = writer.create_warcinfo_record("answers.warc.gz", about)
    info.rec_headers.replace_header("WARC-Record-ID", _record_id("warcinfo"))
    info.rec_headers.replace_header("WARC-Date", FETCHED)
    writer.write_record(info)
    for page in pages:
        body = (folder / page.file).read_bytes() if page.file else b""
        writer.write_record(
            writer.create_warc_record(
                page.url,
                "response",
                payload=BytesIO(body),
                length=len(body),
                http_headers=_http_headers(page, len(body)),
                warc_headers_dict={"WARC-Date": FETCHED, "WARC-Record-ID": _record_id(page.url)},
            )
        )
    return out.getvalue()


def _http_headers(page: Page, length: int) -> StatusAndHeaders:
    headers = [
        ("Date", FETCHED_HTTP),
        ("Content-Type", "text/html; charset=UTF-8"),
        *([("Location", page.location)] if page.location else []),
        ("Content-Length", str(length)),
    ]
    return StatusAndHeaders(f"{page.status} {HTTPStatus(page.status).phrase}", headers, protocol="HTTP/1.1")


def _record_id(name: str) -> str:
    return f"<urn:uuid:{uuid.uuid5(SPACE, name)}>"
