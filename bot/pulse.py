"""Signs of life: a file that is touched while work goes on, for the check of whoever supervises a worker."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from pathlib import Path

TOUCH_EVERY_S = 1.0


class Pulse:
    """When this worker last made progress. `file` is touched for others to see; None: nothing is.

    Safe to use from several threads.
    """

    def __init__(self, file: Path | None = None, touch_every_s: float = TOUCH_EVERY_S) -> None:
        self._file, self._touch_every_s = file, touch_every_s
        self._last = time.monotonic()
        self._touched: float | None = None
        self._touching = threading.Lock()

    def beat(self) -> None:
        """Progress was made: a page came, a pair was judged, or there is nothing to do and the database says so."""
        self._last = now = time.monotonic()
        if self._file is None or not self._touching.acquire(blocking=False):
            return
        try:
            if self._touched is None or now - self._touched >= self._touch_every_s:
                self._touched = now
                _touch(self._file)
        finally:
            self._touching.release()

    @property
    def silent_s(self) -> float:
        """Seconds since the last progress."""
        return time.monotonic() - self._last


def _touch(file: Path) -> None:
    with suppress(OSError):  # a full disk ends no run: the check will say that nothing was touched
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.touch()


def unwell(file: Path, most_s: float) -> str | None:
    """Why a worker that touches `file` is taken for dead or stuck; None where it has made progress within `most_s`."""
    try:
        silent_s = time.time() - file.stat().st_mtime
    except FileNotFoundError:
        return f"{file} isn't there: no worker has begun. Start one, or set run.health_file to the file of its own."
    except OSError as error:
        return f"{file} can't be looked at: {error.strerror}."
    if silent_s > most_s:
        return f"No progress for {silent_s:.0f} s, and {most_s:.0f} s are allowed (run.health_s): restart the worker."
    return None
