"""A site's front page, where a page of its own was asked for."""

from __future__ import annotations

import re
from urllib.parse import SplitResult

from models.rot.addresses import split
from models.rot.phrases import HOME
from models.rot.seen import Seen
from models.values.found import HINT, NAMED

_FRONT = re.compile(
    r"/*(?:[a-z]{2}(?:[-_][a-z]{2})?/*)?(?:(?:index|default|home|homepage|start|main|welcome|portal)(?:\.\w{2,5})?/*)?",
    re.IGNORECASE,
)


_SOUGHT = re.compile(r"(?:^|&)(?:q|query|s|search|id|p|page|title|record|item)=", re.IGNORECASE)
_TRIFLE = 40  # characters of a query that only says how one came


def is_front(url: SplitResult) -> bool:
    """Whether an address is a site's front page, in whatever language."""
    return len(url.query) <= _TRIFLE and not _SOUGHT.search(url.query) and bool(_FRONT.fullmatch(url.path))


def front_page(seen: Seen) -> str | None:
    """What shows that the front page came in place of a page; None where nothing does."""
    headed = max((head.subject for head in seen.heads[:2]), default=0.0)
    led = seen.moved and is_front(seen.came)
    if is_front(seen.asked) or seen.states or headed >= NAMED:
        return None
    if led:
        return f"the front page of {seen.came.hostname}"
    if (seen.half_headed and not seen.moved) or headed >= HINT or (seen.named >= NAMED and headed > 0):
        return None
    canonical = split(seen.signs.canonical)
    at_home = bool(canonical.hostname) and is_front(canonical)
    if (seen.stranger or not (seen.told or seen.valued)) and (at_home or seen.in_heads(HOME, 3)):
        return seen.title
    return None
