"""Worker processes of the tests: started, watched, killed; and a queue of pairs that cite the web of the tests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from local_web import LocalWeb, page
from sqlalchemy import Engine, text
from sqlalchemy.orm import Session

from models.statement import SourceUrl, Term
from store.runs import end_run, start_run
from store.walk import SelectedPair, put_pairs, put_terms

WORKER = Path(__file__).with_name("quick_worker.py")
PATIENCE_S = 240.0  # of a test with a process: machines of tests can be slow
BORN = {
    "snaktype": "value",
    "property": "P569",
    "datatype": "time",
    "datavalue": {
        "type": "time",
        "value": {"time": "+1900-00-00T00:00:00Z", "precision": 9, "calendarmodel": "http://x/entity/Q1985727"},
    },
}


def queue_pairs(engine: Engine, web: LocalWeb, number: int) -> None:
    """So many pairs, each with a page of its own on `web`."""
    with Session(engine) as session, session.begin():
        run = start_run(session, "a walk", "quick")
        put_terms(session, [Term("P569", "date of birth"), *(Term(f"Q{n}", f"Ada {n}") for n in range(1, number + 1))])
        put_pairs(session, run.id, [_pair(n, f"{web.url}/{n}") for n in range(1, number + 1)], "quick")
        end_run(session, run.id, "stopped")
    words = "She was a writer of some renown, and is remembered by many for what she wrote in her time. "
    for n in range(1, number + 1):
        born = f"<h1>Ada {n}</h1><p>Ada {n} was born in 1900. {words * 5}</p>"
        web.routes[f"/{n}"] = page(f"<title>Ada {n}</title>{born}")


def _pair(number: int, url: str) -> SelectedPair:
    return SelectedPair(
        guid=f"Q{number}$A",
        item_id=f"Q{number}",
        property_id="P569",
        snak=BORN,
        qualifiers={},
        rank="normal",
        revision=1,
        ref_hash=f"hash{number}",
        ref_snaks={"P854": []},
        urls=(SourceUrl(url, "live"),),
    )


class Workers:
    """Starts workers with an environment, and ends those that are left."""

    def __init__(self, **environment: str) -> None:
        self._environment = {
            **os.environ,
            "CITEWELL_CONTACT": "tests@example.org",
            "CITEWELL_FETCH_HOST_DELAY_S": "0",
            "CITEWELL_RUN_FETCHERS": "2",
            "PYTHONUNBUFFERED": "1",
            **environment,
        }
        self._started: list[subprocess.Popen[str]] = []

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        """A worker: `work`, unless told otherwise."""
        return self._start([str(WORKER), *(arguments or ("work",))], environment)

    def start_module(self, module: str, **environment: str) -> subprocess.Popen[str]:
        """`python -m` a module of the project."""
        return self._start(["-m", module], environment)

    def _start(self, arguments: list[str], environment: dict[str, str]) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=WORKER.parents[2],
            env=self._environment | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._started.append(process)
        return process

    def end(self) -> None:
        """Kill what still runs."""
        for process in self._started:
            if process.poll() is None:
                process.kill()
            process.communicate()


@contextmanager
def workers(**environment: str) -> Iterator[Workers]:
    """Workers that end with the test."""
    some = Workers(**environment)
    try:
        yield some
    finally:
        some.end()


def number(engine: Engine, where: str) -> int:
    """How many rows there are, e.g. of "pair WHERE state = 'judged'"."""
    with engine.connect() as connection:
        return int(connection.execute(text(f"SELECT count(*) FROM {where}")).scalar_one())


def wait_for(reached: Callable[[], bool], *processes: subprocess.Popen[str]) -> None:
    """Wait until something is so; what the processes said is told where one of them ends before."""
    until = time.monotonic() + PATIENCE_S
    while not reached():
        for process in processes:
            assert process.poll() is None, process.communicate()
        assert time.monotonic() < until, "it takes too long"
        time.sleep(0.02)


def said(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a process, once it has ended."""
    out, err = process.communicate(timeout=PATIENCE_S)
    return process.returncode, out, err


def kill(process: subprocess.Popen[str]) -> None:
    """SIGKILL."""
    process.send_signal(signal.SIGKILL)
    process.communicate()


def all_judged_once(engine: Engine, pairs: int) -> None:
    """Each pair has one verdict, which is current, and nobody holds any."""
    assert number(engine, "pair WHERE state = 'judged'") == pairs
    assert number(engine, "verdict") == number(engine, "verdict WHERE current") == pairs
    assert number(engine, "pair WHERE leased_by IS NOT NULL") == 0
