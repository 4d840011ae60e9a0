"""HTML to blocks: one walk over the tree, without recursion, so that no nesting can exhaust the stack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from selectolax.lexbor import LexborHTMLParser, LexborNode

from models.read.html.boilerplate import (
    by_names,
    by_role,
    heads_site_part,
    is_archive_frame,
    is_beside,
    is_notice,
    names_of,
)
from models.read.html.cells import DataTable, data_table
from models.read.html.content import (
    BLOCK,
    SKIP,
    Leaving,
    Words,
    children,
    enter_inline,
    is_block,
    is_hidden,
    leave_inline,
    plain_text,
)
from models.read.html.inline import Edge, is_label
from models.read.html.tables import grids
from models.read.html.tame import tame
from models.read.page import MOST_BLOCKS, MOST_TEXT, Block, Table

_HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_LISTS = frozenset({"ul", "ol", "menu", "dir"})
_LONGEST_HEADING = 200
_LONGEST_TERM = 80
_LONGEST_LABEL = 40
_LONGEST_ALT = 300
_MOST_FRAMES = 20  # documents in documents
_HIGHEST_CLIMB = 4  # elements above a heading, to what it heads

# Why a part is marked. One marked by its names alone may be the page itself, one beside the text the record.
BY_NAMES, BY_ROLE, BY_HEADING, BESIDE, HIDDEN = "names", "role", "heading", "beside", "hidden"


@dataclass(slots=True)
class Mark:
    """A part of the page that is about the site, and why we think so."""

    why: str


@dataclass(slots=True)
class _Terms:
    """The terms of a definition list that wait for what they mean."""

    names: list[str] = field(default_factory=list)
    said: bool = False
    defined: bool = False
    open: int = 0  # `dd` elements


@dataclass(slots=True)
class _Frame:
    """An open block element: what ends with it."""

    tag: str
    kind: str = ""  # of the blocks in it, "" where as around it
    level: int = 0
    mark: bool = False
    around: Mark | None = None  # the mark of what is around it
    above: tuple[str, int] = ("", 0)  # the heading that it stands under, and its level
    label: bool = False
    node: LexborNode | None = None  # of a heading
    first: int = 0  # the first block in it


@dataclass(frozen=True, slots=True)
class _Section:
    """A marked part under a heading: the depth at which it ends, its heading's level, and the heading before it."""

    depth: int
    level: int
    before: tuple[str, int]


@dataclass(slots=True)
class Walk:
    """What one walk has gathered, and where it stands."""

    with_noscript: bool
    own: frozenset[int]  # elements around an h1: none of them is only about the site
    blocks: list[Block] = field(default_factory=list)
    marks: list[Mark | None] = field(default_factory=list)
    labels: list[bool] = field(default_factory=list)
    pairs: list[tuple[int, str]] = field(default_factory=list)  # first blocks of elements of two, and their depth
    tables: list[Table] = field(default_factory=list)
    words: Words = field(default_factory=Words)
    room: int = MOST_TEXT
    most: int = MOST_BLOCKS
    is_full: bool = False  # no more is kept
    heading: str = ""
    heading_level: int = 0
    mark: Mark | None = None
    marked: int = 0  # open elements that are marked
    section: _Section | None = None
    hidden: list[str] = field(default_factory=list)
    open: list[_Frame] = field(default_factory=list)
    terms: list[_Terms] = field(default_factory=lambda: [_Terms()])
    kinds: list[tuple[str, int]] = field(default_factory=lambda: [("text", 0)])
    lists: int = 0
    pre: int = 0
    frames: int = 0
    inner: dict[int, str] = field(default_factory=dict)  # tables in cells, with the label of their row

    def add(self, block: Block, mark: Mark | None, label: bool = False) -> None:
        """Keep a block, as far as there is room."""
        if self.is_full:
            return
        if len(block.text) > self.room:
            text = block.text[: self.room].rstrip()
            if not text:
                return
            block = replace(block, text=text, cells=tuple(cell for cell in block.cells if cell.end <= len(text)))
        self.room -= len(block.text)
        self.is_full = self.room <= 0 or len(self.blocks) + 1 >= self.most
        self.blocks.append(block)
        self.marks.append(mark)
        self.labels.append(label)

    def why(self) -> Mark | None:
        """The mark of what stands here."""
        return self.mark if self.marked or self.section else None

    def flush(self, label: bool = False) -> None:
        """End the block being gathered."""
        if not self.words.parts and not self.hidden:
            self.words.closed = self.words.opened = Edge.NONE
            return
        kind, level = self.kinds[-1]
        if kind in {"heading", "term"}:
            self.words.space("\n")
            return
        text, linked, ended = self.words.take()
        if text:
            terms = self.terms[-1]
            if terms.open > 0:
                term = ", ".join(terms.names)
                terms.said = True
                if term and len(term) <= _LONGEST_TERM:
                    text, kind, level = f"{term}: {text}", "definition", 0
                elif kind == "definition":
                    kind = "definition" if term else "text"
            mark = self.why()
            if mark is None and is_notice(text):
                mark = Mark(BY_ROLE)
            self.add(Block(text, kind, self.heading, level=level, linked=linked), mark, label or ended is Edge.LABEL)
        if self.hidden:
            for aside in self.hidden:
                self.add(Block(aside, "text", self.heading), Mark(HIDDEN))
            self.hidden.clear()


