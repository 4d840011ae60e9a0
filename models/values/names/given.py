"""A person's name in one text: given names before the surname, or behind it, in full, as initials or in short forms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from models.values.found import Found
from models.values.names import inflections, neighbours
from models.values.names.organisations import KINDS
from models.values.names.persons import PARTICLES, TITLES, diminutives, is_first_name, suffix_at
from models.values.names.search import Reading, Search
from models.values.names.written import Part, Person
from models.values.transliterate import skeleton, sounds_alike
from models.values.words import Words

_LONGEST_CONTRACTION = 5  # letters
_SHORTEST_READ = 6  # letters of a word in which a scanner may have read a figure
_APOSTROPHES = frozenset("'’ʼ`")
_SHORTEST_KEY = 4  # letters of first names that are one in another spelling: Ivan and Iwan, Karl and Carl


def given_names(search: Search, person: Person, at: int) -> Iterator[Found]:
    """A person's name around the last word of a surname: given names before it, or behind it and a comma."""
    base = Reading(at, at)
    if not search.takes(person.surname[-1], at, base):
        return
    first = at
    for part in reversed(person.surname[:-1]):
        if not search.open(first, -1) or not search.takes(part, first - 1, base):
            return
        first -= 1
    base.first = first
    found = False
    for reading, how in (*_given_before(search, person, base), *_given_behind(search, person, base)):
        if (made := search.finish(reading, how)) is not None:
            found = True
            yield made
        found = found or search.is_namesake(reading.last)
    if not found and (hint := _surname_alone(search, base)) is not None:
        yield hint


def _given_before(search: Search, person: Person, base: Reading) -> Iterator[tuple[Reading, str]]:
    text, at, most = search.text, base.first, len(person.given) + 4
    before: list[int] = []
    while len(before) < most and search.open(at, -1) and "," not in text.gap(at - 1):
        at -= 1
        if (
            not _can_name(text, at)
            or text.gap(at) in _APOSTROPHES
            or (text.words[at] == "und" and text.words[at - 1] not in PARTICLES)
        ):
            break
        before.insert(0, at)
    for index, start in enumerate(before):
        if text.words[start] in PARTICLES and not text.is_capital(start):
            continue
        if (made := _aligned(search, person, before[index:], base)) is not None:
            yield made
            return


def _given_behind(search: Search, person: Person, base: Reading) -> Iterator[tuple[Reading, str]]:
    text = search.text
    person, base = _longer_surname(search, person, base)
    # "Paul Smith, John Brown": the surname is already another person's.
    start = base.first - 1
    while start >= 0 and text.words[start] in PARTICLES and not text.is_capital(start):
        start -= 1
    taken = base.first > 0 and neighbours.names_on(text, start) and text.gap(start) in {" ", "-"}
    if taken and text.words[start] not in TITLES:
        return
    yield from _given_from(search, person, base, base.last)
    if (variant := _behind_variant(text, base.last)) != base.last:
        yield from _given_from(search, person, base, variant)


def _given_from(search: Search, person: Person, base: Reading, at: int) -> Iterator[tuple[Reading, str]]:
    """Given names behind a place: "Smith, John", "SMITH (John)", "Smith John", "Smith JR"."""
    text, gap = search.text, search.text.gap(at).lstrip(")]")
    bracket = gap == " (" and text.is_capital(at + 1)
    comma = gap.strip() == "," or bracket
    if not comma and gap != " ":
        return
    behind: list[int] = []
    while len(behind) < len(person.given) + 3 and search.open(at, 1):
        at += 1
        if not _can_name(text, at) or suffix_at(text, at)[1] or (behind and not _goes_on(text, at - 1)):
            break
        if behind or text.words[at] not in TITLES or _is_initials(text, at, person):
            behind.append(at)
    last = behind[-1] if behind else at
    while behind and text.words[behind[-1]] in PARTICLES and not text.is_capital(behind[-1]):
        behind.pop()
    for size in range(len(behind), 0, -1):
        if bracket and (size < len(behind) or not _closes(text, last)):
            continue
        if comma and size < len(behind) and _belongs(text, behind[size]):
            continue  # "Holm, John B." isn't read as "Holm, John"
        made = _aligned(search, person, behind[:size], base)
        if made is None:
            continue
        reading, how = made
        several = how == "initials" and _are_all_initials(text, behind[:size], person)
        added = size > len(person.given) and not inflections.is_patronymic(text.words[behind[size - 1]])
        listed = how == "initials" and not comma and _is_listed(text, base.first, behind[size - 1])
        several = several or listed
        if not comma and not several and (how == "initials" or added):
            # "Lien E" in a list of authors is anyone's; without a comma nothing may be added.
            reading.worth *= 0.8
        reading.worth *= 0.98 if comma or several else 0.9
        yield reading, how


