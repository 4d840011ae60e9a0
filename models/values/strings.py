"""Ratings, identifiers, codes, titles and other strings: character for character after normalising.

Normalised are compatibility forms (NFKC: "C₈H₁₀" is "C8H10"), case, space, dashes, quotation marks, and the dots of
abbreviations. A string isn't named inside a longer token: "2.5" not in "12.5", "PG" not in "PG-13".
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from models.values.found import Found

_MOST = 20  # places that are given of one string
_SHORT = 2  # characters at which case counts, and only a token of its own will do
_SHORT_CODE = 3  # the same for letters that are all capitals: "CAN", "LHR"
_LOOSE = 7  # characters from which a code may stand with spaces that it doesn't have
_DASHES = frozenset("‐‑‒–—−﹣－")
_CARRYING = frozenset("@#+=()[]\\/-%&*:_$€£")  # signs that tell one code from another
_IGNORED = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")


@lru_cache(maxsize=65_536)
def _folded(character: str) -> str:
    """A character without case and compatibility form, its accents apart, and of it only what carries meaning."""
    if character.isspace() or character in _IGNORED:
        return ""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", character).casefold())
    plain = "".join("-" if c in _DASHES else c for c in folded)
    return "".join(c for c in plain if c.isalnum() or c in _CARRYING or unicodedata.category(c)[0] == "M")


def _squeeze(text: str) -> tuple[str, list[int]]:
    """Letters, digits and signs that carry meaning, folded, with the index that each came from."""
    characters: list[str] = []
    places: list[int] = []
    for index, character in enumerate(text):
        if character.isalnum() and character.isascii():
            characters.append(character.lower())
            places.append(index)
        elif character == ".":
            if _inside_number(text, index):
                characters.append(".")
                places.append(index)
        else:
            for folded in _folded(character):
                characters.append(folded)
                places.append(index)
    return "".join(characters), places


def _inside_number(text: str, index: int) -> bool:
    """A full stop counts between digits only: "S.I. 2014" and "SI 2014" are one, "2.5" and "25" aren't."""
    return text[index - 1 : index].isdigit() and text[index + 1 : index + 2].isdigit()


_URL = re.compile(r"^(?:https?:)?//(?:www\.)?|^www\.", re.IGNORECASE)
_WORDY = re.compile(r"[^\W\d_]{2,}\s+[^\W_]+\s+[^\W_]+|[^\W\d_]{3,}\s+[^\W\d_]{3,}")


def find_string(value: str, text: str) -> Found | None:
    """The first place where a text has a string, as `find_strings` finds it; None where it has none."""
    found = find_strings(value, text, 1)
    return found[0] if found else None


def find_strings(value: str, text: str, most: int = _MOST) -> list[Found]:
    """The places where a text has a string, in order, at most `most`: all of it, and not as a part of a longer token.

    A string of one or two characters, or a code of three capitals, has to stand with the same case, as a token of its
    own, and isn't a common word among words in capitals ("WHAT YOU CAN DO"). An address is found with
    or without its scheme, "www." and final slash, and with nothing behind it; a phrase of several words without regard
    to punctuation; a long number, such as an ISBN, with or without its dashes.
    """
    value = value.strip()
    if not value:
        return []
    if len(value) <= _SHORT or (len(value) == _SHORT_CODE and value.isalpha() and value.isupper()):
        return _tokens(value, text, most) if any(character.isalnum() for character in value) else []
    address = _URL.match(value) is not None
    if address:
        value = _URL.sub("", value).rstrip("/")
    wanted, _ = _squeezed(value)
    if not any(character.isalnum() for character in wanted) or _cannot_hold(text, value, wanted):
        return []
    have, places = _squeezed(text)
    found = _places(wanted, have, places, text, value, most)
    if address:
        return [place for place in found if not _GOES_ON.match(text, place.end)]
    if not found and (_WORDY.search(value) or _NUMBERED.fullmatch(value)):
        letters = [(c, place) for c, place in zip(have, places, strict=True) if c.isalnum()]
        words = "".join(c for c in wanted if c.isalnum())
        found = _places(words, "".join(c for c, _ in letters), [place for _, place in letters], text, value, most)
    return found


