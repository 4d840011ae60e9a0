"""The records of the archive: how an answer is written as one gzip member of a WARC file, and read back.

A record holds the body after content decoding, since that is what was read and what its digest is of. The headers
that spoke of the encoding on the wire are kept under another name, so that other readers don't decode twice.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from http import HTTPStatus
from io import BytesIO
from typing import BinaryIO

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from models.document import Document

CUT = "Citewell-Taken-Out"
"""The header of a record whose content was taken out; its value is when."""

_FINAL_URL = "Citewell-Final-URI"
_CHAIN = "Citewell-Chain"
_VIA = "Citewell-Via"
_BODY_AT = "Citewell-Refers-To-Place"
_PROFILES = "http://netpreserve.org/warc/1.1/revisit/"
_AWAY = "x-archive-orig-"
_OF_THE_WIRE = frozenset({"content-encoding", "content-length", "transfer-encoding"})
_BREAKS = re.compile(r"[\r\n\0]+")
_CONTROLS = re.compile(r"[\x00-\x20\x7f\ud800-\udfff]")
_PIECE = 1 << 16
_COMMENT = 0x10  # the flag of a gzip member that has a comment


class ArchiveError(Exception):
    """A record that can't be written or read back. The message is one line that names the file and the place."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stands: the file, relative to the archive's folder, and the offset of its gzip member."""

    warc: str
    offset: int


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as a record holds it: a document's, or one that wasn't kept as such (a 404's page, an unchanged page).

    `status` and `phrase` are those of its status line; the other members are as in `models.document.Document`.
    `truncated`: the body is only the beginning of what came.
    """

    url: str
    final_url: str
    at: datetime
    status: int
    phrase: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = field(default=b"", repr=False)
    via: str = "live"
    chain: tuple[str, ...] = ()
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Head:
    """The WARC headers of a record, by their names in lower case."""

    headers: Mapping[str, str]

    @property
    def kind(self) -> str:
        """The type of the record: response, revisit, …"""
        return self.headers.get("warc-type", "")

    @property
    def url(self) -> str:
        """The address that was asked for, "" where the record is about none."""
        return self.headers.get("warc-target-uri", "").strip("<>")

    @property
    def addresses(self) -> tuple[str, ...]:
        """Every address that it names: asked for, ended at, on the way, referred to."""
        named = (self.url, self.headers.get(_FINAL_URL.lower(), ""), self.headers.get("warc-refers-to-target-uri", ""))
        return tuple(dict.fromkeys(url for url in (*named, *self._chain) if url))

    @property
    def digest(self) -> str:
        """The digest of the body, as in `Document.digest`."""
        return self.headers.get("warc-payload-digest", "")

    @property
    def body_at(self) -> Place | None:
        """For a revisit: where the body is that it says still stands."""
        warc, _, offset = self.headers.get(_BODY_AT.lower(), "").rpartition(" ")
        return Place(warc, int(offset)) if warc and offset.isdigit() else None

    @property
    def taken_out(self) -> str:
        """When its content was taken out; "" where it wasn't."""
        return self.headers.get(CUT.lower(), "")

    @property
    def _chain(self) -> tuple[str, ...]:
        return tuple(self.headers.get(_CHAIN.lower(), "").split())


def response_member(answer: Answer) -> bytes:
    """An answer with its body. Raises `ArchiveError` for an address that a record can't hold."""
    headers = _headers_of(answer) | {"WARC-Payload-Digest": digest_of(answer.body)}
    if answer.truncated:
        headers["WARC-Truncated"] = "length"
    writer, out = _writer()
    writer.write_record(
        writer.create_warc_record(
            answer.url,
            "response",
            payload=BytesIO(answer.body),
            length=len(answer.body),
            http_headers=_Http(answer),
            warc_headers_dict=headers,
        )
    )
    return _packed(out)


def document_member(document: Document) -> bytes:
    """A document. Raises `ArchiveError` where a record can't hold it."""
    if document.digest != digest_of(document.body):
        raise ArchiveError(f"{document.url}: its digest isn't that of its body")
    return response_member(
        Answer(
            document.url,
            document.final_url,
            document.fetched_at,
            document.status,
            "",
            document.headers,
            document.body,
            document.via,
            document.chain,
        )
    )


def revisit_member(answer: Answer, original: Head, body_at: Place) -> bytes:
    """An answer that brought no other body than the record `original`, which stands at `body_at`."""
    profile = "server-not-modified" if answer.status == HTTPStatus.NOT_MODIFIED else "identical-payload-digest"
    headers = _headers_of(answer) | {
        "WARC-Profile": _PROFILES + profile,
        "WARC-Refers-To": original.headers.get("warc-record-id", ""),
        "WARC-Refers-To-Target-URI": original.url,
        "WARC-Refers-To-Date": original.headers.get("warc-date", ""),
        "WARC-Payload-Digest": original.digest,
        _BODY_AT: f"{body_at.warc} {body_at.offset}",
    }
    writer, out = _writer()
    record = writer.create_warc_record(answer.url, "revisit", http_headers=_Http(answer), warc_headers_dict=headers)
    writer.write_record(record)
    return _packed(out)


def warcinfo_member(file_name: str) -> bytes:
    """What a file begins with: which program wrote it, and in which format."""
    writer, out = _writer()
    info = {
        "software": "Citewell",
        "format": "WARC File Format 1.1",
        "conformsTo": "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
    }
    writer.write_record(writer.create_warcinfo_record(file_name, info))
    return _packed(out)


