"""`python -m bench survive`: workers that are killed, cut off and starved over a web of trouble, and what is left."""

from __future__ import annotations

import json
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

import click
from sqlalchemy import Engine

from bench import survive_checks as checks
from bench import survive_rows as rows
from bench.survive_crew import Crew, Hopeless, leased_by
from bench.survive_faults import Fault, plan
from bench.survive_speed import CONTACT, speed
from bench.trouble.dump import Cited, write_dump
from bench.trouble.running import Running, trouble
from store.archive import Archive, ArchiveError, Place

HOSTS = 240
DELAY_S = 1.0
TIMEOUT_S = 3.0
ARCHIVE_BYTES = 50_000_000
LONGEST_WAIT_S = 30.0
LOOK_S = 0.2
HOUR_S = 3.0
"""So long an hour lasts for pairs that failed."""
_ONLY_KEPT = ("faults_done", "findings", "exit_codes", "archive_check")
STUCK_S = 90.0
"""So long without one pair more, and the next fault comes all the same; at the end, and it is over."""


@dataclass(slots=True)
class Done:
    """A fault that was done: when (seconds since the start), how long it took, and what it did."""

    fault: Fault
    at_s: float
    lasted_s: float
    settled: int
    effect: dict[str, int]


@dataclass
class Ordeal:
    """A run that has to survive: its web, its database, its archive, its workers, and the faults so far."""

    web: Running
    server: rows.Server
    engine: Engine
    crew: Crew
    var: Path
    pairs: int
    begun: float = field(default_factory=time.monotonic)
    done: list[Done] = field(default_factory=list)
    cuts: list[checks.Window] = field(default_factory=list)

    def settled(self) -> int:
        """How many pairs have been judged, or have an outcome."""
        states = rows.states(self.engine)
        return states.get("judged", 0) + states.get("not_judged", 0)

    def undergo(self, fault: Fault) -> None:
        """Do a fault, and mend what can be mended."""
        at, before = time.monotonic(), self.settled()
        effect = getattr(self, f"_{fault.kind}")(fault)
        self.done.append(Done(fault, at - self.begun, time.monotonic() - at, before, effect))
        said = " ".join(f"{name}={number}" for name, number in effect.items())
        _say(f"{before}/{self.pairs} fault {len(self.done)}: {fault.kind} {fault.way}, {fault.seconds:g} s; {said}")

    def _kill(self, fault: Fault) -> dict[str, int]:
        until = time.monotonic() + LONGEST_WAIT_S
        while not self.crew.leased(held := rows.leases(self.engine)) and time.monotonic() < until:
            self.crew.keep_up()
            time.sleep(LOOK_S)
        killed = self.crew.kill(self.crew.size if fault.way == "all" else 1)
        if fault.way == "one and its machine":
            rows.take_elsewhere(self.engine, killed)
        return {"killed": len(killed), "leased": leased_by(held, killed)}

    def _database(self, fault: Fault) -> dict[str, int]:
        self.server.stop_at_once()
        killed = self.crew.kill(1) if fault.way == "and a worker" else []
        time.sleep(fault.seconds)
        self.server.start()
        return {"killed": len(killed)}

    def _network(self, fault: Fault) -> dict[str, int]:
        self._until_somebody_asks()
        begun = time.time()
        self.web.cut(fault.way, fault.seconds)
        self.cuts.append(checks.Window(begun, time.time()))
        return {"noticed": rows.without_network(self.engine)}

    def _until_somebody_asks(self) -> None:
        """A cut that nobody feels proves nothing."""
        log, until = self.web.folder / "requests.jsonl", time.monotonic() + LONGEST_WAIT_S
        before = log.stat().st_size
        while log.stat().st_size == before and time.monotonic() < until:
            self.crew.keep_up()
            time.sleep(LOOK_S / 10)

    def _archive(self, fault: Fault) -> dict[str, int]:
        """The quota is filled until it was felt."""
        ballast = self.var / "archive" / "ballast"
        ballast.parent.mkdir(parents=True, exist_ok=True)
        with ballast.open("wb") as file:
            file.truncate(ARCHIVE_BYTES)  # a hole: it weighs nothing on the disk
        until = time.monotonic() + LONGEST_WAIT_S
        killed = self.crew.kill(1) if fault.way == "and a worker" else []
        time.sleep(fault.seconds)
        while not rows.without_room(self.engine) and time.monotonic() < until:
            self.crew.keep_up()
            time.sleep(LOOK_S)
        ballast.unlink()
        return {"failed": rows.without_room(self.engine), "killed": len(killed)}


