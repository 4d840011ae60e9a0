"""What a worker does: lease a batch of pairs, and write what it found of each, or why not."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, func, select, text, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.orm import Session, joinedload

from models import benefit
from models.evidence import Evidence
from models.outcome import NotJudged
from models.statement import MalformedValue, SourceUrl, Statement
from models.verbalise import Override, in_force
from models.verdict import Claim, Verdict
from store import schema
from store.benefit import lock, of_new, recount
from store.overrides import current_overrides
from store.terms import build_statement, load_terms, statement_ids

_FIRST_RETRY = timedelta(minutes=5)
_LAST_RETRY = timedelta(days=1)
_EVIDENCE = 5


@dataclass(frozen=True, slots=True)
class Task:
    """A leased pair with all that judging it needs. `tries` are those since a verdict with a stance; `why` says why it
    was queued (`store.schema.WHY`), and `host` is the host of its first address.
    """

    pair_id: int
    guid: str
    ref_hash: str
    urls: tuple[SourceUrl, ...]
    statement: Statement
    snak: Mapping[str, Any]
    qualifiers: Mapping[str, Any]
    override: Override | None = None
    tries: int = 0
    why: str = "new"
    host: str = ""


# A run with pages of its own (a replay's) judges what it queued itself while it goes on.
_DUE = """
  pair.state IN ('waiting', 'leased', 'failed') AND pair.next_at <= now()
  AND (pair.state <> 'leased' OR pair.leased_until <= now())
  AND CASE WHEN CAST(:run_id AS bigint) IS NULL
    THEN NOT EXISTS (SELECT FROM run WHERE run.id = pair.run_id AND run.state = 'running' AND run.own_pages)
    ELSE pair.run_id = :run_id END
"""

# Level by level, and in each host by host in a ring that begins behind `after`: the index gives the next host with one
# look, however many pairs the one before has. Of each host its longest due pair comes, or with `one_page` all that are
# due of that pair's page (url_key stands for the page), so that a batch is as many hosts as can be.
_NEXT_HOST = """
  SELECT pair.host FROM pair
  WHERE pair.state IN ('waiting', 'leased', 'failed') AND pair.priority = level.priority
    AND pair.host {than} AND ({ring})
  ORDER BY pair.host LIMIT 1
"""
_FIRST = _NEXT_HOST.format(
    than="IS NOT NULL", ring="CASE half.first WHEN true THEN pair.host > :after ELSE pair.host <= :after END"
)
_FOLLOWING = _NEXT_HOST.format(than="> ring.host", ring="half.first OR pair.host <= :after")
_DUE_OF_HOST = f"""
  SELECT pair.id, pair.next_at, pair.url_key FROM pair
  WHERE pair.priority = level.priority AND pair.host = hosts.host AND {_DUE}
"""  # noqa: S608 - all parts are ours
_SPREAD = f"""
  SELECT due.id
  FROM unnest(CAST(:levels AS int[])) WITH ORDINALITY AS level(priority, place),
    unnest(ARRAY[true, false]) WITH ORDINALITY AS half(first, place),
    LATERAL (
      WITH RECURSIVE ring AS (
        ({_FIRST})
        UNION ALL
        SELECT ({_FOLLOWING}) FROM ring WHERE ring.host IS NOT NULL
      )
      SELECT ring.host FROM ring
      WHERE ring.host IS NOT NULL AND (level.priority = :reworded OR NOT EXISTS (
        SELECT FROM host WHERE host.name = ring.host
          AND (host.resting_until > now() OR host.next_at > now() + make_interval(secs => :near)
            OR :budget > 0 AND host.requests >= :budget AND host.day = CAST(timezone('UTC', now()) AS date))))
    ) AS hosts,
    LATERAL ({_DUE_OF_HOST} ORDER BY pair.next_at, pair.url_key, pair.id LIMIT 1) AS page,
    LATERAL (
      {_DUE_OF_HOST} AND (NOT :one_page OR pair.url_key IS NOT DISTINCT FROM page.url_key)
      ORDER BY pair.next_at, pair.url_key, pair.id
      LIMIT :limit
      FOR UPDATE SKIP LOCKED
    ) AS due
  LIMIT :limit
"""  # noqa: S608 - all parts are ours
_LEASE = text(f"""
WITH due AS ({_SPREAD})
UPDATE pair SET state = 'leased', leased_by = :worker, leased_until = now() + make_interval(secs => :seconds),
  tries = pair.tries + CASE pair.state WHEN 'leased' THEN 1 ELSE 0 END