_WORD = re.compile(r"[a-z]{3,}")


def _cannot_hold(text: str, value: str, wanted: str) -> bool:
    """True where a glance tells that a plain text hasn't the string: most passages have nothing of it, and taking them
    apart is dear.
    """
    if not (text.isascii() and value.isascii()):
        return False
    lowered = text.lower()
    longest = max(_WORD.findall(value.lower()), key=len, default="") if _WORDY.search(value) else ""
    return longest not in lowered if longest else not set(filter(str.isalnum, wanted)) <= set(lowered)


_GOES_ON = re.compile(r"[.-][^\W_]|/[^\s/)\]>,]")
# Codes that are written with and without their dashes and spaces: ISBN, ISNI, ORCID, telephone numbers.
_NUMBERED = re.compile(r"\+?(?=(?:[ -]*\d){8})[\d -]{7,30}[\dXx]")


@lru_cache(maxsize=512)
def _squeezed(text: str) -> tuple[str, list[int]]:
    return _squeeze(text)


def _places(wanted: str, have: str, places: list[int], text: str, value: str, most: int) -> list[Found]:
    found: list[Found] = []
    at = have.find(wanted)
    while at >= 0 and len(found) < most:
        start, end = places[at], places[at + len(wanted) - 1] + 1
        whole = (at == 0 or places[at - 1] != start) and (
            at + len(wanted) >= len(places) or places[at + len(wanted)] != end - 1
        )
        if whole and _alone(text, start, end) and _same_breaks(value, text[start:end]):
            found.append(Found(start, end, "exact", 1.0))
            at = have.find(wanted, at + len(wanted))
        else:
            at = have.find(wanted, at + 1)
    return found


def _tokens(value: str, text: str, most: int) -> list[Found]:
    found: list[Found] = []
    wanted = unicodedata.normalize("NFKC", value)
    at = text.find(wanted)
    while at >= 0 and len(found) < most:
        end = at + len(wanted)
        if (
            _alone(text, at, end)
            and (len(value) > 1 or not _hyphened(text, at, end))
            and not (value.lower() in _COMMON and _is_shouted(text, at, end))
        ):
            found.append(Found(at, end, "exact", 1.0))
        at = text.find(wanted, end)
    return found


_COMMON = frozenset(
    "a i am an as at be by do go he if in is it me my no of on or so to up us we all and any are art ask bad "
    "big but buy can car cut day did end eye far few for get god got had has her him his hot how its job key "
    "law led let lot low man may men met new nor not now off old one our out own pay per put ran red run saw "
    "say sea see set she sit six sun tax ten the too top try two use war was way who why win yes yet you air "
    "add age act arm bar bed bit box boy bus".split()
)
_CAPITALS_BEFORE = re.compile(r"(?:[A-Z]{1,30}['’,]? )$")
_CAPITALS_AFTER = re.compile(r",? [A-Z]{1,30}(?![\w/])")
_LONG_CAPITALS = re.compile(r"[A-Z]{4}")
_AROUND = 40


def _is_shouted(text: str, start: int, end: int) -> bool:
    """True among words in capitals, one of them longer than a code: "YOU CAN REACH US", and not "USA CAN MEX"."""
    before, after = text[max(0, start - _AROUND) : start], text[end : end + _AROUND]
    if not (_CAPITALS_BEFORE.search(before) or not before.strip()) or not (
        _CAPITALS_AFTER.match(after) or not after.strip(" .!?")
    ):
        return False
    return _LONG_CAPITALS.search(before) is not None or _LONG_CAPITALS.search(after) is not None


def _hyphened(text: str, start: int, end: int) -> bool:
    """ "S-shaped", "it's", "T-": one letter that a dash or an apostrophe ties to something."""
    return text[start - 1 : start] in _TIES or text[end : end + 1] in _TIES


