"""Articles, possessives and plurals: the small words that English wants around a name."""

from __future__ import annotations

import re

from models.verbalise.vocabulary import word_set

_ARTICLE = re.compile(r"(?:the|a|an|its|his|her|their|this|part|one|some)\s", re.IGNORECASE)
_HEAD_ENDS = re.compile(
    r"\s(?:of|in|for|at|on|to|by|with|from|and|der|des|de|du|von|that|who|protected|represented|not)\s|[,(/]"
)

_SILENT_H = re.compile(r"(?:hour|honest|hono[u]?r|heir)", re.IGNORECASE)
_YOU_SOUND = re.compile(
    r"(?:eu|ewe|uni(?!n|m(?!od))|us(?:e|u|a)|ut(?:il|op)|ur(?:an|in)|uk(?:ul|r)|ub(?:iq)|one\b|once\b|one-)",
    re.IGNORECASE,
)
_SPELLED_VOWELS = frozenset("AEFHILMNORSX")
_AN_NUMBER = re.compile(r"(?:8|1[18](?!\d)|1[18](?=,?\d{3}(?!\d)))")
_VOWELS = frozenset("aeiouAEIOUàáâãäåæèéêëìíîïòóôõöøùúûüÀÁÂÃÄÅÆÈÉÊËÌÍÎÏÒÓÔÕÖØÙÚÛÜ")

_NO_ARTICLE = word_set(
    "personnel staff police music software hardware furniture equipment art poetry fiction literature information "
    "clothing land cuisine cheese wine beer bread food water oil paint canvas wood stone metal data research painting "
    "people youth aristocracy nobility clergy male female intersex non-binary nonbinary agender genderfluid "
    "homosexuality heterosexuality bisexuality"
)
_COUNTED_ART = frozenset({"painting"})
_SINGULAR_S = re.compile(r"(?:ss|us|is|ics|series|species|headquarters|news|chess|lens|gas|bus|corps|means)$", re.I)


_PLURALS = word_set(
    """
    people children men women lyrics topics comics fabrics clinics mechanics graphics characteristics statistics
    relics metrics critics mosaics basics
    """
)


def head(label: str) -> str:
    """The last word of the first noun phrase: "University" of "University of Derby"."""
    first = _HEAD_ENDS.split(label, maxsplit=1)[0].split()
    return first[-1] if first else ""


def is_plural(noun: str) -> bool:
    """Whether a noun looks like a plural: a rule of thumb on its last letters."""
    return noun in _PLURALS or (
        len(noun) > 3 and noun.endswith("s") and not noun.endswith("'s") and not _SINGULAR_S.search(noun)
    )


def an(label: str) -> str:
    """The label with "a" or "an" by its sound; bare where English has no article (plurals, mass nouns)."""
    noun = head(label)
    if _ARTICLE.match(label) or not noun or is_plural(noun):
        return label
    if noun.lower() in _NO_ARTICLE and noun.lower() not in _COUNTED_ART:
        return label
    if noun.endswith(("ism", "ness")) and noun != "organism":
        return label
    return f"{'an' if _vowel_sound(label) else 'a'} {label}"


def _vowel_sound(label: str) -> bool:
    first = re.split(r"[\s\-/.]", label, maxsplit=1)[0]
    if label[0].isdigit():
        return _AN_NUMBER.match(label) is not None
    if re.match(r"[A-Z]-", label):
        return first[0] in _SPELLED_VOWELS
    if len(first) > 1 and first.isupper() and first.isascii():
        # Long ones with a vowel in second place are read as words (NASA, FIDE), the rest letter by letter (FBI, MP).
        as_word = len(first) > 3 and first[1] in _VOWELS
        return first[0] in ("AEIOU" if as_word else _SPELLED_VOWELS)
    if _SILENT_H.match(label):
        return True
    return label[0] in _VOWELS and not _YOU_SOUND.match(label)


