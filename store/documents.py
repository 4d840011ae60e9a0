"""The bodies that addresses brought, by their place in the archive. What came of each try is in `store.tries`."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from models.document import Document
from store import schema
from store.archive import Place
from store.domain import domain_of

LONGEST_VALIDATOR = 1000  # characters; no server that means well needs as many


def latest_document(session: Session, url: str) -> schema.Document | None:
    """The body that `url` last brought, by `kept_at`; None where none ever came."""
    return session.scalars(
        select(schema.Document)
        .where(schema.Document.url_key == func.md5(url), schema.Document.url == url)
        .order_by(schema.Document.kept_at.desc(), schema.Document.id.desc())
        .limit(1)
    ).first()


def same_body(session: Session, url: str, digest: str) -> schema.Document | None:
    """The record of a body of `url`, known by its digest; None where that never came."""
    asked = (schema.Document.url_key == func.md5(url), schema.Document.url == url, schema.Document.digest == digest)
    return session.scalars(select(schema.Document).where(*asked)).first()


def put_document(session: Session, document: Document, place: Place, *, conditional: bool = True) -> schema.Document:
    """Record a body that the archive keeps at `place`; the same body of the same address keeps its one row.

    A body met again is `kept_at` now, and at the place given. Its server can be asked whether it has changed, by what
    came with it, unless `conditional` is false.
    """
    values = {
        "final_url": document.final_url,
        "domain": domain_of(document.final_url),
        "fetched_at": document.fetched_at,
        "status": document.status,
        "content_type": document.content_type,
        "warc": place.warc,
        "warc_offset": place.offset,
        **validators(document.headers if conditional else ()),
    }
    statement = (
        insert(schema.Document)
        .values(url=document.url, digest=document.digest, kept_at=func.clock_timestamp(), **values)
        .on_conflict_do_update(
            index_elements=["url_key", "digest"],
            set_=values | {"kept_at": func.clock_timestamp()},
        )
        .returning(schema.Document)
    )
    return session.scalars(statement, execution_options={"populate_existing": True}).one()


def meet_again(
    session: Session, row: schema.Document, at: datetime, headers: tuple[tuple[str, str], ...]
) -> schema.Document:
    """Record that a body still stood on the web at `at`: its server said so, with `headers`."""
    renewed = {name: value for name, value in validators(headers).items() if value}
    statement = (
        update(schema.Document)
        .where(schema.Document.id == row.id)
        .values(fetched_at=at, kept_at=func.clock_timestamp(), **renewed)
        .returning(schema.Document)
    )
    return session.scalars(statement, execution_options={"populate_existing": True}).one()


def validators(headers: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """What a server gives for asking it whether a page has changed; "" where it doesn't, or where it is no header."""
    found = dict.fromkeys(("etag", "last-modified"), "")
    for name, value in headers:
        if name in found and not found[name] and value.isprintable() and len(value) <= LONGEST_VALIDATOR:
            found[name] = value.strip()
    return {name.replace("-", "_"): value for name, value in found.items()}


def place_of(document: schema.Document) -> Place | None:
    """Where the archive keeps a document's body; None where it has none."""
    if document.warc is None or document.warc_offset is None:
        return None
    return Place(document.warc, document.warc_offset)
