"""Wordings that are tried on real pairs before they are saved: people ask for a trial, a worker judges, the page shows.

A trial is rows of its own: it changes no verdict and queues nothing. What one of a killed worker left undone is taken
up again by another.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, cast

from sqlalchemy import delete, func, or_, select, text, update
from sqlalchemy.orm import Session, aliased

from models.evidence import Stance
from models.outcome import NotJudged, Outcome
from models.statement import Term
from models.verbalise import Complaint, Override
from models.verdict import Claim, Verdict
from store import schema
from store.overrides import check_override
from store.telling import sample_statements
from store.terms import load_terms
from store.work import Task, read_tasks

PAIRS = 20
KEPT_FOR = timedelta(days=30)
SAME_FOR = timedelta(days=7)
MOST_TRIES = 3
_DIED = "its worker died over it %(tries)s times"
_OPEN = ("waiting", "running")

State = Literal["waiting", "running", "done", "failed"]


@dataclass(frozen=True, slots=True)
class Asked:
    """The trial that a person asked for; `reused` where one of the same wording was there."""

    id: int
    reused: bool


@dataclass(frozen=True, slots=True)
class Trial:
    """A wording that is tried: for the subjects of a class or (None) for all; `override` None is Citewell's own.

    `ahead` counts trials that were asked for before it and aren't done yet; `heard` whether a worker was heard of just
    now that does trials.
    """

    id: int
    property_id: str
    subject_class: str | None
    override: Override | None
    asked_by: str
    asked_at: datetime
    state: State
    error: str | None
    model_version: str | None
    finished_at: datetime | None
    ahead: int = 0
    heard: bool = False

    @property
    def open(self) -> bool:
        """Whether there is something to wait for."""
        return self.state in _OPEN


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict as the page shows it beside another: a stance with y, or an outcome; neither where there is none."""

    claim: str | None = None
    stance: Stance | None = None
    unsure: bool = False
    probability: float | None = None
    outcome: Outcome | None = None
    detail: str = ""
    reason: str = ""

    @property
    def shown_as(self) -> str | None:
        """What the verdict comes to: a stance's value, `cant_tell`, or an outcome's value. None: nothing yet."""
        if self.stance is not None:
            return "cant_tell" if self.unsure else self.stance.value
        return self.outcome.value if self.outcome is not None else None


@dataclass(frozen=True, slots=True)
class Tried:
    """A pair of a trial: what stood (`now`), and what was found (`then`, None where nothing was, or not yet).

    `found` as in `store.schema.TRIAL_FOUND`, None while it waits. `other_ground`: what stands was found by another
    model, or on another page, so that a change needn't come from the wording. `moved`: another verdict stands by now.
    """

    position: int
    pair_id: int
    guid: str
    item: Term
    now: Finding
    found: str | None
    then: Finding | None
    other_ground: bool
    moved: bool

    @property
    def changes(self) -> bool:
        """Whether the wording would make another verdict of it."""
        return self.then is not None and self.now.shown_as is not None and self.then.shown_as != self.now.shown_as


class TrialRefused(Exception):
    """A trial that can't be asked for. `complaint` is one line for the person."""

    def __init__(self, complaint: Complaint) -> None:
        super().__init__(complaint)
        self.complaint = complaint


def ask(
    session: Session,
    property_id: str,
    subject_class: str | None,
    override: Override | None,
    asked_by: str,
    *,
    anew: bool = False,
    first: int | None = None,
) -> Asked:
    """Have a wording tried on `PAIRS` telling pairs, the pair `first` before all; `override` None tries Citewell's own.

    The trial of the same wording is reused, unless `anew`, or it lacks the pair `first`, or what it rests on has
    changed. Another trial of the same person for the property that isn't done yet gives way. Raises `TrialRefused`.
    """
    asked_by = asked_by.strip()
    if not asked_by:
        raise TrialRefused(Complaint("say who you are: a trial keeps who asked for it"))
    if override is not None:
        complaint = check_override(session, property_id, override.wording, override.text, subject_class)
        if complaint is not None:
            raise TrialRefused(complaint)
    # So that two clicks come one after the other.
    locked = select(schema.Property.id).where(schema.Property.id == property_id).with_for_update(key_share=True)
    if session.scalar(locked) is None:
        raise TrialRefused(
            Complaint("%(property)s isn't a property that any statement here uses", property=property_id)
        )
    pair_ids = _pairs(session, property_id, subject_class, first)
    wanted = first if any(pair_id == first for pair_id, _ in pair_ids) else None
    if not anew and (same := _same(session, property_id, subject_class, override, wanted)) is not None:
        return Asked(same, True)
    if not pair_ids:
        raise TrialRefused(Complaint("there is no pair to try it on"))
    session.execute(
        delete(schema.Trial).where(
            schema.Trial.property_id == property_id, schema.Trial.asked_by == asked_by, schema.Trial.state.in_(_OPEN)
        )
    )
    trial = schema.Trial(
        property_id=property_id,
        subject_class=subject_class,
        wording=override.wording if override else None,
        text=override.text if override else None,
        asked_by=asked_by,
    )
    session.add(trial)
    session.flush()
    session.add_all(
        schema.TrialPair(trial_id=trial.id, position=position, pair_id=pair_id, verdict_id=verdict_id)
        for position, (pair_id, verdict_id) in enumerate(pair_ids, start=1)
    )
    session.flush()
    return Asked(trial.id, False)


