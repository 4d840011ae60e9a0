"""A page about something else: another work, another record, another ship with the same number, a namesake."""

from __future__ import annotations

from models.rot.seen import Seen
from models.values.found import NAMED

_HEADED = 0.5  # below it only a part of the name, a surname say, stands in the heads
_TOLD = 120  # characters about the subject; as much stands in a list of predecessors
_YEARS = 2  # different years from which a page tells its time, where nothing else says that it is another


def another(seen: Seen) -> str | None:
    """What the page is about instead of the subject; None where it may be the subject."""
    if seen.states:
        return None
    led_away = seen.moved and seen.headed < _HEADED and seen.told < _TOLD and not (seen.valued or seen.kin)
    namesake = seen.headed < NAMED and (seen.other_life or (seen.other_kind and seen.named < NAMED))
    namesake = namesake or (seen.numbered and not seen.valued)
    if seen.stranger or led_away or namesake or _of_another_time(seen):
        return seen.title or "the page"
    return None


def _of_another_time(seen: Seen) -> bool:
    """Whether a page that bears the subject's name gives years, and none from the subject's own time."""
    if not seen.lifetime or len(seen.years) < (1 if seen.moved else _YEARS) or seen.headed < NAMED:
        return False
    first, last = min(seen.lifetime) - 1, max(seen.lifetime) + 1
    return not any(first <= year <= last for year in seen.years)
