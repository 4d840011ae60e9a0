"""HTML to blocks: one walk over the tree, without recursion, so that no nesting can exhaust the stack."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from models.read.boilerplate import is_boilerplate
from models.read.page import MOST_BLOCKS, Block
from models.read.structured import facts
from models.read.tables import LONGEST_CELL, Cell, linearise
from models.read.tame import tame

_SKIP = frozenset(
    (
        "script style noscript template svg math select textarea button iframe object embed canvas video audio head"
    ).split()
)
_BLOCK = frozenset(
    (
        "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption "
        "figure footer form frameset h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol p pre section "
        "summary table tbody td tfoot th thead tr ul"
    ).split()
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_META = frozenset(
    (
        "description keywords author og:title og:description twitter:title twitter:description dc.title dc.date "
        "dc.creator article:published_time citation_title citation_author citation_publication_date"
    ).split()
)
_SOURCE_SPACE = re.compile(r"[ \t\r\n\f]+")  # a line break of the source is a space; only <br> breaks a line
_SPACE = re.compile(r"[^\S\n]+")
_LINES = re.compile(r"\s*\n\s*")
_LONGEST_TITLE = 300
_MOST_ROWS = 5_000  # of one table
_SHORT_LABEL, _SHORT_VALUE = 40, 300


@dataclass
class _Walk:
    """The state of one walk: what has been gathered and where we stand."""

    blocks: list[Block] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    heading: str = ""
    term: str = ""
    boilerplate: int = 0

    def flush(self, kind: str = "text", heading: str | None = None) -> str:
        """End the block being gathered; gives its text."""
        text = clean("".join(self.text))
        self.text.clear()
        if text:
            if self.term and kind == "text":
                text, self.term = f"{self.term}: {text}", ""
            self.add(text, kind, self.heading if heading is None else heading)
        return text

    def add(self, text: str, kind: str, heading: str) -> None:
        if len(self.blocks) < MOST_BLOCKS:
            self.blocks.append(Block(text, kind, heading, self.boilerplate > 0))


def clean(text: str) -> str:
    """Spaces collapsed, line breaks kept as single ones, none at the ends."""
    return _LINES.sub("\n", _SPACE.sub(" ", text.replace("\xa0", " ").replace("\u200b", ""))).strip()


def blocks_of(html: str) -> tuple[str, tuple[Block, ...]]:
    """The title of an HTML page ("" where it has none) and its blocks in document order.

    Title, meta tags and JSON-LD come first, as blocks of kind `title` and `structured`. Where nearly all text would
    be boilerplate the marks are dropped: the page is then made that way.
    """
    tree = LexborHTMLParser(tame(html))
    node = tree.css_first("title")
    title = clean(node.text()).replace("\n", " ")[:_LONGEST_TITLE] if node else ""
    walk = _Walk()
    if title:
        walk.add(title, "title", "")
    for line in _machine_facts(tree):
        walk.add(line, "structured", "")
    if tree.root is not None:
        _walk(tree.body or tree.root, walk)
    return title, _unmark(_pair_records(walk.blocks))


def _machine_facts(tree: LexborHTMLParser) -> list[str]:
    lines: list[str] = []
    for meta in tree.css("meta[content]"):
        name = (meta.attributes.get("name") or meta.attributes.get("property") or "").lower()
        if name in _META and (content := clean(meta.attributes.get("content") or "").replace("\n", " ")):
            lines.append(f"{name.split(':')[-1].replace('_', ' ')}: {content[:1000]}")
    for script in tree.css('script[type="application/ld+json"]'):
        lines.extend(facts(script.text(deep=True)))
    return list(dict.fromkeys(lines))


def _walk(root: LexborNode, walk: _Walk) -> None:
    stack: list[tuple[LexborNode, bool]] = [(root, False)]
    while stack and len(walk.blocks) < MOST_BLOCKS:
        node, leaving = stack.pop()
        tag = node.tag or ""
        if tag == "-text":
            walk.text.append(_shown(node))
            continue
        if leaving:
            _leave(node, tag, walk)
            continue
        if tag in _SKIP or tag.startswith("-") or tag.startswith("!") or _hidden(node):
            continue
        if tag == "br":
            walk.text.append("\n")
            continue
        if tag == "img":
            walk.text.append(f" {node.attributes.get('alt') or ''} " if walk.boilerplate == 0 else " ")
            continue
        _enter(node, tag, walk)
        if tag == "table" and _data_table(node, walk):
            _leave(node, tag, walk)
            continue
        stack.append((node, True))
        children = []
        child = node.child
        while child is not None:
            children.append(child)
            child = child.next
        stack.extend((child, False) for child in reversed(children))
    walk.flush()


def _shown(node: LexborNode) -> str:
    """A text node as a browser shows it: white space is one space, but in `pre`."""
    text = node.text_content or ""
    return text if node.parent is not None and node.parent.tag == "pre" else _SOURCE_SPACE.sub(" ", text)


def _hidden(node: LexborNode) -> bool:
    attributes = node.attributes
    return "hidden" in attributes or node.tag == "input"


def _enter(node: LexborNode, tag: str, walk: _Walk) -> None:
    if tag in _BLOCK:
        walk.flush()
        if is_boilerplate(tag, node.attributes):
            walk.boilerplate += 1


def _leave(node: LexborNode, tag: str, walk: _Walk) -> None:
    if tag not in _BLOCK:
        return
    if tag in _HEADINGS:
        text = walk.flush("heading", heading="")
        if text and walk.boilerplate == 0:
            walk.heading = text.replace("\n", " ")[:200]
    elif tag == "dt":
        text = clean("".join(walk.text)).replace("\n", " ").rstrip(" :")
        walk.text.clear()
        if walk.term:
            walk.add(walk.term, "text", walk.heading)
        walk.term = text
    elif tag == "dl":
        walk.flush()
        if walk.term:
            walk.add(walk.term, "text", walk.heading)
            walk.term = ""
    else:
        walk.flush()
    if is_boilerplate(tag, node.attributes):
        walk.boilerplate -= 1


def _data_table(table: LexborNode, walk: _Walk) -> bool:
    """Add a data table's rows as blocks; False (and nothing added) where the table is only layout."""
    if table.css_first("table table, h1, h2, p + p, form, ul ul") is not None or table.css_first("tr") is None:
        return False
    rows = [
        [_cell(cell) for cell in _children(row) if cell.tag in {"td", "th"}] for row in table.css("tr")[:_MOST_ROWS]
    ]
    rows = [row for row in rows if row]
    if not rows or any(len(cell.text) > LONGEST_CELL for row in rows for cell in row) or max(map(len, rows)) < 2:
        return False
    caption = table.css_first("caption")
    heading = clean(caption.text(deep=True)).replace("\n", " ")[:200] if caption else walk.heading
    if walk.term:
        heading, walk.term = walk.term, ""
    for line in linearise(rows):
        walk.add(line, "table", heading)
    return True


