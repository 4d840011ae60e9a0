"""How editors word a property, for all subjects or for those of a class: what is in force, its history, and what a
change queues for judging again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, cast

from sqlalchemy import select, update
from sqlalchemy import text as sql
from sqlalchemy.orm import Session

from models.verbalise import Complaint, Override, check_pattern, named_qualifiers
from models.verbalise.labels import one_line
from store import schema

MOST_WHY = 500
COUNTED = 20_000  # statements that are looked at to say how often something occurs


class OverrideRefused(Exception):
    """A wording that can't be saved or restored. `complaint` is one line for the person."""

    def __init__(self, complaint: Complaint) -> None:
        super().__init__(complaint)
        self.complaint = complaint


@dataclass(frozen=True, slots=True)
class OverrideVersion:
    """One saved version, for the subjects of a class or (None) for all.

    `override` is None for a removal; `restored_from` is the version that was brought back; `why` may be empty.
    """

    id: int
    property_id: str
    subject_class: str | None
    override: Override | None
    author: str
    saved_at: datetime
    restored_from: int | None
    current: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class Saved:
    """The version now in force, and how many pairs wait to be judged again because of it; people's decisions about
    `decided` of these end, for they were about the claim in its former words.
    """

    version: OverrideVersion
    queued: int
    decided: int = 0


@dataclass(frozen=True, slots=True)
class SubjectClass:
    """A class that subjects of a property's statements are instances of, and how many statements they have.

    `about`: there are more statements than `COUNTED`, and these are the numbers among so many of them.
    """

    id: str
    label: str | None
    statements: int
    about: bool = False


@dataclass(frozen=True, slots=True)
class UsedQualifier:
    """A qualifier that statements of a property have, and how many do; `about` as for a class."""

    id: str
    label: str | None
    statements: int
    about: bool = False


def current_override(session: Session, property_id: str, subject_class: str | None = None) -> Override | None:
    """The wording saved for the subjects of a class, or (None) for all; None where there is none."""
    row = _current(session, property_id, subject_class)
    return _override(row) if row is not None else None


def current_overrides(session: Session, property_ids: Collection[str]) -> Mapping[str, Mapping[str | None, Override]]:
    """The wordings of each of the properties by class (None: for all subjects), for `models.verbalise.in_force`."""
    rows = session.scalars(
        select(schema.Override)
        .where(schema.Override.property_id.in_(property_ids), schema.Override.current)
        .execution_options(populate_existing=True)
    )
    found: dict[str, dict[str | None, Override]] = {property_id: {} for property_id in property_ids}
    for row in rows:
        if (override := _override(row)) is not None:
            found[row.property_id][row.subject_class] = override
    return found


def subject_classes(session: Session, property_id: str, most: int, only: str | None = None) -> tuple[SubjectClass, ...]:
    """The `most` frequent classes of the subjects of a property's statements, or `only` that one if it occurs."""
    given = {"property_id": property_id, "most": most, "only": only, "counted": COUNTED}
    rows = session.execute(sql(_SUBJECT_CLASSES if only is None else _ONLY_CLASS), given)
    return tuple(SubjectClass(*row) for row in rows)


def used_qualifiers(session: Session, property_id: str, most: int) -> tuple[UsedQualifier, ...]:
    """The `most` frequent qualifiers of a property's statements."""
    given = {"property_id": property_id, "most": most, "counted": COUNTED}
    return tuple(UsedQualifier(*row) for row in session.execute(sql(_USED_QUALIFIERS), given))


