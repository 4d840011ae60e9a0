"""Editors' decisions about verdicts: recorded, undone, and whether they still stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, func, or_, select, update
from sqlalchemy.orm import Session, aliased

from models.verdict import Claim, claim_digest
from store import schema

STATEMENT_CHANGED = "the statement changed"
WORDING_CHANGED = "the wording changed"
PAGE_CHANGED = "the page changed"
PAGE_UNREAD = "the page couldn't be read again"
PAGE_BACK = "the page could be read again"
STANCE_FLIPPED = "a new model's stance flipped"
ENDS = (STATEMENT_CHANGED, WORDING_CHANGED, PAGE_CHANGED, PAGE_UNREAD, PAGE_BACK, STANCE_FLIPPED)

_OF_A_PAGE = ("supports", "does_not")
_OF_THE_CLAIM = ("wrong_statement", "bad_wording")
_OF_THE_ADDRESS = "gone"
MOST_DISPUTED = 100
_NOW = aliased(schema.Verdict)  # what a pair's decisions are held against; made once, for it takes milliseconds


class ReviewRefused(Exception):
    """A decision that can't be recorded or undone. The message is one line for the person."""


@dataclass(frozen=True, slots=True)
class Review:
    """A decision (one of `schema.DECISIONS`) by a person about a verdict; `undone_at` None: it wasn't taken back.

    `bulk_id` names the decision about many at once that it is part of, None for one made by itself.
    """

    id: int
    verdict_id: int
    decision: str
    reviewer: str
    decided_at: datetime
    undone_at: datetime | None
    bulk_id: int | None = None


@dataclass(frozen=True, slots=True)
class ReviewState:
    """A review and what became of it: `ended_by` is None while it stands, else says in words what ended it."""

    review: Review
    ended_by: str | None

    @property
    def stands(self) -> bool:
        """Whether the decision holds for the pair's current verdict."""
        return self.ended_by is None


@dataclass(frozen=True, slots=True)
class Dispute:
    """A pair about which people disagree: its claim, and the decisions that stand, newest first."""

    pair_id: int
    claim: str
    reviews: tuple[Review, ...]


def decisions_about(document_digest: str | None) -> tuple[str, ...]:
    """What can be decided about a verdict: where no page was read (no digest), nothing about what the page says."""
    return tuple(decision for decision in schema.DECISIONS if document_digest is not None or decision not in _OF_A_PAGE)


def decide(session: Session, verdict_id: int, reviewer: str, decision: str) -> Review:
    """Record a decision; an earlier one by the same person about the same claim and page, or that holds, is undone.

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
            return review_of(row)
    session.execute(
        update(schema.Review)
        .where(schema.Review.id.in_([row.id for row in earlier]))
        .values(undone_at=func.clock_timestamp())
    )
    row = schema.Review(verdict_id=verdict_id, reviewer=reviewer, decision=decision)
    session.add(row)
    session.flush()
    session.refresh(row)
    return review_of(row)


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
    return review_of(row)


def reviews_of(session: Session, pair_id: int) -> tuple[ReviewState, ...]:
    """All decisions about a pair that weren't undone, newest first, each with what ended it, if anything did."""
    current = _NOW
    rows = session.execute(
        select(schema.Review, schema.Verdict, current, schema.Statement.snak, schema.Statement.qualifiers)
        .join(schema.Verdict, schema.Verdict.id == schema.Review.verdict_id)
        .join(current, and_(current.pair_id == schema.Verdict.pair_id, current.current))
        .join(schema.Pair, schema.Pair.id == schema.Verdict.pair_id)
        .join(schema.Statement, schema.Statement.guid == schema.Pair.guid)
        .where(schema.Verdict.pair_id == pair_id, schema.Review.undone_at.is_(None))
        .order_by(schema.Review.decided_at.desc(), schema.Review.id.desc())
        .execution_options(populate_existing=True)
    )
    return tuple(
        ReviewState(review_of(review), _ended_by(review.decision, decided, now, snak, qualifiers))
        for review, decided, now, snak, qualifiers in rows
    )


def differ(reviews: tuple[Review, ...]) -> bool:
    """Whether people disagree: of decisions that stand, two by different people aren't the same."""
    return any(
        one.decision != other.decision and one.reviewer != other.reviewer for one in reviews for other in reviews
    )


def disputed(verdict: type[schema.Verdict], reviewer: str | None = None) -> ColumnElement[bool]:
    """In SQL: two decisions by different people that hold for `verdict` differ; with `reviewer`, one is theirs."""
    one, other = aliased(schema.Review), aliased(schema.Review)
    about_one, about_other = aliased(schema.Verdict), aliased(schema.Verdict)
    query = (
        select(one.id)
        .join(about_one, about_one.id == one.verdict_id)
        .join(about_other, about_other.pair_id == about_one.pair_id)
        .join(other, other.verdict_id == about_other.id)
        .where(
            one.undone_at.is_(None),
            other.undone_at.is_(None),
            one.reviewer != other.reviewer,
            one.decision != other.decision,
            holds_for(about_one, verdict, one),
            holds_for(about_other, verdict, other),
        )
        .correlate(verdict)
    )
    return (query if reviewer is None else query.where(one.reviewer == reviewer)).exists()


