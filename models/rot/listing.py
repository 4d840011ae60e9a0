"""Search results, an index, a category: many things in place of the one that was asked for."""

from __future__ import annotations

import re
from urllib.parse import SplitResult

from models.rot.phrases import LISTING
from models.rot.seen import Seen
from models.values.found import HINT

_PATH = re.compile(
    r"/search(?:/|$)|/(?:search\w*|results?|browse|category|categories|tags?|archives?|index|list|a-z|directory|topics?|"
    r"suche|recherche|risultati|buscar|zoeken|collections?|reviews?|sport|news|all|people|staff|roster|artists?|players|"
    r"members|team)(?:\.\w{2,5})?/?$",
    re.IGNORECASE,
)
_QUERY = re.compile(r"(?:^|&)(?:q|query|search|s|keywords?|term|text|lookup)=", re.IGNORECASE)
_SEARCH = re.compile(r"search|risultati|recherche|suche|buscar|busqueda|zoek|sok", re.IGNORECASE)
_ENTRIES = 6  # blocks that are links
_LINKED = 0.45  # share of text in links
_ENOUGH = 3  # signs of a list
_HEADED = 0.5  # how surely a head beside the words of a list names the subject


def listing(seen: Seen) -> str | None:
    """What shows that a list came in place of a page; None where nothing does."""
    if seen.states:
        return None
    beside = [head.subject for head in seen.heads if not LISTING.search(head.text)]
    if max(beside, default=0.0) >= _HEADED and not _sought(seen):
        return None
    said = seen.said(LISTING)
    many = 2 if seen.linked >= _LINKED and seen.headed < HINT else seen.entries >= _ENTRIES
    led = seen.moved and not seen.kin and _is_list(seen.came) and not _is_list(seen.asked)
    strength = 2 * seen.in_heads(LISTING, 2) + bool(said) + many + 2 * led + seen.stranger
    strength += many > 1 and seen.named > 0
    strength += 2 * seen.one_of_many
    if strength >= _ENOUGH:
        return said[0] if said else seen.title
    return None


def _sought(seen: Seen) -> bool:
    """Whether a search was led to: its results may bear the name that was sought."""
    return seen.moved and bool(_QUERY.search(seen.came.query) or _SEARCH.search(seen.came.path))


def _is_list(url: SplitResult) -> bool:
    return bool(_PATH.search(url.path) or _QUERY.search(url.query))
