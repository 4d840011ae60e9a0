"""Pages that the archive really keeps, as of some days ago, for the tests of what becomes of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import select, text
from sqlalchemy.orm import Session
from store_rows import document

from store import schema
from store.archive import Archive
from store.documents import place_of, put_document


def keep(session: Session, folder: Path, url: str, body: bytes, days_ago: int = 0) -> schema.Document:
    """Keep what `url` brought so many days ago, in a file of that day, and commit."""
    at = datetime.now(UTC) - timedelta(days=days_ago)
    row = put_document(session, document(url, body), Archive(folder, now=lambda: at).keep(document(url, body)))
    session.execute(text("UPDATE document SET kept_at = :at WHERE id = :id"), {"at": at, "id": row.id})
    session.commit()
    return row


def bodies(session: Session, folder: Path) -> dict[str, list[bytes]]:
    """What can be read of each address that has documents, oldest first."""
    found: dict[str, list[bytes]] = {}
    archive = Archive(folder)
    rows = session.scalars(
        select(schema.Document)
        .where(schema.Document.warc.is_not(None))
        .order_by(schema.Document.kept_at)
        .execution_options(populate_existing=True)
    )
    for row in rows:
        place = place_of(row)
        assert place is not None
        read = archive.read(place)
        assert read.url == row.url
        assert read.digest == row.digest
        found.setdefault(row.url, []).append(read.body)
    session.rollback()
    return found
