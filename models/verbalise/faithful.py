"""Whether a sentence that a model wrote still says what the statement says.

A model may choose the words around subject and value; it may not leave one out, change a number, a date or a unit, or
add a fact. Doubt counts against the sentence: there is always our own to fall back on.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

from models.verbalise.triple import Triple

_LONGEST = 1500  # characters; subject, relation and value have 300 each at most
_MOST_OTHER_WORDS = 25
_SLACK = 3  # words between the parts of a date: "the 14th day of September in 1966"
_MOST_PLACES = 8

_THOUSANDS = re.compile(r"(?<=\d)[,\u00a0\u202f](?=\d{3}(?!\d))")
_TOKEN = re.compile(
    r"(?<![^\W_])-\d+(?:\.\d+)?(?![^\W_])"  # a number below zero; the dash of "1763-1825" is none
    r"|\d+(?:\.\d+)?(?:st|nd|rd|th)?(?![^\W_])"
    r"|[^\W_]+"
)
_SENTENCE_END = re.compile(r"[.!?…](?=\s+\S)")
_ALIKE = str.maketrans({"−": "-", "–": "-", "—": "-", "’": "'", "‘": "'", "“": '"', "”": '"', "…": "..."})
_LIGHT = str.maketrans("", "", ".,'\"")
_ERAS = {"bce": "bc", "ce": "ad"}
_MONTHS = frozenset("january february march april may june july august september october november december".split())
# Words and signs that change an amount, a date or the claim itself.
_TELLING = frozenset(
    (
        "dozen hundred thousand million billion trillion percent percentage half twice double bc about around circa "
        "approximately nearly almost not never nor neither without t isn wasn didn doesn hasn former formerly"
    ).split()
)
_SIGNS = frozenset("%‰°€$£¥×^±~<>{}[]|\\#=")


def faithful(sentence: str, triple: Triple) -> bool:
    """True where a sentence of one line holds the triple's subject and, apart from it, its value, and no number, date,
    sign or further sentence that the triple doesn't have. Linear in the sentence; never raises.
    """
    if not sentence or len(sentence) > _LONGEST:
        return False
    given = " ".join((triple.subject, triple.relation, triple.value))
    tokens, known = _tokens(sentence), _tokens(given)
    subject, value = _tokens(triple.subject), _tokens(triple.value)
    return (
        len(subject) + len(value) < len(tokens) <= len(known) + _MOST_OTHER_WORDS
        and not _adds(tokens, frozenset(known))
        and _signs(triple.value) <= _signs(sentence) <= _signs(given)
        and len(_SENTENCE_END.findall(sentence)) <= len(_SENTENCE_END.findall(given))
        and _spelled(triple.subject, sentence)
        and (triple.kind in {"time", "quantity"} or _spelled(triple.value, sentence, exactly=triple.kind == "string"))
        and _apart(tokens, subject, value, in_order=triple.kind not in {"time", "quantity"})
    )


def _normal(text: str) -> str:
    """Without case and accents, with one kind of dash and quotation mark, and no marks between thousands."""
    text = unicodedata.normalize("NFKD", _THOUSANDS.sub("", text))
    return "".join(c for c in text if not unicodedata.combining(c)).casefold().translate(_ALIKE)


def _tokens(text: str) -> tuple[str, ...]:
    return tuple(_token(token) for token in _TOKEN.findall(_normal(text)))


def _token(token: str) -> str:
    if not any(c.isdigit() for c in token):
        return _ERAS.get(token, token)
    if token[-2:] in {"st", "nd", "rd", "th"}:
        return token[:-2]
    return token.rstrip("0").rstrip(".") if "." in token else token


def _signs(text: str) -> frozenset[str]:
    return _SIGNS & set(text)


def _adds(tokens: Sequence[str], known: frozenset[str]) -> bool:
    """True where a number, a month of a date or a telling word stands in the sentence that the triple doesn't have."""
    for at, token in enumerate(tokens):
        if token in known:
            continue
        if token in _TELLING or any(c.isdigit() for c in token):
            return True
        # "May" and "march" are other words too; beside a number they are months.
        beside = (*tokens[max(0, at - 1) : at], *tokens[at + 1 : at + 2])
        if token in _MONTHS and any(c.isdigit() for other in beside for c in other):
            return True
    return False


def _spelled(name: str, sentence: str, exactly: bool = False) -> bool:
    """True where the name stands in the sentence with its own marks: "C++" isn't said by "C".

    Dots, commas and quotation marks don't count ("G V Raja" is G. V. Raja), unless the name is to be there `exactly`.
    """
    return _squeezed(name, exactly) in _squeezed(sentence, exactly)


def _squeezed(text: str, exactly: bool) -> str:
    squeezed = "".join(_normal(text).split())
    return squeezed if exactly else squeezed.translate(_LIGHT)


def _apart(tokens: Sequence[str], subject: Sequence[str], value: Sequence[str], in_order: bool) -> bool:
    """True where the subject stands in the sentence and the value in what is left of it."""
    if not subject:
        return _holds(tokens, value, in_order)
    for at in _places(tokens, subject)[:_MOST_PLACES]:
        rest = [*tokens[:at], *[""] * len(subject), *tokens[at + len(subject) :]]
        if _holds(rest, value, in_order):
            return True
    return False


def _places(tokens: Sequence[str], wanted: Sequence[str]) -> list[int]:
    size, whole = len(wanted), tuple(wanted)
    return [at for at in range(len(tokens) - size + 1) if tuple(tokens[at : at + size]) == whole]


def _holds(tokens: Sequence[str], wanted: Sequence[str], in_order: bool) -> bool:
    if in_order or not wanted:
        return not wanted or bool(_places(tokens, wanted))
    needed, reach = Counter(wanted), len(wanted) + _SLACK
    starts = [at for at, token in enumerate(tokens) if token in needed][: 10 * _MOST_PLACES]
    return any(needed <= Counter(tokens[at : at + reach]) for at in starts)
