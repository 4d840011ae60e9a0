"""What stands around a match: whether the words beside it make another name of it, and whether its capitals fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from models.values.names.forms import roman
from models.values.names.organisations import (
    BEARERS,
    COUNTRY_CODES,
    FAMOUS,
    IN_PHRASES,
    KINDS,
    LEGAL_FORMS,
    LEGAL_PHRASES,
    SHIFTS,
    SHIPS,
    SOCIETIES,
    names_region,
    region_named,
)
from models.values.names.persons import PARTICLES, POSTNOMINALS, THING_NOUNS, TITLES, is_first_name
from models.values.words import Words

# Words between names that are no part of one, though a title or a sentence may write them with a capital.
_BETWEEN = frozenset(
    "a an the and or of in on at by for from to with as is was are were be has had have did does who whose which that "
    "this these those his her its their he she it they we you i not but if when while where after before since until "
    "during under over between about against into through also then there here both each all some many other no yes "
    "born died b d ne nee see vs versus via per et und y e ou de la le du des von van der den di da do dos del al "
    "january february march april may june july august september october november december jan feb mar apr jun jul aug "
    "sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday aged age deceased living".split()
)

# Words that are names too. A capital at the start of a sentence doesn't tell which.
_WORDLIKE = frozenset(
    "will may mark rose grace hope faith joy dawn bill bob jack art drew frank pat rob sue grant chase pierce miles "
    "dean "
    "earl duke king prince page baker cook hunter mason carter porter parker turner walker fisher potter smith data "
    "lessons us it id in or me is so do be my an as at to no he ma pa am ok hi oh la de mission remember home final "
    "trial august june april march summer winter autumn spring june sunny rich dick ray guy gene dale glen heath cliff "
    "brook lane forest reed lee young long short white black brown green gray gold silver love star sky sun moon china "
    "turkey chad jordan georgia nice bath reading mobile orange buffalo phoenix who aids mars iris lily daisy violet "
    "ruby "
    "amber pearl crystal angel victor norm herb buck chip rusty sandy penny holly ivy ginger pepper olive hazel "
    "charity "
    "major private general history science nature time life people money fortune wired variety rolling apple amazon "
    "shell target gap visa windows word office books maps word pages numbers the states union city post sun mirror "
    "synchronised new old one two first next help search menu news about contact more less day night".split()
)


# Words that a heading in capitals leaves in lower case; any other in lower case shows that capitals mean something.
_LOW_IN_HEADINGS = frozenset(
    "a an the and or nor but of in on at by for from to with as into over via per vs than de la le les du des von "
    "van der "
    "den di da do dos del della y e et und zu die das il lo los las".split()
)


def capitals_tell(text: Words, first: int, last: int) -> bool:
    """False where the words around a match are all written with capitals: a title, a form in capitals, a list."""
    others = False
    for at in (*range(max(0, first - 6), first), *range(last + 1, min(len(text.words), last + 7))):
        word = text.words[at]
        if len(word) >= 2 and word not in _LOW_IN_HEADINGS and text.has_case(at):
            if not text.is_capital(at):
                return True
            others = True
    return not others


def _segment(text: Words, first: int, last: int, most: int = 5) -> int:
    """How many words stand between the barriers around a match, counted up to `most` on each side."""
    left, right = first, last
    while left > 0 and first - left < most and not _ends(text, left - 1):
        left -= 1
    while right + 1 < len(text.words) and right - last < most and not _ends(text, right):
        right += 1
    return right - left + 1


def _ends(text: Words, at: int) -> bool:
    return text.parted(at) or not _QUOTES.isdisjoint(text.gap(at))


_QUOTES = frozenset('"“”„«»')


def is_alone(text: Words, first: int, last: int) -> bool:
    """True where a match is all that stands in the text, a cell, or between barriers."""
    return (first == 0 or text.parted(first - 1)) and (last + 1 == len(text.words) or text.parted(last))


def names_on(text: Words, at: int) -> bool:
    """True for a capitalised word that can be a part of a name."""
    return at >= 0 and text.is_capital(at) and text.words[at] not in _BETWEEN


@dataclass(frozen=True, slots=True)
class Sort:
    """What of a name decides how its neighbours count: its words that are needed, whether it is a person's full name,
    whether the entity is known to be a person, whether it is an acronym, and whether the words of the names include
    those of a description, so that a region that they lack is another.
    """

    size: int
    full_person: bool
    known_person: bool
    acronym: bool
    described: bool = False


def standing(text: Words, first: int, last: int, sort: Sort, own: frozenset[str]) -> float:
    """A factor in (0, 1]: 1 where a proper name stands by itself, less where words beside it make a longer name of it.

    `first` and `last` are words of the text, `own` the words of all names of the entity.
    """
    tell = capitals_tell(text, first, last) or _segment(text, first, last) <= sort.size + 2
    if sort.size == 1 and not sort.known_person and own.isdisjoint(_CITIES) and _is_of_title(text, first, last):
        return 0.5
    return min(_behind(text, last, sort, own, tell), _before(text, first, sort, own, tell))


def _is_of_title(text: Words, first: int, last: int) -> bool:
    """Whether a word stands inside a longer title: "Lady Macbeth of the Mtsensk District"."""
    if first == 0 or text.gap(first - 1) != " " or not names_on(text, first - 1):
        return False
    return text.words[last + 1 : last + 3] == ("of", "the") and names_on(text, min(last + 3, len(text.words) - 1))


def _behind(text: Words, last: int, sort: Sort, own: frozenset[str], tell: bool) -> float:
    at = last + 1
    if at >= len(text.words):
        return 1.0
    if text.surface(last).endswith(("'s", "’s")):
        return 1.0  # "Italy's Franca Raimondi": a possessive ends a name
    gap, word, surface = text.gap(last), text.words[at], text.surface(at)
    if gap in {", ", " ("}:
        return 0.7 if _is_elsewhere(text, last, sort, own) else 1.0
    if gap in {"-", "‑"}:
        return 0.5 if text.is_capital(at) and word not in own and not _is_district(text, last, sort, own) else 1.0
    if gap not in {" ", "\u00a0", " & "} or word in LEGAL_FORMS or word in POSTNOMINALS:
        return 1.0
    if gap == " & ":
        return 0.7 if text.is_capital(at) and not sort.full_person else 1.0
    if (roman(surface) or 0) > 1 and len(surface) > 1:
        return 0.6
    if word.isdigit():
        return 0.7 if len(word) <= 2 and sort.size == 1 and not sort.full_person and _numbers(text, at) else 1.0
    if word in _LEADS_ON and _is_of_another(text, last, sort, own):
        return 0.5
    if not names_on(text, at) or _is_code(text, last, sort) or _is_legal(text, at):
        return 1.0
    if _becomes(text, at, own):
        return 0.5 if tell else 0.6
    if not tell:
        return 1.0
    return 0.85 if sort.acronym else 0.7 if sort.full_person else 0.6 if sort.size == 1 else 0.9


def _is_elsewhere(text: Words, last: int, sort: Sort, own: frozenset[str]) -> bool:
    """Whether a state or a province stands behind a comma that isn't the one of the entity."""
    at = last + 1
    if sort.size > 2 or sort.full_person or not text.is_capital(at):
        return False
    if sort.size > 1 and not own.isdisjoint(_FIRMS):
        return False  # where a company sits
    if not sort.described and text.words[last] not in FAMOUS:
        return False
    after = text.words[at + 1] if at + 1 < len(text.words) else ""
    region = region_named(text.words[at], after, text.surface(at), text.behind(at))
    if text.words[at].endswith("shire") and not region:
        return names_region(own)
    return bool(region) and region.isdisjoint(own)


