"""Ids of items among what people paste: plain, with a prefix, as addresses of Wikidata, one a line or many."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TEMPLATE = re.compile(r"\{\{\s*[QL]\s*\|\s*([QL]?[1-9][0-9]{0,11})\s*\}\}", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s,;|<>()\[\]{}\"'“”„«»、，；]+")
# Of addresses only Wikidata's: "Q10" is also the name of an article elsewhere.
_ID = re.compile(
    r"(?:(?:(?:https?:)?//)?(?:www\.|m\.)?wikidata\.org/(?:wiki|entity)/)?"
    r"(?:(?:wd|d|wikidata|lexeme|item):|special:entity(?:page|data)/)*"
    r"([QL][1-9][0-9]{0,11})(?:-[FS][1-9][0-9]{0,5})?(?:[?#.][^\s]*)?",
    re.IGNORECASE,
)
_NEARLY = re.compile(r"[QLP][0-9]\w*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Pasted:
    """The ids that were named, each once, in their order; and what names no item, as it was written."""

    ids: tuple[str, ...]
    strangers: tuple[str, ...]


def read_pasted(text: str) -> Pasted:
    """The ids in a text; a form or a sense stands for its lexeme.

    A line without any is a stranger as a whole; in other lines only what nearly is an id, since beside one may stand
    its label.
    """
    ids: dict[str, None] = {}
    strangers: list[str] = []
    for line in text.splitlines():
        words = [word for raw in _BETWEEN.split(_TEMPLATE.sub(_plain, line)) if (word := raw.strip(".:*#"))]
        found = {word: match[1].upper() for word in words if (match := _ID.fullmatch(word))}
        ids |= dict.fromkeys(found[word] for word in words if word in found)
        if found:
            strangers += [word for word in words if word not in found and _NEARLY.fullmatch(word)]
        elif words:
            strangers.append(line.strip())
    return Pasted(tuple(ids), tuple(strangers))


def _plain(match: re.Match[str]) -> str:
    """{{Q|42}} and {{Q|Q42}} as an id; so {{L|1}}."""
    number: str = match[1]
    kind = match[0].lstrip("{ ")[0]
    return f" {number if number[0] in 'QqLl' else kind + number} "
