"""The worker: judges pairs batch by batch, while the pages of the next batches are found, and saves what it found."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, replace

from sqlalchemy import Engine
from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Session

from bot.ahead import Ahead, Batch, Finds
from bot.chunks import chunks
from bot.find import Failed, Found
from bot.patience import Patience
from bot.pulse import Pulse
from bot.worker_name import lease_name
from models.judge import Case, Judge
from models.outcome import NotJudged, Outcome
from models.read import Page
from models.statement import EntityValue, QuantityValue, Statement
from models.verbalise import Model, verbalise, verbalise_all
from models.verdict import Claim, Judgement, Verdict, claim_digest
from store.standing import standing
from store.work import Task, fail, give_back, held, lease, save_judgement

LEASED = 64
JUDGED = 8
_UNSAID = Claim("", "")


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
class _Prepared:
    """A pair in words, with what it is judged by; `result` is there already where there is nothing to judge."""

    task: Task
    found: Found | Failed
    claim: Claim | None = None
    case: Case | None = None
    result: Judgement | Failed | None = None


@dataclass(frozen=True, slots=True)
class Means:
    """How a worker works: so many threads find pages ahead of the judge, leases last `lease_s` unless renewed.

    `spread`: a batch has one page of a host, so that many hosts are asked at once; `host_budget`: how often one may be
    asked in a day (0: no bound). `web_copies`: where a page isn't the one cited, a web archive is asked for a copy.
    """

    fetchers: int = 1
    spread: bool = True
    host_budget: int = 0
    lease_s: int = 120
    web_copies: bool = False
    patience: Patience = field(default_factory=lambda: Patience(0.0))
    pulse: Pulse = field(default_factory=Pulse)


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
        self._first: dict[int, tuple[_Prepared, Judgement]] = {}  # of pairs for which another page is being found
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
                for batch in ahead.batches(stopped):
                    for some in chunks(batch.tasks, JUDGED):  # a few at once, because stopping waits for them
                        if stopped():
                            return
                        self._judge_some(some, batch, ahead)
                        means.pulse.beat()
                        progress(self.tally.done - before)
                        before = self.tally.done
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
        claims = self._worded(tasks)
        prepared = self._standing([_prepare(task, batch.found[task.pair_id], claims[task.pair_id]) for task in tasks])
        judged = self._judged({one.task.pair_id: one.case for one in prepared if one.case})
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
            pair_id: _prepare(first.task, found[pair_id], first.claim)
            for pair_id, (first, _) in pairs.items()
            if pair_id in found
        }
        judged = self._judged({pair_id: one.case for pair_id, one in prepared.items() if one.case})
        for pair_id, (first, result) in pairs.items():
            if isinstance(verdict := judged.get(pair_id), Verdict):
                self._save(prepared[pair_id], verdict, batch.lease)
            else:
                self._save(first, result, batch.lease)

    def _has_more(self, one: _Prepared) -> bool:
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

    def _worded(self, tasks: Sequence[Task]) -> Mapping[int, Claim | Failed | None]:
        """The claims by pair id. Where wording all at once fails, each is worded alone: a failure is one pair's."""
        try:
            claims = verbalise_all([(task.statement, task.override) for task in tasks], self._verbaliser)
            return {task.pair_id: claim for task, claim in zip(tasks, claims, strict=True)}
        except Exception:
            return {task.pair_id: self._worded_alone(task) for task in tasks}

    def _worded_alone(self, task: Task) -> Claim | Failed | None:
        try:
            return verbalise(task.statement, task.override, self._verbaliser)
        except Exception as error:
            return Failed.by("the statement can't be put into words", error)

    def _standing(self, prepared: list[_Prepared]) -> list[_Prepared]:
        """The same; what this judge came to of the same claim and body before stands, and isn't judged anew."""
        met = {
            one.task.pair_id: (claim_digest(one.claim, one.task.snak, one.task.qualifiers), one.found.row.digest)
            for one in prepared
            if one.case and one.claim and isinstance(one.found, Found) and one.found.row is not None
        }

        def look() -> Mapping[int, Verdict]:
            with Session(self._engine) as session:
                return standing(session, met, self._judge.version)

        stand = self._means.patience.keep(look) if met else {}
        return [
            replace(one, case=None, result=verdict) if (verdict := stand.get(one.task.pair_id)) else one
            for one in prepared
        ]

    def _judged(self, cases: Mapping[int, Case]) -> Mapping[int, Judgement | Failed]:
        """The judgements by pair id. Where judging all at once fails, each is judged alone: a failure is one pair's."""
        try:
            return dict(zip(cases, self._judge.judge_all(list(cases.values())), strict=True))
        except Exception:
            return {pair_id: self._judged_alone(case) for pair_id, case in cases.items()}

    def _judged_alone(self, case: Case) -> Judgement | Failed:
        try:
            return self._judge.judge(case.statement, case.claim, case.page)
        except Exception as error:
            return Failed.by("judging failed", error)

    def _save(self, prepared: _Prepared, result: Judgement | Failed, lease: str) -> None:
        keep = self._means.patience.keep
        try:
            saved = keep(lambda: self._saved(prepared, result, lease))
        except (DataError, IntegrityError, ValueError) as error:  # one pair's data, so one pair's failure
            failed = Failed.by("the verdict can't be kept", error)
            self._count(failed, keep(lambda: self._saved(prepared, failed, lease)))
        else:
            self._count(result, saved)

    def _saved(self, prepared: _Prepared, result: Judgement | Failed, lease: str) -> bool:
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
                claim_digest(prepared.claim or _UNSAID, task.snak, task.qualifiers),
                found.row,
                found.via,
                result,
                self._judge.version,
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


def _prepare(task: Task, found: Found | Failed, claim: Claim | Failed | None) -> _Prepared:
    if isinstance(found, Failed):
        return _Prepared(task, found, result=found)
    if isinstance(claim, Failed):
        return _Prepared(task, found, result=claim)
    if claim is None:
        return _Prepared(task, found, result=NotJudged(Outcome.NO_LABEL, _unlabelled(task.statement)))
    if isinstance(found.page, NotJudged):
        return _Prepared(task, found, claim, result=found.page)
    return _Prepared(task, found, claim, Case(task.statement, claim, found.page))


def _unlabelled(statement: Statement) -> str:
    """Which of the words that a claim needs are missing."""
    value = statement.value
    terms = [statement.item, statement.property]
    terms += [value.term] if isinstance(value, EntityValue) else []
    terms += [value.unit] if isinstance(value, QuantityValue) and value.unit else []
    names = [term.id for term in terms if not term.label]
    if not names:
        return "the value has no words"
    return f"{' and '.join(names)} {'has' if len(names) == 1 else 'have'} no label"
