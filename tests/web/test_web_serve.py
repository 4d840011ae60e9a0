"""`python -m web` as a program: it prints its address, answers, and stops cleanly."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def start(database_url: str, var: Path, *arguments: str) -> subprocess.Popen[str]:
    """The program, with this test's database."""
    environment = os.environ | {"CITEWELL_DATABASE_URL": database_url, "CITEWELL_VAR": str(var)}
    return subprocess.Popen(
        [sys.executable, "-m", "web", *arguments],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_it_prints_its_address_answers_and_stops_cleanly(
    database_url: str, tmp_path: Path, stop: signal.Signals
) -> None:
    with start(database_url, tmp_path, "--port", "0") as program:
        assert program.stdout is not None
        line = program.stdout.readline()
        assert line.startswith("Citewell is at http://127.0.0.1:"), program.communicate()
        with urllib.request.urlopen(line.split()[-1] + "/healthz", timeout=30) as answer:
            assert answer.read() == b"ok\n"
        with urllib.request.urlopen(line.split()[-1], timeout=30) as answer:
            assert "Server" not in answer.headers
        program.send_signal(stop)
        out, err = program.communicate(timeout=30)
    assert (program.returncode, out, err) == (0, "", "")


def test_a_port_in_use_is_one_clear_line(database_url: str, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with start(database_url, tmp_path, "--port", str(port)) as program:
            out, err = program.communicate(timeout=60)
    assert program.returncode == 1
    assert out == ""
    assert err == (
        f"citewell: can't serve at 127.0.0.1, port {port}: Address already in use. "
        "Choose another with --port or web.port.\n"
    )


@pytest.mark.parametrize(
    ("url", "arguments", "words"),
    [
        ("postgresql://someone:pass-w0rd@127.0.0.1:1/nothing", ("--port", "0"), "127.0.0.1"),
        ("not a url", ("--port", "0"), "citewell: "),
        ("", ("--host", "no.such.host.invalid", "--port", "0"), "can't serve at no.such.host.invalid"),
    ],
)
def test_what_stops_it_from_starting_is_one_clear_line(
    tmp_path: Path, url: str, arguments: tuple[str, ...], words: str
) -> None:
    with start(url, tmp_path, *arguments) as program:
        _, err = program.communicate(timeout=60)
    assert program.returncode == 1
    assert err.count("\n") == 1, err
    assert words in err
    assert "pass-w0rd" not in err


def test_a_bad_option_is_one_clear_line(tmp_path: Path) -> None:
    with start("", tmp_path, "--port", "99999999") as program:
        _, err = program.communicate(timeout=60)
    assert program.returncode == 2
    assert "99999999 is not in the range" in err
    assert "Traceback" not in err