def check_override(
    session: Session, property_id: str, wording: str, text: str, subject_class: str | None = None
) -> Complaint | None:
    """What is wrong with a wording for a property, in one line for the person; None where it can be saved."""
    if wording not in schema.WORDINGS:
        return Complaint("a wording is a label or a pattern, not %(wording)s", wording=repr(wording[:40]))
    if not text.strip():
        return Complaint("an empty wording says nothing: write one, or remove the override")
    if wording == "pattern":
        complaint = check_pattern(text) or _check_qualifiers(session, property_id, named_qualifiers(text))
        if complaint is not None:
            return complaint
    if subject_class is not None and not subject_classes(session, property_id, 1, only=subject_class):
        return Complaint(
            "no subject of %(property)s here is an instance of %(item)s", property=property_id, item=subject_class
        )
    return None


def _check_qualifiers(session: Session, property_id: str, names: Collection[str]) -> Complaint | None:
    for name in names:
        if not session.scalar(sql(_HAS_QUALIFIER), {"property_id": property_id, "name": name}):
            return Complaint(
                "No statement of %(property)s here has the qualifier {%(name)s}.", property=property_id, name=name
            )
    return None


def save_override(
    session: Session,
    property_id: str,
    wording: str,
    text: str,
    author: str,
    subject_class: str | None = None,
    why: str = "",
) -> Saved:
    """Put a wording (`label` or `pattern`) in force, for the subjects of a class or (None) for all.

    The pairs that read otherwise by it wait to be judged again. Saving what is in force already changes nothing.
    `why` is kept on one line, without invisible characters. Raises `OverrideRefused` for an unknown property or
    wording, a class that no subject of the property has, no text, no author, a `why` of more than `MOST_WHY`
    characters, a pattern that `check_pattern` complains about, or one that names a qualifier which no statement has.
    """
    text = text.strip()
    complaint = check_override(session, property_id, wording, text, subject_class)
    if complaint is not None:
        raise OverrideRefused(complaint)
    return _put(session, property_id, subject_class, wording, text, author, why=why)


def restore(session: Session, property_id: str, version_id: int, author: str, why: str = "") -> Saved:
    """Bring an earlier version back for the subjects it was for, as a new one that says where it is from.

    Raises `OverrideRefused`.
    """
    row = session.get(schema.Override, version_id)
    if row is None or row.property_id != property_id:
        raise OverrideRefused(
            Complaint("%(property)s has no version %(version)s to restore", property=property_id, version=version_id)
        )
    return _put(
        session, property_id, row.subject_class, row.wording, row.text, author, restored_from=version_id, why=why
    )


def remove(session: Session, property_id: str, author: str, subject_class: str | None = None, why: str = "") -> Saved:
    """Do without the wording for a class or (None) for all, from here on; the history keeps what was.

    Raises `OverrideRefused`.
    """
    if current_override(session, property_id, subject_class) is None:
        raise OverrideRefused(_nothing_to_remove(property_id, subject_class))
    return _put(session, property_id, subject_class, None, None, author, why=why)


def _nothing_to_remove(property_id: str, subject_class: str | None) -> Complaint:
    if subject_class is None:
        return Complaint("%(property)s has no override to remove", property=property_id)
    return Complaint(
        "%(property)s has no override for the instances of %(item)s to remove", property=property_id, item=subject_class
    )


def history(session: Session, property_id: str) -> tuple[OverrideVersion, ...]:
    """All versions of a property's wordings, newest first."""
    rows = session.scalars(
        select(schema.Override).where(schema.Override.property_id == property_id).order_by(schema.Override.id.desc())
    )
    return tuple(_version(row) for row in rows)


def _override(row: schema.Override) -> Override | None:
    """The wording that a version holds; None for a removal."""
    if row.wording is None or row.text is None:
        return None
    return Override(cast(Literal["label", "pattern"], row.wording), row.text)


