"""The way on from a decision that something is to be mended: where, with which copy, and what the page gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from models.evidence import Evidence
from models.memento import snapshot_at, to_look_at
from models.statement import SourceUrl
from web.links import is_web, statement_url

MENDS = ("does_not", "gone", "wrong_statement")
_COPIES = ("archive", "wayback")
_LOOK_UP = "https://web.archive.org/web/*/"
_LONGEST_VALUE = 200
_SAYS_OTHERWISE = 0.5


@dataclass(frozen=True, slots=True)
class WayOn:
    """`statement` is the very statement on Wikidata; `copy` an archived copy of the page, "" where none is known.

    `look_up` is where a web archive lists its copies; `value` is what the page gives in the value's place.
    """

    statement: str
    copy: str
    look_up: str
    value: str


def way_on(item_id: str, guid: str, urls: Sequence[SourceUrl], read: str | None, evidence: Sequence[Evidence]) -> WayOn:
    """The way on for a statement with its reference's addresses, the address that was `read`, and the evidence."""
    copies = [source.url for source in urls if source.via in _COPIES or snapshot_at(source.url)]
    if read is not None and snapshot_at(read):
        copies.append(read)
    live = next((source.url for source in urls if source.via not in _COPIES and is_web(source.url)), "")
    return WayOn(
        statement_url(item_id, guid),
        next((to_look_at(url) for url in copies if is_web(url)), ""),
        _LOOK_UP + quote(live, safe=":/?#[]@!$&'()*+,;=%") if live and not copies else "",
        given(evidence),
    )


def given(evidence: Sequence[Evidence]) -> str:
    """What the page gives in place of the value: the surest conflict, beside the property's words first; else "".

    Only a passage that says otherwise gives one: elsewhere a conflict may be about somebody else.
    """
    found = [
        (match.score, any(other.part == "property" for other in one.matches), -position, one, match)
        for position, one in enumerate(evidence)
        for match in one.matches
        if one.refutes >= _SAYS_OTHERWISE and match.part == "value" and match.how == "conflict"
    ]
    if not found:
        return ""
    *_, one, match = max(found, key=lambda entry: entry[:3])
    text = " ".join(one.passage.text[max(match.start, 0) : match.end].split())
    return text if len(text) <= _LONGEST_VALUE else ""
