"""All about one pair, for its page: the statement, its verdicts with what they rest on, and the decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session, joinedload, selectinload

from models.evidence import Evidence, Match, Passage, Stance
from models.outcome import Outcome
from models.statement import MalformedValue, SourceUrl, Statement, Term
from store import schema
from store.archive import Place
from store.documents import place_of
from store.queue import Cursor, cursor_of
from store.reviews import Review, ReviewState, review_of, reviews_of
from store.terms import TermOf, build_statement, load_terms, snaks_ids, statement_ids

MOST_FORMER, MOST_OTHERS = 20, 50


@dataclass(frozen=True, slots=True)
class DocumentView:
    """What was read. `place` is where the archive keeps the body, None where it doesn't any more."""

    id: int
    url: str
    final_url: str
    domain: str
    fetched_at: datetime
    kept_at: datetime
    status: int | None
    content_type: str
    digest: str
    place: Place | None


@dataclass(frozen=True, slots=True)
class VerdictView:
    """A verdict of a pair: a stance (where `unsure`, a leaning) with its probability and evidence, or an outcome.

    `language` is the page's (ISO 639-1), "" where that isn't known.
    """

    id: int
    claim: str
    wording: str
    stance: Stance | None
    unsure: bool
    probability: float | None
    weighted_sum: Stance | None
    malon: Stance | None
    outcome: Outcome | None
    detail: str
    reason: str
    model_version: str
    judged_at: datetime
    via: str | None
    current: bool
    stale: bool
    document: DocumentView | None
    evidence: tuple[Evidence, ...]
    language: str
    cursor: Cursor


@dataclass(frozen=True, slots=True)
class OtherReference:
    """Another reference of the same statement, and what was found of it (None: not yet), with its reason in words."""

    pair_id: int
    ref_hash: str
    url: str
    domain: str
    stance: Stance | None
    unsure: bool
    probability: float | None
    outcome: Outcome | None
    reason: str


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision with what leads on from it. `read` is the document that the verdict rests on, by `via`."""

    review: Review
    pair_id: int
    guid: str
    item_id: str
    property_id: str
    domain: str
    claim: str
    urls: tuple[SourceUrl, ...]
    read: str | None
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class PairView:
    """All that the page of a pair shows.

    `statement` is None where its value can't be read (`snak` has it as it came). `terms` has the words of every
    entity that the statement, its qualifiers and the reference's snaks name. `former` are the newest of `former_count`
    earlier verdicts, without evidence; `others` the first of `others_count` other references; `reviews` all that
    weren't undone, newest first, each saying whether it stands or what ended it.
    """

    pair_id: int
    guid: str
    item: Term
    property: Term
    rank: str
    revision: int
    statement: Statement | None
    snak: Mapping[str, Any]
    qualifiers: Mapping[str, Any]
    terms: Mapping[str, Term]
    ref_hash: str
    ref_snaks: Mapping[str, Any]
    urls: tuple[SourceUrl, ...]
    domain: str
    pair_state: str
    last_error: str | None
    next_at: datetime | None
    current: VerdictView | None
    former: tuple[VerdictView, ...]
    former_count: int
    others: tuple[OtherReference, ...]
    others_count: int
    reviews: tuple[ReviewState, ...]


def pair_view(session: Session, pair_id: int) -> PairView | None:
    """All about one pair; None where there is no such pair."""
    row = session.execute(
        select(schema.Pair, schema.Statement, schema.Reference)
        .join(schema.Statement, schema.Statement.guid == schema.Pair.guid)
        .join(schema.Reference, schema.Reference.hash == schema.Pair.ref_hash)
        .where(schema.Pair.id == pair_id)
        .execution_options(populate_existing=True)
    ).first()
    if row is None:
        return None
    pair, statement, reference = row
    ids = statement_ids(statement.item_id, statement.property_id, statement.snak, statement.qualifiers)
    ids |= snaks_ids(reference.snaks)
    term = load_terms(session, ids)
    current = _current(session, pair_id)
    former, former_count = _former(session, pair_id)
    others, others_count = _others(session, pair)
    return PairView(
        pair_id=pair.id,
        guid=pair.guid,
        item=term(statement.item_id),
        property=term(statement.property_id),
        rank=statement.rank,
        revision=statement.revision,
        statement=_statement(statement, term),
        snak=statement.snak,
        qualifiers=statement.qualifiers,
        terms={identifier: term(identifier) for identifier in ids},
        ref_hash=pair.ref_hash,
        ref_snaks=reference.snaks,
        urls=tuple(SourceUrl(url["url"], url["via"]) for url in pair.urls),
        domain=pair.domain,
        pair_state=pair.state,
        last_error=pair.last_error,
        next_at=pair.next_at,
        current=current,
        former=former,
        former_count=former_count,
        others=others,
        others_count=others_count,
        reviews=reviews_of(session, pair_id),
    )


def decided(session: Session, review_id: int, reviewer: str) -> Decided | None:
    """A decision of a person that wasn't undone, with what leads on from it; None where there is none such."""
    row = session.execute(
        select(schema.Review, schema.Verdict, schema.Pair, schema.Statement)
        .join(schema.Verdict, schema.Verdict.id == schema.Review.verdict_id)
        .join(schema.Pair, schema.Pair.id == schema.Verdict.pair_id)
        .join(schema.Statement, schema.Statement.guid == schema.Pair.guid)
        .where(schema.Review.id == review_id, schema.Review.reviewer == reviewer, schema.Review.undone_at.is_(None))
        .options(joinedload(schema.Verdict.document), selectinload(schema.Verdict.evidence))
        .execution_options(populate_existing=True)
    ).first()
    if row is None:
        return None
    review, verdict, pair, statement = row
    return Decided(
        review=review_of(review),
        pair_id=pair.id,
        guid=pair.guid,
        item_id=statement.item_id,
        property_id=statement.property_id,
        domain=pair.domain,
        claim=verdict.claim,
        urls=tuple(SourceUrl(url["url"], url["via"]) for url in pair.urls),
        read=verdict.document.url if verdict.document is not None else None,
        evidence=tuple(_evidence(each) for each in verdict.evidence),
    )


