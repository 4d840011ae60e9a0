"""The name under which a worker leases: no two workers of any two machines have the same one, and others on the same
machine can tell whether it still lives.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable
from pathlib import Path

import psutil  # type: ignore[import-untyped]


def worker_name(pid: int | None = None) -> str:
    """The name of a process of this machine: where it runs, its process id, and when it was started."""
    number = os.getpid() if pid is None else pid
    return f"{_here()}:{number}:{psutil.Process(number).create_time():.2f}"


def dead_workers(names: Iterable[str]) -> tuple[str, ...]:
    """Those of the workers that were processes of this machine and are no more."""
    ours = f"{_here()}:"
    return tuple(name for name in names if name.startswith(ours) and not _alive(name))


def lease_name(worker: str, number: int) -> str:
    """The name under which a worker leases its batch `number`: what is late is not taken for what was leased since."""
    return f"{worker}:{number}"


def worker_of(lease: str) -> str:
    """The worker that leased by a name."""
    return ":".join(lease.split(":")[:3])


def shown(worker: str) -> str:
    """A worker's name for a person: the machine's name and the process."""
    host, _, rest = worker.partition("/")
    return f"{host}:{rest.split(':')[1]}" if rest.count(":") >= 2 else worker


def _here() -> str:
    # Machines can share a host name, as clones and containers do, but not a boot; containers of one machine share
    # that, but not a process space.
    boot, space = Path("/proc/sys/kernel/random/boot_id"), Path("/proc/self/ns/pid")
    booted = boot.read_text().strip().replace("-", "")[:12] if boot.exists() else f"{psutil.boot_time():.0f}"
    inner = space.readlink().name.strip("pid:[]") if space.is_symlink() else ""
    return f"{socket.gethostname()}/{booted}.{inner}"


def _alive(name: str) -> bool:
    try:
        process = psutil.Process(int(name.split(":")[1]))
        return process.status() != psutil.STATUS_ZOMBIE and worker_name(process.pid) == worker_of(name)
    except (psutil.NoSuchProcess, ValueError, IndexError):
        return False
