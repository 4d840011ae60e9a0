"""A verdict's reason in one sentence, built from matches: what the page names, and no model's prose."""

from __future__ import annotations

from collections.abc import Sequence

from models.statement import Statement
from models.verbalise import say_value
from models.verdict import Evidence, Match, Stance

_HOW = {
    "exact": "the page names “{text}”",
    "alias": "the page names “{text}”, another name of it",
    "reordered": "the page names “{text}”",
    "initials": "the page names “{text}”, with initials",
    "fuzzy": "the page has “{text}”, nearly the same",
    "within_bounds": "the page gives “{text}”, the same within rounding",
    "coarser": "the page gives only “{text}”, which is less precise",
}


def reason(statement: Statement, stance: Stance, evidence: Sequence[Evidence], about_subject: float) -> str:
    """One sentence for an editor. It speaks of the page, never of the statement's truth."""
    value = say_value(statement.value)
    best = _first(evidence, conflict=False)
    other = _first(evidence, conflict=True)
    subject = statement.item.label or statement.item.id
    if stance is Stance.REFUTES and other:
        return f"For “{statement.property.label}” the page gives “{other[0]}”; the statement says {value}."
    if best is None and about_subject < 0.5 and not _names_subject(evidence):
        return f"None of the passages names {subject} or {value}."
    if best is None:
        return (
            f"The page is about {subject} but doesn’t name {value}."
            if about_subject >= 0.8
            else f"The page doesn’t name {value}."
        )
    text, match = best
    said = _HOW.get(match.how, _HOW["exact"]).format(text=text)
    sentence = f"For {value}, {said}" if text.casefold() != value.casefold() else said[0].upper() + said[1:]
    if stance is Stance.SUPPORTS:
        return f"{sentence}."
    if about_subject < 0.5 and not _names_subject(evidence):
        return f"{sentence}, but not {subject}."
    if match.how == "coarser":
        return f"{sentence} than the statement."
    return f"{sentence}, but not clearly as “{statement.property.label}”."


def _first(evidence: Sequence[Evidence], *, conflict: bool) -> tuple[str, Match] | None:
    found = [
        (match.score, -position, one.passage.text[match.start : match.end], match)
        for position, one in enumerate(evidence)
        for match in one.matches
        if match.part == "value" and (match.how == "conflict") == conflict
    ]
    if not found:
        return None
    _, _, text, match = max(found, key=lambda entry: entry[:2])
    return text, match


def _names_subject(evidence: Sequence[Evidence]) -> bool:
    return any(match.part == "subject" for one in evidence for match in one.matches)
