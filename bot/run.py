"""One run of the bot: a walk over a source and the judging of what it queued, or the judging of what waits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

import structlog
from sqlalchemy import Engine, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from bot import log, summary
from bot.agent import user_agent
from bot.fetch.browser import Bounds, Browser, NoBrowser, find_programs
from bot.fetch.live import Limits, Live
from bot.fetch.replay import Replay
from bot.find import Finder
from bot.pages import Freshness, NothingFetched, Pages
from bot.problem import InputProblem
from bot.progress import progress
from bot.sources import Source
from bot.stop import Stop
from bot.walk import Walk, Walked
from bot.work import Tally, Worker
from bot.worker_name import dead_workers, worker_name
from config import Config
from models.aggregate.classifier import SHIPPED, BrokenWeights
from models.document import Document
from models.judge import Judge
from models.read import Page, read
from models.verbalise import Model
from models.verify.verifier import BrokenVerifier
from store import schema
from store.archive import Archive
from store.database import migrate, open_database
from store.measured import keep
from store.walk import end_run, queue_other_bodies, recent_runs, save_place, start_run
from store.work import count_due, give_back

WATCH_S = 2.0
LOOKED_BACK = 50


@dataclass(frozen=True, slots=True)
class Bench:
    """What a run works with: the database, the judge, and the name under which it leases."""

    config: Config
    engine: Engine
    judge: Judge
    name: str
    quiet: bool
    verbaliser: Model | None = None

    @property
    def archive(self) -> Archive:
        """Where pages are kept."""
        return Archive(self.config.var / "archive")


@contextmanager
def workbench(config: Config, quiet: bool) -> Iterator[Bench]:
    """Everything a run needs, with what dead runs of this machine left behind given back.

    Raises `InputProblem` where a model can't be loaded, `store.database.DatabaseUnavailable`.
    """
    with open_database(config.database.url, config.var) as engine:
        migrate(engine)
        _bury(engine)
        judge, verbaliser = _load_judge(config), _load_verbaliser(config)
        _keep_figures(engine, judge.version)
        yield Bench(config, engine, judge, worker_name(), quiet, verbaliser)


def _load_judge(config: Config) -> Judge:
    settings = config.judge
    if settings.device == "cuda" and not _has_gpu():
        raise InputProblem("judge.device is cuda, but no GPU can be used: install a CUDA build of PyTorch, or set cpu")
    try:
        return Judge.load(settings.verifier, settings.runtime, settings.device, settings.threads, settings.verbaliser)
    except BrokenVerifier as error:
        raise InputProblem(f"judge.verifier: {error}") from error
    except BrokenWeights as error:
        raise InputProblem(f"{error}. Restore models/weights from the repository.") from error


def _keep_figures(engine: Engine, version: str) -> None:
    """What was measured when the shipped classifier was fitted, for the dashboard."""
    path = SHIPPED / "measured.json"
    if path.exists():
        with Session(engine) as session, session.begin():
            keep(session, version, json.loads(path.read_text("utf-8")))


def _has_gpu() -> bool:
    import torch  # noqa: PLC0415 - takes seconds, and a host may be without it

    return torch.cuda.is_available()


def _load_verbaliser(config: Config) -> Model | None:
    name = config.judge.verbaliser
    if not name:
        return None
    from models.verbalise.sequence import SequenceVerbaliser, UnknownVerbaliser  # noqa: PLC0415 - loads torch

    try:
        return SequenceVerbaliser(name, config.judge.device)
    except UnknownVerbaliser as error:
        raise InputProblem(str(error)) from error


def _bury(engine: Engine) -> None:
    """Give back what workers of this machine held when they were killed, and end their runs."""
    with Session(engine) as session, session.begin():
        names = session.scalars(
            select(schema.Pair.leased_by).where(schema.Pair.leased_by.is_not(None)).distinct()
        ).all()
        for name in dead_workers(name for name in names if name):
            give_back(session, name)
        for run in recent_runs(session, LOOKED_BACK):
            worker = str((run.place or {}).get("worker", ""))
            if run.state == "running" and dead_workers([worker]):
                end_run(session, run.id, "failed", "its process was killed; the next run went on from there")


def live(config: Config) -> Live:
    """Fetching from the web as the configuration says. Raises `InputProblem` where there is no contact."""
    fetch = config.fetch
    limits = Limits(fetch.timeout_s, fetch.max_bytes, fetch.max_redirects, fetch.host_delay_s)
    return Live(user_agent(config.contact), limits)


def browser(config: Config, stop: Stop) -> AbstractContextManager[Browser | None]:
    """What draws pages that are nothing without their scripts, as the configuration says; None where nothing does."""
    fetch = config.fetch
    if not fetch.browser:
        return nullcontext()
    try:
        programs = find_programs(fetch.browser)
    except NoBrowser as error:
        _undrawn(str(error))
        return nullcontext()
    bounds = Bounds(fetch.browser_s, fetch.browser_mb, fetch.max_bytes, fetch.host_delay_s)
    return Browser(programs, user_agent(config.contact), bounds, _undrawn, lambda: stop.asked)


def _undrawn(reason: str) -> None:
    structlog.get_logger().warning("pages drawn by script are not read", reason=reason)


def run(bench: Bench, source: Source, replay: Replay | None, walk: Walk, stop: Stop) -> Iterator[str]:
    """Walk a source and judge what it queued; gives the lines of the summary."""
    with _booked(bench, source.name, stop) as booking, ExitStack() as stack:
        walked = walk.over(source, bench.engine, booking.run_id, bench.judge.version)
        booking.walked = walked
        fetcher = replay if replay is not None else stack.enter_context(live(bench.config))
        if replay is not None and walked.counts.unchanged and not stop.asked:
            bodies = _bodies(replay, walked)
            with Session(bench.engine) as session, session.begin():
                booking.other_bodies = queue_other_bodies(session, booking.run_id, bodies)
        fresh = None if replay is not None else Freshness(timedelta(days=bench.config.fetch.fresh_days))
        drawer = None if replay is not None else stack.enter_context(browser(bench.config, stop))
        finder = Finder(Pages(bench.engine, bench.archive, fetcher, fresh, drawer))
        worker = Worker(bench.engine, finder, bench.judge, bench.name, booking.run_id, bench.verbaliser)
        booking.tally = worker.tally
        with progress("Judging", _due(bench.engine, booking.run_id)) as more:
            worker.work(True, lambda: stop.asked, more)
    return summary.lines(booking.walked, booking.tally, booking.other_bodies)


def _bodies(replay: Replay, walked: Walked) -> dict[str, str]:
    """What the replay has for the pairs of this walk: the digest of the address that each would be judged by."""
    bodies: dict[str, str] = {}
    for sources in walked.addresses:
        for brought in replay.fetch([source.url for source in sources]).values():
            if isinstance(brought, Document) and (len(sources) == 1 or isinstance(read(brought), Page)):
                bodies[brought.url] = brought.digest
                break
    return bodies


def work(bench: Bench, stop: Stop, watch: bool) -> Iterator[str]:
    """Judge what waits, from the archive where it has the page; with `watch`, until someone asks us to stop."""
    while not _due(bench.engine):
        if not watch or stop.asked:
            return iter(["Nothing was left to do."])
        stop.wait(WATCH_S)
    with _booked(bench, "what waits", stop) as booking, ExitStack() as stack:
        fetcher: Live | NothingFetched
        drawer = None
        if bench.config.contact.strip():
            fetcher = stack.enter_context(live(bench.config))
            drawer = stack.enter_context(browser(bench.config, stop))
        else:
            fetcher = NothingFetched(
                "the page isn't in the archive, and nothing is fetched without a contact in config.yaml"
            )
        finder = Finder(Pages(bench.engine, bench.archive, fetcher, Freshness(None), drawer))
        worker = Worker(bench.engine, finder, bench.judge, bench.name, booking.run_id, bench.verbaliser)
        booking.tally = worker.tally
        while not stop.asked:
            with progress("Judging", _due(bench.engine)) as more:
                worker.work(False, lambda: stop.asked, more)
            if not watch:
                break
            stop.wait(WATCH_S)
            while not stop.asked and not _due(bench.engine):
                stop.wait(WATCH_S)
    return summary.lines(None, booking.tally)


def _due(engine: Engine, run_id: int | None = None) -> int:
    """How many pairs could be leased now; with `run_id`, of those that this run queued."""
    with Session(engine) as session:
        return count_due(session, run_id)


@dataclass(slots=True)
class _Booking:
    """A run as it goes on."""

    run_id: int
    tally: Tally
    walked: Walked | None = None
    other_bodies: int = 0


@contextmanager
def _booked(bench: Bench, name: str, stop: Stop) -> Iterator[_Booking]:
    """A run in the books: however it ends, its state says so, its numbers are kept and its leases given back."""
    with Session(bench.engine) as session, session.begin():
        run_id = start_run(session, name, bench.judge.version).id
        save_place(session, run_id, {"worker": bench.name}, {}, {})
    log.configure(run_id, bench.quiet)
    structlog.get_logger().info("started", source=name, model=bench.judge.version)
    booking = _Booking(run_id, Tally())
    try:
        yield booking
    except KeyboardInterrupt:
        _close(bench, booking, "stopped")
        raise
    except Exception as error:
        with suppress(SQLAlchemyError):  # where the database itself is gone, the next run puts the books in order
            _close(bench, booking, "failed", _why(error))
        raise
    _close(bench, booking, "stopped" if stop.asked else "finished")


def _why(error: BaseException) -> str:
    said = " ".join(str(error).split())[:500]
    return said or type(error).__name__


def _close(
    bench: Bench, booking: _Booking, state: Literal["finished", "stopped", "failed"], error: str | None = None
) -> None:
    numbers = summary.counts(booking.walked, booking.tally, booking.other_bodies)
    with Session(bench.engine) as session, session.begin():
        given = give_back(session, bench.name)
        save_place(session, booking.run_id, None, numbers, summary.skipped(booking.walked))
        end_run(session, booking.run_id, state, error)
    told = {name: number for name, number in numbers.items() if isinstance(number, int)}
    structlog.get_logger().info(state, given_back=given, **told)
