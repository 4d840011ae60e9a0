"""A site's front page, where a page of its own was asked for."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit

from models.rot.phrases import HOME
from models.rot.seen import Seen
from models.values.found import NAMED

_FRONT = re.compile(
    r"/*(?:[a-z]{2}(?:[-_][a-z]{2})?/*)?(?:(?:index|default|home|homepage|start|main|welcome|portal)(?:\.\w{2,5})?/*)?",
    re.IGNORECASE,
)


def is_front(url: SplitResult) -> bool:
    """Whether an address is a site's front page, in whatever language."""
    return not url.query and bool(_FRONT.fullmatch(url.path))


def front_page(seen: Seen) -> str | None:
    """What shows that the front page came in place of a page; None where nothing does."""
    if is_front(seen.asked) or seen.states or seen.headed >= NAMED:
        return None
    if seen.moved and is_front(seen.came):
        return f"the front page of {seen.came.hostname}"
    if seen.named >= NAMED:
        return None
    canonical = urlsplit(seen.signs.canonical) if seen.signs.canonical else None
    at_home = canonical is not None and bool(canonical.hostname) and is_front(canonical)
    if seen.stranger and (at_home or seen.in_heads(HOME, 3)):
        return seen.title
    return None
