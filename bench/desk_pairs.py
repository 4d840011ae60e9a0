"""More pairs than the sample has: each of its judged ones again, as statements of their own that cite the same page."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from models.verdict import Claim, Verdict, claim_digest
from store import schema
from store.pair_view import PairView, VerdictView, pair_view
from store.runs import end_run, start_run
from store.walk import SelectedPair, put_pairs
from store.work import lease, save_judgement

WORKER = "bench"


def more_pairs(session: Session, copies: int) -> int:
    """Add so many copies of each pair that has a verdict, judged as it was; how many were made."""
    verdict = schema.Verdict
    judged = session.scalars(
        select(verdict.pair_id).where(verdict.current, verdict.stance.is_not(None)).order_by(verdict.pair_id)
    )
    views = [view for pair_id in judged if (view := pair_view(session, pair_id)) is not None]
    of = {f"{view.guid}-{copy}": view for view in views for copy in range(1, copies + 1)}
    model = next((view.current.model_version for view in views if view.current), "")
    run = start_run(session, "bench desk", model)
    put_pairs(session, run.id, [_selected(guid, view) for guid, view in of.items()], model)
    session.commit()
    for task in lease(session, WORKER, len(of), 600, run.id):
        view = of[task.guid]
        found = view.current
        assert found is not None
        assert found.document is not None
        claim = Claim(found.claim, found.wording)
        judgement = _judgement(found)
        document = session.get_one(schema.Document, found.document.id)
        digest = claim_digest(claim, task.snak, task.qualifiers)
        save_judgement(session, task, WORKER, run.id, claim, digest, document, found.via, judgement, model)
    end_run(session, run.id, "finished")
    session.commit()
    return len(of)


def _selected(guid: str, view: PairView) -> SelectedPair:
    return SelectedPair(
        guid=guid,
        item_id=view.item.id,
        property_id=view.property.id,
        snak=dict(view.snak),
        qualifiers=dict(view.qualifiers),
        rank=view.rank,
        revision=view.revision,
        ref_hash=view.ref_hash,
        ref_snaks=dict(view.ref_snaks),
        urls=view.urls,
    )


def _judgement(found: VerdictView) -> Verdict:
    assert found.stance is not None
    assert found.probability is not None
    assert found.weighted_sum is not None
    assert found.malon is not None
    return Verdict(
        found.stance,
        found.probability,
        found.evidence,
        found.weighted_sum,
        found.malon,
        found.model_version,
        found.reason,
        found.unsure,
    )
