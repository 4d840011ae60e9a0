"""Whether a number is a year, by what stands around it."""

from __future__ import annotations

import re

from models.values.counted import GERMAN
from models.values.dates.words import DASHES, Shaped

_CUES = "iAcbaXF"  # what a year of three digits needs before it: "in 842", "d. 842"
_WEAK_CUES = frozenset(
    "by about around approximately approx roughly etwa gegen zirka ungefähr alrededor autour environs volta "
    "aproximadamente verso intorno cerca omstreeks rond ongeveer kring ungefär cirka примерно приблизительно "
    "ок kolem".split()
)
# "the raid of 793", and not "a total of 793"
_EVENTS = frozenset(
    "raid battle siege war treaty council synod plague famine earthquake fire flood eruption invasion edict charter "
    "peace sack coronation rebellion revolt massacre eclipse conquest partition".split()
)
_DATING = "iuaboBY&-"  # words before a year that leave no doubt, whatever follows: "in 1950 people …"
_HOUSE = re.compile(
    r"\s(?:[NSEW]\.?\s)?(?:[A-Z][\w.'’-]{0,30}\s){1,3}"
    r"(?:Street|St|Avenue|Ave|Road|Rd|Drive|Dr|Lane|Ln|Boulevard|Blvd|Court|Ct|Place|Pl|Highway|Hwy|Parkway|Terrace|Way)\b"
)
_QUOTES = frozenset('"“„«')
_QUOTES_AFTER = frozenset('"”“»:')
_CURRENCIES = frozenset("€$£¥")
_TIMES = frozenset("x×")
_NUMBER = frozenset({"no", "n", "№", "nr"})
# What is written in several groups of digits.
_GROUPED = frozenset(
    "isbn issn ismn isni ean oclc tel telephone telefon téléphone teléfono telefono telefone tél тел телефон phone fax "
    "mobile mobil iban".split()
)
_GAPS = frozenset({" ", "\u00a0", ") ", ")", " (", *DASHES})
_MOST_GROUPS = 8
_LEAST_OF_A_CODE = 4  # groups joined by dashes: a date has three at most


def is_capital(text: Shaped, index: int) -> bool:
    """True where a token is written in capitals."""
    start, end = text.spans[index]
    return text.text[start:end].isupper()


def counts(text: Shaped, index: int) -> bool:
    """True where the token after a number says what it counts or measures: "120 people", "500 m", "300 cattle pens"."""
    if index >= len(text.shape):
        return False
    kind, word = text.shape[index], text.tokens[index]
    if kind in "UL":
        return _is_unit(text, index)
    if word == "of":
        return True
    start = text.spans[index][0]
    return kind == "w" and len(word) > 3 and word[-1] == "s" and text.text[start].islower() and word[-2:] != "ss"


def _is_unit(text: Shaped, index: int) -> bool:
    start, end = text.spans[index]
    # "1950 m" is a length, "1950 M. Smith" is not.
    return end - start > 1 or not (text.text[start].isupper() or text.text[end : end + 1] == ".")


def is_labelled(text: Shaped, index: int) -> bool:
    """True where the word before a number says that it is one of another kind: "p. 1900", "No. 1900", "$1900"."""
    before = index - 1
    if before >= 0 and text.shape[before] in ".O":
        before -= 1
        if before >= 0 and text.tokens[before] in _NUMBER:
            return True
    return before >= 0 and text.shape[before] == "x"


def is_cued(text: Shaped, index: int) -> bool:
    """True where the word before a number says that it is a year."""
    before = index - 1
    if before >= 0 and text.shape[before] in ".:":
        before -= 1
    if before < 0:
        return False
    if before and text.tokens[before] == "of" and text.tokens[before - 1] in _EVENTS:
        return True
    if text.shape[before] == "Y" or (text.shape[before] == "B" and text.shape[index + 1 : index + 3] in {"&y", "-y"}):
        return True
    return text.shape[before] in _CUES and text.tokens[before] not in _WEAK_CUES