_THE_NAMES = frozenset(
    {
        "United States",
        "United States of America",
        "United Kingdom",
        "United Arab Emirates",
        "Netherlands",
        "Philippines",
        "Bahamas",
        "Gambia",
        "Maldives",
        "Vatican",
        "Comoros",
        "Seychelles",
        "Solomon Islands",
        "Marshall Islands",
        "Cayman Islands",
        "Faroe Islands",
        "Falkland Islands",
        "Cook Islands",
        "Canary Islands",
        "Balearic Islands",
        "Hague",
        "Bronx",
        "Crimea",
        "Levant",
        "Balkans",
        "Soviet Union",
        "European Union",
        "Holy See",
        "Holy Roman Empire",
        "Isle of Man",
        "Isle of Wight",
        "Middle East",
        "Nazi Party",
        "Red Cross",
        "New York Times",
        "Nobel Prize",
        "People's Republic of China",
        "Czech Republic",
    }
)
# Heads that take "the" with an "of" behind them, and heads that take it in any case.
_OF_HEADS = word_set(
    """
    University College Republic Kingdom Empire State States Commonwealth Duchy Principality County District
    Province Diocese Archdiocese Bishopric Ministry Department Government Parliament Bank Church House Order
    Academy Institute Museum Library Museum Union Federation Confederation Society Association Board Office
    Bureau Battle Siege Treaty Governorate Region Territory Isle City Town Canton Legion Medal Chamber Council
    Court School Faculty Congress Assembly Cathedral Basilica Gulf Bay Sea Strait Cape Voivodeship Emirate
    Sultanate Grand Crown
    """
)
_ANY_HEADS = word_set(
    """
    Republic Empire Union Federation Confederation Commonwealth Kingdom Emirates Islands Party Army Navy Force
    Forces Corps Guard Senate Parliament Congress Assembly Committee Commission Council Institution Institute
    Academy Society Association Foundation Museum Library Collection Archive Archives Gallery Observatory Bureau
    Agency Authority Ministry Department Alliance League Coalition Organization Organisation Order War Wars
    Revolution Campaign Olympics Paralympics Games Cup Trophy Medal Prize Award Awards Heart Star Cross Ocean
    Sea River Canal Mountains Alps Range Ranges Peninsula Desert Valley Church Orchestra Chamber Times
    Hotel Theatre Theater Palace
    """
)
_NEVER_WITH_THE = re.compile(r"(?:The|A|An|Saint|St\.?|Sir|Dr\.?|Lake|Mount|Cape|King|Queen)\s|\S+['’]s\s|\d")
_SURELY_THE = re.compile(r"(?:University|Republic|Kingdom|Diocese|Ministry|Church|Battle|Duchy|Isle|Museum|Treaty) of ")
_ELECTION = re.compile(r"\d{4}(?:[–-]\d{2,4})? .*\b(?:elections?|Olympics|Paralympics|Games|Cup|pandemic)$")


def the(label: str) -> str:
    """The name with "the" where English wants it (countries, armies, parties, prizes), else as it is."""
    return f"the {label}" if _wants_the(label) else label


def the_subject(label: str) -> str:
    """As `the`, but only where it is certain: a subject may be a film or a book of such a name."""
    if label in _THE_NAMES or _SURELY_THE.match(label):
        return f"the {label}"
    return label


def _wants_the(label: str) -> bool:
    if label in _THE_NAMES or label.startswith("United Kingdom of"):
        return True
    if not label[:1].isupper():
        return _ELECTION.match(label) is not None
    if _NEVER_WITH_THE.match(label):
        return False
    phrase = _HEAD_ENDS.split(label, maxsplit=1)[0]
    noun = head(label)
    if noun in _ANY_HEADS:
        # One word alone ("Union", "Congress") may be a name of its own.
        return phrase != label or " " in label
    return noun in _OF_HEADS and label[len(phrase) :].startswith(" of ")


def possessive(name: str) -> str:
    """ "X's", also for names in s: "James's"."""
    return f"{name}'s"


_IRREGULAR = {
    "foot": "feet",
    "person": "people",
    "krone": "kroner",
    "krona": "kronor",
    "hertz": "hertz",
    "siemens": "siemens",
    "lux": "lux",
    "yen": "yen",
    "yuan": "yuan",
    "renminbi": "renminbi",
    "baht": "baht",
    "won": "won",
    "rand": "rand",
    "ringgit": "ringgit",
    "percent": "percent",
    "aircraft": "aircraft",
    "species": "species",
    "series": "series",
    "lek": "lek",
    "child": "children",
    "man": "men",
    "woman": "women",
    "lei": "lei",
}
_INVARIANT_SUFFIXES = ("hertz", "siemens")


def plural(noun: str) -> str:
    """The plural of an English noun in the singular; what is no word, or a plural already, stays as it is."""
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    if len(noun) < 3 or not noun.isalpha() or noun.endswith(_INVARIANT_SUFFIXES) or is_plural(noun):
        return noun
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"
