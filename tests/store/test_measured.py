"""Measured figures are kept by model, and decisions are held against the verdicts that they were about."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session
from store_rows import again, judge, judged, kept, verdict

from models.evidence import Stance
from models.outcome import NotJudged, Outcome
from models.statement import SourceUrl, Term
from store import schema
from store.measured import Agreement, BrokenFigures, ErrorOf, Reliability, Risk, agreements, error_of, keep, latest
from store.reviews import decide, undo
from store.walk import put_terms

FIGURES: dict[str, Any] = {
    "rows": 508,
    "unsupported": 44,
    "how": "five folds by page, five seeds",
    "by_property": [
        {"id": "P19", "label": "place of birth", "n": 9, "wrong": 0.4, "unsure": 1.0},
        {"id": "P569", "label": "date of birth", "n": 62, "wrong": 3.2, "unsure": 4.0},
    ],
    "by_domain": [{"domain": "example.org", "n": 20, "wrong": 1.4, "unsure": 2.0}],
    "reliability": [
        {"from": 0.9, "to": 1.0, "n": 400.0, "said": 0.96, "found": 0.97},
        {"from": 0.0, "to": 0.1, "n": 20.2, "said": 0.04, "found": 0.06},
        {"from": 0.1, "to": 0.2, "n": 0, "said": None, "found": None},
    ],
    "risk_coverage": [{"coverage": 1.0, "risk": 0.07}, {"coverage": 0.8, "risk": 0.03}],
}


def stated(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(FIGURES), **changes}


def test_what_is_kept_is_there_in_order(session: Session) -> None:
    assert latest(session) is None
    keep(session, "judge-1", FIGURES)
    found = latest(session)
    assert found is not None
    assert (found.model_version, found.total, found.unsupported) == ("judge-1", 508, 44)
    assert found.how == "five folds by page, five seeds"
    assert found.by_property == (
        ErrorOf("P569", "date of birth", 62, 3.2, 4.0),
        ErrorOf("P19", "place of birth", 9, 0.4, 1.0),
    )
    assert found.by_domain == (ErrorOf("example.org", "", 20, 1.4, 2.0),)
    # A tenth in which there is nothing has no figures.
    assert found.reliability == (Reliability(0.0, 0.1, 20.2, 0.04, 0.06), Reliability(0.9, 1.0, 400.0, 0.96, 0.97))
    assert found.risk_coverage == (Risk(0.8, 0.03), Risk(1.0, 0.07))


def test_figures_of_a_version_are_kept_once_however_often(session: Session) -> None:
    keep(session, "judge-1", FIGURES)
    first = latest(session)
    session.commit()
    keep(session, "judge-1", FIGURES)
    second = latest(session)
    assert first is not None
    assert second is not None
    assert (first.by_property, first.by_domain) == (second.by_property, second.by_domain)
    assert (first.reliability, first.risk_coverage) == (second.reliability, second.risk_coverage)
    keep(session, "judge-1", stated(rows=9, unsupported=1, by_property=[], risk_coverage=[]))
    changed = latest(session)
    assert changed is not None
    assert (changed.total, changed.by_property, changed.risk_coverage) == (9, (), ())
    assert changed.by_domain == first.by_domain


def test_the_model_that_was_last_put_to_work_counts(session: Session) -> None:
    keep(session, "judge-1", FIGURES)
    keep(session, "judge-2", stated(rows=600, by_property=[]))
    assert latest(session).model_version == "judge-2"  # type: ignore[union-attr]
    assert error_of(session, "P569") is None
    keep(session, "judge-1", FIGURES)
    assert latest(session).model_version == "judge-1"  # type: ignore[union-attr]
    assert error_of(session, "P569") == ErrorOf("P569", "date of birth", 62, 3.2, 4.0)
    assert error_of(session, "P1") is None


@pytest.mark.parametrize(
    "broken",
    [{}, {key: value for key, value in FIGURES.items() if key != "reliability"}, stated(by_domain=[{"n": 1}])],
    ids=["empty", "no reliability", "no domain"],
)
def test_figures_that_lack_something_are_refused_whole(session: Session, broken: dict[str, Any]) -> None:
    keep(session, "judge-1", FIGURES)
    with pytest.raises(BrokenFigures, match="judge-2 lack"):
        keep(session, "judge-2", broken)
    assert session.scalars(select(schema.Measured.model_version)).all() == ["judge-1"]


def verdict_id(session: Session, pair_id: int) -> int:
    current = (schema.Verdict.pair_id == pair_id, schema.Verdict.current)
    return session.scalars(select(schema.Verdict.id).where(*current)).one()


def decided(session: Session, pair_id: int, decision: str, reviewer: str = "Ada") -> None:
    decide(session, verdict_id(session, pair_id), reviewer, decision)


def test_decisions_agree_with_verdicts_or_not(session: Session) -> None:
    put_terms(session, [Term("P569", "date of birth")])
    elsewhere = {"property_id": "P570", "urls": (SourceUrl("https://b.example/", "live"),)}
    refuted = [judged(session, number=number) for number in (1, 2, 3)]
    supported = judged(session, number=4, finding=verdict(0.9, Stance.SUPPORTS))
    unsure = judged(session, number=5, finding=verdict(0.6, unsure=True))
    other = judged(session, number=6, **elsewhere)
    judged(session, number=7)
    for pair, decision in zip(refuted, ("does_not", "supports", "cant_tell"), strict=True):
        decided(session, pair, decision)
    decided(session, supported, "supports")
    decided(session, unsure, "does_not")
    decided(session, other, "supports")
    found = agreements(session)
    born = Agreement("P569", "date of birth", agreed=2, disagreed=1, settled=1, undecided=1)
    assert found.by_property == (born, Agreement("P570", "", 0, 1, 0, 0))
    assert [(each.name, each.agreed, each.disagreed) for each in found.by_domain] == [
        ("example.org", 2, 1),
        ("b.example", 0, 1),
    ]


def test_the_latest_decision_about_a_pair_counts_against_the_verdict_it_was_about(session: Session) -> None:
    pair_id = judged(session)
    decided(session, pair_id, "does_not")
    decided(session, pair_id, "supports", "Eve")
    assert agreements(session).by_property == (Agreement("P569", "", 0, 1, 0, 0),)
    # A later model agrees with Eve, but she decided about the former one's verdict.
    better = verdict(0.9, Stance.SUPPORTS, "judge-2")
    judge(session, again(session, pair_id), better, kept(session), model="judge-2")
    assert agreements(session).by_property == (Agreement("P569", "", 0, 1, 0, 0),)
    eves = session.scalars(select(schema.Review.id).where(schema.Review.reviewer == "Eve")).one()
    undo(session, eves, "Eve")
    assert agreements(session).by_property == (Agreement("P569", "", 1, 0, 0, 0),)


def test_decisions_about_what_was_not_judged_say_nothing_of_the_judge(session: Session) -> None:
    pair_id = judged(session)
    judge(session, again(session, pair_id), NotJudged(Outcome.NOT_FOUND))
    decided(session, pair_id, "cant_tell")
    assert agreements(session).by_property == ()