def is_bare_year(text: Shaped, first: int, beyond: int, glued: bool = False) -> bool:
    """True where nothing around a number of four digits says that it is a price, a page, a length, a house …"""
    lower, (start, _), (_, end) = text.lower, text.spans[first], text.spans[beyond - 1]
    before, after = lower[start - 1 : start] if start else "", lower[end : end + 1]
    if before and not glued and not _may_precede(text, first, before):
        return False
    if after and not _may_follow(text, beyond, after):
        return False
    alone = beyond - first == 1
    if (alone and before in _QUOTES and after in _QUOTES_AFTER) or (
        before == "." and after == "." and lower[end + 1 : end + 2].isalnum()
    ):
        return False  # the title of a book, and a part of an identifier
    if is_labelled(text, first) or _of_labelled_run(text, first):
        return False
    grouped = first and (text.shape[first - 1] in _BEFORE_GROUP or text.tokens[first - 1].isdigit())
    if grouped and _is_of_groups(text, first):
        return False
    if beyond < len(text.shape):
        kind = text.shape[beyond]
        if (kind == "U" and _is_unit(text, beyond)) or text.tokens[beyond] in _CURRENCIES:
            return False
        if text.tokens[beyond] in _TIMES and text.tokens[beyond + 1 : beyond + 2] and text.tokens[beyond + 1].isdigit():
            return False  # 1920 x 1080
        if text.shape[beyond : beyond + 2] == "-U" or _is_of_number(text, beyond):
            return False  # "2048-bit", "1853 of 4210", "1300 650 411"
        if kind == "L" and _is_counted(text, beyond) and not (first and _is_dated(text, first - 1)):
            return False
    if first > 2 and text.shape[first - 2 : first] == "Lu" and text.tokens[first - 3].isdigit():
        return False  # "by 1942 votes to 1890"
    return not (_HOUSE.match(text.text, end) and not (first and text.shape[first - 1] in _DATING))


def _is_of_number(text: Shaped, beyond: int) -> bool:
    if text.tokens[beyond] == "of":
        return text.tokens[beyond + 1 : beyond + 2] != [] and text.tokens[beyond + 1].isdigit()
    return text.shape[beyond : beyond + 2] == "tt"


def _is_counted(text: Shaped, index: int) -> bool:
    """False for a heading ("1509–1558 Members"), whose a thing is ("a 1963 children's book"), a post in German."""
    if text.tokens[index] in _GERMAN:
        return text.tokens[index + 1 : index + 2] == [] or text.tokens[index + 1] not in _SERVES
    return not text.text[text.spans[index][0]].isupper() and text.shape[index + 1 : index + 2] != "'"


_GERMAN = frozenset(GERMAN.split())
_SERVES = frozenset("am an bei beim des von vom".split())
_SINCE = frozenset("bis until till since seit depuis ab desde dal sinds od sedan с".split())


def _is_dated(text: Shaped, index: int) -> bool:
    """True for a word before a number that makes it a year, though something that is counted follows."""
    return text.shape[index] in "iaY-" or text.tokens[index] in _SINCE


_BEFORE_GROUP = frozenset(":-)")


def _is_of_groups(text: Shaped, first: int) -> bool:
    """True for a group of a telephone number or a code: "+44 20 7946 1958", "(020) 7946 1958", "978-0-1984-1412-8"."""
    groups: list[str] = []
    dashed, at, start = True, first - 1, text.spans[first][0]
    while at >= 0 and len(groups) < _MOST_GROUPS:
        if text.tokens[at].isdigit():
            begin, end = text.spans[at]
            gap = text.lower[end:start]
            if gap not in _GAPS:
                break
            dashed = dashed and gap in DASHES
            groups.append(text.tokens[at])
            start = begin
        elif text.shape[at] not in "-()":
            break
        at -= 1
    before = at - (at > 0 and text.shape[at] in ".:")
    if before >= 0 and text.tokens[before] in _GROUPED:
        return True
    if not groups:
        return False
    if groups[-1][0] == "0" and len(groups[-1]) in _PREFIX and not text.lower[max(0, start - 1) : start].isalnum():
        return True  # "020 7946 1958"
    if len(groups) == 1:
        return at >= 0 and text.tokens[at] == "+"
    return (
        (at >= 0 and text.tokens[at] == "+")
        or groups[-1] in {"978", "979"}
        or [len(group) for group in groups] == _AREA_AND_EXCHANGE
        or (dashed and len(groups) + 1 + _dashed_after(text, first) >= _LEAST_OF_A_CODE)
        or (text.shape[first - 1] == "q" and not any(len(group) == _LONG and group[0] in "12" for group in groups))
    )


