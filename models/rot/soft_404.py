"""A page that says, with status 200, that what was asked for isn't there."""

from __future__ import annotations

from models.rot.phrases import ABSENT
from models.rot.seen import Seen
from models.values.found import NAMED

_LONG = 4_000  # characters of own text; a page with more is about something
_SHORT = 1_500
_TOLD = 160  # characters about the subject
_RECORD = 3  # rows of a record


def soft_404(seen: Seen) -> str | None:
    """The words by which a page says that it has nothing to show; None where it doesn't say so."""
    said = seen.said(ABSENT) or [seen.title] * seen.missing
    if not said or seen.states or seen.told > _TOLD:
        return None
    if seen.missing or (seen.is_thin and seen.facts < _RECORD):  # a headline may have stayed
        return said[0]
    about = seen.headed_beside(ABSENT) >= NAMED
    in_heads = seen.in_heads(ABSENT, len(seen.heads))
    return said[0] if not about and seen.own < (_LONG if in_heads else _SHORT) else None
