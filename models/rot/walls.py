"""What stands between a visitor and the page: a challenge, a login, a question of consent.

A wall says little, and nothing of the subject but its name. An article about walls, and a record with a login beside
it, tell of their subject.
"""

from __future__ import annotations

from models.rot.front_page import is_front
from models.rot.phrases import CHALLENGE, CONSENT, LOGIN
from models.rot.seen import Seen
from models.values.found import HINT, NAMED

_CHALLENGE_TEXT = 1_500  # characters of own text that a challenge has at most
_WALL_TEXT = 6_000  # terms to be agreed to are long
_STUB = 200  # a page with less says hardly anything beside the wall
_TOLD = 160  # characters about the subject; a wall has its name in a heading, or a sentence to invite
_LONG, _SHARE = 2_500, 0.8  # a long wall speaks of little else: the part of the text that may be about something else
_BESIDE, _TERMS = 170, 1_000  # characters beside the question: less is its buttons, more is what is to be agreed to
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
    if seen.moved and is_front(seen.came) and not seen.gated and not is_front(seen.asked):
        return None  # a front page invites
    said = list(dict.fromkeys([*seen.said(LOGIN), *seen.said(CONSENT)]))
    rest = seen.own - sum(len(text) for text in said if text in seen.lead)
    if not (seen.gated or seen.stranger or seen.signs.password or seen.said(LOGIN)) and _BESIDE < rest < _TERMS:
        return None  # a banner over a page that has its own to say
    if seen.own > _LONG and not seen.gated and rest > _SHARE * seen.own:
        return None  # the way to sign in stands on every page of such a site
    in_heads = seen.in_heads(LOGIN) or seen.in_heads(CONSENT)
    in_lead = any(text in seen.lead for text in said)
    strength = min(len(said), 4) + in_heads + 3 * seen.gated + 2 * seen.signs.password + seen.stranger
    strength += (seen.told == 0 and seen.is_thin) + (seen.own < _STUB)
    return (
        (said[0] if said else seen.title) if strength >= 3 and (in_lead or seen.gated or seen.in_heads(LOGIN)) else None
    )


def _tells(seen: Seen) -> bool:
    """Whether a page has something to say of the subject."""
    return seen.states or seen.told > _TOLD or (seen.facts >= _RECORD and seen.named >= HINT)
