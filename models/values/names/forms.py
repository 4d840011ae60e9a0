"""Other ways to write one word of a name: numerals, abbreviations, umlauts, number (singular and plural)."""

from __future__ import annotations

import re
from functools import lru_cache

_ROMAN = re.compile(r"X{0,3}(?:IX|IV|V?I{0,3})")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10}
_CARDINALS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
_ORDINALS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
_WORD_NUMBERS = {word: n for words in (_CARDINALS, _ORDINALS) for n, word in enumerate(words)}
_ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th)")

_ABBREVIATIONS = {
    short: tuple(full.split())
    for short, full in {
        "univ": "university universitat universite universidad", "dept": "department", "st": "saint street sankt",
        "ste": "sainte", "sta": "santa", "mt": "mount mountain", "mtn": "mountain", "ft": "fort", "rd": "road",
        "ave": "avenue", "blvd": "boulevard", "sq": "square", "hts": "heights", "co": "county company",
        "intl": "international", "natl": "national", "assn": "association", "assoc": "association associates",
        "inst": "institute institution", "soc": "society", "acad": "academy", "coll": "college", "hosp": "hospital",
        "bros": "brothers", "mfg": "manufacturing", "govt": "government", "gen": "general", "corp": "corporation",
        "comm": "commission committee", "admin": "administration", "tech": "technology technical",
        "sch": "school", "hs": "school", "lib": "library", "mus": "museum", "is": "island islands", "pt": "point port",
        "no": "number", "nr": "number", "vol": "volume", "pt.": "part", "ep": "episode", "ed": "edition",
        "u": "university", "us": "states", "conf": "conference", "fed": "federal federation", "rep": "republic",
        "dem": "democratic", "minn": "minnesota", "wis": "wisconsin", "fla": "florida", "mass": "massachusetts",
        "penn": "pennsylvania", "pa": "pennsylvania", "va": "virginia", "calif": "california", "conn": "connecticut",
    }.items()
    if short not in {"pt.", "us", "is", "no"}  # words of their own
}  # fmt: skip
_SHORT_FORMS: dict[str, tuple[str, ...]] = {}
for _short, _fulls in _ABBREVIATIONS.items():
    for _full in _fulls:
        _SHORT_FORMS[_full] = (*_SHORT_FORMS.get(_full, ()), _short)
_SHORT_FORMS["number"] = (*_SHORT_FORMS["number"], "no")

_UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "æ": "ae"}
_BRITISH = (("our", "or"), ("ise", "ize"), ("isation", "ization"), ("tre", "ter"), ("ogue", "og"))
# Endings of common nouns alone: in proper names they tell people apart, "Mueller" and "Mueler".
_BRITISH_NOUNS = (
    ("ourer", "orer"), ("iser", "izer"), ("bre", "ber"), ("yser", "yzer"), ("ence", "ense"), ("lling", "ling"),
)  # fmt: skip
_DOUBLED = re.compile(r"([^aeiou]*[aeiouy]+[^aeiouy]+[aeiou])(ll?)((?:er|or|ed|ery|ist)s?)")
_WORD_PAIRS = tuple(
    tuple(pair.split())
    for pair in (
        "grey gray,plough plow,aluminium aluminum,mould mold,programme program,jewellery jewelry,sceptic skeptic,"
        "tyre tire,cheque check,draughtsman draftsman,moustache mustache"
    ).split(",")
)
_OTHER_WORDS = {word: other for uk, us in _WORD_PAIRS for word, other in ((uk, us), (us, uk))}


def roman(surface: str) -> int | None:
    """The number that capitals I, V and X write (1–39), or None."""
    if not 0 < len(surface) <= 7 or not _ROMAN.fullmatch(surface):
        return None
    values = [_ROMAN_VALUES[letter] for letter in surface]
    return sum(-v if after > v else v for v, after in zip(values, [*values[1:], 0], strict=True))


@lru_cache(maxsize=4096)
def number_of(word: str) -> int | None:
    """The number that a folded word writes in digits, as an ordinal or in words up to twenty, or None."""
    if word.isascii() and word.isdigit():
        return int(word) if len(word) <= 9 else None
    if match := _ORDINAL.fullmatch(word):
        return int(match.group(1))
    return _WORD_NUMBERS.get(word)


def _roman_of(number: int) -> str:
    tens, ones = divmod(number, 10)
    return "x" * tens + ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")[ones]


def numerals(number: int) -> tuple[str, ...]:
    """How a small number is written, folded: "2", "ii", "2nd", "two", "second"; a large one in digits only."""
    if not 0 < number <= 39:
        return (str(number),)
    words = (_CARDINALS[number], _ORDINALS[number]) if number <= 20 else ()
    return (str(number), _roman_of(number), _ordinal_in_figures(number), *words)


