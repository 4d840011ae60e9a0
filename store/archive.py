"""The archive of pages as they were read: WARC files, one gzip member a record, only ever added to.

A record holds the body after content decoding, since that is what was read and what its digest is of. The headers
that spoke of the encoding on the wire are kept under another name, so that other readers don't decode twice.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from threading import Lock

from fastwarc.warc import ArchiveIterator, WarcRecord
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from models.document import Document

FILE_BYTES = 1_000_000_000  # a file that has grown beyond this is followed by another

_FINAL_URL = "Citewell-Final-URI"
_VIA = "Citewell-Via"
_AWAY = "x-archive-orig-"
_OF_THE_WIRE = frozenset({"content-encoding", "content-length", "transfer-encoding"})
_BREAKS = re.compile(r"[\r\n\0]+")
_CONTROLS = re.compile(r"[\x00-\x20\x7f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stands: the file, relative to the archive's folder, and the offset of its gzip member."""

    warc: str
    offset: int


class ArchiveError(Exception):
    """A record that can't be written or read back. The message is one line that names the file and the place."""


class Archive:
    """The archive in `folder`. Each process writes to files of its own; any process reads them all."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writing = Lock()
        self._own: tuple[int, Path] | None = None  # our process (a fork has another) and its file

    def keep(self, document: Document) -> Place:
        """Write `document` as a response record and return its place; it is on the disk by then.

        Raises `ArchiveError` where the disk refuses it, or the document can't be held by a record.
        """
        member = _member(document)
        with self._writing:
            try:
                file = self._file()
                offset = _append(file, member)
            except OSError as error:
                raise ArchiveError(f"{self._folder}: can't keep {document.url}: {error.strerror}") from error
        return Place(file.name, offset)

    def read(self, place: Place) -> Document:
        """The document at `place`. Raises `ArchiveError` where it is missing, cut off or not what was kept."""
        file = self._folder / place.warc
        where = f"{file} at {place.offset}"
        if not file.resolve().is_relative_to(self._folder.resolve()):
            raise ArchiveError(f"{where}: outside the archive")
        try:
            with file.open("rb") as stream:
                stream.seek(place.offset)
                record = next(ArchiveIterator(stream, parse_http=False), None)
                if record is None:
                    raise ArchiveError(f"{where}: no record there; the file is cut off or was replaced")
                return _document(record, record.reader.read(), where)
        except FileNotFoundError:
            raise ArchiveError(f"{where}: no such file in the archive") from None
        except (OSError, ValueError, LookupError) as error:
            raise ArchiveError(f"{where}: can't be read back: {error}") from error

    def _file(self) -> Path:
        process, file = self._own if self._own is not None else (None, Path())
        if process == os.getpid() and file.exists() and file.stat().st_size < FILE_BYTES:
            return file
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = f"{datetime.now(UTC):%Y%m%d}-{os.getpid()}-{secrets.token_hex(4)}.warc.gz"
        file = self._folder / name
        file.touch(mode=0o600, exist_ok=False)
        _sync(self._folder)
        self._own = (os.getpid(), file)
        return file


def _append(file: Path, member: bytes) -> int:
    """Add a gzip member and have it on the disk; a write that fails leaves the file as it was."""
    with file.open("ab") as stream:
        offset = stream.tell()
        try:
            stream.write(member)
            stream.flush()
            os.fsync(stream.fileno())
        except OSError:
            os.truncate(file, offset)
            raise
    return offset


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _member(document: Document) -> bytes:
    for url in (document.url, document.final_url):
        if not url or _CONTROLS.search(url):
            raise ArchiveError(f"not an address that a record can hold: {url!r}")
    if document.digest != _digest(document.body):
        raise ArchiveError(f"{document.url}: its digest isn't that of its body")
    out = BytesIO()
    writer = WARCWriter(out, gzip=True, warc_version="1.1")
    record = writer.create_warc_record(
        document.url,
        "response",
        payload=BytesIO(document.body),
        length=len(document.body),
        http_headers=_Head(document),
        warc_headers_dict={
            "WARC-Date": document.fetched_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
            "WARC-Payload-Digest": document.digest,
            _FINAL_URL: document.final_url,
            _VIA: document.via,
        },
    )
    writer.write_record(record)
    return out.getvalue()


class _Head(StatusAndHeaders):  # type: ignore[misc]  # warcio has no types
    """The status line and headers of a document, in UTF-8: warcio's own would rewrite what isn't ASCII."""

    def __init__(self, document: Document) -> None:
        super().__init__(_status_line(document.status), [], protocol="HTTP/1.1")
        lines = [f"HTTP/1.1 {_status_line(document.status)}"]
        for name, value in document.headers:
            away = _AWAY if name in _OF_THE_WIRE or name.startswith(_AWAY) else ""
            lines.append(f"{away}{name}: {_BREAKS.sub(' ', value)}")
        self._bytes = ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "surrogateescape")

    def compute_headers_buffer(self, _header_filter: object = None) -> None:
        """What the writer calls for the bytes."""
        self.headers_buff = self._bytes


def _status_line(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return f"{status} "


def _document(record: WarcRecord, block: bytes, where: str) -> Document:
    head, separator, body = block.partition(b"\r\n\r\n")
    digest = _digest(body)
    if not separator or record.headers.get("WARC-Payload-Digest") != digest:
        raise ArchiveError(f"{where}: not what was kept; the file is cut off or damaged")
    status_line, *lines = head.decode("utf-8", "surrogateescape").split("\r\n")
    return Document(
        url=str(record.headers["WARC-Target-URI"]),
        final_url=str(record.headers[_FINAL_URL]),
        status=int(status_line.split(" ")[1]),
        headers=tuple(_header(line) for line in lines),
        body=body,
        digest=digest,
        fetched_at=datetime.fromisoformat(str(record.headers["WARC-Date"])),
        via=str(record.headers[_VIA]),
    )


def _header(line: str) -> tuple[str, str]:
    name, _, value = line.partition(": ")
    return name.removeprefix(_AWAY), value


def _digest(body: bytes) -> str:
    return "sha256:" + hashlib.sha256(body).hexdigest()
