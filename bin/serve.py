"""`python -m bin.serve`: walk a dump, then serve the dashboard with a worker beside it, and end all of it together.

This is what `make run` runs. The worker judges again what a saved override changes while the dashboard is up.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterable, Sequence
from subprocess import Popen, TimeoutExpired

import click

from config import ConfigError, load_config

PATIENCE_S = 30.0
"""How long a part may take to finish what it is at before it is killed; nothing is lost then, only done again."""

LOOK_S = 0.2
_PR_SET_PDEATHSIG = 1


def start(command: Sequence[str]) -> Popen[bytes]:
    """Start a part in a process group of its own, so that a Ctrl-C in the terminal reaches it through us and once."""
    libc = ctypes.CDLL(None)

    def ended_with_us() -> None:
        # Even a SIGKILL of this process ends the part. Only Linux knows how, and elsewhere the call does nothing.
        getattr(libc, "prctl", lambda *_: None)(_PR_SET_PDEATHSIG, signal.SIGTERM)

    # Unbuffered, so that progress and the address are seen at once even where the output goes to a file.
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    # preexec_fn is only unsafe beside threads, and this process has none; the commands are our own.
    return Popen(command, env=environment, process_group=0, preexec_fn=ended_with_us)  # noqa: S603, PLW1509


def first_to_end(parts: Sequence[Popen[bytes]], stop: threading.Event) -> Popen[bytes] | None:
    """Wait until one of the parts has ended, and return it; None where the stop came first."""
    while not stop.wait(LOOK_S):
        for part in parts:
            if part.poll() is not None:
                return part
    return None


def end(parts: Iterable[Popen[bytes]], patience_s: float = PATIENCE_S) -> None:
    """Ask the parts that still run to end (SIGTERM), the last started first; kill those that don't in time."""
    running = [part for part in reversed(list(parts)) if part.poll() is None]
    for part in running:
        part.terminate()
    for part in running:
        try:
            part.wait(patience_s)
        except TimeoutExpired:
            part.kill()
            part.wait()


def run_together(commands: Sequence[Sequence[str]], stop: threading.Event) -> int:
    """Run the parts until one of them ends or the stop comes, then end the others.

    Returns 0 for a stop that was asked for, else the exit status of the part that ended first.
    """
    parts: list[Popen[bytes]] = []
    try:
        for command in commands:
            parts.append(start(command))
        ended = first_to_end(parts, stop)
    finally:
        end(parts)
    return 0 if ended is None else ended.returncode


def free_or_any(host: str, port: int) -> int:
    """The port where it can be had, else 0, which lets the dashboard take any free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
            # Binding alone succeeds beside a server that allows its address to be used again.
            trial.listen(1)
        except OSError:
            return 0
    return port


def catch_signals(stop: threading.Event) -> None:
    """SIGTERM and SIGINT (Ctrl-C) ask for the stop; a second one changes nothing."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())


@click.command()
@click.option("--dump", required=True, help="The dump to walk before serving.")
@click.option("--pages", required=True, help="The WARC file with the pages that it cites.")
@click.option("--port", type=click.IntRange(1, 65535), help="Serve at this port or not at all. [web.port, or any free]")
def main(dump: str, pages: str, port: int | None) -> None:
    """Walk a dump, then serve the dashboard with a worker beside it, until SIGTERM or Ctrl-C."""
    stop = threading.Event()
    catch_signals(stop)
    try:
        web = load_config().web
    except ConfigError as error:
        click.echo(f"citewell: {error}", err=True)
        raise SystemExit(1) from None

    python = sys.executable
    status = run_together([[python, "-m", "bot", "run", "--dump", dump, "--pages", pages]], stop)
    if status or stop.is_set():
        raise SystemExit(status)

    chosen = port or free_or_any(web.host, web.port)
    if not chosen:
        click.echo(f"Port {web.port} is taken, so the dashboard takes another. PORT=… chooses one.")
    click.echo("Starting the dashboard. Ctrl-C stops it.")
    dashboard = [python, "-m", "web", "--port", str(chosen)]
    worker = [python, "-m", "bot", "work", "--watch"]
    raise SystemExit(run_together([dashboard, worker], stop))


if __name__ == "__main__":
    main()
