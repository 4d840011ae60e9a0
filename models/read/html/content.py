"""The text that a reader sees in an element, as a browser shows it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

from models.read.html.inline import Edge, apart, edge_of
from models.read.page import printable

SKIP = frozenset(
    (
        "script style noscript template svg math select textarea button iframe object embed canvas video audio head "
        "noframes input datalist"
    ).split()
)
BLOCK = frozenset(
    (
        "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption "
        "figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search "
        "section summary table tbody td tfoot th thead tr ul option optgroup"
    ).split()
)
_STRONG = frozenset({"b", "strong"})
_LAYOUT = frozenset({"h1", "h2", "form", "article", "main", "section"})  # no cell of a data table holds these
_SOURCE_SPACE = re.compile(r"[ \t\r\n\f]+")  # a line break of the source is a space; only <br> breaks a line
_UNSEEN = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060\ufeff\u00ad]")
_NOT_SHOWN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_AS_BLOCK = re.compile(r"display\s*:\s*(?:block|flex|grid|table|list-item)", re.IGNORECASE)
_FOLDED = re.compile(
    r"(?:^|[\s_-])(?:tab|tabs|tabpanel|panel|pane|collapse|collapsed|collapsible|accordion|expand|toggle|more|details?|"
    r"read-?more|spoiler)(?=$|[\s_-])",
    re.IGNORECASE,
)
_LONGEST_ALT = 300


def clean(text: str) -> str:
    """Spaces collapsed, line breaks kept as single ones, none at the ends, nothing unprintable."""
    if not text.isascii():
        text = _UNSEEN.sub("", text)
    lines = [said for line in text.split("\n") if (said := " ".join(line.split()))]
    if all(map(str.isprintable, lines)):
        return "\n".join(lines)
    return "\n".join(said for line in lines if (said := " ".join(printable(line).split())))


def is_hidden(attributes: Mapping[str, str | None]) -> bool:
    """True where an element says that it isn't shown, and isn't folded away for the reader to open."""
    if not attributes:
        return False
    if "hidden" not in attributes and not ("style" in attributes and _NOT_SHOWN.search(attributes["style"] or "")):
        return False
    names = f"{attributes.get('class') or ''} {attributes.get('id') or ''} {attributes.get('role') or ''}"
    return _FOLDED.search(names[:300]) is None


def is_block(tag: str, attributes: Mapping[str, str | None]) -> bool:
    """True where an element stands on lines of its own, by its tag or its own style."""
    return tag in BLOCK or ("style" in attributes and _AS_BLOCK.search(attributes["style"] or "") is not None)


_ABBREVIATION = re.compile(r"[a-z]{1,6}\.?")
_WORDS = re.compile(r"[A-Za-z][A-Za-z ]{1,30}")
_CAPITALS = re.compile(r"[A-Z][A-Z.&]{1,9}")
_ISO = re.compile(r"(\d{4})(?:-\d\d(?:-\d\d)?)?(?=$|[T ])")


def spelled_out(tag: str, attributes: Mapping[str, str | None], shown: str) -> str:
    """What an `abbr` or a `time` says beside its text, as it is to be read: "b." as "born"; "" where as it stands."""
    shown = shown.strip()
    said = " ".join((attributes.get("datetime" if tag == "time" else "title") or "").split())[:100]
    if not said or not shown or said == shown:
        return ""
    if date := _ISO.match(said):
        return "" if date.group(1) in shown else f"{shown} ({date.group()})"
    if tag == "time":
        return ""
    if _ABBREVIATION.fullmatch(shown) and _WORDS.fullmatch(said):
        return said
    return f"{shown} ({said})" if _CAPITALS.fullmatch(shown) and any(map(str.islower, said)) else ""


@dataclass(slots=True)
class Words:
    """Text being gathered, piece by piece, with the edges of elements between the pieces."""

    parts: list[str] = field(default_factory=list)
    linked: int = 0
    in_link: int = 0
    closed: Edge = Edge.NONE
    opened: Edge = Edge.NONE

    def say(self, text: str, keep_space: bool = False) -> None:
        """Add a text node. White space is one space, as browsers show it, unless it is to be kept."""
        if not text:
            return
        if not keep_space:
            text = _SOURCE_SPACE.sub(" ", text)
        if self.closed or self.opened:
            if self.parts and apart(self.parts[-1] or " ", text, self.closed, self.opened):
                self.parts.append(" ")
            self.closed = self.opened = Edge.NONE
        self.parts.append(text)
        if self.in_link:
            self.linked += len(text)

    def space(self, text: str = " ") -> None:
        """Add a break or another text of our own."""
        self.parts.append(text)
        self.closed = self.opened = Edge.NONE

    def open(self, edge: Edge) -> None:
        """An inline element begins."""
        self.opened = Edge.NOTE if self.opened is Edge.RAISED and edge is Edge.LINK else max(self.opened, edge)

    def close(self, edge: Edge) -> None:
        """An inline element ends. What opened since the last text was empty, and ends here too."""
        self.closed = max(self.closed, edge, self.opened)
        self.opened = Edge.NONE

    def take(self) -> tuple[str, float, Edge]:
        """The text and the share of it that stands in links, and what ended it; begins anew."""
        if not self.parts:
            self.closed = self.opened = Edge.NONE
            return "", 0.0, Edge.NONE
        text = clean("".join(self.parts))
        share = min(1.0, self.linked / len(text)) if text and self.linked else 0.0
        ended = self.closed
        self.parts.clear()
        self.linked, self.closed, self.opened = 0, Edge.NONE, Edge.NONE
        return text, share, ended


@dataclass(slots=True)
class Content:
    """What a cell holds. `linked` counts characters in links; `strong` is true where all text is bold."""

    text: str
    linked: int = 0
    strong: bool = False
    tables: list[LexborNode] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)


_BREAKS = re.compile(r"([:;,.]?)\n")
_PLAIN = 1_000  # a longest text below this is that of a table that nothing marks as data
_MOST_HIDDEN = 2_000  # characters of one hidden element

Leaving = tuple[str, Edge, int, Mapping[str, str | None]]  # tag, edge, where its text begins, attributes


def children(node: LexborNode) -> list[LexborNode]:
    """A node's children, in order."""
    found, child = [], node.child
    while child is not None:
        found.append(child)
        child = child.next
    return found


