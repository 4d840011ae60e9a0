"""Identifiers, codes and other strings: character for character after normalising."""

from __future__ import annotations

import unicodedata

from models.values.found import Found


def _squeeze(text: str) -> tuple[str, list[int]]:
    """Letters, digits and signs that carry meaning, folded, with the index that each came from."""
    characters: list[str] = []
    places: list[int] = []
    for index, character in enumerate(text):
        for folded in unicodedata.normalize("NFKC", character).casefold():
            if folded.isalnum() or folded in "@#+=()[]\\/-%" or (folded == "." and _inside_number(text, index)):
                characters.append(folded)
                places.append(index)
    return "".join(characters), places


def _inside_number(text: str, index: int) -> bool:
    """A full stop counts between digits only: "S.I. 2014" and "SI 2014" are one, "2.5" and "25" aren't."""
    return text[index - 1 : index].isdigit() and text[index + 1 : index + 2].isdigit()


def find_string(value: str, text: str) -> Found | None:
    """Where a text has a string, not counting space and case, and not inside a longer number or word."""
    wanted, _ = _squeeze(value)
    if not wanted:
        return None
    have, places = _squeeze(text)
    at = have.find(wanted)
    while at >= 0:
        start, end = places[at], places[at + len(wanted) - 1] + 1
        if _alone(text, start, end):
            return Found(start, end, "exact", 1.0)
        at = have.find(wanted, at + 1)
    return None


def _alone(text: str, start: int, end: int) -> bool:
    before = text[start - 1 : start]
    after = text[end : end + 1]
    if before.isalnum() and text[start].isalnum():
        return False
    if after.isalnum() and text[end - 1].isalnum():
        return False
    # "2.5" isn't named by "12.5" or "2.55", nor "0.2.1" by "0.2.1.4".
    decimal_before = before in {".", ","} and text[start].isdigit() and text[start - 2 : start - 1].isdigit()
    decimal_after = after in {".", ","} and text[end - 1].isdigit() and text[end + 1 : end + 2].isdigit()
    return not (decimal_before or decimal_after)
