"""The values that the list of references can be narrowed to, with how many current verdicts have each.

Counting them takes a pass over all verdicts, so they are as they were counted last (`store.reports.refresh`).
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from models.evidence import Stance
from models.outcome import Outcome
from store import schema
from store.filters import CANT_TELL

_STANCES = (*(stance.value for stance in Stance), CANT_TELL)
_MOST = 50


@dataclass(frozen=True, slots=True)
class Facet:
    """A value, how it reads, and how many pairs had it when they were counted last."""

    value: str
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class Facets:
    """The values to choose from, the most frequent first; `stances` are the sure ones, and `CANT_TELL`."""

    properties: tuple[Facet, ...]
    classes: tuple[Facet, ...]
    domains: tuple[Facet, ...]
    stances: tuple[Facet, ...]
    outcomes: tuple[Facet, ...]


def facets(session: Session) -> Facets:
    """What the list can be narrowed to: all properties, the 50 most frequent classes and domains, stances, outcomes."""
    found = session.execute(text(_FINDINGS)).all()
    given = {"most": _MOST}
    return Facets(
        properties=tuple(Facet(*row) for row in session.execute(text(_PROPERTIES))),
        classes=tuple(Facet(*row) for row in session.execute(text(_CLASSES), given)),
        domains=tuple(Facet(*row) for row in session.execute(text(_DOMAINS), given)),
        stances=tuple(Facet(name, name.replace("_", " "), pairs) for name, pairs in found if name in _STANCES),
        outcomes=tuple(Facet(name, Outcome(name).label, pairs) for name, pairs in found if name not in _STANCES),
    )


def languages(session: Session) -> tuple[str, ...]:
    """The languages of the pages that current verdicts rest on, by their codes in the alphabet's order."""
    return tuple(session.scalars(text(_LANGUAGES)))


def worklists(session: Session) -> tuple[tuple[int, str], ...]:
    """The newest worklists that weren't removed, by number and name."""
    row = schema.Worklist
    query = select(row.id, row.name).where(row.removed_at.is_(None)).order_by(row.id.desc()).limit(_MOST)
    return tuple((number, name) for number, name in session.execute(query))


_PROPERTIES = """
SELECT standing.property_id, coalesce(property.label, standing.property_id), CAST(sum(pairs) AS bigint)
FROM standing LEFT JOIN property ON property.id = standing.property_id
WHERE finding <> 'unchecked'
GROUP BY standing.property_id, property.label ORDER BY sum(pairs) DESC, standing.property_id
"""
_CLASSES = """
SELECT kind.class, coalesce(item.label, kind.class), pairs FROM kind LEFT JOIN item ON item.id = kind.class
ORDER BY pairs DESC, kind.class LIMIT :most
"""
_DOMAINS = """
SELECT domain, domain, CAST(sum(pairs) AS bigint) FROM standing
WHERE finding <> 'unchecked' AND domain <> ''
GROUP BY domain ORDER BY sum(pairs) DESC, domain LIMIT :most
"""
_FINDINGS = """
SELECT finding, CAST(sum(pairs) AS bigint) FROM standing
WHERE finding <> 'unchecked' GROUP BY finding ORDER BY sum(pairs) DESC, finding
"""
# One look into the index for each language, however many verdicts have it.
_LANGUAGES = """
WITH RECURSIVE found AS (
  (SELECT language FROM verdict WHERE current AND language IS NOT NULL ORDER BY language LIMIT 1)
  UNION ALL
  SELECT (
    SELECT language FROM verdict WHERE current AND language > found.language ORDER BY language LIMIT 1
  ) FROM found WHERE found.language IS NOT NULL
)
SELECT language FROM found WHERE language IS NOT NULL
"""
