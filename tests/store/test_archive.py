"""The archive: what is kept comes back the same, and what is damaged says so."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import re
import resource
import signal
from argparse import Namespace
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType
from hypothesis import given, settings
from hypothesis import strategies as st
from store_rows import FETCHED, document
from warcio.archiveiterator import ArchiveIterator as WarcioIterator
from warcio.checker import Checker

from models.document import Document
from store import archive as archive_module
from store.archive import Archive, ArchiveError, Bounds, Place, files, is_written
from store.members import Member, members

NAMES = st.text("abcdefghijklmnopqrstuvwxyz0123456789-_!#$%&'*+.^`|~", min_size=1, max_size=20)
# What a header can hold once it was read: any text, undecodable bytes as surrogates, but no line break.
VALUES = st.binary(max_size=60).map(
    lambda raw: raw.translate(None, b"\r\n\0").decode("utf-8", "surrogateescape")
) | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\0"), max_size=40)
WIRE = st.sampled_from(
    [("content-encoding", "gzip"), ("transfer-encoding", "chunked"), ("content-length", "3"), ("x-archive-orig-a", "b")]
)
BODIES = st.binary(max_size=400) | st.sampled_from([b"\r\n\r\n", b"WARC/1.0\r\n\r\n", b"\x1f\x8b\x08" * 50])


@st.composite
def documents(draw: st.DrawFn) -> Document:
    body = draw(BODIES)
    return Document(
        url=draw(st.sampled_from(["https://a.example/?q=ü", "http://b.example:81/%20#x"])),
        final_url=draw(st.sampled_from(["https://a.example/", "https://例え.example/a:b"])),
        status=draw(st.integers(100, 599)),
        headers=tuple(draw(st.lists(st.tuples(NAMES, VALUES) | WIRE, max_size=6))),
        body=body,
        digest="sha256:" + hashlib.sha256(body).hexdigest(),
        fetched_at=draw(st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))),
        via=draw(st.sampled_from(["live", "archive", "identifier"])),
        chain=draw(st.sampled_from([(), ("https://a.example/?q=ü", "https://b.example/", "https://a.example/")])),
    )


@settings(max_examples=150, deadline=None)
@given(kept=documents())
def test_what_is_kept_comes_back_the_same(tmp_path_factory: pytest.TempPathFactory, kept: Document) -> None:
    archive = Archive(tmp_path_factory.getbasetemp() / "round-trip")
    assert archive.read(archive.keep(kept)) == kept


def test_records_of_one_process_stand_in_one_file_and_each_is_found(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "archive")
    bodies = [b"one" * 1000, b"", b"three"]
    places = [archive.keep(document(body=body)) for body in bodies]
    assert [archive.read(place).body for place in reversed(places)] == bodies[::-1]
    assert len({place.warc for place in places}) == 1
    assert [place.offset for place in places] == sorted(place.offset for place in places)


def test_only_the_owner_reads_the_archive(tmp_path: Path) -> None:
    place = Archive(tmp_path / "archive").keep(document())
    assert (tmp_path / "archive").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "archive" / place.warc).stat().st_mode & 0o777 == 0o600


def test_other_programs_read_the_files(tmp_path: Path) -> None:
    encoded = replace(document(), headers=(("content-encoding", "gzip"), ("content-type", "text/html")))
    place = Archive(tmp_path).keep(encoded)
    with (tmp_path / place.warc).open("rb") as stream:
        records = WarcioIterator(stream, check_digests="raise")
        assert next(records).rec_type == "warcinfo"
        record = next(records)
        assert record.rec_headers["WARC-Target-URI"] == encoded.url
        assert record.rec_headers["WARC-Record-ID"].startswith("<urn:uuid:")
        assert record.http_headers.get_header("Content-Type") == "text/html"
        assert list(records) == []
    with (tmp_path / place.warc).open("rb") as stream:
        bodies = [each.reader.read() for each in ArchiveIterator(stream, record_types=WarcRecordType.response)]
    assert bodies == [encoded.body]


def test_warcio_finds_nothing_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive = Archive(tmp_path)
    place = archive.keep(document())
    archive.revisit(place, document().url, document().url, FETCHED, (("etag", '"1"'),))
    archive.keep_failure("https://a.example/", "https://a.example/", FETCHED, 404, "Nothing here", body=b"sorry")
    command = Namespace(inputs=[str(tmp_path / place.warc)], verbose=True)
    assert Checker(command).process_all() == 0
    said = capsys.readouterr().out
    assert said.count("digest pass") == 3  # the file's own record, and two answers
    assert "digest present but not checked (revisit)" in said


def _keep_in_child(archive: Archive, answers: multiprocessing.Queue[Place]) -> None:
    answers.put(archive.keep(document()))


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded, use of fork:DeprecationWarning")
def test_a_forked_process_writes_to_a_file_of_its_own(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    ours = archive.keep(document())
    fork = multiprocessing.get_context("fork")
    answers = fork.Queue()
    child = fork.Process(target=_keep_in_child, args=(archive, answers))
    child.start()
    theirs = answers.get(timeout=30)
    child.join()
    assert theirs.warc != ours.warc
    assert archive.read(ours) == archive.read(theirs) == document()


def test_a_full_file_is_followed_by_another(tmp_path: Path) -> None:
    archive = Archive(tmp_path, Bounds(file_bytes=5000))
    places = [archive.keep(document(body=os.urandom(1500))) for _ in range(5)]
    places += archive.keep_all([document(body=os.urandom(1500)) for _ in range(5)])
    assert max(file.stat().st_size for file in files(tmp_path)) <= 5000
    assert len(files(tmp_path)) == 6  # two in each
    assert all(archive.read(place).url == document().url for place in places)
    alone = archive.keep(document(body=os.urandom(9000)))
    assert len(archive.read(alone).body) == 9000


def test_each_day_has_files_of_its_own(tmp_path: Path) -> None:
    now = datetime(2026, 11, 1, 23, 59, tzinfo=UTC)
    archive = Archive(tmp_path, now=lambda: now)
    first = archive.keep(document())
    now = datetime(2026, 11, 2, 2, 0, tzinfo=timezone(timedelta(hours=2)))
    second = archive.keep(document())
    assert (first.warc[:9], second.warc[:9]) == ("20261101-", "20261102-")


def test_beyond_the_bound_of_all_files_nothing_is_kept_until_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_module, "LOOK_S", 0.0)
    archive = Archive(tmp_path, Bounds(max_bytes=10_000))
    kept = archive.keep(document(body=os.urandom(3000)))
    ballast = tmp_path / "ballast"
    ballast.write_bytes(b"x" * 6000)
    with pytest.raises(ArchiveError, match=r"archive\.max_bytes \(10000\) is reached.*archive retain"):
        archive.keep(document(body=os.urandom(3000)))
    assert len(archive.read(kept).body) == 3000
    ballast.unlink()
    assert len(archive.read(archive.keep(document(body=os.urandom(3000)))).body) == 3000


def test_what_this_process_wrote_counts_before_the_next_look(tmp_path: Path) -> None:
    archive = Archive(tmp_path, Bounds(max_bytes=10_000))
    for _ in range(2):
        archive.keep(document(body=os.urandom(4000)))
    with pytest.raises(ArchiveError, match="is reached"):
        archive.keep(document(body=os.urandom(4000)))
    assert sum(file.stat().st_size for file in files(tmp_path)) < 10_000


def test_an_unchanged_page_reads_as_the_body_that_still_stands(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    former = replace(document(), headers=(("content-type", "text/html"), ("etag", '"1"'), ("date", "then")))
    place = archive.keep(former)
    later = FETCHED + timedelta(days=30)
    answer = (("etag", '"2"'), ("content-type", "text/plain"), ("date", "now"))
    again = archive.revisit(place, former.url, "https://www.example.org/one", later, answer, chain=("a:b", "c:d"))
    assert archive.read(again) == replace(
        former,
        final_url="https://www.example.org/one",
        fetched_at=later,
        headers=(("content-type", "text/html"), ("etag", '"2"'), ("date", "now")),
        chain=("a:b", "c:d"),
    )


def test_a_body_that_came_again_has_the_headers_it_came_with(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    first = archive.keep(document())
    second = archive.revisit(first, "https://b.example/", "https://b.example/", FETCHED, (("x", "y"),), status=203)
    third = archive.revisit(second, "https://c.example/", "https://c.example/", FETCHED, (), via="archive")
    read = archive.read(second)
    assert (read.url, read.status, read.headers, read.body) == (
        "https://b.example/",
        203,
        (("x", "y"),),
        b"<p>born 1900</p>",
    )
    assert (archive.read(third).body, archive.read(third).via) == (read.body, "archive")
    with (tmp_path / third.warc).open("rb") as stream:
        profiles = [one.rec_headers["WARC-Profile"] for one in WarcioIterator(stream) if one.rec_type == "revisit"]
        assert [profile.rpartition("/")[2] for profile in profiles] == [
            "identical-payload-digest",
            "server-not-modified",
        ]


def test_a_revisit_of_nothing_is_refused(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    with pytest.raises(ArchiveError, match="no such file"):
        archive.revisit(Place("20260101-1-a.warc.gz", 0), "https://a.example/", "https://a.example/", FETCHED, ())
    kept = archive.keep(document())
    with pytest.raises(ArchiveError, match="holds no body to refer to"):
        archive.revisit(Place(kept.warc, 0), "https://a.example/", "https://a.example/", FETCHED, ())


def test_an_answer_without_a_page_is_kept_with_its_own_phrase(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    url, end = "https://a.example/", "https://a.example/gone"
    place = archive.keep_failure(
        url, end, FETCHED, 404, "Not here\r\nX: y", (("server", "s"),), b"so", (url, end), truncated=True
    )
    read = archive.read(place)
    assert (read.status, read.final_url, read.headers, read.body, read.chain) == (
        404,
        end,
        (("server", "s"),),
        b"so",
        (url, end),
    )
    with (tmp_path / place.warc).open("rb") as stream:
        record = list(WarcioIterator(stream, check_digests="raise"))[-1]
    assert (record.http_headers.statusline, record.rec_headers["WARC-Truncated"]) == ("404 Not here X: y", "length")


def test_a_file_that_was_taken_away_is_replaced(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    lost = archive.keep(document())
    (tmp_path / lost.warc).unlink()
    assert archive.read(archive.keep(document())) == document()
    with pytest.raises(ArchiveError, match=r"no such file in the archive"):
        archive.read(lost)


def test_a_file_cut_off_anywhere_says_so_and_keeps_what_came_before(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    first, second = archive.keep(document(body=b"first")), archive.keep(document(body=os.urandom(3000)))
    file = tmp_path / second.warc
    whole = file.read_bytes()
    for length in range(second.offset, len(whole) - 9, 97):  # the checksum at the end isn't missed by this reader
        file.write_bytes(whole[:length])
        assert archive.read(first).body == b"first"
        with pytest.raises(ArchiveError, match=f"{second.warc} at {second.offset}: "):
            archive.read(second)


def test_damage_in_the_middle_is_noticed(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    place = archive.keep(document(body=os.urandom(3000)))
    file = tmp_path / place.warc
    whole = bytearray(file.read_bytes())
    for at in range(place.offset, len(whole), 211):
        damaged = bytearray(whole)
        damaged[at] ^= 0xFF
        file.write_bytes(damaged)
        with pytest.raises(ArchiveError):
            archive.read(place)


@pytest.mark.parametrize("place", [Place("../outside", 0), Place("/etc/hosts", 0), Place("none.warc.gz", 0)])
def test_places_outside_the_archive_arent_read(tmp_path: Path, place: Place) -> None:
    (tmp_path / "outside").write_bytes(b"secret")
    with pytest.raises(ArchiveError, match=r"outside the archive|no such file"):
        Archive(tmp_path / "archive").read(place)


@pytest.mark.parametrize(
    "broken",
    [
        replace(document(), url="https://a.example/\r\nX: y"),
        replace(document(), final_url="https://a.example/ b"),
        replace(document(), url=""),
        replace(document(), body=b"another"),
    ],
    ids=["line break", "space", "empty", "digest of another body"],
)
def test_what_a_record_cant_hold_is_refused(tmp_path: Path, broken: Document) -> None:
    with pytest.raises(ArchiveError):
        Archive(tmp_path).keep(broken)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cant_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ArchiveError, match=r"can't keep https://www\.example\.org/1"):
        Archive(tmp_path / "file").keep(document())


def test_a_failed_write_leaves_no_half_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = Archive(tmp_path)
    first = archive.keep(document())
    before = (tmp_path / first.warc).read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(ArchiveError, match="No space left"):
            archive.keep(document(body=b"more"))
    assert (tmp_path / first.warc).read_bytes() == before
    assert archive.read(archive.keep(document(body=b"more"))).body == b"more"


def _keep_until_full(folder: Path, answers: multiprocessing.Queue[tuple[str, Place]]) -> None:
    """Keep in a process whose files may have no more than 20 kB: what the disk refuses, the system refuses."""
    archive = Archive(folder)
    first = archive.keep(document(body=os.urandom(9000)))
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
    try:
        archive.keep(document(body=os.urandom(15_000)))
    except ArchiveError as error:
        answers.put((str(error), first))
    answers.put(("", archive.keep(document(body=b"small"))))


def test_what_the_disk_refuses_half_way_leaves_the_file_whole_and_is_tried_again(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    answers = spawn.Queue()
    child = spawn.Process(target=_keep_until_full, args=(tmp_path, answers))
    child.start()
    (error, first), (_, second) = answers.get(timeout=60), answers.get(timeout=60)
    child.join()
    assert re.search(r"can't keep https://www\.example\.org/1: File too large\. Nothing that was kept is lost", error)
    archive = Archive(tmp_path)
    assert (len(archive.read(first).body), archive.read(second).body) == (9000, b"small")
    assert first.warc == second.warc
    assert [type(one) for one in members(tmp_path / first.warc)] == [Member] * 3


def _keep_for_ever(folder: Path, answers: multiprocessing.Queue[Place]) -> None:
    archive = Archive(folder)
    while True:
        answers.put(archive.keep(document(body=os.urandom(200_000))))


def test_a_killed_writer_loses_nothing_that_it_had_kept(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    answers = spawn.Queue()
    child = spawn.Process(target=_keep_for_ever, args=(tmp_path, answers))
    child.start()
    places = [answers.get(timeout=60) for _ in range(5)]
    file = tmp_path / places[0].warc
    assert is_written(file)
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)
    child.join()
    assert not is_written(file)
    archive = Archive(tmp_path)
    assert all(len(archive.read(place).body) == 200_000 for place in places)
    assert archive.keep(document()).warc != file.name


def test_times_in_other_zones_are_the_same_moment(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    there = document().fetched_at.astimezone(tz=None) + timedelta(microseconds=5)
    assert archive.read(archive.keep(replace(document(), fetched_at=there))).fetched_at == there
