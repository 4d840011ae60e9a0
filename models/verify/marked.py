"""A claim and a passage as the verifier reads them: what the matcher found in the passage is marked.

The matcher finds the spans, the model judges the bond between them. Marks around entities are relation extraction's
(Baldini Soares and others, *Matching the Blanks*, section 3.2).
"""

from __future__ import annotations

from dataclasses import dataclass

from models.evidence import Passage
from models.statement import Statement
from models.values.found import HINT, Found
from models.values.match import PassageMatch
from models.values.names import find_term
from models.values.page_words import PageWords
from models.verbalise.labels import one_line
from models.verbalise.values import say_value

SUBJECT, VALUE, PART, OTHER = "@", "#", "~", "$"
"""Around the subject, the claim's value, a part of it or a coarser one, and another value of its kind."""
_MARKS = str.maketrans(dict.fromkeys(SUBJECT + VALUE + PART + OTHER, " "))
_CONTEXT = 90  # characters of a title or heading
_AROUND = 200  # characters of a passage on each side of what is marked
_NAME = 120


@dataclass(frozen=True, slots=True)
class Marked:
    """The two texts that the verifier reads together."""

    claim: str
    passage: str


def said(statement: Statement) -> str:
    """The claim's side: "Ada Lovelace : date of birth : 10 December 1815"."""
    parts = (statement.item.label or "", statement.property.label or "", say_value(statement.value))
    return " : ".join(one_line(part.translate(_MARKS))[:_NAME] for part in parts)


def marked(statement: Statement, title: str, passage: Passage, match: PassageMatch, words: PageWords) -> Marked:
    """A passage under its page's title and its heading, with the subject marked in each, and the value."""
    context = [
        _context(statement, text, words)
        for text in dict.fromkeys((title, passage.heading))
        if text not in {"", passage.text}
    ]
    spans = [(match.subject, SUBJECT), *_value_marks(match)]
    body = _cut(passage.text, [(found, mark) for found, mark in spans if found is not None])
    return Marked(said(statement), " | ".join([*context, body]))


def _value_marks(match: PassageMatch) -> list[tuple[Found | None, str]]:
    if match.value is not None:
        whole = match.value.score >= HINT and match.value.how not in {"coarser", "inferred"}
        return [(match.value, VALUE if whole else PART)]
    return [(match.against, OTHER)]


def _context(statement: Statement, text: str, words: PageWords) -> str:
    text = text[:_CONTEXT]
    found = find_term(statement.item, words.words(text))
    return _cut(text, [(found, SUBJECT)] if found else [])


def _cut(text: str, marks: list[tuple[Found, str]]) -> str:
    """The text around what is marked, with the marks; where two overlap, the value's stays."""
    kept: list[tuple[Found, str]] = []
    for found, mark in sorted(marks, key=lambda one: one[1] == SUBJECT):
        if all(found.end <= other.start or other.end <= found.start for other, _ in kept):
            kept.append((found, mark))
    kept.sort(key=lambda one: one[0].start)
    start = max(0, min((found.start for found, _ in kept), default=0) - _AROUND)
    end = min(len(text), max((found.end for found, _ in kept), default=0) + _AROUND)
    if end - start > 4 * _AROUND:  # subject and value far apart: what stands around the value
        value = next((found for found, mark in kept if mark != SUBJECT), kept[0][0])
        kept = [one for one in kept if one[0] is value]
        start, end = max(0, value.start - 2 * _AROUND), min(len(text), value.end + _AROUND)
    pieces, at = [], start
    for found, mark in kept:
        pieces += [
            text[at : found.start].translate(_MARKS),
            f" {mark} ",
            text[found.start : found.end].translate(_MARKS),
        ]
        pieces.append(f" {mark} ")
        at = found.end
    pieces.append(text[at:end].translate(_MARKS))
    return " ".join("".join(pieces).split())
