"""Letting old bodies go: which documents are still needed, and the archive's old files written anew without the rest.

The database comes first: a document that is let go has no place any more, and only what no document has its place at
is left out of a file. A file is written anew beside the old one, then a note says where its records went
(`store.moved`), then the database learns it, then the old file goes. So a process that is killed at any moment leaves
every place readable, and the next run goes on.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from sqlalchemy import Engine, text
from sqlalchemy.orm import Session

from store.archive import SUFFIX, files, is_written
from store.archive_job import archive_job
from store.members import Damage, members
from store.moved import SUFFIX as MOVED
from store.moved import moves_of, now_at, sync_folder, write_moves
from store.record import ArchiveError, Place, warcinfo_member

_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class Rule:
    """What is kept: bodies met in the last `days` days, the `newest` ones of each address, and what verdicts need."""

    days: int
    newest: int = 1


@dataclass(slots=True)
class Retained:
    """What a retention did, or would do: documents without a body now, records left out, bytes less, files written
    anew or gone, and stretches that couldn't be read and so were left out too, each in words.
    """

    documents: int = 0
    records: int = 0
    freed: int = 0
    files: int = 0
    damaged: list[str] = field(default_factory=list)


def retain(
    engine: Engine,
    folder: Path,
    rule: Rule,
    *,
    dry_run: bool = False,
    now: datetime | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Retained:
    """Let go what `rule` doesn't keep; `progress` is told how many bytes of old files were looked through.

    Raises `ArchiveError` where the disk refuses a new file (all is whole then), `store.archive_job.ArchiveBusy`.
    """
    if rule.days < 1 or rule.newest < 1:
        raise ValueError("at least one day, and the newest body of an address, are kept")
    until = (now or datetime.now(UTC)) - timedelta(days=rule.days)
    done = Retained()
    with archive_job(engine):
        if not dry_run:
            _finish(engine, folder)
        gone = _let_go(engine, until, rule.newest, dry_run)
        done.documents = sum(map(len, gone.values()))
        for file in old_files(folder, until):
            needed = _needed(engine, file.name) - (gone.get(file.name, set()) if dry_run else set())
            _renew(engine, file, needed, done, dry_run)
            progress(file.stat().st_size if file.exists() else 0)
    return done


def old_files(folder: Path, until: datetime) -> list[Path]:
    """The files whose whole day was before `until`: nobody writes to them, nor reads what is newer in them."""
    return [file for file in files(folder) if (day := _day(file)) and day < until.date() and not is_written(file)]


def _day(file: Path) -> date | None:
    try:
        return datetime.strptime(file.name[:8], "%Y%m%d").replace(tzinfo=UTC).date()
    except ValueError:
        return None


def _let_go(engine: Engine, until: datetime, newest: int, dry_run: bool) -> Mapping[str, set[int]]:
    """Take the places from the documents that aren't needed; where those were."""
    places: dict[str, set[int]] = {}
    with Session(engine) as session, session.begin():
        query = _FREE if dry_run else _LET_GO
        for warc, offset in session.execute(text(query), {"until": until, "newest": newest}):
            places.setdefault(warc, set()).add(offset)
    return places


def _needed(engine: Engine, warc: str) -> set[int]:
    with Session(engine) as session:
        return set(session.scalars(text("SELECT warc_offset FROM document WHERE warc = :warc"), {"warc": warc}))


def _renew(engine: Engine, file: Path, needed: Collection[int], done: Retained, dry_run: bool) -> None:
    """Write a file anew with the records that are needed, and let the old one go; or count what that would do."""
    stays: list[tuple[int, int]] = []  # offset and length
    left_out, damage = 0, []
    for found in members(file):
        if isinstance(found, Damage):
            damage.append(f"{file.name}: {found.length} bytes at {found.offset}: {found.why}")
        elif found.offset in needed:
            stays.append((found.offset, found.length))
        elif found.head.kind != "warcinfo":
            left_out += 1
    if not left_out and not (damage and not needed):
        return  # a damaged file of which all else is needed stays for someone to mend
    size = file.stat().st_size
    done.records, done.files = done.records + left_out, done.files + 1
    done.damaged += damage
    if dry_run:
        done.freed += size - sum(length for _, length in stays)
        return
    if stays:
        try:
            new, moves = _written(file, stays)
        except OSError as error:
            raise ArchiveError(
                f"{file.parent}: can't write {file.name} anew: {error.strerror}. Nothing is lost; do it again"
            ) from error
        write_moves(file.parent, file.name, moves)
        size -= new.stat().st_size
        _move(engine, file.name, moves)
    else:
        _move(engine, file.name, {})
    done.freed += size
    file.unlink()
    sync_folder(file.parent)