def trial(session: Session, trial_id: int) -> Trial | None:
    """A trial as it stands; None where there is none such (any more)."""
    row = session.get(schema.Trial, trial_id, populate_existing=True)
    if row is None:
        return None
    ahead = session.scalar(
        select(func.count()).where(schema.Trial.state.in_(_OPEN), schema.Trial.id < trial_id).select_from(schema.Trial)
    )
    return _trial(row, int(ahead or 0), bool(session.scalar(_HEARD)))


def tried(session: Session, trial_id: int) -> tuple[Tried, ...]:
    """The pairs of a trial in their order."""
    standing, current = aliased(schema.Verdict), aliased(schema.Verdict)
    rows = session.execute(
        select(schema.TrialPair, schema.Pair.guid, schema.Statement.item_id, standing, current.id)
        .join(schema.Pair, schema.Pair.id == schema.TrialPair.pair_id)
        .join(schema.Statement, schema.Statement.guid == schema.Pair.guid)
        .outerjoin(standing, standing.id == schema.TrialPair.verdict_id)
        .outerjoin(current, (current.pair_id == schema.TrialPair.pair_id) & current.current)
        .where(schema.TrialPair.trial_id == trial_id)
        .order_by(schema.TrialPair.position)
        .execution_options(populate_existing=True)
    ).all()
    model = session.scalar(select(schema.Trial.model_version).where(schema.Trial.id == trial_id))
    term = load_terms(session, {row.item_id for row in rows})
    return tuple(
        _tried(row, guid, term(item_id), verdict, current_id, model) for row, guid, item_id, verdict, current_id in rows
    )


def any_waiting(session: Session) -> bool:
    """Whether a trial waits for a worker, or was left by one."""
    return session.scalar(select(schema.Trial.id).where(_left()).limit(1)) is not None


def takers(session: Session) -> list[str]:
    """The workers that have trials in hand."""
    found = session.scalars(select(schema.Trial.taken_by).where(schema.Trial.state == "running").distinct())
    return [name for name in found if name]


def take(session: Session, worker: str, seconds: int, model_version: str, dead: Collection[str] = ()) -> Trial | None:
    """The trial that waits longest, for `seconds`; also one whose worker is `dead` or let its time run out. None: none.

    What was found of it by another model is tried anew. One that workers died over too often ends as failed.
    """
    while True:
        row = session.scalars(
            select(schema.Trial)
            .where(or_(_left(), (schema.Trial.state == "running") & schema.Trial.taken_by.in_(list(dead))))
            .order_by(schema.Trial.id)
            .limit(1)
            .with_for_update(skip_locked=True)
            .execution_options(populate_existing=True)
        ).first()
        if row is None:
            return None
        if row.state == "waiting" or row.tries < MOST_TRIES:
            break
        _end(session, row.id, "failed", str(Complaint(_DIED, tries=row.tries)))
    if row.model_version not in (None, model_version):
        session.execute(update(schema.TrialPair).where(schema.TrialPair.trial_id == row.id).values(**_UNTRIED))
    until = session.scalar(select(func.clock_timestamp() + timedelta(seconds=seconds)))
    row.state, row.taken_by, row.leased_until, row.model_version = "running", worker, until, model_version
    row.tries += 1
    session.flush()
    return _trial(row)


def hold(session: Session, trial_id: int, worker: str, seconds: int) -> bool:
    """Keep a trial for `seconds` more; False where it isn't ours any more."""
    ours = (schema.Trial.id == trial_id, schema.Trial.state == "running", schema.Trial.taken_by == worker)
    until = func.clock_timestamp() + timedelta(seconds=seconds)
    held = session.scalar(update(schema.Trial).where(*ours).values(leased_until=until).returning(schema.Trial.id))
    return held is not None


