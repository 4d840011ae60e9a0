"""Retention: what verdicts, people and the newest bodies need stays readable, the rest goes, whenever it is killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import Counter
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator
from kept_pages import bodies, keep
from sqlalchemy import Engine, create_engine, func, select, text, update
from sqlalchemy.orm import Session
from store_rows import again, document, judge, selected, verdict, walked

from store import archive_job as archive_job_module
from store import retention, schema
from store.archive import Archive, files
from store.archive_job import ArchiveBusy, archive_job
from store.check import check
from store.documents import latest_document, place_of, put_document
from store.members import Damage, members
from store.record import ArchiveError, Place
from store.retention import Rule, retain
from store.reviews import decide
from store.work import lease

URL = "https://www.example.org/1"
MONTH = Rule(days=30)


def _three(session: Session, folder: Path) -> list[schema.Document]:
    """Three bodies of one address, all older than a month, in files of three days, with large ones beside them."""
    return [keep(session, folder, URL, body, days) for body, days in ((b"first", 90), (b"second", 80), (b"third", 70))]


def test_what_nothing_rests_on_goes_and_the_newest_stays(session: Session, engine: Engine, tmp_path: Path) -> None:
    _three(session, tmp_path)
    recent = keep(session, tmp_path, "https://b.example/", b"recent", 2)
    session.commit()
    before = sum(file.stat().st_size for file in files(tmp_path))
    done = retain(engine, tmp_path, MONTH)
    assert bodies(session, tmp_path) == {URL: [b"third"], "https://b.example/": [b"recent"]}
    assert (done.documents, done.records, done.files, done.damaged) == (2, 2, 2, [])
    assert before - sum(file.stat().st_size for file in files(tmp_path)) == done.freed > 0
    assert place_of(recent) is not None
    content = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert len(list(tmp_path.iterdir())) == 2
    assert URL.encode() not in content  # packed, that is; and no note names it


def test_as_many_of_the_newest_as_the_rule_says(session: Session, engine: Engine, tmp_path: Path) -> None:
    _three(session, tmp_path)
    assert retain(engine, tmp_path, Rule(30, newest=2)).documents == 1
    assert bodies(session, tmp_path) == {URL: [b"second", b"third"]}


def test_what_a_current_verdict_or_a_persons_decision_rests_on_stays(
    session: Session, engine: Engine, tmp_path: Path
) -> None:
    first, second, third = _three(session, tmp_path)
    keep(session, tmp_path, URL, b"fourth", 60)
    walked(session, selected())
    (task,) = lease(session, "w", 1, 60)
    judge(session, task, verdict(), first)
    decide(session, session.scalars(select(schema.Verdict.id)).one(), "ann", "supports")
    judge(session, again(session, task.pair_id), verdict(), second)
    judge(session, again(session, task.pair_id), verdict(), third)
    session.commit()
    assert retain(engine, tmp_path, MONTH).documents == 1
    assert bodies(session, tmp_path) == {URL: [b"first", b"third", b"fourth"]}
    session.execute(update(schema.Review).values(undone_at=func.now()))
    session.commit()
    assert retain(engine, tmp_path, MONTH).documents == 1
    assert bodies(session, tmp_path) == {URL: [b"third", b"fourth"]}


def test_a_page_that_is_being_judged_is_left_alone(session: Session, engine: Engine, tmp_path: Path) -> None:
    _three(session, tmp_path)
    walked(session, selected())
    lease(session, "w", 1, 60)
    session.commit()
    assert retain(engine, tmp_path, MONTH).documents == 0


def test_a_dry_run_says_the_same_and_changes_nothing(session: Session, engine: Engine, tmp_path: Path) -> None:
    _three(session, tmp_path)
    keep(session, tmp_path, "https://b.example/", os.urandom(5000), 90)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    would = retain(engine, tmp_path, MONTH, dry_run=True)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
    assert len(bodies(session, tmp_path)[URL]) == 3
    assert would == retain(engine, tmp_path, MONTH)
    assert retain(engine, tmp_path, MONTH) == retention.Retained()


def _day_of_many(session: Session, folder: Path) -> tuple[Place, Place]:
    """One old file with five pages of which every second has a newer body; the first place, and one that stays."""
    archive = Archive(folder, now=lambda: retention.datetime(2026, 1, 1, tzinfo=retention.UTC))
    places = []
    for number in range(5):
        url = f"https://{number}.example/"
        place = archive.keep(document(url, os.urandom(2000)))
        places.append(place)
        session.add(
            schema.Document(
                url=url, final_url=url, domain=f"{number}.example", status=200, warc=place.warc,
                warc_offset=place.offset, digest=archive.read(place).digest,
                fetched_at=retention.datetime(2026, 1, 1, tzinfo=retention.UTC),
                kept_at=retention.datetime(2026, 1, 1, tzinfo=retention.UTC),
            )
        )  # fmt: skip
    session.commit()
    for number in (0, 2, 4):
        keep(session, folder, f"https://{number}.example/", b"newer")
    return places[0], places[1]


def test_records_that_stay_are_found_by_their_former_places_too(
    session: Session, engine: Engine, tmp_path: Path
) -> None:
    gone, stays = _day_of_many(session, tmp_path)
    archive = Archive(tmp_path)
    former = archive.read(stays)
    revisit = archive.revisit(stays, former.url, former.url, former.fetched_at, ())
    retain(engine, tmp_path, MONTH)
    assert not (tmp_path / stays.warc).exists()
    assert archive.read(stays) == former
    assert archive.read(revisit).body == former.body
    assert archive.read(archive.revisit(stays, former.url, former.url, former.fetched_at, ())).body == former.body
    with pytest.raises(ArchiveError, match="no such file in the archive"):
        archive.read(gone)
    (new,) = {row.warc for row in session.scalars(select(schema.Document).where(schema.Document.url.like("%1.ex%")))}
    assert new is not None
    assert new.startswith("20260101-")
    assert (tmp_path / new).stat().st_mode & 0o777 == 0o600
    with (tmp_path / new).open("rb") as stream:
        kinds = [record.headers["WARC-Type"] for record in ArchiveIterator(stream)]
    assert kinds == ["warcinfo", "response", "response"]


def test_a_note_about_moves_goes_when_none_of_its_records_is_there(
    session: Session, engine: Engine, tmp_path: Path
) -> None:
    _day_of_many(session, tmp_path)
    retain(engine, tmp_path, MONTH)
    assert len(list(tmp_path.glob("*.moved"))) == 1
    for number in (1, 3):
        keep(session, tmp_path, f"https://{number}.example/", b"newer")
    retain(engine, tmp_path, MONTH)
    retain(engine, tmp_path, MONTH)
    assert list(tmp_path.glob("*.moved")) == []
    assert len(bodies(session, tmp_path)) == 5


STEPS = 9


def _retain_until(url: str, folder: Path, step: int) -> None:
    """A retention that is killed when it is about to do its step number `step` on disk or database."""
    left = step

    def counted(owner: object, name: str) -> None:
        plain = getattr(owner, name)

        def then(*arguments: object, **named: object) -> object:
            nonlocal left
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return plain(*arguments, **named)

        setattr(owner, name, then)

    for name in ("_let_go", "_needed", "_written", "warcinfo_member", "write_moves", "_move", "sync_folder"):
        counted(retention, name)
    counted(Path, "unlink")
    retain(create_engine(url), folder, MONTH)
    os._exit(0)


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded, use of fork:DeprecationWarning")
@pytest.mark.parametrize("step", range(STEPS + 1))
def test_killed_at_any_moment_it_loses_nothing_and_the_next_one_goes_on(
    session: Session, engine: Engine, database_url: str, tmp_path: Path, step: int
) -> None:
    folder = tmp_path / "archive"
    _, stays = _day_of_many(session, folder)
    needed = {url: found[-1:] for url, found in bodies(session, folder).items()}
    child = multiprocessing.get_context("fork").Process(target=_retain_until, args=(database_url, folder, step))
    child.start()
    child.join()
    assert child.exitcode == (-signal.SIGKILL if step < STEPS else 0)
    after = bodies(session, folder)  # every place that the database has can be read
    assert {url: found[-1:] for url, found in after.items()} == needed
    Archive(folder).read(stays)
    retain(engine, folder, MONTH)
    assert bodies(session, folder) == needed
    assert not list(folder.glob(".*"))
    retain(engine, folder, MONTH)
    assert len(files(folder)) == 1 + 3  # the old day's, and those of the newer bodies
    assert not [found for file in files(folder) for found in members(file) if isinstance(found, Damage)]


def test_one_job_at_a_time(session: Session, engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_job_module, "WAIT_S", 0.0)
    with archive_job(engine), pytest.raises(ArchiveBusy, match="another retention, take-out or backup"):
        retain(engine, tmp_path, MONTH)
    retain(engine, tmp_path, MONTH)


def test_workers_read_and_write_meanwhile_and_never_miss_a_newest_body(
    session: Session, engine: Engine, tmp_path: Path
) -> None:
    urls = [f"https://{number}.example/" for number in range(12)]
    for days in (90, 60, 40):
        for url in urls:
            keep(session, tmp_path, url, os.urandom(3000), days)
    stop, missed, kept = threading.Event(), list[str](), Counter[str]()

    def work(mine: list[str]) -> None:
        archive = Archive(tmp_path)
        with Session(engine) as own:
            while not stop.is_set():
                for url in mine:
                    newest = latest_document(own, url)
                    place = place_of(newest) if newest else None
                    own.rollback()
                    try:
                        assert place is not None
                        archive.read(place)
                    except (ArchiveError, AssertionError) as error:
                        missed.append(f"{url}: {error}")
                    page = document(url, os.urandom(300))
                    put_document(own, page, archive.keep(page))
                    own.commit()
                    kept[url] += 1

    workers = [threading.Thread(target=work, args=(urls[half::2],)) for half in (0, 1)]
    for worker in workers:
        worker.start()
    for _ in range(3):
        retain(engine, tmp_path, MONTH)
    stop.set()
    for worker in workers:
        worker.join()
    retain(engine, tmp_path, MONTH)
    found = bodies(session, tmp_path)
    assert missed == []
    assert sum(map(len, found.values())) <= sum(kept.values()) + len(urls)
    assert all(len(found[url]) >= kept[url] > 0 for url in urls)
    assert check(engine, tmp_path).sound


def test_damage_in_an_old_file_is_told_and_costs_no_other_record(
    session: Session, engine: Engine, tmp_path: Path
) -> None:
    gone, stays = _day_of_many(session, tmp_path)
    file = tmp_path / gone.warc
    whole = bytearray(file.read_bytes())
    whole[stays.offset + 300] ^= 0xFF
    file.write_bytes(whole)
    done = retain(engine, tmp_path, MONTH)
    (told,) = done.damaged
    assert told.startswith(f"{file.name}: ")
    assert f"at {stays.offset}: damaged" in told
    found = bodies(session, tmp_path)
    assert set(found) == {f"https://{number}.example/" for number in (0, 2, 3, 4)}
    assert session.scalar(text("SELECT count(*) FROM document WHERE warc IS NULL")) == 3 + 1


def test_a_disk_without_room_leaves_all_as_it_was(
    session: Session, engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _day_of_many(session, tmp_path)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(
            ArchiveError, match=r"can't write 20260101.* anew: No space left on device\. Nothing is lost"
        ):
            retain(engine, tmp_path, MONTH)
    assert {url: found[-1:] for url, found in bodies(session, tmp_path).items()}.keys() == {
        f"https://{number}.example/" for number in range(5)
    }
    retain(engine, tmp_path, MONTH)
    assert len(bodies(session, tmp_path)) == 5


def test_files_of_others_in_the_folder_are_left(session: Session, engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "notes.warc.gz").write_bytes(b"not ours")
    (tmp_path / "ballast").write_bytes(b"x")
    assert retain(engine, tmp_path, MONTH) == retention.Retained()
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("rule", [Rule(0), Rule(30, 0)])
def test_a_rule_that_keeps_nothing_is_refused(engine: Engine, tmp_path: Path, rule: Rule) -> None:
    with pytest.raises(ValueError, match="at least one day"):
        retain(engine, tmp_path, rule)
