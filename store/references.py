"""What references are made of, as a walk last saw them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from store import schema


def reference_snaks(session: Session, hashes: Collection[str]) -> Mapping[str, Mapping[str, Any]]:
    """The snaks of references by their hash, as in Wikibase JSON."""
    reference = schema.Reference
    rows = session.scalars(select(reference).where(reference.hash.in_(list(hashes))))
    return {row.hash: row.snaks for row in rows}
