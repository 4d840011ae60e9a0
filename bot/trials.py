"""Wordings that people try before they save them: real pairs are judged under them, by the pages that are kept.

Nothing is fetched, and nothing is written but the trial's own rows. What comes out is what a run would find for the
same wording and pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from bot.chore import AtHand
from bot.chunks import chunks
from bot.find import Failed, Finder, Found
from bot.judging import Prepared, judge_each, prepare, with_standing, worded
from bot.pages import ANY_AGE, NothingFetched, Pages
from bot.patience import DatabaseAway
from bot.worker_name import dead_workers
from models.outcome import NotJudged
from models.read import Page
from models.verbalise import Override, in_force
from models.verdict import Judgement, Verdict
from store import schema, trials
from store.overrides import current_overrides
from store.trials import Trial
from store.work import Task

LEASE_S = 60
AT_ONCE = 4
NOT_KEPT = "no page of it is kept that could be judged by"


class _KeptPages(Pages):
    """Pages of the archive. That nothing can be read of one is no news, and not noted."""

    def note_reading(self, tried: schema.Try, reading: NotJudged) -> None:
        """Leave it as it is."""


@dataclass(frozen=True, slots=True)
class TrialChore:
    """Trials, one each time, the one that waits longest first."""

    name: str = "trials"

    def waits(self, session: Session) -> bool:
        """Whether one waits, or was left by a worker that died."""
        return trials.any_waiting(session)

    def do(self, hand: AtHand) -> None:
        """Do one; where we are asked to stop, what is left of it waits for another worker."""

        def take() -> Trial | None:
            with Session(hand.engine) as session, session.begin():
                trials.clean_out(session)
                dead = dead_workers(trials.takers(session))
                return trials.take(session, hand.worker, LEASE_S, hand.judge.version, dead)

        if (trial := hand.patience.keep(take)) is None:
            return
        try:
            _carry_out(hand, trial)
        except (SQLAlchemyError, DatabaseAway):
            raise
        except Exception as error:  # it would fail whoever takes it up
            _end(hand, trial, Failed.by("it can't be tried", error).reason)


def _carry_out(hand: AtHand, trial: Trial) -> None:
    def begin() -> tuple[list[tuple[int, Task | str]], Mapping[str | None, Override]]:
        with Session(hand.engine) as session:
            overrides = current_overrides(session, [trial.property_id])[trial.property_id]
            return trials.untried(session, trial.id), overrides

    rows, before = hand.patience.keep(begin)
    after = {name: override for name, override in before.items() if name != trial.subject_class}
    if trial.override is not None:
        after[trial.subject_class] = trial.override
    finder = Finder(_KeptPages(hand.engine, hand.archive, NothingFetched(NOT_KEPT), ANY_AGE))
    for some in chunks(rows, AT_ONCE):
        if hand.stopped():
            _give_back(hand, trial)
            return
        if not _saved(hand, trial, _tried(hand, finder, some, before, after)):
            return  # it was withdrawn, or took so long that another worker has it
        hand.pulse.beat()
    _end(hand, trial)


@dataclass(frozen=True, slots=True)
class _Result:
    """What came of the pair at a position."""

    position: int
    found: str
    prepared: Prepared | None = None
    judgement: Judgement | None = None
    detail: str = ""


def _tried(
    hand: AtHand,
    finder: Finder,
    rows: Sequence[tuple[int, Task | str]],
    before: Mapping[str | None, Override],
    after: Mapping[str | None, Override],
) -> list[_Result]:
    results = [_Result(position, "failed", detail=task) for position, task in rows if isinstance(task, str)]
    tasks: dict[int, tuple[int, Task]] = {}
    for position, task in rows:
        if isinstance(task, str):
            continue
        classes = task.statement.classes
        if in_force(before, classes) == in_force(after, classes):
            results.append(_Result(position, "same"))
        else:
            tasks[task.pair_id] = position, replace(task, override=in_force(after, classes))
    found = hand.patience.keep(lambda: finder.find([task for _, task in tasks.values()]))
    judged = _judged(hand, finder, [task for _, task in tasks.values()], found)
    return results + [_result(position, *judged[pair_id]) for pair_id, (position, _) in tasks.items()]


def _judged(
    hand: AtHand, finder: Finder, tasks: Sequence[Task], found: Mapping[int, Found | Failed]
) -> Mapping[int, tuple[Prepared, Judgement | Failed]]:
    """The judgements by pair id, as a run comes to them: also by a further address, where the first page was moved."""
    claims = worded(tasks, hand.verbaliser)
    first = _results(hand, [prepare(task, found[task.pair_id], claims[task.pair_id]) for task in tasks])
    again = [
        (one.task, one.found)
        for one, result in first.values()
        if isinstance(result, NotJudged)
        and result.outcome.earlier_copy_helps
        and one.case is not None
        and isinstance(one.found, Found)
        and isinstance(one.found.page, Page)
        and one.found.place + 1 < len(one.task.urls)
    ]
    further = hand.patience.keep(lambda: finder.further(again)) if again else {}
    second = _results(
        hand,
        [
            prepare(task, page, first[task.pair_id][0].claim)
            for task, _ in again
            if (page := further.get(task.pair_id)) is not None
        ],
    )
    better = {pair_id: one for pair_id, one in second.items() if isinstance(one[1], Verdict)}
    return {**first, **better}


def _results(hand: AtHand, prepared: Sequence[Prepared]) -> dict[int, tuple[Prepared, Judgement | Failed]]:
    def look() -> list[Prepared]:
        with Session(hand.engine) as session:
            return with_standing(session, prepared, hand.judge.version)

    looked = hand.patience.keep(look)
    judged = judge_each(hand.judge, {one.task.pair_id: one.case for one in looked if one.case})
    return {
        one.task.pair_id: (before, one.result or judged[one.task.pair_id])
        for before, one in zip(prepared, looked, strict=True)
    }


def _result(position: int, prepared: Prepared, result: Judgement | Failed) -> _Result:
    if isinstance(result, Failed):
        if result.reason == NOT_KEPT:
            return _Result(position, "not_kept", prepared)
        return _Result(position, "failed", prepared, detail=result.reason)
    return _Result(position, "judged" if isinstance(result, Verdict) else "not_judged", prepared, result)


def _saved(hand: AtHand, trial: Trial, results: Sequence[_Result]) -> bool:
    def save() -> bool:
        with Session(hand.engine) as session, session.begin():
            if not trials.hold(session, trial.id, hand.worker, LEASE_S):
                return False
            for one in results:
                prepared = one.prepared
                row = prepared.found.row if prepared and isinstance(prepared.found, Found) else None
                trials.save(
                    session,
                    trial.id,
                    one.position,
                    one.found,
                    prepared.claim if prepared else None,
                    one.judgement,
                    row.digest if row is not None else None,
                    one.detail,
                )
            return True

    return hand.patience.keep(save)


def _end(hand: AtHand, trial: Trial, error: str | None = None) -> None:
    def end() -> None:
        with Session(hand.engine) as session, session.begin():
            if not trials.hold(session, trial.id, hand.worker, LEASE_S):
                return
            if error is None:
                trials.finish(session, trial.id)
            else:
                trials.fail(session, trial.id, error)

    hand.patience.keep(end)


def _give_back(hand: AtHand, trial: Trial) -> None:
    def give() -> None:
        with Session(hand.engine) as session, session.begin():
            trials.give_back(session, trial.id, hand.worker)

    hand.patience.keep(give)
