"""How pairs stand, for each property, each domain and all, as they were last counted (`store.reports.refresh`)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from sqlalchemy import text
from sqlalchemy.orm import Session

from models.outcome import Outcome
from models.score import coverage, score

Kind = Literal["property", "domain", "all"]

JUDGED = ("supports", "refutes", "not_enough_info", "cant_tell")
GROUPS = {
    "missing": (Outcome.NOT_FOUND, Outcome.GONE),
    "elsewhere": (Outcome.REDIRECTED_ELSEWHERE,),
    "barred": (Outcome.BLOCKED, Outcome.BOT_WALL, Outcome.ROBOTS, Outcome.RATE_LIMITED),
    "unread": (Outcome.NO_TEXT, Outcome.WRONG_FORMAT, Outcome.UNSUPPORTED_LANGUAGE, Outcome.TOO_LARGE),
    "troubled": (
        *(Outcome.SERVER_ERROR, Outcome.UNREACHABLE, Outcome.TIMED_OUT, Outcome.TLS),
        *(Outcome.REDIRECT_LOOP, Outcome.MALFORMED_ANSWER),
    ),
    "unasked": (Outcome.UNSAFE_ADDRESS, Outcome.NO_USABLE_URL, Outcome.NO_LABEL),
}
"""The outcomes by what they mean for a source, as the view `tally` counts them."""
_GROUP_OF = {outcome.value: group for group, outcomes in GROUPS.items() for outcome in outcomes}
_PATTERN, _LITERAL = re.compile(r"[\\%_]"), r"\\\g<0>"  # what LIKE would read as more than itself
SORTS = ("pairs", "score", "refutes", "not_enough_info", "cant_tell", "not_judged", "missing", "name")


@dataclass(frozen=True, slots=True)
class Tally:
    """How the pairs of a property (`name` is its id), of a domain or of all stand. `label` is a property's, if any.

    `pairs` are `judged`, `not_judged` or `unchecked`: nothing was found of them yet. The judged ones are `supports`,
    `refutes` and `not_enough_info`, of which the judge is sure, and `cant_tell`. Those not judged are `missing` (not
    found, or gone), `elsewhere`, `barred` (we aren't let in), `unread` (nothing can be read of the page), `troubled`
    (the server has trouble) or `unasked`. `due` of all pairs wait to be judged, `failed` of them after an attempt that
    failed. `support` is the sum of the probabilities y.
    """

    name: str
    label: str | None
    pairs: int = 0
    unchecked: int = 0
    supports: int = 0
    refutes: int = 0
    not_enough_info: int = 0
    cant_tell: int = 0
    judged: int = 0
    not_judged: int = 0
    missing: int = 0
    elsewhere: int = 0
    barred: int = 0
    unread: int = 0
    troubled: int = 0
    unasked: int = 0
    due: int = 0
    failed: int = 0
    support: float = 0.0

    @property
    def score(self) -> float | None:
        """See `models.score.score`."""
        return score(self.support, self.judged)

    @property
    def coverage(self) -> float | None:
        """The share of its pairs that were judged; None where it has none."""
        return coverage(self.judged, self.pairs)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page of tallies ends: the value that it is sorted by, and the name, of its last row."""

    value: float
    name: str


@dataclass(frozen=True, slots=True)
class Month:
    """How pairs stood at the end of a month, or as it was counted last: how many were found so, by what was found."""

    month: date
    found: Mapping[str, int]

    @property
    def pairs(self) -> int:
        """All of which something was found by then."""
        return sum(self.found.values())

    @property
    def judged(self) -> int:
        """Those with a stance, or a leaning to one."""
        return sum(self.found.get(each, 0) for each in JUDGED)

    def of(self, name: str) -> int:
        """How many were found so: a stance, `cant_tell`, or one of `GROUPS`."""
        if name in GROUPS:
            return sum(number for finding, number in self.found.items() if _GROUP_OF.get(finding) == name)
        return self.found.get(name, 0)


def tally(session: Session, kind: Kind, name: str = "") -> Tally:
    """The tally of one property or domain, or of all: zeros where nothing is known of it."""
    row = session.execute(text(f"{_ROWS} WHERE tally.kind = :kind AND tally.name = :name"), _of(kind, name)).first()
    return Tally(*row) if row else Tally(name, None)


def tallies(
    session: Session,
    kind: Literal["property", "domain"],
    sort: str = "pairs",
    after: Place | None = None,
    limit: int = 50,
    named: str = "",
    least: int = 1,
) -> tuple[list[Tally], Place | None]:
    """A page of properties or domains with `least` pairs or more whose name (a property's label too) has `named` in
    it, and where the next page begins (None on the last).

    Sorted by one of `SORTS`: the score rises, what has none comes last; the numbers fall; names are in order.
    """
    if sort not in SORTS:
        raise ValueError(f"tallies aren't sorted by {sort!r}")
    value = _VALUES.get(sort, f"-tally.{sort}::float8")
    conditions = ["tally.kind = :kind", "tally.pairs >= :least"]
    given: dict[str, object] = {"kind": kind, "limit": limit + 1, "least": least}
    if kind == "domain":
        conditions.append("tally.name <> ''")
    if named:
        conditions.append("(tally.name ILIKE :named OR property.label ILIKE :named)")
        given["named"] = f"%{re.sub(_PATTERN, _LITERAL, named)}%"
    if after is not None:
        conditions.append(f"({value}, tally.name) > (:value, :after)")
        given |= {"value": after.value, "after": after.name}
    query = f"{_ROWS} WHERE {' AND '.join(conditions)} ORDER BY {value}, tally.name LIMIT :limit"
    rows = [Tally(*row) for row in session.execute(text(query), given)]
    shown = rows[:limit]
    return shown, Place(_value(shown[-1], sort), shown[-1].name) if len(rows) > limit and shown else None


def split(session: Session, kind: Literal["property", "domain"], name: str, most: int = 20) -> list[Tally]:
    """A property by its domains, or a domain by its properties: those with the most pairs first."""
    by, of = ("domain", "property_id") if kind == "property" else ("property_id", "domain")
    rows = session.execute(text(_SPLIT.format(by=by, of=of)), {"name": name, "most": most})
    return [Tally(**row._mapping) for row in rows]


def course(session: Session, kind: Kind, name: str = "", most: int = 24) -> list[Month]:
    """How the pairs stood at the end of each of the last months (UTC), the oldest first; the last is the newest count.

    Months in which nothing changed are there too, between the first and the last that had changes.
    """
    rows = session.execute(text(_COURSE), _of(kind, name)).all()
    months: dict[date, dict[str, int]] = {}
    for month, finding, pairs in rows:
        months.setdefault(month, {})[finding] = int(pairs)
    some = {month: {what: number for what, number in found.items() if number} for month, found in months.items()}
    return [Month(month, found) for month, found in some.items()][-most:]


def outcomes(session: Session, kind: Kind, name: str = "") -> Mapping[str, int]:
    """How many of the pairs were found so at the last count, by what was found (stances, `cant_tell`, outcomes).

    Those of which nothing was found yet aren't among them.
    """
    rows = session.execute(text(_FINDINGS), _of(kind, name))
    return {finding: int(pairs) for finding, pairs in rows}


def _of(kind: Kind, name: str) -> dict[str, object]:
    return {"kind": kind, "name": name}


def _value(row: Tally, sort: str) -> float:
    if sort == "name":
        return 0.0
    if sort == "score":
        return 2.0 if row.score is None else row.support / row.judged
    return -float(getattr(row, sort))


_VALUES = {
    "name": "0::float8",
    "score": "CASE WHEN tally.judged = 0 THEN 2::float8 ELSE tally.support / tally.judged END",
}
_COLUMNS = (
    *("pairs", "unchecked", "supports", "refutes", "not_enough_info", "cant_tell", "judged", "not_judged"),
    *("missing", "elsewhere", "barred", "unread", "troubled", "unasked", "due", "failed", "support"),
)
_ROWS = f"""
SELECT tally.name, property.label, {", ".join(f"tally.{column}" for column in _COLUMNS)}
FROM tally LEFT JOIN property ON tally.kind = 'property' AND property.id = tally.name
"""  # noqa: S608 - all parts are ours
_SPLIT = """
SELECT {by} AS name, max(property.label) AS label, sum(pairs)::bigint AS pairs,
  coalesce(sum(pairs) FILTER (WHERE finding = 'unchecked'), 0)::bigint AS unchecked,
  coalesce(sum(pairs) FILTER (WHERE finding = 'supports'), 0)::bigint AS supports,
  coalesce(sum(pairs) FILTER (WHERE finding = 'refutes'), 0)::bigint AS refutes,
  coalesce(sum(pairs) FILTER (WHERE finding = 'not_enough_info'), 0)::bigint AS not_enough_info,
  coalesce(sum(pairs) FILTER (WHERE finding = 'cant_tell'), 0)::bigint AS cant_tell,
  coalesce(sum(pairs) FILTER (WHERE finding IN ('supports', 'refutes', 'not_enough_info', 'cant_tell')), 0)::bigint
    AS judged,
  coalesce(sum(pairs) FILTER (
    WHERE finding NOT IN ('supports', 'refutes', 'not_enough_info', 'cant_tell', 'unchecked')), 0)::bigint
    AS not_judged,
  coalesce(sum(pairs) FILTER (WHERE finding IN ('not_found', 'gone')), 0)::bigint AS missing,
  sum(due)::bigint AS due, sum(support) AS support
FROM standing LEFT JOIN property ON property.id = standing.property_id
WHERE {of} = :name
GROUP BY {by}
ORDER BY sum(pairs) DESC, {by}
LIMIT :most
"""
_FINDINGS = """
SELECT finding, sum(change) FROM course WHERE kind = :kind AND name = :name
GROUP BY finding HAVING sum(change) > 0 ORDER BY sum(change) DESC, finding
"""
_COURSE = """
WITH of AS (
  SELECT * FROM course WHERE kind = :kind AND name = :name
), span AS (
  SELECT generate_series(min(month), max(month), interval '1 month')::date AS month FROM of
), found AS (
  SELECT DISTINCT finding FROM of
)
SELECT span.month, found.finding,
  sum(coalesce(of.change, 0)) OVER (PARTITION BY found.finding ORDER BY span.month) AS pairs
FROM span CROSS JOIN found LEFT JOIN of ON of.month = span.month AND of.finding = found.finding
ORDER BY span.month, found.finding
"""
