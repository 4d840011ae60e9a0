"""What a name becomes by the words right behind it: a company, a sequel, another town, a state for a country."""

from __future__ import annotations

import re

from models.values.names.forms import number_of, numerals, roman
from models.values.names.neighbours import Sort, counts, names_on
from models.values.names.organisations import region_named
from models.values.names.persons import is_first_name
from models.values.words import Words


def names_another(text: Words, first: int, last: int, sort: Sort, own: frozenset[str]) -> bool:
    """Whether a match from a word to another is the beginning of something else's name. `own` are the words of the
    entity's names and its description.
    """
    if sort.size == 1 and _is_state(text, first, own):
        return True
    if last + 1 >= len(text.words) or text.surface(last).endswith(("'s", "’s")):
        return False
    if sort.known_person:
        return _is_firm(text, last, own)
    if not _WORKS.isdisjoint(own) and _is_sequel(text, last, sort, own):
        return True
    return not sort.full_person and _goes_on_elsewhere(text, last, own)


# Forms of companies as they are written behind a person's name; letters that may be a degree aren't among them.
_FIRMS_BEHIND = frozenset(
    "GmbH Inc Ltd AG KG OHG LLC LLP PLC plc Corp Co Cie Limited Incorporated Company Corporation Verlag Stiftung "
    "Gesellschaft Brothers Bros Sons Publishers Publishing Preis Prize Award Foundation Hall Street Strasse Straße "
    "Platz Allee Quartet Quartett Quintet Trio Ensemble Orchestra Scholarship Fellowship".split()
)
_PARTNERS = frozenset("Co Cie Company Sons Son Söhne Sohn Bros Brothers Partners Partner Associates Figli Fils".split())


def _is_firm(text: Words, last: int, own: frozenset[str]) -> bool:
    """Whether a person's name goes on as a company's, a prize's or a street's: "John Holm GmbH", "Ada Holm & Co"."""
    at, gap = last + 1, text.gap(last)
    if text.words[at] in own:
        return False
    surface = text.surface(at)
    if gap in {" ", "\u00a0"} and surface in _FIRMS_BEHIND:
        return True
    if gap == ", " and surface in {"Inc", "Ltd", "LLC", "GmbH"}:
        return True
    if gap == " & ":
        return surface in _PARTNERS
    return gap == " " and surface == "and" and text.gap(at) == " " and text.surface(at + 1) in _PARTNERS


_WORKS = frozenset(
    "film movie album novel opera play book game musical manga anime sequel franchise thriller comedy drama".split()
)
_GOES_ON = frozenset("is was has and by with stars opened opens".split())
_PARTS = frozenset("part teil parte partie".split())


def _is_sequel(text: Words, last: int, sort: Sort, own: frozenset[str]) -> bool:
    """Whether a work's title goes on with a number that isn't its own, or a one-word title with a surname:
    "Part II", "2", "Episode V", "Emma Watson".
    """
    at, gap = last + 1, text.gap(last)
    word, surface = text.words[at], text.surface(at)
    told = word in _PARTS or (word == "episode" and "film" in own)
    if told and gap in {" ", ", ", ": ", " – ", " - "} and text.is_capital(at) and text.gap(at) == " ":
        number = number_of(text.words[at + 1]) or roman(text.surface(at + 1)) or 0
        return number > 1 and own.isdisjoint(numerals(number))
    if gap != " ":
        return False
    if surface == "V" or (word.isascii() and word.isdigit() and len(word) <= 2 and 1 < int(word) < 20):
        number = roman(surface) or number_of(word) or 0
        follows = text.gap(at)
        ends = follows in {", ", ". ", "\n", ") "} or follows.startswith((" (", ",", ".", ")", ";", ":"))
        ends = ends or (follows == " " and text.words[at + 1] in _GOES_ON)
        return (ends or surface == "V") and not counts(text, at) and own.isdisjoint(numerals(number))
    if sort.size != 1 or not is_first_name(text.words[last]) or word in own:
        return False
    return names_on(text, at) and not surface.isupper() and not is_first_name(word)


_ALONG_HYPHENS = frozenset(
    "under upon on sur am an ob im in by near next sous les en aux super sub the le la de".split()
)


def _goes_on_elsewhere(text: Words, last: int, own: frozenset[str]) -> bool:
    """Whether hyphens lead from a town over a small word to another place than its own: "Newcastle-under-Lyme"."""
    at = last + 1
    if text.words[at] not in _ALONG_HYPHENS or text.gap(last) not in {"-", "‑"}:
        return False
    for _ in range(2):
        if text.gap(at) not in {"-", "‑"}:
            return False
        at += 1
        if text.is_capital(at):
            return text.words[at] not in own
    return False


_TOWNS_OF_GEORGIA = frozenset(
    "atlanta savannah augusta macon athens columbus albany marietta valdosta roswell decatur dalton rome gainesville "
    "thomasville waycross brunswick lagrange statesboro alpharetta carrollton milledgeville warner americus".split()
)
_ZIP = re.compile(r",?\s{1,2}\d{5}(?:-\d{4})?(?!\d)|,?\s{1,2}(?:USA|U\.S\.A?\.?|United States)(?!\w)")


def _is_state(text: Words, at: int, own: frozenset[str]) -> bool:
    """Whether "Georgia" is the American state's, where the entity is a country: a town of the state or another state
    stands before it, or a postal code or "USA" behind.
    """
    if text.words[at] != "georgia" or "country" not in own or "state" in own:
        return False
    before = at - 1
    if before >= 0 and text.gap(before) == ", ":
        word = text.words[before]
        if word in _TOWNS_OF_GEORGIA or region_named(word, "", text.surface(before), ""):
            return True
    return _ZIP.match(text.text, text.spans[at][1]) is not None
