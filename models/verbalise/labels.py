"""Labels and texts as they may stand in a sentence: one line, nothing invisible, not endless."""

from __future__ import annotations

import re
import unicodedata

from models.statement import Term

MAX_LABEL = 300
_ELLIPSIS = "…"
# Persian and the languages of India need the (non-)joiners, though Unicode counts them as format characters.
_JOINERS = frozenset("\u200c\u200d")
_DROPPED = frozenset({"Cf", "Cs", "Co", "Cn"})
_SPACES = re.compile(r"\s+")


def clean(text: str) -> str:
    """One line as `one_line` makes it, cut at `MAX_LABEL`; "" when nothing is left."""
    text = one_line(text)
    if len(text) > MAX_LABEL:
        text = text[: MAX_LABEL - 1].rstrip() + _ELLIPSIS
    return text


def one_line(text: str) -> str:
    """The text on one line, single blanks in it, without control, format or unassigned characters."""
    if not text.isprintable() or "  " in text:
        text = _SPACES.sub(" ", "".join(map(_visible, text)))
    return text.strip()


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if category in {"Cc", "Zl", "Zp", "Zs"}:
        return " "
    return "" if category in _DROPPED and character not in _JOINERS else character


def label_of(term: Term) -> str:
    """The label, cleaned; "" where the entity has none."""
    return clean(term.label) if term.label else ""
