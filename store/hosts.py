"""The hosts of the web and their pace: whose turn it is to ask one for something, and which are left alone.

All times are the database's own, so that any number of workers on any number of machines keeps one pace. Each function
that changes rows is one statement, which takes the rows of its hosts in the order of their names.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from sqlalchemy import Connection, func, select, text
from sqlalchemy.orm import Session

from models.outcome import Outcome
from store import schema

LOOK_AGAIN_S = 0.4  # for a turn that somebody else has
_WANTED_S = 2.0  # a wish that wasn't renewed for so long is forgotten: whoever had it has died or got what it wanted
_TODAY = "(now() AT TIME ZONE 'UTC')::date"


@dataclass(frozen=True, slots=True)
class Wish:
    """A turn that is wanted: its least pause after another request, and how long it may last at most, in seconds."""

    host: str
    delay_s: float
    lease_s: float


@dataclass(frozen=True, slots=True)
class Granted:
    """The turn is ours in `wait_s` seconds, and lasts `Wish.lease_s` from then."""

    wait_s: float


@dataclass(frozen=True, slots=True)
class Busy:
    """Somebody else has the turn: look again after `wait_s` seconds."""

    wait_s: float


@dataclass(frozen=True, slots=True)
class Resting:
    """A host that is left alone until `until`, for the next `wait_s` seconds, and for what, of `failures` in a row."""

    host: str
    until: datetime
    wait_s: float
    outcome: Outcome
    why: str
    failures: int
    since: datetime | None


@dataclass(frozen=True, slots=True)
class Spent:
    """As many requests as a day may have were made; the next day (UTC) begins at `until`."""

    until: datetime


Answered = Granted | Busy | Resting | Spent


class How(Enum):
    """How a turn went: the host answered, it failed (or asked us to wait), or nothing was asked."""

    ANSWERED = "answered"
    FAILED = "failed"
    UNUSED = "unused"


@dataclass(frozen=True, slots=True)
class Ended:
    """A turn that is over. `rest_s` are the seconds for which the host asked to be left alone.

    `outcome` and `why` say what went wrong where it failed.
    """

    host: str
    delay_s: float
    how: How
    rest_s: float | None = None
    outcome: Outcome | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Rests:
    """How long a failing host is left alone: after `after` failures in a row for `first_s`, then twice as long each
    time, `most_s` at most. Until then the pause before the next request doubles with each failure, up to `slowest_s`.
    """

    after: int = 5
    first_s: float = 600.0
    most_s: float = 86_400.0
    slowest_s: float = 60.0


@dataclass(frozen=True, slots=True)
class KeptRobots:
    """What is known of an origin's robots.txt: its text, None where it has no rules; or why nothing may be read there.

    It stands for the next `fresh_s` seconds.
    """

    origin: str
    text: str | None
    outcome: Outcome | None
    detail: str
    fresh_s: float


@dataclass(frozen=True, slots=True)
class Load:
    """How often a host was asked for something today (UTC), and at what least pause in seconds."""

    host: str
    requests: int
    delay_s: float


_RESTS = "(h.resting_until IS NOT NULL AND h.resting_until > now())"
_SPENT = f"(:budget > 0 AND h.day = {_TODAY} AND h.requests >= :budget)"
# What lies so far ahead was written by a clock that has been put back since: no turn and no wish lasts so long.
_FAR = "now() + interval '2 days' + greatest(h.next_at - now(), interval '0')"
_FREE = f"(h.held_by IS NULL OR h.held_until <= now() OR h.held_until > {_FAR})"
_OTHERS_WISH = (
    "(h.wanted_by IS NOT NULL AND h.wanted_by <> :worker AND h.wanted_at > now() - make_interval(secs => :wanted_s) "
    "AND h.wanted_at <= now() + make_interval(secs => :wanted_s))"
)
_OPEN = f"(NOT {_RESTS} AND NOT {_SPENT})"
_MAY = f"({_OPEN} AND (h.held_by = :worker OR ({_FREE} AND NOT {_OTHERS_WISH})))"
# Who finds the turn taken leaves a wish, so that the holder can't take it again and again before its eyes.
_WISHES = f"({_OPEN} AND NOT {_OTHERS_WISH})"

_TAKE = text(f"""
WITH wished AS (
  SELECT * FROM unnest(CAST(:hosts AS text[]), CAST(:delays AS float8[]), CAST(:leases AS float8[]))
    AS w (name, delay_s, lease_s)
)
INSERT INTO host AS h (name, delay_s, held_by, held_until, day, requests)
SELECT name, delay_s, :worker, now() + make_interval(secs => lease_s), {_TODAY}, 1 FROM wished ORDER BY name
ON CONFLICT (name) DO UPDATE SET
  delay_s = excluded.delay_s,
  held_by = CASE WHEN {_MAY} THEN excluded.held_by ELSE h.held_by END,
  held_until = CASE WHEN {_MAY} THEN excluded.held_until + greatest(h.next_at - now(), interval '0')
    ELSE h.held_until END,
  day = CASE WHEN {_MAY} THEN excluded.day ELSE h.day END,
  requests = CASE WHEN NOT {_MAY} THEN h.requests WHEN h.day = excluded.day THEN h.requests + 1 ELSE 1 END,
  wanted_by = CASE WHEN {_MAY} THEN NULL ELSE excluded.held_by END,
  wanted_at = CASE WHEN {_MAY} THEN NULL ELSE now() END
