"""Keep a browser: run its driver, see that all of it stays within its memory, and that none of it outlives us.

Run as a program by `bot.fetch.browser`. Arguments: the folder that is the browser's own, the most memory that the
whole tree may have (bytes), and the driver's command. It ends everything below it and removes the folder when its
standard input is closed (the worker has gone, however it went), on SIGTERM, when the driver has ended, or when there
is too much memory in use (exit code 3). On Linux what a child leaves behind comes to us, so nothing gets away.
"""

import ctypes
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from types import FrameType
from typing import NoReturn

import psutil  # type: ignore[import-untyped]

TOO_MUCH = 3
LOOK_S = 0.2
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36


def main() -> NoReturn:
    """Keep until there is a reason to end."""
    folder, most, *command = sys.argv[1:]
    signal.signal(signal.SIGTERM, _end)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    code = 0
    try:
        driver = subprocess.Popen(command, stdin=subprocess.DEVNULL, preexec_fn=_die_with_us)  # noqa: S603, PLW1509
        while not select.select([0], [], [], LOOK_S)[0] and not _ended(driver.pid):
            if _memory() > int(most):
                code = TOO_MUCH
                break
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while _kill():
            time.sleep(0.01)
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(code)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    del number, frame
    raise SystemExit


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _die_with_us() -> None:
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _ended(pid: int) -> bool:
    """Whether the driver has ended; takes leave of every process that has."""
    ended = False
    while True:
        try:
            gone, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return True
        if not gone:
            return ended
        ended = ended or gone == pid


def _memory() -> int:
    """The memory of all below us. What processes share is counted once only where the quick sum looks like too much."""
    tree = psutil.Process().children(recursive=True)
    quick = sum(_of(process, "memory_info", "rss") for process in tree)
    return quick if quick < int(sys.argv[2]) else sum(_of(process, "memory_full_info", "pss") for process in tree)


def _of(process: psutil.Process, way: str, field: str) -> int:
    try:
        return int(getattr(getattr(process, way)(), field))
    except (psutil.Error, AttributeError):  # it has just ended; PSS is Linux's own
        return 0


def _kill() -> bool:
    """Kill all below us; whether there was anyone."""
    found = psutil.Process().children(recursive=True)
    for process in found:
        try:
            process.kill()
        except psutil.Error:
            continue
    _ended(0)
    return bool(found)


if __name__ == "__main__":
    main()
