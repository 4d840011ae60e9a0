"""Cyrillic and Greek letters as Latin ones, and spellings of one sound as one."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# Letters as English-language sources mostly write them (BGN/PCGN for Cyrillic, ELOT 743 for Greek), without signs.
_LETTERS = {
    **dict(zip("абвгдезиклмнопрстуфыэіјљњђћџ",
    "a b v g d e z i k l m n o p r s t u f y e i j lj nj dj c dz".split(), strict=True)),
    **dict(zip("жйхцчшщъьюяёїєґўѕќѓ", ["zh", "y", "kh", "ts", "ch", "sh", "shch", "", "", "yu", "ya", "yo", "yi",
    "ye", "g", "w", "dz", "k", "g"], strict=True)),
    **dict(zip("αβγδεζηθικλμνξοπρσςτυφχψω",
    "a v g d e z i th i k l m n x o p r s s t y f ch ps o".split(), strict=True)),
}  # fmt: skip
_TABLE = str.maketrans(_LETTERS)
_GREEK = re.compile("[\u0370-\u03ff\u1f00-\u1fff]")
_CYRILLIC = re.compile("[\u0400-\u052f]")
_GREEK_PAIRS = tuple(
    (re.compile(pattern), letters)
    for pattern, letters in (
        ("ου", "ou"), ("μπ", "b"), ("γγ", "ng"), ("γξ", "nx"), ("γχ", "nch"),
        ("αυ(?=[θκξπσςτφχψ]|$)", "af"), ("ευ(?=[θκξπσςτφχψ]|$)", "ef"), ("αυ", "av"), ("ευ", "ev"),
    )
)  # fmt: skip
_OTHER = re.compile("[\u0370-\u052f\u1f00-\u1fff]")
_UKRAINIAN = frozenset("іїєґ")
_YO_AFTER_HISS = re.compile("(?<=[жшщч])ё")


def other_script(text: str) -> bool:
    """True where a text has a letter that `latin` would change."""
    return _OTHER.search(text) is not None


def latin(word: str) -> str:
    """A case-folded word with its Cyrillic and Greek letters written in Latin; other words as they are."""
    if _CYRILLIC.search(word):
        if not _UKRAINIAN.isdisjoint(word):
            word = word.replace("г", "h")
        return _YO_AFTER_HISS.sub("е", unicodedata.normalize("NFC", word)).translate(_TABLE)
    if _GREEK.search(word):
        word = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
        for pair, letters in _GREEK_PAIRS:
            word = pair.sub(letters, word)
        return word.translate(_TABLE)
    return word


# What one sound is written as in English, French, German and Polish transcriptions; the longest go first.
_SOUNDS = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        ("(schtsch|shch|chtch|szcz|tsch|tch|cz|sch|sh|ch|kh|zh)[yi]?o", r"\1e"),  # ё, which some write as o
        ("(?<=[bdfgklmnprstvz])[jy]o(?=[dlmrtvf]|n(?!g))|(?<=^[pf])io(?=[dt])", "e"),  # Pyotr, Petr; Fyodor, Fedor
        ("dzh|dsch|dj", "j"),
        ("shch|schtsch|chtch|szcz", "S"),
        ("tsch|tch|cz", "C"),
        ("sch|sh|sz", "s"),
        ("zh|rz", "z"),
        ("ch|kh|ck|q|c", "k"),
        ("tz|ts", "s"),
        ("(?<=[dt])er$", "r"),
        ("ph|ff", "f"),
        ("th", "t"),
        ("ks|x", "k"),
        ("w", "v"),
        ("ov$|off$|of$", "of"),
        ("ev$|eff$|ef$", "ef"),
        ("[ijy]+", "i"),
        ("oo|ou", "u"),
        ("ie|ee|ei", "e"),
        ("h", ""),
        (r"(.)\1+", r"\1"),
        ("z", "s"),
        ("C|S", "k"),
    )
)


@lru_cache(maxsize=65_536)
def skeleton(folded: str) -> str:
    """A key that transcriptions of one name share: "dostoyevsky" and "dostoevskii", "tchaikovsky" and "chaikovskiy".

    Coarse on purpose: two words with one key may be different names, two with different keys are hardly transcriptions.
    """
    key = folded[:40]
    for pattern, sound in _SOUNDS:
        key = pattern.sub(sound, key)
    return key


def sounds_alike(one: str, other: str) -> bool:
    """True for two folded words with one skeleton, of which both begin with h or neither does: not Anna and Hanna."""
    return (one[:1] == "h") == (other[:1] == "h") and skeleton(one) == skeleton(other)
