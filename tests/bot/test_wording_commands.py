"""`python -m bot wordings`: out to a file, what a file would change, and in with a name and a reason."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from bot.__main__ import entry
from models.statement import Term
from models.verbalise import Override
from store import schema
from store.overrides import current_overrides, history, save_override
from store.runs import start_run
from store.walk import put_pairs, put_terms
from tests.web.desk import BIRTHDAY, BORN, STUDIES, _pair

Say = Callable[..., tuple[int, str, str]]
BORN_ON = "{subject} was born on {object}."
FILE = f"""\
wordings:
  P569: # date of birth
    - pattern: "{BORN_ON}"
"""


class Terminal(io.TextIOWrapper):
    """Standard input as somebody types it."""

    def isatty(self) -> bool:
        """As it says."""
        return True


@pytest.fixture
def say(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, database_url: str) -> Say:
    """Runs a command line over this test's database; gives its exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CITEWELL_VAR", str(tmp_path / "var"))
    monkeypatch.setenv("CITEWELL_DATABASE_URL", database_url)

    def run(*arguments: str, typed: bytes = b"", terminal: bool = False) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["bot", "wordings", *arguments])
        monkeypatch.setattr(sys, "stdin", (Terminal if terminal else io.TextIOWrapper)(io.BytesIO(typed)))
        try:
            entry()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        told = capsys.readouterr()
        return code, told.out, told.err

    return run


@pytest.fixture
def known(engine: Engine) -> None:
    """Two properties with a statement each."""
    with Session(engine) as session, session.begin():
        put_terms(session, [BORN, Term("P69", "educated at", ("alma mater",))])
        put_pairs(session, start_run(session, "a test", "test").id, [_pair(BIRTHDAY), _pair(STUDIES)], "test")


def in_force(engine: Engine, property_id: str = "P569") -> Override | None:
    with Session(engine) as session:
        return current_overrides(session, [property_id])[property_id].get(None)


@pytest.mark.usefixtures("known")
def test_out_and_in_again(say: Say, engine: Engine, tmp_path: Path) -> None:
    assert say("export", "-") == (0, "wordings: {}\n", "")
    (tmp_path / "in.yaml").write_text(FILE)
    code, out, _ = say("import", "in.yaml")
    assert code == 0
    assert f"+ P569: pattern “{BORN_ON}”" in out
    assert "Nothing is saved yet. The same command with --yes saves it." in out
    assert in_force(engine) is None
    code, out, err = say("import", "in.yaml", "--yes", "--by", "Ada", "--why", " as \x00agreed\n")
    assert (code, err) == (0, "")
    assert "Changed 1 wording; 1 pair to judge again." in out
    with Session(engine) as session:
        (version,) = history(session, "P569")
    assert (version.author, version.why) == ("Ada", "as agreed")
    code, out, err = say("export", "out.yaml")
    assert (code, out, err) == (0, "", "Wrote out.yaml.\n")
    assert (tmp_path / "out.yaml").read_text() == FILE == say("export", "-", "--property", "P569")[1]
    code, out, _ = say("import", "out.yaml", "--yes", "--why", "once more")
    assert (code, out) == (0, "Nothing to change.\n1 wording as before.\n")


@pytest.mark.usefixtures("known")
def test_by_default_the_login_name_stands_for_who(say: Say, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "grace")
    assert say("import", "-", "--yes", "--why", "agreed", typed=FILE.encode())[0] == 0
    with Session(engine) as session:
        assert history(session, "P569")[0].author == "grace"


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    ("arguments", "typed", "code", "why"),
    [
        (["--why", "agreed"], b"y\n", 0, "agreed"),
        ([], b"y\nas agreed\n", 0, "as agreed"),
        ([], b"n\n", 0, None),
        ([], b"", 130, None),
    ],
)
def test_on_a_terminal_it_shows_the_plan_and_asks(
    say: Say, engine: Engine, tmp_path: Path, arguments: list[str], typed: bytes, code: int, why: str | None
) -> None:
    (tmp_path / "in.yaml").write_text(FILE)
    ended, out, err = say("import", "in.yaml", "--by", "Ada", *arguments, typed=typed, terminal=True)
    assert ended == code
    assert f"+ P569: pattern “{BORN_ON}”" in out
    assert "Save these changes?" in err
    with Session(engine) as session:
        assert [version.why for version in history(session, "P569")] == ([why] if why else [])
    assert ("Nothing is saved yet." in out) == (typed == b"n\n")