def plain_text(root: LexborNode) -> str:
    """The beginning of the text of an element that isn't shown."""
    parts: list[str] = []
    size = 0
    stack = [root]
    while stack and size < _MOST_HIDDEN:
        node = stack.pop()
        tag = node.tag or ""
        if tag == "-text":
            parts.append(node.text_content or "")
            size += len(parts[-1])
        elif tag not in SKIP and tag[:1] not in "-!":
            stack.extend(reversed(children(node)))
            parts.append(" ")
    return clean("".join(parts)[:_MOST_HIDDEN]).replace("\n", " ")


def enter_inline(words: Words, tag: str, attributes: Mapping[str, str | None]) -> Leaving:
    """An inline element begins; gives what `leave_inline` needs at its end."""
    edge = edge_of(tag, (attributes.get("class") or "") if attributes else "")
    words.open(edge)
    if tag == "a":
        words.in_link += 1
    return tag, edge, len(words.parts), attributes


def leave_inline(words: Words, leaving: Leaving) -> None:
    """An inline element ends."""
    tag, edge, at, attributes = leaving
    if tag == "a":
        words.in_link -= 1
    elif tag in {"abbr", "acronym", "time"} and attributes and at < len(words.parts):
        shown = "".join(words.parts[at:])
        if other := spelled_out(tag, attributes, shown):
            lead = " " if shown[:1] == " " else ""
            words.parts[at:] = [f"{lead}{other}"]
    words.close(edge)


@dataclass(slots=True)
class _Gathering:
    """The state of reading one element: its words so far, and how much of them is bold."""

    found: Content
    longest: int
    words: Words = field(default_factory=Words)
    size: int = 0
    strong_size: int = 0
    strong: int = 0
    pre: int = 0
    lists: int = 0
    paragraphs: int = 0

    def say(self, text: str) -> None:
        self.words.say(text, self.pre > 0)
        length = len(text.strip())
        self.size += length
        self.strong_size += length if self.strong else 0

    def enter(self, tag: str, attributes: Mapping[str, str | None]) -> Leaving:
        self.strong += tag in _STRONG
        self.pre += tag == "pre"
        if not is_block(tag, attributes):
            return enter_inline(self.words, tag, attributes)
        self.words.space("\n")
        self.lists += tag in {"ul", "ol"}
        self.paragraphs += tag == "p"
        return tag, Edge.NONE, -1, attributes

    def leave(self, leaving: Leaving) -> None:
        self.strong -= leaving[0] in _STRONG
        self.pre -= leaving[0] == "pre"
        if leaving[2] < 0:
            self.words.space("\n")
        else:
            leave_inline(self.words, leaving)

    def visit(self, node: LexborNode) -> Sequence[LexborNode | Leaving]:
        tag = node.tag or ""
        if tag == "-text":
            self.say(node.text_content or "")
        elif tag == "br":
            self.words.space("\n")
        elif tag == "table":
            self.found.tables.append(node)
        elif tag == "img":
            self.words.space(f" {(node.attributes.get('alt') or '')[:_LONGEST_ALT]} ")
        elif tag not in SKIP and tag[:1] not in "-!":
            attributes = node.attributes
            if not (attributes and is_hidden(attributes)):
                return [*children(node), self.enter(tag, attributes)]
            if hidden := plain_text(node):
                self.found.hidden.append(hidden)
        return ()

    @property
    def lays_out(self) -> bool:
        """True where there is more than a cell of an unmarked table holds."""
        return self.size > self.longest or (self.longest < _PLAIN and (self.lists > 1 or self.paragraphs > 2))


def shown_text(root: LexborNode, longest: int = 1_000_000) -> Content | None:
    """The text of an element on one line; tables in it stand apart. None where it is longer, or lays out a page."""
    state = _Gathering(Content(""), longest)
    stack: list[LexborNode | Leaving] = list(reversed(children(root)))
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            state.leave(item)
        elif item.tag in _LAYOUT:
            return None
        else:
            stack.extend(reversed(state.visit(item)))
            if state.lays_out:
                return None
    found = state.found
    found.linked = state.words.linked
    text, _, _ = state.words.take()
    found.text = _BREAKS.sub(lambda end: f"{end.group(1)} " if end.group(1) else ", ", text)
    found.strong = 0 < state.size == state.strong_size
    return found
