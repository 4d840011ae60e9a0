"""How well the judge does: what was measured when its model was fitted, and what people's decisions say of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, case, delete, func, select
from sqlalchemy.dialects.postgresql import distinct_on, insert
from sqlalchemy.orm import Session

from store import schema

MOST_DOMAINS = 100


@dataclass(frozen=True, slots=True)
class ErrorOf:
    """Of `pairs` of a property (`name` is its id) or a domain, so many were `unsure`, and so many judged `wrong`.

    An unsure one is neither right nor wrong.
    """

    name: str
    label: str
    pairs: float
    wrong: float
    unsure: float

    @property
    def judged(self) -> float:
        """How many the judge was sure about."""
        return self.pairs - self.unsure


@dataclass(frozen=True, slots=True)
class Reliability:
    """Of `pairs` with a probability from `low` to `high`: the mean that was `said`, the share `found` supported."""

    low: float
    high: float
    pairs: float
    said: float
    found: float


@dataclass(frozen=True, slots=True)
class Risk:
    """The share judged wrong among the surest pairs, where that share of all pairs (`coverage`) is judged."""

    coverage: float
    risk: float


@dataclass(frozen=True, slots=True)
class Measured:
    """The figures of one model: on `total` labelled pairs, `unsupported` of them not supported; `how`, in words.

    Properties and domains with the most pairs come first, the curves by ascending probability and coverage.
    """

    model_version: str
    total: int
    unsupported: int
    how: str
    kept_at: datetime
    by_property: tuple[ErrorOf, ...]
    by_domain: tuple[ErrorOf, ...]
    reliability: tuple[Reliability, ...]
    risk_coverage: tuple[Risk, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """What people decided about verdicts of one property or domain.

    They `agreed` or `disagreed` with a verdict, `settled` what the judge couldn't tell, or could not tell themselves
    (`undecided`).
    """

    name: str
    label: str
    agreed: int
    disagreed: int
    settled: int
    undecided: int


@dataclass(frozen=True, slots=True)
class Agreements:
    """Agreement by property and by domain, those with the most decisions first."""

    by_property: tuple[Agreement, ...]
    by_domain: tuple[Agreement, ...]


class BrokenFigures(Exception):
    """Figures that can't be kept, since they lack something. The message is one line that says what."""


def keep(session: Session, version: str, measured: Mapping[str, Any]) -> None:
    """Store the figures of `measured.json` as those of the model `version`, in place of former ones of that version.

    Keeping the same again changes nothing but when they were last kept. Raises `BrokenFigures`.
    """
    table = schema.Measured
    rows = _rows(version, measured)
    head = {**rows.head, "kept_at": func.clock_timestamp()}
    # The row is locked by this, so that two bots that start at once come one after the other.
    session.execute(insert(table).values(head).on_conflict_do_update(index_elements=[table.model_version], set_=head))
    for kind, values in rows.parts.items():
        session.execute(delete(kind).where(kind.__table__.c.model_version == version))
        if values:
            session.execute(insert(kind), values)


def latest(session: Session) -> Measured | None:
    """The figures of the model that was last put to work; None where none were ever kept."""
    head = session.scalars(
        select(schema.Measured)
        .order_by(schema.Measured.kept_at.desc(), schema.Measured.model_version)
        .limit(1)
        .execution_options(populate_existing=True)
    ).first()
    if head is None:
        return None
    version = head.model_version
    bins, risks = schema.MeasuredReliability, schema.MeasuredRisk
    reliability = select(bins.low, bins.high, bins.pairs, bins.said, bins.found).where(bins.model_version == version)
    risk = select(risks.coverage, risks.risk).where(risks.model_version == version)
    return Measured(
        model_version=version,
        total=head.total,
        unsupported=head.unsupported,
        how=head.how,
        kept_at=head.kept_at,
        by_property=_errors(session, version, "property"),
        by_domain=_errors(session, version, "domain"),
        reliability=tuple(Reliability(*row) for row in session.execute(reliability.order_by(bins.low))),
        risk_coverage=tuple(Risk(*row) for row in session.execute(risk.order_by(risks.coverage))),
    )


