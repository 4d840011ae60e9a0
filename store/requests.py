"""Items that people ask to have checked now: the dashboard writes their wishes as rows, and the bot takes them up."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from store import schema


@dataclass(frozen=True, slots=True)
class Wish:
    """That an item be checked, by whom and since when."""

    id: int
    item_id: str
    asked_by: str
    asked_at: datetime


def ask(session: Session, item_id: str, asked_by: str) -> bool:
    """Wish for an item to be checked; False where that is wished for already."""
    wished = (
        insert(schema.Request)
        .values(item_id=item_id, asked_by=asked_by)
        .on_conflict_do_nothing(index_elements=["item_id"], index_where=schema.Request.taken_at.is_(None))
        .returning(schema.Request.id)
    )
    return session.scalar(wished) is not None


def ask_all(session: Session, item_ids: Sequence[str], asked_by: str) -> int:
    """Wish for items to be checked, in this order, but for those that are wished for already; how many they are."""
    given = {"items": list(item_ids), "asked_by": asked_by}
    return len(session.execute(text(_ASK_ALL), given).all()) if item_ids else 0


def take(session: Session, most: int) -> list[Wish]:
    """Up to `most` wishes that nobody else takes up until this transaction ends.

    The oldest first, but people take turns: who asks for one item doesn't wait until a worklist of thousands is done.
    `answer` them in it: a bot that dies meanwhile leaves them waiting.
    """
    row = schema.Request
    turn = func.row_number().over(partition_by=row.asked_by, order_by=row.id).label("turn")
    turns = select(row.id, turn).where(row.taken_at.is_(None)).subquery("turns")
    rows = session.scalars(
        select(row)
        .join(turns, turns.c.id == row.id)
        .where(row.taken_at.is_(None))
        .order_by(turns.c.turn, row.id)
        .limit(most)
        .with_for_update(skip_locked=True, of=row)
    )
    return [Wish(row.id, row.item_id, row.asked_by, row.asked_at) for row in rows]


def any_waiting(session: Session) -> bool:
    """Whether a wish waits."""
    return session.scalar(select(schema.Request.id).where(schema.Request.taken_at.is_(None)).limit(1)) is not None


def answer(session: Session, wish: Wish, said: str) -> None:
    """Note that a wish was taken up, and what is said of it."""
    session.execute(
        update(schema.Request).where(schema.Request.id == wish.id).values(taken_at=func.clock_timestamp(), said=said)
    )


def queue_items(session: Session, item_ids: Collection[str]) -> int:
    """Let all pairs of the items wait because a person asked, those that wait already among them; how many they are."""
    return len(session.execute(text(_QUEUE), {"items": list(item_ids)}).all())


_ASK_ALL = """
INSERT INTO request (item_id, asked_by)
SELECT wanted.id, :asked_by
FROM unnest(CAST(:items AS text[])) WITH ORDINALITY AS wanted(id, place) ORDER BY wanted.place
ON CONFLICT (item_id) WHERE taken_at IS NULL DO NOTHING RETURNING id
"""

# What is being judged now is what was asked for; and what waits for a graver reason keeps that.
_QUEUE = """
UPDATE pair SET state = 'waiting', next_at = least(pair.next_at, now()), tries = 0,
  why = CASE WHEN pair.state IN ('waiting', 'failed') AND pair.priority > 3 THEN pair.why ELSE 'asked' END
FROM statement
WHERE statement.guid = pair.guid AND statement.item_id = ANY (:items)
  AND pair.state IN ('waiting', 'failed', 'judged', 'not_judged')
RETURNING pair.id
"""
