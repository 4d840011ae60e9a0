"""Reads hostile documents, each in a process forked from one that has read an ordinary page, and says what it cost.

`python tests/models/bounded_read.py SIZE [NAME …]` prints a line of JSON for each: `name`, `outcome`, `seconds` (of
processor) and `mb` (the most memory beyond what was held before), both with the processes that reading started.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import hostile

from models.document import Document
from models.outcome import NotJudged
from models.read import read

LONGEST_S = 60  # after which a process is ended


def document(body: bytes) -> Document:
    url = "https://lives.example/page"
    return Document(url, url, 200, (("content-type", "text/html"),), body, "sha256:", datetime.now(UTC))


def measured(name: str, size: int) -> dict[str, object]:
    """Read one document and say what it cost; making its bytes doesn't count."""
    page = document(hostile.MAKERS[name](size))
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # forgets how much memory was held at most
    held, begun = _peak_mb(resource.RUSAGE_SELF), _seconds()
    found = read(page)
    return {
        "name": name,
        "seconds": _seconds() - begun,
        "mb": _peak_mb(resource.RUSAGE_SELF) - held + _peak_mb(resource.RUSAGE_CHILDREN),
        "outcome": found.outcome.value if isinstance(found, NotJudged) else "page",
    }


def _peak_mb(who: int) -> float:
    return resource.getrusage(who).ru_maxrss / 1024


def _seconds() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in both)


def main(size: int, names: list[str]) -> None:
    read(document(f"<html><body>{hostile.P * 20}</body></html>".encode()))
    for name in names or hostile.MAKERS:
        child = os.fork()
        if child == 0:
            try:
                resource.setrlimit(resource.RLIMIT_CPU, (LONGEST_S, LONGEST_S))
                _say(measured(name, size))
            finally:
                os._exit(0)
        status = os.waitpid(child, 0)[1]
        if status:
            _say({"name": name, "seconds": LONGEST_S, "mb": 0, "outcome": f"ended by {status}"})


def _say(line: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
