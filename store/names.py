"""Items by their names."""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from models.statement import Term
from store import schema

LONGEST = 200  # characters of a name to look for
_SHOWN = 50


def named(session: Session, text: str) -> list[Term]:
    """The subjects of statements whose label begins so, whatever its case: up to fifty, in the alphabet's order."""
    if "\x00" in text:
        return []
    item = schema.Item
    start = text.lower().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    rows = session.execute(
        select(item.id, item.label, item.description)
        .where(func.lower(item.label).like(f"{start}%"))
        .where(select(schema.Statement.guid).where(schema.Statement.item_id == item.id).exists())
        .order_by(func.lower(item.label), item.id)
        .limit(_SHOWN)
    )
    return [Term(id_, label, (), description) for id_, label, description in rows]
