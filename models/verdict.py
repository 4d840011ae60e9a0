"""Claim and verdict: what is asked of a page, and what was found."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from models.evidence import Evidence, Stance
from models.outcome import NotJudged


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement in words. `wording` says which of the ways made it: `override`, `model`, `pattern` or `grammar`."""

    text: str
    wording: str


def claim_digest(claim: Claim, snak: Mapping[str, Any], qualifiers: Mapping[str, Any]) -> str:
    """Identify what is judged: value, qualifiers and wording, so that a change of any makes a new verdict."""
    canonical = json.dumps([claim.text, snak, qualifiers], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of a pair: stance z, support probability y in [0, 1], evidence, most relevant first.

    `weighted_sum` and `malon` are the two other aggregations of ProVe, kept beside the classifier's z and y.
    `reason` is one sentence for an editor. `unsure`: the judge abstains, since y lies where its error would be too
    high; `stance` is what it leans to.
    """

    stance: Stance
    probability: float
    evidence: tuple[Evidence, ...]
    weighted_sum: Stance
    malon: Stance
    model_version: str
    reason: str = ""
    unsure: bool = False


Judgement = Verdict | NotJudged
