"""Verdicts that stand: what a model found of a claim and a body once, it needn't find again."""

from __future__ import annotations

import json
from collections.abc import Mapping

from sqlalchemy import text
from sqlalchemy.orm import Session

from models.evidence import Stance
from models.verdict import Verdict


def standing(session: Session, met: Mapping[int, tuple[str, str]], model_version: str) -> Mapping[int, Verdict]:
    """The verdicts, by pair, that this model came to of the same claim and body before, without their evidence.

    `met` has the digests of claim and body for each pair. Saving such a verdict makes it the current one again, with
    the evidence that it has.
    """
    asked = [{"pair_id": pair_id, "claim": claim, "body": body} for pair_id, (claim, body) in met.items()]
    rows = session.execute(_STANDING, {"asked": json.dumps(asked), "model": model_version})
    return {
        row.pair_id: Verdict(
            Stance(row.stance),
            row.probability,
            (),
            Stance(row.weighted_sum),
            Stance(row.malon),
            model_version,
            row.reason,
            row.unsure,
        )
        for row in rows
    }


_STANDING = text("""
SELECT verdict.* FROM jsonb_to_recordset(CAST(:asked AS jsonb)) AS asked(pair_id bigint, claim text, body text)
JOIN verdict ON verdict.pair_id = asked.pair_id AND verdict.claim_digest = asked.claim
  AND verdict.document_digest = asked.body AND verdict.model_version = :model AND verdict.outcome IS NULL
""")