def _ordinal_in_figures(number: int) -> str:
    return f"{number}{'th' if 10 < number % 100 < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def ordinal(number: int) -> str:
    """A small number as an ordinal: in words up to twenty, "21st" from there."""
    return _ORDINALS[number].title() if 0 < number <= 20 else _ordinal_in_figures(number)


def abbreviations(word: str) -> tuple[str, ...]:
    """Short forms of a folded word, or the full forms of a short one."""
    return (*_SHORT_FORMS.get(word, ()), *_ABBREVIATIONS.get(word, ()))


def umlauts(surface: str) -> tuple[str, ...]:
    """A word with its umlauts written as two letters ("Müller" as "mueller"), folded otherwise; none without any."""
    lowered = surface.casefold()
    if lowered.isascii():
        return ()
    spelled = "".join(_UMLAUTS.get(letter, letter) for letter in lowered)
    return (spelled,) if spelled != lowered and spelled.isascii() else ()


_ARABIC = tuple(
    frozenset(group.split())
    for group in (
        "hussein husayn husain hussain hossein husein houssein hussayn hossain",
        "mohammed muhammad mohamed mohammad muhammed mohamad muhamad", "ahmed ahmad",
        "yusuf youssef yousef yousuf yusef youssouf", "abdullah abdallah abdulla", "ibrahim ebrahim",
        "mahmoud mahmud", "mustafa mustapha moustafa", "omar umar", "othman uthman", "hasan hassan",
        "khalid khaled", "jamal gamal", "naguib najib nagib", "nasser nasir nassir", "suleiman sulayman soliman",
        "faisal faysal feisal", "tariq tarek tarik", "qasim kasim qassem kassem", "hosni husni", "sharif sherif",
        "rashid rasheed", "walid waleed", "karim kareem", "amin ameen", "fatima fatimah", "aisha aysha aicha",
        "zaynab zainab zeinab", "maryam mariam", "khadija khadijah", "haidar haydar haider", "saeed sayeed",
    )
)  # fmt: skip
_ARABIC_FORMS = {word: tuple(sorted(group - {word})) for group in _ARABIC for word in group}


def arabic(word: str) -> tuple[str, ...]:
    """Other spellings of a folded Arabic name in Latin letters: "husayn" and "hussein"."""
    return _ARABIC_FORMS.get(word, ())


def plurals(word: str) -> tuple[str, ...]:
    """The plural of a common noun, or its singular where it seems to be one; folded."""
    if len(word) < 3 or not word.isalpha():
        return ()
    if word.endswith("men"):
        return (word[:-3] + "man",)
    if word.endswith("man"):
        return (word[:-3] + "men", word + "s")
    if word.endswith("ies") and len(word) > 4:
        return (word[:-3] + "y",)
    if word.endswith(("ses", "xes", "ches", "shes")):
        return (word[:-2], word[:-1])
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return (word[:-1],)
    if word.endswith("y") and word[-2] not in "aeiou":
        return (word[:-1] + "ies",)
    if word.endswith(("s", "x", "ch", "sh")):
        return (word + "es",)
    return (word + "s",)


def british(word: str) -> tuple[str, ...]:
    """The other spelling of a word that is British or American: "labour" and "labor", "centre" and "center"."""
    if len(word) < 5:
        return ()
    for uk, us in _BRITISH:
        for ending, other in ((uk, us), (us, uk)):
            if word.endswith(ending) and len(word) > len(ending) + 2:
                return (word[: -len(ending)] + other,)
    return ()


def british_nouns(word: str) -> tuple[str, ...]:
    """The same for spellings in which common nouns alone may differ: "jeweller" and "jeweler", "fibre" and "fiber"."""
    if word in _OTHER_WORDS:
        return (_OTHER_WORDS[word],)
    if len(word) < 5 or len(word) > _LONGEST_NOUN:
        return ()
    if "aeo" in word or "paed" in word:
        return (word.replace("aeo", "eo").replace("paed", "ped"),)
    if word.startswith("archeo"):
        return ("archaeo" + word[6:],)
    # Only behind an unstressed vowel: a miller isn't a miler.
    if (doubled := _DOUBLED.fullmatch(word)) is not None:
        stem, middle, ending = doubled.groups()
        return (stem + ("l" if middle == "ll" else "ll") + ending,)
    for uk, us in _BRITISH_NOUNS:
        for ending, other in ((uk, us), (us, uk)):
            if word.endswith(ending) and len(word) > len(ending) + 1:
                return (word[: -len(ending)] + other,)
    return ()


_LONGEST_NOUN = 30  # letters
