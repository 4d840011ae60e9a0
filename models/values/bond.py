"""How a value in a passage hangs together with the property: by row header, by span of life, by nearness of words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from models.values.cues import CueMatch
from models.values.found import Found

_NEAR = 60.0  # characters over which the tie between a property's word and a value halves
_LONGEST_HEADER = 60
_LIFE = {"P569": 0, "P570": 1, "P571": 0, "P576": 1, "P2031": 0, "P2032": 1, "P580": 0, "P582": 1}
_DASHES = "-–—−"


def bond(
    value: Found,
    cues: Sequence[CueMatch],
    opposites: Sequence[CueMatch],
    property_id: str,
    text: str,
    is_row: bool,
) -> float:
    """The tie in [−1, 1] between a value and its property: 1 with it, −1 with an opposite one, 0 with neither.

    In a row ("header: cell; header: cell") the cell's own header decides where it says either. A span like
    "(1763–1825)" gives its first year to birth and its last to death. Else the nearer word counts, and one before
    the value more than one behind it.
    """
    if is_row and (header := cell_header(text, value)):
        own, other = _best_in(header, cues), _best_in(header, opposites)
        if own or other:
            return own if own >= other else -other
    if role := span_role(value, property_id, text):
        return role
    own = max((_tie(value, cue) for cue in cues), default=0.0)
    other = max((_tie(value, cue) for cue in opposites), default=0.0)
    return own if own >= other else -other


def _best_in(span: tuple[int, int], cues: Sequence[CueMatch]) -> float:
    return max((1.0 if cue.score >= 0.8 else 0.95 for cue in cues if span[0] <= cue.start < span[1]), default=0.0)


def cell_header(text: str, value: Found) -> tuple[int, int] | None:
    """The span of the header of the cell that a value stands in; None where it has none."""
    start = text.rfind("; ", 0, value.start)
    start = 0 if start < 0 else start + 2
    colon = text.find(": ", start, value.start)
    return (start, colon) if start < colon <= start + _LONGEST_HEADER else None


def _tie(value: Found, cue: CueMatch) -> float:
    if cue.start < value.end and value.start < cue.end:
        return 0.0
    gap = value.start - cue.end if cue.end <= value.start else 2 * (cue.start - value.end) + 10
    return float(2.0 ** (-max(0, gap) / _NEAR))


_OPENING = re.compile(r"\d[^\d()]{0,12}\Z|\d\Z")


def span_role(value: Found, property_id: str, text: str) -> float:
    """0.9 or −0.9 where the value is an end of a span like "(1763–1825)": the first is of birth, the last of death."""
    if property_id not in _LIFE:
        return 0.0
    before, after = text[max(0, value.start - 40) : value.start].rstrip(), text[value.end : value.end + 40].lstrip()
    opens = after[:1] in _DASHES and bool(after) and any(c.isdigit() for c in after[1:25])
    closes = before[-1:] in _DASHES and bool(before) and any(c.isdigit() for c in before[-25:-1])
    if opens == closes:
        return 0.0
    return 0.9 if closes == bool(_LIFE[property_id]) else -0.9
