"""What stays on the disk of a browser when all that would clean up after it was killed; its driver only listens."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from bot.fetch.browser_folder import PREFIX, YOUNG_S, make_folder, remove_left_behind

DRIVER = f"""#!{sys.executable}
import http.server, sys
class Ready(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{{"ready": true}}')
port = next(int(one.removeprefix("--port=")) for one in sys.argv if one.startswith("--port="))
http.server.HTTPServer(("127.0.0.1", port), Ready).serve_forever()
"""
WORKER = """
import sys, time
from bot.fetch.browser import _Kept
kept = _Kept(sys.argv[1], 10**10)
kept.start()
open(kept.folder + "/of the browser", "w").close()
print(kept.folder, kept.process.pid, flush=True)
time.sleep(60)
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The temporary folder, for us and for the workers that we start."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@contextmanager
def worker(tmp_path: Path) -> Iterator[tuple[psutil.Process, psutil.Process, Path]]:
    """A worker, its keeper and their folder."""
    driver = tmp_path / "driver"
    driver.write_text(DRIVER)
    driver.chmod(0o755)
    process = subprocess.Popen(
        [sys.executable, "-c", WORKER, str(driver)],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        text=True,
    )
    keeper: psutil.Process | None = None
    try:
        assert process.stdout is not None
        folder, pid = process.stdout.readline().split()
        keeper = psutil.Process(int(pid))
        yield psutil.Process(process.pid), keeper, Path(folder)
    finally:
        process.kill()
        process.communicate()
        with suppress(psutil.Error):
            if keeper is not None:
                keeper.wait(10)


def aged(folder: Path) -> None:
    then = time.time() - YOUNG_S - 1
    os.utime(folder, (then, then))


def left(temporary: Path) -> list[str]:
    return sorted(one.name for one in temporary.iterdir() if one.name.startswith(PREFIX))


def test_what_a_killed_worker_and_keeper_left_goes_with_the_next_start(tmp_path: Path, temporary: Path) -> None:
    with worker(tmp_path) as (owner, keeper, folder):
        owner.suspend()  # so that it doesn't clean up
        below = keeper.children(recursive=True)
        keeper.send_signal(signal.SIGKILL)
        owner.send_signal(signal.SIGKILL)
        psutil.wait_procs([owner, keeper, *below], 10)
        assert (folder / "of the browser").exists()
        remove_left_behind()
        assert folder.exists(), "it is young: its owner might be about to lock it"
        aged(folder)
        own = make_folder()
        assert left(temporary) == [Path(own.path).name]
        own.remove()
    assert left(temporary) == []


def test_what_is_in_use_stays(tmp_path: Path, temporary: Path) -> None:
    own = make_folder()
    aged(Path(own.path))
    with worker(tmp_path) as (_, _, folder):
        aged(folder)
        aged(Path(own.path))
        remove_left_behind()
        assert left(temporary) == sorted([folder.name, Path(own.path).name])
        assert (folder / "of the browser").exists()
    own.remove()


def test_it_stays_while_the_keeper_alone_lives(tmp_path: Path, temporary: Path) -> None:
    with worker(tmp_path) as (owner, keeper, folder):
        keeper.suspend()  # or it would end with its worker
        owner.send_signal(signal.SIGKILL)
        psutil.wait_procs([owner], 10)
        aged(folder)
        remove_left_behind()
        assert folder.exists()
        keeper.resume()
        keeper.wait(10)
    assert left(temporary) == []


def test_nothing_but_our_own_folders_is_removed(tmp_path: Path, temporary: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "in-use").touch()
    (temporary / f"{PREFIX}link").symlink_to(elsewhere)
    (temporary / f"{PREFIX}file").touch()
    (temporary / f"{PREFIX}unlocked").mkdir()
    (temporary / f"{PREFIX}unlocked" / "profile").touch()  # nothing tells whether it is in use
    (temporary / f"{PREFIX}empty").mkdir()
    (temporary / "citewell-other").mkdir()
    for one in temporary.iterdir():
        aged(one)
    remove_left_behind()
    assert left(temporary) == [f"{PREFIX}file", f"{PREFIX}link", f"{PREFIX}unlocked"]
    assert (elsewhere / "in-use").exists()
    assert (temporary / "citewell-other").exists()