def _put(
    session: Session,
    property_id: str,
    subject_class: str | None,
    wording: str | None,
    text: str | None,
    author: str,
    restored_from: int | None = None,
    why: str = "",
) -> Saved:
    why = one_line(why)
    if not author.strip():
        raise OverrideRefused(Complaint("say who you are: an override keeps its author"))
    if len(why) > MOST_WHY:
        raise OverrideRefused(Complaint("say why in one line of at most %(most)s characters", most=MOST_WHY))
    # The property's row is locked, so that two editors' versions come one after the other.
    if session.get(schema.Property, property_id, with_for_update=True) is None:
        raise OverrideRefused(
            Complaint("%(property)s isn't a property that any statement here uses", property=property_id)
        )
    former = _current(session, property_id, subject_class)
    if former is not None and (former.wording, former.text) == (wording, text):
        return Saved(_version(former), 0)
    session.execute(sql(_FORMERLY), {"property_id": property_id, "subject_class": subject_class})
    if former is not None:
        session.execute(update(schema.Override).where(schema.Override.id == former.id).values(current=False))
    row = schema.Override(
        property_id=property_id,
        subject_class=subject_class,
        wording=wording,
        text=text,
        author=author.strip(),
        restored_from=restored_from,
        why=why,
    )
    session.add(row)
    session.flush()
    session.refresh(row)
    # In the order of `store.benefit`: nobody waits for each other in a ring.
    for lock in _LOCKS:
        session.execute(sql(lock))
    queued, decided = session.execute(sql(_QUEUE)).one()
    session.execute(sql("DROP TABLE formerly"))
    return Saved(_version(row), int(queued), int(decided))


def decided_pairs(session: Session, property_id: str, subject_class: str | None) -> int:
    """How many pairs of a property (of those subjects, where a class is named) people's decisions are about that
    another wording would end.
    """
    given = {"property_id": property_id, "subject_class": subject_class}
    return int(session.scalars(sql(_DECIDED), given).one())


_DECIDED = """
SELECT count(DISTINCT pair.id) FROM review JOIN verdict AS decided ON decided.id = review.verdict_id
  JOIN pair ON pair.id = decided.pair_id JOIN statement USING (guid) JOIN item ON item.id = statement.item_id
  JOIN verdict AS now ON now.pair_id = pair.id AND now.current
WHERE statement.property_id = :property_id AND review.undone_at IS NULL AND decided.claim_digest = now.claim_digest
  AND (CAST(:subject_class AS text) IS NULL OR item.classes @> ARRAY[CAST(:subject_class AS text)])
"""

IN_FORCE = """
SELECT override.wording, override.text FROM override
WHERE override.property_id = {property_id} AND override.current AND override.text IS NOT NULL
  AND (override.subject_class IS NULL OR override.subject_class = ANY ({classes}))
ORDER BY array_position({classes}, override.subject_class)
LIMIT 1
"""
"""`models.verbalise.in_force` over many statements at once. The override for all subjects has no place among the
classes, and so comes last."""

_OWN = IN_FORCE.format(property_id="statement.property_id", classes="item.classes")

# The statements that a change for this class can touch, each with its wording before the change.
_FORMERLY = f"""
CREATE TEMPORARY TABLE formerly ON COMMIT DROP AS
SELECT statement.guid, own.wording, own.text
FROM statement JOIN item ON item.id = statement.item_id LEFT JOIN LATERAL ({_OWN}) AS own ON true
WHERE statement.property_id = :property_id
  AND (CAST(:subject_class AS text) IS NULL OR item.classes @> ARRAY[CAST(:subject_class AS text)])
"""  # noqa: S608 - all parts are ours

_LOCKS = (
    "SELECT FROM statement WHERE guid IN (SELECT guid FROM formerly) ORDER BY guid FOR NO KEY UPDATE",
    "SELECT FROM pair WHERE guid IN (SELECT guid FROM formerly) ORDER BY id FOR NO KEY UPDATE",
)