def walk_tree(tree: LexborHTMLParser, head: Sequence[Block] = (), with_noscript: bool = False) -> Walk:
    """Walk a page. `head` are blocks before it, which count; `with_noscript`: with what shows without scripts."""
    walk = Walk(with_noscript, _around(tree))
    walk.room -= sum(len(block.text) for block in head)
    walk.most -= len(head)
    root = tree.body or tree.root
    if root is not None:
        _run(root, walk)
    return walk


def _around(tree: LexborHTMLParser) -> frozenset[int]:
    found: set[int] = set()
    for node in tree.css("h1, main, table.infobox")[:20]:
        above = node.parent
        while above is not None and above.mem_id not in found:
            found.add(above.mem_id)
            above = above.parent
    return frozenset(found)


_Item = LexborNode | Leaving | _Frame  # what is to be entered, or left


def _run(root: LexborNode, walk: Walk) -> None:
    stack: list[_Item] = [root]
    while stack and not walk.is_full:
        item = stack.pop()
        if isinstance(item, tuple):
            leave_inline(walk.words, item)
        elif isinstance(item, _Frame):
            _leave(item, walk)
        else:
            stack.extend(reversed(_visit(item, walk)))
    walk.flush()
    _end_terms(walk)


def _visit(node: LexborNode, walk: Walk) -> Sequence[_Item]:
    """Read a node; gives what is to be read and left next, in order."""
    tag = node.tag or ""
    if tag == "-text":
        walk.words.say(node.text_content or "", walk.pre > 0)
    elif tag == "br":
        walk.words.space("\n")
    elif tag in SKIP:
        return _inside(node, tag, walk)
    elif tag == "img":
        alt = (node.attributes.get("alt") or "")[:_LONGEST_ALT] if walk.why() is None else ""
        walk.words.space(f" {alt} ")
    elif tag[:1] not in "-!":
        attributes = node.attributes
        if is_block(tag, attributes):
            return _visit_block(node, tag, attributes, walk)
        if not (attributes and is_hidden(attributes)):
            return [*children(node), enter_inline(walk.words, tag, attributes)]
        if text := plain_text(node):
            walk.hidden.append(text)
    return ()


def _visit_block(node: LexborNode, tag: str, attributes: Mapping[str, str | None], walk: Walk) -> Sequence[_Item]:
    frame = _enter(node, tag, attributes, walk)
    if tag == "table" and (table := data_table(node)) is not None:
        _add_rows(table, walk.inner.get(node.mem_id, ""), walk)
        _leave(frame, walk)
        walk.inner.update((inner.mem_id, label) for inner, label in table.nested)
        return [inner for inner, _ in table.nested]
    return [*children(node), frame]


