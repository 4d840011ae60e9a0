"""What stands between a visitor and the page: a challenge, a login, a question of consent.

A wall says little, and nothing of the subject but its name. An article about walls, and a record with a login beside
it, tell of their subject.
"""

from __future__ import annotations

from models.rot.phrases import CHALLENGE, CONSENT, LOGIN
from models.rot.seen import Seen
from models.values.found import NAMED

_CHALLENGE_TEXT = 1_500  # characters of own text that a challenge has at most
_WALL_TEXT = 6_000  # terms to be agreed to are long
_STUB = 200  # a page with less says hardly anything beside the wall
_TOLD = 160  # characters about the subject; a wall has its name in a heading, or a sentence to invite
_RECORD = 4  # rows of a record


def challenge(seen: Seen) -> str | None:
    """The words of a page that asks whether its visitor is human; None where it doesn't."""
    if seen.own > _CHALLENGE_TEXT or _tells(seen):
        return None
    said = seen.said(CHALLENGE)
    about = seen.headed_beside(CHALLENGE) >= NAMED
    strength = len(said) + seen.in_heads(CHALLENGE) + seen.gated + (seen.is_thin and not about)
    return said[0] if said and strength >= 2 else None


def blocked(seen: Seen) -> str | None:
    """The words of a page that is shown to members, after payment or after a consent only; None where it is shown."""
    if seen.own > _WALL_TEXT or (_tells(seen) and not seen.gated):
        return None
    said = list(dict.fromkeys([*seen.said(LOGIN), *seen.said(CONSENT)]))
    in_heads = seen.in_heads(LOGIN) or seen.in_heads(CONSENT)
    in_lead = any(text in seen.lead for text in said)
    strength = min(len(said), 4) + in_heads + 3 * seen.gated + 2 * seen.signs.password + seen.stranger
    strength += (seen.told == 0 and seen.is_thin) + (seen.own < _STUB)
    return (
        (said[0] if said else seen.title) if strength >= 3 and (in_lead or seen.gated or seen.in_heads(LOGIN)) else None
    )


def _tells(seen: Seen) -> bool:
    """Whether a page has something to say of the subject."""
    return seen.states or seen.told > _TOLD or (seen.facts >= _RECORD and seen.named >= NAMED)
