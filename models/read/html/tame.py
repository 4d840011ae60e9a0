"""HTML that no parser chokes on: a parser's time grows with the square of nesting and of a tag's attributes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import islice

DEEPEST = 2_000  # open elements; browsers stop at 512
MOST_TAGS = 200_000  # opening and closing; the longest real page that we have met has 50,000
MOST_ATTRIBUTES = 200  # of one tag
MOST_OPTIONS = 4_000  # choices in forms; the parser's time grows with their square too
MOST_SOURCE = 12_000_000  # characters looked at
_MOST_REST = 4_000_000  # characters kept as bare text, from where a page nests too deep
_MOST_SPENT = 4_000_000  # characters of attributes on a page, of which the parser makes much memory
_LONGEST_COUNTED = 2_000  # of one tag, so that a picture in an attribute doesn't count for many
_LONG_TAG = 800  # characters; a shorter one can't have too many attributes

# A tag as the HTML standard's tokeniser reads it, so that a ">" in quotes doesn't end it; or a comment.
_ONE = (
    r"[^ \t\r\n\f/>][^ \t\r\n\f/>=]*+"
    r"(?:[ \t\r\n\f]*+=[ \t\r\n\f]*+(?:\"[^\"]*+\"|'[^']*+'|[^ \t\r\n\f>\"'][^ \t\r\n\f>]*+)?+)?+"
)
_ATTRIBUTE = re.compile(_ONE)
_TAG = re.compile(
    r"<(?:(/?)([a-zA-Z][^ \t\r\n\f/>]*+)((?:[ \t\r\n\f/]++|" + _ONE + r")*+)>?"
    r"|!--(?:-?>|.*?(?:--!?>|\Z)))",
    re.DOTALL,
)
_ANY_TAG = re.compile(r"<[^<>]{0,2000}>")
# Void elements, and those that the next of their kind closes: these don't nest when they are left open.
_SHALLOW = frozenset(
    (
        "area base br col embed hr img input link meta param source track wbr "
        "p li dt dd tr td th thead tbody tfoot option optgroup"
    ).split()
)

_WALLS = frozenset({"table", "template", "select", "object", "marquee", "applet", "svg", "math"})
_FORMATS = frozenset("a b big code em font i nobr s small strike strong tt u".split())
_FEW_FORMATS = 12
_OPTIONS = frozenset({"option", "optgroup", "select"})

# Elements whose content is no HTML, and what ends them.
_RAW = {
    name: re.compile(rf"</{name}", re.IGNORECASE)
    for name in ("script", "style", "textarea", "title", "xmp", "noframes", "iframe")
}


def _has_too_many(attributes: str) -> bool:
    found = _ATTRIBUTE.finditer(attributes)
    return next(islice(found, MOST_ATTRIBUTES, None), None) is not None


@dataclass(slots=True)
class _Open:
    """Elements that are open, as the parser counts them: an end tag reaches no further than the table around it."""

    names: list[str] = field(default_factory=list)
    places: dict[str, list[int]] = field(default_factory=dict)  # of each name, where it stands in `names`
    walls: list[int] = field(default_factory=list)  # places of what an end tag doesn't reach across
    formats: int = 0  # of them, elements that the parser opens again in each block

    def begin(self, name: str) -> None:
        """An element begins."""
        at = len(self.names)
        self.names.append(name)
        self.places.setdefault(name, []).append(at)
        self.formats += name in _FORMATS
        if name in _WALLS:
            self.walls.append(at)

    def end(self, name: str) -> None:
        """An end tag: closes the last element of its name and all in it, or nothing."""
        places = self.places.get(name)
        if not places or (self.walls and self.walls[-1] > places[-1] and name not in _WALLS):
            return
        for at in range(len(self.names) - 1, places[-1] - 1, -1):
            closed = self.names.pop()
            self.places[closed].pop()
            self.formats -= closed in _FORMATS
            if closed in _WALLS and self.walls and self.walls[-1] == at:
                self.walls.pop()


def tame(html: str) -> str:
    """The page itself; or, from where it nests too deep or has too many tags, its text without any more tags.

    A tag with too many attributes loses them, and so does each after too many on the page.
    """
    html = html[:MOST_SOURCE]
    kept: list[str] = []
    open_ = _Open()
    count = options = again = spent = at = copied = 0
    while at >= 0:
        tags = _TAG.finditer(html, at)
        at = -1
        for match in tags:
            closing, name, attributes = match.groups()
            if name is None:
                continue
            count += 1
            spent += min(len(attributes), _LONGEST_COUNTED)
            if attributes and (spent > _MOST_SPENT or (len(attributes) > _LONG_TAG and _has_too_many(attributes))):
                kept += [html[copied : match.start()], f"<{closing}{name}>"]
                copied = match.end()
            name = name.lower()
            if name in _OPTIONS:
                options += 1
                if options > MOST_OPTIONS:
                    kept.append(html[copied : match.start()])
                    copied = match.end()
            if name in _SHALLOW:
                pass
            elif closing:
                open_.end(name)
            elif name in _RAW:
                ended = _RAW[name].search(html, match.end())
                at = ended.end() if ended is not None else -1  # without end, all the rest is its content
                break
            else:
                open_.begin(name)
            if open_.formats > _FEW_FORMATS:
                again += open_.formats
            if len(open_.names) > DEEPEST or count > MOST_TAGS or again > MOST_TAGS:
                start = max(copied, match.start())
                rest = _ANY_TAG.sub(" ", html[start : start + _MOST_REST])
                return "".join((*kept, html[copied:start], rest))
    return "".join((*kept, html[copied:])) if kept else html