WHERE {_MAY} OR {_WISHES}
RETURNING h.name, h.held_by = :worker AS granted, extract(epoch FROM h.next_at - now())::float8 AS wait_s
""")  # noqa: S608 - all parts are ours

_WHY_NOT = text(f"""
SELECT h.name, {_RESTS} AS rests, {_SPENT} AS spent, h.resting_until, h.resting_outcome, h.resting_why,
  h.failures, h.failing_since, extract(epoch FROM h.resting_until - now())::float8 AS rests_s,
  (({_TODAY} + 1)::timestamp AT TIME ZONE 'UTC') AS tomorrow
FROM host AS h WHERE h.name = ANY(CAST(:hosts AS text[]))
""")  # noqa: S608 - as above

_END = text(f"""
WITH ended AS (
  SELECT * FROM unnest(CAST(:hosts AS text[]), CAST(:delays AS float8[]), CAST(:hows AS text[]),
    CAST(:rests AS float8[]), CAST(:outcomes AS text[]), CAST(:whys AS text[]))
    AS e (name, delay_s, how, rest_s, outcome, why)
), mine AS (
  SELECT e.*, CASE e.how WHEN 'answered' THEN 0 WHEN 'failed' THEN h.failures + 1 ELSE h.failures END AS failures
  FROM host AS h JOIN ended AS e USING (name)
  WHERE h.held_by = :worker
  ORDER BY h.name
  FOR UPDATE OF h
), timed AS (
  SELECT *,
    CASE
      WHEN how <> 'failed' THEN NULL
      WHEN rest_s IS NOT NULL THEN rest_s
      WHEN outcome = 'rate_limited' THEN least(:first_s * 2 ^ least(failures - 1, 20), :most_s)
      WHEN failures >= :after THEN least(:first_s * 2 ^ least(failures - :after, 20), :most_s)
    END AS rest,
    CASE WHEN how = 'failed' THEN greatest(delay_s, least(delay_s * 2 ^ least(failures, 20), :slowest_s))
      ELSE delay_s END AS pause
  FROM mine
)
UPDATE host AS h SET
  held_by = NULL,
  held_until = NULL,
  next_at = CASE WHEN how = 'unused' THEN h.next_at ELSE now() + make_interval(secs => pause) END,
  requests = CASE WHEN how = 'unused' AND h.day = {_TODAY} THEN greatest(h.requests - 1, 0) ELSE h.requests END,
  failures = t.failures,
  failing_since = CASE WHEN t.failures > 0 THEN coalesce(h.failing_since, now()) END,
  resting_until = now() + make_interval(secs => rest),
  resting_outcome = CASE WHEN rest IS NOT NULL THEN outcome END,
  resting_why = CASE WHEN rest IS NOT NULL THEN why ELSE '' END
FROM timed AS t WHERE h.name = t.name
""")  # noqa: S608 - as above

_PASS_BY = text("""
WITH idle AS (
  SELECT name, next_at FROM host AS h
  WHERE name = ANY(CAST(:hosts AS text[])) AND (held_by IS NULL OR held_until <= now())
    AND next_at <= now() + make_interval(secs => :soon_s) AND (resting_until IS NULL OR resting_until <= now())
  ORDER BY next_at
  LIMIT :n
  FOR UPDATE SKIP LOCKED
)
UPDATE host AS h SET next_at = greatest(idle.next_at, now()) + make_interval(secs => h.delay_s + :lasts_s)
FROM idle WHERE h.name = idle.name
RETURNING h.name, greatest(extract(epoch FROM idle.next_at - now()), 0)::float8 AS wait_s
""")

_ROBOTS = text("""
SELECT origin, text, outcome, detail, extract(epoch FROM fresh_until - now())::float8 AS fresh_s
FROM robots WHERE origin = ANY(CAST(:origins AS text[])) AND fresh_until > now()
""")

_KEEP_ROBOTS = text("""
INSERT INTO robots (origin, text, outcome, detail, fresh_until)
VALUES (:origin, :text, :outcome, :detail, now() + make_interval(secs => :fresh_s))
ON CONFLICT (origin) DO UPDATE SET text = excluded.text, outcome = excluded.outcome, detail = excluded.detail,
  fresh_until = excluded.fresh_until, asked_at = now()
