"""The name under which a worker leases, made so that others on the same machine can tell whether it still lives."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable
from pathlib import Path

import psutil  # type: ignore[import-untyped]


def worker_name(pid: int | None = None) -> str:
    """The name of a process of this machine: host and process space, process id, and when it was started."""
    number = os.getpid() if pid is None else pid
    return f"{_here()}:{number}:{psutil.Process(number).create_time():.2f}"


def dead_workers(names: Iterable[str]) -> tuple[str, ...]:
    """Those of the workers that were processes of this machine and are no more."""
    ours = f"{_here()}:"
    return tuple(name for name in names if name.startswith(ours) and not _alive(name))


def _here() -> str:
    # Containers can share a host name, but not a process space.
    space = Path("/proc/self/ns/pid")
    inner = space.readlink().name.strip("pid:[]") if space.is_symlink() else ""
    return f"{socket.gethostname()}/{inner}"


def _alive(name: str) -> bool:
    try:
        process = psutil.Process(int(name.split(":")[1]))
        return process.status() != psutil.STATUS_ZOMBIE and worker_name(process.pid) == name
    except (psutil.NoSuchProcess, ValueError, IndexError):
        return False