@pytest.mark.usefixtures("known")
def test_what_changes_between_the_question_and_the_answer_is_not_overwritten(
    say: Say, engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def meanwhile(*_: object, **__: object) -> bool:
        with Session(engine) as session, session.begin():
            save_override(session, "P569", "label", "born on", "Eve")
        return True

    (tmp_path / "in.yaml").write_text(FILE)
    monkeypatch.setattr(click, "confirm", meanwhile)
    code, _, err = say("import", "in.yaml", "--by", "Ada", "--why", "agreed", terminal=True)
    assert (code, err.count("\n")) == (1, 1)
    assert "Something has changed since this was shown" in err
    assert in_force(engine) == Override("label", "born on")


@pytest.mark.usefixtures("known")
def test_what_cant_be_used_is_named_and_the_rest_is_saved(say: Say, engine: Engine) -> None:
    with Session(engine) as session, session.begin():
        save_override(session, "P69", "label", "alma mater", "Eve")
    file = f"{FILE}  P69:\n    - label: \x22school \\u202e\x22\n  P999999: []\n"
    code, out, err = say("import", "-", "--yes", "--why", "agreed", typed=file.encode())
    assert (code, err) == (1, "citewell: 2 places of the file can't be used: see above.\n")
    assert "can't be used, line 5: P69: “school" in out
    assert "can't be used, line 6: P999999: P999999 isn't a property" in out
    assert in_force(engine) == Override("pattern", BORN_ON)
    assert in_force(engine, "P69") == Override("label", "alma mater")


@pytest.mark.usefixtures("known")
def test_the_file_stands_for_what_it_names_or_for_all(say: Say, engine: Engine) -> None:
    with Session(engine) as session, session.begin():
        save_override(session, "P569", "label", "born on", "Eve")
        save_override(session, "P69", "label", "alma mater", "Eve")
    file = b"wordings: {P569: []}"
    assert say("import", "-", typed=file)[1].splitlines()[0] == "- P569: label “born on”"
    assert say("import", "-", "--yes", "--why", "x", typed=file)[0] == 0
    assert (in_force(engine), in_force(engine, "P69")) == (None, Override("label", "alma mater"))
    assert say("import", "-", "--yes", "--why", "x", "--all-properties", typed=file)[0] == 0
    assert in_force(engine, "P69") is None


@pytest.mark.parametrize(
    ("arguments", "typed", "said"),
    [
        (["import", "missing.yaml"], b"", "missing.yaml can't be read: No such file"),
        (["import", "."], b"", "can't be read"),
        (["import", "-"], b"\xff\xfe", "- isn't text in UTF-8"),
        (["import", "-"], b"hello", "isn't a file of wordings"),
        (["import", "-"], b"wordings: !!python/object:os.system {}", "isn't a file of wordings"),
        (["import", "-"], b"x" * 600_000, "larger than"),
        (["import", "-", "--yes"], FILE.encode(), "--why"),
        (["import", "-", "--yes", "--why", " \u200b "], FILE.encode(), "--why"),
        (["import", "-", "--yes", "--why", "x" * 501], FILE.encode(), "--why"),
        (["export", "missing/out.yaml"], b"", "missing/out.yaml can't be written: No such file"),
        (["export", "-", "--property", "P404"], b"", "'P404' isn't a property"),
        (["export"], b"", "FILE"),
    ],
)
def test_bad_input_is_one_line(say: Say, engine: Engine, arguments: list[str], typed: bytes, said: str) -> None:
    code, out, err = say(*arguments, typed=typed)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1, err
    assert said in err
    with Session(engine) as session:
        assert session.scalars(select(schema.Override)).all() == []
