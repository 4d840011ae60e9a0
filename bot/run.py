"""One run of the bot: a walk over a source and the judging of what it queued, or the judging of what waits."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal, Protocol

import structlog
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from bot import log, summary, wayback
from bot.agent import user_agent
from bot.asked import take_requests
from bot.chore import AtHand
from bot.chores import Chores
from bot.chores import any_waiting as any_chore_waiting
from bot.fetch import Ask
from bot.fetch.browser import Bounds, Browser, NoBrowser, find_programs
from bot.fetch.limits import limits_of
from bot.fetch.live import Live, configured
from bot.fetch.replay import Replay
from bot.fetch.visit import SharedVisits
from bot.figures import Figures
from bot.find import Finder
from bot.heartbeat import Heartbeat
from bot.pages import Freshness, NothingFetched, Pages
from bot.patience import Patience
from bot.problem import InputProblem
from bot.progress import progress
from bot.pulse import Pulse
from bot.sources import Source
from bot.stop import Stop
from bot.trials import TrialChore
from bot.walk import Walk, Walked
from bot.work import Means, Tally, Worker
from bot.worker_name import dead_workers, worker_name
from config import Config
from models.aggregate.classifier import BrokenWeights
from models.document import Document
from models.judge import Judge, classifier_folder
from models.read import Page, read
from models.verbalise import Model
from models.verify.verifier import BrokenVerifier
from store import archive
from store.again import queue_again
from store.archive import Archive
from store.benefit import set_weights
from store.database import migrate, open_database
from store.measured import keep
from store.requests import any_waiting
from store.runs import end_run, fail_runs, lease_holders, running_workers, save_place, start_run
from store.walk import queue_other_bodies
from store.work import any_due, count_due, give_back, give_up

WATCH_S = 2.0
BOOKED_EVERY_S = 30.0
AGAIN_EVERY_S = 60.0
KILLED = "its process was killed; the next run went on from there"


class OpenLive(Protocol):
    """Opens fetching from the web, once for each thread that does so."""

    def __call__(self, config: Config, engine: Engine, *, stopped: Callable[[], bool]) -> Live:
        """Raises `InputProblem` where there is no contact."""
        ...


live = configured


@dataclass(frozen=True, slots=True)
class Bench:
    """What a run works with: the database, the judge, the name under which it leases, and the web."""

    config: Config
    engine: Engine
    judge: Judge
    name: str
    quiet: bool
    verbaliser: Model | None = None
    live: OpenLive = live
    pulse: Pulse = field(default_factory=Pulse)

    @property
    def archive(self) -> Archive:
        """Where pages are kept."""
        bounds = archive.Bounds(self.config.archive.file_bytes, self.config.archive.max_bytes)
        return Archive(self.config.var / "archive", bounds)

    def patience(self, stop: Stop) -> Patience:
        """What waits for PostgreSQL, as long as the configuration says and nobody asks us to stop."""

        def wait(seconds: float) -> None:
            self.pulse.beat()
            stop.wait(seconds)

        return Patience(self.config.run.database_patience_s, wait, lambda: stop.asked)


@contextmanager
def workbench(config: Config, quiet: bool, live: OpenLive = live) -> Iterator[Bench]:
    """Everything a run needs, with what dead runs of this machine left behind given back.

    Raises `InputProblem` where a model can't be loaded, `store.database.DatabaseUnavailable`.
    """
    pulse = Pulse(config.health_file)
    pulse.beat()
    with open_database(config.database.url, config.var) as engine:
        migrate(engine)
        _bury(engine)
        judge, verbaliser = _load_judge(config), _load_verbaliser(config)
        set_weights(engine, config.queue.weights)
        _keep_figures(engine, judge.version, classifier_folder(config.judge.verifier))
        yield Bench(config, engine, judge, worker_name(), quiet, verbaliser, live, pulse)


def _load_judge(config: Config) -> Judge:
    settings = config.judge
    if settings.device == "cuda" and not _has_gpu():
        raise InputProblem("judge.device is cuda, but no GPU can be used: install a CUDA build of PyTorch, or set cpu")
    try:
        return Judge.load(settings.verifier, settings.runtime, settings.device, settings.threads, settings.verbaliser)
    except BrokenVerifier as error:
        raise InputProblem(f"judge.verifier: {error}") from error
    except BrokenWeights as error:
        what = "" if settings.verifier else ". Restore models/weights from the repository."
        raise InputProblem(f"{error}{what}") from error


def _keep_figures(engine: Engine, version: str, folder: Path) -> None:
    """What was measured when the classifier was fitted, for the dashboard."""
    path = folder / "measured.json"
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
        give_up(session, dead_workers(lease_holders(session)))
        running = dict(running_workers(session))
        dead = set(dead_workers(running.values()))
        fail_runs(session, [run_id for run_id, worker in running.items() if worker in dead], KILLED)


def browser(config: Config, stop: Stop, engine: Engine | None = None) -> AbstractContextManager[Browser | None]:
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
    visits = SharedVisits(engine, limits_of(fetch), lambda: stop.asked) if engine is not None else None
    return Browser(programs, user_agent(config.contact), bounds, _undrawn, lambda: stop.asked, visits=visits)


def _undrawn(reason: str) -> None:
    structlog.get_logger().warning("pages drawn by script are not read", reason=reason)


def run(bench: Bench, source: Source, replay: Replay | None, walk: Walk, stop: Stop) -> Iterator[str]:
    """Walk a source and judge what it queued; gives the lines of the summary."""
    patience = bench.patience(stop)
    fresh = None if replay is not None else timedelta(days=bench.config.fetch.fresh_days)
    with _booked(bench, source.name, stop, patience, own_pages=replay is not None) as booking, ExitStack() as stack:
        walk = replace(walk, older_than=fresh, show=progress, patience=patience, pulse=bench.pulse)
        walked = walk.over(source, bench.engine, booking.run_id, bench.judge.version)
        booking.walked = walked
        if replay is not None and walked.counts.unchanged and not stop.asked:
            bodies = _bodies(replay, walked)
            booking.other_bodies = patience.keep(lambda: _queue_other_bodies(bench.engine, booking.run_id, bodies))
        figures = Figures(bench.engine)
        worker = _worker(bench, booking, stop, patience, stack, replay, between=figures.look)
        with progress("Judging", patience.keep(lambda: _due(bench.engine, booking.run_id))) as more:
            worker.work(True, lambda: stop.asked, booking.booking_now_and_then(bench, more))
    if not stop.asked:
        figures.finish()
    return summary.lines(booking.walked, booking.tally, booking.other_bodies)


def _queue_other_bodies(engine: Engine, run_id: int, bodies: dict[str, str]) -> int:
    with Session(engine) as session, session.begin():
        return queue_other_bodies(session, run_id, bodies)


def _worker(
    bench: Bench,
    booking: _Booking,
    stop: Stop,
    patience: Patience,
    stack: ExitStack,
    replay: Replay | None = None,
    between: Callable[[], None] = lambda: None,
) -> Worker:
    """A worker for a run, with pages from the replay, else from the web, else (without a contact) from the archive."""
    config, kept = bench.config, bench.archive
    of_the_web = replay is None and bool(config.contact.strip())
    fresh = Freshness(timedelta(days=config.fetch.fresh_days)) if replay is None else None
    copies = wayback.configured(config.fetch) if of_the_web else None
    drawer = stack.enter_context(browser(config, stop, bench.engine)) if of_the_web else None

    @contextmanager
    def open_finder() -> Iterator[Finder]:
        if of_the_web:
            with bench.live(config, bench.engine, stopped=lambda: stop.asked) as fetcher:
                yield Finder(Pages(bench.engine, kept, fetcher, fresh, drawer), wayback=copies)
        else:
            yield Finder(Pages(bench.engine, kept, replay or NothingFetched(_NO_CONTACT), fresh))

    means = Means(
        fetchers=config.run.fetchers if of_the_web else 1,
        spread=of_the_web,
        host_budget=config.fetch.host_budget if of_the_web else 0,
        lease_s=config.run.lease_s,
        web_copies=copies is not None,
        patience=patience,
        pulse=bench.pulse,
        between=between,
    )
    worker = Worker(bench.engine, open_finder, bench.judge, bench.name, booking.run_id, bench.verbaliser, means)
    booking.worker = worker
    return worker


_NO_CONTACT = "the page isn't in the archive, and nothing is fetched without a contact in config.yaml"


def _bodies(replay: Replay, walked: Walked) -> dict[str, str]:
    """What the replay has for the pairs of this walk: the digest of the address that each would be judged by."""
    bodies: dict[str, str] = {}
    for sources in walked.addresses:
        for brought in replay.fetch([Ask(source.url) for source in sources]).values():
            if isinstance(brought, Document) and (len(sources) == 1 or isinstance(read(brought), Page)):
                bodies[brought.url] = brought.digest
                break
    return bodies


def work(bench: Bench, stop: Stop, watch: bool) -> Iterator[str]:
    """Judge what waits, from the archive where it has the page; with `watch`, until someone asks us to stop."""
    patience, again = bench.patience(stop), _Again(bench)
    while not patience.keep(again.anything_due):
        if not watch or stop.asked:
            return iter(["Nothing was left to do."])
        bench.pulse.beat()
        stop.wait(WATCH_S)
    with _booked(bench, "what waits", stop, patience) as booking, ExitStack() as stack:
        chores = Chores(_at_hand(bench, booking, stop, patience))
        figures = Figures(bench.engine)

        def between() -> None:
            chores.look()
            figures.look()

        worker = _worker(bench, booking, stop, patience, stack, between=between)
        while not stop.asked:
            chores.finish()
            take_requests(bench.config, bench.engine, booking.run_id, bench.judge.version, patience)
            if patience.keep(again.anything_due):
                with progress("Judging", patience.keep(lambda: _due(bench.engine))) as more:
                    worker.work(False, lambda: stop.asked, booking.booking_now_and_then(bench, more))
            if not watch:
                break
            figures.look()
            bench.pulse.beat()
            stop.wait(WATCH_S)
    if not stop.asked:
        figures.finish()
    return summary.lines(None, booking.tally)


def trials(bench: Bench, stop: Stop) -> Iterator[str]:
    """Try the wordings that people wait for, and nothing else."""
    patience, chore = bench.patience(stop), TrialChore()

    def waits() -> bool:
        with Session(bench.engine) as session:
            return chore.waits(session)

    done = 0
    if patience.keep(waits):
        hand = _at_hand(bench, None, stop, patience)
        while not stop.asked and patience.keep(waits):
            chore.do(hand)
            done += 1
    return iter(
        [f"Tried {done} {'wording' if done == 1 else 'wordings'}." if done else "No wording waits to be tried."]
    )


def _at_hand(bench: Bench, booking: _Booking | None, stop: Stop, patience: Patience) -> AtHand:
    return AtHand(
        bench.config,
        bench.engine,
        bench.archive,
        bench.judge,
        bench.verbaliser,
        bench.name,
        booking.run_id if booking is not None else None,
        patience,
        bench.pulse,
        lambda: stop.asked,
    )


class _Again:
    """Looks for something to do, and now and then queues what is old: the bound holds for all workers together."""

    def __init__(self, bench: Bench) -> None:
        self._bench, self._queued_at = bench, -AGAIN_EVERY_S

    def anything_due(self) -> bool:
        """Whether there is anything to judge, or something that a person waits for."""
        config, now = self._bench.config, time.monotonic()
        with Session(self._bench.engine) as session, session.begin():
            # Without a contact nothing new would be learned of old pages.
            if config.contact.strip() and config.run.old_pairs and now - self._queued_at >= AGAIN_EVERY_S:
                queue_again(session, timedelta(days=config.fetch.fresh_days), config.run.old_pairs)
                self._queued_at = now
            budget = config.fetch.host_budget if config.contact.strip() else 0
            return any_chore_waiting(session) or any_waiting(session) or any_due(session, budget=budget)


def _due(engine: Engine, run_id: int | None = None) -> int:
    """How many pairs could be leased now; with `run_id`, of those that this run queued."""
    with Session(engine) as session:
        return count_due(session, run_id)


@dataclass(slots=True)
class _Booking:
    """A run as it goes on."""

    run_id: int
    worker: Worker | None = None
    walked: Walked | None = None
    other_bodies: int = 0
    booked_at: float = field(default_factory=time.monotonic)

    @property
    def tally(self) -> Tally:
        """What was judged so far."""
        return self.worker.tally if self.worker is not None else Tally()

    @property
    def leases(self) -> frozenset[str]:
        """The names by which pairs may be leased for this run."""
        return self.worker.leases if self.worker is not None else frozenset()

    def booking_now_and_then(self, bench: Bench, more: Callable[[int], None]) -> Callable[[int], None]:
        """A function that passes on to `more`, and keeps the run's numbers up to date for those who look on."""

        def told(number: int) -> None:
            more(number)
            if time.monotonic() - self.booked_at >= BOOKED_EVERY_S:
                self.booked_at = time.monotonic()
                with suppress(SQLAlchemyError), Session(bench.engine) as session, session.begin():
                    save_place(session, self.run_id, None, _numbers(self), summary.skipped(self.walked))

        return told