_PREFIX = range(3, 7)  # figures of what is dialled for a place
_LONG = 4
_AREA_AND_EXCHANGE = [3, 3]  # "(555) 867 1958", as in North America


def _dashed_after(text: Shaped, first: int) -> int:
    """How many groups of digits dashes tie to the one at `first` behind it."""
    end = first + 1
    while end + 1 < len(text.tokens) and end < first + 2 * _MOST_GROUPS:
        if text.shape[end] != "-" or not text.tokens[end + 1].isdigit():
            break
        end += 2
    return (end - first) // 2


def _of_labelled_run(text: Shaped, first: int) -> bool:
    """The second of "pp. 1900–1910" or "1920 x 1080"."""
    if first < 2 or text.shape[first - 2] not in "ytq":
        return False
    return text.tokens[first - 1] in _TIMES or (text.shape[first - 1] == "-" and is_labelled(text, first - 2))


def _may_precede(text: Shaped, first: int, before: str) -> bool:
    if before.isspace() or before in '([{"“”„»«;|*†~<>!?':
        return True
    if before.isalnum():
        if before >= "\u2e80" or _is_pasted_between(text, first):
            return True
        letter = text.spans[first - 1][0]  # "c1680", but neither "C1680" nor "97899d426"
        alone = text.text[letter].islower() and not text.lower[max(0, letter - 1) : letter].isalnum()
        return alone and text.shape[first - 1] in "cXF"
    if before in "$£€¥#@&=+_/\\%":
        return False
    previous, joined = text.tokens[first - 2] if first > 1 else "", text.shape[first - 1]
    beside = first > 1 and text.spans[first - 2][1] == text.spans[first - 1][0]
    if not (beside and previous):
        return True
    kind = text.shape[first - 2]
    if joined == "-":
        return (
            kind in "yEAeZ"
            or (kind == "t" and 0 < int(text.tokens[first]) - int(previous) <= 120)
            or (not previous.isdigit() and (len(previous) > 1 or not previous.isalpha()))
        )
    if joined == ":" and previous in ")]":
        return False  # volume, issue and page
    return not previous.isdigit() or (joined == "," and kind == "y")


def _is_pasted_between(text: Shaped, index: int) -> bool:
    """True for "Founded1966Headquarters", and false for the name of a user."""
    after = index + 1 < len(text.tokens) and text.spans[index][1] == text.spans[index + 1][0]
    return after and _is_pasted(text, index, before=True) and _is_pasted(text, index + 1, before=False)


def _is_pasted(text: Shaped, index: int, before: bool) -> bool:
    """True where a word of a table is pasted to a year, at the token after it or before `index`."""
    start, end = text.spans[index - 1] if before else text.spans[index]
    word = text.text[start:end]
    return (
        len(word) > 3 and word.isalpha() and (word[-1].islower() if before else word[0].isupper() and word[1].islower())
    )


def _may_follow(text: Shaped, beyond: int, after: str) -> bool:
    if after.isspace() or after in ')]}"“”»«;|*†~<>!?':
        return True
    if after.isalnum():
        end = text.spans[beyond - 1][1]
        letter = after in "abcd" and not text.lower[end + 1 : end + 2].isalnum()  # "1998b" is a work of 1998
        return after >= "\u2e80" or letter or _is_pasted(text, beyond, before=False)
    if after in "_=%°":
        return False
    end = text.spans[beyond - 1][1]
    rest = text.lower[end + 1 : end + 5]
    if not rest[:1].isdigit():
        return True
    if after in ".:/":
        return False
    if after == ",":
        return rest.isdigit() and len(rest) == 4  # another year, and neither thousands nor a fraction
    if after in "-–—‒‐‑−":
        return text.shape[beyond + 1 : beyond + 2] in set("ymds")
    return True