_FIRMS = frozenset("company corporation multinational conglomerate manufacturer firm enterprise retailer".split())
_CITIES = frozenset("city town capital municipality stadt hauptstadt grossstadt".split())
_INTO = frozenset("in aus nach bei".split())
# What stands behind a hyphen in the names of countries and of regions, not of a city's districts.
_REGIONS_JOINED = frozenset(
    "wurttemberg wuerttemberg baden holstein anhalt vorpommern westfalen westphalia pfalz palatinate brandenburg "
    "lothringen lorraine herzegovina weimar eisenach gotha coburg meiningen altenburg nassau hessen bonn".split()
)


def _is_district(text: Words, last: int, sort: Sort, own: frozenset[str]) -> bool:
    """Whether a city's district follows behind a hyphen, as German writes it: "in Köln-Lindenthal"."""
    if sort.size != 1 or sort.known_person or last == 0 or own.isdisjoint(_CITIES):
        return False
    if text.words[last - 1] not in _INTO or text.gap(last - 1) != " ":
        return False
    return text.words[last + 1] not in _REGIONS_JOINED and text.gap(last + 1) not in {"-", "‑"}


_LEADS_ON = frozenset("of for at".split())


def _is_of_another(text: Words, last: int, sort: Sort, own: frozenset[str]) -> bool:
    """Whether "of", "for" or "at" and a name that isn't the entity's make another body: National Gallery of Canada."""
    if sort.full_person or sort.known_person or sort.acronym:
        return False
    link, at = text.words[last + 1], last + 2
    if at < len(text.words) and text.words[at] == "the":
        at += 1
    if at >= len(text.words) or text.gap(last + 1) != " " or text.gap(at - 1) != " " or not names_on(text, at):
        return False
    kinds = SOCIETIES[link]
    if not any(text.words[here] in kinds for here in range(max(0, last + 1 - sort.size - 3), last + 1)):
        return False
    return not any(text.words[here] in own for here in range(at, min(at + 3, len(text.words))))