FROM due WHERE pair.id = due.id
RETURNING pair.id
""")  # noqa: S608 - both parts are ours
# A pair that ends whoever judges it would be the next in the queue for ever: the third time it is put off, with those
# that were leased with it, each for another while so that they part.
_PUT_OFF = """
  last_error = CASE WHEN tries >= :deaths THEN 'its worker died over it, or over a pair leased with it'
    ELSE last_error END,
  next_at = CASE WHEN tries >= :deaths
    THEN now() + least(interval '5 min' * power(4, least(tries - :deaths, 8)), interval '1 day') * (0.5 + random())
    ELSE next_at END,
  state = CASE WHEN tries >= :deaths THEN 'failed' ELSE 'waiting' END,
  tries = tries + 1, leased_by = NULL, leased_until = NULL
"""
_PUT_OFF_EXPIRED = text(f"""
UPDATE pair SET {_PUT_OFF} WHERE id IN (
  SELECT id FROM pair WHERE state = 'leased' AND leased_until <= now() AND tries >= :deaths FOR UPDATE SKIP LOCKED
)
""")  # noqa: S608 - both parts are ours
_GIVE_UP = text(f"UPDATE pair SET {_PUT_OFF} WHERE state = 'leased' AND leased_by = ANY(:names) RETURNING id")  # noqa: S608 - as above
_DEATHS = {"deaths": 2}
_ANY_DUE = text(f"SELECT EXISTS (SELECT FROM pair WHERE {_DUE})")  # noqa: S608 - both parts are ours
_ANY_LEASED = text(_SPREAD)
_COUNT_DUE = text(f"SELECT count(*) FROM pair WHERE {_DUE}")  # noqa: S608 - both parts are ours
_LEVELS = {"levels": list(range(len(schema.WHY), 0, -1)), "reworded": len(schema.WHY) - schema.WHY.index("reworded")}
_NEAR_S = 15.0  # a host whose next turn is later than this would hold up the others of a batch


def count_due(session: Session, run_id: int | None = None) -> int:
    """How many pairs are due: what `lease` could give now, but for hosts that rest."""
    return int(session.scalars(_COUNT_DUE, {"run_id": run_id}).one())


def lease(
    session: Session,
    worker: str,
    limit: int,
    seconds: int,
    run_id: int | None = None,
    *,
    one_page: bool = False,
    after: str = "",
    budget: int = 0,
) -> list[Task]:
    """Take up to `limit` pairs that wait, for `seconds`: higher priority first, of each host those longest due.

    Hosts take turns beginning behind the host `after`, in the order of their names; with `one_page` each host gives
    the pairs of one page, so that many hosts have a part in a batch, else all its pairs. Hosts that rest, whose turn is
    not near, or that were asked as often as `budget` today (UTC; 0: no bound), give none but those that are only
    reworded. Leases that ran out are taken over, and count as a try. With `run_id`
    only that run's; without, none that a run with pages of its own has queued while it goes on. A pair whose stored
    value can't be read is failed with the reason and not handed out.
    """
    session.execute(_PUT_OFF_EXPIRED, _DEATHS)
    if not session.scalar(_ANY_DUE, {"run_id": run_id}):  # much sooner said than by asking host after host
        return []
    given = {"worker": worker, "limit": limit, "seconds": seconds, "run_id": run_id, "one_page": one_page}
    ids = session.scalars(_LEASE, given | {"after": after, "near": _NEAR_S, "budget": budget} | _LEVELS).all()
    return _tasks(session, ids)


def renew(session: Session, workers: str | Collection[str], seconds: int) -> int:
    """Make all leases of `workers` (names that were leased by) last `seconds` from now; how many they are.

    Pairs that someone is about to change are left out: waiting for them could end in a deadlock.
    """
    free = (
        select(schema.Pair.id)
        .where(schema.Pair.state == "leased", schema.Pair.leased_by.in_(_names(workers)))
        .with_for_update(skip_locked=True)
    )
    renewed = session.scalars(
        update(schema.Pair)
        .where(schema.Pair.id.in_(free.scalar_subquery()))
        .values(leased_until=func.now() + timedelta(seconds=seconds))
        .returning(schema.Pair.id)
    )
    return len(renewed.all())


def held(session: Session, worker: str, pair_ids: Collection[int]) -> frozenset[int]:
    """Those of the pairs that `worker` still has the lease of."""
    ours = (schema.Pair.id.in_(pair_ids), schema.Pair.state == "leased", schema.Pair.leased_by == worker)
    return frozenset(session.scalars(select(schema.Pair.id).where(*ours)))


def any_due(session: Session, run_id: int | None = None, budget: int = 0) -> bool:
    """Whether `lease` could give anything now."""
    given = {"limit": 1, "run_id": run_id, "one_page": False, "after": "", "near": _NEAR_S, "budget": budget}
    if not session.scalar(_ANY_DUE, {"run_id": run_id}):
        return False
    return session.scalars(_ANY_LEASED, given | _LEVELS).first() is not None


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
    language: str = "",
) -> bool:
    """Make `judgement` the pair's current verdict and end the lease; False where the lease is no longer `worker`'s.

    The same judgement of the same claim, document and model is one row, however often it is saved.
    `claim` is None where the statement could not be put into words; `language` is the page's (ISO 639-1), "" where
    that isn't known.
    """
    lock(session, [task.guid])
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
        "language": language or None,
        "benefit": of_new(task.pair_id, _chance(judgement)),
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
    recount(session, [task.guid])  # of the statement's other references
    return True


def fail(session: Session, task: Task, worker: str, error: str, until: datetime | None = None) -> bool:
    """End the lease as failed with the reason; False where it isn't ours.

    It is tried again after growing delays, or at `until`: then nothing has gone wrong, and it counts for no try.
    """
    if not _holds(session, task, worker):
        return False
    _fail(session, task.pair_id, error, until)
    return True


def give_back(session: Session, workers: str | Collection[str]) -> int:
    """Let all pairs that `workers` (names that were leased by) hold wait again; how many they were."""
    given = session.scalars(
        update(schema.Pair)
        .where(schema.Pair.state == "leased", schema.Pair.leased_by.in_(_names(workers)))
        .values(state="waiting", leased_by=None, leased_until=None)
        .returning(schema.Pair.id)
    )
    return len(given.all())


def give_up(session: Session, workers: str | Collection[str]) -> int:
    """Let all pairs that `workers` held when they died wait again; how many they were.

    It counts as a try, and what workers keep dying over is put off for growing delays.
    """
    return len(session.execute(_GIVE_UP, _DEATHS | {"names": _names(workers)}).all())


def _names(workers: str | Collection[str]) -> list[str]:
    return [workers] if isinstance(workers, str) else list(workers)


def _tasks(session: Session, ids: Sequence[int]) -> list[Task]:
    tasks, unreadable = read_tasks(session, ids)
    for pair_id, error in unreadable.items():
        _fail(session, pair_id, error)
    return tasks


def read_tasks(session: Session, ids: Sequence[int]) -> tuple[list[Task], dict[int, str]]:
    """The pairs in the order in which they are leased, and those whose stored value can't be read, with why."""
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
    tasks, unreadable = [], {}
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
                    why=pair.why,
                    host=pair.host or "",
                )
            )
        except MalformedValue as error:
            unreadable[pair.id] = f"the statement's value can't be read: {error}"
    return tasks, unreadable


