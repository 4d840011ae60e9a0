"""What tests of the trainings share: their command line."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from models.training.__main__ import main

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs `python -m models.training` with these arguments; gives exit code, output and errors."""

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["models.training", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            main()
        return int(caught.value.code or 0), *capsys.readouterr()

    return run
