"""How editors word a property: the version in force, its history, and what a change queues for judging again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, cast

from sqlalchemy import select, update
from sqlalchemy import text as sql
from sqlalchemy.orm import Session

from models.statement import MalformedValue, Statement
from models.verbalise import Override, check_pattern
from store import schema
from store.terms import build_statement, load_terms, statement_ids

OVERRIDE_PRIORITY = 20


class OverrideRefused(Exception):
    """A wording that can't be saved or restored. The message is one line for the person."""


@dataclass(frozen=True, slots=True)
class OverrideVersion:
    """One saved version. `override` is None for a removal; `restored_from` is the version that was brought back."""

    id: int
    property_id: str
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


def current_override(session: Session, property_id: str) -> Override | None:
    """The wording in force for a property; None where its own label is used."""
    row = _current(session, property_id)
    return override_of(row) if row is not None else None


def save_override(session: Session, property_id: str, wording: str, text: str, author: str) -> Saved:
    """Put a wording (`label` or `pattern`) in force and queue the property's pairs to be judged again.

    Saving what is in force already changes nothing. Raises `OverrideRefused` for an unknown property or wording, no
    text, no author, or a pattern that `check_pattern` complains about.
    """
    text = text.strip()
    if wording not in schema.WORDINGS:
        raise OverrideRefused(f"a wording is a label or a pattern, not {wording!r}")
    if not text:
        raise OverrideRefused("an empty wording says nothing: write one, or remove the override")
    complaint = check_pattern(text) if wording == "pattern" else None
    if complaint is not None:
        raise OverrideRefused(complaint)
    return _put(session, property_id, wording, text, author)


def restore(session: Session, property_id: str, version_id: int, author: str) -> Saved:
    """Bring an earlier version back, as a new one that says where it is from. Raises `OverrideRefused`."""
    row = session.get(schema.Override, version_id)
    if row is None or row.property_id != property_id:
        raise OverrideRefused(f"{property_id} has no version {version_id} to restore")
    return _put(session, property_id, row.wording, row.text, author, restored_from=version_id)


def remove(session: Session, property_id: str, author: str) -> Saved:
    """Return to the property's own label, from here on; the history keeps what was. Raises `OverrideRefused`."""
    if current_override(session, property_id) is None:
        raise OverrideRefused(f"{property_id} has no override to remove")
    return _put(session, property_id, None, None, author)


def history(session: Session, property_id: str) -> tuple[OverrideVersion, ...]:
    """All versions of a property's wording, newest first."""
    rows = session.scalars(
        select(schema.Override).where(schema.Override.property_id == property_id).order_by(schema.Override.id.desc())
    )
    return tuple(_version(row) for row in rows)


def sample_statements(session: Session, property_id: str, n: int) -> list[Statement]:
    """Up to `n` statements of a property to show how a wording reads, those that are put into words most often."""
    rows = session.scalars(
        select(schema.Statement)
        .join(schema.Item, schema.Item.id == schema.Statement.item_id)
        .where(schema.Statement.property_id == property_id)
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


def override_of(row: schema.Override) -> Override | None:
    """The wording that a version holds; None for a removal."""
    if row.wording is None or row.text is None:
        return None
    return Override(cast(Literal["label", "pattern"], row.wording), row.text)


def _put(
    session: Session,
    property_id: str,
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
    former = _current(session, property_id)
    if former is not None and (former.wording, former.text) == (wording, text):
        return Saved(_version(former), 0)
    session.execute(
        update(schema.Override)
        .where(schema.Override.property_id == property_id, schema.Override.current)
        .values(current=False)
    )
    row = schema.Override(
        property_id=property_id, wording=wording, text=text, author=author.strip(), restored_from=restored_from
    )
    session.add(row)
    session.flush()
    session.refresh(row)
    return Saved(_version(row), _queue(session, property_id))


# Leased and failed pairs too: what a worker makes of the former wording is refused when it comes to save it.
_QUEUE = """
WITH queued AS (
  UPDATE pair SET state = 'waiting', leased_by = NULL, leased_until = NULL, tries = 0, next_at = now(),
    priority = greatest(priority, :priority)
  FROM statement WHERE statement.guid = pair.guid AND statement.property_id = :property_id
  RETURNING pair.id
), stale AS (
  UPDATE verdict SET stale = true FROM queued WHERE verdict.pair_id = queued.id AND verdict.current
)
SELECT count(*) FROM queued
"""


def _queue(session: Session, property_id: str) -> int:
    queued = session.execute(sql(_QUEUE), {"property_id": property_id, "priority": OVERRIDE_PRIORITY})
    return int(queued.scalar_one())


def _current(session: Session, property_id: str) -> schema.Override | None:
    return session.scalars(
        select(schema.Override)
        .where(schema.Override.property_id == property_id, schema.Override.current)
        .execution_options(populate_existing=True)
    ).first()


def _version(row: schema.Override) -> OverrideVersion:
    return OverrideVersion(
        row.id, row.property_id, override_of(row), row.author, row.saved_at, row.restored_from, row.current
    )
