"""The walk over a dump: whole, faulty, truncated, or no dump at all."""

from __future__ import annotations

import bz2
import gzip
import json
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from bot_entities import SAMPLE, SHARED, sample_entities
from hypothesis import given
from hypothesis import strategies as st

from bot.problem import InputProblem
from bot.sources.dump import REPORTED_LINES, DumpSource
from bot.sources.heads import EntityHead


def walk(path: Path) -> tuple[list[str], list[str], dict[str, int]]:
    """The ids that a walk gives, what it reports, and its notes."""
    reports: list[str] = []
    source = DumpSource(path, ("en",), reports.append)
    ids = [entity.id if isinstance(entity, EntityHead) else entity["id"] for entity in source.entities()]
    return ids, reports, dict(source.notes)


def dump_of(*lines: bytes | str) -> bytes:
    """A dump of these lines, as Wikidata writes it."""
    texts = [line if isinstance(line, bytes) else line.encode() for line in lines]
    return b"[\n" + b",\n".join(texts) + b"\n]\n"


ENTITY = json.dumps({"type": "item", "id": "Q1", "labels": [], "claims": []})


@pytest.mark.skipif(not SHARED.is_dir(), reason="the measuring data is not beside the project")
def test_every_pair_of_the_wtr_dump_is_walked() -> None:
    source = DumpSource(SHARED / "wtr" / "dump.json.gz", ("en",), pytest.fail)
    references = [
        reference["hash"]
        for entity in source.entities()
        if not isinstance(entity, EntityHead)
        for group in entity["claims"].values()
        for statement in group
        for reference in statement["references"]
    ]
    assert len(references) == 245


@pytest.mark.skipif(not SHARED.is_dir(), reason="the measuring data is not beside the project")
def test_empty_maps_written_as_lists_are_maps() -> None:
    ids, reports, _ = walk(SHARED / "wikidata" / "faulty.json")
    assert len(ids) == 101
    assert reports == []


def test_sample_is_walked_whole() -> None:
    with gzip.open(SAMPLE) as file:
        lines = [line for line in file.read().splitlines() if line.strip() not in (b"[", b"]", b"")]
    assert len(walk(SAMPLE)[0]) == len(lines)


@pytest.mark.parametrize(
    "pack",
    [
        bytes,
        gzip.compress,
        bz2.compress,
        zstandard.compress,
        lambda data: gzip.compress(data[:9]) + gzip.compress(data[9:]),
        lambda data: zstandard.compress(data[:9]) + zstandard.compress(data[9:]),
    ],
)
def test_however_it_is_packed(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "dump"
    path.write_bytes(pack(dump_of(ENTITY, ENTITY.replace("Q1", "Q2"))))
    assert walk(path) == (["Q1", "Q2"], [], {})


@pytest.mark.parametrize(
    "broken",
    [
        '{"id": "Q5", ',
        "null",
        '{"type": "item"}',
        '{"id": "Q0"}',
        '{"id": "Q5", "claims": [1]}',
        b'{"id": "Q\xff5"}',
        "[" * 5000,
    ],
)
def test_a_broken_line_is_named_and_skipped(tmp_path: Path, broken: str | bytes) -> None:
    path = tmp_path / "dump.json"
    path.write_bytes(dump_of(ENTITY, broken, ENTITY.replace("Q1", "Q2")))
    ids, reports, notes = walk(path)
    assert ids == ["Q1", "Q2"]
    assert len(reports) == 1
    assert "line 3 is malformed" in reports[0]
    assert "\n" not in reports[0]
    assert notes == {"malformed_lines": 1}


def test_many_broken_lines_are_counted_not_all_named(tmp_path: Path) -> None:
    path = tmp_path / "dump.json"
    path.write_bytes(dump_of(ENTITY, *["{"] * 100))
    _, reports, notes = walk(path)
    assert len(reports) == REPORTED_LINES + 1
    assert "100 malformed lines" in reports[-1]
    assert notes["malformed_lines"] == 100


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_a_truncated_gzip_is_said_after_all_that_could_be_read(tmp_path: Path, share: float) -> None:
    packed = SAMPLE.read_bytes()
    path = tmp_path / "dump.json.gz"
    path.write_bytes(packed[: int(len(packed) * share)])
    whole = walk(SAMPLE)[0]
    ids, reports, notes = walk(path)
    assert 0 < len(ids) < len(whole)
    assert ids == whole[: len(ids)]
    assert len(reports) == 1
    assert "truncated" in reports[0]
    assert notes == {"truncated": 1}


def test_the_last_whole_line_of_a_truncated_dump_counts(tmp_path: Path) -> None:
    path = tmp_path / "dump.json"
    path.write_bytes(dump_of(ENTITY, ENTITY.replace("Q1", "Q2"))[:-3])
    ids, reports, _ = walk(path)
    assert ids == ["Q1", "Q2"]
    assert "truncated" in reports[0]


@given(cut=st.integers(min_value=0, max_value=300))
def test_a_cut_anywhere_gives_the_lines_before_it(cut: int) -> None:
    content = dump_of(*(ENTITY.replace("Q1", f"Q{number}") for number in range(1, 6)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "dump.json"
        path.write_bytes(content[:cut])
        try:
            ids, reports, _ = walk(path)
        except InputProblem:
            assert content[:cut].count(b"}") == 0
            return
    assert ids == [f"Q{number}" for number in range(1, len(ids) + 1)]
    assert len(ids) >= content[:cut].count(b"},\n")
    assert bool(reports) == (b"\n]" not in content[:cut])


@given(line=st.binary(max_size=200).filter(lambda line: b"\n" not in line))
def test_no_line_stops_the_walk(line: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "dump.json"
        path.write_bytes(dump_of(ENTITY, line, ENTITY.replace("Q1", "Q2")))
        ids, _, _ = walk(path)
    assert ids[0] == "Q1"
    assert ids[-1] == "Q2"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n \n",
        b"hello",
        b"[section]\nkey = value\n",
        b'{"a": 1}\n',
        b"[\n",
        b"\x1f\x8bnonsense",
        b"<html>",
        gzip.compress(b"a,b\n1,2", mtime=0),
    ],
)
def test_what_is_no_dump_is_said_in_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.file"
    path.write_bytes(content)
    reports: list[str] = []
    with pytest.raises(InputProblem, match=r"other\.file (isn't|breaks off)") as raised:
        list(DumpSource(path, ("en",), reports.append).entities())
    assert "\n" not in str(raised.value)
    assert reports == []


@pytest.mark.parametrize("name", ["missing.json", "."])
def test_what_cannot_be_read_is_said_in_one_line(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputProblem, match="can't be read"):
        DumpSource(tmp_path / name, ("en",), print).check()


def test_words_and_facts_of_what_comes_later_are_found(tmp_path: Path) -> None:
    prop = {
        "type": "property",
        "id": "P9",
        "datatype": "external-id",
        "labels": {"en": {"language": "en", "value": "key"}},
    }
    path = tmp_path / "dump.json"
    path.write_bytes(dump_of(ENTITY, json.dumps(prop)))
    source = DumpSource(path, ("en",), print)
    next(source.entities())
    assert source.properties(["P9"])["P9"].datatype == "external-id"
    assert [term.label for term in source.terms(["P9", "Q77"])] == ["key"]


def test_labels_of_the_sample_are_found() -> None:
    ids = list(sample_entities())
    terms = list(DumpSource(SAMPLE, ("en",), print).terms(ids))
    assert sorted(term.id for term in terms) == sorted(ids)
