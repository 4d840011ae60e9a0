"""Every time that an address was asked for, and what came of it; since when an address fails, or is gone."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session, joinedload

from models.outcome import NotJudged, Outcome
from store import schema
from store.archive import Place

DOUBLED = 4  # times: then it stays at sixteen times an outcome's own wait
LONGEST_PHRASE = 200  # characters


@dataclass(frozen=True, slots=True)
class Tried:
    """One try of an address, to be recorded. `status` is None where no answer came, `not_judged` where a body did.

    `chain` holds the addresses on the way, the first being `url` and the last `final_url`.
    """

    url: str
    final_url: str
    at: datetime
    status: int | None
    phrase: str = ""
    chain: tuple[str, ...] = ()
    not_judged: NotJudged | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What we know of an address.

    `last` is its newest try and `document` the newest body that it brought. `settled` is the newest try that wasn't
    spoilt by trouble of the host (`Outcome.is_transient`): the same as `last`, unless there was some `troubled_since`.
    `failures` counts the tries since the last one that brought a body.
    """

    last: schema.Try | None = None
    document: schema.Document | None = None
    settled: schema.Try | None = None
    troubled_since: datetime | None = None
    failures: int = 0

    @property
    def fails(self) -> bool:
        """Whether the newest try brought nothing."""
        return self.last is not None and self.last.document_id is None and self.last.outcome is not None

    def after(self, failed: schema.Try) -> Known:
        """What we know when a further try has brought nothing."""
        if not Outcome(str(failed.outcome)).is_transient:
            return replace(self, last=failed, settled=failed, troubled_since=None, failures=self.failures + 1)
        since = self.troubled_since or failed.tried_at
        return replace(self, last=failed, troubled_since=since, failures=self.failures + 1)


@dataclass(frozen=True, slots=True)
class Missing:
    """Since when and until when an address was not found whenever it answered, and on how many days (UTC) we asked.

    `gone`: on three days or more, over a week or more.
    """

    since: datetime
    until: datetime
    days: int
    gone: bool


def put_try(
    session: Session,
    tried: Tried,
    document: schema.Document | None = None,
    place: Place | None = None,
    failures: int = 0,
) -> schema.Try:
    """Record a try: the document it brought, and where the archive has its record. One of the same moment is one row.

    `failures` in a row came before: each makes the wait twice as long, up to sixteen times.
    """
    values: dict[str, Any] = {
        "status": tried.status,
        "phrase": tried.phrase[:LONGEST_PHRASE],
        "outcome": tried.not_judged.outcome.value if tried.not_judged else None,
        "detail": tried.not_judged.detail if tried.not_judged else "",
        "final_url": tried.final_url,
        "chain": list(tried.chain) if len(tried.chain) > 1 else [],
        "document_id": document.id if document is not None else None,
        "warc": place.warc if place else None,
        "warc_offset": place.offset if place else None,
        "kept_at": func.clock_timestamp(),
        "again_at": _again(tried.not_judged, failures),
    }
    statement = (
        insert(schema.Try)
        .values(url=tried.url, tried_at=tried.at, **values)
        .on_conflict_do_update(index_elements=["url_key", "tried_at"], set_=values)
        .returning(schema.Try)
    )
    return session.scalars(statement, execution_options={"populate_existing": True}).one()


def put_reading(session: Session, try_id: int, reading: NotJudged | None) -> None:
    """Record why nothing could be read of the document that a try brought; None where it could."""
    outcome, detail = (reading.outcome.value, reading.detail) if reading else (None, "")
    session.execute(
        update(schema.Try)
        .where(schema.Try.id == try_id, schema.Try.document_id.is_not(None))
        .values(outcome=outcome, detail=detail)
    )


def known(session: Session, urls: Collection[str]) -> Mapping[str, Known]:
    """What we know of each address."""
    transient = [outcome.value for outcome in Outcome if outcome.is_transient]
    rows = session.execute(_KNOWN, {"urls": list(urls), "transient": transient}).all()
    tries = _by_id(session, schema.Try, {row.last for row in rows} | {row.settled for row in rows})
    documents = _by_id(session, schema.Document, {row.document for row in rows})
    return {
        row.url: Known(
            tries.get(row.last),
            documents.get(row.document),
            tries.get(row.settled),
            row.troubled_since,
            row.failures,
        )
        for row in rows
    }


def latest_try(session: Session, url: str) -> schema.Try | None:
    """What came of the newest try of an address; None where it was never asked for."""
    return known(session, [url])[url].last


def tries_of(session: Session, url: str, limit: int = 50) -> Sequence[schema.Try]:
    """The tries of an address, newest first."""
    return session.scalars(
        select(schema.Try)
        .where(schema.Try.url_key == func.md5(url), schema.Try.url == url)
        .order_by(schema.Try.tried_at.desc(), schema.Try.id.desc())
        .limit(limit)
    ).all()


def missing(session: Session, url: str) -> Missing | None:
    """How long an address has not been found; None where it was when it last answered, or was never asked for."""
    row = session.execute(_MISSING, {"url": url}).first()
    return Missing(row.since, row.until, row.days, row.gone) if row is not None else None


def _again(not_judged: NotJudged | None, failures: int) -> Any:
    wait = not_judged.outcome.retry_after if not_judged else None
    if wait is None:
        return None
    return func.clock_timestamp() + timedelta(seconds=wait.total_seconds() * 2 ** min(failures, DOUBLED))


def _by_id(session: Session, table: Any, ids: Collection[int | None]) -> dict[int | None, Any]:
    wanted = [each for each in ids if each is not None]
    if not wanted:
        return {}
    query = select(table).where(table.id.in_(wanted)).execution_options(populate_existing=True)
    return {row.id: row for row in session.scalars(query.options(*_loaded(table)))}


def _loaded(table: Any) -> list[Any]:
    return [joinedload(schema.Try.document)] if table is schema.Try else []


_OF = "url_key = md5(asked.url) AND url = asked.url"
_BODY = "(outcome IS NULL OR document_id IS NOT NULL)"
_KNOWN = text(f"""
SELECT asked.url, newest.id AS last, body.id AS document, settled.id AS settled, trouble.since AS troubled_since,
  failing.number AS failures
FROM (SELECT DISTINCT unnest(CAST(:urls AS text[])) AS url) AS asked
LEFT JOIN LATERAL (
  SELECT id FROM try WHERE {_OF} ORDER BY kept_at DESC, id DESC LIMIT 1
) AS newest ON true
LEFT JOIN LATERAL (
  SELECT id FROM document WHERE {_OF} ORDER BY kept_at DESC, id DESC LIMIT 1
) AS body ON true
LEFT JOIN LATERAL (
  SELECT id, kept_at FROM try WHERE {_OF} AND ({_BODY} OR outcome <> ALL (CAST(:transient AS text[])))
  ORDER BY kept_at DESC, id DESC LIMIT 1
) AS settled ON true
CROSS JOIN LATERAL (
  SELECT min(tried_at) AS since FROM try WHERE {_OF} AND kept_at > coalesce(settled.kept_at, '-infinity')
) AS trouble
CROSS JOIN LATERAL (
  SELECT count(*) AS number FROM try
  WHERE {_OF} AND kept_at > coalesce(
    (SELECT kept_at FROM try WHERE {_OF} AND {_BODY} ORDER BY kept_at DESC LIMIT 1), '-infinity')
) AS failing
""")  # noqa: S608 - all parts are ours

_MISSING = text("SELECT since, until, days, gone FROM missing WHERE url_key = md5(:url) AND url = :url")