def _numbers(text: Words, at: int) -> bool:
    """Whether a number may be a part of the name before it, as in "Apollo 11"."""
    return text.gap(at) in {" ", ", ", ". ", "\n"} and not counts(text, at)


def counts(text: Words, at: int) -> bool:
    """Whether a number counts what follows: "12 points", "2 h", "3, 4"; the eleven of "Apollo 11 mission" doesn't."""
    behind = at + 1
    if behind >= len(text.words):
        return False
    word, gap = text.words[behind], text.gap(at)
    if gap == ", ":
        return word.isdigit()
    if gap != " " or text.is_capital(behind) or word in _BETWEEN or not word.isalpha():
        return False
    return len(word) <= 2 or (len(word) >= 3 and word.endswith("s") and not word.endswith("ss"))


def _is_code(text: Words, last: int, sort: Sort) -> bool:
    """Whether a country's code stands behind a person ("Hanna BERG SWE"), or a station's behind a town ("Graz HB")."""
    at = last + 1
    surface, word = text.surface(at), text.words[at]
    if word in _STATIONS:
        return not sort.known_person and not sort.acronym
    if not surface.isupper() or not surface.isalpha() or not 2 <= len(surface) <= 3 or word in KINDS:
        return False
    return sort.full_person and surface in COUNTRY_CODES


def _is_legal(text: Words, at: int) -> bool:
    """Whether a legal form begins at a word: "Société Anonyme", "S.p.A.", "A/S"."""
    if text.words[at : at + 2] in LEGAL_PHRASES:
        return True
    letters = ""
    while at < len(text.words) and len(text.words[at]) == 1 and len(letters) < 4:
        letters += text.words[at]
        if text.gap(at) not in {".", "/", ". "}:
            break
        at += 1
    return len(letters) > 1 and letters in LEGAL_FORMS


_STATIONS = frozenset("hb hbf hauptbahnhof".split())


def _becomes(text: Words, at: int, own: frozenset[str]) -> bool:
    """True where one of up to three capitalised words in a row says that the whole is a school, a park, a newspaper."""
    for _ in range(3):
        if text.words[at] in KINDS and text.words[at] not in own:
            return True
        if text.gap(at) != " " or not names_on(text, at + 1):
            return False
        at += 1
    return False


def _before(text: Words, first: int, sort: Sort, own: frozenset[str], tell: bool) -> float:
    at = first - 1
    if at < 0:
        return 1.0
    gap, word = text.gap(at), text.words[at]
    if gap == " " and _bears(text, at, sort, own):
        return 0.5
    if gap in {"-", "‑"}:
        surface = text.surface(at)
        if surface.isupper() and 2 <= len(surface) <= 4 and sort.size == 1 and not sort.acronym and word not in SHIFTS:
            return 1.0  # who made it: "ARD-Tagesschau"
        return 0.5 if (text.is_capital(at) or word in SHIFTS) and word not in own else 1.0
    if gap != " " or not names_on(text, at) or word in own:
        return 1.0
    if sort.full_person:
        # "Mary John Smith" is another; "Detective John Smith" isn't.
        return 0.7 if is_first_name(word) and tell else 1.0 if word in TITLES or word in PARTICLES else 0.9
    if word in SHIFTS:
        return 0.5 if sort.size == 1 else 0.75
    another = sort.known_person or is_first_name(word) or not text.opens(at)
    if sort.size == 1 and tell and word not in TITLES and another:
        return 0.85 if sort.acronym else 0.6
    return 1.0


