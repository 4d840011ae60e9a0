"""σ of a passage: what the verifier makes of it, held to what the matcher found."""

from __future__ import annotations

from models.values.match import PassageMatch
from models.verify import rules
from models.verify.verifier import Opinion

_MODEL = 0.5  # of σ; the rest is the rules'


def stance(match: PassageMatch, about_subject: float, opinion: Opinion) -> tuple[float, float, float]:
    """σ = (supports, refutes, not enough info), summing to 1: the mean of the verifier's and of the rules'.

    `about_subject` in [0, 1] says how surely the whole page is about the subject.
    """
    by_rule = rules.stance(match, about_subject)
    supports, refutes, neither = (
        _MODEL * model + (1.0 - _MODEL) * rule for model, rule in zip(opinion.stances, by_rule, strict=True)
    )
    return supports, refutes, neither