def _written(file: Path, stays: list[tuple[int, int]]) -> tuple[Path, Mapping[int, Place]]:
    """A new file of the same day with these records, byte for byte, and where each is in it."""
    name = f"{file.name[:8]}-{os.getpid()}-{secrets.token_hex(4)}{SUFFIX}"
    draft, new = file.parent / f".{name}.part", file.parent / name
    moves = {}
    try:
        draft.touch(mode=0o600, exist_ok=False)
        with file.open("rb") as source, draft.open("r+b") as target:
            target.write(warcinfo_member(name))
            for offset, length in stays:
                moves[offset] = Place(name, target.tell())
                source.seek(offset)
                left = length
                while left:
                    piece = source.read(min(left, _PIECE))
                    if not piece:
                        raise OSError(0, "the old file has become shorter")
                    target.write(piece)
                    left -= len(piece)
            target.flush()
            os.fsync(target.fileno())
        draft.rename(new)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    sync_folder(file.parent)
    return new, moves


def _move(engine: Engine, warc: str, moves: Mapping[int, Place]) -> None:
    """Have the database say where the records of a file are now, and that the others aren't kept."""
    given = {
        "warc": warc,
        "former": list(moves),
        "warcs": [place.warc for place in moves.values()],
        "offsets": [place.offset for place in moves.values()],
    }
    with Session(engine) as session, session.begin():
        for table in ("document", "try"):
            session.execute(text(_MOVE.format(table=table)), given)
            session.execute(text(_FORGET.format(table=table)), {"warc": warc})


def _finish(engine: Engine, folder: Path) -> None:
    """Do what a run that was killed had begun; let go of notes about records that aren't there any more."""
    for draft in folder.glob(".*.part"):
        draft.unlink()
    for note in folder.glob(f"*{MOVED}"):
        warc = note.name.removesuffix(MOVED)
        moves = moves_of(folder, warc) or {}
        if (folder / warc).exists():
            _move(engine, warc, moves)
            (folder / warc).unlink()
        elif not any(now_at(folder, place) or (folder / place.warc).exists() for place in moves.values()):
            note.unlink()


# A worker rests only on the newest body of an address, or on one that it had when it leased the pair.
_FREE = """
WITH leased AS (
  SELECT md5(address.value ->> 'url') AS url_key
  FROM pair, jsonb_array_elements(pair.urls) AS address WHERE pair.state = 'leased'
), ranked AS (
  SELECT id, url_key, kept_at, row_number() OVER (PARTITION BY url_key ORDER BY kept_at DESC, id DESC) AS age
  FROM document WHERE warc IS NOT NULL
)
SELECT document.warc, document.warc_offset
FROM document JOIN ranked USING (id)
WHERE ranked.kept_at < :until AND ranked.age > :newest
  AND NOT EXISTS (SELECT FROM leased WHERE leased.url_key = ranked.url_key)
  AND NOT EXISTS (
    SELECT FROM verdict WHERE verdict.document_id = document.id AND (
      verdict.current OR EXISTS (SELECT FROM review WHERE review.verdict_id = verdict.id AND undone_at IS NULL)))
"""

_LET_GO = f"""
WITH free AS MATERIALIZED ({_FREE.replace("SELECT document.warc,", "SELECT document.id, document.warc,")})
UPDATE document SET warc = NULL, warc_offset = NULL FROM free
WHERE document.id = free.id AND (document.warc, document.warc_offset) = (free.warc, free.warc_offset)
RETURNING free.warc, free.warc_offset
"""  # noqa: S608 - all parts are ours

_MOVE = """
UPDATE {table} SET warc = moved.warc, warc_offset = moved.warc_offset
FROM unnest(CAST(:former AS bigint[]), CAST(:warcs AS text[]), CAST(:offsets AS bigint[]))
  AS moved(former, warc, warc_offset)
WHERE {table}.warc = :warc AND {table}.warc_offset = moved.former
"""

_FORGET = "UPDATE {table} SET warc = NULL, warc_offset = NULL WHERE warc = :warc"
