"""A passage cut where matches begin and end, so that a template can mark the pieces."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass

from models.evidence import Match
from web.words import match_title

# What a reader most needs to see wins where spans overlap.
_ORDER = ("conflict", "value", "opposite", "subject", "property")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text. `kind` is None where nothing matched, else `conflict`, `value`, `opposite`, `subject` or
    `property`."""

    text: str
    kind: str | None = None
    title: str = ""


def pieces(text: str, matches: Iterable[Match]) -> tuple[Piece, ...]:
    """Cut a text at its matches. The pieces joined are the text again; spans outside of it are clipped."""
    spans = [(max(match.start, 0), min(match.end, len(text)), match) for match in matches]
    spans = [span for span in spans if span[0] < span[1]]
    cuts = sorted({0, len(text), *(at for start, end, _ in spans for at in (start, end))})
    made = []
    for start, end in itertools.pairwise(cuts):
        here = sorted((match for a, b, match in spans if a <= start and end <= b), key=rank)
        titles = dict.fromkeys(match_title(match) for match in here)
        made.append(Piece(text[start:end], _kind(here[0]) if here else None, "; ".join(titles)))
    return tuple(made)


def _kind(match: Match) -> str:
    return match.how if match.how in {"conflict", "opposite"} else match.part


def rank(match: Match) -> int:
    """How much a reader needs to see a match, the most needed first."""
    kind = _kind(match)
    return _ORDER.index(kind) if kind in _ORDER else len(_ORDER)


def named(text: str, matches: Iterable[Match]) -> tuple[Piece, ...]:
    """The matches one by one, with what each is in words, most needed first; the same words only once."""
    found = [
        Piece(text[max(match.start, 0) : match.end].strip(), _kind(match), match_title(match))
        for match in sorted(matches, key=lambda match: (rank(match), match.start))
    ]
    return tuple(dict.fromkeys(piece for piece in found if piece.text))
