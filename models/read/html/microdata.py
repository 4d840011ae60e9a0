"""Facts that a page states for machines among its text: microdata and RDFa Lite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from models.read.html.structured import MOST_FACTS, Fact, about, is_fact, is_of_site, plain, spell, types_of

_MOST_PROPERTIES = 400
_LONGEST_TEXT = 300  # a longer one is prose, which the page's text has
_FROM_ATTRIBUTE = ("content", "datetime")
_OF_MEDIA = frozenset("a link img iframe embed object source track audio video area".split())


class _Syntax(NamedTuple):
    """The attributes of one way to mark facts."""

    prop: str
    scope: str
    kind: str
    selector: str


_MICRODATA = _Syntax("itemprop", "itemscope", "itemtype", "[itemprop]")
_RDFA = _Syntax("property", "typeof", "typeof", "[property]:not(meta)")


@dataclass(slots=True)
class _Thing:
    """A thing that facts are about; `path` are the names that lead to it from the outermost."""

    types: list[str]
    path: str = ""
    root: _Thing | None = None
    name: str = ""


def embedded(tree: LexborHTMLParser, html: str) -> list[Fact]:
    """The facts of a page's microdata and RDFa, in document order, at most `MOST_FACTS`."""
    found: list[Fact] = []
    if "itemprop" in html:
        found += _facts(tree, _MICRODATA)
    if "typeof=" in html:
        found += _facts(tree, _RDFA)
    return found[:MOST_FACTS]


def _facts(tree: LexborHTMLParser, syntax: _Syntax) -> list[Fact]:
    things: dict[int, _Thing | None] = {}
    said: list[tuple[_Thing, str]] = []
    for node in tree.css(syntax.selector)[:_MOST_PROPERTIES]:
        thing = _owner(node.parent, syntax, things)
        if thing is None:
            continue
        attributes = node.attributes
        names = [one for one in (attributes.get(syntax.prop) or "").split()[:3] if is_fact(one.split(":")[-1])]
        if syntax.scope in attributes:
            continue  # a thing of its own: its facts follow
        value = _value(node)
        if not value:
            continue
        for name in names:
            word = spell(name)
            if word in {"name", "headline"} and thing.root is None and not thing.name:
                thing.name = value
            said.append((thing, f"{thing.path} {word}".strip()[:200] + f": {value}"))
    facts = []
    for thing, text in said:
        root = thing.root or thing
        facts.append(Fact(text, about(root.name, root.types), is_of_site(root.types)))
    return facts


def _owner(node: LexborNode | None, syntax: _Syntax, things: dict[int, _Thing | None]) -> _Thing | None:
    """The thing whose element is the nearest around; each element is looked at once."""
    passed: list[tuple[int, LexborNode | None]] = []  # elements on the way, those that are things with their node
    while node is not None and node.mem_id not in things:
        passed.append((node.mem_id, node if syntax.scope in node.attributes else None))
        node = node.parent
    found = things[node.mem_id] if node is not None else None
    for key, scope in reversed(passed):
        if scope is not None:
            found = _thing(scope, found, syntax)
        things[key] = found
    return found


def _thing(node: LexborNode, outer: _Thing | None, syntax: _Syntax) -> _Thing:
    attributes = node.attributes
    types = types_of((attributes.get(syntax.kind) or "").split())
    names = (attributes.get(syntax.prop) or "").split()
    if outer is None or not names:
        return _Thing(types)
    return _Thing(types, f"{outer.path} {spell(names[0])}".strip()[:200], outer.root or outer)


def _value(node: LexborNode) -> str:
    attributes = node.attributes
    for name in _FROM_ATTRIBUTE:
        if value := attributes.get(name):
            return plain(value)
    tag = node.tag or ""
    if tag in _OF_MEDIA and tag != "a":
        return ""
    text = _short_text(node)
    return "" if text.startswith(("http://", "https://")) else text


def _short_text(node: LexborNode) -> str:
    """The text of an element; "" where it is long."""
    parts: list[str] = []
    size = steps = 0
    stack = [node]
    while stack:
        current = stack.pop()
        steps += 1
        if current.is_text_node:
            parts.append(current.text_content or "")
            size += len(parts[-1])
        elif current.tag not in {"script", "style", "template"}:
            inner: list[LexborNode] = []
            child = current.child
            while child is not None and len(inner) < 100:
                inner.append(child)
                child = child.next
            stack.extend(reversed(inner))
            parts.append(" ")
        if size > 4 * _LONGEST_TEXT or steps > 200:
            return ""
    text = " ".join("".join(parts).split())
    return text if len(text) <= _LONGEST_TEXT else ""
