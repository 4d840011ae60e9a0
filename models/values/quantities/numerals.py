"""Numbers as they are written: digits with the marks of several places, fractions, powers of ten, and words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Number:
    """What digits can mean. `places` behind the point; `digits` that are significant, of `written` ones.

    Zeros at the end of a whole number are written, and not counted as significant.
    """

    amount: Decimal
    places: int
    digits: int
    written: int


# A letter: what Python counts as one without digits, superscripts and fractions.
LETTER = r"[^\W\d_¹²³¼½¾⁰-₟⅐-⅞]"

CJK = "\u2e80"  # from here on, scripts that put no space between words

# A run of digits with single marks inside; a space or an apostrophe is one only before exactly three digits.
DIGITS = re.compile(r"[\d¼½¾⅐-⅞](?:(?<=\d)\d*(?:(?:[.,]|['’ \u00a0\u2009\u202f](?=\d{3}(?!\d)))\d+)*)?")
LONGEST = 40  # digits of a number that is an amount

VULGAR = {
    "¼": (1, 4), "½": (1, 2), "¾": (3, 4), "⅓": (1, 3), "⅔": (2, 3), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5),
    "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8), "⅐": (1, 7),
    "⅑": (1, 9), "⅒": (1, 10),
}  # fmt: skip


@lru_cache(maxsize=16_384)
def read_digits(token: str) -> tuple[Number, ...]:
    """The numbers that digits with marks can be, the likelier first: "1.200" is 1.2 and 1200, "1,200" the other way.

    Empty where they are no amount: "2.5.1", "007", "1,2,3", or more than forty digits.
    """
    if len(token) > LONGEST + LONGEST // 3:
        return ()
    if token in VULGAR:
        over, under = VULGAR[token]
        return (Number(Decimal(over) / under, 2, 2, 2),)
    if token.isdigit():
        return () if len(token) > LONGEST or (len(token) > 1 and int(token[0]) == 0) else (_whole(token),)
    marks = [character for character in token if not character.isdigit()]
    spaced = [mark for mark in marks if mark not in ".,"]
    points = [mark for mark in marks if mark in ".,"]
    if spaced:
        return _spaced(token, set(spaced), points)
    if len(set(points)) == 2:
        whole, fraction = token.rsplit(points[-1], 1)
        grouped = points[-1] not in whole and _ungrouped(whole, points[0])
        return (_decimal(grouped, fraction),) if grouped else ()
    if len(points) > 1:
        grouped = _ungrouped(token, points[0])
        return (_whole(grouped),) if grouped else ()
    whole, fraction = token.split(points[0])
    if len(whole) > 1 and int(whole[0]) == 0:
        return ()
    as_decimal = _decimal(whole, fraction)
    if len(fraction) != 3 or len(whole) > 3 or int(whole) == 0:
        return (as_decimal,)
    thousands = _whole(whole + fraction)
    return (thousands, as_decimal) if points[0] == "," else (as_decimal, thousands)


def _spaced(token: str, spaces: set[str], points: list[str]) -> tuple[Number, ...]:
    """ "1 234,5", "1'234.5": spaces or apostrophes between thousands, and at most one mark, before the decimals."""
    if len(points) > 1:
        return ()
    whole, fraction = token.rsplit(points[0], 1) if points else (token, "")
    if any(space in fraction for space in spaces):
        return ()
    grouped = _ungrouped(re.sub(r"[ \u00a0\u2009\u202f’]", "'", whole), "'")
    if not grouped:
        return ()
    return (_decimal(grouped, fraction) if points else _whole(grouped),)


def _ungrouped(token: str, mark: str) -> str:
    """The digits of "1,234,567" or of Indian "12,34,567"; empty where groups are of other sizes."""
    first, *others = token.split(mark)
    sizes = {len(group) for group in others[:-1]}
    if not others or len(others[-1]) != 3 or not 1 <= len(first) <= 3 or int(first[0]) == 0:
        return ""
    if sizes <= {3} or (sizes == {2} and len(first) <= 2 and mark == ","):
        return first + "".join(others)
    return ""


def _whole(digits: str) -> Number:
    stripped = len(digits.rstrip("0")) or 1
    return Number(Decimal(digits), 0, stripped, len(digits))


def _decimal(whole: str, fraction: str) -> Number:
    written = (whole + fraction).lstrip("0")
    return Number(Decimal(f"{whole}.{fraction}"), len(fraction), len(written) or 1, len(written) or 1)


# Powers of ten by word. What is one letter needs money before it, or no space, and stands in `LETTERS`.
_POWERS = {
    2: "hundred", 3: "thousand thousands tausend tsd tys mille mil tusen duizend тыс тысяч",
    5: "lakh lakhs lac lacs", 7: "crore crores",
    6: "million millions mio mln mill mn millionen millón millones milhão milhões milione milioni miljoen miljoner "
    "milion miliony milionów млн миллион миллиона миллионов",
    9: "billion billions mrd mld bn bln milliarde milliarden milliard milliards bilhão bilhões miliardo miliardi "
    "miljard miljarder млрд миллиард миллиарда миллиардов bilhões",
    12: "trillion trillions tn trn billionen biljoen biljoner billones",
}  # fmt: skip
_SCALES = {word: Decimal(10) ** power for power, words in _POWERS.items() for word in words.split()}
_SCALES.update({"dozen": Decimal(12), "dozens": Decimal(12)})
LETTERS = {"k": Decimal(1000), "K": Decimal(1000), "m": Decimal(10**6), "M": Decimal(10**6), "b": Decimal(10**9),
           "B": Decimal(10**9), "T": Decimal(10**12)}  # fmt: skip
_SCALE = re.compile(rf"[ \u00a0\u2009\u202f]{{0,3}}-?(?P<word>{LETTER}{{2,10}})(?![^\W_])(?P<point>\.(?=\W|$))?")
_POINTED = frozenset({"mio", "mrd", "tsd", "tys", "mln", "mill", "bn", "тыс", "млн", "млрд"})


def read_scale(text: str, at: int) -> tuple[Decimal, int] | None:
    """What a word behind a number multiplies it by ("million", "Mio.", "dozen"), and where the word ends."""
    match = _SCALE.match(text, at)
    if match is None:
        return None
    word = match["word"].casefold()
    scale = _SCALES.get(word)
    if scale is None or (word == "mill" and not match["point"]):
        return None
    return scale, match.end() if match["point"] and word in _POINTED else match.end("word")


_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−", "0123456789-+-")
# "5.972 x 1024": what is left of a power whose superscript got lost.
_LOST = re.compile(r"\s{0,2}[×x]\s{0,2}10(?P<flat>[1-9]\d?)(?!\d|[.,]\d)")
_POWER = re.compile(
    r"\s{0,2}[×x·*✕]\s{0,2}10\s?(?:(?:\^|\*\*)\s?(?P<flat>[-−+]?\d{1,3})(?!\d)|(?P<raised>[⁻⁺]?[⁰¹²³⁴-⁹]{1,3}))"
    r"|[eE](?P<e>[-−+]?\d{1,3})(?![\w.])"
)
_BARE_POWER = re.compile(r"(?:\^(?P<flat>[-−+]?\d{1,3})(?!\d)|(?P<raised>[⁻⁺]?[⁰¹²³⁴-⁹]{1,3}))(?!\w)")
_HIGHEST = 99


def read_power(text: str, at: int, digits: str) -> tuple[int, int] | None:
    """The power of ten in "1.2×10⁶", "1.2e6" and, where the digits are 10, "10^6", and where it ends."""
    match = _POWER.match(text, at) or (_BARE_POWER.match(text, at) if digits == "10" else None)
    if match is None and re.fullmatch(r"\d[.,]\d+", digits):
        match = _LOST.match(text, at)
    if match is None:
        return None
    power = int(next(group for group in match.groups() if group).translate(_RAISED))
    if abs(power) > _HIGHEST:
        return None
    return power - (1 if match.re is _BARE_POWER else 0), match.end()


_FRACTION = re.compile(r"(?:\s{0,2}|\+)(?P<over>\d{1,2})(?:/|\s{0,2}⁄\s{0,2})(?P<under>\d{1,2})(?!\d|[/.,⁄]\d)")
_UNDER = frozenset({2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 32, 64})


def read_fraction(text: str, at: int) -> tuple[Decimal, int] | None:
    """A proper fraction, "1/2" or "½", behind whole digits or by itself, and where it ends."""
    character = text[at : at + 1]
    if character in VULGAR:
        over, under = VULGAR[character]
        return Decimal(over) / under, at + 1
    match = _FRACTION.match(text, at)
    if match is None:
        return None
    over, under = int(match["over"]), int(match["under"])
    if not 0 < over < under or under not in _UNDER:
        return None
    return Decimal(over) / under, match.end()


_SMALL = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
}
_TENS = {
    word: 10 * number for number, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
_BIG = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12, "dozen": 12,
        "lakh": 10**5, "crore": 10**7}  # fmt: skip
_OTHER = frozenset({"half", "quarter"})
NUMBER_WORDS = frozenset(_SMALL) | frozenset(_TENS) | frozenset(_BIG) | _OTHER
_ONE = "|".join(sorted(NUMBER_WORDS - _OTHER, key=len, reverse=True))
_SPELLED = re.compile(
    rf"(?<![\w.,$£€-])(?:(?P<part>half an?|a quarter of an?)[ -](?P<of>(?:hundred|thousand|million|billion|dozen)\b|"
    rf"(?=[^\W\d_]))|(?P<words>(?:an?[ ](?=(?:hundred|thousand|million|billion|trillion|dozen)\b))?(?:{_ONE})\b"
    rf"(?:(?:[ -]{{1,3}}|,[ ]|[ -]{{1,3}}and[ -]{{1,3}}(?:a[ -])?)(?:{_ONE}|half)\b)*)"
    rf"(?!-(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)))",
    re.IGNORECASE,
)
_PIECES = re.compile(r"[a-z]+")
_MOST_WORDS = 14


# One to twelve in other languages, as far as they are no English words.
_FOREIGN = {
    word: number
    for words in (
        "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
        "deux trois quatre cinq _ sept huit neuf dix onze douze",
        "dos tres cuatro cinco seis siete ocho nueve diez _ doce",
        "_ tre quattro cinque _ sette otto nove dieci undici dodici",
        "dois três quatro _ _ sete oito _ dez _ doze",
        "twee drie _ vijf zes zeven _ negen tien _ twaalf",
        "två _ fyra _ _ sju åtta nio tio elva tolv",
        "dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć _ dwanaście",
        "два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать",
    )
    for number, word in enumerate(words.split(), 2)
    if word != "_"
}  # fmt: skip
_ASKED = NUMBER_WORDS | _FOREIGN.keys()
_WORD = re.compile(rf"{LETTER}+")
_NO = re.compile(rf"\bno (?!menos\b)(?=(?:{LETTER}{{2,20}}s|children|people)\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Spelled:
    """A number in words. `scaled` is true where a word for a power of ten ends it, so that it may be rounded."""

    start: int
    end: int
    amount: Decimal
    scaled: bool


def has_number_word(text: str) -> bool:
    """True where a text may have a number in words: quick, and says so too often rather than too seldom."""
    if not _ASKED.isdisjoint(_PIECES.findall(text.lower())) or " no " in text or text.startswith(("No ", "no ")):
        return True
    return not text.isascii() and not _FOREIGN.keys().isdisjoint(_WORD.findall(text.casefold()))


_APART = re.compile(r", | and ")


def find_spelled(text: str) -> list[Spelled]:
    """Every number in English words: "twenty-one", "a hundred and five", "two and a half million", "half a million"."""
    found = []
    for match in _SPELLED.finditer(text):
        if match["part"]:
            share = Decimal("0.5") if match["part"].casefold().startswith("half") else Decimal("0.25")
            of = match["of"].casefold()
            end = match.end() if of else match.end("part")
            found.append(Spelled(match.start(), end, share * _BIG.get(of, 1), bool(of)))
        elif (whole := _worded(match["words"], match.start())) is not None:
            found.append(whole)
        else:
            found.extend(_several(match["words"], match.start()))
    others = [Spelled(m.start(), m.end() - 1, Decimal(0), False) for m in _NO.finditer(text)]
    words = _WORD.finditer(text) if not _FOREIGN.keys().isdisjoint(_WORD.findall(text.casefold())) else ()
    for word in words:
        if (number := _FOREIGN.get(word.group().casefold())) is not None:
            scale, end = read_scale(text, word.end()) or (1, word.end())
            others.append(Spelled(word.start(), end, Decimal(number) * scale, end > word.end()))
    return sorted([*found, *others], key=lambda spelled: spelled.start) if others else found


def _several(words: str, start: int) -> list[Spelled]:
    """ "three, four and five": numbers that make no single one."""
    found, at = [], 0
    for apart in [*_APART.finditer(words), None]:
        end = apart.start() if apart else len(words)
        if (one := _worded(words[at:end], start + at)) is not None:
            found.append(one)
        at = apart.end() if apart else end
    return found


def _worded(words: str, start: int) -> Spelled | None:
    pieces = _PIECES.findall(words[: 20 * _MOST_WORDS].casefold())
    if not pieces or len(pieces) > _MOST_WORDS:
        return None
    amount = _spelled(tuple(pieces))
    if amount is None:
        return None
    return Spelled(start, start + len(words), amount, pieces[-1] in _BIG and pieces[-1] not in {"hundred", "dozen"})


@lru_cache(maxsize=4096)
def _spelled(words: tuple[str, ...]) -> Decimal | None:
    """The number that words say, or None where they say none ("five six", "hundred" alone)."""
    total, group, last = Decimal(0), Decimal(0), "none"
    for place, word in enumerate(words):
        if word in {"a", "an"} and place == 0:
            group, last = Decimal(1), "small"
        elif word in _PLAIN:
            amount, kind = _PLAIN[word]
            if kind in _NEVER_AFTER[last] or (kind == "half" and words[place - 1] != "a"):
                return None
            if kind == "small" and last == "tens" and not 0 < amount < 10:
                return None
            group, last = group + amount, kind
        elif word in _BIG:
            size = _BIG[word]
            if group == 0 or (total and total < size) or (size <= 100 and group >= 100):
                return None
            if size <= 100:
                group, last = group * size, "hundred"
            else:
                total, group, last = total + group * size, Decimal(0), "big"
    return None if last == "none" else total + group


_PLAIN = {
    **{word: (Decimal(number), "small") for word, number in _SMALL.items()},
    **{word: (Decimal(number), "tens") for word, number in _TENS.items()},
    "half": (Decimal("0.5"), "half"),
}
_NEVER_AFTER = {
    "none": {"half"},
    "small": {"small", "tens"},
    "tens": {"tens"},
    "half": {"small", "tens", "half"},
    "hundred": set[str](),
    "big": {"half"},
}
