"""A domain that nobody uses for what it was: for sale, a host's default page, taken over by others."""

from __future__ import annotations

from models.rot.phrases import GAMBLING, PARKED
from models.rot.seen import Seen
from models.values.found import NAMED

_LONG = 2_500
_SOLD = 2  # texts of gambling and the like from which a page is about that


def parked(seen: Seen) -> str | None:
    """The words by which a page shows that its domain is no longer the source's; None where none do."""
    if seen.states:
        return None
    said, sold = seen.said(PARKED), seen.said(GAMBLING)
    by_address = len(said) > 1 and not seen.told  # a domain may be all that has the name
    if said and seen.own < _LONG and (seen.named < NAMED or by_address):
        return said[0]
    return sold[0] if len(sold) >= _SOLD and seen.in_heads(GAMBLING, 3) else None
