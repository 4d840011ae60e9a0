"""The log of the web of trouble: a line of JSON for each request and each connection that led to none."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

NO_REQUEST = ""
"""In place of a path: somebody connected, and was refused or left before he asked for anything."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as its host saw it.

    `begun` is when it had come in, `ended` when the last bytes were sent or the client had left; seconds of the
    system's monotonic clock. `whole`: the answer went out as it was meant to. `rest_until`: when the host, by this
    answer, wants to be asked again, else 0. `at` is the time of day (epoch, seconds).
    """

    host: str
    address: str
    path: str
    agent: str
    begun: float
    ended: float
    whole: bool
    conditional: bool
    rest_until: float
    at: float

    @property
    def is_robots(self) -> bool:
        """Whether it asked for the host's rules."""
        return self.path.startswith("/robots")

    def line(self) -> str:
        """As it stands in the log."""
        return json.dumps(asdict(self)) + "\n"


def read_log(path: Path) -> tuple[Asked, ...]:
    """The requests in a log, in the order in which they came in. A last line that is cut off is left out."""
    names = {field.name for field in fields(Asked)}
    found = [_asked(line, names) for line in path.read_text("utf-8").split("\n")[:-1]] if path.exists() else []
    return tuple(sorted(found, key=lambda one: one.begun))


def _asked(line: str, names: set[str]) -> Asked:
    return Asked(**{name: value for name, value in json.loads(line).items() if name in names})


def by_host(log: Sequence[Asked]) -> dict[str, list[Asked]]:
    """The requests of each host, in order."""
    hosts: dict[str, list[Asked]] = {}
    for one in log:
        hosts.setdefault(one.host, []).append(one)
    return hosts
