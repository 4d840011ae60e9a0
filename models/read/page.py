"""A page as it was read: its blocks in document order, and the passages cut from them."""

from __future__ import annotations

from dataclasses import dataclass

from models.verdict import Passage


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of the page that a reader sees as one: a paragraph, a heading, a list entry, a table row, a fact.

    `kind`: `title`, `heading`, `text`, `table` or `structured`. A row's text carries its headers
    ("header: cell; header: cell"). `heading` is the nearest heading above it, or a table's caption.
    """

    text: str
    kind: str
    heading: str = ""
    boilerplate: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """What a judge and an editor see of a document. `language` is an ISO 639-1 code, detected from the text."""

    title: str
    language: str
    blocks: tuple[Block, ...]
    passages: tuple[Passage, ...]
