"""A page about something else: another work, another record, another ship with the same number, a namesake."""

from __future__ import annotations

from models.rot.seen import Seen
from models.values.found import NAMED

_HEADED = 0.5  # below it only a part of the name, a surname say, stands in the heads
_TOLD = 120  # characters about the subject; as much stands in a list of predecessors


def another(seen: Seen) -> str | None:
    """What the page is about instead of the subject; None where it may be the subject."""
    if seen.states:
        return None
    led_away = (
        seen.moved and seen.headed < _HEADED and seen.told < _TOLD and not (seen.valued or seen.kin or seen.at_home)
    )
    namesake = seen.headed < NAMED and seen.other_kind and seen.named < NAMED
    namesake = namesake or seen.other_life or seen.other_year or seen.counterpart
    namesake = namesake or ((seen.numbered or seen.by_another) and not seen.valued)
    # A work under its title in another language has its year, and the one who made it.
    stranger = seen.stranger and not (seen.at_home or (seen.valued and seen.of_its_year))
    if stranger or led_away or namesake:
        return seen.title or "the page"
    return None