def untried(session: Session, trial_id: int) -> list[tuple[int, Task | str]]:
    """The pairs that were not tried yet, by position: what judging needs, or why the pair can't be read."""
    places = {
        row.pair_id: row.position
        for row in session.scalars(
            select(schema.TrialPair).where(schema.TrialPair.trial_id == trial_id, schema.TrialPair.found.is_(None))
        )
    }
    tasks, unreadable = read_tasks(session, list(places))
    known: list[tuple[int, Task | str]] = [(places[task.pair_id], task) for task in tasks]
    known += [(places[pair_id], why) for pair_id, why in unreadable.items()]
    return sorted(known, key=lambda one: one[0])


def save(
    session: Session,
    trial_id: int,
    position: int,
    found: str,
    claim: Claim | None = None,
    judgement: Verdict | NotJudged | None = None,
    document_digest: str | None = None,
    detail: str = "",
) -> None:
    """Write what came of a pair (`store.schema.TRIAL_FOUND`), beside the verdict that stands at this moment."""
    current = select(schema.Verdict.id).where(
        schema.Verdict.pair_id == schema.TrialPair.pair_id, schema.Verdict.current
    )
    values: dict[str, Any] = {**_UNTRIED, "found": found, "claim": claim.text if claim else None, "detail": detail}
    values |= {"document_digest": document_digest, "verdict_id": current.scalar_subquery()}
    if isinstance(judgement, Verdict):
        values |= {"stance": judgement.stance.value, "probability": judgement.probability}
        values |= {"unsure": judgement.unsure, "reason": judgement.reason}
    elif judgement is not None:
        values |= {"outcome": judgement.outcome.value, "detail": judgement.detail}
    session.execute(
        update(schema.TrialPair)
        .where(schema.TrialPair.trial_id == trial_id, schema.TrialPair.position == position)
        .values(**values)
    )


def finish(session: Session, trial_id: int) -> None:
    """All of its pairs were tried."""
    _end(session, trial_id, "done")


def fail(session: Session, trial_id: int, error: str) -> None:
    """It can't be done, and why."""
    _end(session, trial_id, "failed", error or "no reason given")


def give_back(session: Session, trial_id: int, worker: str) -> None:
    """Let a trial wait for another worker; what was tried of it stays."""
    session.execute(
        update(schema.Trial)
        .where(schema.Trial.id == trial_id, schema.Trial.state == "running", schema.Trial.taken_by == worker)
        .values(state="waiting", taken_by=None, leased_until=None, tries=schema.Trial.tries - 1)
    )


def clean_out(session: Session) -> int:
    """Take out trials that were asked for more than `KEPT_FOR` ago; how many they were."""
    old = session.scalars(
        delete(schema.Trial).where(schema.Trial.asked_at < func.now() - KEPT_FOR).returning(schema.Trial.id)
    )
    return len(old.all())


_UNTRIED: dict[str, Any] = {
    "found": None,
    "claim": None,
    "document_digest": None,
    "stance": None,
    "probability": None,
    "unsure": False,
    "outcome": None,
    "detail": "",
    "reason": "",
}

# Its page says "a worker takes it up" where one that does trials was heard of within five times its lease.
_HEARD = text("""
SELECT EXISTS (SELECT FROM run WHERE state = 'running' AND source = 'what waits' AND seen_at > now() - interval '2 min')
""")

# Of a statement's pairs one is tried, such as can be judged first.
_PAIRS = text("""
SELECT DISTINCT ON (place) pair.id, verdict.id
FROM unnest(CAST(:guids AS text[])) WITH ORDINALITY AS wanted(guid, place)
  JOIN pair ON pair.guid = wanted.guid AND pair.state <> 'retired'
  LEFT JOIN verdict ON verdict.pair_id = pair.id AND verdict.current
  LEFT JOIN document ON document.id = verdict.document_id
ORDER BY place, pair.id IS DISTINCT FROM CAST(:first AS bigint), verdict.stance IS NULL, document.warc IS NULL, pair.id
""")

