"""A verdict's reason in one sentence, built from matches: what the page names, and no model's prose.

It speaks of the page, never of the statement's truth.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from models.evidence import Evidence, Match, Stance
from models.statement import Statement, TimeValue
from models.values.dates import find_dates
from models.values.found import NAMED
from models.verbalise import say_value
from models.verbalise.vocabulary import ACTIVE_PAST, PARTICIPLES, PREPOSITIONS, STATES, VERBS

_HOW = {
    "alias": "“{text}”, another name of {value}",
    "reordered": "“{text}” for {value}",
    "initials": "“{text}” for {value}, with initials",
    "fuzzy": "“{text}”, nearly the same as {value}",
    "partly": "“{text}”, a part of {value}",
    "within_bounds": "{text}, which is {value} within rounding",
    "reckoned": "“{text}”, which is {value} by the day the page appeared",
    "inferred": "“{text}”, from which {value} follows",
}
_ABOUT_SUBJECT = 0.8
_NOT_ABOUT = 0.5


@dataclass(frozen=True, slots=True)
class _Named:
    """The best match of the value, or of another in its place, with its words and those of its passage's property."""

    text: str
    match: Match
    under: str = ""  # the property's words beside it
    against: str = ""  # an opposite property's words beside it


def reason(statement: Statement, stance: Stance, evidence: Sequence[Evidence], about_subject: float) -> str:
    """One sentence for an editor: what the page gives, and for what, beside what the statement says."""
    value = say_value(statement.value)
    subject = statement.item.label or statement.item.id
    named, other = _best(evidence, conflict=False), _best(evidence, conflict=True)
    if stance is Stance.REFUTES and other:
        return f"The page names {other.text} {role_of(statement, other.text)}; the statement says {value}."
    role = role_of(statement, named.text if named else "")
    unknown = about_subject < _NOT_ABOUT and not _names_subject(evidence)
    if named is None and unknown:
        return f"None of the passages names {subject} or {value}."
    if named is None:
        about = f"is about {subject} but " if about_subject >= _ABOUT_SUBJECT else ""
        beside = f"; {role_of(statement, other.text)} it names {other.text}" if other and other.under else ""
        return f"The page {about}doesn’t name {value}{beside}."
    if named.match.how == "coarser":
        return f"The page gives only {named.text}, which is less precise than {value}."
    said = f"The page names {_said(named, value)}"
    if stance is Stance.SUPPORTS:
        return f"{said} {role}." if named.under else f"{said}."
    if unknown:
        return f"{said}, but not {subject}."
    if named.against:
        return f"{said}, but beside “{named.against}” and not clearly {role}."
    return f"{said}, but not clearly {role}."


def role_of(statement: Statement, text: str = "") -> str:
    """The property as a place for the value: "as the day of death", "as the employer", "for “located in”".

    `text` is the date that the page gives, which may be finer or coarser than the statement's.
    """
    label = (statement.property.label or "").strip() or statement.property.id
    dated = re.fullmatch(r"date of (.+)", label)
    if dated and isinstance(statement.value, TimeValue):
        return f"as the {_unit(statement.value, text)} of {dated.group(1)}"
    words = label.casefold().split()
    noun = words[0] not in PREPOSITIONS | VERBS | PARTICIPLES | STATES | ACTIVE_PAST | {"is", "has", "was", "also"}
    if noun and words[-1] not in PREPOSITIONS and "(" not in label:
        return f"as the {label}"
    return f"for “{label}”"


def _unit(value: TimeValue, text: str) -> str:
    for mention in find_dates(text):
        if mention.span == 1:
            return "day" if mention.day else "month" if mention.month else "year"
    return {9: "year", 10: "month"}.get(value.precision, "day" if value.precision > 10 else "time")


def _said(named: _Named, value: str) -> str:
    if named.text.casefold() == value.casefold():
        return value
    how = "partly" if named.match.how == "fuzzy" and named.match.score < NAMED else named.match.how
    return _HOW.get(how, "{text}").format(text=named.text, value=value)


def _best(evidence: Sequence[Evidence], *, conflict: bool) -> _Named | None:
    """The surest match of the value (or of what stands in its place): beside the property's words first."""
    found = [
        (match.score, "property" in parts, -position, one, match)
        for position, one in enumerate(evidence)
        for parts in [{m.part for m in one.matches if m.how != "opposite"}]
        for match in one.matches
        if match.part == "value" and (match.how == "conflict") == conflict
    ]
    if not found:
        return None
    *_, one, match = max(found, key=lambda entry: entry[:3])
    return _Named(_text(one, match), match, _words(one, "exact"), _words(one, "opposite"))


def _words(one: Evidence, how: str) -> str:
    return next((_text(one, match) for match in one.matches if match.part == "property" and match.how == how), "")


def _text(one: Evidence, match: Match) -> str:
    return " ".join(one.passage.text[match.start : match.end].split())


def _names_subject(evidence: Sequence[Evidence]) -> bool:
    return any(match.part == "subject" for one in evidence for match in one.matches)
