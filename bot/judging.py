"""From a leased pair and its page to a judgement: what a run and a trial of a wording do alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy.orm import Session

from bot.find import Failed, Found
from models.judge import Case, Judge
from models.outcome import NotJudged, Outcome
from models.statement import EntityValue, QuantityValue, Statement
from models.verbalise import Model, verbalise, verbalise_all
from models.verdict import Claim, Judgement, claim_digest
from store.standing import standing
from store.work import Task

UNSAID = Claim("", "")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A pair in words, with what it is judged by; `result` is there already where there is nothing to judge."""

    task: Task
    found: Found | Failed
    claim: Claim | None = None
    case: Case | None = None
    result: Judgement | Failed | None = None


def worded(tasks: Sequence[Task], verbaliser: Model | None) -> Mapping[int, Claim | Failed | None]:
    """The claims by pair id. Where wording all at once fails, each is worded alone: a failure is one pair's."""
    try:
        claims = verbalise_all([(task.statement, task.override) for task in tasks], verbaliser)
        return {task.pair_id: claim for task, claim in zip(tasks, claims, strict=True)}
    except Exception:
        return {task.pair_id: _worded_alone(task, verbaliser) for task in tasks}


def _worded_alone(task: Task, verbaliser: Model | None) -> Claim | Failed | None:
    try:
        return verbalise(task.statement, task.override, verbaliser)
    except Exception as error:
        return Failed.by("the statement can't be put into words", error)


def prepare(task: Task, found: Found | Failed, claim: Claim | Failed | None) -> Prepared:
    """A pair with what it is judged by, or with the reason why there is nothing to judge."""
    if isinstance(found, Failed):
        return Prepared(task, found, result=found)
    if isinstance(claim, Failed):
        return Prepared(task, found, result=claim)
    if claim is None:
        return Prepared(task, found, result=NotJudged(Outcome.NO_LABEL, _unlabelled(task.statement)))
    if isinstance(found.page, NotJudged):
        return Prepared(task, found, claim, result=found.page)
    return Prepared(task, found, claim, Case(task.statement, claim, found.page))


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


def with_standing(session: Session, prepared: Sequence[Prepared], model_version: str) -> list[Prepared]:
    """The same; what this model came to of the same claim and body before stands, and isn't judged anew."""
    met = {
        one.task.pair_id: (claim_digest(one.claim, one.task.snak, one.task.qualifiers), one.found.row.digest)
        for one in prepared
        if one.case and one.claim and isinstance(one.found, Found) and one.found.row is not None
    }
    stand = standing(session, met, model_version) if met else {}
    return [
        replace(one, case=None, result=verdict) if (verdict := stand.get(one.task.pair_id)) else one for one in prepared
    ]


def judge_each(judge: Judge, cases: Mapping[int, Case]) -> Mapping[int, Judgement | Failed]:
    """The judgements by pair id. Where judging all at once fails, each is judged alone: a failure is one pair's."""
    try:
        return dict(zip(cases, judge.judge_all(list(cases.values())), strict=True))
    except Exception:
        return {pair_id: _judged_alone(judge, case) for pair_id, case in cases.items()}


def _judged_alone(judge: Judge, case: Case) -> Judgement | Failed:
    try:
        return judge.judge(case.statement, case.claim, case.page)
    except Exception as error:
        return Failed.by("judging failed", error)
