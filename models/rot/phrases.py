"""Words by which pages say that they aren't what was asked for, in the languages that such pages are commonly in.

They stand in `words/*.txt`, one regular expression a line, for casefolded text; `{thing}` and `{left}` stand for the
words below.
"""

from __future__ import annotations

import re
from pathlib import Path

_WORDS = Path(__file__).parent / "words"
_THING = (
    "(?:page|record|article|item|document|entry|profile|object|file|resource|content|story|post|listing|product|player|"
    "person|user|work|film|movie|title|artist|book|ship|vessel|site|url|address|link|result|match|athlete|member|"
    "publication|report|image|video|event|topic|location|account|project|section)"
)
_LEFT = (
    "(?:is|are|was|were|has|have|been|can|could|may|might|be|you|we|that|which|the|this|requested|your|looking|for|to|"
    "'re|’re|trying|reach|view|access|with|id|number|either|currently|longer|no)"
)


# What a site offers its members on a page that all may read.
_TO_ADD = (
    r"\b(?:log|sign)(?:ged)?[ -]?in\b.{0,30}\b(?:to|and) (?:edit|rate|add|comment|vote|follow|save|post|reply|review|"
    r"contribute|upload|leave|write|like|share|bookmark|track)\b"
)


def _read(name: str, beside: str = "") -> re.Pattern[str]:
    """The patterns of a file as one; it matches nothing where `beside` stands anywhere in the text."""
    lines = (_WORDS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]
    source = "|".join(f"(?:{pattern})" for pattern in patterns)
    if beside:
        source = rf"^(?!.*(?:{beside})).*?(?:{source})"
    return re.compile(source.replace("{thing}", _THING).replace("{left}", _LEFT))


ABSENT = _read("absent")
ABSENT_PAGE = _read("absent_page")
PARKED = _read("parked")
GAMBLING = _read("gambling")
SPAM = _read("spam")
LOGIN = _read("login", beside=_TO_ADD)
CONSENT = _read("consent")
CHALLENGE_ASKS = _read("challenge_asks")
CHALLENGE = re.compile(f"{CHALLENGE_ASKS.pattern}|{_read('challenge').pattern}")
"""The questions, and the words that stand beside them."""
LISTING = _read("listing", beside=r"\bback to\b")
HOME = _read("home")