def disputed_pairs(session: Session, reviewer: str, most: int = MOST_DISPUTED) -> tuple[int, ...]:
    """The pairs about which others decided otherwise than this person, whose decision stands as theirs do.

    The pairs of their newest decisions first, no more than `most`.
    """
    mine, theirs = schema.Review, aliased(schema.Review)
    about_mine, about_theirs, now = schema.Verdict, aliased(schema.Verdict), aliased(schema.Verdict)
    rows = session.scalars(
        select(about_mine.pair_id)
        .join(mine, mine.verdict_id == about_mine.id)
        .join(now, and_(now.pair_id == about_mine.pair_id, now.current))
        .join(about_theirs, about_theirs.pair_id == about_mine.pair_id)
        .join(theirs, theirs.verdict_id == about_theirs.id)
        .where(
            mine.reviewer == reviewer,
            mine.undone_at.is_(None),
            theirs.undone_at.is_(None),
            theirs.reviewer != reviewer,
            theirs.decision != mine.decision,
            holds_for(about_mine, now),
            holds_for(about_theirs, now, theirs),
        )
        .group_by(about_mine.pair_id)
        .order_by(func.max(mine.id).desc())
        .limit(most)
    )
    return tuple(rows)


def disputes(session: Session, reviewer: str, most: int = MOST_DISPUTED) -> tuple[Dispute, ...]:
    """What `disputed_pairs` names, with the claims and with all decisions that stand."""
    pairs = disputed_pairs(session, reviewer, most)
    now, about = schema.Verdict, aliased(schema.Verdict)
    rows = session.execute(
        select(now.pair_id, now.claim, schema.Review)
        .join(about, about.pair_id == now.pair_id)
        .join(schema.Review, schema.Review.verdict_id == about.id)
        .where(now.pair_id.in_(pairs), now.current, schema.Review.undone_at.is_(None), holds_for(about, now))
        .order_by(schema.Review.decided_at.desc(), schema.Review.id.desc())
    ).all()
    claims = {pair_id: claim for pair_id, claim, _ in rows}
    return tuple(
        Dispute(pair_id, claims[pair_id], tuple(review_of(review) for of, _, review in rows if of == pair_id))
        for pair_id in pairs
        if pair_id in claims
    )


def standing_reviews(session: Session, pair_id: int) -> tuple[Review, ...]:
    """The decisions that hold for the pair's current verdict, newest first."""
    return tuple(state.review for state in reviews_of(session, pair_id) if state.stands)


def holds_for(
    decided: type[schema.Verdict], now: type[schema.Verdict], review: type[schema.Review] = schema.Review
) -> ColumnElement[bool]:
    """In SQL, the same as `_ended_by(...) is None`: a decision about `decided` holds for the verdict `now`.

    A verdict that is unsure has come to no other stance, whichever way it leans.
    """
    same_page = decided.document_digest.is_not_distinct_from(now.document_digest)
    return and_(
        decided.pair_id == now.pair_id,
        decided.claim_digest == now.claim_digest,
        or_(
            review.decision.in_(_OF_THE_CLAIM),
            and_(review.decision == _OF_THE_ADDRESS, or_(now.document_digest.is_(None), same_page)),
            and_(
                review.decision != _OF_THE_ADDRESS,
                same_page,
                or_(now.unsure, decided.stance.is_not_distinct_from(now.stance)),
                decided.outcome.is_not_distinct_from(now.outcome),
            ),
        ),
    )


def _ended_by(
    decision: str,
    decided: schema.Verdict,
    now: schema.Verdict,
    snak: Mapping[str, Any],
    qualifiers: Mapping[str, Any],
) -> str | None:
    """What ended a decision, None where it stands. `snak` and `qualifiers` are the statement's as they are now.

    What was decided about the statement or its wording ends with the claim alone; that a page is gone, also when
    another body of it is read; what was decided about a page, also when its body, its outcome or the stance changes.
    """
    if decided.claim_digest != now.claim_digest:
        as_then = claim_digest(Claim(decided.claim, decided.wording), snak, qualifiers)
        return WORDING_CHANGED if as_then == decided.claim_digest else STATEMENT_CHANGED
    if decision in _OF_THE_CLAIM:
        return None
    if decision == _OF_THE_ADDRESS:
        same_page = now.document_digest is None or decided.document_digest == now.document_digest
        return None if same_page else PAGE_BACK
    if decided.document_digest is not None and now.document_digest is None:
        return PAGE_UNREAD
    if (decided.document_digest, decided.outcome) != (now.document_digest, now.outcome):
        return PAGE_CHANGED
    if decided.stance != now.stance and not now.unsure:
        return STANCE_FLIPPED
    return None


def _earlier(session: Session, verdict: schema.Verdict, reviewer: str) -> list[schema.Review]:
    """What the reviewer decided before about this claim and page, under whichever model, or what holds for it."""
    now = aliased(schema.Verdict)
    rows = session.scalars(
        select(schema.Review)
        .join(schema.Verdict, schema.Verdict.id == schema.Review.verdict_id)
        .join(now, now.id == verdict.id)
        .where(
            schema.Review.reviewer == reviewer,
            schema.Review.undone_at.is_(None),
            schema.Verdict.pair_id == verdict.pair_id,
            schema.Verdict.claim_digest == verdict.claim_digest,
            or_(
                schema.Verdict.document_digest.is_not_distinct_from(verdict.document_digest),
                holds_for(schema.Verdict, now),
            ),
        )
    )
    return list(rows)


def review_of(row: schema.Review) -> Review:
    """The decision of a row."""
    return Review(row.id, row.verdict_id, row.decision, row.reviewer, row.decided_at, row.undone_at, row.bulk_id)
