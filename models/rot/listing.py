"""Search results, an index, a category: many things in place of the one that was asked for."""

from __future__ import annotations

import re
from urllib.parse import SplitResult

from models.rot.addresses import is_parent, telling_words
from models.rot.phrases import LISTING
from models.rot.seen import Seen
from models.values.found import HINT
from models.values.words import words_of

_PATH = re.compile(
    r"/search(?:/|$)|/(?:search\w*|results?|browse|category|categories|tags?|archives?|index|list|a-z|directory|topics?|"
    r"suche|recherche|risultati|buscar|zoeken|collections?|reviews?|sport|news|all|people|staff|roster|artists?|players|"
    r"members|team)(?:\.\w{2,5})?/?$",
    re.IGNORECASE,
)
_QUERY = re.compile(r"(?:^|&)(?:q|query|search|s|keywords?|term|text|lookup)=", re.IGNORECASE)
_SEARCH = re.compile(r"search|risultati|recherche|suche|buscar|busqueda|zoek|sok", re.IGNORECASE)
_ONE_TAG = re.compile(r"/(?:tags?|topics?|category|categories|keywords?|labels?)/[^/]+/?$", re.IGNORECASE)
_ENTRIES = 6  # blocks that are links
_LINKED = 0.45  # share of text in links
_ENOUGH = 3  # signs of a list
_HEADED = 0.5  # how surely a head beside the words of a list names the subject
_HEADS = 6  # as many heads are those of stories and entries; the first two are the page's own
_TOLD = 120  # characters about the subject; as much stands in a list


def listing(seen: Seen) -> str | None:
    """What shows that a list came in place of a page; None where nothing does."""
    if seen.states or _is_asked_for(seen):
        return None
    heads = seen.heads[:2] if len(seen.heads) >= _HEADS else seen.heads
    beside = [head.subject for head in heads if not LISTING.search(head.text)]
    if max(beside, default=0.0) >= _HEADED and not _sought(seen):
        return None
    said = seen.said(LISTING)
    many = 2 if seen.linked >= _LINKED and seen.headed < HINT else seen.entries >= _ENTRIES
    led = seen.moved and not seen.kin and _is_list(seen.came) and not _is_list(seen.asked)
    many_rows = bool(said) or max(seen.entries, seen.facts) >= _ENTRIES
    above = is_parent(seen.asked, seen.came) and seen.told < _TOLD and not seen.valued and many_rows
    strength = 2 * seen.in_heads(LISTING, 2) + bool(said) + many + (3 if above else 2 * led) + seen.stranger
    strength += many > 1 and seen.named > 0
    strength += 2 * seen.one_of_many
    if strength >= _ENOUGH:
        return said[0] if said else seen.title
    return None


def _is_asked_for(seen: Seen) -> bool:
    """Whether the list is what was cited: its title has the words of the address, and these don't name the subject."""
    words = telling_words(seen.asked)
    return (
        not seen.moved
        and seen.headed < _HEADED
        and any(words <= words_of(head.text).vocabulary for head in seen.heads[:2])
        and bool(words)
    )


def _sought(seen: Seen) -> bool:
    """Whether a search was led to: its results may bear the name that was sought."""
    return seen.moved and bool(
        _QUERY.search(seen.came.query) or _SEARCH.search(seen.came.path) or _ONE_TAG.search(seen.came.path)
    )


def _is_list(url: SplitResult) -> bool:
    return bool(_PATH.search(url.path) or _ONE_TAG.search(url.path) or _QUERY.search(url.query))
