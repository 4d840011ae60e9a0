"""Which of two things is whose what, according to a sentence: its frame, once subject and value are taken out.

A frame is the rest of a sentence around two gaps. "The father of _ is _", "_'s father is _", "_ has the father _" and
"_ is the father of _" (with the gaps exchanged) state the same relation; "_ was founded by _" and "_ founded _" do with
the gaps exchanged. Directions are read from the words' order and small words alone, no model and no list of properties.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from models.verbalise.vocabulary import PARTICIPLES, VERBS

SUBJECT, VALUE = "\0subject", "\0value"
_GAPS = (SUBJECT, VALUE)

Kind = Literal["role", "act", "state", "bare"]


@dataclass(frozen=True, slots=True)
class Relation:
    """`role`: the value is the subject's …; `act`: the subject does … (to, in, at) the value; `state`: the subject is
    …ed in, at, to the value; `bare`: "subject is (in) value", with no word of content. All the other way round where
    not `forward`. `words` are stems; a bare relation's are its preposition.
    """

    kind: Kind
    forward: bool
    words: frozenset[str]

    @property
    def reversed(self) -> Relation:
        """The same words the other way round."""
        return Relation(self.kind, not self.forward, self.words)


@dataclass(frozen=True, slots=True)
class Frame:
    """All readings of a sentence, and the stems of all its words of content."""

    relations: frozenset[Relation]
    words: frozenset[str]


_COPULAS = frozenset("is are was were be am isn't been being became becomes".split())
_HAVING = frozenset("has have had having".split())
PREPOSITIONS = frozenset("of in on at to by for with as from than via under about within during through".split())
# What says nothing by itself. Words that turn a meaning ("not", "after", "into", "out", "before") aren't among them.
_SMALL = (
    PREPOSITIONS
    | _COPULAS
    | _HAVING
    | frozenset(
        "and or its his her their he she it they this that these which who whom whose where when what also there "
        "do does did called 's".split()
    )
)
ARTICLES = frozenset({"the", "a", "an"})
_ADJECTIVES = frozenset(
    "endemic different identical similar equal adjacent notable native due close present prior subject parallel "
    "equivalent inverse coincident famous sister available active".split()
)
# Labels that begin so say what the subject is: "member of political party" isn't a party's member.
_SAID_OF_SUBJECT = frozenset({"member", "season", "part"})


def words_of(text: Iterable[str]) -> frozenset[str]:
    """The stems of the words of content among these."""
    return frozenset(stem(word) for word in text if word not in _SMALL and word not in ARTICLES and word not in _GAPS)


_ENDINGS = tuple(
    "ifications ification izations isations ization isation ations ation itions ition ators ator atives ative ants ant "
    "ives ive ating ated ates ate ions ion ings ing ers ors ees er or ee ied ies ed es ity ment s e y".split()
)


# Strong verbs of labels and sentences, by their plain form.
_STRONG = {"spoken": "speak", "spoke": "speak", "written": "write", "wrote": "write", "won": "win", "held": "hold"} | {
    "took": "take", "taken": "take", "led": "lead", "made": "make"
}  # fmt: skip


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A crude stem, so that "creator", "created" and "creation" meet; at least three letters stay."""
    word = _STRONG.get(word, word).replace("colour", "color").replace("centre", "center")
    if not word.isascii() or not word.isalpha():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith(("ss", "us")):
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def read_frame(tokens: Sequence[str]) -> Frame:
    """Read a sentence's words, casefolded, with one `SUBJECT` and one `VALUE` among them; articles don't matter."""
    tokens = [token for token in tokens if token not in ARTICLES]
    first, second = sorted((tokens.index(SUBJECT), tokens.index(VALUE)))
    along = tokens[first] == SUBJECT
    before, between, after = tokens[:first], tokens[first + 1 : second], tokens[second + 1 :]
    relations = set()
    for kind, onward, words in _readings(before, between, after):
        stems = frozenset(words) if kind == "bare" else words_of(words)
        if kind != "bare" and not stems:
            continue
        relations.add(Relation(kind, onward == along, stems))
        if kind == "role" and _is_agent(words):
            # Who is the founder of it founded it.
            relations.add(Relation("act", onward != along, stems))
    return Frame(frozenset(relations), words_of(tokens))


