"""A sentence for any property, from the shape of its label or of an alias of it.

"produced by" makes "X was produced by Y", "number of floors" makes "The number of floors of X is Y",
"has cause" makes "X has the cause Y", and so on. The label's own text is never read as a pattern.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from models.verbalise.articles import an, head, is_plural
from models.verbalise.sentence import ARE, HAS, IS, Gap, Sentence, Verb
from models.verbalise.vocabulary import (
    ACTIVE_PAST,
    ADJECTIVES,
    ADVERBS,
    COUNTS,
    LY_NOUNS,
    NAME_WORDS,
    PARTICIPLES,
    PLACED,
    PREPOSITIONS,
    QUESTIONS,
    STATES,
    TIME_PREPOSITIONS,
    VERBS,
)

_NOTE = re.compile(r"(?<=\S)\s*\([^()]*\)$")


@lru_cache(maxsize=8192)
def sentence(label: str, kind: str) -> Sentence:
    """The sentence for a label of one line, not empty.

    `kind` says the value: `time`, `quantity`, `text` (in a language), `string` or `entity`.
    """
    label = label.removeprefix("the ").replace("(s)", "s").strip() or label
    if label.split()[0].lower() in QUESTIONS or label.endswith("?"):
        return ("For ", Gap.SUBJECT, f', the answer to "{label}" is ', Gap.THE_OBJECT)
    words = (_NOTE.sub("", label)).split()
    for build in (_having, _being, _prepositional, _verbal, _participial, _relational):
        built = build(words, kind)
        if built is not None:
            return built
    return _nominal(label, label.split(), kind)


def _having(words: Sequence[str], kind: str) -> Sentence | None:
    if words[0].lower() not in {"has", "have", "having", "had"}:
        return None
    verb: str | Verb = "had" if words[0].lower() == "had" else HAS
    rest = words[1:]
    if not rest:
        return (Gap.SUBJECT, " ", verb, " ", Gap.AN_OBJECT)
    noun = " ".join(rest)
    if rest[-1] in PREPOSITIONS or rest[0] in PREPOSITIONS or rest[0] in {"a", "an", "the"}:
        return (Gap.SUBJECT, " ", verb, f" {noun} ", Gap.THE_OBJECT)
    if kind == "quantity":
        return (Gap.SUBJECT, " ", verb, f" {an(noun)} of ", Gap.OBJECT)
    article = "" if is_plural(head(noun)) else "the "
    return (Gap.SUBJECT, " ", verb, f" {article}{noun} ", _named(words, kind))


def _being(words: Sequence[str], kind: str) -> Sentence | None:
    verb = words[0].lower()
    if verb == "does" and len(words) > 2 and words[1] == "not":
        return (Gap.SUBJECT, f" {' '.join(words[:3])}", *_complement(words[3:], kind))
    if verb not in {"is", "isn't", "are", "was", "were", "be"}:
        return None
    tensed: str | Verb = verb if verb in {"was", "were", "isn't"} else IS
    if len(words) > 1 and not set(words) & PREPOSITIONS:
        return (Gap.SUBJECT, " ", tensed, f" {' '.join(words[1:])} ", Gap.THE_OBJECT)
    return (Gap.SUBJECT, " ", tensed, *_complement(words[1:], kind))


def _prepositional(words: Sequence[str], kind: str) -> Sentence | None:
    at = _after_adverb(words)
    first = words[at].lower()
    # "next to" is one, "next higher rank" is a noun.
    if first not in PREPOSITIONS or (first == "next" and words[at + 1 : at + 2] != ["to"]):
        return None
    return (Gap.SUBJECT, " ", IS, *_complement(words, kind))


def _verbal(words: Sequence[str], kind: str) -> Sentence | None:
    at = _after_adverb(words)
    verb, following = words[at].lower(), " ".join(words[at + 1 : at + 2])
    known = (
        verb in VERBS or verb in ACTIVE_PAST or (verb.endswith("s") and verb not in ADJECTIVES and following == "to")
    )
    if not known or following == "by":
        return None
    return (Gap.SUBJECT, f" {' '.join(words[: at + 1])}", *_complement(words[at + 1 :], kind))


def _participial(words: Sequence[str], kind: str) -> Sentence | None:
    at = _after_adverb(words)
    if not _is_participle(words[at]):
        return None
    verb: str | Verb = IS if words[at].lower() in STATES and kind != "time" else "was"
    rest = words[at + 1 :]
    if rest and rest[0] not in PREPOSITIONS:
        return None
    if not rest and words[at].lower() in PLACED and kind == "entity":
        rest = ["in"]
    if not rest and kind != "time":
        return (Gap.SUBJECT, f" {' '.join(words)} ", Gap.THE_OBJECT)
    return (Gap.SUBJECT, " ", verb, f" {' '.join(words[: at + 1])}", *_complement(rest, kind))


def _is_participle(word: str) -> bool:
    word = word.lower()
    return word in PARTICIPLES or (word.endswith("ed") and len(word) > 3 and not word.endswith("eed"))


def _relational(words: Sequence[str], kind: str) -> Sentence | None:
    """ "endemic to", "member of", "archives at", "lyrics by": words that lead up to a preposition."""
    at = _after_adverb(words)
    following = " ".join(words[at + 1 : at + 2])
    participle = words[at].endswith("ing") and following not in {"of", "by"}
    if following in PREPOSITIONS and (participle or words[at].lower() in ADJECTIVES):
        return (Gap.SUBJECT, " ", IS, *_complement(words, kind))
    if len(words) < 2 or words[-1] not in PREPOSITIONS or _has_clause(words):
        return None
    if words[-1] == "by":
        return _credited(words)
    # "league level above" is the one above, "surface played on" the surface: the value, not the subject.
    if words[-1] in {"above", "below"} or _is_participle(words[-2]):
        return None
    phrase = " ".join(words)
    if is_plural(head(phrase)):
        return (Gap.SUBJECT, " ", HAS, f" {phrase} ", Gap.THE_OBJECT)
    is_person = head(phrase).endswith(("er", "or", "ist", "ian", "ant", "ee"))
    verb = HAS if words[-1] in {"on", "with", "at"} and not is_person else IS
    return (Gap.SUBJECT, " ", verb, f" {an(phrase)} ", Gap.THE_OBJECT)


def _credited(words: Sequence[str]) -> Sentence:
    """ "lyrics by": the lyrics are by Y; "oath made by": the oath was made by Y."""
    if len(words) > 2 and _is_participle(words[-2]):
        return (f"The {' '.join(words[:-2])} of ", Gap.SUBJECT, f" was {words[-2]} by ", Gap.THE_OBJECT)
    verb = ARE if is_plural(words[-2]) else IS
    return (f"The {' '.join(words[:-1])} of ", Gap.SUBJECT, " ", verb, " by ", Gap.THE_OBJECT)


def _after_adverb(words: Sequence[str]) -> int:
    first = words[0].lower()
    return (
        1
        if len(words) > 1 and (first in ADVERBS or (first.endswith("ly") and len(first) > 4 and first not in LY_NOUNS))
        else 0
    )


def _has_clause(words: Sequence[str]) -> bool:
    return any(word in {"is", "are", "has", "have", "was", "were"} for word in words[1:])


def _complement(words: Sequence[str], kind: str) -> Sentence:
    """What follows a verb, with the value: "in the city of" + value; "on street" + "the street" + value."""
    if not words:
        return (" ", Gap.WHEN if kind == "time" else Gap.THE_OBJECT)
    if kind == "time" and words[-1] in TIME_PREPOSITIONS:
        return (" ".join(("", *words[:-1], "")), Gap.WHEN)
    # Behind "to" stands a verb ("said to be the same as", "designed to carry"), which takes no article.
    if words[-1] in PREPOSITIONS or words[0].lower() in {"a", "an", "not", "to"}:
        return (f" {' '.join(words)} ", Gap.WHEN if kind == "time" else Gap.THE_OBJECT)
    at = _noun_phrase(words)
    before, noun = " ".join(("", *words[:at], "")), " ".join(words[at:])
    article = "" if words[at].lower() in {"the", "its", "their", "this", "a", "an"} else "the "
    return (f"{before}{article}{noun} ", _named(words, kind))


def _noun_phrase(words: Sequence[str]) -> int:
    """Where the last noun phrase begins: behind the last preposition, "body of water" being one phrase."""
    places = [index for index, word in enumerate(words) if word in PREPOSITIONS]
    joined = [index for index in places if words[index] != "of"] or places
    return joined[-1] + 1 if joined else 0


def _nominal(label: str, words: Sequence[str], kind: str) -> Sentence:
    value = Gap.THE_OBJECT if kind == "entity" else _named(words, kind)
    if _has_clause(words):
        return (f'The "{label}" of ', Gap.SUBJECT, " ", IS, " ", value)
    if _trails_off(words):
        # "Record held", "sports discipline competed in": who held or competed is the subject, whatever "of" would say.
        return ("For ", Gap.SUBJECT, f", the {label} ", IS, " ", value)
    plural = is_plural(head(label))
    verb: str | Verb = "include" if plural and kind == "entity" else ARE if plural else IS
    counted = words[0].lower() in COUNTS
    if not counted and any(word in PREPOSITIONS for word in words[1:]):
        # "X's place of origin", since "the place of origin of X" is soon misread.
        return (Gap.SUBJECTS, f" {label} ", verb, " ", value)
    return (f"The {label} of ", Gap.SUBJECT, " ", IS if counted else verb, " ", value)


def _trails_off(words: Sequence[str]) -> bool:
    """Whether a noun phrase ends in a participle, or in one and a preposition."""
    last = [word for word in words[-2:] if word not in PREPOSITIONS]
    return len(words) > 1 and bool(last) and words[-1] != "by" and _is_participle(last[-1]) and last[-1] != words[0]


def _named(words: Sequence[str], kind: str) -> Gap:
    if kind == "text" and any(word.lower() in NAME_WORDS for word in words):
        return Gap.QUOTED
    return Gap.OBJECT