# Leased and failed pairs too: what a worker makes of the former wording is refused when it comes to save it.
_QUEUE = f"""
WITH changed AS (
  SELECT statement.guid
  FROM formerly JOIN statement USING (guid) JOIN item ON item.id = statement.item_id
    LEFT JOIN LATERAL ({_OWN}) AS own ON true
  WHERE (own.wording, own.text) IS DISTINCT FROM (formerly.wording, formerly.text)
), queued AS (
  UPDATE pair SET state = 'waiting', leased_by = NULL, leased_until = NULL, tries = 0, next_at = now(),
    why = CASE WHEN pair.state IN ('waiting', 'leased', 'failed') AND pair.why = 'changed' THEN 'changed'
      ELSE 'reworded' END
  FROM changed WHERE changed.guid = pair.guid AND pair.state <> 'retired'
  RETURNING pair.id
), stale AS (
  UPDATE verdict SET stale = true FROM queued WHERE verdict.pair_id = queued.id AND verdict.current
)
SELECT count(*), count(*) FILTER (WHERE EXISTS (
  SELECT FROM review JOIN verdict AS decided ON decided.id = review.verdict_id
    JOIN verdict AS now ON now.pair_id = decided.pair_id AND now.current
  WHERE decided.pair_id = queued.id AND review.undone_at IS NULL AND decided.claim_digest = now.claim_digest
)) FROM queued
"""  # noqa: S608 - all parts are ours

# Where there are more statements than are counted, the numbers are those among as many, and say so.
_OF_PROPERTY = """
of_property AS (SELECT item_id, qualifiers FROM statement WHERE property_id = :property_id LIMIT :counted),
whole AS (SELECT count(*) AS counted, count(*) >= :counted AS part FROM of_property)
"""

_SUBJECT_CLASSES = f"""
WITH {_OF_PROPERTY}, found AS (
  SELECT class.id, count(*) AS number
  FROM of_property JOIN item ON item.id = item_id CROSS JOIN LATERAL unnest(item.classes) AS class(id)
  GROUP BY class.id ORDER BY count(*) DESC, class.id LIMIT :most
)
SELECT found.id, named.label, found.number, whole.part
FROM found CROSS JOIN whole LEFT JOIN item AS named ON named.id = found.id
ORDER BY found.number DESC, found.id
"""  # noqa: S608 - all parts are ours

_ONLY_CLASS = """
SELECT class.id, (SELECT label FROM item WHERE item.id = class.id), found.number, found.number >= :counted
FROM (SELECT CAST(:only AS text) AS id) AS class, LATERAL (
  SELECT count(*) AS number FROM (
    SELECT FROM statement JOIN item ON item.id = statement.item_id
    WHERE statement.property_id = :property_id AND item.classes @> ARRAY[class.id] LIMIT :counted
  ) AS met
) AS found
WHERE found.number > 0 AND :most > 0
"""

_USED_QUALIFIERS = f"""
WITH {_OF_PROPERTY}, found AS (
  SELECT used.id, count(*) AS number FROM of_property CROSS JOIN LATERAL jsonb_object_keys(qualifiers) AS used(id)
  GROUP BY used.id ORDER BY count(*) DESC, used.id LIMIT :most
)
SELECT found.id, named.label, found.number, whole.part
FROM found CROSS JOIN whole LEFT JOIN property AS named ON named.id = found.id
ORDER BY found.number DESC, found.id
"""  # noqa: S608 - all parts are ours

_HAS_QUALIFIER = """
SELECT EXISTS (SELECT FROM statement WHERE property_id = :property_id AND qualifiers ? :name)
"""


def _current(session: Session, property_id: str, subject_class: str | None) -> schema.Override | None:
    return session.scalars(
        select(schema.Override)
        .where(
            schema.Override.property_id == property_id,
            schema.Override.subject_class.is_not_distinct_from(subject_class),
            schema.Override.current,
        )
        .execution_options(populate_existing=True)
    ).first()


def _version(row: schema.Override) -> OverrideVersion:
    return OverrideVersion(
        row.id,
        row.property_id,
        row.subject_class,
        _override(row),
        row.author,
        row.saved_at,
        row.restored_from,
        row.current,
        row.why,
    )