_OF_RANKS = frozenset(
    "duke duchess earl count countess baron baroness viscount viscountess marquess prince princess".split()
)


def _bears(text: Words, at: int, sort: Sort, own: frozenset[str]) -> bool:
    """Whether the words before a match make it the name of another thing: a ship, a street, a rank, a family."""
    while at > 0 and text.words[at] in TITLES and text.gap(at - 1) == " ":
        at -= 1
    word = text.words[at]
    before = text.words[at - 1] if at > 0 and text.gap(at - 1) == " " else ""
    if text.surface(at) in SHIPS and not text.surface(at + 1).isupper():
        return (sort.full_person or sort.known_person) and word not in own
    if word == "college" and not text.surface(at).isascii():
        return sort.full_person or sort.known_person
    if word in BEARERS:
        ours = sort.full_person or sort.known_person or BEARERS[word]
        return ours and word not in own and (text.is_capital(at) or text.opens(at) or word not in _PLAIN_WORDS)
    if sort.size != 1 or not before:
        return False
    if word == "of" and before in _OF_RANKS and before not in own and not sort.known_person:
        return True
    if f"{before} {word}" in IN_PHRASES.get(text.words[at + 1], ()):
        return True
    return word in PARTICLES and not text.is_capital(at) and not sort.known_person and is_first_name(before)


_PLAIN_WORDS = frozenset("place via".split())


def capital_fit(text: Words, first: int, last: int, places: Sequence[int], is_place: bool = False) -> float:
    """How well the case of a match fits a proper name, in [0, 1]. `places`: the words of the text that need a capital.

    All in one case says nothing (an address, a heading); a lone word in lower case among others isn't the name.
    """
    wanted = [at for at in places if text.has_case(at)]
    if not wanted:
        return 1.0
    held = sum(text.is_capital(at) for at in wanted)
    if held == len(wanted):
        if (
            len(wanted) == 1
            and first == last
            and text.words[first] in _WORDLIKE
            and not _stands_out(text, first, is_place)
        ):
            return 0.6 if text.opens(first) or not capitals_tell(text, first, last) else 1.0
        return 1.0
    if text.text.islower():
        # An address or a handle; in a sentence in lower case a lone word may be any word.
        lone = sum(text.words[at] not in _LOW_IN_HEADINGS for at in wanted) == 1 and (
            len(text.words) > 3 or _runs_on(text, first, last)
        )
        clear = any(len(text.words[at]) > 3 and text.words[at] not in _WORDLIKE for at in wanted)
        return 0.6 if lone or not clear else 0.95
    if held * 2 >= len(wanted) or _is_catalogued(text, first, last, len(wanted)):
        return 0.95
    return 0.6 if last > first else 0.0


_ARTICLES = frozenset("the a an der die das le la les el los las il".split())


def _is_catalogued(text: Words, first: int, last: int, size: int) -> bool:
    """Whether a title stands as catalogues write it, with one capital: "Old man and the sea, The."."""
    if (text.has_case(first) and not text.is_capital(first)) or not text.opens(first):
        return False
    behind = last + 1
    if not text.has_case(first):
        # A title that begins with a number shows no case there; its separator counts as much as a word.
        size = max(size, last - first)
        return size >= 3 and (behind == len(text.words) or text.parted(last) or text.gap(last) in {" (", ", "})
    if behind < len(text.words) and text.gap(last) == ", " and text.words[behind] in _ARTICLES:
        return behind + 1 == len(text.words) or text.gap(behind) != " "
    return size >= 3 and (behind == len(text.words) or text.parted(last))


_MONTHS = frozenset("march april may june july august".split())


def _stands_out(text: Words, at: int, is_place: bool) -> bool:
    """Whether a word that may be a common one is shown to be a name: alone, before a volume and a page, or a region."""
    gap, behind = text.gap(at), at + 1
    if is_alone(text, at, at):
        # "Mobile: +49 170" is a label.
        return not (gap.startswith(":") and behind < len(text.words) and text.words[behind].isdigit())
    if behind >= len(text.words):
        return False
    if gap == ", ":
        return is_place and text.is_capital(behind) and text.words[behind] not in _WORDLIKE
    if gap == " " and text.words[behind].isdigit() and text.words[at] not in _MONTHS:
        return text.gap(behind) in {", ", ":", ": ", " (", "("} and text.words[behind + 1 : behind + 2] != ()
    return False


