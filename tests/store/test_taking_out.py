"""Taking out: what was asked for is gone from files and tables, stays out, and takes nothing else with it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from kept_pages import bodies, keep
from sqlalchemy import Engine, create_engine, select, text
from sqlalchemy.orm import Session
from store_rows import FETCHED, again, document, judge, pair_row, selected, verdict, walked
from warcio.archiveiterator import ArchiveIterator

from models.outcome import NotJudged, Outcome
from models.statement import SourceUrl, Term
from store import archive_job as archive_job_module
from store import schema, taking_out
from store.archive import Archive, ArchiveError, Bounds, Place, files
from store.archive_job import ArchiveBusy, archive_job
from store.documents import place_of
from store.members import Damage, members
from store.taken_out import DETAIL, is_taken_out, items_taken_out, keeping, list_taken_out
from store.taking_out import Out, Request, let_in, take_out
from store.walk import put_terms
from store.work import lease

URL = "https://www.example.org/1"
OTHER = "https://www.example.org/2"
ANN = Request("url", URL, "ann", "asked for by mail")


def _judged(session: Session, folder: Path, number: int = 1, **changes: object) -> tuple[int, schema.Document]:
    """A pair that was judged by a page that the archive really keeps."""
    pair = selected(number, **changes)
    walked(session, pair)
    (task,) = lease(session, "w", 1, 60)
    row = keep(session, folder, pair.urls[0].url, f"<p>secret of {number}</p>".encode())
    judge(session, task, verdict(), row)
    session.commit()
    return task.pair_id, row


def _read_all(folder: Path) -> bytes:
    """All that any reader finds in the archive."""
    found = b""
    for file in files(folder):
        with file.open("rb") as stream:
            for record in ArchiveIterator(stream, check_digests="raise"):
                found += record.rec_headers.to_bytes() + record.content_stream().read()
    return found


def _tables(session: Session) -> str:
    """All that the database holds of verdicts, passages, documents and items."""
    session.rollback()
    names = ("verdict", "evidence", "document", "try", "statement", "item")
    return "\n".join(str(session.execute(text(f'SELECT * FROM "{name}"')).all()) for name in names)


def test_a_page_is_out_of_the_files_and_the_tables_and_its_pair_waits(
    session: Session, engine: Engine, tmp_path: Path
) -> None:
    pair_id, row = _judged(session, tmp_path)
    _judged(session, tmp_path, 2)
    place = place_of(row)
    assert place is not None
    size = (tmp_path / place.warc).stat().st_size
    out = take_out(engine, tmp_path, ANN)
    assert (out.addresses, out.documents, out.records, out.passages, out.pairs) == ([URL], 1, 1, 1, 1)
    assert b"secret of 1" not in _read_all(tmp_path)
    assert URL.encode() not in _read_all(tmp_path)
    assert (tmp_path / place.warc).stat().st_size == size  # each other record stands where it stood
    with pytest.raises(ArchiveError, match="taken out on request on 20"):
        Archive(tmp_path).read(place)
    assert bodies(session, tmp_path) == {OTHER: [b"<p>secret of 2</p>"]}
    current = session.scalars(select(schema.Verdict).where(schema.Verdict.pair_id == pair_id)).one()
    assert (current.stale, current.evidence, current.reason, current.stance) == (True, [], "", "refutes")
    pair = pair_row(session, pair_id)
    assert (pair.state, pair.tries) == ("waiting", 0)
    assert _tables(session).count("Born in 1901.") == 1  # the other's
    assert is_taken_out(session, [URL, OTHER, "http://example.org/1/"]) == {URL, "http://example.org/1/"}
    (said,) = list_taken_out(session)
    assert (said.kind, said.target, said.by, said.reason) == ("url", URL, "ann", "asked for by mail")
    assert said.done_at is not None


def test_earlier_bodies_drawn_pages_unread_ones_and_revisits_are_out_too(
    session: Session, engine: Engine, tmp_path: Path
) -> None:
    archive = Archive(tmp_path)
    first = keep(session, tmp_path, URL, b"an earlier secret", 400)
    keep(session, tmp_path, URL, b"a drawn secret")
    keep(session, tmp_path, "http://example.org/1#life", b"a secret spelled otherwise")
    place = place_of(first)
    assert place is not None
    archive.revisit(place, URL, URL, FETCHED, (("x-note", "a secret header"),))
    archive.keep(document(URL, b"a secret that no row knows"))
    archive.keep_failure(URL, URL, FETCHED, 404, "secret", body=b"a secret that is gone")
    archive.keep(replace(document("https://t.example/1", b"a secret by redirect"), final_url=URL))
    archive.keep(
        replace(
            document("https://t.example/2", b"a secret on the way"),
            chain=("https://t.example/2", URL, "https://z.example/"),
        )
    )
    copy = f"https://web.archive.org/web/2020/{URL}"
    keep(session, tmp_path, copy, b"a copied secret")
    keep(session, tmp_path, OTHER, b"something else")
    out = take_out(engine, tmp_path, ANN)
    assert (out.records, out.documents) == (9, 4)
    assert b"secret" not in _read_all(tmp_path)
    assert bodies(session, tmp_path) == {OTHER: [b"something else"]}
    assert is_taken_out(session, [copy])


def test_what_leads_to_the_page_stays_out_and_so_do_nameless_copies(
    session: Session, engine: Engine, tmp_path: Path
) -> None:
    short, nameless, unrelated = "https://t.example/a", "https://archive.example/XyZ", "https://archive.example/Abc"
    _judged(session, tmp_path, urls=(SourceUrl(short, "live"), SourceUrl(nameless, "archive")))
    moved = replace(document(short, b"<p>moved</p>"), final_url=URL)
    session.execute(text("UPDATE document SET final_url = :url WHERE url = :short"), {"url": URL, "short": short})
    Archive(tmp_path).keep(moved)
    _judged(session, tmp_path, 2, urls=(SourceUrl(OTHER, "live"), SourceUrl(unrelated, "archive")))
    out = take_out(engine, tmp_path, ANN)
    assert out.addresses == [URL, short, nameless]
    assert is_taken_out(session, [short, nameless, unrelated, OTHER]) == {short, nameless}
    assert (out.records, out.pairs) == (2, 1)


def test_other_addresses_with_the_same_body_are_named_and_left(
    session: Session, engine: Engine, tmp_path: Path
) -> None:
    keep(session, tmp_path, URL, b"the same")
    keep(session, tmp_path, OTHER, b"the same")
    out = take_out(engine, tmp_path, ANN)
    assert out.beside == [OTHER]
    assert bodies(session, tmp_path) == {OTHER: [b"the same"]}


def test_a_pair_in_a_workers_hands_is_taken_from_it(session: Session, engine: Engine, tmp_path: Path) -> None:
    pair_id, row = _judged(session, tmp_path)
    task = again(session, pair_id)
    session.commit()
    take_out(engine, tmp_path, ANN)
    assert not judge(session, task, verdict(0.3), row)
    session.commit()
    assert "Born in 1901." not in _tables(session)


def test_what_is_being_kept_meanwhile_is_waited_for(session: Session, engine: Engine, tmp_path: Path) -> None:
    keeping(session)
    assert not is_taken_out(session, [URL])
    taking = threading.Thread(target=take_out, args=(engine, tmp_path, ANN))
    taking.start()
    taking.join(0.3)
    assert taking.is_alive()
    keep(session, tmp_path, URL, b"a late secret")  # commits
    taking.join(60)
    assert bodies(session, tmp_path) == {}
    assert b"secret" not in _read_all(tmp_path)


def test_a_dry_run_says_the_same_and_changes_nothing(session: Session, engine: Engine, tmp_path: Path) -> None:
    _judged(session, tmp_path)
    before = _tables(session), _read_all(tmp_path)
    would = take_out(engine, tmp_path, replace(ANN, dry_run=True))
    assert (_tables(session), _read_all(tmp_path)) == before
    assert not is_taken_out(session, [URL])
    assert would == take_out(engine, tmp_path, ANN)


def test_doing_it_again_under_another_spelling_is_the_same_request(
    session: Session, engine: Engine, tmp_path: Path
) -> None:
    _judged(session, tmp_path)
    take_out(engine, tmp_path, ANN)
    again_ = take_out(engine, tmp_path, Request("url", "http://example.org/1", "bob"))
    assert (again_.records, again_.documents) == (0, 1)
    assert len(list_taken_out(session)) == 1


def test_allowed_again_it_may_come_in_and_its_pairs_wait(session: Session, engine: Engine, tmp_path: Path) -> None:
    pair_id, _ = _judged(session, tmp_path)
    take_out(engine, tmp_path, ANN)
    judge(session, again(session, pair_id), NotJudged(Outcome.BLOCKED, DETAIL))
    session.commit()
    assert pair_row(session, pair_id).state == "not_judged"
    session.rollback()
    assert let_in(engine, "url", URL, "bob")
    assert not is_taken_out(session, [URL])
    assert pair_row(session, pair_id).state == "waiting"
    assert not let_in(engine, "url", URL, "bob")
    (said,) = list_taken_out(session)
    assert (said.by, said.allowed_by) == ("ann", "bob")
    session.rollback()
    take_out(engine, tmp_path, ANN)
    assert [one.allowed_by for one in list_taken_out(session)] == [None, "bob"]


def test_an_item_is_out_with_its_pages_passages_and_words(session: Session, engine: Engine, tmp_path: Path) -> None:
    pair_id, _ = _judged(session, tmp_path)
    put_terms(session, [Term("Q1", "Ann Lee", "en", ("A. Lee",), "a painter")])
    shared = "https://list.example/"
    both = (SourceUrl(shared, "live"),)
    _judged(session, tmp_path, 3, item_id="Q1", guid="Q1$C", urls=both)
    _judged(session, tmp_path, 4, urls=both)
    put_terms(session, [Term("Q4", "Bob", "en")])
    session.commit()
    out = take_out(engine, tmp_path, Request("item", "Q1", "ann"))
    assert (out.documents, out.records, out.passages, out.pairs, out.shared) == (1, 1, 2, 2, [shared])
    assert b"secret of 1" not in _read_all(tmp_path)
    assert set(bodies(session, tmp_path)) == {shared}
    tables = _tables(session)
    assert tables.count("Born in 1901.") == 1
    assert "Lee" not in tables
    assert "painter" not in tables
    assert "Bob" in tables
    pair = pair_row(session, pair_id)
    assert (pair.state, pair.urls) == ("retired", [])
    assert items_taken_out(session, ["Q1", "Q4"]) == {"Q1"}
    assert not is_taken_out(session, [URL])  # another item may come to cite it


def test_an_item_that_is_allowed_comes_back_with_the_next_walk(
    session: Session, engine: Engine, tmp_path: Path
) -> None:
    pair_id, _ = _judged(session, tmp_path)
    take_out(engine, tmp_path, Request("item", "Q1", "ann"))
    assert let_in(engine, "item", "Q1", "ann")
    walked(session, selected())
    session.commit()
    pair = pair_row(session, pair_id)
    assert (pair.state, pair.urls[0]["url"]) == ("waiting", URL)
    assert pair.statement.snak == selected().snak


def _take_out_until(url: str, folder: Path, request: Request, step: int) -> None:
    """Taking out, killed when it is about to do its step number `step`."""
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

    for name in ("_commit", "_forget", "_cut", "cut_member", "_end"):
        counted(taking_out, name)
    counted(os, "fsync")
    take_out(create_engine(url), folder, request)
    os._exit(0)


STEPS = {"url": 8, "item": 7}


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded, use of fork:DeprecationWarning")
@pytest.mark.parametrize(("kind", "step"), [(kind, step) for kind, steps in STEPS.items() for step in range(steps + 1)])
def test_killed_at_any_moment_doing_it_again_goes_on(
    session: Session, engine: Engine, database_url: str, tmp_path: Path, kind: str, step: int
) -> None:
    folder = tmp_path / "archive"
    _judged(session, folder)
    _judged(session, folder, 2)
    request = ANN if kind == "url" else Request("item", "Q1", "ann")
    fork = multiprocessing.get_context("fork")
    child = fork.Process(target=_take_out_until, args=(database_url, folder, request, step))
    child.start()
    child.join()
    assert child.exitcode == (-signal.SIGKILL if step < STEPS[kind] else 0)
    assert len(bodies(session, folder)[OTHER]) == 1
    take_out(engine, folder, request)
    assert b"secret of 1" not in _read_all(folder)
    assert bodies(session, folder) == {OTHER: [b"<p>secret of 2</p>"]}
    assert _tables(session).count("Born in 1901.") == 1


def test_while_a_worker_writes_nothing_of_its_is_lost(session: Session, engine: Engine, tmp_path: Path) -> None:
    archive = Archive(tmp_path, Bounds(file_bytes=60_000))
    places: list[Place] = []
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            number = len(places)
            places.append(archive.keep(document(f"https://{number}.example/", os.urandom(3000))))

    writing = threading.Thread(target=write)
    secret = archive.keep(document(URL, b"a secret"))
    writing.start()
    out = take_out(engine, tmp_path, ANN)
    stop.set()
    writing.join()
    assert out.records == 1
    with pytest.raises(ArchiveError, match="taken out"):
        archive.read(secret)
    assert all(archive.read(place).url == f"https://{number}.example/" for number, place in enumerate(places))
    assert not [found for file in files(tmp_path) for found in members(file) if isinstance(found, Damage)]


def test_damaged_stretches_that_may_hold_it_are_told(session: Session, engine: Engine, tmp_path: Path) -> None:
    place = Archive(tmp_path).keep(document(URL, os.urandom(3000)))
    with (tmp_path / place.warc).open("r+b") as stream:
        stream.seek(place.offset + 1000)
        stream.write(b"xxxx")
    (told,) = take_out(engine, tmp_path, ANN).damaged
    assert told.startswith(f"{place.warc}: ")


def test_one_job_at_a_time(engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_job_module, "WAIT_S", 0.0)
    with archive_job(engine), pytest.raises(ArchiveBusy):
        take_out(engine, tmp_path, ANN)


@pytest.mark.parametrize("kind", ["url", "item"])
def test_what_nobody_has_kept_yet_stays_out_too(session: Session, engine: Engine, tmp_path: Path, kind: str) -> None:
    target = URL if kind == "url" else "Q1"
    request = Request("url" if kind == "url" else "item", target, "ann")
    assert take_out(engine, tmp_path / "none", request) == Out(addresses=[URL] if kind == "url" else [])
    assert is_taken_out(session, [URL]) | items_taken_out(session, ["Q1"]) == {target}
