"""A person's name as German and Slavic texts inflect it: "Bachs", "Antonína Dvořáka", "Tolstogo"."""

from __future__ import annotations

_SHORTEST_GIVEN, _SHORTEST_SURNAME = 3, 4  # letters
_HARD = ("a", "u", "ovi", "owi", "em", "om")  # behind a consonant
# Endings of the dictionary form, the longest first, and what stands for them in other cases.
_ENDINGS = (
    (("skiy", "skii", "sky", "ski"), ("skogo", "skoho", "skeho", "skiego", "skomu", "skemu", "skiemu", "skim", "skym")),
    (("oy", "oi"), ("ogo", "oho", "omu", "ym", "ym")),
    (("ova", "eva"), ("ove", "ovou", "ovoy", "ovoi", "evoy", "evoi", "oveho", "ovu", "evu")),
    (("ska", "skaya", "skaia"), ("ske", "skou", "skej", "skiej", "skoy", "skoi", "skuyu")),
    (("iy", "ii"), ("iya", "iia", "iyu", "iem", "ieva")),
    (("ey", "ei", "ay", "ai"), ("eya", "eia", "eyu", "eem", "aya", "aia", "ayu", "aem")),
    (("ia", "iya", "ya"), ("ii", "iyi", "iyu", "iu", "iei", "iey", "i", "yu")),
    (("a",), ("y", "i", "e", "u", "ou", "o", "oy", "oi")),
    (("o",), ("a", "i", "ovi", "u", "em", "om")),
)  # fmt: skip
_VOWELS = "aeiouy"
_SLAVIC = ("ov", "ev", "off", "ow", "ew", "kin", "nin", "sky", "skiy", "ski", "skii", "skyi", "enko", "chuk", "vich")
# Behind these a masculine name with -a is a woman's name too: Petrov and Petrova.
_FEMININE_IN_A = ("ov", "ev", "in", "yn")


def genitive(word: str) -> str:
    """The German genitive of a folded surname, "" where it has none of its own."""
    if len(word) < _SHORTEST_SURNAME or word.endswith(("s", "x", "z", "ß")):
        return ""
    return word + "s"


_PATRONYMICS = (
    "ovich",
    "evich",
    "ovych",
    "evych",
    "ovic",
    "evic",
    "ovna",
    "evna",
    "ivna",
    "ichna",
    "owitsch",
    "ewitsch",
)


def is_patronymic(word: str) -> bool:
    """True for a folded word that names somebody's father: "Mikhailovich". Texts add and drop it freely."""
    return len(word) > 6 and word.endswith(_PATRONYMICS)


def takes_patronymic(surname: str) -> bool:
    """True for a folded surname whose bearers have a patronymic, which texts add as an initial."""
    return surname.endswith(_SLAVIC)


# Endings of nouns and adjectives in Cyrillic, folded, the longest first, and those of other cases.
_RUSSIAN = (
    (("iya",), ("ii", "iyu", "iey")),
    (("aya", "yaya"), ("oy", "uyu", "ey", "yuyu")),
    (("yy", "iy", "oy"), ("ogo", "omu", "ym", "om", "ego", "emu", "im", "em")),
    (("ya",), ("i", "yu", "e", "ey")),
    (("a",), ("y", "i", "e", "u", "oy", "ey", "oyu")),
    (("o",), ("a", "u", "om", "e")),
)
_RUSSIAN_BARE = ("a", "u", "om", "em", "e", "i", "ya", "yu")  # the sign of a soft consonant isn't kept
_SHORTEST_STEM = 4  # letters
_WOMEN_IN_A = frozenset("aleksandra valentina".split())


def russian(word: str) -> frozenset[str]:
    """Other cases of a folded word that stood in Cyrillic; none where its stem is short."""
    for endings, others in _RUSSIAN:
        for ending in endings:
            if word.endswith(ending):
                stem = word[: -len(ending)]
                return frozenset(stem + other for other in others) - {word} if len(stem) >= _SHORTEST_STEM else _NONE
    if len(word) < _SHORTEST_STEM or word[-1] in _VOWELS or not word.isalpha():
        return _NONE
    return frozenset(word + ending for ending in _RUSSIAN_BARE)


_NONE: frozenset[str] = frozenset()


def masculine(word: str) -> frozenset[str]:
    """The genitive of a folded man's name that stood in Cyrillic, where it isn't a woman's name too."""
    if len(word) < _SHORTEST_GIVEN or word[-1] in _VOWELS or word + "a" in _WOMEN_IN_A:
        return _NONE
    return frozenset({word + "a"})


def slavic(word: str, surname: bool) -> frozenset[str]:
    """Other cases of a folded name; none for one that is too short, and none that is another person's name too."""
    if len(word) < (_SHORTEST_SURNAME if surname else _SHORTEST_GIVEN) or not word.isalpha():
        return frozenset()
    for endings, others in _ENDINGS:
        for ending in endings:
            if word.endswith(ending) and len(word) > len(ending) + 1:
                return frozenset(word[: -len(ending)] + other for other in others) - {word}
    if word[-1] in _VOWELS:
        return frozenset()
    behind = (*_HARD[1:], "ym") if surname and word.endswith(_FEMININE_IN_A) else _HARD
    cases = {word + ending for ending in behind}
    if word[-2] == "e" and word[-3] not in _VOWELS:
        cases |= {word[:-2] + word[-1] + ending for ending in behind}  # Karel, Karla
    return frozenset(cases)