@contextmanager
def _booked(bench: Bench, name: str, stop: Stop, patience: Patience, own_pages: bool = False) -> Iterator[_Booking]:
    """A run in the books: however it ends, its state says so, its numbers are kept and its leases given back."""

    def begin() -> int:
        with Session(bench.engine) as session, session.begin():
            return start_run(session, name, bench.judge.version, bench.name, own_pages).id

    run_id = patience.keep(begin)
    log.configure(run_id, bench.quiet)
    structlog.get_logger().info("started", source=name, model=bench.judge.version)
    booking = _Booking(run_id)
    with Heartbeat(bench.engine, run_id, lambda: booking.leases, bench.config.run.lease_s, bench.pulse, patience):
        try:
            yield booking
        except KeyboardInterrupt:
            with suppress(SQLAlchemyError):
                _close(bench, booking, "stopped")
            raise
        except Exception as error:
            with suppress(SQLAlchemyError):  # where the database itself is gone, other workers put the books in order
                _close(bench, booking, "failed", _why(error))
            raise
        patience.keep(lambda: _close(bench, booking, "stopped" if stop.asked else "finished"))


def _why(error: BaseException) -> str:
    said = " ".join(str(error).split())[:500]
    return said or type(error).__name__


def _numbers(booking: _Booking) -> dict[str, Any]:
    return summary.counts(booking.walked, booking.tally, booking.other_bodies)


def _close(
    bench: Bench, booking: _Booking, state: Literal["finished", "stopped", "failed"], error: str | None = None
) -> None:
    numbers = _numbers(booking)
    with Session(bench.engine) as session, session.begin():
        given = give_back(session, booking.leases)
        save_place(session, booking.run_id, None, numbers, summary.skipped(booking.walked))
        end_run(session, booking.run_id, state, error)
    told = {name: number for name, number in numbers.items() if isinstance(number, int)}
    structlog.get_logger().info(state, given_back=given, **told)
