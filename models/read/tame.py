"""HTML that no parser chokes on: a parser's time grows with the square of the nesting, its memory with every tag."""

from __future__ import annotations

import re

DEEPEST = 2_000  # open elements; browsers stop at 512
MOST_TAGS = 200_000  # opening and closing; the longest real page that we have met has 50,000
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
_ANY_TAG = re.compile(r"<[^<>]{0,2000}>")
# Void elements, and those that the next of their kind closes: these don't nest when they are left open.
_SHALLOW = frozenset(
    (
        "area base br col embed hr img input link meta param source track wbr "
        "p li dt dd tr td th thead tbody tfoot option optgroup"
    ).split()
)


# Elements whose content is no HTML, and what ends them.
_RAW = {name: re.compile(rf"</{name}", re.IGNORECASE) for name in ("script", "style", "textarea", "title", "xmp")}


def tame(html: str) -> str:
    """The page itself; or, from where it nests too deep or has too many tags, its text without any more tags."""
    depth = count = at = 0
    while match := _TAG.search(html, at):
        at, count = match.end(), count + 1
        name = match.group(2).lower()
        if name in _RAW and not match.group(1):
            ended = _RAW[name].search(html, at)
            if ended is None:
                return html  # the parser too takes all the rest for the content of this element
            at = ended.end()
        elif name not in _SHALLOW:
            depth = max(0, depth - 1) if match.group(1) else depth + 1
        if depth > DEEPEST or count > MOST_TAGS:
            return html[: match.start()] + _ANY_TAG.sub(" ", html[match.start() :])
    return html
