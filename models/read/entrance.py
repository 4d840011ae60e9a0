"""How much of a document is looked at: what costs much and says nothing goes first, then what is past all measure."""

from __future__ import annotations

import re

MOST_BYTES = 8 << 20  # of HTML or text; the longest real page that we have met has 3 MB
_LONG = 1 << 20
# Pictures and fonts that stand in the page itself.
_INLINE = re.compile(rb"(data:[\w/+.-]{1,60}(?:;[\w=-]{1,40}){0,4};base64,)[A-Za-z0-9+/=%]{1000,}+", re.IGNORECASE)


def entered(body: bytes) -> bytes:
    """The part of an HTML or text document's bytes that is read. A long one goes without its inline pictures."""
    if len(body) > _LONG:
        body = _INLINE.sub(rb"\1", body)
    return body[:MOST_BYTES]
