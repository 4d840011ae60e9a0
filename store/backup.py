"""Database and archive backed up together, while workers run: into a folder, where a later backup copies only what is
new, or as one tar file.

The database is dumped first and the archive's files are copied then: they are only added to, so whatever the dump
names is in the copy. Retention and taking out wait meanwhile. The manifest, which comes last, has the SHA-256 of each
file.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Protocol

from sqlalchemy import Engine, text

from store.archive import files, is_written
from store.archive_job import archive_job
from store.dump import dump
from store.members import Member, members
from store.moved import SUFFIX as MOVED
from store.moved import sync_folder

MANIFEST = "manifest.json"
FORMAT = 1
ARCHIVE = "archive/"
_PIECE = 1 << 20


class BackupError(Exception):
    """A backup can't be made or restored. The message is one line."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of a backup; `mtime_ns` is that of the file it was copied from."""

    bytes: int
    sha256: str
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds: the file of the database's dump, the schema's revision, and all files by their name."""

    made_at: str
    revision: str
    database: str
    files: dict[str, Entry]

    def write(self) -> bytes:
        """The manifest as a file."""
        return (json.dumps({"format": FORMAT, **asdict(self)}, indent=1) + "\n").encode()

    @classmethod
    def read(cls, content: bytes) -> Manifest:
        """Read what `write` wrote. Raises `BackupError` for anything else."""
        try:
            held = json.loads(content)
            if held["format"] != FORMAT:
                raise BackupError(f"the backup is of format {held['format']}, which this version can't restore")
            entries = {str(name): Entry(**entry) for name, entry in held["files"].items()}
            return cls(str(held["made_at"]), str(held["revision"]), str(held["database"]), entries)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise BackupError(f"{MANIFEST} isn't that of a backup") from error


@dataclass(frozen=True, slots=True)
class BackedUp:
    """What a backup holds, and how many bytes of it had to be copied this time."""

    files: int
    bytes: int
    copied: int


def backup(engine: Engine, folder: Path, target: Path, progress: Callable[[int], None] = lambda _: None) -> BackedUp:
    """Back up the database and the archive in `folder` to `target`: a tar file where its name ends in .tar, a folder
    else. `progress` is told how many bytes of the archive were dealt with.

    Raises `BackupError`, `store.dump.DumpFailed`, `store.archive_job.ArchiveBusy`; what was backed up before is whole.
    """
    target = target.absolute()
    try:
        with archive_job(engine), _sink(target) as sink:
            return _back_up(engine, folder, sink, progress)
    except OSError as error:
        raise BackupError(f"{target}: can't back up there: {error.strerror or error}") from error


def backup_size(folder: Path) -> int:
    """How many bytes of the archive a backup would deal with."""
    return sum(file.stat().st_size for file in _sources(folder))


def _sources(folder: Path) -> list[Path]:
    return [*files(folder), *sorted(folder.glob(f"*{MOVED}"))]


def _back_up(engine: Engine, folder: Path, sink: _Sink, progress: Callable[[int], None]) -> BackedUp:
    now = datetime.now(UTC)
    database = f"database-{now:%Y%m%dT%H%M%S%f}.dump"
    with engine.connect() as connection:
        revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
    with tempfile.TemporaryDirectory(prefix=".citewell-", dir=sink.near) as place:
        dumped = Path(place) / database
        dumped.touch(mode=0o600)
        dump(engine, dumped)
        entries = {database: _put(sink, database, dumped, dumped.stat().st_size)}
    copied = entries[database].bytes
    for file in _sources(folder):
        name, status = ARCHIVE + file.name, file.stat()
        kept = sink.former(name)
        if kept is not None and (kept.bytes, kept.mtime_ns) == (status.st_size, status.st_mtime_ns):
            entries[name] = kept
        else:
            entries[name] = _put(sink, name, file, _whole(file) if is_written(file) else status.st_size)
            copied += entries[name].bytes
        progress(status.st_size)
    sink.finish(Manifest(now.isoformat(), revision, database, entries))
    return BackedUp(len(entries), sum(entry.bytes for entry in entries.values()), copied)


def _whole(file: Path) -> int:
    """How far a file that is being written to is whole."""
    return max((one.offset + one.length for one in members(file) if isinstance(one, Member)), default=0)


def _put(sink: _Sink, name: str, file: Path, length: int) -> Entry:
    changed = file.stat().st_mtime_ns
    with file.open("rb") as source:
        reading = _Hashed(source, length)
        sink.put(name, reading)
    if reading.left:
        raise BackupError(f"{file} became shorter while it was copied; do it again")
    return Entry(length, reading.digest.hexdigest(), changed)


class _Hashed(io.RawIOBase):
    """The first `left` bytes of a file, and the digest of what was read of them."""

    def __init__(self, source: BinaryIO, left: int) -> None:
        super().__init__()
        self._source, self.left, self.digest = source, left, hashlib.sha256()

    def readable(self) -> bool:
        """It is."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Up to `size` bytes more."""
        piece = self._source.read(self.left if size < 0 else min(size, self.left))
        self.left -= len(piece)
        self.digest.update(piece)
        return piece


