"""Checking the archive: what is whole is said to be, and what is damaged or lost is named."""

from __future__ import annotations

import os
from pathlib import Path

from kept_pages import bodies, keep
from sqlalchemy import Engine
from sqlalchemy.orm import Session
from store_rows import document

from store.archive import SUFFIX, Archive, Place, files
from store.check import check
from store.documents import place_of
from store.moved import write_moves
from store.retention import Rule, retain

URL = "https://www.example.org/1"


def test_a_whole_archive_is_sound(session: Session, engine: Engine, tmp_path: Path) -> None:
    keep(session, tmp_path, URL, b"one", 90)
    keep(session, tmp_path, URL, b"two", 90)
    keep(session, tmp_path, "https://b.example/", b"three", 90)
    retain(engine, tmp_path, Rule(30))
    seen: list[int] = []
    found = check(engine, tmp_path, progress=seen.append)
    assert (found.sound, found.files, found.records) == (True, 2, 4)
    assert sum(seen) == sum(file.stat().st_size for file in files(tmp_path))


def test_a_half_record_at_an_end_is_named_and_mended_and_nothing_else_is(
    session: Session, engine: Engine, tmp_path: Path
) -> None:
    keep(session, tmp_path, URL, b"one")
    (file,) = files(tmp_path)
    whole = file.read_bytes()
    file.write_bytes(whole + whole[:100])
    found = check(engine, tmp_path)
    assert found.damaged == [
        f"{file.name}: cut off in a record that begins at {len(whole)} (100 bytes): its writer was killed; "
        "--repair cuts the half record away"
    ]
    assert (found.sound, found.lost) == (False, [])
    mended = check(engine, tmp_path, repair=True)
    assert (mended.sound, len(mended.mended)) == (True, 1)
    assert file.read_bytes() == whole
    assert check(engine, tmp_path).mended == []


def test_the_end_of_a_file_that_is_written_to_isnt_judged(session: Session, engine: Engine, tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    place = archive.keep(document())
    file = tmp_path / place.warc
    size = file.stat().st_size
    with file.open("ab") as stream:
        stream.write(file.read_bytes()[:50])
    assert check(engine, tmp_path, repair=True).sound
    assert file.stat().st_size == size + 50


def test_damage_in_the_middle_and_the_documents_it_costs_are_named(
    session: Session, engine: Engine, tmp_path: Path
) -> None:
    row = keep(session, tmp_path, URL, os.urandom(2000))
    keep(session, tmp_path, "https://b.example/", b"two")
    place = place_of(row)
    assert place is not None
    with (tmp_path / place.warc).open("r+b") as stream:
        stream.seek(place.offset + 500)
        stream.write(b"xxxx")
    found = check(engine, tmp_path, repair=True)
    assert len(found.damaged) == 1
    assert found.damaged[0].startswith(f"{place.warc}: ")
    assert found.lost == [f"document {row.id} ({URL}): no record of it at {place.offset} of {place.warc}"]


def test_a_file_that_is_gone_is_named_by_its_documents(session: Session, engine: Engine, tmp_path: Path) -> None:
    row = keep(session, tmp_path, URL, b"one")
    (file,) = files(tmp_path)
    file.unlink()
    assert [line.partition(":")[0] for line in check(engine, tmp_path).lost] == [f"document {row.id} (https"]


def test_places_that_moved_are_sound_before_the_database_has_learned_it(
    session: Session, engine: Engine, tmp_path: Path
) -> None:
    row = keep(session, tmp_path, URL, b"one", 90)
    place = place_of(row)
    assert place is not None
    new = tmp_path / f"20260101-1-new{SUFFIX}"
    (tmp_path / place.warc).rename(new)
    write_moves(tmp_path, place.warc, {place.offset: Place(new.name, place.offset)})
    assert check(engine, tmp_path).sound
    assert bodies(session, tmp_path) == {URL: [b"one"]}