def _statement(row: schema.Statement, term: TermOf) -> Statement | None:
    try:
        return build_statement(row, term)
    except MalformedValue:
        return None


def _current(session: Session, pair_id: int) -> VerdictView | None:
    row = session.scalar(
        select(schema.Verdict)
        .where(schema.Verdict.pair_id == pair_id, schema.Verdict.current)
        .options(joinedload(schema.Verdict.document), selectinload(schema.Verdict.evidence))
        .execution_options(populate_existing=True)
    )
    return None if row is None else _verdict_view(row, tuple(_evidence(each) for each in row.evidence))


def _former(session: Session, pair_id: int) -> tuple[tuple[VerdictView, ...], int]:
    rows = session.execute(
        select(schema.Verdict, func.count().over())
        .where(schema.Verdict.pair_id == pair_id, schema.Verdict.current.is_(False))
        .options(joinedload(schema.Verdict.document))
        .order_by(schema.Verdict.judged_at.desc(), schema.Verdict.id.desc())
        .limit(MOST_FORMER)
        .execution_options(populate_existing=True)
    ).all()
    return tuple(_verdict_view(row, ()) for row, _ in rows), rows[0][1] if rows else 0


def _verdict_view(row: schema.Verdict, evidence: tuple[Evidence, ...]) -> VerdictView:
    return VerdictView(
        id=row.id,
        claim=row.claim,
        wording=row.wording,
        stance=_stance(row.stance),
        unsure=row.unsure,
        probability=row.probability,
        weighted_sum=_stance(row.weighted_sum),
        malon=_stance(row.malon),
        outcome=_outcome(row.outcome),
        detail=row.detail,
        reason=row.reason,
        model_version=row.model_version,
        judged_at=row.judged_at,
        via=row.via,
        current=row.current,
        stale=row.stale,
        document=_document_view(row.document) if row.document is not None else None,
        evidence=evidence,
        language=row.language or "",
        cursor=cursor_of(row),
    )


def _document_view(row: schema.Document) -> DocumentView:
    return DocumentView(
        id=row.id,
        url=row.url,
        final_url=row.final_url,
        domain=row.domain,
        fetched_at=row.fetched_at,
        kept_at=row.kept_at,
        status=row.status,
        content_type=row.content_type,
        digest=row.digest,
        place=place_of(row),
    )


def _evidence(row: schema.EvidenceRow) -> Evidence:
    return Evidence(
        passage=Passage(
            text=row.passage,
            kind=row.kind,
            block=row.block,
            first=row.first_sentence,
            last=row.last_sentence,
            heading=row.heading,
            boilerplate=row.boilerplate,
        ),
        relevance=row.relevance,
        supports=row.supports,
        refutes=row.refutes,
        not_enough_info=row.not_enough_info,
        matches=tuple(Match(**match) for match in row.matches),
    )


def _others(session: Session, pair: schema.Pair) -> tuple[tuple[OtherReference, ...], int]:
    rows = session.execute(
        select(schema.Pair, schema.Verdict, func.count().over())
        .outerjoin(schema.Verdict, (schema.Verdict.pair_id == schema.Pair.id) & schema.Verdict.current)
        .where(schema.Pair.guid == pair.guid, schema.Pair.id != pair.id, schema.Pair.state != "retired")
        .order_by(schema.Verdict.probability.desc().nulls_last(), schema.Pair.id)
        .limit(MOST_OTHERS)
    ).all()
    others = tuple(
        OtherReference(
            pair_id=other.id,
            ref_hash=other.ref_hash,
            url=other.urls[0]["url"] if other.urls else "",
            domain=other.domain,
            stance=_stance(verdict.stance) if verdict is not None else None,
            unsure=verdict is not None and verdict.unsure,
            probability=verdict.probability if verdict is not None else None,
            outcome=_outcome(verdict.outcome) if verdict is not None else None,
            reason=verdict.reason if verdict is not None else "",
        )
        for other, verdict, _ in rows
    )
    return others, rows[0][2] if rows else 0


def _stance(value: str | None) -> Stance | None:
    return None if value is None else Stance(value)


def _outcome(value: str | None) -> Outcome | None:
    return None if value is None else Outcome(value)
