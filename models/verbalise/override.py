"""An editor's wording for a property: one of its aliases, or a whole sentence with two gaps."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

_GAP = re.compile(r"\{subject\}|\{object\}")
_MAX_PATTERN = 300
_UNSEEN = frozenset({"Cc", "Cs", "Zl", "Zp"})
_TURNING = frozenset("\u200b\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff")


@dataclass(frozen=True, slots=True)
class Override:
    """`label`: `text` stands in place of the property's own label. `pattern`: `text` is the sentence."""

    wording: Literal["label", "pattern"]
    text: str


def in_force(overrides: Mapping[str | None, Override], classes: Sequence[str]) -> Override | None:
    """The override for a subject of these classes, of those of its property by class (None: for all subjects).

    The first of its classes that has one decides; where none has, the one for all does.
    """
    for subject_class in classes:
        if subject_class in overrides:
            return overrides[subject_class]
    return overrides.get(None)


def fill_pattern(text: str, subject: str, object_: str) -> str:
    """Put subject and object into the gaps, all else as it stands. Their own braces are never read as gaps."""
    words = {"{subject}": subject, "{object}": object_}
    return _GAP.sub(lambda gap: words[gap.group()], text)


def check_pattern(text: str) -> str | None:
    """Say what is wrong with a pattern, in words for the form; None when it is good."""
    if not text.strip():
        return "Write a sentence with {subject} and {object} in it."
    if len(text) > _MAX_PATTERN:
        return f"Keep the pattern within {_MAX_PATTERN} characters; it has {len(text)}."
    if any(unicodedata.category(character) in _UNSEEN or character in _TURNING for character in text):
        return "Keep the pattern on one line, without tabs, control characters, or marks that can't be seen."
    for gap in ("{subject}", "{object}"):
        if gap not in text:
            return f"The pattern lacks {gap}."
    said = _GAP.sub(" ", text)
    if re.search(r"[{}]", said):
        return "Only {subject} and {object} may stand in braces."
    if not any(character.isalpha() for character in said) or not _GAP.split(text)[1].strip():
        return "Write words between {subject} and {object} that say how they belong together."
    return None
