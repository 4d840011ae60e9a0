"""SIGTERM and Ctrl-C: the present batch is finished and leases are given back; a second signal ends at once."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Self

SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Stop:
    """Whether someone asked us to stop. As a context manager it listens to the signals, in the main thread only."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._former: dict[signal.Signals, Any] = {}
        self.signal: int | None = None

    @property
    def asked(self) -> bool:
        """Whether to stop after the present batch."""
        return self._event.is_set()

    def wait(self, seconds: float) -> None:
        """Wait, but no longer than until someone asks us to stop."""
        self._event.wait(seconds)

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._former = {number: signal.signal(number, self._heard) for number in SIGNALS}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._former.items():
            signal.signal(number, handler)

    def _heard(self, number: int, frame: FrameType | None) -> None:
        del frame
        if self._event.is_set():
            raise KeyboardInterrupt
        self.signal = number
        self._event.set()
