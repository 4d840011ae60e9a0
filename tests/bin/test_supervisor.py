"""The supervisor with real processes: what ends, ends all; a stop is passed on once; nothing is left behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bin.serve import end, free_or_any, run_together, start

ROOT = Path(__file__).parents[2]
WAIT_S = 30.0

# A part that says that it runs, and on SIGTERM says that it ended and how often it was asked.
POLITE = """
import pathlib, signal, sys, time
place, asked = pathlib.Path(sys.argv[1]), []
signal.signal(signal.SIGTERM, lambda *_: asked.append(1))
place.with_suffix(".runs").write_text("")
while not asked:
    time.sleep(0.02)
time.sleep(0.3)
place.with_suffix(".ended").write_text(str(len(asked)))
"""
STUBBORN = """
import pathlib, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
pathlib.Path(sys.argv[1]).with_suffix(".runs").write_text("")
time.sleep(60)
"""


def _python(code: str, *arguments: object) -> list[str]:
    return [sys.executable, "-c", code, *map(str, arguments)]


def _until(true: Callable[[], bool]) -> None:
    limit = time.monotonic() + WAIT_S
    while not true():
        assert time.monotonic() < limit, "waited in vain"
        time.sleep(0.02)


def _alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.fixture
def stop() -> threading.Event:
    return threading.Event()


def test_a_part_that_fails_ends_the_others_and_gives_its_status(tmp_path: Path, stop: threading.Event) -> None:
    other = tmp_path / "other"
    failing = "import pathlib, sys, time\nwhile not pathlib.Path(sys.argv[1]).exists(): time.sleep(0.02)\nsys.exit(3)"
    commands = [_python(POLITE, other), _python(failing, other.with_suffix(".runs"))]
    assert run_together(commands, stop) == 3
    assert other.with_suffix(".ended").read_text() == "1"


def test_a_stop_ends_all_parts_each_asked_once(tmp_path: Path, stop: threading.Event) -> None:
    places = [tmp_path / "dashboard", tmp_path / "worker"]

    def ask() -> None:
        _until(lambda: all(place.with_suffix(".runs").exists() for place in places))
        stop.set()

    asking = threading.Thread(target=ask)
    asking.start()
    status = run_together([_python(POLITE, place) for place in places], stop)
    asking.join()
    assert status == 0
    assert [place.with_suffix(".ended").read_text() for place in places] == ["1", "1"]


def test_a_part_that_does_not_end_is_killed(tmp_path: Path) -> None:
    part = start(_python(STUBBORN, tmp_path / "stubborn"))
    _until((tmp_path / "stubborn.runs").exists)
    end([part], patience_s=0.2)
    assert part.returncode == -signal.SIGKILL


def test_a_command_that_is_not_there_leaves_nothing_running(tmp_path: Path, stop: threading.Event) -> None:
    place = tmp_path / "first"
    with pytest.raises(FileNotFoundError):
        run_together([_python(POLITE, place), [str(tmp_path / "nothing-here")]], stop)
    # The first was ended, before or after it could say so.
    assert place.with_suffix(".ended").exists() or not place.with_suffix(".runs").exists()


def test_a_taken_port_is_left_alone() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen(1)
        port = taken.getsockname()[1]
        assert free_or_any("127.0.0.1", port) == 0
    assert free_or_any("127.0.0.1", port) == port


SUPERVISOR = """
import sys, threading
from bin.serve import catch_signals, run_together
stop = threading.Event()
catch_signals(stop)
print("ready", flush=True)
sys.exit(run_together([[sys.executable, "-c", sys.argv[1], place] for place in sys.argv[2:]], stop))
"""


@pytest.fixture
def supervised(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], list[Path]]]:
    """A supervisor in a process group of its own, as a shell would start it, with two polite parts that run."""
    places = [tmp_path / "dashboard", tmp_path / "worker"]
    command = _python(SUPERVISOR, POLITE, *places)
    with subprocess.Popen(command, cwd=ROOT, process_group=0, stdout=subprocess.PIPE) as process:
        _until(lambda: all(place.with_suffix(".runs").exists() for place in places))
        yield process, places
        process.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_to_the_whole_group_stop_it_cleanly(
    supervised: tuple[subprocess.Popen[bytes], list[Path]], number: signal.Signals
) -> None:
    process, places = supervised
    # A terminal's Ctrl-C and `kill -- -GROUP` reach all processes of the group; asking twice changes nothing.
    os.killpg(process.pid, number)
    os.killpg(process.pid, number)
    assert process.wait(WAIT_S) == 0
    assert [place.with_suffix(".ended").read_text() for place in places] == ["1", "1"]


def test_parts_end_even_when_the_supervisor_is_killed(supervised: tuple[subprocess.Popen[bytes], list[Path]]) -> None:
    process, places = supervised
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    assert len(children) == 2
    process.kill()
    _until(lambda: all(place.with_suffix(".ended").exists() for place in places))
    _until(lambda: not any(_alive(int(child)) for child in children))


def _serve(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bin.serve", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_bad_setting_gives_one_line() -> None:
    done = _serve("--dump", "d", "--pages", "p", CITEWELL_WEB_PORT="eighty")
    assert done.returncode == 1
    assert done.stderr.startswith("citewell: ")
    assert done.stderr.count("\n") == 1
