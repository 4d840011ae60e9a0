"""Where text of inline elements that touch is two words to a reader: "Born" and "1942" of a label and its value."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache


class Edge(IntEnum):
    """What stands between two pieces of text that touch, the strongest last."""

    NONE = 0
    PLAIN = 1  # a span, a b: browsers show what touches as one word, unless a style sheet says otherwise
    LINK = 2
    LABEL = 3  # by its tag or its class a label, or the value of one
    JOINED = 4  # a sub: "H2O" is one word
    RAISED = 5  # a sup: "m²", or the mark of a note
    NOTE = 6  # a link in a sup, which is the mark of a note


_TAGS = {
    "a": Edge.LINK, "label": Edge.LABEL, "sub": Edge.JOINED, "sup": Edge.RAISED, "wbr": Edge.JOINED,
    "rt": Edge.LABEL, "rp": Edge.JOINED, "output": Edge.LABEL, "data": Edge.LABEL, "time": Edge.LABEL,
}  # fmt: skip
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_LABEL = re.compile(r"(?:^|[\s_-])(?:labels?|term|key|fieldname|field-name|lbl|dt|caption-label)(?=$|[\s_-])", re.I)
_PART = re.compile(
    r"(?:^|[\s_-])(?:labels?|term|key|lbl|titles?|headings?|headers?|names?|fields?|captions?|values?|val|data|datum|"
    r"dates?|desc|description|content|details?|info|type|year|place|location|role|badge|tag|count)(?=$|[\s_-])",
    re.I,
)
_LONGEST_NAMES = 200


def spaced(names: str) -> str:
    """Class names with their words apart: `fieldLabel` as `field-Label`."""
    return _CAMEL.sub("-", names[:_LONGEST_NAMES])


@lru_cache(maxsize=4096)
def is_label(names: str) -> bool:
    """True where an element's class says that it is the label of what follows."""
    return bool(names) and _LABEL.search(spaced(names)) is not None


@lru_cache(maxsize=4096)
def edge_of(tag: str, names: str) -> Edge:
    """What an inline element of this tag and class is, where its text touches other text."""
    if tag in _TAGS:
        return _TAGS[tag]
    if "-" in tag or (names and _PART.search(spaced(names))):
        return Edge.LABEL
    return Edge.PLAIN


def apart(before: str, after: str, closed: Edge, opened: Edge) -> bool:
    """True where a space is to stand between two pieces of text with no space of their own.

    `closed` and `opened` are the strongest edges of elements that end, and that begin, between them.
    """
    last, first = before[-1], after[0]
    if opened in {Edge.RAISED, Edge.NOTE}:
        return _notes(before, first, closed, opened)
    if max(closed, opened) >= Edge.JOINED or not (closed or opened):
        return False
    if not (first.isalnum() or first in "([“‘\"'€$£"):
        return False
    if last == ":":
        return before[-2:-1].isalpha()
    if not (last.isalnum() or last in ")]”’\"'.,;!?%"):
        return False
    if closed is Edge.LABEL or (closed and opened is Edge.LABEL) or (closed is Edge.LINK and opened is Edge.LINK):
        return True
    if opened is Edge.LABEL and first.isdigit() != last.isdigit():
        return True
    return _reads_apart(before, first, closed, opened)


def _notes(before: str, first: str, closed: Edge, opened: Edge) -> bool:
    """True where what is raised is the mark of a note, not a power: a link, a second one, or after a long word.

    After a full stop it stays where it is, since a space there would make it the next sentence's.
    """
    if not (first.isalnum() or first in "[(*") or not (before[-1].isalnum() or before[-1] in ")]”\"'"):
        return False
    word = before[-4:]
    return opened is Edge.NOTE or closed >= Edge.RAISED or (len(word) == 4 and word.isalpha())


def _reads_apart(before: str, first: str, closed: Edge, opened: Edge) -> bool:
    """By their letters alone: "Born" and "1942", "Born" and "London", but not "Mc" and "Donald"."""
    both = bool(closed and opened)
    last = before[-1]
    word = len(before) > 2 and before[-3:].isalpha()
    if first in "([":
        return both or (word and bool(opened))
    if last.islower():
        return word and (first.isdigit() or (first.isupper() and bool(opened)))
    if last.isdigit():
        return both and first.isupper()
    return bool(opened) and len(before) > 3 and before[-4:].isalpha() and before[-4:].isupper() and first.isupper()
