"""The worker: judges pairs batch by batch, while the pages of the next batches are found, and saves what it found."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field

from sqlalchemy import Engine
from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Session

from bot.ahead import Ahead, Batch, Finds
from bot.chunks import chunks
from bot.find import Failed, Found
from bot.judging import UNSAID, Prepared, judge_each, prepare, with_standing, worded
from bot.patience import Patience
from bot.pulse import Pulse
from bot.worker_name import lease_name
from models.judge import Judge
from models.outcome import NotJudged, Outcome
from models.read import Page
from models.verbalise import Model
from models.verdict import Judgement, Verdict, claim_digest
from store.work import Task, fail, give_back, held, lease, save_judgement

LEASED = 64
JUDGED = 8


@dataclass(slots=True)
class Tally:
    """What a run has done so far. `lost` counts pairs whose lease another worker has by now."""

    stances: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    lost: int = 0

    @property
    def done(self) -> int:
        """Pairs that are no longer in our hands."""
        return self.stances.total() + self.outcomes.total() + self.failed.total() + self.lost


@dataclass(frozen=True, slots=True)
class Means:
    """How a worker works: so many threads find pages ahead of the judge, leases last `lease_s` unless renewed.

    `spread`: a batch has one page of a host, so that many hosts are asked at once; `host_budget`: how often one may be
    asked in a day (0: no bound). `web_copies`: where a page isn't the one cited, a web archive is asked for a copy.
    `between` is called after every few pairs, and while pages are waited for.
    """

    fetchers: int = 1
    spread: bool = True
    host_budget: int = 0
    lease_s: int = 120
    web_copies: bool = False
    patience: Patience = field(default_factory=lambda: Patience(0.0))
    pulse: Pulse = field(default_factory=Pulse)
    between: Callable[[], None] = lambda: None


class Worker:
    """Judges what waits. `name` is what it leases by; verdicts are booked on `run_id`.

    `open_finder` opens what finds pages, once for each of the threads that do so. Statements are put into words by the
    `verbaliser`, where there is one.
    """

    def __init__(
        self,
        engine: Engine,
        open_finder: Callable[[], AbstractContextManager[Finds]],
        judge: Judge,
        name: str,
        run_id: int,
        verbaliser: Model | None = None,
        means: Means | None = None,
    ) -> None:
        self._engine, self._open_finder, self._judge = engine, open_finder, judge
        self._name, self._run_id, self._verbaliser = name, run_id, verbaliser
        self._means = means or Means()
        self._numbers = itertools.count(1)
        self._host = ""  # the one that the last lease ended with: the next begins behind it
        self._ahead: Ahead | None = None
        self._first: dict[int, tuple[Prepared, Judgement]] = {}  # of pairs for which another page is being found
        self.tally = Tally()

    @property
    def leases(self) -> frozenset[str]:
        """The names by which it may have leased pairs now."""
        return self._ahead.leases if self._ahead is not None else frozenset()

    def work(self, only_run: bool, stopped: Callable[[], bool], progress: Callable[[int], None]) -> None:
        """Judge until nothing is due or `stopped` says so; with `only_run` only what that run queued.

        However this ends, what is leased and not judged waits for others at once, if the database is there.
        Raises `bot.patience.DatabaseAway`.
        """
        means, run_id = self._means, self._run_id if only_run else None
        ahead = Ahead(
            lambda: lease_name(self._name, next(self._numbers)),
            lambda name: self._lease(name, run_id),
            self._open_finder,
            means.fetchers,
            means.patience,
            means.pulse,
        )
        self._ahead, before = ahead, self.tally.done
        try:
            with ahead:
                for batch in ahead.batches(stopped, means.between):
                    for some in chunks(batch.tasks, JUDGED):  # a few at once, because stopping waits for them
                        if stopped():
                            return
                        self._judge_some(some, batch, ahead)
                        means.pulse.beat()
                        progress(self.tally.done - before)
                        before = self.tally.done
                        means.between()
        finally:
            self._first.clear()
            self._give_back(ahead)

    def _lease(self, name: str, run_id: int | None) -> list[Task]:
        with Session(self._engine) as session, session.begin():
            tasks = lease(
                session,
                name,
                LEASED,
                self._means.lease_s,
                run_id,
                one_page=self._means.spread,
                after=self._host,
                budget=self._means.host_budget,
            )
        self._host = tasks[-1].host if tasks else ""
        return tasks

    def _give_back(self, ahead: Ahead) -> None:
        if names := ahead.leases:
            # Where the database is away too, they come back by time.
            with suppress(SQLAlchemyError), Session(self._engine) as session, session.begin():
                give_back(session, names)

    def _judge_some(self, tasks: Sequence[Task], batch: Batch, ahead: Ahead) -> None:
        tasks = self._still_ours(tasks, batch.lease)
        if batch.further:
            self._judge_further(tasks, batch)
            return
        claims = worded(tasks, self._verbaliser)
        prepared = self._with_standing(
            [prepare(task, batch.found[task.pair_id], claims[task.pair_id]) for task in tasks]
        )
        judged = judge_each(self._judge, {one.task.pair_id: one.case for one in prepared if one.case})
        again = []
        for one in prepared:
            result = one.result or judged[one.task.pair_id]
            if isinstance(result, NotJudged) and result.outcome.earlier_copy_helps and self._has_more(one):
                self._first[one.task.pair_id] = (one, result)
                again.append(one)
            else:
                self._save(one, result, batch.lease)
        if again:
            ahead.look_further(batch, [(one.task, one.found) for one in again if isinstance(one.found, Found)])

    def _judge_further(self, tasks: Sequence[Task], batch: Batch) -> None:
        """Judge by the further page those that have one; where that isn't the one cited either, the first says why."""
        pairs = {task.pair_id: self._first.pop(task.pair_id) for task in tasks}
        found = {pair_id: one for pair_id, one in batch.found.items() if isinstance(one, Found)}
        prepared = {
            pair_id: prepare(first.task, found[pair_id], first.claim)
            for pair_id, (first, _) in pairs.items()
            if pair_id in found
        }
        judged = judge_each(self._judge, {pair_id: one.case for pair_id, one in prepared.items() if one.case})
        for pair_id, (first, result) in pairs.items():
            if isinstance(verdict := judged.get(pair_id), Verdict):
                self._save(prepared[pair_id], verdict, batch.lease)
            else:
                self._save(first, result, batch.lease)

    def _has_more(self, one: Prepared) -> bool:
        """Whether there is another address to look at, after a page that was read but isn't the one cited."""
        found = one.found
        if one.case is None or not isinstance(found, Found) or not isinstance(found.page, Page):
            return False
        return found.place + 1 < len(one.task.urls) or self._means.web_copies

    def _still_ours(self, tasks: Sequence[Task], lease: str) -> list[Task]:
        """Those whose lease wasn't lost: while PostgreSQL was away it may have run out, and others have them now."""

        def ours() -> frozenset[int]:
            with Session(self._engine) as session:
                return held(session, lease, [task.pair_id for task in tasks])

        kept = self._means.patience.keep(ours)
        self.tally.lost += len(tasks) - len(kept)
        for task in tasks:
            if task.pair_id not in kept:
                self._first.pop(task.pair_id, None)
        return [task for task in tasks if task.pair_id in kept]

    def _with_standing(self, prepared: list[Prepared]) -> list[Prepared]:
        """The same; what this judge came to of the same claim and body before stands, and isn't judged anew."""

        def look() -> list[Prepared]:
            with Session(self._engine) as session:
                return with_standing(session, prepared, self._judge.version)

        return self._means.patience.keep(look)

    def _save(self, prepared: Prepared, result: Judgement | Failed, lease: str) -> None:
        keep = self._means.patience.keep
        try:
            saved = keep(lambda: self._saved(prepared, result, lease))
        except (DataError, IntegrityError, ValueError) as error:  # one pair's data, so one pair's failure
            failed = Failed.by("the verdict can't be kept", error)
            self._count(failed, keep(lambda: self._saved(prepared, failed, lease)))
        else:
            self._count(result, saved)

    def _saved(self, prepared: Prepared, result: Judgement | Failed, lease: str) -> bool:
        task, found = prepared.task, prepared.found
        with Session(self._engine) as session, session.begin():
            if isinstance(result, Failed):
                return fail(session, task, lease, result.reason, result.until)
            assert isinstance(found, Found), "what couldn't be found has failed"
            return save_judgement(
                session,
                task,
                lease,
                self._run_id,
                prepared.claim,
                claim_digest(prepared.claim or UNSAID, task.snak, task.qualifiers),
                found.row,
                found.via,
                result,
                self._judge.version,
                found.page.language if isinstance(found.page, Page) else "",
            )

    def _count(self, result: Judgement | Failed, saved: bool) -> None:
        if not saved:
            self.tally.lost += 1
        elif isinstance(result, Failed):
            self.tally.failed[result.reason] += 1
        elif isinstance(result, Verdict):
            self.tally.stances["cant_tell" if result.unsure else result.stance.value] += 1
        else:
            self.tally.outcomes[result.outcome] += 1