""")


def take(connection: Connection, worker: str, wishes: Collection[Wish], budget: int) -> Mapping[str, Answered]:
    """Ask for the turns of some hosts, each once; what became of each.

    `worker` names whoever asks, and has one turn of a host at most: to ask again for a turn that one has is to have it
    anew. No host is asked more than `budget` times a day; 0: as often as its pace allows.
    """
    if not wishes:
        return {}
    given = {
        "hosts": [wish.host for wish in wishes],
        "delays": [wish.delay_s for wish in wishes],
        "leases": [wish.lease_s for wish in wishes],
        "worker": worker,
        "budget": budget,
        "wanted_s": _WANTED_S,
    }
    found: dict[str, Answered] = {
        row.name: Granted(max(0.0, row.wait_s)) for row in connection.execute(_TAKE, given) if row.granted
    }
    left = [wish.host for wish in wishes if wish.host not in found]
    if left:
        why = connection.execute(_WHY_NOT, {"hosts": left, "budget": budget})
        found |= {row.name: _why_not(row) for row in why}
    return found


def end(connection: Connection, worker: str, ended: Collection[Ended], rests: Rests) -> None:
    """End turns; those that ran out meanwhile, and are somebody else's by now, are left as they are."""
    if ended:
        connection.execute(
            _END,
            {
                "hosts": [one.host for one in ended],
                "delays": [one.delay_s for one in ended],
                "hows": [one.how.value for one in ended],
                "rests": [one.rest_s for one in ended],
                "outcomes": [one.outcome.value if one.outcome else None for one in ended],
                "whys": [one.why for one in ended],
                "worker": worker,
                "after": rests.after,
                "first_s": rests.first_s,
                "most_s": rests.most_s,
                "slowest_s": rests.slowest_s,
            },
        )


def pass_by(
    connection: Connection, hosts: Collection[str], n: int, soon_s: float, lasts_s: float
) -> Mapping[str, float]:
    """`n` of some hosts at most that may be looked for within `soon_s`, each with the seconds to wait until then.

    Nobody asks them meanwhile, nor before `lasts_s` and their pause are over. Those that are being asked are left out.
    """
    given = {"hosts": list(hosts), "n": n, "soon_s": soon_s, "lasts_s": lasts_s}
    return {row.name: row.wait_s for row in connection.execute(_PASS_BY, given)}


def left_alone(connection: Connection) -> frozenset[str]:
    """The names of all hosts that are left alone now."""
    host = schema.Host
    return frozenset(connection.scalars(select(host.name).where(host.resting_until > func.now())))


def kept_robots(connection: Connection, origins: Collection[str]) -> Mapping[str, KeptRobots]:
    """What is known, and still stands, of the robots.txt of some origins."""
    if not origins:
        return {}
    rows = connection.execute(_ROBOTS, {"origins": list(origins)})
    return {
        row.origin: KeptRobots(
            row.origin, row.text, Outcome(row.outcome) if row.outcome else None, row.detail, row.fresh_s
        )
        for row in rows
    }


def answering(connection: Connection, n: int) -> list[str]:
    """The `n` origins that last let their robots.txt be read."""
    robots = schema.Robots
    read = select(robots.origin).where(robots.outcome.is_(None)).order_by(robots.asked_at.desc()).limit(n)
    return list(connection.scalars(read))


def keep_robots(connection: Connection, robots: Sequence[KeptRobots]) -> None:
    """Let all workers know what an origin's robots.txt says."""
    rows = [
        {
            "origin": one.origin,
            "text": one.text,
            "outcome": one.outcome.value if one.outcome else None,
            "detail": one.detail,
            "fresh_s": one.fresh_s,
        }
        for one in sorted(robots, key=lambda one: one.origin)
    ]
    if rows:
        connection.execute(_KEEP_ROBOTS, rows)


def busiest(session: Session, n: int) -> list[Load]:
    """The `n` hosts that were asked most today (UTC), the most asked first."""
    host = schema.Host
    rows = session.execute(
        select(host.name, host.requests, host.delay_s)
        .where(host.day == func.timezone("UTC", func.now()).cast(host.day.type), host.requests > 0)
        .order_by(host.requests.desc(), host.name)
        .limit(n)
    )
    return [Load(row.name, row.requests, row.delay_s) for row in rows]


def resting(session: Session, n: int) -> list[Resting]:
    """The `n` hosts that are left alone for the longest, and why."""
    host = schema.Host
    rows = session.execute(
        select(
            host.name,
            host.resting_until,
            host.resting_outcome,
            host.resting_why,
            host.failures,
            host.failing_since,
            func.extract("epoch", host.resting_until - func.now()).label("rests_s"),
        )
        .where(host.resting_until > func.now())
        .order_by(host.resting_until.desc(), host.name)
        .limit(n)
    )
    return [_resting(row) for row in rows]


def _why_not(row: Any) -> Answered:
    if row.rests:
        return _resting(row)
    return Spent(row.tomorrow) if row.spent else Busy(LOOK_AGAIN_S)


def _resting(row: Any) -> Resting:
    return Resting(
        row.name,
        row.resting_until,
        float(row.rests_s),
        Outcome(row.resting_outcome),
        row.resting_why,
        row.failures,
        row.failing_since,
    )
