"""What of a long passage a screen has room for: its marks, with the words around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from models.evidence import Match
from web.marking import Piece, pieces, rank

LINE, ROOM = 150, 600  # characters of one line, and of an open passage
_BEFORE = 3  # a third of the room stands before the mark


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Pieces of a text. `whole` is true where they are all of it; else `before` and `behind` say where more stands."""

    pieces: tuple[Piece, ...]
    before: bool
    behind: bool

    @property
    def whole(self) -> bool:
        """Whether nothing is left out."""
        return not self.before and not self.behind


def excerpt(text: str, matches: Sequence[Match], most: int = ROOM) -> Excerpt:
    """As much of a text as there is room for, around the mark that a reader most needs to see."""
    if len(text) <= most:
        return Excerpt(pieces(text, matches), before=False, behind=False)
    best = min(matches, key=lambda match: (rank(match), match.start), default=None)
    at = min(max(best.start, 0), len(text)) if best else 0
    start = min(max(at - most // _BEFORE, 0), len(text) - most)
    end = start + most
    start, end = _between_words(text, start, end)
    moved = [replace(match, start=match.start - start, end=match.end - start) for match in matches]
    return Excerpt(pieces(text[start:end], moved), start > 0, end < len(text))


def _between_words(text: str, start: int, end: int) -> tuple[int, int]:
    """The bounds moved inwards to spaces, where there are any near by: some languages write none."""
    near = 20
    if start > 0 and (space := text.find(" ", start, start + near)) >= 0:
        start = space + 1
    if end < len(text) and (space := text.rfind(" ", end - near, end)) > start:
        end = space
    return start, end
