"""A sentence with gaps: how our own patterns are written, and how one is filled for a statement."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from models.verbalise.articles import an, possessive, the, the_subject


class Gap(Enum):
    """What a gap takes. The value is how a pattern writes it in braces."""

    SUBJECT = "subject"
    SUBJECTS = "subject's"
    OBJECT = "object"
    AN_OBJECT = "an object"
    THE_OBJECT = "the object"
    QUOTED = "quoted object"
    WHEN = "when"


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb that moves into the past when the statement's qualifiers say that it ended; written "[is]"."""

    present: str
    past: str


Sentence = tuple[str | Gap | Verb, ...]

_PAST = {
    "is": "was",
    "are": "were",
    "has": "had",
    "accepts": "accepted",
    "belongs": "belonged",
    "competes": "competed",
    "holds": "held",
    "operates": "operated",
    "plays": "played",
    "represents": "represented",
    "serves": "served",
}
IS, ARE, HAS = (Verb(present, _PAST[present]) for present in ("is", "are", "has"))

_PIECE = re.compile(r"(\{[^}]*\}|\[[^\]]*\])")


def parse(pattern: str) -> Sentence:
    """Read a pattern such as "{subject} [is] made of {object}". Raises ValueError for a gap or verb unknown here."""
    return tuple(_piece(piece) for piece in _PIECE.split(pattern) if piece)


def _piece(piece: str) -> str | Gap | Verb:
    if piece.startswith("{"):
        return Gap(piece[1:-1])
    if piece.startswith("["):
        verb = piece[1:-1]
        if verb not in _PAST:
            raise ValueError(f"no past tense known for {piece}")
        return Verb(verb, _PAST[verb])
    return piece


@dataclass(frozen=True, slots=True)
class Words:
    """What fills the gaps: the subject, the value, the value as a time with its preposition, and what follows it."""

    subject: str
    value: str
    when: str
    after_value: str = ""
    ended: bool = False


_FILL: dict[Gap, Callable[[Words], str]] = {
    Gap.SUBJECT: lambda words: the_subject(words.subject),
    Gap.SUBJECTS: lambda words: possessive(the_subject(words.subject)),
    Gap.OBJECT: lambda words: words.value + words.after_value,
    Gap.AN_OBJECT: lambda words: an(words.value) + words.after_value,
    Gap.THE_OBJECT: lambda words: the(words.value) + words.after_value,
    Gap.QUOTED: lambda words: quoted(words.value) + words.after_value,
    Gap.WHEN: lambda words: words.when + words.after_value,
}


def fill(sentence: Sequence[str | Gap | Verb], words: Words) -> str:
    """The sentence without its full stop. A label's own braces and letters stay as they are."""
    text = "".join(_say(piece, words) for piece in sentence)
    first = sentence[0]
    label = words.subject if first in {Gap.SUBJECT, Gap.SUBJECTS} else words.value
    # Our own article at the beginning takes a capital; a label never changes its first letter.
    if isinstance(first, Gap) and first is not Gap.QUOTED and not text.startswith(label):
        return text[0].upper() + text[1:]
    return text


def _say(piece: str | Gap | Verb, words: Words) -> str:
    if isinstance(piece, str):
        return piece
    if isinstance(piece, Verb):
        return piece.past if words.ended else piece.present
    return _FILL[piece](words)


def quoted(text: str) -> str:
    """The text in double quotes, unless it brings its own."""
    return text if text.startswith(('"', "“", "«", "„", "「")) else f'"{text}"'
