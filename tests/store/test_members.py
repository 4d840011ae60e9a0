"""A WARC file is walked to its end, whatever is damaged in it, and nothing damaged passes for whole."""

from __future__ import annotations

import gzip
import os
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_rows import FETCHED, document

from store.archive import Archive, files
from store.members import Damage, Member, members
from store.record import cut_member, warcinfo_member

BODIES = [b"", b"small", os.urandom(3000), b"x" * 400_000, b"\x1f\x8b\x08" * 3000, os.urandom(90_000)]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[Member]]:
    """A file with records of all kinds, and what stands in it."""
    folder = tmp_path_factory.mktemp("whole")
    archive = Archive(folder)
    places = [archive.keep(document(f"https://{number}.example/", body)) for number, body in enumerate(BODIES)]
    archive.revisit(places[2], "https://2.example/", "https://2.example/", FETCHED, (("etag", "x"),))
    archive.keep_failure("https://x.example/", "https://x.example/", FETCHED, 404, "No", body=b"none")
    (file,) = files(folder)
    found = [one for one in members(file) if isinstance(one, Member)]
    assert [one.head.kind for one in found] == ["warcinfo"] + ["response"] * 6 + ["revisit", "response"]
    assert found[-1].offset + found[-1].length == file.stat().st_size
    return file.read_bytes(), found


def _walk(folder: Path, content: bytes) -> list[Member | Damage]:
    file = folder / "x.warc.gz"
    file.write_bytes(content)
    found = list(members(file))
    assert sum(one.length for one in found) == len(content)
    assert all(one.length > 0 for one in found)
    return found


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_file_cut_off_anywhere_has_its_whole_records_and_a_cut_end(
    whole: tuple[bytes, list[Member]], tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    content, held = whole
    length = data.draw(st.integers(0, len(content)))
    found = _walk(tmp_path_factory.getbasetemp(), content[:length])
    before = [one for one in held if one.offset + one.length <= length]
    assert found[: len(before)] == before
    rest = found[len(before) :]
    assert [(one.offset, one.kind) for one in rest if isinstance(one, Damage)] == [
        (one.offset, "cut") for one in held if one.offset < length < one.offset + one.length
    ]


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_changed_byte_costs_its_own_record_alone(
    whole: tuple[bytes, list[Member]], tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    content, held = whole
    hit = data.draw(st.sampled_from(held))
    at = hit.offset + data.draw(st.integers(0, hit.length - 1))
    spoilt = bytearray(content)
    spoilt[at] ^= 1 << data.draw(st.integers(0, 7))
    found = _walk(tmp_path_factory.getbasetemp(), bytes(spoilt))
    others = [one for one in held if one is not hit]
    assert [one for one in found if one in others] == others
    told = [one for one in found if isinstance(one, Damage)]
    harmless = at - hit.offset in range(3, 10)  # gzip's own flags, time and system, which nothing is checked by
    assert told or harmless


def test_a_flag_that_has_gzip_skip_the_rest_costs_its_own_record_alone(
    whole: tuple[bytes, list[Member]], tmp_path: Path
) -> None:
    content, held = whole
    hit = next(one for one in held if one.head.kind == "revisit")
    spoilt = bytearray(content)
    spoilt[hit.offset + 3] |= 4  # "extra bytes follow": as many as the two bytes after the header say
    spoilt[hit.offset + 10 : hit.offset + 12] = b"\xff\xff"
    found = _walk(tmp_path, bytes(spoilt))
    assert [one for one in found if isinstance(one, Member)] == [one for one in held if one is not hit]
    (damage,) = (one for one in found if isinstance(one, Damage))
    assert (damage.offset, damage.length, damage.kind) == (hit.offset, hit.length, "broken")


def test_a_stretch_of_zeros_is_no_record(whole: tuple[bytes, list[Member]], tmp_path: Path) -> None:
    content, held = whole
    second = held[1].offset
    found = _walk(tmp_path, content[:second] + b"\0" * 200_000 + content[second:])
    assert len([one for one in found if isinstance(one, Member)]) == len(held)
    (damage,) = (one for one in found if isinstance(one, Damage))
    assert (damage.offset, damage.length, damage.kind) == (second, 200_000, "broken")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (gzip.compress(b"hello"), "shorter than|no WARC record"),
        (gzip.compress(b"GET / HTTP/1.1\r\n\r\n"), "no WARC record"),
        (gzip.compress(b"WARC/1.1\r\nContent-Length: 99\r\n\r\nshort\r\n\r\n"), "shorter than its head says"),
        (
            gzip.compress(b"WARC/1.1\r\nWARC-Block-Digest: sha1:AAAA\r\nContent-Length: 2\r\n\r\nab\r\n\r\n"),
            "another content than its digest says",
        ),
        (b"not packed at all", "no record begins there"),
    ],
)
def test_what_is_no_record_says_why(tmp_path: Path, content: bytes, why: str) -> None:
    info = warcinfo_member("x")
    damage, after = _walk(tmp_path, content + info)
    assert isinstance(damage, Damage)
    assert any(words in damage.why for words in why.split("|"))
    assert isinstance(after, Member)


def test_an_empty_file_has_nothing(tmp_path: Path) -> None:
    assert _walk(tmp_path, b"") == []


@given(length=st.integers(600, 200_000))
@settings(max_examples=30, deadline=None)
def test_what_was_taken_out_is_as_long_as_it_was_and_other_readers_pass_it(
    tmp_path_factory: pytest.TempPathFactory, length: int
) -> None:
    member = cut_member(length, FETCHED)
    assert len(member) == length
    found = _walk(tmp_path_factory.getbasetemp(), member + warcinfo_member("x"))
    assert [one.head.kind for one in found if isinstance(one, Member)] == ["metadata", "warcinfo"]
    assert gzip.decompress(member).startswith(b"WARC/1.1\r\n")


def test_a_bomb_is_walked_in_little_memory(tmp_path: Path) -> None:
    head = b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 50000000\r\n\r\n"
    content = gzip.compress(head + b"\0" * 50_000_000 + b"\r\n\r\n", 1)
    import tracemalloc

    (tmp_path / "x.warc.gz").write_bytes(content)
    tracemalloc.start()
    found = list(members(tmp_path / "x.warc.gz"))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(found[0], Member)
    assert most < 10_000_000


def test_random_bytes_are_walked_too(tmp_path: Path) -> None:
    _walk(tmp_path, random.Random(7).randbytes(300_000))
