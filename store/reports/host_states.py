"""How the hosts of a domain are asked and how they answer, and what went wrong with its pages last."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import case, func, or_, select, text
from sqlalchemy.orm import Session

from models.outcome import Outcome
from store import schema


@dataclass(frozen=True, slots=True)
class HostState:
    """A host: the least pause between two requests, how often it was asked today (UTC), and how often it failed in a
    row, since when. It is left alone until `resting_until`, None: it isn't; `why` says for what.
    """

    name: str
    delay_s: float
    requests: int
    failures: int
    failing_since: datetime | None
    resting_until: datetime | None
    outcome: Outcome | None
    why: str


@dataclass(frozen=True, slots=True)
class Trouble:
    """A pair whose page couldn't be read: its address, why not, what was seen, and when."""

    pair_id: int
    url: str
    outcome: Outcome
    detail: str
    at: datetime
    again_at: datetime | None


def hosts_of(session: Session, domain: str) -> list[HostState]:
    """The hosts that a domain's pages are asked of, with whichever port; those never asked aren't there."""
    host = schema.Host
    today = func.timezone("UTC", func.now()).cast(host.day.type)
    bare = func.split_part(host.name, ":", 1)
    rests = host.resting_until > func.now()
    rows = session.execute(
        select(
            host.name,
            host.delay_s,
            case((host.day == today, host.requests), else_=0),
            host.failures,
            host.failing_since,
            case((rests, host.resting_until)),
            case((rests, host.resting_outcome)),
            case((rests, host.resting_why), else_=""),
        )
        .where(or_(bare == domain, bare == f"www.{domain}"))
        .order_by(host.name)
    )
    return [
        HostState(name, delay, requests, failures, since, until, Outcome(outcome) if outcome else None, why)
        for name, delay, requests, failures, since, until, outcome, why in rows
    ]


def last_troubles(session: Session, domain: str, most: int = 5) -> list[Trouble]:
    """What was found last of pages of a domain that couldn't be read, the newest first, of those last counted."""
    rows = session.execute(text(_TROUBLES), {"domain": domain, "most": most})
    return [
        Trouble(pair_id, url or "", Outcome(outcome), detail, at, again)
        for pair_id, url, outcome, detail, at, again in rows
    ]


_TROUBLES = """
SELECT pair.id, pair.urls #>> '{0,url}', verdict.outcome, verdict.detail, verdict.judged_at,
  CASE WHEN pair.state = 'not_judged' THEN pair.next_at END
FROM trouble JOIN pair ON pair.id = trouble.pair_id JOIN verdict ON verdict.pair_id = pair.id AND verdict.current
WHERE trouble.domain = :domain AND verdict.outcome IS NOT NULL AND pair.state <> 'retired'
ORDER BY verdict.judged_at DESC, pair.id DESC
LIMIT :most
"""
