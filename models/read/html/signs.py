"""What a page's markup tells of whether it is still the one that was cited."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from models.read.page import Signs, printable

_LONGEST = 2_000
_MOST_FIELDS = 2_000
_SEARCH_NAMES = frozenset({"q", "s", "query", "search", "keyword", "keywords"})


def signs_of(tree: LexborHTMLParser) -> Signs:
    """The signs that stand in the markup; address and status are the fetcher's to know."""
    fields = [node.attributes for node in tree.css("input")[:_MOST_FIELDS]]
    types = {(one.get("type") or "").lower() for one in fields}
    names = {(one.get("name") or "").lower() for one in fields}
    return Signs(
        canonical=_attribute(tree, 'link[rel~="canonical"][href]', "href"),
        site=_attribute(tree, 'meta[property="og:site_name"][content]', "content")
        or _attribute(tree, 'meta[name="application-name"][content]', "content"),
        password="password" in types,
        search="search" in types or not _SEARCH_NAMES.isdisjoint(names),
        links=len(tree.css("a[href]")),
        scripts=len(tree.css("script")),
    )


def _attribute(tree: LexborHTMLParser, selector: str, name: str) -> str:
    node = tree.css_first(selector)
    return " ".join(printable(node.attributes.get(name) or "").split())[:_LONGEST] if node is not None else ""
