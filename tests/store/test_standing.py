"""Verdicts that stand needn't be found again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session
from store_rows import MODEL, again, judge, judged, kept, verdict

from models.verdict import Claim, claim_digest
from store import schema
from store.standing import standing
from store.work import Task

CLAIM = Claim("Born in 1900.", "pattern")


def digests(task: Task, row: schema.Document, claim: Claim = CLAIM) -> dict[int, tuple[str, str]]:
    return {task.pair_id: (claim_digest(claim, task.snak, task.qualifiers), row.digest)}


@pytest.mark.parametrize("unsure", [False, True])
def test_the_same_claim_body_and_model_have_their_verdict(session: Session, unsure: bool) -> None:
    finding = verdict(0.4, unsure=unsure)
    task = again(session, judged(session, finding=finding))
    row = kept(session)
    found = standing(session, digests(task, row), MODEL)[task.pair_id]
    assert found == replace(finding, evidence=())
    before = session.scalars(select(schema.Verdict)).one()
    evidence, at = [one.passage for one in before.evidence], before.judged_at
    assert judge(session, task, found, row)
    after = session.scalars(select(schema.Verdict).execution_options(populate_existing=True)).one()
    assert (after.id, after.current, [one.passage for one in after.evidence]) == (before.id, True, evidence)
    assert after.judged_at > at


def test_another_claim_body_or_model_has_none(session: Session) -> None:
    task = again(session, judged(session))
    row, other = kept(session), kept(session, body=b"<p>another</p>")
    assert standing(session, digests(task, row, Claim("Born in 1901.", "pattern")), MODEL) == {}
    assert standing(session, digests(task, other), MODEL) == {}
    assert standing(session, digests(task, row), "another") == {}
    assert standing(session, {}, MODEL) == {}