@click.command("survive")
@click.option("--pairs", default=2000, show_default=True, type=click.IntRange(min=40))
@click.option("--workers", default=3, show_default=True, type=click.IntRange(min=1))
@click.option("--faults", default=24, show_default=True, type=click.IntRange(min=1))
@click.option("--hosts", default=HOSTS, show_default=True, type=click.IntRange(min=60))
@click.option("--seed", default=1, show_default=True, help="Another seed: other pages, other faults.")
@click.option("--keep", type=click.Path(path_type=Path), help="A folder for the logs and the archive, to look at.")
@click.option("--speed/--no-speed", "timed", default=True, show_default=True, help="Time fetching too.")
def survive(pairs: int, workers: int, faults: int, hosts: int, seed: int, keep: Path | None, timed: bool) -> None:
    """Have workers judge pairs over a web of trouble while things break; print as JSON what was lost by it."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # so that all is cleared up
    with _folder(keep) as folder:
        report = ordeal(folder, pairs, workers, faults, hosts, seed)
        cost = asdict(speed(folder / "speed", DELAY_S)) if timed else {}
        (folder / "report.json").write_text(json.dumps(report | {"cost": cost}, indent=1))
        click.echo(json.dumps(_summary(report) | cost))


def ordeal(folder: Path, pairs: int, workers: int, faults: int, hosts: int, seed: int) -> dict[str, object]:
    """Do it all in a folder, and give what was found: numbers, the faults, and every breach in words."""
    with trouble(folder / "web", hosts) as web, rows.server() as server:
        cited = write_dump(folder / "dump.json.gz", web.hosts, web.port, pairs, seed)
        (folder / "config.yaml").touch()  # an empty one: all settings but those below are the defaults
        crew = Crew(workers, _worker(web, "work", "--watch"), _environment(folder, server), folder)
        one = Ordeal(web, server, server.engine(), crew, folder / "var", pairs)
        try:
            _work(one, folder, plan(faults, seed))
        except Hopeless as error:
            _say(str(error))
        finally:
            crew.end()
        repaired = _repair(crew)
        findings = _findings(one, cited)
        outcomes = Counter(end.current[0][1] or "judged" for end in rows.ended(one.engine, ()).values() if end.current)
        left = sum(rows.leases(one.engine).values())
        _say_what_was_felt(one)
    findings |= _findings_of_web(web)
    return {
        "pairs": pairs,
        "faults": len(one.done),
        **{name: len(found) for name, found in findings.items()},
        "leases_left": left,
        "ended_by_themselves": sum(crew.ended.values()),
        "workers_started": crew.started,
        "seconds": round(time.monotonic() - one.begun, 1),
        "requests": len(web.log()),
        "outcomes": dict(outcomes.most_common()),
        "faults_done": [asdict(done) for done in one.done],
        "exit_codes": {str(code): number for code, number in crew.ended.items()},
        "archive_check": repaired,
        "findings": findings,
    }


def _work(one: Ordeal, folder: Path, faults: Sequence[Fault]) -> None:
    """Walk and judge under faults, and then, left in peace, to the end."""
    walk = [*_worker(one.web, "run"), "--dump", str(folder / "dump.json.gz")]
    _kill_in_the_walk(one, walk)
    one.crew.take_in(one.crew.start(walk))
    for fault in faults[1:]:
        _until(one, fault.share * one.pairs)
        one.undergo(fault)
    _say("no more faults")
    _until(one, one.pairs)


def _kill_in_the_walk(one: Ordeal, walk: Sequence[str]) -> None:
    """The first fault: the walk is killed when some of the pairs are there."""
    at = time.monotonic()
    process = one.crew.start(walk)
    while process.poll() is None and not sum(rows.states(one.engine).values()):
        time.sleep(LOOK_S / 10)
    process.kill()
    process.wait()
    effect = {"walked": sum(rows.states(one.engine).values())}
    one.done.append(Done(Fault("kill", "the walk", 0.0, 0.0), at - one.begun, time.monotonic() - at, 0, effect))


def _until(one: Ordeal, settled: float) -> None:
    """Keep the crew up until so many pairs are settled, or nothing has happened for long.

    What failed would be tried again in minutes and hours; here it is in seconds.
    """
    before, since, let_pass = -1, time.monotonic(), time.monotonic()
    while True:
        one.crew.keep_up()
        now = one.settled()
        if now >= settled:
            return
        if now != before:
            before, since = now, time.monotonic()
        if time.monotonic() - since > STUCK_S:
            _say(f"{now}/{one.pairs} and nothing more happens: {dict(rows.states(one.engine))}")
            return
        if time.monotonic() - let_pass > HOUR_S:
            rows.let_time_pass(one.engine)
            let_pass = time.monotonic()
        time.sleep(LOOK_S)


def _repair(crew: Crew) -> list[str]:
    """What an operator does after killed workers, by the command for it; what it said."""
    process = crew.start(["-m", "bot", "archive", "check", "--repair"])
    process.wait()
    return (crew.folder / f"worker-{crew.started}.log").read_text("utf-8", "replace").splitlines()


def _say_what_was_felt(one: Ordeal) -> None:
    """Which pages each cut of the network kept from coming shows only when all have been given up."""
    cut = (done for done in one.done if done.fault.kind == "network")
    for done, window in zip(cut, one.cuts, strict=True):
        done.effect["felt"] = rows.felt(one.engine, window)


def _findings(one: Ordeal, cited: Sequence[Cited]) -> dict[str, list[str]]:
    ended = rows.ended(one.engine, one.cuts)
    unread = checks.unreadable_warcs(one.var / "archive")
    archive = Archive(one.var / "archive")
    for place in rows.places(one.engine):
        try:
            archive.read(Place(*place))
        except ArchiveError as error:
            unread.append(str(error))
    return {
        "lost": checks.lost(cited, ended),
        "doubled": checks.doubled(rows.settled(one.engine), ended),
        "unreadable_warcs": unread,
        "dishonest": checks.dishonest(cited, ended),
    }


def _findings_of_web(web: Running) -> dict[str, list[str]]:
    log = web.log()
    connects = web.folder / "connects.jsonl"
    led_astray = [f"connected to {address}" for address in web.strangers()]
    led_astray += connects.read_text().splitlines() if connects.exists() else []
    return {
        "robots_breaches": checks.robots_breaches(log, web.hosts),
        "pace_breaches": checks.pace_breaches(log, web.hosts, DELAY_S),
        "private_connections": led_astray,
    }


def _worker(web: Running, *words: str) -> list[str]:
    return ["-m", "bench.survive_worker", str(web.folder), str(len(web.hosts)), *words]


def _environment(folder: Path, server: rows.Server) -> dict[str, str]:
    return {
        "CITEWELL_CONFIG": str((folder / "config.yaml").resolve()),
        "CITEWELL_CONTACT": CONTACT,
        "CITEWELL_DATABASE_URL": server.url,
        "CITEWELL_VAR": str((folder / "var").resolve()),
        "CITEWELL_JUDGE_RUNTIME": "onnx",
        "CITEWELL_JUDGE_THREADS": "1",
        "CITEWELL_FETCH_HOST_DELAY_S": str(DELAY_S),
        "CITEWELL_FETCH_TIMEOUT_S": str(TIMEOUT_S),
        "CITEWELL_FETCH_MAX_BYTES": "1000000",
        "CITEWELL_FETCH_REST_S": "4",
        "CITEWELL_ARCHIVE_MAX_BYTES": str(ARCHIVE_BYTES),
        "CITEWELL_ARCHIVE_FILE_BYTES": "50000",
        "CITEWELL_RUN_LEASE_S": "30",
        "CITEWELL_RUN_FETCHERS": "1",  # else the first minute fetches all, and the later faults meet no network
        "OMP_NUM_THREADS": "1",
        "HF_HUB_OFFLINE": "1",
    }


def _summary(report: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in report.items() if name not in _ONLY_KEPT}


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        if keep.exists() and (not keep.is_dir() or any(keep.iterdir())):
            raise ValueError(f"{keep} isn't an empty folder: what is left of another run would count. Name a new one.")
        keep.mkdir(parents=True, exist_ok=True)
        yield keep
        return
    folder = Path(tempfile.mkdtemp(prefix="survive-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _say(line: str) -> None:
    print(f"survive: {line}", file=sys.stderr, flush=True)
