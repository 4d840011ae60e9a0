"""The language of a page, from its prose."""

from __future__ import annotations

import re
from functools import cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

from models.read.page import Block

SUPPORTED = frozenset({"en"})
_ENOUGH = 120  # characters of prose below which no language is ruled out
_SAMPLE = 6_000
_SURE = 0.9
# Common words of English that other languages don't share: a page where they are one word in sixteen is English,
# whatever the names in it. ("a", "is", "as", "in" and their like are common elsewhere too.)
_COMMON = frozenset(
    "the of and to for with by from his her she that this are were which been has their they its".split()
)
_COMMON_SHARE = 0.06
_LETTERS = re.compile(r"[^\W\d_]+")


@cache
def _identifier() -> LanguageIdentifier:
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def detect(blocks: tuple[Block, ...]) -> str:
    """The ISO 639-1 code of the page's prose; "en" where there is too little prose to say.

    Looks at the longest blocks first, since names, numbers and labels mislead a detector.
    """
    own = [block.text for block in blocks if not block.boilerplate and block.kind == "text"]
    prose = " ".join(sorted(own, key=len, reverse=True))[:_SAMPLE]
    words = _LETTERS.findall(prose.casefold())
    if len(prose) < _ENOUGH or not words:
        return "en"
    if sum(word in _COMMON for word in words) / len(words) >= _COMMON_SHARE:
        return "en"
    language, confidence = _identifier().classify(prose)
    return str(language) if confidence >= _SURE else "en"
