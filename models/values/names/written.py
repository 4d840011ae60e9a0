"""A name taken apart: its words with their other forms, its qualifier, and a person's given names and surname."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from models.values.names import forms, inflections
from models.values.names.neighbours import Sort
from models.values.names.organisations import KINDS, LEGAL_FORMS, acronyms, region_named
from models.values.names.persons import PARTICLES, TITLES, Suffix, suffix_at
from models.values.words import Words, words_of

LONGEST = 300  # characters of a name that are looked at

# Words that a name can lose or gain without becoming another name.
SMALL = frozenset(
    "the a an of and de la le les du des von van der den zu di da do dos del el al y e et in at on for to und".split()
)


@dataclass(frozen=True, slots=True)
class Part:
    """A word of a name. `forms` are the folded words that stand for it, with what each is worth in (0, 1].

    `kind`: "content", "small", "number" or "legal" (Ltd, GmbH). `capital`: written with one. `shout`: all capitals.
    `foreign`: in another script. `accented`: with letters beyond ASCII.
    """

    word: str
    forms: Mapping[str, float]
    kind: str
    capital: bool
    shout: bool
    foreign: bool = False
    accented: bool = False

    @property
    def needed(self) -> bool:
        """True for a word without which it isn't the name."""
        return self.kind in {"content", "number"}


@dataclass(frozen=True, slots=True)
class Person:
    """A person's name: given names (words or initials), surname (several words where hyphenated), suffix."""

    given: tuple[Part, ...]
    surname: tuple[Part, ...]
    suffix: Suffix


@dataclass(frozen=True, slots=True)
class Name:
    """One way to write one of an entity's names.

    `parts` are those that count, `qualifier` what stands in brackets or behind a comma to tell it from namesakes.
    `anchor` is the part that the search starts from. `proper` is False for a common noun ("painter").
    `person` is None where it isn't a person's name. `worth` in (0, 1] is what a full match scores.
    `loose` is True where the name itself has what parts names elsewhere ("EIBIS 2018 - overview").
    `literal` is set for a name in a script without spaces: it is looked for letter by letter.
    """

    how: str
    parts: tuple[Part, ...]
    anchor: int
    qualifier: tuple[Part, ...]
    brackets: bool
    proper: bool
    person: Person | None
    suffix: Suffix
    worth: float
    literal: str = ""
    known_person: bool = False
    described: bool = False
    loose: bool = False

    @property
    def sort(self) -> Sort:
        """What of it decides how the words beside a match count."""
        acronym = len(self.parts) == 1 and self.parts[0].shout
        return Sort(self.size, self.person is not None, self.known_person, acronym, self.described)

    @property
    def shouts(self) -> bool:
        """True for a literal that stands in capitals with full stops."""
        return self.literal.endswith(".")

    @property
    def size(self) -> int:
        """How many words are needed."""
        return sum(part.needed for part in self.parts)


