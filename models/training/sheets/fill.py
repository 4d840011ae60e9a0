"""A wording filled with what holds of a thing, and where in the text each fact stands.

A wording has choices, "[was born|came into the world]", and gaps:
- {s} the subject, {s's} its possessive, {name} its whole name, {he} {his} {him} {son} {noun}, {age} at death;
- {y} {n} {x} {p} {k}: a year, a number, a person, a place and a namesake that say nothing of it;
- {P569} a value, {P22.P569} a value of the value, {P26.kin} the word for the relative, {P26.he} {P26.his} its pronouns.

Behind a property: "in" (a time with its preposition), "y" (its year alone), "a" (with an article), "*" (all values, "A,
B and C"), ";" (all, with semicolons), "#1" (the second value), "bare" (without its unit), "adj" (a country's
adjective), "+" and "-" (said only together with the next part, or the one before).
" // " parts sentences of which each says its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

from models.statement import EntityValue, QuantityValue, TextValue, TimeValue, Value
from models.training.sheets import names
from models.training.sheets.dates import Hand, amount_text, date_text
from models.training.sheets.sheet import Fact
from models.training.sheets.thing import Thing, inverses, property_term

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_GAP = re.compile(r"\{([^{}]+)\}")
_PROPERTY = re.compile(r"^(P\d+|[a-z]+_?[a-z]*)(?:\.(P\d+|[a-z_]+))?$")
_PLAIN = frozenset(("son", "s", "s's", "name", "he", "his", "him", "noun", "a_noun", "y", "n", "x", "p", "k", "age"))
_WORDS = frozenset(("kin", "he", "his"))  # of a value, that are no value
PARTS = " // "
_MOST_LISTED = 6


@dataclass(frozen=True, slots=True)
class Mark:
    """A fact that a text says, and where: the part (from 0), and characters of it.

    `also` is 1 where the next part is needed too, −1 where the one before is. `back`: it follows from what is said, and
    its value is the thing that is told of, which the text may leave unnamed.
    """

    fact: Fact
    part: int
    start: int
    end: int
    also: int = 0
    back: bool = False


@dataclass(frozen=True, slots=True)
class Filled:
    """Text in parts, each a sentence of its own; the facts it says. `others`: it tells of the thing's kin as well."""

    parts: tuple[str, ...]
    marks: tuple[Mark, ...]
    others: bool = False

    @property
    def text(self) -> str:
        """The parts as one text."""
        return " ".join(self.parts)


@dataclass(slots=True)
class Voice:
    """Who writes: chance, the page's hand, whether in sentences, and how the subject is called ("full", "short",
    "pronoun", "noun")."""

    random: Random
    hand: Hand
    prose: bool = True
    mention: str = "full"
    aliases: float = 0.12
    chosen: dict[str, int] = field(default_factory=dict)
    years: list[int] = field(default_factory=list)


def said_by(wording: str) -> frozenset[str]:
    """All properties that a wording says of its subject, in any choice."""
    gaps = (gap.split()[0] for gap in _GAP.findall(wording))
    return frozenset(gap for gap in gaps if gap not in _PLAIN and "." not in gap)


def chosen(wording: str, thing: Thing, random: Random) -> str | None:
    """The wording with its choices made, among those that the thing has values for; None where one has none."""
    missing = False

    def choose(match: re.Match[str]) -> str:
        nonlocal missing
        fits = [one for one in match[1].split("|") if _fits(one, thing)]
        missing = missing or not fits
        return random.choice(fits) if fits else ""

    made = _CHOICE.sub(choose, wording)
    return made if not missing and _fits(made, thing) else None


def _fits(text: str, thing: Thing) -> bool:
    return all(_has(gap.split()[0], thing) for gap in _GAP.findall(text))


def _has(gap: str, thing: Thing) -> bool:
    if gap in _PLAIN:
        return True
    first, _, second = gap.partition(".")
    if second:
        return any(second in _WORDS or second in other.values for other in thing.related.get(first, ()))
    return first in thing.values


