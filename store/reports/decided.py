"""What people's decisions say of the judge: how often they agreed with it, how far its figures hold, and how many of
those that the list has first were worth their time.

Of each pair the latest decision counts that wasn't undone, about the verdict that it was made about, as they were
counted last (`store.reports.refresh`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from sqlalchemy import text
from sqlalchemy.orm import Session

from models.interval import wilson
from store.measured import Reliability

FIRST = 20
SUPPORTED = ("supports",)
UNSUPPORTED = ("does_not", "wrong_statement")
WORTH = ("does_not", "gone", "wrong_statement")
"""Decisions after which an editor has something to mend."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """Of the verdicts of one stance (or `cant_tell`) that people decided about: the page did support so many
    statements and didn't support so many; of the others they couldn't tell it, or the page was gone.
    """

    stance: str
    supported: int
    unsupported: int
    open: int

    @property
    def told(self) -> int:
        """Those of which people said whether the page supports them."""
        return self.supported + self.unsupported

    @property
    def agreed(self) -> int | None:
        """Those of which people said the same; None where the judge itself couldn't tell."""
        if self.stance == "cant_tell":
            return None
        return self.supported if self.stance == "supports" else self.unsupported

    @property
    def interval(self) -> tuple[float, float] | None:
        """What the share of the agreed may be in truth, in 95 of 100 cases."""
        return None if self.agreed is None else wilson(self.agreed, self.told)


@dataclass(frozen=True, slots=True)
class First:
    """Of the decided verdicts that the list had first (`decided`, `FIRST` at most), so many were `worth` the look: the
    page didn't support the statement, was gone, or the statement was wrong. `month` None: of all months together.
    """

    month: date | None
    decided: int
    worth: int

    @property
    def share(self) -> float:
        """The precision among the first."""
        return self.worth / self.decided


def agreed(session: Session, kind: Literal["property", "domain", "all"], name: str = "") -> list[Agreed]:
    """How people agreed with the verdicts of a property, of a domain or of all, by stance; stances without a decision
    are left out.
    """
    given = {"name": name, "supported": list(SUPPORTED), "unsupported": list(UNSUPPORTED)}
    rows = session.execute(text(_AGREED.format(where=_WHERE[kind])), given)
    return [Agreed(*row) for row in rows]


def reliability(session: Session) -> Sequence[Reliability]:
    """Of the verdicts with y in each tenth, the share of which people said that the page supports the statement."""
    given = {"supported": list(SUPPORTED), "told": [*SUPPORTED, *UNSUPPORTED]}
    rows = session.execute(text(_RELIABILITY), given)
    return [Reliability(low, high, pairs, said, found) for low, high, pairs, said, found in rows]


def first_of_all(session: Session) -> First | None:
    """Of the first in the list's order that people decided about, how many were worth the look; None without any."""
    return next(iter(_first(session, "CAST(NULL AS date)")), None)


def first_by_month(session: Session, most: int = 12) -> list[First]:
    """The same among the decisions of each month (UTC), the oldest first."""
    return _first(session, "CAST(date_trunc('month', decided_at AT TIME ZONE 'UTC') AS date)")[-most:]


def _first(session: Session, month: str) -> list[First]:
    query = _FIRST.format(month=month, order=_ORDER)
    rows = session.execute(text(query), {"first": FIRST, "worth": list(WORTH)})
    return [First(*row) for row in rows]


_WHERE = {"property": "property_id = :name", "domain": "domain = :name", "all": ":name = ''"}
# As the list orders them (`store.queue`), whatever was found of them since.
_ORDER = "verdict.benefit DESC, verdict.id DESC"
_AGREED = """
SELECT stance, count(*) FILTER (WHERE decision = ANY(:supported)) AS supported,
  count(*) FILTER (WHERE decision = ANY(:unsupported)) AS unsupported,
  count(*) FILTER (WHERE decision <> ALL(:supported) AND decision <> ALL(:unsupported)) AS open
FROM decided WHERE stance IS NOT NULL AND {where}
GROUP BY stance
ORDER BY array_position(ARRAY['supports', 'refutes', 'not_enough_info', 'cant_tell'], stance)
"""
_RELIABILITY = """
SELECT CAST(band / 10.0 AS float8) AS low, CAST((band + 1) / 10.0 AS float8) AS high, count(*), avg(probability),
  CAST(avg(CAST(decision = ANY(:supported) AS int)) AS float8)
FROM (
  SELECT *, least(CAST(floor(probability * 10) AS int), 9) AS band FROM decided
  WHERE stance IS NOT NULL AND decision = ANY(:told)
) AS banded
GROUP BY band ORDER BY band
"""
_FIRST = """
SELECT month, count(*), count(*) FILTER (WHERE decision = ANY(:worth)) FROM (
  SELECT month, decision, row_number() OVER (PARTITION BY month ORDER BY {order}) AS place
  FROM (SELECT *, {month} AS month FROM decided) AS dated JOIN verdict ON verdict.id = dated.verdict_id
) AS ranked
WHERE place <= :first
GROUP BY month ORDER BY month
"""
