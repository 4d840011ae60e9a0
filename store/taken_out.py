"""What was taken out on request, and stays out: pages, however their address is spelled, and items.

Whoever keeps something looks here first, under a lock that whoever takes out waits for (`keeping`), so that nothing
comes in between a look and its keeping.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import func, select, text, update
from sqlalchemy.orm import Session

from store import schema
from store.address_key import address_keys

DETAIL = "taken out on request"
"""What an outcome says of a page that isn't read for that reason."""

_KEEPING = 4_201_970  # the advisory lock that keepers share
Kind = Literal["url", "item"]


@dataclass(frozen=True, slots=True)
class TakenOut:
    """A request that was met: what (`target`), by whom, when and why; never what it held.

    `done_at` None: it was interrupted, and doing it again goes on. `allowed_at` says since when it may come in again.
    """

    id: int
    kind: Kind
    target: str
    by: str
    at: datetime
    reason: str
    done_at: datetime | None
    allowed_at: datetime | None
    allowed_by: str | None


def keeping(session: Session) -> None:
    """Call this in a transaction that looks here and then keeps something: taking out waits until it has ended."""
    session.execute(text("SELECT pg_advisory_xact_lock_shared(:key)"), {"key": _KEEPING})


def wait_for_keepers(session: Session) -> None:
    """Wait until every transaction that looked before now has ended: from here on all see what this one committed."""
    session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _KEEPING})


def is_taken_out(session: Session, urls: Collection[str]) -> set[str]:
    """Those of the addresses that were taken out, in any spelling, or that are archived copies of such."""
    keys = {url: _keys(url) for url in urls}
    asked = sorted({key for some in keys.values() for key in some})
    if not asked:
        return set()
    address, request = schema.TakenOutAddress, schema.TakenOut
    out = set(
        session.scalars(
            select(address.key)
            .join(request, request.id == address.taken_out_id)
            .where(address.key.in_(asked), request.allowed_at.is_(None))
        )
    )
    return {url for url, some in keys.items() if some & out}


def items_taken_out(session: Session, ids: Collection[str]) -> set[str]:
    """Those of the items that were taken out: their statements aren't walked or judged."""
    request = schema.TakenOut
    return set(
        session.scalars(
            select(request.target).where(
                request.kind == "item", request.target.in_(sorted(ids)), request.allowed_at.is_(None)
            )
        )
    )


def put_taken_out(session: Session, kind: Kind, target: str, by: str, reason: str) -> TakenOut:
    """Record that something is to be taken out; where it already is, that record, to be done again."""
    row = _standing(session, kind, target)
    if row is None:
        row = schema.TakenOut(kind=kind, target=target, by=by, reason=reason)
        session.add(row)
        session.flush()
        session.refresh(row)
    if kind == "url":
        add_addresses(session, row.id, [target])
    return _taken_out(row)


def add_addresses(session: Session, taken_out_id: int, urls: Collection[str]) -> None:
    """Keep further addresses out with it: those that lead to the page, and its copies."""
    keys = sorted({key for url in urls for key in _keys(url)})
    if keys:
        session.execute(
            text(
                "INSERT INTO taken_out_address (taken_out_id, key) "
                "SELECT :id, unnest(CAST(:keys AS text[])) ON CONFLICT DO NOTHING"
            ),
            {"id": taken_out_id, "keys": keys},
        )


def set_done(session: Session, taken_out_id: int) -> None:
    """Say that all of it is out."""
    session.execute(
        update(schema.TakenOut).where(schema.TakenOut.id == taken_out_id).values(done_at=func.clock_timestamp())
    )


def allow(session: Session, kind: Kind, target: str, by: str) -> TakenOut | None:
    """Let something in again that was taken out; None where it wasn't."""
    row = _standing(session, kind, target)
    if row is None:
        return None
    row.allowed_at, row.allowed_by = session.scalar(select(func.clock_timestamp())), by
    session.flush()
    return _taken_out(row)


def list_taken_out(session: Session) -> list[TakenOut]:
    """All that was ever taken out, the newest first."""
    return [_taken_out(row) for row in session.scalars(select(schema.TakenOut).order_by(schema.TakenOut.id.desc()))]


def _standing(session: Session, kind: Kind, target: str) -> schema.TakenOut | None:
    """The request that keeps it out; for a page also one for another spelling of its address."""
    request = schema.TakenOut
    query = select(request).where(request.kind == kind, request.allowed_at.is_(None)).with_for_update()
    rows: Mapping[str, schema.TakenOut] = {row.target: row for row in session.scalars(query.order_by(request.id))}
    if kind == "item" or target in rows:
        return rows.get(target)
    keys = address_keys(target)
    return next((row for written, row in rows.items() if address_keys(written) == keys), None)


def _keys(url: str) -> frozenset[str]:
    """The keys of an address as they are stored: an address may be longer than what an index holds."""
    return frozenset(hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest() for key in address_keys(url))


def _taken_out(row: schema.TakenOut) -> TakenOut:
    kind: Kind = "item" if row.kind == "item" else "url"
    return TakenOut(row.id, kind, row.target, row.by, row.at, row.reason, row.done_at, row.allowed_at, row.allowed_by)