def fill(wording: str, thing: Thing, voice: Voice) -> Filled | None:
    """A wording filled; None where the thing lacks a value for it."""
    made = chosen(wording, thing, voice.random)
    if made is None:
        return None
    picked = _choose_others(made, thing, voice.random)
    if picked is None:
        return None
    if "{s}," in made and voice.mention in {"pronoun", "noun"}:
        voice = replace(voice, mention="short")
    spread = range(min(thing.years), max(thing.years) + 1)
    years = sorted(voice.random.choice(spread) for _ in range(made.count("{y}")))
    voice = replace(voice, chosen=picked, years=years)
    parts: list[str] = []
    marks: list[Mark] = []
    for number, part in enumerate(made.split(PARTS)):
        now = replace_mention(voice, number)
        text = ""
        at = 0
        for match in _GAP.finditer(part):
            text = _joined(text, part[at : match.start()])
            for piece, facts, more in _gap(match[1], thing, now):
                if facts is not None:
                    ends = len(text), len(text) + len(piece)
                    marks += [Mark(one, number, *ends, more, back > 0) for back, one in enumerate(facts)]
                text += piece
            at = match.end()
        text = _joined(text, part[at:])
        if not parts or voice.prose:
            text = text[:1].upper() + text[1:]
        parts.append(text)
    return Filled(tuple(parts), tuple(marks), "." in re.sub(r"[^{}]*(\{[^{}]*\})[^{}]*", r"\1", made))


def replace_mention(voice: Voice, number: int) -> Voice:
    """The voice for a part: from the second on, the subject is known."""
    return voice if number == 0 else replace(voice, mention="pronoun")


def _joined(text: str, more: str) -> str:
    """Text with more behind it; what an empty choice has left is tidied."""
    more = re.sub(r" {2,}", " ", more)
    if (not text or text.endswith((" ", "("))) and more.startswith(" "):
        more = more.lstrip()
    if more.startswith((",", ".", ";", ")")) and text.endswith(" "):
        return text + more  # marks before are never moved
    return text + more


def _choose_others(made: str, thing: Thing, random: Random) -> dict[str, int] | None:
    """Which of several values the wording is about, for each property: one that has what the wording asks of it.

    None where no value has it.
    """
    wanted: dict[str, set[str]] = {}
    for gap in _GAP.findall(made):
        first, _, second = gap.split()[0].partition(".")
        if first not in _PLAIN:
            wanted.setdefault(first, set()).update({second} - {""} - _WORDS)
    picked: dict[str, int] = {}
    for first, seconds in wanted.items():
        values = thing.values.get(first, ())
        others = thing.related.get(first, ())
        fits = [at for at in range(len(values)) if not seconds or seconds <= set(others[at].values)]
        if not fits:
            return None
        picked[first] = random.choice(fits)
    return picked


_KIN = {
    "P22": ("parent", "father"), "P25": ("mother", "parent"), "P26": ("wife", "husband"), "P40": ("daughter", "son"),
    "P3373": ("sister", "brother"),
}  # fmt: skip
Piece = tuple[str, "tuple[Fact, ...] | None", int]


def _gap(gap: str, thing: Thing, voice: Voice) -> Iterator[Piece]:
    word, *how = gap.split()
    if word in _PLAIN:
        yield plain(word, thing, voice), None, 0
        return
    first, _, second = word.partition(".")
    more = int("+" in how) - int("-" in how)
    at = voice.chosen.get(first, 0)
    if second:
        other = thing.related[first][at]
        if second == "kin":
            yield _KIN[first][other.gender == "he"], None, 0
        elif second in _WORDS:
            yield _PRONOUNS[other.gender][second == "his"], None, 0
        else:
            yield from _value(other, second, other.values[second][0], how, voice, more)
    elif "*" in how or ";" in how:
        values = thing.values[first][:_MOST_LISTED]
        for number, value in enumerate(values):
            if number:
                last = number == len(values) - 1 and "*" in how
                yield ("; " if ";" in how else ", ") if not last else " and ", None, 0
            yield from _value(thing, first, value, how, voice, more, number)
    else:
        at = next((int(one[1:]) for one in how if one[0] == "#"), at)
        yield from _value(thing, first, thing.values[first][at], how, voice, more, at)


