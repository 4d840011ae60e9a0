"""XHTML, and other XML with prose in it, as HTML that says the same."""

from __future__ import annotations

import html
import re

_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
# Nothing in it is tried twice, and it ends before the next "<": its time grows with the length of the text alone.
_EMPTY = re.compile(r"<([A-Za-z_][\w:.-]*+)((?:[^<>\"'/]|/(?!>)|\"[^\"<]*+\"|'[^'<]*+')*+)/>")
_CDATA = re.compile(r"<!\[CDATA\[(.*?)(?:\]\]>|\Z)", re.DOTALL)
_RAW = re.compile(r"<(?:script|style)\b[^<>]{0,500}>\s*(?:/[/*][\s*/]{0,20})?\Z", re.IGNORECASE)
_LONGEST_START = 600  # characters of a tag before a CDATA section


def as_html(xml: str) -> str:
    """The same document by HTML's rules: empty elements are closed by a tag of their own, CDATA is plain text."""
    return _EMPTY.sub(_closed, _CDATA.sub(_text, xml))


def _closed(found: re.Match[str]) -> str:
    name = found[1]
    return found[0] if name.lower() in _VOID else f"<{name}{found[2].rstrip()}></{name}>"


def _text(found: re.Match[str]) -> str:
    before = found.string[max(0, found.start() - _LONGEST_START) : found.start()]
    return found[1] if _RAW.search(before) else html.escape(found[1], quote=False)
