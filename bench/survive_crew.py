"""The workers of `python -m bench survive`: started, killed, and started again, as a job framework would."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MOST_STARTED = 300
END_S = 60.0


class Hopeless(Exception):
    """Workers end by themselves again and again."""


@dataclass
class Crew:
    """`size` workers that run `command` with `environment`; what they say goes into files in `folder`.

    `ended` counts by exit code those that ended by themselves, which none should; `started` is how many there were.
    """

    size: int
    command: Sequence[str]
    environment: Mapping[str, str]
    folder: Path
    ended: Counter[int] = field(default_factory=Counter)
    started: int = 0
    _working: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def keep_up(self) -> None:
        """Start a worker for each that is missing. Raises `Hopeless`."""
        for one in [one for one in self._working if one.poll() is not None]:
            self.ended[one.returncode] += 1
            self._working.remove(one)
        while len(self._working) < self.size:
            if self.started >= MOST_STARTED:
                raise Hopeless(f"{self.started} workers were started, and they go on ending; see {self.folder}")
            self._working.append(self.start(self.command))

    def start(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        """Start a process with another command; it belongs to the crew only when it is `taken_in`."""
        self.started += 1
        with (self.folder / f"worker-{self.started}.log").open("wb") as log:
            return subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, *command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=ROOT,
                env={**os.environ, **self.environment},
            )

    def take_in(self, process: subprocess.Popen[bytes]) -> None:
        """Count a process as one of the crew: when it is gone, a worker takes its place."""
        self._working.append(process)

    def leased(self, held: Mapping[str, int]) -> int:
        """How many pairs those have leased that a kill would meet first; `held` says by name who has how many."""
        return leased_by(held, [one.pid for one in self._working[:1]])

    def kill(self, most: int) -> list[int]:
        """Kill the workers that have worked longest, `most` of them; their process ids."""
        victims = [one for one in self._working if one.poll() is None][:most]
        for one in victims:
            one.send_signal(signal.SIGKILL)
            one.wait()
            self._working.remove(one)
        return [one.pid for one in victims]

    def end(self) -> None:
        """Ask all to stop, and wait for them; what doesn't stop is killed and counted as ended by that."""
        for one in self._working:
            one.terminate()
        for one in self._working:
            try:
                code = one.wait(END_S)
            except subprocess.TimeoutExpired:
                one.kill()
                code = one.wait()
            if code not in (0, 128 + signal.SIGTERM, -signal.SIGTERM):  # the last: it had hardly begun
                self.ended[code] += 1
        self._working.clear()


def leased_by(held: Mapping[str, int], pids: Sequence[int]) -> int:
    """How many pairs the processes of these ids have leased."""
    return sum(number for name, number in held.items() if int(name.split(":")[1]) in pids)
