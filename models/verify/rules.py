"""Stance from what the matcher found: no weights, so that a reader can follow every number."""

from __future__ import annotations

from models.values.match import PassageMatch

_CEILING = 0.95  # a rule is never surer than this


def stance(match: PassageMatch, about_subject: float) -> tuple[float, float, float]:
    """σ = (supports, refutes, not enough info), each in [0, 1], summing to 1.

    A passage supports as far as it has the value, about the subject, tied to the property; it refutes as far as the
    property stands with another value in it. `about_subject` in [0, 1] says how surely the whole page is about the
    subject, so that a row of its record need not name it again. To refute takes more: the passage itself must speak
    of the subject, by name, heading or pronoun, or as a row of its record.
    """
    whose = max(match.subject_score, 0.9 * about_subject)
    tie = max(0.35, 0.75 * match.property_score, match.bond)
    if match.bond < 0:
        tie = 0.35 * (1 + match.bond)
    supports = _CEILING * match.value_score * whose * tie
    refutes = min(_CEILING * match.conflict * match.whose, 1.0 - supports)
    return supports, refutes, 1.0 - supports - refutes