def _runs_on(text: Words, first: int, last: int) -> bool:
    """Whether words stand right before or behind a match, with nothing but a space between."""
    return (first > 0 and text.gap(first - 1) == " ") or (last + 1 < len(text.words) and text.gap(last) == " ")


def acronym_fit(text: Words, at: int) -> float:
    """How well the case of a word fits a name in capitals ("US", "SAM"), in [0, 1]: "us" and "Sam" aren't it."""
    surface, word = text.surface(at).removesuffix("'s").removesuffix("’s"), text.words[at]
    if len(surface) > 1 and surface.isupper():
        alone = is_alone(text, at, at)
        if word in _WORDLIKE and not alone:
            return 0.5 if text.text.isupper() or word not in {"us", "who", "aids"} else 1.0
        return 1.0
    if len(surface) == 1:
        return 1.0 if surface.isupper() else 0.0
    if text.is_capital(at) and len(word) >= 5:
        return 0.9
    return 0.5 if text.is_capital(at) and len(word) == 4 and word not in _WORDLIKE else 0.0


# Titles that stand before a surname, and not before an occupation, as "chief" and "master" do.
_BEFORE_SURNAMES = frozenset(
    "mr mrs ms miss mx dr sir dame capt captain maj major col colonel lt sgt sergeant cpl herr frau mme mlle monsieur "
    "madame rev mister messrs".split()
)
# First names that are words before common nouns too: "Art Director", "Christian Rock", "Gene Therapist".
_QUALIFYING = frozenset(
    "art bill carol christian dot drew gene kit lane mark may rich will chase page virginia roman sandy".split()
)


def is_surname(text: Words, at: int) -> bool:
    """Whether a word with a capital is a person's surname: "Josephine Baker", "J. Cook", "Mr Cook", "Cook, James"."""
    if not text.is_capital(at) or text.words[at] in KINDS or text.words[at] in THING_NOUNS:
        return False
    before, gap, behind = at - 1, text.gap(at - 1), at + 1
    if before >= 0 and gap in {" ", ". "} and text.is_capital(before):
        word = text.words[before]
        if len(word) == 1 and gap == ". ":
            return True
        if word in _BEFORE_SURNAMES or (is_first_name(word) and word not in _QUALIFYING):
            return gap == " " or len(word) <= 5
    if text.gap(at) != ", " or not text.is_capital(behind) or not is_first_name(text.words[behind]):
        return False
    # "Baker, James" is a person; "Baker: James Holm" and "Architect, James Holm" name one and what he does.
    after = behind + 1
    return text.gap(behind) != " " or not text.is_capital(after) or len(text.words[after]) == 1


_AFTER_NOUNS = frozenset(
    "star medal age cross lion bear palm ball boot glove shield jubilee screen street road avenue lane square coast "
    "county creek valley springs bay hill".split()
)


def _is_in_proper_name(text: Words, at: int) -> bool:
    """Whether a common noun is a part of a proper name: "Bronze Star", "Silver Cross", "Gold Coast"."""
    behind = at + 1
    if behind >= len(text.words) or text.gap(at) != " " or text.words[behind] not in _AFTER_NOUNS:
        return False
    return all(text.is_capital(here) and not text.surface(here).isupper() for here in (at, behind))


def common_fit(text: Words, at: int, word: str, accented: bool) -> float:
    """How well a word of a text fits a common noun or code, in [0, 1]: "Malé" isn't "male", and "Hi" hardly "hi"."""
    surface = text.surface(at)
    if text.is_capital(at) and accented == surface.isascii() and not surface.isupper() and len(word) <= 5:
        return 0.4
    if is_surname(text, at) or _is_in_proper_name(text, at):
        return 0.4
    if len(word) > 3 or is_alone(text, at, at):
        return 1.0
    if len(word) <= 2 or (surface.isupper() and capitals_tell(text, at, at)):
        return 0.4
    before = names_on(text, at - 1) and text.gap(at - 1) == " "
    behind = at + 1 < len(text.words) and names_on(text, at + 1) and text.gap(at) == " "
    return 0.4 if text.is_capital(at) and (before or behind) else 1.0
