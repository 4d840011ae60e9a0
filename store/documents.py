"""What fetches brought: bodies (by their place in the archive) and the outcomes that stand where none came."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from models.document import Document
from models.outcome import NotJudged
from store import schema
from store.archive import Place
from store.domain import domain_of


def latest_document(session: Session, url: str) -> schema.Document | None:
    """What `url` last brought, body or outcome, by `kept_at`; None where it was never asked for."""
    return session.scalars(
        select(schema.Document)
        .where(schema.Document.url == url)
        .order_by(schema.Document.kept_at.desc(), schema.Document.id.desc())
        .limit(1)
    ).first()


def document_history(session: Session, url: str, limit: int = 50) -> Sequence[schema.Document]:
    """What `url` brought each time, newest first: whether it is gone, or not found only today, shows here."""
    return session.scalars(
        select(schema.Document)
        .where(schema.Document.url == url)
        .order_by(schema.Document.kept_at.desc(), schema.Document.id.desc())
        .limit(limit)
    ).all()


def put_document(session: Session, document: Document, place: Place) -> schema.Document:
    """Record a body that the archive keeps at `place`; the same body of the same address keeps its one row.

    A body met again is `kept_at` now and points to its newest record in the archive.
    """
    values = {
        "final_url": document.final_url,
        "domain": domain_of(document.final_url),
        "fetched_at": document.fetched_at,
        "status": document.status,
        "content_type": document.content_type,
        "warc": place.warc,
        "warc_offset": place.offset,
    }
    statement = (
        insert(schema.Document)
        .values(url=document.url, digest=document.digest, kept_at=func.clock_timestamp(), **values)
        .on_conflict_do_update(
            index_elements=["url", "digest"],
            index_where=schema.Document.digest.is_not(None),
            set_=values | {"kept_at": func.clock_timestamp()},
        )
        .returning(schema.Document)
    )
    return session.scalars(statement, execution_options={"populate_existing": True}).one()


def put_failure(
    session: Session,
    url: str,
    final_url: str,
    fetched_at: datetime,
    status: int | None,
    not_judged: NotJudged,
) -> schema.Document:
    """Record that `url` brought nothing to read, and why. Each time is a row of its own."""
    statement = (
        insert(schema.Document)
        .values(
            url=url,
            final_url=final_url,
            domain=domain_of(final_url),
            fetched_at=fetched_at,
            kept_at=func.clock_timestamp(),
            status=status,
            outcome=not_judged.outcome.value,
            detail=not_judged.detail,
        )
        .returning(schema.Document)
    )
    return session.scalars(statement).one()


def place_of(document: schema.Document) -> Place | None:
    """Where the archive keeps a document's body; None where it has none."""
    if document.warc is None or document.warc_offset is None:
        return None
    return Place(document.warc, document.warc_offset)