def _belongs(text: Words, at: int) -> bool:
    """Whether a word behind given names is one too: an initial with its stop, or a common first name."""
    if text.gap(at - 1) not in {" ", ". "}:
        return False
    return (len(text.words[at]) == 1 and text.behind(at) == ".") or is_first_name(text.words[at])


def _is_listed(text: Words, first: int, last: int) -> bool:
    """Whether a surname and its initials, "Lien E", stand beside another such pair, or as Russian lists have them."""
    if text.words[last] in text.foreign and text.behind(last) == ".":
        return True  # "Горький М. На дне"
    behind = last + 1
    if text.gap(last) in _AUTHOR_SIGNS:
        behind += text.words[behind] in {"and", "und", "et", "y", "e"}
        end = next((at for at in range(behind + 1, min(behind + 4, len(text.words))) if _is_short(text, at)), 0)
        if end and all(text.gap(at) in {" ", "-"} for at in range(behind, end)) and _ends_surname(text, end - 1):
            return True
    before = first - 1
    while before > 0 and text.words[before] in PARTICLES and not text.is_capital(before):
        before -= 1
    return before > 0 and text.gap(before) in _AUTHOR_SIGNS and _is_short(text, before) and _is_author(text, before - 1)


_AUTHOR_SIGNS = frozenset((", ", "; ", ",", ";", " & ", ", & ", " and ", ", and ", " "))


def _is_short(text: Words, at: int) -> bool:
    """Whether a word is one to three initials run together."""
    surface = text.surface(at)
    return len(surface) <= 3 and surface.isalpha() and surface.isupper()


def _ends_surname(text: Words, at: int) -> bool:
    return len(text.words[at]) > 1 and text.is_capital(at) and not _is_short(text, at)


def _is_author(text: Words, at: int) -> bool:
    return text.gap(at) == " " and _ends_surname(text, at)


def _closes(text: Words, at: int) -> bool:
    """Whether a bracket closes behind a word or its full stop."""
    end = text.spans[at][1]
    return ")" in text.text[end : end + 2]


def _is_initials(text: Words, at: int, person: Person) -> bool:
    """Whether a word in capitals is a person's initials, though it could be a title: "Berg MR"."""
    return text.surface(at).isupper() and text.words[at] == "".join(part.word[0] for part in person.given)


def _are_all_initials(text: Words, places: Sequence[int], person: Person) -> bool:
    """Whether words are the initials of all given names, two at least; in Cyrillic the second may be the father's."""
    letters = _letters(text, places)
    if letters == 2 and len(person.given) == 1:
        return all(text.words[at] in text.foreign for at in places)
    return letters > 1 and letters == len(person.given)


def _letters(text: Words, places: Sequence[int]) -> int:
    """How many initials words are: two of "A. M." and of "AM"; 0 where one isn't."""
    surfaces = [text.surface(at) for at in places]
    if not all(surface.isupper() and len(surface) <= 4 for surface in surfaces):
        return 0
    return sum(map(len, surfaces))


def _behind_variant(text: Words, at: int) -> int:
    """The last word of "HERRYS (HARRIS)" or "GASKELL [née Stevenson]", from its first; the same place where neither
    a bracket nor a maiden name follows.
    """
    gap, behind = text.gap(at), at + 1
    if gap in {" (", " [", ", "} and text.words[behind] in _MAIDEN:
        closing = "," if gap == ", " else (")", "]")
        for last in range(behind + 1, min(behind + 4, len(text.words))):
            if text.gap(last).startswith(closing):
                return last
    if text.gap(at) == " (":
        for last in (at + 1, at + 2):
            if text.gap(last).startswith("), "):
                return last
    return at


_MAIDEN = frozenset("nee ne geb geborene born formerly".split())


def _longer_surname(search: Search, person: Person, base: Reading) -> tuple[Person, Reading]:
    """ "García Márquez, Gabriel": what stands last of the given names may be the first part of the surname."""
    given, first = person.given, base.first
    while len(given) > 1 and search.open(first, -1) and search.text.words[first - 1] == given[-1].word:
        given, first = given[:-1], first - 1
    if first == base.first:
        return person, base
    return replace(person, given=given), replace(base, first=first)


def _goes_on(text: Words, at: int) -> bool:
    """Whether given names behind a surname go on from a word to the next: a full stop ends all but initials."""
    gap = text.gap(at)
    if gap.startswith(("..", ")")):
        return False
    return "," not in gap and "(" not in gap and ("." not in gap or len(text.words[at]) <= 2)


def _can_name(text: Words, at: int) -> bool:
    word = text.words[at]
    if not word.isalpha() and not (len(word) >= _SHORTEST_READ and word[0].isalpha()):
        return False
    return text.is_capital(at) or word in PARTICLES or not text.has_case(at) or text.text.islower()


