"""Progress of long work on stderr: a bar with the time left on a terminal, a log line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import click
import structlog

LOG_EVERY_S = 10.0

Show = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]
"""Shows how far some work has come: called with a label and how much there is to do."""


@contextmanager
def unseen(_label: str, _length: int) -> Iterator[Callable[[int], None]]:
    """Shows nothing."""
    yield lambda _: None


@contextmanager
def progress(label: str, length: int) -> Iterator[Callable[[int], None]]:
    """Gives a function that takes how much more is done, of `length`."""
    if sys.stderr.isatty():
        with click.progressbar(length=length, label=label, file=sys.stderr, show_eta=True, show_pos=True) as bar:
            yield bar.update
        return
    meter = _Meter(label, length)
    yield meter.update


class _Meter:
    """Logs how far the work has come, and how long the rest will take at this pace."""

    def __init__(self, label: str, length: int) -> None:
        self._label, self._length = label, length
        self._begun = self._told = time.monotonic()
        self._done = 0

    def update(self, more: int) -> None:
        self._done += more
        now = time.monotonic()
        if now - self._told >= LOG_EVERY_S:
            self._told = now
            left_s = (now - self._begun) / max(self._done, 1) * max(self._length - self._done, 0)
            structlog.get_logger().info(self._label, done=self._done, of=self._length, left_s=round(left_s))