_SAME = text("""
SELECT trial.id FROM trial
WHERE trial.property_id = :property_id AND trial.subject_class IS NOT DISTINCT FROM CAST(:subject_class AS text)
  AND trial.wording IS NOT DISTINCT FROM CAST(:wording AS text) AND trial.text IS NOT DISTINCT FROM CAST(:text AS text)
  AND (CAST(:wanted AS bigint) IS NULL
    OR EXISTS (SELECT FROM trial_pair WHERE trial_pair.trial_id = trial.id AND trial_pair.pair_id = :wanted))
  AND (trial.state IN ('waiting', 'running') OR trial.state = 'done'
    AND trial.asked_at > now() - CAST(:same_for AS interval)
    AND trial.model_version = (SELECT run.model_version FROM run ORDER BY run.id DESC LIMIT 1)
    AND NOT EXISTS (
      SELECT FROM override WHERE override.property_id = trial.property_id AND override.saved_at > trial.asked_at)
    AND NOT EXISTS (
      SELECT FROM trial_pair LEFT JOIN verdict ON verdict.pair_id = trial_pair.pair_id AND verdict.current
      WHERE trial_pair.trial_id = trial.id
        AND (trial_pair.verdict_id IS DISTINCT FROM verdict.id OR verdict.stale)))
ORDER BY trial.id DESC LIMIT 1
""")


def _same(
    session: Session, property_id: str, subject_class: str | None, override: Override | None, wanted: int | None
) -> int | None:
    """The newest trial of the same wording (with the pair `wanted`), unless what it rests on has changed: the model, a
    wording, or a verdict."""
    given = {
        "property_id": property_id,
        "subject_class": subject_class,
        "wording": override.wording if override else None,
        "text": override.text if override else None,
        "same_for": SAME_FOR,
        "wanted": wanted,
    }
    found: int | None = session.scalar(_SAME, given)
    return found


def _pairs(
    session: Session, property_id: str, subject_class: str | None, first: int | None
) -> Sequence[tuple[int, int | None]]:
    """The pairs of the statements that the preview shows, and their verdicts; the pair `first` is that of its own."""
    guid = session.scalar(select(schema.Pair.guid).where(schema.Pair.id == first)) if first is not None else None
    guids = [each.guid for each in sample_statements(session, property_id, PAIRS, subject_class, guid)]
    return [(row[0], row[1]) for row in session.execute(_PAIRS, {"guids": guids, "first": first})]


def _left() -> Any:
    """What a worker may take up: what waits, and what another has let its time run out of."""
    expired = (schema.Trial.state == "running") & (schema.Trial.leased_until <= func.now())
    return schema.Trial.state.in_(_OPEN) & or_(schema.Trial.state == "waiting", expired)


def _end(session: Session, trial_id: int, state: State, error: str | None = None) -> None:
    ended = {"state": state, "error": error, "taken_by": None, "leased_until": None}
    session.execute(
        update(schema.Trial)
        .where(schema.Trial.id == trial_id, schema.Trial.state.in_(_OPEN))
        .values(**ended, finished_at=func.clock_timestamp())
    )


def _trial(row: schema.Trial, ahead: int = 0, heard: bool = False) -> Trial:
    worded = row.wording is not None and row.text is not None
    return Trial(
        id=row.id,
        property_id=row.property_id,
        subject_class=row.subject_class,
        override=Override(cast(Literal["label", "pattern"], row.wording), str(row.text)) if worded else None,
        asked_by=row.asked_by,
        asked_at=row.asked_at,
        state=cast(State, row.state),
        error=row.error,
        model_version=row.model_version,
        finished_at=row.finished_at,
        ahead=ahead,
        heard=heard,
    )


def _tried(
    row: schema.TrialPair,
    guid: str,
    item: Term,
    verdict: schema.Verdict | None,
    current_id: int | None,
    model: str | None,
) -> Tried:
    grounds = verdict is not None and (verdict.model_version, verdict.document_digest) == (model, row.document_digest)
    return Tried(
        position=row.position,
        pair_id=row.pair_id,
        guid=guid,
        item=item,
        now=_finding(verdict) if verdict is not None else Finding(),
        found=row.found,
        then=_finding(row) if row.found in {"judged", "not_judged"} else None,
        other_ground=row.found in {"judged", "not_judged"} and verdict is not None and not grounds,
        moved=current_id != row.verdict_id,
    )


def _finding(row: schema.Verdict | schema.TrialPair) -> Finding:
    return Finding(
        claim=row.claim or None,
        stance=Stance(row.stance) if row.stance else None,
        unsure=row.unsure,
        probability=row.probability,
        outcome=Outcome(row.outcome) if row.outcome else None,
        detail=row.detail,
        reason=row.reason,
    )
