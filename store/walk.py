"""What a walk over a source writes: the words of entities, and the pairs that it found or found gone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import func, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from models.statement import SourceUrl, Term
from store import schema
from store.benefit import lock_items, recount_items
from store.domain import domain_of
from store.overrides import IN_FORCE
from store.taken_out import items_taken_out, keeping
from store.terms import statement_ids


@dataclass(frozen=True, slots=True)
class SelectedPair:
    """A statement with one of its references, as a walk selected it.

    `snak` is the main snak, `qualifiers` and `ref_snaks` map property ids to lists of snaks, all as in Wikibase JSON;
    a change of `snak`, `qualifiers` or `urls` makes the pair wait again, so leave out what isn't part of the value.
    `revision` is the entity's (0 where unknown): what an older revision says never replaces a newer one. `classes`
    are those of the statement's subject, the preferred first.
    """

    guid: str
    item_id: str
    property_id: str
    snak: Mapping[str, Any]
    qualifiers: Mapping[str, Any]
    rank: str
    revision: int
    ref_hash: str
    ref_snaks: Mapping[str, Any]
    urls: tuple[SourceUrl, ...]
    classes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WalkedItem:
    """An item as a walk saw it: its revision (0 where unknown), and the (GUID, reference hash) of all its pairs."""

    id: str
    revision: int
    pairs: frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class WalkCounts:
    """What became of the pairs given: `new`, waiting again because the statement or its addresses `changed`, because
    it is `reworded` (a label or a class changed), because `another_model` had judged them, for a further try
    (`retried`), because they were judged long ago (`old`) or had retired and `returned`; the rest stay `unchanged`.
    `retired` were not given any more.
    """

    new: int = 0
    changed: int = 0
    reworded: int = 0
    another_model: int = 0
    retried: int = 0
    old: int = 0
    returned: int = 0
    unchanged: int = 0
    retired: int = 0

    def __add__(self, other: WalkCounts) -> WalkCounts:
        return WalkCounts(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    @property
    def waiting(self) -> int:
        """How many of them wait to be judged because of this walk."""
        again = self.changed + self.reworded + self.another_model + self.retried + self.old + self.returned
        return self.new + again


def put_terms(session: Session, terms: Iterable[Term]) -> None:
    """Record the words of entities. A term that knows nothing (no label, alias or description) replaces nothing.

    Those of items that were taken out aren't kept.
    """
    newest = {term.id: term for term in terms}
    keeping(session)
    for identifier in items_taken_out(session, newest):
        del newest[identifier]
    for table, some in (
        (schema.Property, [term for term in newest.values() if term.id.startswith("P")]),
        (schema.Item, [term for term in newest.values() if not term.id.startswith("P")]),
    ):
        if not some:
            continue
        statement = insert(table)
        new = statement.excluded
        statement = statement.on_conflict_do_update(
            index_elements=["id"],
            set_={name: new[name] for name in ("label", "label_language", "aliases", "description", "foreign")},
            where=new.label.is_not(None) | (func.cardinality(new.aliases) > 0) | (new.description != ""),
        )
        session.execute(statement, [_term_values(term) for term in sorted(some, key=lambda term: term.id)])


def put_pairs(
    session: Session,
    run_id: int,
    rows: Sequence[SelectedPair],
    model_version: str,
    older_than: timedelta | None = None,
) -> WalkCounts:
    """Record the pairs that a walk found, and queue those with something to judge for the run `run_id`.

    New pairs wait. A pair whose statement or addresses changed waits again, before others, and its verdict is stale;
    so does one that reads otherwise now, by a label of an entity that it names or by an override for other classes of
    its subject. In its turn waits one that another model than `model_version` judged, one that wasn't judged and is
    due for a new try, and one that was judged longer ago than `older_than` (None: however long ago). Any other pair
    that has a verdict stays untouched. Words are to be put before the pairs that need them. Items that were taken out
    are left out.
    """
    keeping(session)
    out = items_taken_out(session, {row.item_id for row in rows})
    newest = {(row.guid, row.ref_hash): row for row in rows if row.item_id not in out}
    if not newest:
        return WalkCounts()
    _put_stubs(session, newest.values())
    session.execute(text(_TAKE), {"rows": json.dumps([_pair_values(row) for _, row in sorted(newest.items())])})
    session.execute(text(_PROPERTIES))
    session.execute(text(_REFERENCES))
    session.execute(text(_LOCK_ITEMS))
    session.execute(text(_LOCK_WORDINGS))
    session.execute(text(_CLASSES))
    items = {row.item_id for row in newest.values()}
    lock_items(session, items)
    session.execute(text(_STATEMENTS))
    session.execute(text(_WORDS))
    given = {"run_id": run_id, "model_version": model_version, "older_than": older_than}
    queued = {str(reason): int(number) for reason, number in session.execute(text(_QUEUE), given)}
    new = session.execute(text(_NEW_PAIRS), {"run_id": run_id}).all()
    session.execute(text("DROP TABLE walked"))
    recount_items(session, items)
    counted = WalkCounts(new=len(new), **queued)
    return counted + WalkCounts(unchanged=len(newest) - counted.waiting)


def retire(session: Session, items: Iterable[WalkedItem]) -> int:
    """Retire the pairs of the items that a walk doesn't find there any more; how many they were.

    None of their verdicts is current from here on, and all are kept: what comes back with a later revision is judged
    again. What was seen at a later revision than the item's stays.
    """
    rows: list[dict[str, Any]] = [
        {"id": item.id, "revision": item.revision, "pairs": [f"{guid} {ref_hash}" for guid, ref_hash in item.pairs]}
        for item in items
    ]
    if not rows:
        return 0
    seen = [row["id"] for row in rows]
    lock_items(session, seen)
    retired = len(session.execute(text(_RETIRE), {"items": json.dumps(rows)}).all())
    if retired:
        recount_items(session, seen)
    return retired


def queue_other_bodies(session: Session, run_id: int, bodies: Mapping[str, str]) -> int:
    """Queue pairs whose page has another body now than their verdict rests on; how many they are.

    `bodies` maps addresses to digests, as a replay has them. A pair is queued for `run_id` where the first of its
    addresses that is in `bodies` has a digest that isn't its verdict's.
    """
    given = {"run_id": run_id, "bodies": json.dumps(dict(bodies))}
    return len(session.execute(text(_QUEUE_OTHER_BODIES), given).all())


# The rows of one call stand in a table of this transaction, so that each step is one statement over all of them.
_TAKE = """
CREATE TEMPORARY TABLE walked ON COMMIT DROP AS
SELECT given.*, true AS given, CAST(NULL AS text) AS why
FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS given(
  guid text, item_id text, property_id text, snak jsonb, qualifiers jsonb, rank text, revision bigint, classes text[],
  ref_hash text, ref_snaks jsonb, urls jsonb, domain text, ids text[])
