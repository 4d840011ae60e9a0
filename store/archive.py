"""The archive of pages as they were read: WARC files, one gzip member a record, only ever added to.

A file is one process's, for one UTC day and up to a size. `store.record` says what a record holds.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import shutil
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from threading import Lock

from models.document import Document
from store.moved import now_at, sync_folder
from store.record import (
    Answer,
    ArchiveError,
    Head,
    Place,
    document_member,
    read_document,
    read_member,
    read_revisit,
    response_member,
    revisit_member,
    warcinfo_member,
)

SUFFIX = ".warc.gz"
LOOK_S = 1.0  # how long the sum of all files' sizes is taken to hold
LEAST_ROOM = 1 << 20  # bytes; where less is left of the disk nobody is asked for a page
_MOST_REVISITS = 8


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much is written, in bytes: to one file before the next is begun, and in all (0: no bound).

    Everything in the archive's folder counts. A record that is larger than a file may be stands in a file alone.
    """

    file_bytes: int = 1_000_000_000
    max_bytes: int = 0


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Archive:
    """The archive in `folder`. Each process writes to files of its own; any process reads them all."""

    def __init__(self, folder: Path, bounds: Bounds | None = None, now: Callable[[], datetime] = _utc_now) -> None:
        self._folder, self._bounds, self._now = folder, bounds or Bounds(), now
        self._writing = Lock()
        self._own: _Own | None = None
        self._used, self._looked = 0, -LOOK_S

    @property
    def folder(self) -> Path:
        """Where its files stand."""
        return self._folder

    def keep(self, document: Document) -> Place:
        """Write `document` as a response record and return its place; it is on the disk by then.

        Raises `ArchiveError` where the disk or the bound refuses it, or the document can't be held by a record. What
        was kept before is whole all the same, and the next call tries again.
        """
        return self._keep(document.url, [document_member(document)])[0]

    def keep_all(self, documents: Sequence[Document]) -> list[Place]:
        """The same for several at once, which is quicker for slow disks: all are kept, or none.

        Raises `ArchiveError`.
        """
        what = f"{len(documents)} pages" if len(documents) != 1 else documents[0].url
        return self._keep(what, [document_member(document) for document in documents])

    def keep_failure(
        self,
        url: str,
        final_url: str,
        at: datetime,
        status: int,
        phrase: str,
        headers: tuple[tuple[str, str], ...] = (),
        body: bytes = b"",
        chain: tuple[str, ...] = (),
        *,
        truncated: bool = False,
    ) -> Place:
        """Write an answer that brought no page (a 404's, say). `truncated`: `body` is only its beginning.

        Raises `ArchiveError`.
        """
        answer = Answer(url, final_url, at, status, phrase, headers, body, chain=chain, truncated=truncated)
        return self._keep(url, [response_member(answer)])[0]

    def revisit(
        self,
        document_place: Place,
        url: str,
        final_url: str,
        at: datetime,
        headers: tuple[tuple[str, str], ...],
        status: int = 304,
        chain: tuple[str, ...] = (),
        via: str = "live",
    ) -> Place:
        """Write that `url` has the same body still as is kept at `document_place`: by its server's word (304), or
        because it came again (any other status). Reading the new place gives that body.

        Raises `ArchiveError`, also where there is no such record.
        """
        head, _, body_at = self._record(document_place)
        for _ in range(_MOST_REVISITS):
            if head.body_at is None:
                break
            head, _, body_at = self._record(head.body_at)
        if head.taken_out or head.kind != "response":
            raise ArchiveError(f"{self._folder / body_at.warc} at {body_at.offset}: holds no body to refer to")
        answer = Answer(url, final_url, at, status, "", headers, via=via, chain=chain)
        return self._keep(url, [revisit_member(answer, head, body_at)])[0]

    def check_room(self) -> None:
        """Whether a page could be kept at all, so that nobody is asked for one in vain. Raises `ArchiveError`."""
        with self._writing:
            self._check_room(min(LEAST_ROOM, self._bounds.max_bytes // 100))
        if self._folder.exists() and shutil.disk_usage(self._folder).free < LEAST_ROOM:
            raise ArchiveError(f"{self._folder}: the disk is full, so nothing is fetched: make room")

    def read(self, place: Place) -> Document:
        """The document at `place`; for a revisit, with the body that it refers to.

        Raises `ArchiveError` where it is missing, cut off, taken out or not what was kept.
        """
        return self._read(place, _MOST_REVISITS)

    def _read(self, place: Place, hops: int) -> Document:
        head, block, _ = self._record(place)
        where = f"{self._folder / place.warc} at {place.offset}"
        try:
            if head.body_at is None:
                return read_document(head, block, where)
            if not hops:
                raise ArchiveError(f"{where}: revisits refer to one another")
            return read_revisit(head, block, self._read(head.body_at, hops - 1), where)
        except (ValueError, LookupError) as error:
            raise ArchiveError(f"{where}: can't be read back: {error}") from error

    def _record(self, place: Place) -> tuple[Head, bytes, Place]:
        """The record at `place`, and where it is now."""
        file = self._folder / place.warc
        where = f"{file} at {place.offset}"
        if not file.resolve().is_relative_to(self._folder.resolve()):
            raise ArchiveError(f"{where}: outside the archive")
        try:
            with file.open("rb") as stream:
                stream.seek(place.offset)
                head, block = read_member(stream)
        except FileNotFoundError:
            moved = now_at(self._folder, place)
            if moved is None:
                raise ArchiveError(f"{where}: no such file in the archive") from None
            return self._record(moved)
        except (OSError, ValueError) as error:
            raise ArchiveError(f"{where}: can't be read back: {error}") from error
        return head, block, place

    def _keep(self, what: str, members: list[bytes]) -> list[Place]:
        with self._writing:
            try:
                return [place for some in self._split(members) for place in self._append(some)]
            except OSError as error:
                raise ArchiveError(
                    f"{self._folder}: can't keep {what}: {error.strerror}. Nothing that was kept is lost."
                ) from error

    def _split(self, members: list[bytes]) -> list[list[bytes]]:
        """Members in groups that a file may hold."""
        groups: list[list[bytes]] = []
        for member in members:
            if groups and sum(map(len, groups[-1])) + len(member) <= self._bounds.file_bytes:
                groups[-1].append(member)
            else:
                groups.append([member])
        return groups

    def _append(self, members: list[bytes]) -> list[Place]:
        length = sum(map(len, members))
        self._check_room(length)
        own = self._file(length)
        offset = own.size()
        begin = warcinfo_member(own.path.name) if offset == 0 else b""
        try:
            own.append(begin + b"".join(members))
        except OSError:
            if not own.cut_back(offset):
                self._own = None  # what it holds is whole up to there; the next record begins another file
            raise
        self._used += len(begin) + length
        places = []
        at = offset + len(begin)
        for member in members:
            places.append(Place(own.path.name, at))
            at += len(member)
        return places

    def _check_room(self, length: int) -> None:
        most = self._bounds.max_bytes
        if not most:
            return
        if time.monotonic() >= self._looked + LOOK_S:
            self._used, self._looked = _size(self._folder), time.monotonic()
        if self._used + length > most:
            raise ArchiveError(
                f"{self._folder}: archive.max_bytes ({most}) is reached, so nothing more is kept: raise it, or let old "
                "pages go with `python -m bot archive retain`"
            )

    def _file(self, length: int) -> _Own:
        day = self._now().astimezone(UTC).date()
        own = self._own
        if own is not None and own.is_ours(day) and own.holds(length, self._bounds.file_bytes):
            return own
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._own = None
        name = f"{day:%Y%m%d}-{os.getpid()}-{secrets.token_hex(4)}{SUFFIX}"
        self._own = own = _Own(self._folder / name, day)
        sync_folder(self._folder)
        return own


class _Own:
    """The file that this process writes to; its lock says for as long as the process lives that it is written to."""

    def __init__(self, path: Path, day: date) -> None:
        self.path, self._day, self._process = path, day, os.getpid()
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o600)
        weakref.finalize(self, os.close, self._descriptor)
        with suppress(OSError):  # a disk that knows no locks
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def is_ours(self, day: date) -> bool:
        """Whether to go on with it: a fork has another, and so has another day, and nobody took it away."""
        return self._process == os.getpid() and self._day == day and self.path.exists()

    def size(self) -> int:
        """How many bytes it has."""
        return os.fstat(self._descriptor).st_size

    def holds(self, more: int, most: int) -> bool:
        """Whether so many bytes have room in it."""
        size = self.size()
        return size == 0 or size + more <= most

    def append(self, data: bytes) -> None:
        """Add to it and have it on the disk."""
        left = memoryview(data)
        while left:
            left = left[os.write(self._descriptor, left) :]
        os.fsync(self._descriptor)

    def cut_back(self, size: int) -> bool:
        """Make it so long again, after a write that failed half-way; whether that went well."""
        try:
            os.ftruncate(self._descriptor, size)
        except OSError:
            return False
        return True


def is_written(path: Path) -> bool:
    """Whether a process is writing to the file: its end may be a record that isn't whole yet."""
    with path.open("rb") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False  # a disk that knows no locks
    return False


def files(folder: Path) -> list[Path]:
    """The files of an archive, the oldest days first; none where there is no such folder."""
    return sorted(path for path in folder.glob(f"*{SUFFIX}") if not path.name.startswith("."))


def _size(folder: Path) -> int:
    """How many bytes the files of a folder have."""
    total = 0
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):  # taken away meanwhile
                    total += entry.stat().st_size if entry.is_file() else 0
    except FileNotFoundError:
        return 0
    return total


__all__ = ["Answer", "Archive", "ArchiveError", "Bounds", "Place", "files", "is_written"]