Reading = tuple[Kind, bool, Sequence[str]]


def _readings(before: Sequence[str], between: Sequence[str], after: Sequence[str]) -> Iterator[Reading]:
    """Kind, whether it goes from the first gap on to the second, and the words that carry it."""
    everything = (*before, *between, *after)
    if words_of(before):
        if before[-1] in PREPOSITIONS or (between and between[0] in _COPULAS and set(before) & PREPOSITIONS):
            # The father of _ is _; the place served by the airport _ is _.
            yield "role", True, everything
            return
        # Author _ wrote _; water makes up _ of the area of _.
        yield "role", False, before if between and between[0] not in PREPOSITIONS else everything
    between = [word for word in between if word != "also"]
    while between[:2] in (["has", "been"], ["have", "been"], ["had", "been"]):
        between = ["was", *between[2:]]
    if not between:
        # "_ has _ floors" comes elsewhere: here the value brings its own verb.
        yield ("role", True, after) if words_of(after) else ("bare", True, ("has its own verb",))
    elif between[0] == "'s":
        yield "role", True, everything
    elif between[0] in _HAVING:
        yield from _after_having(between[1:], after)
    elif between[0] in _COPULAS and after[:1] == ["'s"]:
        # _ is _'s father.
        yield "role", False, (*between, *after)
    elif between[0] in _COPULAS:
        yield from _after_copula(between[1:], after)
    elif between[-1] in _COPULAS:
        # The _ edition number is _.
        yield "role", True, (*between, *after)
    else:
        yield from _after_verb(between, after)


def _after_having(rest: Sequence[str], after: Sequence[str]) -> Iterator[Reading]:
    content = [word for word in rest if words_of((word,))]
    if content and is_participle(content[0]) and (len(content) == 1 or set(rest[1:2]) & PREPOSITIONS):
        # _ has won _; _ has appeared in the film _.
        yield from _after_verb(rest, after)
    else:
        # _ has the father _; _ has _ floors; _ has archives at _.
        yield "role", True, (*rest, *after)


def _after_verb(rest: Sequence[str], after: Sequence[str]) -> Iterator[Reading]:
    if _passive(rest):
        yield "act", False, (*rest, *after)
        return
    yield "act", True, (*rest, *after)
    # _ received the award _: the value is an award, too.
    yield "role", True, (*_without_first(rest), *after)


def _after_copula(rest: Sequence[str], after: Sequence[str]) -> Iterator[Reading]:
    content = [index for index, word in enumerate(rest) if words_of((word,))]
    if not content:
        if words_of(after):
            yield "role", True, after
        else:
            yield "bare", True, tuple(word for word in rest if word in PREPOSITIONS)
        return
    prepositions = [index for index, word in enumerate(rest) if word in PREPOSITIONS and index > content[0]]
    if rest[0] in PREPOSITIONS:
        # _ is in the collection of _.
        yield "state", True, (*rest, *after)
        yield "role", True, (*rest, *after)
    elif _is_predicate([rest[index] for index in content], rest[content[0] + 1 :]):
        yield ("act", False, (*rest, *after)) if _passive(rest) else ("state", True, (*rest, *after))
        # _ is located on the continent of _; _ was produced by the company _.
        yield "role", True, (*(rest[prepositions[0] :] if prepositions else ()), *after)
    elif prepositions:
        # _ is a member of _; _ is a member of the party _.
        yield "role", False, rest[: prepositions[0]]
        yield "role", True, (*rest[prepositions[0] :], *after)
    else:
        yield "role", True, (*rest, *after)