"""

_STUBS = "INSERT INTO {table} (id) SELECT unnest(CAST(:ids AS text[])) ON CONFLICT (id) DO NOTHING"

_PROPERTIES = """
UPDATE property SET datatype = walked.datatype
FROM (SELECT DISTINCT ON (property_id) property_id, snak ->> 'datatype' AS datatype FROM walked) AS walked
WHERE property.id = walked.property_id AND property.datatype <> walked.datatype
"""

_REFERENCES = """
INSERT INTO reference (hash, snaks)
SELECT DISTINCT ON (ref_hash) ref_hash, ref_snaks FROM walked ORDER BY ref_hash
ON CONFLICT (hash) DO NOTHING
"""

_NEWER_CLASSES = """
  SELECT DISTINCT ON (walked.item_id) item.id, item.classes AS former, walked.classes, walked.revision
  FROM walked JOIN item ON item.id = walked.item_id
  WHERE walked.revision = 0 OR walked.revision >= item.revision
  ORDER BY walked.item_id, walked.revision DESC
"""

# In one order, so that two walks over the same items don't wait for each other.
_LOCK_ITEMS = "SELECT FROM item WHERE id IN (SELECT item_id FROM walked) ORDER BY id FOR NO KEY UPDATE"

# Against an editor who saves a wording meanwhile: whoever comes second sees what the first has done.
_LOCK_WORDINGS = f"""
WITH newer AS ({_NEWER_CLASSES})
SELECT FROM property WHERE id IN (
  SELECT statement.property_id FROM newer JOIN statement ON statement.item_id = newer.id
  WHERE newer.classes <> newer.former
)
ORDER BY id FOR SHARE
"""  # noqa: S608 - all parts are ours

# An item of other classes changes the pairs of those of its statements that another override puts into words now.
_CLASSES = f"""
WITH newer AS ({_NEWER_CLASSES}), put AS (
  UPDATE item SET classes = newer.classes, revision = newer.revision
  FROM newer WHERE item.id = newer.id AND (item.classes, item.revision) <> (newer.classes, newer.revision)
), reworded AS (
  SELECT statement.guid
  FROM newer JOIN statement ON statement.item_id = newer.id
    LEFT JOIN LATERAL ({IN_FORCE.format(property_id="statement.property_id", classes="newer.former")}) AS old ON true
    LEFT JOIN LATERAL ({IN_FORCE.format(property_id="statement.property_id", classes="newer.classes")}) AS new ON true
  WHERE newer.classes <> newer.former AND (old.wording, old.text) IS DISTINCT FROM (new.wording, new.text)
), others AS (
  INSERT INTO walked (guid, ref_hash, urls, domain, given, why)
  SELECT pair.guid, pair.ref_hash, pair.urls, pair.domain, false, 'reworded'
  FROM reworded JOIN pair USING (guid)
  WHERE NOT EXISTS (SELECT FROM walked WHERE (walked.guid, walked.ref_hash) = (pair.guid, pair.ref_hash))
)
UPDATE walked SET why = 'reworded' FROM reworded WHERE reworded.guid = walked.guid
"""  # noqa: S608 - all parts are ours

# A changed statement changes all its pairs, also those that aren't among the rows of this call.
_STATEMENTS = """
WITH newer AS (
  SELECT DISTINCT ON (walked.guid) walked.*, former.guid IS NOT NULL
    AND (former.snak, former.qualifiers) IS DISTINCT FROM (walked.snak, walked.qualifiers) AS differs
  FROM walked LEFT JOIN statement AS former USING (guid)
  WHERE walked.given AND (former.guid IS NULL OR walked.revision = 0 OR walked.revision >= former.revision)
  ORDER BY walked.guid, walked.revision DESC
), put AS (
  INSERT INTO statement (guid, item_id, property_id, snak, qualifiers, rank, revision)
  SELECT guid, item_id, property_id, snak, qualifiers, rank, revision FROM newer ORDER BY guid
  ON CONFLICT (guid) DO UPDATE SET
    snak = excluded.snak, qualifiers = excluded.qualifiers, rank = excluded.rank, revision = excluded.revision,
    seen_at = now()
), others AS (
  INSERT INTO walked (guid, ref_hash, urls, domain, given, why)
  SELECT pair.guid, pair.ref_hash, pair.urls, pair.domain, false, 'changed'
  FROM newer JOIN pair USING (guid)
  WHERE newer.differs AND NOT EXISTS (
    SELECT FROM walked WHERE (walked.guid, walked.ref_hash) = (pair.guid, pair.ref_hash))
)
UPDATE walked SET why = 'changed' FROM newer WHERE newer.guid = walked.guid AND newer.differs
"""

# The labels of the entities that a statement names: where they are others than before, its claim reads otherwise.
_WORDS = """
WITH named AS (
  SELECT DISTINCT ON (walked.guid) walked.guid, walked.ids, statement.words AS former
  FROM walked JOIN statement USING (guid)
  WHERE walked.given AND (walked.revision = 0 OR walked.revision >= statement.revision)
  ORDER BY walked.guid, walked.revision DESC
), said AS (
  SELECT named.guid, named.former,
    md5(string_agg(one.id || E'\\x1f' || coalesce(item.label, property.label, ''), E'\\x1e' ORDER BY one.id)) AS words
  FROM named CROSS JOIN LATERAL unnest(named.ids) AS one(id)
    LEFT JOIN item ON item.id = one.id LEFT JOIN property ON property.id = one.id
  GROUP BY named.guid, named.former
), put AS (
  UPDATE statement SET words = said.words FROM said
  WHERE statement.guid = said.guid AND said.words IS DISTINCT FROM said.former
), others AS (
  INSERT INTO walked (guid, ref_hash, urls, domain, given, why)
  SELECT pair.guid, pair.ref_hash, pair.urls, pair.domain, false, 'reworded'
  FROM said JOIN pair USING (guid)
  WHERE said.words <> said.former AND NOT EXISTS (
    SELECT FROM walked WHERE (walked.guid, walked.ref_hash) = (pair.guid, pair.ref_hash))
)
UPDATE walked SET why = 'reworded' FROM said
WHERE said.guid = walked.guid AND said.words <> said.former AND walked.why IS NULL
"""

_QUEUE = """
WITH met AS (
  SELECT pair.id, pair.state, walked.urls, walked.domain, walked.given, verdict.stance,
    CASE
      WHEN pair.state = 'retired' THEN CASE WHEN walked.given THEN 'returned' END
      WHEN walked.why = 'changed' OR pair.urls <> walked.urls THEN 'changed'
      WHEN walked.why = 'reworded' THEN 'reworded'
      WHEN pair.state IN ('judged', 'not_judged') AND verdict.model_version IS DISTINCT FROM :model_version
        THEN 'another_model'
      WHEN pair.state = 'not_judged' AND pair.next_at <= now() THEN 'retried'
      WHEN pair.state = 'judged' AND verdict.judged_at < now() - CAST(:older_than AS interval) THEN 'old'
    END AS reason
  FROM walked JOIN pair USING (guid, ref_hash) LEFT JOIN verdict ON verdict.pair_id = pair.id AND verdict.current
  ORDER BY pair.id
  FOR UPDATE OF pair
), queued AS (
  UPDATE pair SET
    state = 'waiting', leased_by = NULL, leased_until = NULL, next_at = date_trunc('hour', now()), run_id = :run_id,
    urls = met.urls, domain = met.domain,
    why = CASE
      WHEN met.reason = 'changed' OR met.state = 'waiting' AND why = 'changed' THEN 'changed'
      WHEN met.reason = 'reworded' THEN 'reworded'
      WHEN met.reason = 'returned' THEN 'new'
      WHEN met.stance = 'refutes' THEN 'refuted'
      ELSE 'old' END,
    tries = CASE WHEN met.reason IN ('changed', 'reworded', 'returned') THEN 0 ELSE tries END
  FROM met WHERE pair.id = met.id AND met.reason IS NOT NULL
), joined AS (
  UPDATE pair SET run_id = :run_id
  FROM met WHERE pair.id = met.id AND met.reason IS NULL AND met.state IN ('waiting', 'leased', 'failed')
), stale AS (
  UPDATE verdict SET stale = true FROM met
  WHERE verdict.pair_id = met.id AND verdict.current AND met.reason IN ('changed', 'reworded')
)
SELECT reason, count(*) FROM met WHERE given AND reason IS NOT NULL GROUP BY reason
"""

# Within an hour all are equally due, so that the pairs of one page that a walk meets can be leased together.
_NEW_PAIRS = """
INSERT INTO pair (guid, ref_hash, run_id, urls, domain, next_at)
SELECT guid, ref_hash, :run_id, urls, domain, date_trunc('hour', now()) FROM walked ORDER BY guid, ref_hash
ON CONFLICT (guid, ref_hash) DO NOTHING
RETURNING id
"""

_RETIRE = """
WITH seen AS (
  SELECT * FROM jsonb_to_recordset(CAST(:items AS jsonb)) AS seen(id text, revision bigint, pairs text[])
), retired AS (
  UPDATE pair SET state = 'retired', leased_by = NULL, leased_until = NULL, next_at = coalesce(pair.next_at, now())
  FROM seen JOIN statement ON statement.item_id = seen.id
  WHERE statement.guid = pair.guid AND pair.state <> 'retired'
    AND (seen.revision = 0 OR seen.revision >= statement.revision)
    AND pair.guid || ' ' || pair.ref_hash <> ALL (seen.pairs)
  RETURNING pair.id
), stood AS (
  UPDATE verdict SET current = false FROM retired WHERE verdict.pair_id = retired.id AND verdict.current
)
SELECT id FROM retired
"""

_QUEUE_OTHER_BODIES = """
WITH given AS (
  SELECT key AS url, value AS digest FROM jsonb_each_text(CAST(:bodies AS jsonb))
), body AS (
  SELECT pair.id, verdict.document_digest, (
    SELECT given.digest
    FROM jsonb_array_elements(pair.urls) WITH ORDINALITY AS address(value, place)
    JOIN given ON given.url = address.value ->> 'url'
    ORDER BY address.place LIMIT 1
  ) AS digest
  FROM pair JOIN verdict ON verdict.pair_id = pair.id AND verdict.current
  WHERE pair.state IN ('judged', 'not_judged')
)
UPDATE pair SET state = 'waiting', next_at = now(), run_id = :run_id, why = 'old'
FROM body WHERE pair.id = body.id AND body.digest IS NOT NULL AND body.digest IS DISTINCT FROM body.document_digest
RETURNING pair.id
"""


def _put_stubs(session: Session, rows: Iterable[SelectedPair]) -> None:
    """Entities that statements need and that no term came for yet: rows with a null label."""
    ids = {
        identifier
        for row in rows
        for identifier in (*statement_ids(row.item_id, row.property_id, row.snak, row.qualifiers), *row.classes)
    }
    for table, some in (
        ("property", sorted(identifier for identifier in ids if identifier.startswith("P"))),
        ("item", sorted(identifier for identifier in ids if not identifier.startswith("P"))),
    ):
        put = text(_STUBS.format(table=table))
        session.execute(put, {"ids": some})


def _term_values(term: Term) -> dict[str, Any]:
    return {
        "id": term.id,
        "label": term.label,
        "label_language": term.language if term.label is not None else None,
        "aliases": list(term.aliases),
        "foreign": {language: list(names) for language, names in term.foreign},
        "description": term.description,
    }


def _pair_values(row: SelectedPair) -> dict[str, Any]:
    return {
        "guid": row.guid,
        "item_id": row.item_id,
        "property_id": row.property_id,
        "snak": row.snak,
        "qualifiers": row.qualifiers,
        "rank": row.rank,
        "revision": row.revision,
        "classes": list(row.classes),
        "ref_hash": row.ref_hash,
        "ref_snaks": row.ref_snaks,
        "urls": [{"url": source.url, "via": source.via} for source in row.urls],
        "domain": domain_of(row.urls[0].url) if row.urls else "",
        "ids": sorted(statement_ids(row.item_id, row.property_id, row.snak, row.qualifiers)),
    }
