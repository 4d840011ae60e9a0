"""The worker: leases pairs, has their pages found, puts them into words, judges, and saves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Engine
from sqlalchemy.exc import DataError, IntegrityError
from sqlalchemy.orm import Session

from bot.chunks import chunks
from bot.find import Failed, Finder, Found
from models.judge import Case, Judge
from models.outcome import NotJudged, Outcome
from models.statement import EntityValue, QuantityValue, Statement
from models.verbalise import Model, verbalise, verbalise_all
from models.verdict import Claim, Judgement, Verdict, claim_digest
from store.work import Task, fail, lease, renew, save_judgement

LEASED = 64
JUDGED = 8
LEASE_S = 1800
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


class Worker:
    """Judges what waits, batch by batch. `name` is what it leases by; verdicts are booked on `run_id`.

    Statements are put into words by the `verbaliser`, where there is one.
    """

    def __init__(
        self,
        engine: Engine,
        finder: Finder,
        judge: Judge,
        name: str,
        run_id: int,
        verbaliser: Model | None = None,
    ) -> None:
        self._engine, self._finder, self._judge, self._name, self._run_id = engine, finder, judge, name, run_id
        self._verbaliser = verbaliser
        self.tally = Tally()

    def work(self, only_run: bool, stopped: Callable[[], bool], progress: Callable[[int], None]) -> None:
        """Judge until nothing is due or `stopped` says so; with `only_run` only what that run queued.

        When stopped, pairs may still be leased to `name`: give them back.
        """
        while not stopped():
            with Session(self._engine) as session, session.begin():
                tasks = lease(session, self._name, LEASED, LEASE_S, self._run_id if only_run else None)
            if not tasks:
                return
            found = self._finder.find(tasks)  # many at once, because hosts are asked side by side
            for some in chunks(tasks, JUDGED):  # a few at once, because stopping waits for them
                if stopped():
                    return
                self._batch(some, found)
                progress(len(some))

    def _batch(self, tasks: Sequence[Task], found: Mapping[int, Found | Failed]) -> None:
        with Session(self._engine) as session, session.begin():
            renew(session, self._name, LEASE_S)  # slow hosts may have used up most of the lease
        claims = self._worded(tasks)
        prepared = [_prepare(task, found[task.pair_id], claims[task.pair_id]) for task in tasks]
        judged = self._judged({one.task.pair_id: one.case for one in prepared if one.case})
        for one in prepared:
            self._save(one, one.result or judged[one.task.pair_id])

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

    def _save(self, prepared: _Prepared, result: Judgement | Failed) -> None:
        try:
            saved = self._saved(prepared, result)
        except (DataError, IntegrityError, ValueError) as error:  # one pair's data, so one pair's failure
            result = Failed.by("the verdict can't be kept", error)
            saved = self._saved(prepared, result)
        self._count(result, saved)

    def _saved(self, prepared: _Prepared, result: Judgement | Failed) -> bool:
        task, found = prepared.task, prepared.found
        with Session(self._engine) as session, session.begin():
            if isinstance(result, Failed) or isinstance(found, Failed):
                reason = result.reason if isinstance(result, Failed) else "no reason given"
                return fail(session, task, self._name, reason)
            return save_judgement(
                session,
                task,
                self._name,
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
