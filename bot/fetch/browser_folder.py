"""The folder of a browser, and those that were left behind: a lock that its owners hold tells whether it is in use.

The kernel gives the lock back when the last process that holds it ends, however that ends.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PREFIX = "citewell-browser-"
YOUNG_S = 60.0  # a folder that is younger may have an owner who is about to lock it
_LOCK = "in-use"


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of our own; it is in use while this process, or one that inherited `lock`, holds that open file."""

    path: str
    lock: int

    def remove(self) -> None:
        """Remove the folder with all that is in it, and give the lock back."""
        shutil.rmtree(self.path, ignore_errors=True)
        with suppress(OSError):
            os.close(self.lock)


def make_folder() -> Folder:
    """A new folder in the temporary one, locked. Those of owners that are gone are removed first."""
    remove_left_behind()
    while True:
        path = tempfile.mkdtemp(prefix=PREFIX)
        lock = _locked(Path(path, _LOCK), os.O_CREAT)
        if lock is not None:
            return Folder(path, lock)


def remove_left_behind() -> None:
    """Remove the folders in the temporary one that are ours and that nobody uses any more."""
    with suppress(OSError):
        for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
            if _is_old_and_ours(folder):
                _remove_unused(folder)


def _is_old_and_ours(folder: Path) -> bool:
    try:
        seen = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(seen.st_mode) and seen.st_uid == os.geteuid() and time.time() - seen.st_mtime > YOUNG_S


def _remove_unused(folder: Path) -> None:
    lock = _locked(folder / _LOCK)
    if lock is not None:
        Folder(str(folder), lock).remove()
    elif not (folder / _LOCK).exists():
        with suppress(OSError):
            folder.rmdir()  # its owner ended before there was anything in it


def _locked(path: Path, flags: int = 0) -> int | None:
    """The open file of a lock that we have got; None where another has it, or its folder is gone."""
    try:
        lock = os.open(path, os.O_RDWR | os.O_NOFOLLOW | flags, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(lock).st_nlink:
            return lock
    except OSError:
        pass
    os.close(lock)
    return None