def _aligned(search: Search, person: Person, places: Sequence[int], base: Reading) -> tuple[Reading, str] | None:
    """Words of a text, in order, read as a person's given names; None where they are another's.

    The first must be the first name, its initial or a common short form; middle names may be left out, added or cut
    to initials, but one left out for another is another person's.
    """
    text = search.text
    reading = Reading(
        min(base.first, places[0]), max(base.last, places[-1]), base.worth, list(base.pairs), list(base.capitals)
    )
    if (run := _run_together(text, places[0], person)) is not None:
        reading.worth *= run
        return reading, "initials"
    tally = _tally(search, person, places, reading)
    if tally is None:
        return None
    worth, how = _weighed(tally, search, person)
    reading.worth *= min(worth, _ANOTHERS) if _contradicts(search, person, tally) else worth
    return reading, how


@dataclass(slots=True)
class _Tally:
    """How given names stand in a text: how many in full, as initials or short forms; which were added or left out."""

    full: int = 0
    initials: int = 0
    short: int = 0
    expanded: int = 0
    added: int = 0
    letters_added: int = 0
    gained: list[str] = field(default_factory=list)
    dropped: list[Part] = field(default_factory=list)
    skipped: bool = False


def _tally(search: Search, person: Person, places: Sequence[int], reading: Reading) -> _Tally | None:
    text, tally, todo = search.text, _Tally(), list(person.given)
    for index, at in enumerate(places):
        kind = ""
        for skip, part in enumerate(todo if index else todo[:1]):
            kind = _given_as(search, part, at, reading)
            if kind == "expanded" and _is_unlike_known(search, person, part, text.words[at]):
                return None
            if kind:
                tally.skipped = tally.skipped or (skip > 0 and len(todo) == len(person.given) - 1)
                tally.dropped += todo[:skip]
                del todo[: skip + 1]
                break
        if not kind:
            if index == 0 or text.words[at] in KINDS:
                return None
            nickname = any(sign in text.gap(at - 1) for sign in "\"“”„'‘(")
            joins = text.words[at] in PARTICLES and not (len(text.words[at]) == 1 and text.is_capital(at))
            fathers = inflections.is_patronymic(text.words[at])
            adds = not joins and text.words[at] not in TITLES and not nickname and not fathers
            tally.added += adds
            tally.letters_added += adds and len(text.words[at]) == 1
            tally.gained += [text.words[at]] * adds
        tally.full += kind in {"full", "spelled"}
        tally.initials += kind == "initial"
        tally.short += kind == "short"
        tally.expanded += kind == "expanded"
    tally.dropped += todo
    return tally


def _weighed(tally: _Tally, search: Search, person: Person) -> tuple[float, str]:
    """What given names that stand so are worth, and what that is called."""
    first = person.given[0].word
    worth = 1.0
    lone_father = tally.letters_added == tally.added == tally.initials == 1 and not tally.full and not tally.dropped
    if lone_father and _is_fathered(search, person):
        return 0.92, "initials"
    if tally.added > 2 or (tally.added and tally.dropped):
        worth = 0.7  # a middle name for another is another person's
    elif _differ_in_initials(tally, person):
        worth = 0.7  # George W. Bush and George H. W. Bush
    elif tally.added or tally.dropped:
        # Where nobody says that it's a person, a word more or less may make another thing: World (Chess) Champion.
        certain = search.name.known_person or is_first_name(first) or len(first) == 1
        worth = 0.94 if certain or tally.initials or tally.expanded else 0.78
    if tally.short:
        worth *= 0.9
    if tally.expanded:
        # "J. B. Danquah" may be Joseph; "J. Smith" may be anyone.
        return worth * (0.9 if len(person.given) > 1 else 0.75), "initials"
    if tally.initials:
        if tally.full:
            return worth * 0.95, "initials"
        lone = tally.initials == 1
        return worth * (0.92 if not lone else 0.87 if not tally.added else 0.8), "initials"
    return worth, "reordered"


_ANOTHERS = 0.7  # what a name with another person's middle name is worth


def _contradicts(search: Search, person: Person, tally: _Tally) -> bool:
    """Whether a middle name that the text adds isn't one that the entity's other names give."""
    if _starts_elsewhere(search, person, tally):
        return True
    known = search.middles.get((person.given[0].word, person.surname[-1].word))
    if len(person.given) > 1 or not known or _is_fathered(search, person):
        return False
    letters = {word[0] for word in known}
    return any(word[0] not in letters and (len(word) == 1 or is_first_name(word)) for word in tally.gained)


