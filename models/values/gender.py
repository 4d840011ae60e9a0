"""A person's sex or gender by the pronouns that a page has for them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from models.values.found import Found

PROPERTY = "P21"
_SCORE = 0.7  # an inference, not the word itself
_FEWEST, _SHARE = 2, 0.8  # of a page's pronouns: fewer or more mixed ones may be anybody's

_PRONOUNS = {
    "male": re.compile(r"\b(?:he|him|his|himself)\b", re.I),
    "female": re.compile(r"\b(?:she|her|hers|herself)\b", re.I),
}


def told_gender(texts: Iterable[str]) -> str:
    """The gender of nearly all personal pronouns in a page's texts: "male", "female", or "" where it is neither."""
    counts = dict.fromkeys(_PRONOUNS, 0)
    for text in texts:
        for gender, words in _PRONOUNS.items():
            counts[gender] += len(words.findall(text))
    most = max(counts, key=lambda gender: counts[gender])
    return most if counts[most] >= max(_FEWEST, _SHARE * sum(counts.values())) else ""


def find_gender(label: str | None, text: str, told: str) -> Found | None:
    """The first pronoun of this gender in a text of a page whose pronouns are `told` to be of it; else None."""
    wanted = (label or "").casefold()
    own = _PRONOUNS[wanted].search(text) if wanted in _PRONOUNS and wanted == told else None
    return Found(own.start(), own.end(), "inferred", _SCORE) if own else None
