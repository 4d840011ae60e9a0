"""Editors' decisions about verdicts: recorded, undone, and whether they still stand."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_, func, or_, select, update
from sqlalchemy.orm import Session, aliased

from store import schema

STATEMENT_CHANGED = "the statement changed"
PAGE_CHANGED = "the page changed"
PAGE_UNREAD = "the page couldn't be read again"
STANCE_FLIPPED = "a new model's stance flipped"

_OF_A_PAGE = ("supports", "does_not")


class ReviewRefused(Exception):
    """A decision that can't be recorded or undone. The message is one line for the person."""


@dataclass(frozen=True, slots=True)
class Review:
    """A decision (`supports`, `does_not` or `cant_tell`) by a person about a verdict; `undone_at` None: it holds."""

    id: int
    verdict_id: int
    decision: str
    reviewer: str
    decided_at: datetime
    undone_at: datetime | None


@dataclass(frozen=True, slots=True)
class ReviewState:
    """A review and what became of it: `ended_by` is None while it stands, else says in words what ended it."""

    review: Review
    ended_by: str | None

    @property
    def stands(self) -> bool:
        """Whether the decision holds for the pair's current verdict."""
        return self.ended_by is None


def decisions_about(document_digest: str | None) -> tuple[str, ...]:
    """What can be decided about a verdict: where no page was read (no digest), nothing about what the page says."""
    return tuple(decision for decision in schema.DECISIONS if document_digest is not None or decision not in _OF_A_PAGE)


def decide(session: Session, verdict_id: int, reviewer: str, decision: str) -> Review:
    """Record a decision; an earlier one by the same person about the same claim and page is undone by it.

    Deciding the same again changes nothing. Raises `ReviewRefused` for an unknown verdict or decision, one about what
    a page says where none was read, or no reviewer.
    """
    reviewer = reviewer.strip()
    if not reviewer:
        raise ReviewRefused("say who you are: a decision keeps its reviewer")
    if decision not in schema.DECISIONS:
        raise ReviewRefused(f"a decision is one of {', '.join(schema.DECISIONS)}, not {decision!r}")
    # The verdict is locked, so that two clicks come one after the other.
    verdict = session.get(schema.Verdict, verdict_id, with_for_update=True)
    if verdict is None:
        raise ReviewRefused(f"there is no verdict {verdict_id} to decide about")
    if decision not in decisions_about(verdict.document_digest):
        raise ReviewRefused("no page was read here, so there is nothing to decide about what it says")
    earlier = _earlier(session, verdict, reviewer)
    for row in earlier:
        if (row.verdict_id, row.decision) == (verdict_id, decision):
            return _review(row)
    session.execute(
        update(schema.Review)
        .where(schema.Review.id.in_([row.id for row in earlier]))
        .values(undone_at=func.clock_timestamp())
    )
    row = schema.Review(verdict_id=verdict_id, reviewer=reviewer, decision=decision)
    session.add(row)
    session.flush()
    session.refresh(row)
    return _review(row)


def undo(session: Session, review_id: int, reviewer: str) -> Review:
    """Take a decision back. Raises `ReviewRefused` where there is none such, or it is another person's."""
    row = session.get(schema.Review, review_id, with_for_update=True)
    if row is None:
        raise ReviewRefused(f"there is no decision {review_id} to undo")
    if row.reviewer != reviewer.strip():
        raise ReviewRefused(f"this decision is {row.reviewer}'s: only they can undo it")
    if row.undone_at is None:
        row.undone_at = session.scalar(select(func.clock_timestamp()))
        session.flush()
    return _review(row)


def reviews_of(session: Session, pair_id: int) -> tuple[ReviewState, ...]:
    """All decisions about a pair that weren't undone, newest first, each with what ended it, if anything did."""
    current = aliased(schema.Verdict)
    rows = session.execute(
        select(schema.Review, schema.Verdict, current)
        .join(schema.Verdict, schema.Verdict.id == schema.Review.verdict_id)
        .join(current, and_(current.pair_id == schema.Verdict.pair_id, current.current))
        .where(schema.Verdict.pair_id == pair_id, schema.Review.undone_at.is_(None))
        .order_by(schema.Review.decided_at.desc(), schema.Review.id.desc())
        .execution_options(populate_existing=True)
    )
    return tuple(ReviewState(_review(review), _ended_by(decided, now)) for review, decided, now in rows)


def standing_reviews(session: Session, pair_id: int) -> tuple[Review, ...]:
    """The decisions that hold for the pair's current verdict, newest first."""
    return tuple(state.review for state in reviews_of(session, pair_id) if state.stands)


def holds_for(decided: type[schema.Verdict], now: type[schema.Verdict]) -> ColumnElement[bool]:
    """In SQL, the same as `_ended_by(...) is None`: a decision about `decided` holds for the verdict `now`.

    A verdict that is unsure has come to no other stance, whichever way it leans.
    """
    return and_(
        decided.pair_id == now.pair_id,
        decided.claim_digest == now.claim_digest,
        decided.document_digest.is_not_distinct_from(now.document_digest),
        or_(now.unsure, decided.stance.is_not_distinct_from(now.stance)),
        decided.outcome.is_not_distinct_from(now.outcome),
    )


def _ended_by(decided: schema.Verdict, now: schema.Verdict) -> str | None:
    if decided.claim_digest != now.claim_digest:
        return STATEMENT_CHANGED
    if decided.document_digest is not None and now.document_digest is None:
        return PAGE_UNREAD
    if (decided.document_digest, decided.outcome) != (now.document_digest, now.outcome):
        return PAGE_CHANGED
    if decided.stance != now.stance and not now.unsure:
        return STANCE_FLIPPED
    return None


def _earlier(session: Session, verdict: schema.Verdict, reviewer: str) -> list[schema.Review]:
    """What the reviewer decided before about this claim and page, under whichever model."""
    rows = session.scalars(
        select(schema.Review)
        .join(schema.Verdict, schema.Verdict.id == schema.Review.verdict_id)
        .where(
            schema.Review.reviewer == reviewer,
            schema.Review.undone_at.is_(None),
            schema.Verdict.pair_id == verdict.pair_id,
            schema.Verdict.claim_digest == verdict.claim_digest,
            schema.Verdict.document_digest.is_not_distinct_from(verdict.document_digest),
        )
    )
    return list(rows)


def _review(row: schema.Review) -> Review:
    return Review(row.id, row.verdict_id, row.decision, row.reviewer, row.decided_at, row.undone_at)