def _value(
    thing: Thing, id_: str, value: Value, how: list[str], voice: Voice, more: int, number: int = 0
) -> Iterator[Piece]:
    random = voice.random
    if isinstance(value, TimeValue):
        lead, text, value = date_text(value, random, voice.hand, voice.prose, "y" in how, "in" in how)
        if lead:
            yield f"{lead} ", None, 0
    elif isinstance(value, QuantityValue):
        text = amount_text(value, random, voice.hand, voice.prose, "bare" in how)
    elif isinstance(value, TextValue):
        text = value.text
    elif isinstance(value, EntityValue):
        text = value.term.label or ""
        if "adj" in how:
            text = names.DEMONYMS.get(text, text)
        elif id_ in thing.related and value.term.aliases and random.random() < voice.aliases:
            text = random.choice(value.term.aliases)
            if voice.prose and "," in text:
                text = value.term.label or ""
        if voice.prose and text.startswith("United "):
            yield "the ", None, 0
        if "a" in how:
            yield ("an " if text[:1].lower() in "aeiou" else "a "), None, 0
    else:
        text = ""
    facts = [Fact(thing.term, property_term(id_), value)]
    if id_ in thing.related:
        facts += inverses(thing, id_, thing.related[id_][number])
    yield text, tuple(facts), more


_PRONOUNS = {"he": ("he", "his", "him"), "she": ("she", "her", "her"), "it": ("it", "its", "it")}


def plain(word: str, thing: Thing, voice: Voice) -> str:
    """A gap that is no property."""
    he, his, him = _PRONOUNS[thing.gender]
    random = voice.random
    if word in {"he", "his", "him"}:
        return {"he": he, "his": his, "him": him}[word]
    match word:
        case "son":
            return "son" if thing.gender == "he" else "daughter"
        case "noun":
            return thing.noun
        case "a_noun":
            return f"an {thing.noun}" if thing.noun[0] in "aeiou" else f"a {thing.noun}"
        case "name":
            return thing.term.label or ""
        case "y":
            return str(voice.years.pop(0))
        case "n":
            return str(random.randint(2, 480))
        case "x":
            return names.person(random, random.choice(names.CULTURES), random.random() < 0.5)[0].label or ""
        case "p":
            return names.place(random, random.choice(names.CULTURES))
        case "age":
            return _age(thing, random)
        case "k":
            return _namesake(thing, random)
    return _subject(word, thing, voice)


def _age(thing: Thing, random: Random) -> str:
    """A person's age at death."""
    first, last = (next(iter(thing.values.get(id_, ())), None) for id_ in ("P569", "P570"))
    if isinstance(first, TimeValue) and isinstance(last, TimeValue):
        return str(last.year - first.year - ((last.month or 12, last.day or 28) < (first.month or 1, first.day or 1)))
    return str(random.randint(31, 98))


def _namesake(thing: Thing, random: Random) -> str:
    """Another person with the thing's surname."""
    own = {name.casefold() for name in thing.term.names}
    own |= {name.casefold() for others in thing.related.values() for other in others for name in other.term.names}
    while True:
        term, _ = names.person(random, random.choice(names.CULTURES), random.random() < 0.5, thing.short)
        if not own & {name.casefold() for name in term.names}:
            return term.label or ""


def _subject(word: str, thing: Thing, voice: Voice) -> str:
    he, his, _ = _PRONOUNS[thing.gender]
    own = word == "s's"
    match voice.mention:
        case "pronoun":
            return his if own else he
        case "noun":
            text = f"the {thing.noun}"
        case "short":
            text = thing.short
        case _:
            text = thing.term.label or ""
    if not own:
        return text
    return f"{text}'" if text.endswith("s") and voice.random.random() < 0.5 else f"{text}'s"