def cut_member(length: int, at: datetime) -> bytes:
    """A member of exactly `length` bytes that says that its content was taken out at that time, and nothing else."""
    writer, out = _writer()
    day = {CUT: at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}
    writer.write_record(writer.create_warc_record("", "metadata", warc_headers_dict=day))
    member = _packed(out)
    if len(member) > length:
        raise ArchiveError(f"a record of {length} bytes is too short to be taken out in its place")
    if len(member) == length:
        return member
    comment = b" " * (length - len(member) - 1) + b"\0"
    return member[:3] + bytes([member[3] | _COMMENT]) + member[4:10] + comment + member[10:]


def read_document(head: Head, block: bytes, where: str) -> Document:
    """The document of a response record. Raises `ArchiveError` where it isn't what was kept."""
    if head.taken_out:
        raise ArchiveError(f"{where}: taken out on request on {head.taken_out[:10]}")
    http, separator, body = block.partition(b"\r\n\r\n")
    digest = digest_of(body)
    if not separator or head.digest != digest:
        raise ArchiveError(f"{where}: not what was kept; the file is cut off or damaged")
    status, headers = _read_http(http)
    return Document(
        url=head.url,
        final_url=head.headers[_FINAL_URL.lower()],
        status=status,
        headers=headers,
        body=body,
        digest=digest,
        fetched_at=datetime.fromisoformat(head.headers["warc-date"]),
        via=head.headers[_VIA.lower()],
        chain=head._chain,
    )


def read_revisit(head: Head, block: bytes, original: Document, where: str) -> Document:
    """The document that a revisit record says still stands, as `original` has its body.

    Headers that came with the later answer stand in the place of those of the same name, but for those of the body.
    """
    if original.digest != head.digest:
        raise ArchiveError(f"{where}: the body that it refers to is another")
    status, headers = _read_http(block.partition(b"\r\n\r\n")[0])
    if status == HTTPStatus.NOT_MODIFIED:
        newer = {name for name, _ in headers if not name.startswith("content-")}
        headers = (
            *((name, value) for name, value in original.headers if name not in newer),
            *((name, value) for name, value in headers if name in newer),
        )
        status = original.status
    return replace(
        original,
        url=head.url,
        final_url=head.headers[_FINAL_URL.lower()],
        status=status,
        headers=headers,
        fetched_at=datetime.fromisoformat(head.headers["warc-date"]),
        via=head.headers[_VIA.lower()],
        chain=head._chain,
    )


def digest_of(body: bytes) -> str:
    """The digest by which a body is known."""
    return "sha256:" + hashlib.sha256(body).hexdigest()


def _headers_of(answer: Answer) -> dict[str, str]:
    for url in (answer.url, answer.final_url, *answer.chain):
        if not url or _CONTROLS.search(url):
            raise ArchiveError(f"not an address that a record can hold: {url!r}")
    headers = {
        "WARC-Date": answer.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        _FINAL_URL: answer.final_url,
        _VIA: answer.via,
    }
    return headers | ({_CHAIN: " ".join(answer.chain)} if answer.chain else {})


def _writer() -> tuple[WARCWriter, BytesIO]:
    out = BytesIO()
    return WARCWriter(out, gzip=False, warc_version="1.1"), out


def _packed(record: BytesIO) -> bytes:
    """A record as a gzip member: warcio's own way takes twice the time, for one per cent less."""
    return zlib.compress(record.getvalue(), 6, zlib.MAX_WBITS + 16)


class _Http(StatusAndHeaders):  # type: ignore[misc]  # warcio has no types
    """The status line and headers of an answer, in UTF-8: warcio's own would rewrite what isn't ASCII."""

    def __init__(self, answer: Answer) -> None:
        line = f"{answer.status} {_BREAKS.sub(' ', answer.phrase) or _phrase(answer.status)}"
        super().__init__(line, [], protocol="HTTP/1.1")
        lines = [f"HTTP/1.1 {line}"]
        for name, value in answer.headers:
            away = _AWAY if name in _OF_THE_WIRE or name.startswith(_AWAY) else ""
            lines.append(f"{away}{name}: {_BREAKS.sub(' ', value)}")
        self._bytes = ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "surrogateescape")

    def compute_headers_buffer(self, _header_filter: object = None) -> None:
        """What the writer calls for the bytes."""
        self.headers_buff = self._bytes


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def _read_http(http: bytes) -> tuple[int, tuple[tuple[str, str], ...]]:
    status_line, *lines = http.decode("utf-8", "surrogateescape").split("\r\n")
    return int(status_line.split(" ")[1]), tuple(_header(line) for line in lines)


def _header(line: str) -> tuple[str, str]:
    name, _, value = line.partition(": ")
    return name.removeprefix(_AWAY), value


def read_head(raw: bytes) -> Head | None:
    """The headers of a record, from its version line to the blank line; None where it isn't a WARC record."""
    version, *lines = raw.decode("utf-8", "surrogateescape").split("\r\n")
    if not version.startswith("WARC/"):
        return None
    pairs: Sequence[tuple[str, str, str]] = [line.partition(":") for line in lines if ":" in line]
    return Head({name.strip().lower(): value.strip() for name, _, value in pairs})


def read_member(stream: BinaryIO) -> tuple[Head, bytes]:
    """The head and the block of the record that stands in a file from here on, with its checksum looked at.

    Raises `ValueError` where it is cut off, damaged, or none is there.
    """
    machine = zlib.decompressobj(zlib.MAX_WBITS + 16)
    parts = []
    try:
        while not machine.eof and (packed := stream.read(_PIECE)):
            parts.append(machine.decompress(packed))
    except zlib.error as error:
        raise ValueError(f"no record there, or a damaged one ({error})") from error
    raw, separator, block = b"".join(parts).partition(b"\r\n\r\n")
    head = read_head(raw)
    if not machine.eof or not separator or head is None:
        raise ValueError("no whole record there; the file is cut off or was replaced")
    return head, block.removesuffix(b"\r\n\r\n")