def error_of(session: Session, property_id: str) -> ErrorOf | None:
    """The error for one property under the model that was last put to work; None where it wasn't measured."""
    newest = select(schema.Measured.model_version).order_by(
        schema.Measured.kept_at.desc(), schema.Measured.model_version
    )
    row = schema.MeasuredError
    found = session.execute(
        select(row.name, row.label, row.pairs, row.wrong, row.unsure).where(
            row.model_version == newest.limit(1).scalar_subquery(), row.kind == "property", row.name == property_id
        )
    ).first()
    return ErrorOf(*found) if found else None


def agreements(session: Session) -> Agreements:
    """How the latest decision about each pair agrees with the verdict that it was about, of whichever model.

    Decisions that were undone, and those about pairs that weren't judged, don't count.
    """
    prop, domain = schema.Property, schema.Pair.domain
    by_property = _agreement(prop.id, func.coalesce(prop.label, ""))
    by_domain = _agreement(domain, domain).where(domain != "").limit(MOST_DOMAINS)
    return Agreements(
        tuple(Agreement(*row) for row in session.execute(by_property)),
        tuple(Agreement(*row) for row in session.execute(by_domain)),
    )


def _agreement(name: Any, label: Any) -> Select[Any]:
    review, verdict, pair = schema.Review, schema.Verdict, schema.Pair
    decided = (
        select(
            verdict.pair_id,
            verdict.unsure,
            (verdict.stance == "supports").label("supported"),
            review.decision,
        )
        .join(verdict, verdict.id == review.verdict_id)
        .where(review.undone_at.is_(None), verdict.stance.is_not(None))
        .ext(distinct_on(verdict.pair_id))
        .order_by(verdict.pair_id, review.decided_at.desc(), review.id.desc())
        .subquery()
    )
    kind = case(
        (decided.c.decision.not_in(("supports", "does_not")), "undecided"),
        (decided.c.unsure, "settled"),
        ((decided.c.decision == "supports") == decided.c.supported, "agreed"),
        else_="disagreed",
    )
    counts = [func.count().filter(kind == each) for each in ("agreed", "disagreed", "settled", "undecided")]
    return (
        select(name, label, *counts)
        .select_from(decided)
        .join(pair, pair.id == decided.c.pair_id)
        .join(schema.Statement, schema.Statement.guid == pair.guid)
        .join(schema.Property, schema.Property.id == schema.Statement.property_id)
        .group_by(name, label)
        .order_by(func.count().desc(), name)
    )


@dataclass(frozen=True, slots=True)
class _Rows:
    head: Mapping[str, Any]
    parts: Mapping[type[schema.Base], Sequence[Mapping[str, Any]]]


def _rows(version: str, measured: Mapping[str, Any]) -> _Rows:
    of = {"model_version": version}
    try:
        head = {
            **of,
            "total": measured["rows"],
            "unsupported": measured["unsupported"],
            "how": measured["how"],
        }
        errors = [
            *({**of, "kind": "property", "name": each["id"], **_error(each)} for each in measured["by_property"]),
            *({**of, "kind": "domain", "name": each["domain"], **_error(each)} for each in measured["by_domain"]),
        ]
        reliability = [
            {
                **of,
                "low": each["from"],
                "high": each["to"],
                "pairs": each["n"],
                "said": each["said"],
                "found": each["found"],
            }
            for each in measured["reliability"]
            if each["n"]
        ]
        risk = [{**of, "coverage": each["coverage"], "risk": each["risk"]} for each in measured["risk_coverage"]]
    except (KeyError, TypeError) as error:
        raise BrokenFigures(f"the measured figures of {version} lack {error}") from error
    return _Rows(
        head,
        {schema.MeasuredError: errors, schema.MeasuredReliability: reliability, schema.MeasuredRisk: risk},
    )


def _error(each: Mapping[str, Any]) -> dict[str, Any]:
    return {"label": each.get("label") or "", "pairs": each["n"], "wrong": each["wrong"], "unsure": each["unsure"]}


def _errors(session: Session, version: str, kind: str) -> tuple[ErrorOf, ...]:
    row = schema.MeasuredError
    found = session.execute(
        select(row.name, row.label, row.pairs, row.wrong, row.unsure)
        .where(row.model_version == version, row.kind == kind)
        .order_by(row.pairs.desc(), row.name)
    )
    return tuple(ErrorOf(*each) for each in found)
