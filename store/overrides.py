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
from sqlalchemy.orm import Session, contains_eager

from models.statement import MalformedValue, Statement
from models.verbalise import Override, check_pattern
from store import schema
from store.terms import build_statement, load_terms, statement_ids


class OverrideRefused(Exception):
    """A wording that can't be saved or restored. The message is one line for the person."""


@dataclass(frozen=True, slots=True)
class OverrideVersion:
    """One saved version, for the subjects of a class or (None) for all.

    `override` is None for a removal; `restored_from` is the version that was brought back.
    """

    id: int
    property_id: str
    subject_class: str | None
    override: Override | None
    author: str
    saved_at: datetime
    restored_from: int | None
    current: bool


@dataclass(frozen=True, slots=True)
class Saved:
    """The version now in force, and how many pairs wait to be judged again because of it."""

    version: OverrideVersion
    queued: int


@dataclass(frozen=True, slots=True)
class SubjectClass:
    """A class that subjects of a property's statements are instances of, and how many statements they have."""

    id: str
    label: str | None
    statements: int


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
    given = {"property_id": property_id, "most": most, "only": only}
    rows = session.execute(sql(_SUBJECT_CLASSES), given)
    return tuple(SubjectClass(*row) for row in rows)


def save_override(
    session: Session, property_id: str, wording: str, text: str, author: str, subject_class: str | None = None
) -> Saved:
    """Put a wording (`label` or `pattern`) in force, for the subjects of a class or (None) for all.

    The pairs that read otherwise by it wait to be judged again. Saving what is in force already changes nothing.
    Raises `OverrideRefused` for an unknown property or wording, a class that no subject of the property has, no text,
    no author, or a pattern that `check_pattern` complains about.
    """
    text = text.strip()
    if wording not in schema.WORDINGS:
        raise OverrideRefused(f"a wording is a label or a pattern, not {wording!r}")
    if not text:
        raise OverrideRefused("an empty wording says nothing: write one, or remove the override")
    complaint = check_pattern(text) if wording == "pattern" else None
    if complaint is not None:
        raise OverrideRefused(complaint)
    if subject_class is not None and not subject_classes(session, property_id, 1, only=subject_class):
        raise OverrideRefused(f"no subject of {property_id} here is an instance of {subject_class}")
    return _put(session, property_id, subject_class, wording, text, author)


def restore(session: Session, property_id: str, version_id: int, author: str) -> Saved:
    """Bring an earlier version back for the subjects it was for, as a new one that says where it is from.

    Raises `OverrideRefused`.
    """
    row = session.get(schema.Override, version_id)
    if row is None or row.property_id != property_id:
        raise OverrideRefused(f"{property_id} has no version {version_id} to restore")
    return _put(session, property_id, row.subject_class, row.wording, row.text, author, restored_from=version_id)


def remove(session: Session, property_id: str, author: str, subject_class: str | None = None) -> Saved:
    """Do without the wording for a class or (None) for all, from here on; the history keeps what was.

    Raises `OverrideRefused`.
    """
    if current_override(session, property_id, subject_class) is None:
        of_class = f" for the instances of {subject_class}" if subject_class else ""
        raise OverrideRefused(f"{property_id} has no override{of_class} to remove")
    return _put(session, property_id, subject_class, None, None, author)


def history(session: Session, property_id: str) -> tuple[OverrideVersion, ...]:
    """All versions of a property's wordings, newest first."""
    rows = session.scalars(
        select(schema.Override).where(schema.Override.property_id == property_id).order_by(schema.Override.id.desc())
    )
    return tuple(_version(row) for row in rows)


def sample_statements(session: Session, property_id: str, n: int, subject_class: str | None = None) -> list[Statement]:
    """Up to `n` statements of a property to show how a wording reads, those that are put into words most often.

    With `subject_class`, statements about its instances only.
    """
    of_class = [schema.Item.classes.contains([subject_class])] if subject_class else []
    rows = session.scalars(
        select(schema.Statement)
        .join(schema.Statement.item)
        .options(contains_eager(schema.Statement.item))
        .where(schema.Statement.property_id == property_id, *of_class)
        # Those with a label and with qualifiers first: they show the most of a wording.
        .order_by(schema.Item.label.is_(None), schema.Statement.qualifiers == {}, schema.Statement.guid)
        .limit(n)
    ).all()
    needed = [statement_ids(row.item_id, row.property_id, row.snak, row.qualifiers) for row in rows]
    term = load_terms(session, frozenset().union(*needed))
    statements = []
    for row in rows:
        try:
            statements.append(build_statement(row, term))
        except MalformedValue:
            continue  # it can't be put into words by any wording; its pair says so
    return statements


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
) -> Saved:
    if not author.strip():
        raise OverrideRefused("say who you are: an override keeps its author")
    # The property's row is locked, so that two editors' versions come one after the other.
    if session.get(schema.Property, property_id, with_for_update=True) is None:
        raise OverrideRefused(f"{property_id} isn't a property that any statement here uses")
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
    )
    session.add(row)
    session.flush()
    session.refresh(row)
    queued = session.execute(sql(_QUEUE)).scalar_one()
    session.execute(sql("DROP TABLE formerly"))
    return Saved(_version(row), int(queued))


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
SELECT count(*) FROM queued
"""  # noqa: S608 - all parts are ours

_SUBJECT_CLASSES = """
SELECT class.id, named.label, count(*)
FROM statement JOIN item ON item.id = statement.item_id CROSS JOIN LATERAL unnest(item.classes) AS class(id)
  LEFT JOIN item AS named ON named.id = class.id
WHERE statement.property_id = :property_id AND class.id = coalesce(:only, class.id)
GROUP BY class.id, named.label
ORDER BY count(*) DESC, class.id
LIMIT :most
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
    )
