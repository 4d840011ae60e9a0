"""HTML to blocks with their structure, tables kept whole, and the signs of link rot that stand in its markup."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from selectolax.lexbor import LexborHTMLParser

from models.read.html.content import clean
from models.read.html.marks import settled, without_menus
from models.read.html.microdata import embedded
from models.read.html.signs import signs_of
from models.read.html.structured import MOST_FACTS, Fact, facts, meta_name, plain
from models.read.html.tame import tame
from models.read.html.walk import Walk, walk_tree
from models.read.page import MOST_TEXT, Block, Signs, Table, bounded

__all__ = ["Html", "blocks_of", "clean", "read_html"]

_LONGEST_TITLE = 300
_MOST_SCRIPTS = 50
_NEXT_TO_NO_TEXT = 200  # characters; below, what only shows without scripts is read too
_SHORT_LABEL, _SHORT_VALUE = 40, 300
_DIGIT = re.compile(r"\d")
_MOST_ENTRIES, _SHORT_ENTRY = 12, 100


@dataclass(frozen=True, slots=True)
class Html:
    """What an HTML page says: title ("" where it has none), blocks in document order, tables and signs."""

    title: str
    blocks: tuple[Block, ...]
    tables: tuple[Table, ...]
    signs: Signs


def read_html(html: str) -> Html:
    """Read a page. Title, meta tags, JSON-LD, microdata and RDFa come first, of kind `title` and `structured`.

    Where nearly all text would be boilerplate the marks are dropped: the page is then made that way.
    """
    html = tame(html)
    tree = LexborHTMLParser(html)
    node = tree.css_first("title")
    title = clean(node.text()[: 4 * _LONGEST_TITLE]).replace("\n", " ")[:_LONGEST_TITLE].rstrip() if node else ""
    head = [Block(title, "title")] if title else []
    head += [Block(fact.text, "structured", fact.about, fact.of_site) for fact in _machine_facts(tree, html)]
    walk = walk_tree(tree, head)
    if ("<noscript" in html or "<noframes" in html or "<NO" in html) and _text(walk) < _NEXT_TO_NO_TEXT:
        with_noscript = walk_tree(tree, head, with_noscript=True)
        walk = with_noscript if _text(with_noscript) > _text(walk) else walk
    blocks, tables = _paired(walk)
    kept = (*head, *blocks)
    if sum(len(one.text) for one in kept) > MOST_TEXT:  # by a label that stands before each entry of a list
        kept = bounded(kept)
    shift, last = len(head), len(kept) - 1
    tables = [
        replace(one, blocks=(one.blocks[0] + shift, min(one.blocks[1] + shift, last)))
        for one in tables
        if one.blocks[0] + shift <= last
    ]
    return Html(title, kept, tuple(tables), signs_of(tree))


def blocks_of(html: str) -> tuple[str, tuple[Block, ...]]:
    """The title of an HTML page and its blocks."""
    page = read_html(html)
    return page.title, page.blocks


def _text(walk: Walk) -> int:
    return sum(len(block.text) for block in walk.blocks)


def _machine_facts(tree: LexborHTMLParser, html: str) -> list[Fact]:
    found: list[Fact] = []
    for meta in tree.css("meta[content]")[: 5 * MOST_FACTS]:
        attributes = meta.attributes
        name = meta_name(attributes.get("name") or attributes.get("property") or "")
        content = clean(plain(attributes.get("content") or "")) if name else ""
        if any(map(str.isalnum, content)):
            found.append(Fact(f"{name}: {content}"))
    for script in tree.css('script[type="application/ld+json"]')[:_MOST_SCRIPTS]:
        found.extend(facts(script.text(deep=True)))
    found = found[: 2 * MOST_FACTS] + embedded(tree, html)
    said = dict.fromkeys(Fact(clean(one.text), clean(one.about), one.of_site) for one in found)
    return [one for one in said if one.text]


def _paired(walk: Walk) -> tuple[list[Block], list[Table]]:
    """The blocks with each label joined to what it is the label of: records are often laid out so.

    A short text that ends in a colon, or that its class calls a label, and a short block after it are one. Before a
    list of short entries, it stands before each of them.
    """
    held = settled(walk.blocks, walk.marks)
    marked = without_menus(
        [
            block if block.boilerplate == is_held else replace(block, boilerplate=is_held)
            for block, is_held in zip(walk.blocks, held, strict=True)
        ]
    )
    cards = _cards(walk)
    labels = [
        _labels(block, by_class or index in cards)
        for index, (block, by_class) in enumerate(zip(marked, walk.labels, strict=True))
    ]
    joined: list[Block] = []
    moved: list[int] = []  # where each block has gone
    said = ""  # the label of a list that is going on
    for index, block in enumerate(marked):
        said = said if block.kind == "list" else ""
        if index and not said and labels[index - 1] and not labels[index] and _goes_with(marked[index - 1], block):
            label = marked[index - 1].text.rstrip(" :") + ":"
            joined[-1] = replace(block, text=f"{label} {block.text}")
            said = label if _is_short_list(marked, index) else ""
        else:
            joined.append(replace(block, text=f"{said} {block.text}") if said else block)
        moved.append(len(joined) - 1)
    tables = [replace(one, blocks=(moved[one.blocks[0]], moved[one.blocks[1]])) for one in walk.tables]
    return joined, tables


def _cards(walk: Walk) -> set[int]:
    """The first blocks of elements of two short texts, where such elements stand in a row: a label and its value."""
    found: set[int] = set()
    for (first, names), (second, others) in pairwise(dict(walk.pairs).items()):
        if second == first + 2 and names == others:
            found |= {first, second}
    return found


def _labels(block: Block, by_markup: bool) -> bool:
    """True where a block is a label: a short text that ends in a colon, or that its markup calls one."""
    return (
        block.kind == "text"
        and len(block.text) <= _SHORT_LABEL
        and "\n" not in block.text
        and (block.text.endswith(":") or (by_markup and block.text[-1].isalnum() and not _DIGIT.search(block.text)))
    )


def _goes_with(label: Block, block: Block) -> bool:
    return (
        block.kind in {"text", "list"}
        and len(block.text) <= _SHORT_VALUE
        and label.boilerplate == block.boilerplate
        and label.heading == block.heading
    )


def _is_short_list(blocks: Sequence[Block], index: int) -> bool:
    """True where a list of a few short entries begins at a block."""
    for count in range(_MOST_ENTRIES + 1):
        if index + count >= len(blocks) or blocks[index + count].kind != "list":
            return count > 1
        if len(blocks[index + count].text) > _SHORT_ENTRY:
            return False
    return False