class _Sink(Protocol):
    """Where a backup goes. `near`: a folder on the same disk."""

    near: Path

    def former(self, name: str) -> Entry | None:
        """The file of that name that an earlier backup left there, whole."""
        ...

    def put(self, name: str, source: _Hashed) -> None:
        """Add a file."""
        ...

    def finish(self, manifest: Manifest) -> None:
        """Make it a backup: until here it was none, or the earlier one."""
        ...


@contextmanager
def _sink(target: Path) -> Iterator[_Sink]:
    if target.suffix == ".tar":
        with _tar(target) as sink:
            yield sink
    else:
        yield _Folder(target)


class _Folder:
    """A folder with the files of a backup; made anew where there is none."""

    def __init__(self, folder: Path) -> None:
        manifest = folder / MANIFEST
        if folder.exists() and not manifest.exists() and any(folder.iterdir()):
            raise BackupError(f"{folder} holds other files: name an empty folder, or one that has a backup")
        self.near = folder
        self._folder = folder
        self._former = Manifest.read(manifest.read_bytes()) if manifest.exists() else None
        (folder / ARCHIVE).mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)

    def former(self, name: str) -> Entry | None:
        entry = self._former.files.get(name) if self._former else None
        path = self._folder / name
        return entry if entry and path.exists() and path.stat().st_size == entry.bytes else None

    def put(self, name: str, source: _Hashed) -> None:
        draft = self._folder / (name + ".part")
        draft.unlink(missing_ok=True)
        draft.touch(mode=0o600)
        with draft.open("wb") as file:
            while piece := source.read(_PIECE):
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        draft.rename(self._folder / name)

    def finish(self, manifest: Manifest) -> None:
        content = manifest.write()
        sync_folder(self._folder / ARCHIVE)
        self.put(MANIFEST, _Hashed(io.BytesIO(content), len(content)))
        sync_folder(self._folder)
        held = {path.relative_to(self._folder).as_posix(): path for path in self._folder.rglob("*") if path.is_file()}
        for name, path in held.items():
            # What the archive let go of, or was taken out, goes here too.
            if name not in manifest.files and (name.startswith((ARCHIVE, "database-")) or name.endswith(".part")):
                path.unlink()


@contextmanager
def _tar(target: Path) -> Iterator[_Tar]:
    if target.exists():
        raise BackupError(f"{target} is there already: name another file")
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.part")
    draft.unlink(missing_ok=True)
    draft.touch(mode=0o600)
    try:
        with tarfile.open(draft, "w") as archive:
            yield _Tar(archive, target.parent)
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        draft.rename(target)
        sync_folder(target.parent)
    finally:
        draft.unlink(missing_ok=True)


class _Tar:
    """A tar file, written once."""

    def __init__(self, archive: tarfile.TarFile, near: Path) -> None:
        self._archive, self.near = archive, near

    def former(self, name: str) -> Entry | None:
        del name  # nothing was there
        return None

    def put(self, name: str, source: _Hashed) -> None:
        member = tarfile.TarInfo(name)
        member.size, member.mode = source.left, 0o600
        self._archive.addfile(member, source)

    def finish(self, manifest: Manifest) -> None:
        content = manifest.write()
        self.put(MANIFEST, _Hashed(io.BytesIO(content), len(content)))