def _is_unlike_known(search: Search, person: Person, initial: Part, word: str) -> bool:
    """Whether a full given name that stands for an initial isn't the one that the entity's other names spell out."""
    if len(initial.word) > 1:
        return False
    known = search.known.get((initial.word, person.surname[-1].word))
    if not known or word in known or not known.isdisjoint(diminutives(word) | search.near.get(word, frozenset())):
        return False
    return not any(_is_one_sound(own, word) or own.startswith(word) or word in diminutives(own) for own in known)


def _starts_elsewhere(search: Search, person: Person, tally: _Tally) -> bool:
    """Whether a text's first middle name isn't that of a person who goes by several middle initials."""
    own = search.initialled.get((person.given[0].word[0], person.surname[-1].word))
    if not own:
        return False
    return tally.skipped or (len(person.given) == 1 and bool(tally.gained) and tally.gained[0][0] != own[0])


def _is_fathered(search: Search, person: Person) -> bool:
    """Whether a second initial may be the patronymic's: in Cyrillic, and with Slavic surnames."""
    return bool(search.text.foreign) or inflections.takes_patronymic(person.surname[-1].word)


def _differ_in_initials(tally: _Tally, person: Person) -> bool:
    """Whether one has a middle initial more than the other, and both have one."""
    if len(person.given) < 2:
        return False
    lost = [part for part in tally.dropped if len(part.word) == 1]
    return tally.letters_added > 0 or (bool(lost) and len(tally.dropped) < len(person.given) - 1)


def _run_together(text: Words, at: int, person: Person) -> float | None:
    """What "JRR" is worth as the initials of the given names; None where it isn't that."""
    surface = text.surface(at)
    if not (1 < len(surface) <= 4 and surface.isalpha() and surface.isupper()):
        return None
    if text.words[at] in {part.word for part in person.given}:
        return None
    own = "".join(part.word[0] for part in person.given)
    if own.startswith(text.words[at]):
        return 0.9
    return 0.7 if text.words[at].startswith(own) else None


def _given_as(search: Search, part: Part, at: int, reading: Reading) -> str:
    """How a word stands for a given name: "full", "initial", "expanded", "short", "spelled", or "" for not at all."""
    text = search.text
    word = text.words[at]
    count = len(reading.pairs)
    if word in text.foreign and text.spans[at][1] - text.spans[at][0] == 1 < len(part.word):
        return "initial" if text.is_capital(at) and skeleton(part.word).startswith(skeleton(word)) else ""
    if word[0] == part.word[0] and word != part.word and (len(word) == 1 or len(part.word) == 1):
        if len(word) == 1:
            return "initial" if text.is_capital(at) or not text.has_case(at) or text.text.islower() else ""
        return "expanded"
    if 1 < len(word) < len(part.word) and text.behind(at) == "." and part.word.startswith(word):
        return "" if word in TITLES and word != "fr" else "initial"  # "Joh. Seb. Bach", "Fr. Schiller"
    if text.behind(at) == "." and word not in TITLES and _is_contraction(word, part.word):
        return "initial"
    if search.takes(part, at, reading):
        own, found = reading.pairs[count] if len(reading.pairs) > count else (word, word)
        if own != found and _is_one_sound(own, found):
            reading.pairs[count] = (own, own)
            return "full"
        return "full" if own == found else "spelled"
    if _is_one_sound(part.word, word):
        reading.pairs.append((part.word, part.word))
        return "full"
    if word in diminutives(part.word):
        reading.pairs.append((part.word, part.word))
        return "short"
    return ""


def _is_one_sound(own: str, found: str) -> bool:
    return min(len(found), len(own)) >= _SHORTEST_KEY and sounds_alike(own, found)


def _is_contraction(word: str, whole: str) -> bool:
    """Whether a word keeps a name's first and last letter and some between, in order: "Robt", "Wm", "Fredk"."""
    if not 2 <= len(word) <= _LONGEST_CONTRACTION or len(word) >= len(whole) - 1:
        return False
    letters = iter(whole)
    return word[0] == whole[0] and word[-1] == whole[-1] and all(letter in letters for letter in word)


def _surname_alone(search: Search, base: Reading) -> Found | None:
    """A surname with no given name: a hint; none at all where it is another person's."""
    text, first = search.text, base.first
    if (
        any(own != found for own, found in base.pairs)
        or neighbours.capital_fit(text, first, base.last, base.capitals) < 0.9
    ):
        return None
    score = 0.45
    before = first - 1
    if before >= 0 and text.gap(before) in {" ", ". ", "-"} and _can_name(text, before) and text.is_capital(before):
        if not text.opens(before) and text.words[before] not in TITLES:
            return None
        score = 0.35
    if neighbours.standing(text, first, base.last, neighbours.Sort(2, False, False, False), search.own) < 0.8:
        score = 0.3
    return search.found(base, "fuzzy", score)