def _is_predicate(content: Sequence[str], following: Sequence[str]) -> bool:
    """Whether participles or adjectives follow the copula: "located in", but not "listed ingredient of"."""
    first = content[0]
    if first not in _ADJECTIVES and not is_participle(first):
        return is_participle(content[-1])
    return len(content) == 1 or is_participle(content[1]) or (bool(following) and following[0] in _SMALL)


def _without_first(words: Sequence[str]) -> Sequence[str]:
    """The words behind the first one of content: a verb's complement."""
    return words[next((index + 1 for index, word in enumerate(words) if words_of((word,))), len(words)) :]


def _passive(words: Sequence[str]) -> bool:
    """Whether the last preposition is a "by" with a participle before it."""
    prepositions = [index for index, word in enumerate(words) if word in PREPOSITIONS]
    return bool(prepositions) and words[prepositions[-1]] == "by" and any(map(is_participle, words[: prepositions[-1]]))


def is_participle(word: str) -> bool:
    """Whether a word looks like a past participle."""
    return word in PARTICIPLES or (word.endswith("ed") and len(word) > 4)


_AGENT = re.compile(r"(?:er|or|ist|ant)s?\Z")


def _is_agent(words: Sequence[str]) -> bool:
    """Whether the words name one who does something, and nothing else: "founder", not "number of children"."""
    content = [word for word in words if words_of((word,))]
    return bool(content) and all(_AGENT.search(word) and word != "number" for word in content)


def label_relations(label: Sequence[str]) -> frozenset[Relation]:
    """What a property's label or alias says, as words in order, read by its shape alone.

    "member of" is said of the subject; "founded by", "follows", "has part", "award received" are predicates; any other
    ("father", "date of birth") names what the value is to the subject.
    """
    words = [word for word in label if word not in ARTICLES]
    relations: set[Relation] = set()
    for sentence in _label_sentences(words) if words else ():
        relations |= read_frame(sentence).relations
    if words and is_participle(words[-1]):
        # "university attended" doesn't say that the value is the subject's university.
        relations = {relation for relation in relations if words_of((words[-1],)) <= relation.words}
    return frozenset(relations)


def _label_sentences(words: Sequence[str]) -> list[list[str]]:
    if words[-1] == "by" and len(words) > 1:
        if is_participle(words[-2]):
            return [[SUBJECT, "was", *words, VALUE]]
        return [[*words[:-1], "of", SUBJECT, "is", "by", VALUE]]
    if words[0] in _HAVING | _COPULAS | VERBS:
        return [[SUBJECT, *words, VALUE]]
    if words[0] in PREPOSITIONS:
        return [[SUBJECT, "is", *words, VALUE]]
    if all(is_participle(word) or word in {"and", "or"} for word in words):
        return [[SUBJECT, "was", *words, "in", VALUE], [SUBJECT, *words, VALUE]]
    if is_participle(words[-1]):
        return [[SUBJECT, words[-1], *words[:-1], VALUE], [SUBJECT, "'s", *words, "is", VALUE]]
    following = words[1] if len(words) > 1 else ""
    if following in PREPOSITIONS and (is_participle(words[0]) or words[0] in _ADJECTIVES):
        return [[SUBJECT, "is", *words, VALUE], [SUBJECT, *words, VALUE]]
    if words[-1] in PREPOSITIONS:
        plural = len(words) > 1 and words[-2].endswith("s") and not words[-2].endswith("ss")
        return [[SUBJECT, "has" if plural else "is", *words, VALUE]]
    if words[0] in _SAID_OF_SUBJECT and following == "of":
        return [[SUBJECT, "is", *words, VALUE]]
    role = [SUBJECT, "'s", *words, "is", VALUE]
    by = words.index("by") if "by" in words else 0
    if by > 1 and is_participle(words[by - 1]):
        # "place served by transport hub": the subject is the hub.
        return [role, [VALUE, "was", *words[by - 1 : by + 1], SUBJECT]]
    return [role]
