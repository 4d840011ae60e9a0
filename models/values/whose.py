"""Whom a passage speaks of: the subject by name, by the heading above, by a pronoun, or somebody else."""

from __future__ import annotations

import re
from collections.abc import Iterable

from models.statement import Term
from models.values.found import Found

_PRONOUN = re.compile(
    r"\W*(?:he|she|they|it|his|her|hers|their|its|the (?:author|artist|company|film|book|album))\b", re.I
)
# Between a subject's name and a value, these hand the sentence on to a relative.
_RELATIVE = re.compile(
    r"\b(?:father|mother|parents?|wife|husband|widow(?:er)?|spouse|married|sons?|daughters?|child(?:ren)?|brothers?|"
    r"sisters?|siblings?|twin|uncle|aunt|nephew|niece|cousin|grand(?:father|mother|son|daughter|parents?)|heir|"
    r"stepfather|stepmother|predecessor|successor|succeeded by|pupil|student of|namesake)\b",
    re.I,
)
# Somebody of the subject's: "his", "whose", "Hall's". Styles are the subject itself.
_OWNED = (
    r"\b(?P<owner>his|her|their|its|whose|[^\W\d_]{1,30}(?:['’]s|s['’]))\s+"
    r"(?!(?:\w+\s+)?(?:Majesty|Highness|Holiness|Excellency|Eminence|Grace|Lordship|Ladyship|Honou?r|Beatitude)\b)"
)
# Whoever that is, it isn't the subject who was born or died: "her longtime agent died", "whose dog was born".
_LIVES = re.compile(
    rf"{_OWNED}(?:(?!(?:he|she|they|it|where|when|while)\b)[\w'’.-]+,?\s+){{1,8}}?"
    r"(?:died|dies|passed away|(?:was|were|is) (?:born|killed|murdered|executed|buried)|drowned)\b",
    re.I,
)
# Those who work, live and learn with somebody; each can be a calling too ("a partner at the firm") and takes an owner.
_BESIDE = re.compile(
    rf"{_OWNED}(?:(?!(?:and|or|with|of|for|to|by|in|at|on)\b)[\w'’-]+,?\s+){{0,3}}"
    r"(?:companion|partner|collaborator|colleague|friend|manager|assistant|secretary|agent|teacher|tutor|mentor|editor|"
    r"publisher|lover|boyfriend|girlfriend|fianc[ée]e?|(?:band|team|class|room|house|school|play)mate|rival|biographer|"
    r"employer|boss|neighbou?r|patron|disciple|apprentice|follower|protégée?|guardian|god(?:father|mother|son|daughter)|"
    r"ally|contemporary|master|servant|nurse|co-?(?:author|writer|founder|star|director|pilot|worker)|"
    r"(?:wo)?man|housekeeper|accompanist|bodyguard|librettist|translator|producer|coach|trainer)s?\b"
    r"(?P<tells>,?\s+(?:who|born)\b)?(?=[,(]?\s+(?!(?:was|is|were|named|called)\s*\Z)\S+\s)",
    re.I,
)
# Before its owner where it stands for the subject of a clause: "with her companion" and "he and his partner" don't.
_OPENS = re.compile(
    r"(?:\A|[,;:(—–\"“]|\b(?:while|when|as|after|before|until|since|because|that|where|whereas|but|though|although|if|time)"
    r"|(?:\S+\s+){4,}and)\s*\Z",
    re.I,
)
_REACH = 80  # characters before a clause that are looked at
_BACK = re.compile(r"\b(?:he|she|they)\b", re.I)
_SENTENCE_END = re.compile(r"\w{3,}[.!?][\"”’)]*\s+(?=[A-ZÀ-ÖØ-Þ])")
_NAME = re.compile(r"(?<![^\W\d_])(?:[A-ZÀ-ÖØ-Þ][\w’'.-]*\s+){1,4}[A-ZÀ-ÖØ-Þ][\w’'-]+")
_PLACED = re.compile(r"\b(?:in|at|of|near|from|to|for|by|on|the|and|with|de|von|van)\s+\Z", re.I)
_MONTH_OR_DAY = re.compile(
    r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\b", re.I
)
_LIFESPAN = re.compile(r"(?<!\d)(1\d{3}|20\d{2}|[5-9]\d{2})\s*[-–—]\s*(1\d{3}|20\d{2}|[5-9]\d{2})(?!\d)")
_SLACK = 2  # years by which sources differ about one person


def begins_with_pronoun(text: str) -> bool:
    """True where a passage goes on about whom the page is about: "She was born …"."""
    return _PRONOUN.match(text) is not None


def hands_on(text: str, subject: Found | None, value: Found) -> bool:
    """True where a relative or another person is named between the subject (or the beginning) and the value.

    "Ann Lee married John Hall, born 1820" gives nobody's birth but Hall's, "her agent died in 1901" nobody's death but
    the agent's. Places, which follow a preposition, don't count.
    """
    start = subject.end if subject and subject.end <= value.start else 0
    between = text[start : value.start]
    if _RELATIVE.search(between) or _is_anothers(text[:start], between):
        return True
    if subject is None:
        return False
    return any(
        not _PLACED.search(between[: name.start()]) and not _MONTH_OR_DAY.search(name.group())
        for name in _NAME.finditer(between)
    )


def _is_anothers(before: str, between: str) -> bool:
    """True where the sentence that leads to a value is about somebody of the subject's."""
    ends = list(_SENTENCE_END.finditer(between))
    if ends:
        sentence = between[ends[-1].end() :]
    else:
        sentence = f"whose{between}" if before.endswith(("'s", "’s", "s'", "s’")) else between
    for pattern in (_LIVES, _BESIDE):
        for owned in pattern.finditer(sentence):
            told = owned["owner"].lower() == "whose" or owned.groupdict().get("tells")
            if owned["owner"].lower() == "whose" and "," in owned.group():
                continue  # the clause has ended: "whose violins were prized, died" is of the subject again
            if (told or _opens(sentence, owned.start())) and not _BACK.search(sentence, owned.end()):
                return True
    return False


def _opens(sentence: str, at: int) -> bool:
    """Whether a clause begins at a place of a sentence."""
    before = sentence[max(0, at - _REACH) : at]
    return _OPENS.search(before if at <= _REACH else f"- {before}") is not None


def lifespans(texts: Iterable[str]) -> list[tuple[int, int]]:
    """The spans of years in texts, as (first, last)."""
    return [(int(span.group(1)), int(span.group(2))) for text in texts for span in _LIFESPAN.finditer(text)]


def is_namesake(item: Term, heads: Iterable[str]) -> bool:
    """True where the item's description gives a lifespan, and the heads that name it give others in both their years.

    A span that shares either year is the same person's, told differently.
    """
    own = lifespans([item.description])
    theirs = lifespans(heads)
    return bool(own and theirs) and not any(
        abs(first - a) <= _SLACK or abs(last - b) <= _SLACK for first, last in own for a, b in theirs
    )