def _inside(node: LexborNode, tag: str, walk: Walk) -> list[LexborNode]:
    """What is to be read in an element whose content isn't shown as it stands."""
    if tag == "input":
        walk.words.space()
    elif tag == "button":
        if walk.kinds[-1][0] in {"heading", "term"} or (node.parent is not None and node.parent.tag == "summary"):
            return children(node)
        walk.words.space()
    elif tag == "noscript" and walk.with_noscript:
        return children(node)
    elif tag == "noframes" and walk.with_noscript:
        return _framed(node.text_content or (node.child.text_content if node.child else "") or "", walk)
    elif tag == "iframe" and (source := node.attributes.get("srcdoc")):
        return _framed(source, walk)
    return []


def _framed(source: str, walk: Walk) -> list[LexborNode]:
    if walk.frames >= _MOST_FRAMES:
        return []
    walk.frames += 1
    tree = LexborHTMLParser(tame(source))
    return [tree.body] if tree.body is not None else []


def _enter(node: LexborNode, tag: str, attributes: Mapping[str, str | None], walk: Walk) -> _Frame:
    walk.flush()
    frame = _Frame(tag, first=len(walk.blocks))
    if why := _marked(node, tag, attributes, walk):
        frame.mark, frame.around, frame.above = True, walk.mark, (walk.heading, walk.heading_level)
        walk.marked += 1
        if (walk.marked == 1 and walk.section is None) or (walk.mark and walk.mark.why == BESIDE != why):
            walk.mark = Mark(why)
    if attributes:
        frame.label = is_label(attributes.get("class") or "")
    frame.kind, frame.level = _kind(tag, attributes, walk)
    if frame.kind == "heading":
        frame.node = node
        if walk.kinds[-1][0] in {"heading", "term"} or (frame.label and frame.level > 1):
            frame.kind = ""  # in a heading already, or the label of a value
    if frame.kind:
        walk.kinds.append((frame.kind, frame.level))
    walk.open.append(frame)
    return frame


def _kind(tag: str, attributes: Mapping[str, str | None], walk: Walk) -> tuple[str, int]:
    """The kind and level of the blocks in an element, ("", 0) where as around it. Counts lists and terms."""
    if tag in _LISTS:
        walk.lists += 1
    elif tag == "pre":
        walk.pre += 1
    elif tag == "dl":
        walk.terms.append(_Terms())
    elif tag == "dt":
        _begin_term(walk)
        return "term", 0
    elif tag == "dd":
        walk.terms[-1].defined = True
        walk.terms[-1].open += 1
        return "definition", 0
    elif tag == "li":
        return "list", max(1, walk.lists)
    if tag in _HEADINGS:
        return "heading", _HEADINGS[tag]
    if attributes.get("role") == "heading":
        level = attributes.get("aria-level") or ""
        return "heading", _HEADINGS.get(f"h{level}", 2)
    return ("caption" if tag in {"caption", "figcaption"} else ""), 0


def _marked(node: LexborNode, tag: str, attributes: Mapping[str, str | None], walk: Walk) -> str:
    """Why an element is about the site, or isn't shown; "" where it isn't marked."""
    if not attributes:
        return BY_ROLE if by_role(tag, attributes, "") else BESIDE if tag == "aside" else ""
    names = names_of(attributes)
    if is_archive_frame(attributes):
        return BY_ROLE
    if is_hidden(attributes) and tag not in {"tr", "td", "th", "tbody", "body"}:
        return HIDDEN
    if walk.marked == 0 and node.mem_id in walk.own:
        return ""
    if by_role(tag, attributes, names):
        return BY_ROLE
    if by_names(tag, names):
        return BY_NAMES
    return BESIDE if is_beside(tag, attributes, names) else ""


def _begin_term(walk: Walk) -> None:
    if walk.terms[-1].defined:
        _end_terms(walk)


def _end_terms(walk: Walk) -> None:
    """Terms that nothing defined stand alone."""
    terms = walk.terms[-1]
    if not terms.said or len(", ".join(terms.names)) > _LONGEST_TERM:
        for name in terms.names:
            walk.add(Block(name, "definition", walk.heading), walk.why())
    walk.terms[-1] = _Terms(open=terms.open)


