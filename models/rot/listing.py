"""Search results, an index, a category: many things in place of the one that was asked for."""

from __future__ import annotations

import re
from urllib.parse import SplitResult

from models.rot.phrases import LISTING
from models.rot.seen import Seen
from models.values.found import HINT

_PATH = re.compile(
    r"/(?:search|results?|browse|category|categories|tags?|archives?|index|list|a-z|directory|topics?|suche|recherche|"
    r"buscar|zoeken|collections?|reviews?|sport|news|all|people|staff|roster|artists?|players|members|team)(?:[./?]|$)",
    re.IGNORECASE,
)
_QUERY = re.compile(r"(?:^|&)(?:q|query|search|s|keywords?|term|text|lookup)=", re.IGNORECASE)
_ENTRIES = 6  # blocks that are links
_LINKED = 0.45  # share of text in links


def listing(seen: Seen) -> str | None:
    """What shows that a list came in place of a page; None where nothing does."""
    if (
        seen.states
        or max((head.subject for head in seen.heads[:2] if not LISTING.search(head.text)), default=0) >= HINT
    ):
        return None
    said = seen.said(LISTING)
    many = 2 if seen.linked >= _LINKED and seen.headed < HINT else seen.entries >= _ENTRIES
    led = seen.moved and _is_list(seen.came) and not _is_list(seen.asked)
    strength = 2 * seen.in_heads(LISTING, 3) + bool(said) + many + 2 * led + seen.stranger
    strength += many > 1 and seen.named > 0  # one of many
    if strength >= 3:
        return said[0] if said else seen.title
    return None


def _is_list(url: SplitResult) -> bool:
    return bool(_PATH.search(url.path) or _QUERY.search(url.query))
