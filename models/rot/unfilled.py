"""A page whose text never came: a frame for scripts, players and pictures."""

from __future__ import annotations

from models.rot.seen import Seen

_LITTLE = 120  # characters of own text on a page with scripts
_LEAST = 60  # and on one without


def unfilled(seen: Seen) -> str | None:
    """The title of a page that has next to nothing beside it; None where it has something to say."""
    if seen.moved or seen.facts > 1 or seen.valued or not (seen.stranger or seen.own == 0):
        return None
    if seen.own < (_LITTLE if seen.signs.scripts else _LEAST):
        return seen.title or "a page without a title"
    return None