def _leave(frame: _Frame, walk: Walk) -> None:
    tag = frame.tag
    if frame.kind == "heading":
        walk.kinds.pop()
        _end_heading(frame, walk)
    elif frame.kind == "term":
        walk.kinds.pop()
        text, _, _ = walk.words.take()
        if text := text.replace("\n", " ").rstrip(" :"):
            walk.terms[-1].names.append(text)
    else:
        walk.flush(frame.label)
        if frame.kind:
            walk.kinds.pop()
    if tag in _LISTS:
        walk.lists -= 1
    elif tag == "dl":
        _end_terms(walk)
        walk.terms.pop()
    elif tag == "dd":
        walk.terms[-1].open -= 1
    elif tag == "pre":
        walk.pre -= 1
    walk.open.pop()
    if len(walk.blocks) == frame.first + 2 and not frame.kind:
        walk.pairs.append((frame.first, f"{len(walk.open)} {frame.tag}"))
    if frame.mark:
        _unmark(frame, walk)
    if walk.section is not None and len(walk.open) < walk.section.depth:
        walk.heading, walk.heading_level = walk.section.before
        walk.section = None


def _unmark(frame: _Frame, walk: Walk) -> None:
    walk.marked -= 1
    walk.mark = frame.around
    if walk.section is None:
        walk.heading, walk.heading_level = frame.above  # what heads a part of the site heads nothing behind it


def _end_heading(frame: _Frame, walk: Walk) -> None:
    text, linked, _ = walk.words.take()
    text = text.replace("\n", " ")
    if not text:
        return
    if walk.section is not None and frame.level <= walk.section.level:
        walk.section = None
    if walk.marked == 0 and walk.section is None and frame.level > 1 and frame.node and heads_site_part(text):
        depth = len(walk.open) - 1 - _climb(frame.node)
        walk.section = _Section(depth, frame.level, (walk.heading, walk.heading_level))
        walk.mark = Mark(BY_HEADING)
        walk.heading, walk.heading_level = text[:_LONGEST_HEADING], frame.level
    mark = walk.why() if frame.level > 1 or (walk.mark and walk.mark.why == HIDDEN) else None
    walk.add(Block(text, "heading", "", level=frame.level, linked=linked), mark)
    if mark is None or (walk.marked and walk.section is None):
        walk.heading, walk.heading_level = text[:_LONGEST_HEADING], frame.level


_BESIDE = frozenset({"span", "a", "button", "svg", "img", "i", "small", "sup", "-comment", "script", "style", "hr"})


def _climb(heading: LexborNode) -> int:
    """How many block elements a heading stands in alone: what it heads follows the outermost of them."""
    node, climbed = heading, 0
    for _ in range(_HIGHEST_CLIMB):
        after = node.next
        while after is not None and (
            after.tag in _BESIDE or (after.tag == "-text" and not (after.text_content or "").strip())
        ):
            after = after.next
        above = node.parent
        if after is not None or above is None or above.tag in {"body", "main", "article", None}:
            break
        climbed += above.tag in BLOCK
        node = above
    return climbed


def _add_rows(table: DataTable, label: str, walk: Walk) -> None:
    heading = table.caption or label or walk.heading
    mark = walk.why()
    terms = walk.terms[-1]
    if terms.defined and terms.names:
        heading, terms.said = ", ".join(terms.names)[:_LONGEST_HEADING], True
    heading = heading[:_LONGEST_HEADING]
    if table.caption:
        walk.add(Block(table.caption, "caption", walk.heading), mark)
    for grid in grids(table.rows, table.heads):
        first = len(walk.blocks)
        number = len(walk.tables)
        above = heading
        rows: list[tuple[str, ...]] = []
        for row in grid.rows:
            if walk.is_full:
                break
            if row.section:
                above = row.text[:_LONGEST_HEADING]
                level = min(6, walk.heading_level + 1)
                walk.add(Block(row.text, "heading", heading, level=level, table=number, cells=row.cells), mark)
            else:
                walk.add(Block(row.text, "table", above, table=number, cells=row.cells), mark)
            rows.append(row.values)
        if len(walk.blocks) > first:
            place = (first, len(walk.blocks) - 1)
            walk.tables.append(Table(table.caption, heading, grid.columns, tuple(rows), place))
    for hidden in table.hidden:
        walk.add(Block(hidden, "text", heading), Mark(HIDDEN))
