"""The operator's commands over what is kept: each says what it did, and bad input is one line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine
from sqlalchemy.orm import Session

from bot.__main__ import entry
from models.document import Document
from store.archive import Archive, files
from store.documents import put_document
from store.record import digest_of
from store.retention import UTC, datetime
from store.taken_out import is_taken_out

URL = "https://www.example.org/1"
Say = Callable[..., tuple[int, str, str]]


@pytest.fixture
def say(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, database_url: str) -> Say:
    """Runs a command line in this process on the test's database; gives its exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CITEWELL_VAR", str(tmp_path / "var"))
    monkeypatch.setenv("CITEWELL_DATABASE_URL", database_url)

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["bot", *arguments])
        try:
            entry()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        told = capsys.readouterr()
        return code, told.out, told.err

    return run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The archive's folder."""
    return tmp_path / "var" / "archive"


def _keep(session: Session, folder: Path, body: bytes, url: str = URL) -> None:
    then = datetime(2026, 1, 1, tzinfo=UTC)
    page = Document(url, url, 200, (), body, digest_of(body), then)
    put_document(session, page, Archive(folder, now=lambda: then).keep(page)).kept_at = then
    session.commit()


def test_check_says_what_is_whole_and_what_isnt(session: Session, say: Say, folder: Path) -> None:
    _keep(session, folder, b"one")
    assert say("archive", "check") == (0, "2 records in 1 file can be read.\n", "")
    (file,) = files(folder)
    with file.open("ab") as stream:
        stream.write(b"\x1f\x8b")
    code, out, _ = say("archive", "check")
    assert (code, out.count("\n")) == (1, 2)
    assert f"{file.name}: cut off" in out
    assert say("archive", "check", "--repair")[0] == 0
    assert say("archive", "check")[0] == 0


def test_retain_says_what_goes(session: Session, say: Say, folder: Path) -> None:
    for body in (b"one", b"two", b"three"):
        _keep(session, folder, body)
    code, out, _ = say("archive", "retain", "--days", "30", "--dry-run")
    assert (code, out) == (
        0,
        "2 bodies older than 30 days would be let go; 2 records would be left out of 2 files, 0.0 MB would be freed.\n",
    )
    assert len(files(folder)) == 3
    code, out, _ = say("archive", "retain", "--days", "30", "--newest", "2")
    assert out.startswith("1 body older than 30 days let go; 1 record left out of 1 file")
    assert len(files(folder)) == 2


def test_retain_without_a_setting_lets_nothing_go(say: Say) -> None:
    code, out, err = say("archive", "retain")
    assert (code, out) == (2, "")
    assert "set archive.retain_days in config.yaml, or say --days N" in err


def test_a_page_is_taken_out_listed_and_allowed(session: Session, engine: Engine, say: Say, folder: Path) -> None:
    _keep(session, folder, b"a secret")
    _keep(session, folder, b"a secret", "https://mirror.example/")
    asked = ("archive", "take-out", "--url", URL, "--reason", "by mail", "--by", "ann")
    code, out, _ = say(*asked, "--dry-run")
    assert code == 0
    assert "1 record of the archive, 1 document and 0 passages would be taken out, which concerns 0 pairs.\n" in out
    assert not is_taken_out(session, [URL])
    session.rollback()
    code, out, _ = say(*asked)
    assert "were taken out" in out
    assert f"{URL}: stays out\n" in out
    assert "https://mirror.example/: has the same text and was left: take it out too if it should go\n" in out
    assert "Backups that were made before still have it" in out
    assert is_taken_out(session, [URL])
    session.rollback()
    code, out, _ = say("archive", "take-out", "--list")
    assert (code, out.partition(" ")[2]) == (0, f"ann: {URL} (by mail)\n")
    assert say("archive", "take-out", "--url", URL, "--allow")[1] == f"{URL} may come in again.\n"
    assert "; allowed again" in say("archive", "take-out", "--list")[1]
    code, out, err = say("archive", "take-out", "--url", URL, "--allow")
    assert (code, out) == (2, "")
    assert "isn't taken out" in err


def test_an_item_is_taken_out(say: Say) -> None:
    assert say("archive", "take-out", "--item", "q42", "--reason", "a letter")[0] == 0
    assert ": Q42 (a letter)\n" in say("archive", "take-out", "--list")[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["archive", "take-out"], "one of --url URL, --item Q42"),
        (["archive", "take-out", "--url", URL, "--item", "Q42"], "one of --url URL, --item Q42"),
        (["archive", "take-out", "--url", "ann lee"], "'ann lee' isn't an address of the web"),
        (["archive", "take-out", "--item", "Q1,Q2"], "--item takes one item"),
        (["archive", "take-out", "--item", "P31"], "--item: 'P31' isn't the id of an item"),
        (["archive", "retain", "--days", "0"], "--days"),
        (["archive", "mend"], "mend"),
        (["backup"], "FOLDER_OR_FILE.tar"),
        (["restore", "none"], "none: no such backup"),
        (["restore", "."], "the database holds"),
    ],
)
def test_bad_input_is_one_line(say: Say, arguments: list[str], said: str) -> None:
    code, out, err = say(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert said in err


def test_a_backup_is_made_and_restored(
    new_database: Callable[[str], AbstractContextManager[str]],
    say: Say,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with new_database("commanded") as url:
        monkeypatch.setenv("CITEWELL_DATABASE_URL", url)
        engine = create_engine(url)
        with Session(engine) as session:
            _keep(session, folder, b"one")
        engine.dispose()
        _back_up_and_restore(say, tmp_path)


def _back_up_and_restore(say: Say, tmp_path: Path) -> None:
    code, out, _ = say("backup", "kept")
    assert (code, out.startswith("kept has 2 files, ")) == (0, True)
    code, out, err = say("restore", "kept")
    assert code == 2
    assert "say --replace" in err
    code, out, _ = say("restore", "kept", "--replace")
    assert code == 0, err
    assert out.startswith("Restored 2 files of the backup of 20")
    assert "The former pages are in " in out
    assert say("archive", "check")[0] == 0
    (tmp_path / "var" / "other").write_text("x")
    code, _, err = say("backup", "var")
    assert (code, "holds other files" in err) == (2, True)
