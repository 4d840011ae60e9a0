"""The archive: what is kept comes back the same, and what is damaged says so."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator
from hypothesis import given, settings
from hypothesis import strategies as st
from store_rows import document
from warcio.archiveiterator import ArchiveIterator as WarcioIterator

from models.document import Document
from store import archive as archive_module
from store.archive import Archive, ArchiveError, Place

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
        (record,) = list(WarcioIterator(stream, check_digests="raise"))
        assert record.rec_headers["WARC-Target-URI"] == encoded.url
        assert record.http_headers.get_header("Content-Type") == "text/html"
    with (tmp_path / place.warc).open("rb") as stream:
        assert [each.reader.read() for each in ArchiveIterator(stream)] == [encoded.body]


def _keep_in_child(archive: Archive, answers: multiprocessing.Queue[str]) -> None:
    answers.put(archive.keep(document()).warc)


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
    assert theirs != ours.warc
    assert archive.read(ours) == archive.read(Place(theirs, 0)) == document()


def test_a_full_file_is_followed_by_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_module, "FILE_BYTES", 100)
    archive = Archive(tmp_path)
    first, second = archive.keep(document()), archive.keep(document())
    assert first.warc != second.warc
    assert archive.read(first) == archive.read(second)


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
    for length in range(second.offset, len(whole) - 9, 97):
        file.write_bytes(whole[:length])
        assert archive.read(first).body == b"first"
        with pytest.raises(ArchiveError, match=f"{second.warc} at {second.offset}: "):
            archive.read(second)


def test_damage_in_the_middle_is_noticed(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    place = archive.keep(document(body=os.urandom(3000)))
    file = tmp_path / place.warc
    whole = bytearray(file.read_bytes())
    for at in range(20, len(whole) - 8, 211):
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


def test_times_in_other_zones_are_the_same_moment(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    there = document().fetched_at.astimezone(tz=None) + timedelta(microseconds=5)
    assert archive.read(archive.keep(replace(document(), fetched_at=there))).fetched_at == there
