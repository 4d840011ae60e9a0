"""A page that says, with status 200, that what was asked for isn't there."""

from __future__ import annotations

import re

from models.rot.phrases import ABSENT, ABSENT_PAGE
from models.rot.seen import Seen
from models.values.found import NAMED

_LONG = 4_000  # characters of own text; a page with more is about something
_SHORT = 1_500
_TOLD = 160  # characters about the subject
_RECORD = 3  # rows of a record

# "Provenance: no records found", "No image available": one field of a page that is there.
_LABEL = re.compile(r"[^\W\d_][^:;,.!?\n]{1,40}:\s")
_OF_THE_PAGE = re.compile(
    r"\b(?:error|http|message|sorry|oops|notice|warning|attention|status: \d|results?|search|fehler|erreur|errore)\b"
)
_FIELD = re.compile(
    r"\b(?:no|this|that) (?:\w+ )?(?:image|photo|photograph|picture|video|clip|map|cover|thumbnail|preview|review|"
    r"comment|rating|biography|abstract|note|event|download)s?\b"
)
_WITHIN = 80  # characters into a text, from which a phrase is a part of what it tells


def soft_404(seen: Seen) -> str | None:
    """The words by which a page says that it has nothing to show; None where it doesn't say so."""
    if seen.states or seen.told > _TOLD:
        return None
    heads = [head.text for head in seen.heads]
    said = [text for text in seen.said(ABSENT) if text in heads or not _is_of_a_field(text)]
    about = seen.headed_beside(ABSENT) >= NAMED
    if about:  # a headline may have stayed: then it is said of the page
        said = [text for text in said if _is_of_the_page(text)]
    said = said or [seen.title] * seen.missing
    if not said:
        return None
    if seen.missing or (seen.is_thin and seen.facts < _RECORD):
        return said[0]
    if about or (seen.named >= NAMED and seen.facts >= _RECORD):
        return None
    return said[0] if seen.own < (_LONG if seen.in_heads(ABSENT, len(heads)) else _SHORT) else None


def _is_of_a_field(text: str) -> bool:
    """Whether a text says of one field or one part of a page that there is none."""
    label = _LABEL.match(text)
    phrase = ABSENT.search(text)
    of_a_part = bool(_FIELD.search(text)) or (phrase is not None and phrase.start() > _WITHIN)
    return of_a_part or (label is not None and not _OF_THE_PAGE.search(text[: label.end() + 3]))


_SENTENCE = re.compile(r"(?<=[.!?])\s+")


def _is_of_the_page(text: str) -> bool:
    """Whether one of the first sentences of a text says of the whole page that it isn't there."""
    begins = [sentence for sentence in _SENTENCE.split(text) if text.find(sentence) <= _WITHIN]
    return any(ABSENT.search(sentence) and ABSENT_PAGE.search(sentence) for sentence in begins)
