"""The web of trouble, running beside a test or a bench."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.trouble.hosts import Host, web_of
from bench.trouble.log import Asked, read_log

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Running:
    """A web that runs: its hosts, the port that all share, and the folder of its logs."""

    hosts: tuple[Host, ...]
    port: int
    folder: Path
    process: subprocess.Popen[str]

    def url(self, host: Host, path: str) -> str:
        """The address of a page."""
        return host.url(self.port, path)

    def cut(self, way: str, seconds: float) -> None:
        """Cut the network (`refuse`, `reset` or `silence`), and wait until it is mended."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"cut {way} {seconds}\n")
        self.process.stdin.flush()
        self.process.stdout.readline()

    def log(self) -> tuple[Asked, ...]:
        """The requests that have ended so far."""
        return read_log(self.folder / "requests.jsonl")

    def strangers(self) -> list[str]:
        """Which private addresses were connected to."""
        lines = (self.folder / "strangers.jsonl").read_text().splitlines()
        return [str(json.loads(line)["to"]) for line in lines]


@contextmanager
def trouble(folder: Path, count: int) -> Iterator[Running]:
    """Run a web of `count` hosts, with its logs in `folder`. When this is left, its log is whole."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "bench.trouble.server", str(folder), str(count)]
    with subprocess.Popen(  # noqa: S603 - our own program
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        said = process.stdout.readline().split()
        if len(said) != 2:
            raise OSError("the web of trouble can't listen")
        try:
            yield Running(web_of(count), int(said[1]), folder, process)
        finally:
            process.stdin.close()
            process.wait(10)