def _holds(session: Session, task: Task, worker: str) -> bool:
    """Whether `worker` still has the lease; if so, nobody else can take it until the transaction ends."""
    mine = (schema.Pair.id == task.pair_id, schema.Pair.state == "leased", schema.Pair.leased_by == worker)
    return session.scalar(select(schema.Pair.id).where(*mine).with_for_update()) is not None


def _chance(judgement: Verdict | NotJudged) -> float:
    if isinstance(judgement, NotJudged):
        return benefit.ROTTEN.get(judgement.outcome, 1.0)
    return benefit.chance(judgement.probability, judgement.stance, judgement.unsure)


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
    ended: dict[str, Any] = {"leased_by": None, "leased_until": None, "last_error": None}
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


def _fail(session: Session, pair_id: int, error: str, until: datetime | None = None) -> None:
    """Failed; the next try in five minutes, then four times as long each time, a day at most, unless it is `until`."""
    wait = func.least(_FIRST_RETRY * func.power(4, func.least(schema.Pair.tries, 8)), _LAST_RETRY)
    session.execute(
        update(schema.Pair)
        .where(schema.Pair.id == pair_id)
        .values(
            state="failed",
            last_error=error or "no reason given",
            tries=schema.Pair.tries + (1 if until is None else 0),
            next_at=func.now() + wait if until is None else until,
            leased_by=None,
            leased_until=None,
        )
    )
