"""Learning which spellings are one name, from files that may be anything."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from models.training.names import main
from models.values.names.spelling import load

ONE = b'{"entities": [{"names": ["Ann"], "type": "PER"}]}\n'
BAD = {
    "empty.jsonl": b"",
    "words.jsonl": b"not json\n",
    "chance.jsonl.gz": bytes(range(256)),
    "cut.jsonl.gz": gzip.compress(ONE * 99)[:-9],
    "corrupt.jsonl.gz": gzip.compress(ONE)[:12] + b"\xff" * 40,
    "null.jsonl": b"null\n",
    "list.jsonl": b"[]\n",
    "fields.jsonl": b'{"entities": [{"names": ["Ann"]}]}\n',
    "name.jsonl": b'{"entities": [{"names": "Ann", "type": "PER"}]}\n',
    "fewrel.jsonl": b'{"head_id": "Q1", "head": 1}\n',
    "few.jsonl": ONE,
}
FIRST = "Anna Boris Clara David Erika Fedor Greta Henry Irene Jakob".split()
LAST = "Lindqvist Lindquist Petersen Pedersen Hoffmann Hofmann Robertson Robinson".split()


@pytest.fixture
def good(tmp_path: Path) -> Path:
    names = [f"{first} {last}" for first in FIRST for last in LAST]
    rows = [{"entities": [{"names": [name], "type": "PER"}]} for name in names]
    (tmp_path / "good.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    return tmp_path / "good.jsonl"


def test_good_rows_are_learned_from(good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--learn", str(good), "--check", str(good), "--out", str(tmp_path / "new" / "spelling.json")])
    assert json.loads(capsys.readouterr().out)["threshold"] == load(tmp_path / "new" / "spelling.json").threshold


@pytest.mark.parametrize("name", [*BAD, "none.jsonl", "folder"])
@pytest.mark.parametrize("option", ["--learn", "--check"])
def test_a_bad_file_is_one_line_and_nothing_is_written(
    good: Path, tmp_path: Path, name: str, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    if name in BAD:
        (tmp_path / name).write_bytes(BAD[name])
    given = {"--learn": str(good), "--check": str(good), "--out": str(tmp_path / "out")} | {
        option: str(tmp_path / name)
    }
    with pytest.raises(SystemExit) as ended:
        main([word for pair in given.items() for word in pair])
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert name in said
    assert len(said.splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_where_to_write_is_asked_for(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--learn", str(good), "--check", str(good)])
    assert "--out" in capsys.readouterr().err
