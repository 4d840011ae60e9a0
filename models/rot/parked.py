"""A domain that nobody uses for what it was: for sale, a host's default page, taken over by others."""

from __future__ import annotations

from models.rot.phrases import GAMBLING, PARKED, SPAM
from models.rot.seen import Seen
from models.values.found import NAMED

_LONG = 2_500
_SOLD = 2  # texts of gambling and the like from which a page is about that


def parked(seen: Seen) -> str | None:
    """The words by which a page shows that its domain is no longer the source's; None where none do."""
    if seen.states:
        return None
    said = seen.said(PARKED)
    by_address = not seen.told and _is_named_by_domain(seen)
    if said and seen.own < _LONG and (seen.named < NAMED or by_address):
        return said[0]
    words = GAMBLING if seen.stranger else SPAM  # a gambler’s page names him
    sold = seen.said(words)
    return sold[0] if len(sold) >= _SOLD and seen.in_heads(words, 3) else None


def _is_named_by_domain(seen: Seen) -> bool:
    """Whether the heads that name the subject do so by the domain, which may be all that has the name."""
    domain = (seen.asked.hostname or "").removeprefix("www.")
    named = [head.text for head in seen.heads if head.subject >= NAMED]
    return bool(domain and named) and all(domain in text or domain in "".join(text.split()) for text in named)
