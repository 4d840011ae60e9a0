"""What a worker does: lease a batch of pairs, and write what it found of each, or why not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import delete, func, select, text, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.orm import Session, joinedload

from models.evidence import Evidence
from models.outcome import NotJudged
from models.statement import MalformedValue, SourceUrl, Statement
from models.verbalise import Override, in_force
from models.verdict import Claim, Verdict
from store import schema
from store.overrides import current_overrides
from store.terms import build_statement, load_terms, statement_ids

_FIRST_RETRY = timedelta(minutes=5)
_LAST_RETRY = timedelta(days=1)
_EVIDENCE = 5


@dataclass(frozen=True, slots=True)
class Task:
    """A leased pair with all that judging it needs. `tries` are those since a verdict with a stance."""

    pair_id: int
    guid: str
    ref_hash: str
    urls: tuple[SourceUrl, ...]
    statement: Statement
    snak: Mapping[str, Any]
    qualifiers: Mapping[str, Any]
    override: Override | None = None
    tries: int = 0


# The pairs of one page come together where they are equally due: url_key stands for the page.
# A run that is going on judges what it queued itself: it may have pages (a replay's) that nobody else has.
_DUE = """
  FROM pair
  WHERE state IN ('waiting', 'leased', 'failed') AND next_at <= now()
    AND (state <> 'leased' OR leased_until <= now())
    AND CASE WHEN CAST(:run_id AS bigint) IS NULL
      THEN NOT EXISTS (SELECT FROM run WHERE run.id = pair.run_id AND run.state = 'running')
      ELSE run_id = :run_id END
"""
_COUNT_DUE = text(f"SELECT count(*) {_DUE}")
_LEASE = text(f"""
WITH due AS (
  SELECT id {_DUE}
  ORDER BY priority DESC, next_at, url_key, id
  LIMIT :limit
  FOR UPDATE SKIP LOCKED
)
UPDATE pair SET state = 'leased', leased_by = :worker, leased_until = now() + make_interval(secs => :seconds)
FROM due WHERE pair.id = due.id
RETURNING pair.id
""")  # noqa: S608 - both parts are ours


def count_due(session: Session, run_id: int | None = None) -> int:
    """How many pairs `lease` could give now."""
    return int(session.scalars(_COUNT_DUE, {"run_id": run_id}).one())


def lease(session: Session, worker: str, limit: int, seconds: int, run_id: int | None = None) -> list[Task]:
    """Take up to `limit` pairs that wait, for `seconds`: higher priority first, then the longest due.

    Pairs of one page come together where they are equally due. Leases that ran out are taken over. With `run_id`
    only that run's; without, none that a run still going on has queued. A pair whose stored value can't be read is
    failed with the reason and not handed out.
    """
    given = {"worker": worker, "limit": limit, "seconds": seconds, "run_id": run_id}
    ids = session.scalars(_LEASE, given).all()
    return _tasks(session, ids)


def renew(session: Session, worker: str, seconds: int) -> int:
    """Make all leases of `worker` last `seconds` from now; how many they are."""
    renewed = session.scalars(
        update(schema.Pair)
        .where(schema.Pair.state == "leased", schema.Pair.leased_by == worker)
        .values(leased_until=func.now() + timedelta(seconds=seconds))
        .returning(schema.Pair.id)
    )
    return len(renewed.all())


def save_judgement(
    session: Session,
    task: Task,
    worker: str,
    run_id: int,
    claim: Claim | None,
    claim_digest: str,
    document: schema.Document | None,
    via: str | None,
    judgement: Verdict | NotJudged,
    model_version: str,
) -> bool:
    """Make `judgement` the pair's current verdict and end the lease; False where the lease is no longer `worker`'s.

    The same judgement of the same claim, document and model is one row, however often it is saved.
    `claim` is None where the statement could not be put into words.
    """
    if not _holds(session, task, worker):
        return False
    session.execute(
        update(schema.Verdict)
        .where(schema.Verdict.pair_id == task.pair_id, schema.Verdict.current)
        .values(current=False)
    )
    identity = {
        "pair_id": task.pair_id,
        "claim_digest": claim_digest,
        "document_digest": document.digest if document is not None else None,
        "model_version": model_version,
    }
    provenance = {
        "run_id": run_id,
        "document_id": document.id if document is not None else None,
        "via": via,
        "detail": judgement.detail if isinstance(judgement, NotJudged) else "",
        "judged_at": func.clock_timestamp(),
    }
    words = {"claim": claim.text if claim else "", "wording": claim.wording if claim else ""}
    verdict_id = session.execute(
        postgresql.insert(schema.Verdict)
        .values(**identity, **provenance, **words, **_finding(judgement))
        .on_conflict_do_update(constraint="uq_verdict_identity", set_={**provenance, "current": True, "stale": False})
        .returning(schema.Verdict.id)
    ).scalar_one()
    if isinstance(judgement, NotJudged):
        # As with the detail, the latest find counts: new names of an entity may have been found meanwhile.
        session.execute(delete(schema.EvidenceRow).where(schema.EvidenceRow.verdict_id == verdict_id))
    _put_evidence(session, verdict_id, judgement.evidence[:_EVIDENCE])
    _settle(session, task, judgement)
    return True


def fail(session: Session, task: Task, worker: str, error: str) -> bool:
    """End the lease as failed with the reason, to be tried again after growing delays; False where it isn't ours."""
    if not _holds(session, task, worker):
        return False
    _fail(session, task.pair_id, error)
    return True