_BRACKETS = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]\s*$")
_SPACELESS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_NEE = re.compile(r"\s*[,(]?\s*\b(?:née|nee|geb\.?|geborene)\s+", re.IGNORECASE)
_NICKNAME = re.compile(r"\s[\"“„'‘(]([^\"”“'’()]{2,20})[\"”’')](?=\s)")
_DOTTED = re.compile(r"(?:[^\W\d_]\.\s?){2,6}[^\W\d_]?\.?")
_HYPHEN = re.compile(r"(?<=[^\W\d_])[-‐‑](?=[^\W\d_])")
_APOSTROPHE = re.compile(r"(?<=[^\W\d_])['’ʼ`](?=[^\W\d_]{2})")
_PREFIX = re.compile(
    r"\b(non|anti|post|pre|co|multi|semi|neo|inter|sub|super|self|bio|geo|micro|mid|ultra|sci)(?=[a-z]{3})"
)
_SUFFIX_COMMA = re.compile(r",\s+(?=(?:\d+(?:st|nd|rd|th)|[IVX]{2,}|[JS]r\b|Junior\b|Senior\b|Bt\b|Bart\b))")
_NUMBERED_ACRONYM = re.compile(r"([A-Z]{2,4}?)(II|III|IV|VI|\d)")
_LEGAL_PHRASE = re.compile(
    r",?\s+(?:gesellschaft mit beschränkter haftung|aktiengesellschaft|kommanditgesellschaft|societ[àa] per azioni"
    r"|società a responsabilità limitata|sociét[ée] anonyme|sociedad an[óo]nima|sociedade an[óo]nima"
    r"|naamloze vennootschap|besloten vennootschap|aktiebolag|aktieselskab|aksjeselskap|osakeyhti[öo]|sp[óo]łka akcyjna"
    r"|public limited company|limited liability company|incorporated|limited)\s*$",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\b(Mc|Mac|De|Di|Du|La|Le|Van|Von|Fitz|St)(?=[A-Z][a-z])")
_PARTED = re.compile(r"(?<=\s)(Mc|Mac|De|Di|Du|La|Le|Van|Fitz) (?=[A-Z][a-z])")
_SHORTEST_GLUED = 9  # characters of a person's name that stands without spaces
_CAPITALS = re.compile(r"(?<![^\W_])[A-Z]{2,3}(?![^\W_])")
_DOTTED_PART = re.compile(r"(?<![^\W_])(?:[A-Z]\.){2,3}(?=[\s,]|$)")
_UNIONS = re.compile(r"United (?:States|Kingdom|Nations)(?= [A-Z])|European Union(?= [A-Z])")
_NUMBERED = re.compile(r"([^\W\d_]+(?: [^\W\d_]+)?),? (?:No\.?|Nr\.?|№) ?(\d{1,2})")
# A genus and a species: "Apis mellifera".
_BINOMIAL = re.compile(
    r"([A-Z])[a-zë]{2,} ([a-zë]{2,}(?:a|us|um|is|i|ae|ns|or|ix|ax|ex|es|on|os|o|e|aster|fer|ger)(?: [a-zë]{4,})?)"
)
# "Nicosia Urban Infrastructure project": what it is, behind its name.
_LOWER_TAIL = re.compile(r"(\S.*[^\W\d_])\s+[a-z]{4,}")
_NOT_PERSONS = KINDS | frozenset("film category project overview category list new saint".split())


def ways(name: str, how: str, person: bool | None) -> Iterator[Name]:
    """The ways to write a name, itself first. `person` is None where nobody knows whether it is one."""
    name = name[:LONGEST].strip()
    if _SPACELESS.search(name):
        if len(name) >= 2:
            yield Name(how, (), 0, (), False, True, None, Suffix(), 0.95, name)
        return
    head, qualifier, brackets = _qualified(name)
    first = _name(head, qualifier, brackets, how, person, 1.0)
    if first is None:
        return
    yield first
    for other, worth, personal in _others(head, person):
        made = _name(
            other, "" if personal else qualifier, brackets, how, personal if personal is not None else person, worth
        )
        if made is not None:
            yield made
    if person is not True:
        yield from _acronyms(head)
    if first.person is not None and person is True:
        yield from _inflected(first)
        yield from _peers(first.person, qualifier, how)


def _qualified(name: str) -> tuple[str, str, bool]:
    """A name, its qualifier without the sign, and whether that stood in brackets."""
    if (match := _BRACKETS.search(name)) and match.start() > 0:
        return name[: match.start()], match.group(1), True
    before, comma, after = name.partition(", ")
    if not comma or _SUFFIX_COMMA.match(comma + after) or before.count("(") != before.count(")"):
        return name, "", False
    if any(c.isdigit() for c in after) or after[:1].islower() or words_of(after).words[:1] == ("part",):
        return name, "", False
    if all(word in LEGAL_FORMS for word in words_of(after).words):
        return before, "", False
    return before, after, False


def _others(head: str, person: bool | None) -> Iterator[tuple[str, float, bool | None]]:
    """Other ways to write a head, what they are worth, and True where they are a person's for sure."""
    yield from _as_acronym(head)
    yield from _respelled(head)
    if person is not True:
        yield from _of_things(head)
    if person is not False:
        yield from _of_persons(head, person)


def _as_acronym(head: str) -> Iterator[tuple[str, float, bool | None]]:
    if _DOTTED.fullmatch(head):
        yield head.replace(".", "").replace(" ", ""), 1.0, None
    elif head.isupper() and head.isalpha() and 2 <= len(head) <= 6 and head.isascii():
        yield ".".join(head) + ".", 1.0, None
    if (war := _NUMBERED_ACRONYM.fullmatch(head)) is not None:
        yield f"{war.group(1)} {war.group(2)}", 1.0, None
        yield f"{'.'.join(war.group(1))}. {war.group(2)}", 1.0, None


def _respelled(head: str) -> Iterator[tuple[str, float, bool | None]]:
    """With and without what joins or parts words: hyphens, apostrophes, "&", "Mc"."""
    if " & " in head:
        yield head.replace(" & ", " and "), 1.0, None
    for pattern, other in ((_HYPHEN, ""), (_APOSTROPHE, ""), (_PREFIX, r"\1-"), (_JOINED, r"\1 "), (_PARTED, r"\1")):
        if pattern.search(head):
            yield pattern.sub(other, head), 0.95, None


def _of_things(head: str) -> Iterator[tuple[str, float, bool | None]]:
    if (legal := _LEGAL_PHRASE.search(head)) is not None and legal.start() > 0:
        yield head[: legal.start()], 0.95, None
    if binomial := _BINOMIAL.fullmatch(head):
        yield f"{binomial.group(1)}. {binomial.group(2)}", 0.95, None
    if dotted := _DOTTED_PART.sub(_without_dots, head) if "." in head else "":
        if dotted != head and " " in head:
            yield dotted, 0.95, None
    elif (plain := _CAPITALS.sub(_with_dots, head)) != head and " " in head:
        yield plain, 0.95, None
    if union := _UNIONS.match(head):
        letters = "".join(word[0] for word in union.group().split())
        yield f"{letters}{head[union.end() :]}", 0.9, None
        yield f"{_with_dots(letters)}{head[union.end() :]}", 0.9, None
    if numbered := _NUMBERED.fullmatch(head):
        yield f"{forms.ordinal(int(numbered.group(2)))} {numbered.group(1)}", 0.9, None
    if (tail := _LOWER_TAIL.fullmatch(head)) and len(tail.group(1).split()) >= 3:
        yield tail.group(1), 0.85, None


def _with_dots(letters: re.Match[str] | str) -> str:
    """ "F.C." for "FC"."""
    return "".join(f"{letter}." for letter in (letters if isinstance(letters, str) else letters.group()))


def _without_dots(letters: re.Match[str]) -> str:
    return letters.group().replace(".", "")


def _of_persons(head: str, person: bool | None) -> Iterator[tuple[str, float, bool | None]]:
    if person and 1 <= head.count(" ") <= 3 and len(head) >= _SHORTEST_GLUED and head.replace(" ", "").isalpha():
        yield head.replace(" ", ""), 0.9, None
    if len(married := _NEE.split(head, maxsplit=1)) == 2 and all(married):
        now, maiden = married[0].strip(), married[1].strip(" )")
        yield now, 0.95, True
        yield " ".join([*now.split()[:-1], maiden]), 0.85, True
    if nick := _NICKNAME.search(head):
        yield head[: nick.start()] + head[nick.end() :], 0.95, True
        yield f"{nick.group(1)} {head.rsplit(maxsplit=1)[-1]}", 0.9, True


def inverted(head: str, qualifier: str) -> str | None:
    """ "Benjamin Ruggles" for "Ruggles" and "Benjamin"; None where that can't be a person's name."""
    words = words_of(qualifier).words
    if not 0 < len(words) <= 4 or len(words_of(head).words) > 3:
        return None
    second = words[1] if len(words) > 1 else ""
    if region_named(words[0], second, qualifier[:2]) or any(c.isdigit() for c in head) or set(words) & KINDS:
        return None
    return f"{qualifier} {head}"


def _name(head: str, qualifier: str, brackets: bool, how: str, person: bool | None, worth: float) -> Name | None:
    text = words_of(head)
    if not text.words:
        return None
    parts = _parts(text)
    if not any(part.needed for part in parts):
        parts = tuple(replace(part, kind="content") for part in parts)
    needed = [index for index, part in enumerate(parts) if part.needed]
    capitals = [parts[index].capital for index in needed if parts[index].kind == "content"]
    # One capital at the front of several words is a sentence's, not a name's.
    proper = bool(capitals) and (all(capitals) or any(capitals[1:]))
    parsed, size = _person(text, parts) if proper and person is not False else (None, 0)
    if parsed and person is None and not _shaped_like_person(text, parts[:size]):
        parsed = None
    suffix = parsed.suffix if parsed else Suffix()
    loose = any(text.parted(at) for at in range(len(text.words) - 1))
    if parsed:
        parts = parts[:size]
    if proper and parsed is None and person is not True:
        parts = tuple(_declined(part) for part in parts)
    if not proper:
        parts = tuple(_common(part) for part in parts)
    elif len(needed) > 1 and person is not True:
        # "two Purple Hearts"
        parts = (*parts[:-1], _common(parts[-1]))
    anchor = len(parts) - 1 if parsed else max(needed, key=lambda i: (parts[i].kind == "content", len(parts[i].word)))
    tail = _parts(words_of(qualifier)) if qualifier else ()
    return Name(
        how, parts, anchor, tail, brackets, proper, parsed, suffix, worth, known_person=person is True, loose=loose
    )


def _parts(text: Words) -> tuple[Part, ...]:
    count = len(text.words)
    content = [word not in SMALL or _is_initial(text, at) for at, word in enumerate(text.words)]
    made = []
    for at, word in enumerate(text.words):
        surface = text.surface(at)
        shout = surface.isupper() and len(word) > 1 and surface.isalpha()
        number = forms.number_of(word)
        if number is None and at > 0 and "." not in text.gap(at):
            number = forms.roman(surface)
        if not content[at] and any(content):
            kind, others = "small", {"et": 1.0, "y": 1.0, "und": 1.0} if word == "and" else {}
        elif number is not None and count > 1:
            kind, others = "number", dict.fromkeys(forms.numerals(number), 0.95)
        elif word in LEGAL_FORMS and at > 0 and at >= count - 2:
            kind, others = "legal", {}
        else:
            kind, others = "content", _other_forms(word, surface)
        if at == 0 and count > 1 and word in _DIRECTIONS:
            others = {**others, word[0]: 0.95}
        foreign = bool(text.foreign) and word in text.foreign
        made.append(Part(word, {**others, word: 1.0}, kind, text.is_capital(at), shout, foreign, not surface.isascii()))
    return tuple(made)


def _is_initial(text: Words, at: int) -> bool:
    return len(text.words[at]) == 1 and text.is_capital(at) and text.behind(at) == "."


_DIRECTIONS = frozenset("north south east west northern southern eastern western".split())


def _other_forms(word: str, surface: str) -> dict[str, float]:
    others = dict.fromkeys((*forms.abbreviations(word), *forms.british(word), *forms.arabic(word)), 0.95)
    others.update(dict.fromkeys(forms.umlauts(surface), 1.0))
    if surface.endswith(("'s", "’s")):
        others[word + "s"] = 1.0
    return others


def _common(part: Part) -> Part:
    if part.kind != "content":
        return part
    spelled = () if part.capital else (*forms.british(part.word), *forms.british_nouns(part.word))
    others = [*spelled, *forms.plurals(part.word), *(plural for word in spelled for plural in forms.plurals(word))]
    return replace(part, forms={**dict.fromkeys(others, 0.95), **part.forms})


def _declined(part: Part) -> Part:
    """A word of a Cyrillic name with its other cases."""
    if not part.foreign or part.kind != "content":
        return part
    return replace(part, forms={**dict.fromkeys(sorted(inflections.russian(part.word)), 0.95), **part.forms})


def _shaped_like_person(text: Words, parts: Sequence[Part]) -> bool:
    """True for two to five capitalised words, none of which names a kind of thing."""
    content = [part for part in parts if part.kind != "small"]
    return (
        2 <= len(content) <= 5
        and all(part.capital and part.kind == "content" for part in content)
        and not any(part.word in _NOT_PERSONS for part in content)
        and all(part.word in PARTICLES - {"of", "the"} for part in parts if part.kind == "small")
        and not any("&" in text.gap(at) for at in range(len(text.words) - 1))
    )


_RULERS = frozenset("sir dr mr mrs miss rev saint st king queen pope".split())


def _person(text: Words, parts: Sequence[Part]) -> tuple[Person | None, int]:
    """Given names, surname and suffix, without titles, and how many words go before the suffix.

    None for a name of one word, of a ruler with a number or a place ("Edward VII", "Otto of Saxony").
    """
    end, suffix = len(parts), Suffix()
    for at in range(1, len(parts)):
        suffix, taken = suffix_at(text, at)
        if taken:
            if at + taken < len(parts) and not suffix.rank:
                return None, 0  # "Urban Infrastructure II project"
            end = at
            break
    start = 0
    while end - start > 2 and text.words[start] in TITLES:
        start += 1
    if end - start < 2 or (end - start == 2 and text.words[start] in _RULERS) or "of" in text.words[start:end]:
        return None, 0
    last = end - 1
    first = last
    while first - 1 > start and text.gap(first - 1) in {"-", "‐", "‑", "'", "’"}:
        first -= 1
    given = [parts[at] for at in range(start, first) if text.words[at] not in PARTICLES or parts[at].capital]
    given = [one for part in given for one in _initials(part)]
    surname = parts[first : last + 1]
    if not given or not all(part.word.isalpha() for part in (*given, *surname)) or len(parts[last].word) < 2:
        return None, 0
    return Person(tuple(given), tuple(surname), suffix), end


def _initials(part: Part) -> list[Part]:
    """ "JRR" as three initials; any other part as it is."""
    if part.shout and 2 <= len(part.word) <= 4 and not set(part.word) & set("aeiou"):
        return [Part(letter, {letter: 1.0}, "content", True, False) for letter in part.word]
    return [part]


def _acronyms(head: str) -> Iterator[Name]:
    text = words_of(head)
    for letters in acronyms(text.words, [text.surface(at) for at in range(len(text.words))]):
        part = Part(letters, {letters: 1.0}, "content", True, True)
        yield Name("alias", (part,), 0, (), False, True, None, Suffix(), 0.85)
        yield Name("alias", (), 0, (), False, True, None, Suffix(), 0.85, ".".join(letters.upper()) + ".")


def _inflected(name: Name) -> Iterator[Name]:
    """A person's name in other cases of German and Slavic languages. All words agree, or it is another's name."""
    person = name.person
    if person is None or len(person.surname) != 1 or name.suffix.generation:
        return
    surname = person.surname[0]
    plain = replace(name, person=None, worth=0.9 * name.worth, how="alias")
    names = [name.parts[:-1]]
    if len(person.given) > 1:
        names.append((person.given[0], *(part for part in name.parts[:-1] if part.kind == "small")))
    german, slavic = inflections.genitive(surname.word), inflections.slavic(surname.word, True)
    # "Ивана Петрова" is Иван's; "Александра Петрова" and, in Latin letters, "Ivana Petrova" may be women.
    if slavic and all(part.foreign and inflections.masculine(part.word) for part in person.given):
        slavic |= inflections.masculine(surname.word)
    for given in names:
        if german:
            yield replace(plain, parts=(*given, _in_case(surname, {german: 1.0})), anchor=len(given))
        cases = [inflections.slavic(part.word, False) for part in given]
        if slavic and all(cases):
            words = zip((*given, surname), (*cases, slavic), strict=True)
            parts = [_in_case(part, dict.fromkeys(sorted(forms_), 1.0)) for part, forms_ in words]
            yield replace(plain, parts=tuple(parts), anchor=len(given))


def _peers(person: Person, qualifier: str, how: str) -> Iterator[Name]:
    """ "Ada, Countess of Lovelace" for "Augusta Ada King, Countess of Lovelace"."""
    if words_of(qualifier).words[:2] not in _PEERS_OF:
        return
    for part in person.given[:3]:
        if (made := _name(f"{part.word.title()} {qualifier}", "", False, how, False, 0.9)) is not None:
            yield made


_PEERS_OF = frozenset(
    (rank, "of") for rank in "duke duchess earl countess count marquess marquis baron baroness viscount prince".split()
)


def _in_case(part: Part, others: Mapping[str, float]) -> Part:
    """A word in other cases only. It isn't looked for misspelled, or it would be found in its own case again."""
    return replace(part, word=next(iter(others)), forms=others, shout=True)
