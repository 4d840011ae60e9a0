"""What stands between a visitor and the page: a challenge, a login, a question of consent.

A wall says little, and nothing of the subject but its name. An article about walls, and a record with a login beside
it, tell of their subject.
"""

from __future__ import annotations

from models.rot.front_page import is_front
from models.rot.phrases import CHALLENGE, CHALLENGE_ASKS, CONSENT, LOGIN
from models.rot.seen import Seen
from models.values.found import HINT, NAMED

_CHALLENGE_TEXT = 1_500  # characters of own text that a challenge has at most
_WALL_TEXT = 6_000  # terms to be agreed to are long
_STUB = 60  # a page with less beside the wall and its heads says hardly anything
_TOLD = 160  # characters about the subject; a wall has its name in a heading, or a sentence to invite
_LONG, _SHARE = 2_500, 0.8  # a long wall speaks of little else: the part of the text that may be about something else
_BESIDE, _TERMS = 170, 1_000  # characters beside the question: less is its buttons, more is what is to be agreed to
_RECORD = 4  # rows of a record
_ENOUGH = 3  # signs of a wall


def challenge(seen: Seen) -> str | None:
    """The words of a page that asks whether its visitor is human; None where it doesn't."""
    if seen.own > _CHALLENGE_TEXT or _tells(seen):
        return None
    said = seen.said(CHALLENGE)
    if seen.headed >= NAMED and (seen.valued or not seen.said(CHALLENGE_ASKS)):
        return None  # a page about such things, or with their words
    if any(head.subject >= NAMED and not CHALLENGE.search(head.text) for head in seen.heads[1:]):
        return None  # a challenge may keep a title, and has its own heading
    about = seen.headed_beside(CHALLENGE) >= NAMED
    strength = len(said) + seen.in_heads(CHALLENGE) + seen.gated + (seen.is_thin and not about)
    return said[0] if said and strength >= 2 else None


def blocked(seen: Seen) -> str | None:
    """The words of a page that is shown to members, after payment or after a consent only; None where it is shown."""
    if seen.own > _WALL_TEXT or seen.states or (_tells(seen) and not seen.gated):
        return None
    if seen.moved and is_front(seen.came) and not seen.gated and not is_front(seen.asked):
        return None  # a front page invites
    said = list(dict.fromkeys([*seen.said(LOGIN), *seen.said(CONSENT)]))
    rest = seen.own - sum(len(text) for text in said if text in seen.lead)
    beside = rest - sum(len(head.text) for head in seen.heads if head.text in seen.lead and head.text not in said)
    of_its_own = beside > _STUB and any(head.subject >= NAMED and head.text not in said for head in seen.heads[1:])
    if of_its_own and not (seen.gated or seen.signs.password or seen.said(LOGIN)):
        return None  # a question above or below a page that the subject heads
    if not (seen.gated or seen.stranger or seen.signs.password or seen.said(LOGIN)) and _BESIDE < rest < _TERMS:
        return None  # a banner over a page that has its own to say
    if seen.own > _LONG and not seen.gated and rest > _SHARE * seen.own:
        return None  # the way to sign in stands on every page of such a site
    in_heads = seen.in_heads(LOGIN) or seen.in_heads(CONSENT)
    in_lead = any(text in seen.lead for text in said)
    strength = min(len(said), 4) + in_heads + 3 * seen.gated + 2 * seen.signs.password + seen.stranger
    strength += (seen.told == 0 and seen.is_thin) + (beside < _STUB)
    if strength < _ENOUGH or not (in_lead or seen.gated or seen.in_heads(LOGIN)):
        return None
    return said[0] if said else seen.title


def _tells(seen: Seen) -> bool:
    """Whether a page has something to say of the subject."""
    return seen.states or seen.told > _TOLD or (seen.facts >= _RECORD and seen.named >= HINT)
