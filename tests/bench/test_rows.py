"""Files that aren't what a bench reads: each is one clear line that names it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bench import __main__ as bench
from bench.rows import MissingRows, load_pages, load_rows
from bench.values import on_paragraphs
from bench.verbalise import load_worded
from models.training.rows import json_lines

ROW = b'{"sentences": ["One ."], "entities": [], "facts": []}\n'
BAD = {
    "empty.jsonl": b"",
    "blank.jsonl": b" \n\n",
    "plain.jsonl.gz": ROW,
    "cut.jsonl.gz": gzip.compress(ROW * 9)[:-12],
    "corrupt.jsonl.gz": gzip.compress(ROW)[:12] + b"\xff" * 40,
    "deep.jsonl": b"[" * 100_000,
    "deep.jsonl.gz": gzip.compress(b'{"a":' * 100_000),
    "latin.jsonl": b'{"a": "\xe9"}\n',
    "null.jsonl": b"null\n",
    "text.jsonl": b'"text"\n',
    "other.jsonl": b'{"facts": [{"tail": 0}], "entities": [], "datavalue": []}\n',
}


def bad(folder: Path, name: str) -> Path:
    (folder / name).write_bytes(BAD[name])
    return folder / name


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize(
    "load", [lambda path: load_rows([path]), lambda path: load_worded([path]), on_paragraphs], ids="pwv"
)
def test_a_bad_file_is_named_in_one_line(tmp_path: Path, name: str, load: Callable[[Path], object]) -> None:
    with pytest.raises(ValueError, match=name) as caught:
        load(bad(tmp_path, name))
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("content", [b"{not a page", b"", gzip.compress(b"text\n" * 99, mtime=0), bytes(range(256))])
def test_what_is_no_warc_file_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "pages.warc").write_bytes(content)
    with pytest.raises(ValueError, match=r"pages\.warc"):
        load_pages([tmp_path / "pages.warc"])


def test_a_file_that_is_not_there_comes_with_its_option_and_a_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingRows, match=r"none\.jsonl.*--redocred"):
        on_paragraphs(tmp_path / "none.jsonl")
    with pytest.raises(ValueError, match="can't be read"):
        load_rows([tmp_path])


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
def test_only_a_line_feed_ends_a_row(tmp_path: Path, suffix: str) -> None:
    texts = ["a\u2028b", "c\u0085d", "e"]
    written = "\r\n\n".join(json.dumps(text, ensure_ascii=False) for text in texts).encode()
    path = tmp_path / f"rows{suffix}"
    path.write_bytes(gzip.compress(written) if suffix.endswith("gz") else written)
    assert list(json_lines(path)) == [(1, texts[0]), (3, texts[1]), (5, texts[2])]


@pytest.mark.parametrize(
    "arguments",
    [
        ["values", "--redocred", "cut.jsonl.gz"],
        ["values", "--drawn", "-1"],
        ["verbalise", "--pairs", "deep.jsonl.gz"],
        ["swaps", "--pairs", "empty.jsonl"],
    ],
)
def test_the_commands_end_with_2(
    tmp_path: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in BAD:
        bad(tmp_path, name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["bench", *arguments])
    with pytest.raises(SystemExit) as ended:
        bench.main()
    assert ended.value.code == 2
    assert arguments[-1] in capsys.readouterr().err
