"""A worker of `python -m bench survive`: `python -m bench.survive_worker FOLDER HOSTS COMMAND …`.

The very command line of `python -m bot`, but its fetcher may connect to the web of trouble on loopback and knows that
web's names. Every connection to anything else is noted in `connects.jsonl` in FOLDER, the private answers for names in
`names.jsonl`.
"""

from __future__ import annotations

import ctypes
import json
import signal
import sys
import time
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from bench.trouble.hosts import ALLOWED, web_of
from bench.trouble.names import Names
from bot.__main__ import entry
from bot.fetch.live import configured

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Do what the command line after the first two words says."""
    _die_with_the_bench()
    folder, count = Path(sys.argv[1]), int(sys.argv[2])
    del sys.argv[1:3]
    sys.addaudithook(partial(note, folder / "connects.jsonl"))
    names = Names(web_of(count), folder / "names.jsonl")
    entry(partial(configured, allowed=(ALLOWED,), resolver=names))


def _die_with_the_bench() -> None:
    """However the bench ends, no worker goes on alone."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def note(log: Path, event: str, arguments: tuple[Any, ...]) -> None:
    """Note a connection that leaves the web of trouble; the database's socket is a file."""
    if event != "socket.connect" or not isinstance(arguments[1], tuple):
        return
    address = str(arguments[1][0])
    if ip_address(address.partition("%")[0]) not in ALLOWED:
        with log.open("a") as file:
            file.write(json.dumps({"to": address, "at": time.time()}) + "\n")


if __name__ == "__main__":
    main()