def give_back(session: Session, worker: str) -> int:
    """Let all pairs that `worker` leased wait again; how many they were."""
    given = session.scalars(
        update(schema.Pair)
        .where(schema.Pair.state == "leased", schema.Pair.leased_by == worker)
        .values(state="waiting", leased_by=None, leased_until=None)
        .returning(schema.Pair.id)
    )
    return len(given.all())


def _tasks(session: Session, ids: Sequence[int]) -> list[Task]:
    rows = session.execute(
        select(schema.Pair, schema.Statement)
        .join(schema.Statement, schema.Statement.guid == schema.Pair.guid)
        .options(joinedload(schema.Statement.item))
        .where(schema.Pair.id.in_(ids))
        .order_by(schema.Pair.priority.desc(), schema.Pair.next_at, schema.Pair.url_key, schema.Pair.id)
        .execution_options(populate_existing=True)
    ).all()
    needed = [
        statement_ids(statement.item_id, statement.property_id, statement.snak, statement.qualifiers)
        for _, statement in rows
    ]
    term = load_terms(session, frozenset().union(*needed))
    overrides = current_overrides(session, {statement.property_id for _, statement in rows})
    tasks = []
    for pair, statement in rows:
        try:
            tasks.append(
                Task(
                    pair_id=pair.id,
                    guid=pair.guid,
                    ref_hash=pair.ref_hash,
                    urls=tuple(SourceUrl(url["url"], url["via"]) for url in pair.urls),
                    statement=build_statement(statement, term),
                    snak=statement.snak,
                    qualifiers=statement.qualifiers,
                    override=in_force(overrides[statement.property_id], statement.item.classes),
                    tries=pair.tries,
                )
            )
        except MalformedValue as error:
            _fail(session, pair.id, f"the statement's value can't be read: {error}")
    return tasks


def _holds(session: Session, task: Task, worker: str) -> bool:
    """Whether `worker` still has the lease; if so, nobody else can take it until the transaction ends."""
    mine = (schema.Pair.id == task.pair_id, schema.Pair.state == "leased", schema.Pair.leased_by == worker)
    return session.scalar(select(schema.Pair.id).where(*mine).with_for_update()) is not None


def _finding(judgement: Verdict | NotJudged) -> dict[str, Any]:
    if isinstance(judgement, NotJudged):
        return {"outcome": judgement.outcome.value}
    return {
        "stance": judgement.stance.value,
        "probability": judgement.probability,
        "weighted_sum": judgement.weighted_sum.value,
        "malon": judgement.malon.value,
        "unsure": judgement.unsure,
        "reason": judgement.reason,
    }


def _put_evidence(session: Session, verdict_id: int, evidence: Sequence[Evidence]) -> None:
    """The passages of a verdict or an outcome; a verdict that was saved before keeps those it has."""
    rows = [
        {
            "verdict_id": verdict_id,
            "position": position,
            "passage": each.passage.text,
            "kind": each.passage.kind,
            "heading": each.passage.heading,
            "block": each.passage.block,
            "first_sentence": each.passage.first,
            "last_sentence": each.passage.last,
            "boilerplate": each.passage.boilerplate,
            "relevance": each.relevance,
            "supports": each.supports,
            "refutes": each.refutes,
            "not_enough_info": each.not_enough_info,
            "matches": [asdict(match) for match in each.matches],
        }
        for position, each in enumerate(evidence, start=1)
    ]
    if rows:
        session.execute(postgresql.insert(schema.EvidenceRow).on_conflict_do_nothing(), rows)


def _settle(session: Session, task: Task, judgement: Verdict | NotJudged) -> None:
    """End the lease: judged, or not judged until it makes sense to try again, each time twice as long (to 16 times)."""
    ended: dict[str, Any] = {"leased_by": None, "leased_until": None, "priority": 0, "last_error": None}
    if isinstance(judgement, Verdict):
        ended |= {"state": "judged", "tries": 0}
    else:
        wait = judgement.outcome.retry_after
        times = func.power(2, func.least(schema.Pair.tries, 4))
        ended |= {
            "state": "not_judged",
            "tries": schema.Pair.tries + 1,
            "next_at": func.now() + wait * times if wait is not None else None,
        }
    session.execute(update(schema.Pair).where(schema.Pair.id == task.pair_id).values(**ended))


def _fail(session: Session, pair_id: int, error: str) -> None:
    """Failed; the next try in five minutes, then four times as long each time, a day at most."""
    wait = func.least(_FIRST_RETRY * func.power(4, func.least(schema.Pair.tries, 8)), _LAST_RETRY)
    session.execute(
        update(schema.Pair)
        .where(schema.Pair.id == pair_id)
        .values(
            state="failed",
            last_error=error or "no reason given",
            tries=schema.Pair.tries + 1,
            next_at=func.now() + wait,
            leased_by=None,
            leased_until=None,
        )
    )
