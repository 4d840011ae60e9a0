"""Each verdict's expected benefit (`models.benefit`), kept in its row so that the list can be read by an index.

It depends on other rows: the statement's rank and those beside it, what its other references were found to do, the
weight of its property. Whoever changes one of these recounts what depends on it, in the same transaction, after
locking the statements (`lock`): in the order statements, pairs, verdicts nobody waits for each other in a ring.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping

from sqlalchemy import Engine, Float, ScalarSelect, bindparam, text
from sqlalchemy.orm import Session

from models import benefit
from models.evidence import Stance

_AT_ONCE = 2000

_ROTTEN = " ".join(f"WHEN verdict.outcome = '{name.value}' THEN {chance}" for name, chance in benefit.ROTTEN.items())
_CHANCE = f"""
  CASE {_ROTTEN} WHEN verdict.outcome IS NOT NULL THEN 1 ELSE (1 - verdict.probability) * CASE
    WHEN verdict.unsure THEN {benefit.UNSURE}
    WHEN verdict.stance = 'refutes' THEN {benefit.SURE[Stance.REFUTES]}
    WHEN verdict.stance = 'not_enough_info' THEN {benefit.SURE[Stance.NOT_ENOUGH_INFO]}
    ELSE {benefit.SURE[Stance.SUPPORTS]} END END
"""
_USE = f"""
  CASE statement.rank WHEN 'deprecated' THEN {benefit.RANKS["deprecated"]}
    WHEN 'preferred' THEN {benefit.RANKS["preferred"]}
    ELSE CASE WHEN EXISTS (
      SELECT FROM statement AS other JOIN pair AS cited ON cited.guid = other.guid
      WHERE other.item_id = statement.item_id AND other.property_id = statement.property_id
        AND other.rank = 'preferred' AND cited.state <> 'retired'
    ) THEN {benefit.OUTRANKED} ELSE {benefit.RANKS["normal"]} END END
  * CASE WHEN EXISTS (
      SELECT FROM pair AS sibling JOIN verdict AS found ON found.pair_id = sibling.id AND found.current
      WHERE sibling.guid = pair.guid AND sibling.id <> pair.id AND found.stance = 'supports' AND NOT found.unsure
    ) THEN {benefit.BACKED} ELSE 1 END
  * coalesce((SELECT weight FROM property_weight WHERE property_weight.property_id = statement.property_id), 1)
"""  # noqa: S608 - all parts are ours
# The last digits would only differ by the order of the factors.
_ROUNDED = "CAST(round(CAST({} AS numeric), 6) AS float8)"
_OF_NEW = f"""
SELECT {_ROUNDED.format(f"CAST(:chance AS float8) * {_USE}")} AS benefit
FROM pair JOIN statement USING (guid) WHERE pair.id = :pair_id
"""  # noqa: S608 - as above
_RECOUNT = f"""
WITH due AS (
  SELECT verdict.id, {_ROUNDED.format(f"{_CHANCE} * {_USE}")} AS benefit
  FROM statement JOIN pair USING (guid) JOIN verdict ON verdict.pair_id = pair.id AND verdict.current
  WHERE {{which}}
)
UPDATE verdict SET benefit = due.benefit FROM due WHERE verdict.id = due.id AND verdict.benefit <> due.benefit
RETURNING verdict.id
"""  # noqa: S608 - as above
_OF_STATEMENTS = text(_RECOUNT.format(which="statement.guid = ANY(:guids)"))
_OF_ITEMS = text(_RECOUNT.format(which="statement.item_id = ANY(:items)"))
_LOCK = text("SELECT FROM statement WHERE guid = ANY(:guids) ORDER BY guid FOR NO KEY UPDATE")
_LOCK_ITEMS = text("SELECT FROM statement WHERE item_id = ANY(:items) ORDER BY guid FOR NO KEY UPDATE")
_SET_WEIGHTS = text("""
WITH given AS (
  SELECT key AS property_id, CAST(value AS float8) AS weight FROM jsonb_each_text(CAST(:weights AS jsonb))
), gone AS (
  UPDATE property_weight SET weight = 1, counted = false
  WHERE property_id NOT IN (SELECT property_id FROM given) AND (weight <> 1 OR NOT counted)
)
INSERT INTO property_weight (property_id, weight) SELECT property_id, weight FROM given ORDER BY property_id
ON CONFLICT (property_id) DO UPDATE SET weight = excluded.weight, counted = false
WHERE property_weight.weight <> excluded.weight
""")
_UNCOUNTED = text("SELECT property_id FROM property_weight WHERE NOT counted ORDER BY property_id LIMIT 1")
_COUNTED = text("UPDATE property_weight SET counted = true WHERE property_id = :property_id AND weight = :weight")
_WEIGHT = text("SELECT weight FROM property_weight WHERE property_id = :property_id")
_STATEMENTS_OF = text("""
SELECT guid FROM statement WHERE property_id = :property_id AND guid > :after ORDER BY guid LIMIT :most
""")


def of_new(pair_id: int, chance: float) -> ScalarSelect[float]:
    """In SQL, the benefit of a verdict about to be kept for a pair; `chance` as in `models.benefit`, 1 for an
    outcome that says nothing of the page.
    """
    query = text(_OF_NEW).bindparams(
        bindparam("chance", chance, unique=True), bindparam("pair_id", pair_id, unique=True)
    )
    return query.columns(benefit=Float).scalar_subquery()


def lock(session: Session, guids: Collection[str]) -> None:
    """Keep others from recounting these statements until the transaction ends. Before any of their pairs is locked."""
    session.execute(_LOCK, {"guids": list(guids)})


def lock_items(session: Session, items: Collection[str]) -> None:
    """The same for all statements of items."""
    session.execute(_LOCK_ITEMS, {"items": list(items)})


def recount(session: Session, guids: Collection[str]) -> int:
    """Bring the benefit of the statements' current verdicts up to date; how many changed."""
    return len(session.execute(_OF_STATEMENTS, {"guids": list(guids)}).all())


def recount_items(session: Session, items: Collection[str]) -> int:
    """The same for all statements of items."""
    return len(session.execute(_OF_ITEMS, {"items": list(items)}).all())


def set_weights(engine: Engine, weights: Mapping[str, float]) -> int:
    """Let properties weigh as `weights` say (1 where they don't), and recount what depends on it; how many verdicts
    changed.

    A part at a time, so that nobody waits long: killed before its end, the next call goes on.
    """
    with Session(engine) as session, session.begin():
        session.execute(_SET_WEIGHTS, {"weights": json.dumps(dict(weights))})
    done = 0
    while True:
        with Session(engine) as session:
            property_id = session.scalar(_UNCOUNTED)
        if property_id is None:
            return done
        done += _recount_property(engine, property_id)


def _recount_property(engine: Engine, property_id: str) -> int:
    done, after = 0, ""
    with Session(engine) as session:
        weight = session.scalar(_WEIGHT, {"property_id": property_id})
    while True:
        with Session(engine) as session, session.begin():
            given = {"property_id": property_id, "after": after, "most": _AT_ONCE}
            guids = session.scalars(_STATEMENTS_OF, given).all()
            if not guids:
                session.execute(_COUNTED, {"property_id": property_id, "weight": weight})
                return done
            lock(session, guids)
            done += recount(session, guids)
            after = guids[-1]