_TIES = frozenset("-‐‑'’&")
_INNER = frozenset("-‐‑–−/_.:+")  # what joins the parts of a code, where it touches them on both sides
_MARKS = frozenset("*+#")  # "II" isn't "II*", nor "C" "C++"


def _alone(text: str, start: int, end: int) -> bool:
    """True where nothing that touches a place belongs to it: no letter, digit, decimal, or joined part of a code."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if before.isalnum() and text[start].isalnum():
        version = before in {"v", "V"} and "." in text[start:end] and text[start].isdigit()
        return version and not text[start - 2 : start - 1].isalnum() and _alone(text[start : end + 60], 0, end - start)
    if (after.isalnum() and text[end - 1].isalnum()) or (after and (after in _MARKS or unicodedata.combining(after))):
        return False
    if text[start:end].isdigit() and _grouped(text, start, end):
        return False
    if before and before in _INNER | {","} and text[start].isalnum() and _joins(text, start - 1, before):
        return False
    return not (after and after in _INNER | {","} and text[end - 1].isalnum() and _joins(text, end, after))


_GROUP_BEFORE = re.compile(r"[ \u00a0\u2009\u202f]\d")
_GROUP_AFTER = re.compile(r"[ \u00a0\u2009\u202f]\d{3}(?!\d)")


def _grouped(text: str, start: int, end: int) -> bool:
    """True for digits among other groups of digits: of "1 234 567", or of a telephone number."""
    before = start >= 2 and text[start - 1] in " \u00a0\u2009\u202f" and text[start - 2].isdigit()
    after = _GROUP_BEFORE.match(text, end) is not None
    if before and after:
        return True
    size = end - start
    return (before and size == 3) or (size <= 3 and _GROUP_AFTER.match(text, end) is not None)


def _joins(text: str, at: int, mark: str) -> bool:
    """ "2.5" isn't named by "12.5" or "2.55", nor "PG" by "PG-13"; "Rated PG-rated film" is a word before a dash."""
    left, right = text[at - 1 : at], text[at + 1 : at + 2]
    if mark in ".,:":
        return left.isdigit() and right.isdigit()
    if mark == "/":
        return left.isdigit() and right.isdigit() and not _in_address(text, at)
    if mark in "_+":
        return left.isalnum() and right.isalnum()
    if not (left.isalnum() and right.isalnum()):
        return False
    # "PG-13", "AB-12", "12-34" go on; "12-metre", "PG-rated" and "1989–film" add a word to the token.
    rest = _RUN.match(text, at + 1)
    first = _BACK.match(text[max(0, at - 12) : at][::-1])
    return not (rest and rest.group().isalpha() and len(rest.group()) > 3) and not (
        first and first.group().isalpha() and len(first.group()) > 3 and first.group().islower()
    )


def _in_address(text: str, at: int) -> bool:
    """True at a slash of a web address, whose parts are tokens of their own."""
    start = max(text.rfind(" ", max(0, at - 200), at), text.rfind("\n", max(0, at - 200), at)) + 1
    return "://" in text[start : at + 1] or text.startswith(("www.", "doi.org", "orcid.org"), start)


_RUN = re.compile(r"[^\W_]{1,40}")
_BACK = re.compile(r"[^\W_]{1,12}")


def _same_breaks(value: str, here: str) -> bool:
    """Space isn't read into what has none and is short, nor a line's end into any code: "15" isn't in "1 5".

    Around signs it is ("4 / 5", "93 %"), and between the letters and the figures of a designation ("M 31").
    """
    if any(character.isspace() for character in value):
        return True
    if "\n" in here.strip():
        return False
    if len(value) >= _LOOSE or not _PARTED.search(here):
        return True
    return _DESIGNATION.fullmatch(here) is not None and "".join(here.split()) == value


_PARTED = re.compile(r"[^\W_]\s+[^\W_]")
_DESIGNATION = re.compile(r"[A-Z]{1,3}\s\d{1,4}")