def _children(node: LexborNode) -> list[LexborNode]:
    children, child = [], node.child
    while child is not None:
        children.append(child)
        child = child.next
    return children


def _cell(node: LexborNode) -> Cell:
    text = clean(_visible_text(node)).replace("\n", ", ")
    return Cell(text, node.tag == "th", _span(node, "colspan"), _span(node, "rowspan"))


def _visible_text(node: LexborNode) -> str:
    parts: list[str] = []
    stack = [node]
    while stack:
        current = stack.pop()
        tag = current.tag or ""
        if tag == "-text":
            parts.append(_shown(current))
        elif tag == "br":
            parts.append("\n")
        elif tag not in _SKIP and not tag.startswith(("-", "!")):
            if tag in _BLOCK:
                parts.append("\n")
            stack.extend(reversed(_children(current)))
    return "".join(parts)


def _span(node: LexborNode, name: str) -> int:
    value = node.attributes.get(name) or "1"
    return max(1, min(int(value), 1000)) if value.isascii() and value.isdigit() and len(value) < 6 else 1


def _pair_records(blocks: list[Block]) -> tuple[Block, ...]:
    """Join a short label that ends in a colon with the block after it: records are often laid out so."""
    joined: list[Block] = []
    for block in blocks:
        last = joined[-1] if joined else None
        if (
            last is not None
            and last.kind == block.kind == "text"
            and last.text.endswith(":")
            and len(last.text) <= _SHORT_LABEL
            and len(block.text) <= _SHORT_VALUE
            and last.boilerplate == block.boilerplate
        ):
            joined[-1] = Block(f"{last.text} {block.text}", "text", block.heading, block.boilerplate)
        else:
            joined.append(block)
    return tuple(joined)


_LEAST_OWN_SHARE = 0.15


def _unmark(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    shown = [block for block in blocks if block.kind not in {"title", "structured"}]
    own = sum(len(block.text) for block in shown if not block.boilerplate)
    if own >= _LEAST_OWN_SHARE * sum(len(block.text) for block in shown):
        return blocks
    return tuple(Block(block.text, block.kind, block.heading) for block in blocks)
