"""Amounts in running text: numbers with their units, in digits and in words.

A number inside a date, an identifier, a telephone number, a version or an address is no amount. What may be one and
may be something else (a bare year, the "747" of "Boeing 747") is kept as not `firm`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from models.values.quantities.numerals import (
    CJK,
    DIGITS,
    LETTERS,
    LONGEST,
    VULGAR,
    Number,
    find_spelled,
    has_number_word,
    read_digits,
    read_fraction,
    read_power,
    read_scale,
)
from models.values.quantities.surroundings import (
    BLANKS,
    DASHES,
    Before,
    chained,
    header_unit,
    hedge_of,
    last_words,
    look_before,
    role_of,
    year_of,
)
from models.values.quantities.unit_names import Unit
from models.values.quantities.units import read_unit, skip_gap


@dataclass(frozen=True, slots=True)
class QuantityMention:
    """A number that a text names, at a character span that includes its unit.

    `step` is half of its last digit's place: what rounding may have taken. `unit` is the unit as written, "" where
    there is none; `units` is what it can mean, likeliest first. `digits` counts significant digits, zeros at the end
    of a whole number left out. `high` is the upper end of a range that begins at `amount`. `hedge` is "about",
    "over" (at least, more than) or "under" (at most, up to), else "". `firm` is false where the number may be
    something other than an amount, `labelled` true where a header or an "is" stands before it. `after` is the text
    behind a number without a known unit. `other` is another
    reading of the same characters: "1.200" is 1.2 or 1200, "1.2m" metres or millions.
    """

    start: int
    end: int
    amount: Decimal
    step: Decimal
    unit: str
    units: tuple[Unit, ...] = ()
    digits: int = 1
    high: Decimal | None = None
    hedge: str = ""
    firm: bool = True
    after: str = ""
    labelled: bool = False
    other: QuantityMention | None = None

    def readings(self) -> Iterator[QuantityMention]:
        """This reading, then every other one."""
        reading: QuantityMention | None = self
        while reading is not None:
            yield reading
            reading = reading.other


_MOST = 20_000  # amounts of one text
_UNSEEN = re.compile("[\u00ad\u200b\u2060\ufeff]")  # soft hyphens and the like, which break words in no reader's eye


def find_quantities(text: str) -> list[QuantityMention]:
    """Every amount of a text, in order, none overlapping; one mention for a range and for "5 ft 11 in".

    Takes time in proportion to the text, and raises nothing.
    """
    if not text.isascii() and _UNSEEN.search(text):
        return _seen(text)
    found = _in_digits(text)
    if has_number_word(text):
        found = _with_words(found, text)
    return _joined(found, text) if len(found) > 1 else found


def _seen(text: str) -> list[QuantityMention]:
    """The amounts of a text as a reader sees it, at their places in the text as it is."""
    places = [place for place, character in enumerate(text) if not _UNSEEN.match(character)]
    shown = "".join(text[place] for place in places)
    return [
        replace(mention, start=places[mention.start], end=places[mention.end - 1] + 1)
        for mention in find_quantities(shown)
    ]


# Digits


def _in_digits(text: str) -> list[QuantityMention]:
    found: list[QuantityMention] = []
    addresses = _addresses(text) if "@" in text or "://" in text or "www." in text else []
    until = floor = 0
    for match in DIGITS.finditer(text):
        start, end = match.span()
        if start < until:
            continue
        while addresses and addresses[-1][1] <= start:
            addresses.pop()
        if addresses and addresses[-1][0] <= start:
            continue
        mention, until = _read(text, start, end, match.group(), floor)
        if mention is None and text[start - 1] in "THMS" and (period := _PERIOD.search(text, start - 1, start + 40)):
            mention, until = _period(period), period.end()
        if mention is not None:
            found.append(mention)
            floor = mention.end
            if len(found) >= _MOST:
                break
    return found


# A duration of ISO 8601: "PT1H45M".
_PERIOD = re.compile(r"(?<=PT)(?:(?P<h>\d{1,3})H)?(?:(?P<m>\d{1,4})M)?(?:(?P<s>\d{1,5})(?:\.\d{1,6})?S)?(?!\w)")


def _period(match: re.Match[str]) -> QuantityMention | None:
    hours, minutes, seconds = (int(part or 0) for part in match.group("h", "m", "s"))
    amount = Decimal(3600 * hours + 60 * minutes + seconds)
    step = _HALF if match["s"] else 60 * _HALF
    return QuantityMention(match.start() - 2, match.end(), amount, step, match.group(), _SECONDS, 3)


_ADDRESS = re.compile(r"://|www\.|@")


def _addresses(text: str) -> list[tuple[int, int]]:
    """The words that are web or mail addresses, last first."""
    found, at = [], 0
    while (mark := _ADDRESS.search(text, at)) is not None:
        start, end = mark.span()
        while start > at and not text[start - 1].isspace():
            start -= 1
        while end < len(text) and not text[end].isspace():
            end += 1
        found.append((start, end))
        at = end
    found.reverse()
    return found


def _read(text: str, start: int, end: int, token: str, floor: int) -> tuple[QuantityMention | None, int]:
    """The amount whose digits stand at a place, or None where they are none; and where to go on."""
    chain = chained(text, start, end)
    if chain:
        return None, chain
    numbers = read_digits(token)
    if not numbers:
        split = next((place for place, character in enumerate(token[:LONGEST]) if character in BLANKS), 0)
        if not split:
            return None, end
        first, _ = _read(text, start, start + split, token[:split], floor)
        return first, max(start + split, first.end if first else 0)
    before = look_before(text, start, floor)
    if before is None:
        return None, end
    numbers, at = _extended(text, end, token, numbers, before)
    following = _following(text, at, numbers, before, start)
    if following is None:
        return None, end
    readings, tail = following
    if readings[0].unit or readings[0].scaled:
        counted = token.isdigit() and not readings[0].scaled and readings[0].units[0].kind == "count"
        role = year_of(before, numbers[0], readings[0].unit) if counted else "firm"
        return (_mention(readings, before, tail, role == "firm", "") if role != "none" else None), max(end, tail)
    header = header_unit(text, start, before)
    if header is not None:
        scale, units, written = header
        readings = [
            r._replace(amount=r.amount * scale, step=_step(r) * scale, unit=written, units=units) for r in readings
        ]
        return _mention(readings, before, tail, True, ""), max(end, tail)
    role = role_of(text, before, at, numbers[0], token)
    if role == "none":
        return None, end
    after = text[at : at + 40].lstrip(BLANKS + "-")
    return _mention(readings, before, tail, role == "firm", after), max(end, tail)


class _Reading(NamedTuple):
    """An amount behind its digits, without what stands before them; `step` is None where only the hedge decides it."""

    amount: Decimal
    step: Decimal | None
    unit: str
    units: tuple[Unit, ...]
    digits: int
    scaled: bool = False
    sure: bool = True


def _mention(readings: list[_Reading], before: Before, end: int, firm: bool, after: str) -> QuantityMention:
    mention: QuantityMention | None = None
    for reading in reversed(readings):
        step = reading.step if reading.step is not None else _rounding(reading, before.hedge)
        amount = -reading.amount if before.negative else reading.amount
        mention = QuantityMention(
            before.start, end, amount, step, reading.unit, reading.units, reading.digits, None, before.hedge,
            firm and reading.sure,
            after, before.opens or before.mark in _LABELS or before.word in _IS, mention,
        )  # fmt: skip
    assert mention is not None
    return mention


_LABELS = frozenset(":：|=;")
_IS = frozenset("is was are were measures reaches totals".split())
_HALF = Decimal("0.5")
_ZERO = Decimal(0)
_ONE = Decimal(1)


def _step(reading: _Reading) -> Decimal:
    return reading.step if reading.step is not None else _HALF


@lru_cache(maxsize=4096)
def _half(places: int) -> Decimal:
    """Half of the last place, of so many behind the point."""
    return Decimal(5) * Decimal(10) ** (-places - 1)


def _rounding(reading: _Reading, hedge: str) -> Decimal:
    """Half of the last place that counts in a whole number with zeros at its end: at least two digits count where
    nothing says that it is rounded, one where something does. A bare number below 1000 isn't rounded at all.
    """
    measured = bool(reading.units) and reading.units[0].kind == "measure"
    whole = reading.amount.adjusted() + 1
    zeros = whole - reading.digits
    kept = whole - 1 if hedge == "about" else whole - 2 if whole >= 4 else 0
    if zeros > 0 and kept > 0:
        return _half(-min(zeros, kept))
    return _HALF if measured or hedge == "about" else _ZERO


_MYRIADS = {"万": 10**4, "萬": 10**4, "億": 10**8, "亿": 10**8}
_MYRIAD = re.compile(r"[万萬億亿]|\d{1,4}(?=[万萬])|\d{1,4}(?!\d)")


def _myriads(text: str, end: int, number: Number) -> tuple[tuple[Number, ...], int]:
    """ "1.2億", "123万4567": powers of ten thousand, and what is added behind them."""
    total, group, size = Decimal(0), number.amount, 0
    while (match := _MYRIAD.match(text, end)) and size < 6:
        written, end, size = match.group(), match.end(), size + 1
        if written in _MYRIADS:
            total, group = total + group * _MYRIADS[written], Decimal(0)
        else:
            group = Decimal(written)
    total += group
    places = number.places - 4 if number.places else 0
    return (Number(total, min(0, places), number.written, max(number.written, 3)),), end


_THEN_DIGIT = re.compile(r"(?:[ \u00a0]{1,2}|\+)\d")
_BEFORE_PART = BLANKS + "+"
_POWERS = frozenset(" \u00a0×x·*✕eE^⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹")


def _extended(
    text: str, end: int, token: str, numbers: tuple[Number, ...], before: Before
) -> tuple[tuple[Number, ...], int]:
    """Fractions and powers of ten behind the digits: "3½", "1 1/2", "1/2", "1.2×10⁶", "10^6"."""
    following = text[end : end + 1]
    if not following or (following.isascii() and following not in " +/xeE*^"):
        return numbers, end
    number = numbers[0]
    if number.places == 0 and (following in VULGAR or (following in _BEFORE_PART and _THEN_DIGIT.match(text, end))):
        part = read_fraction(text, end)
        if part is not None:
            return (Number(number.amount + part[0], 2, number.written + 2, number.written + 2),), part[1]
    if following in {"/", "⁄"} and before.mark != "/":
        part = read_fraction(text, end - len(token))
        if part is not None:
            return (Number(part[0], 2, 2, 2),), part[1]
    if following in _MYRIADS:
        return _myriads(text, end, number)
    if following in _POWERS and (power := read_power(text, end, token)):
        scale = Decimal(10) ** power[0]
        return tuple(Number(n.amount * scale, n.places - power[0], n.written, n.written) for n in numbers), power[1]
    return numbers, end


_CLOCK = re.compile(
    r":(?P<second>[0-5]\d)(?::(?P<third>[0-5]\d))?(?P<part>[.,]\d{1,3})?(?![\d:]|[.,]\d|[ \u00a0]\d{3}(?!\d))"
)
_PER = re.compile(r"[ \u00a0]?(?:per |/|an? (?=(?:hour|day|week|month|year)\b))([^\W\d_]+)")
_SCALE_BEGINS = frozenset(BLANKS + "-")


def _following(
    text: str, at: int, numbers: tuple[Number, ...], before: Before, start: int
) -> tuple[list[_Reading], int] | None:
    """The readings of numbers with what stands behind them; None where they hang on letters that are no unit."""
    character = text[at : at + 1]
    if character == ":" and (clock := _CLOCK.match(text, at)):
        return _duration(text, clock, numbers, before)
    units, written = before.money, before.sign
    attached = character.isalnum() or character == "_"
    if not attached and character not in _SCALE_BEGINS and (not character or character in ".,;:)]("):
        return [_Reading(n.amount, _places(n), written, units, n.digits) for n in numbers], at
    scale, end = _scale(text, at, before) if attached or character in _SCALE_BEGINS else (_ONE, at)
    scaled = end > at
    if attached and not scaled and (split := _SPLIT.match(text, at)) and not numbers[0].places:
        return _split(split, numbers[0])
    gap = skip_gap(text, end)
    if scaled and (of := _OF.match(text, gap)):
        gap = of.end()
    unit = read_unit(text, gap) if gap < len(text) else None
    if unit is not None and not _is_unit(text, gap, unit, end, start):
        unit = None
    if unit is not None and unit[0] == _POUNDS and _WEIGHING.search(text, max(0, start - 40), end):
        unit = unit[0][:1], unit[1]
    if attached and not scaled and (unit is None or gap != end or (character == "s" and numbers[0].written == 4)):
        return None  # "21st", "12AB", "1960s"
    tail = end
    if unit is not None and (not units or unit[0][0].kind == "money"):
        units, written, tail = unit[0], text[gap : unit[1]], unit[1]
    elif units and (per := _PER.match(text, end)):
        units = (Unit((*units[0].parts, (per.group(1), -1)), "word"),)
    numbers = _counting(numbers, units) if len(numbers) > 1 and not scaled else numbers
    if scaled:
        readings = [
            _Reading(n.amount * scale, _half(n.places) * scale, written, units, n.written, True) for n in numbers
        ]
    else:
        readings = [_Reading(n.amount, _places(n), written, units, n.digits) for n in numbers]
        if written == character and character in LETTERS and units[0].kind == "measure":  # "1.2m", "300K"
            million = LETTERS[character]
            readings.extend(_Reading(n.amount * million, _half(n.places) * million, "", (), n.written) for n in numbers)
    return readings, tail


def _counting(numbers: tuple[Number, ...], units: tuple[Unit, ...]) -> tuple[Number, ...]:
    """ "1.200 inhabitants" are no one and a fifth."""
    return tuple(n for n in numbers if not n.places) if units and units[0].kind == "count" else numbers


_OF = re.compile(r"(?:de |d['’]|of )")
_POUNDS = (Unit((("pound", 1),)), Unit((("GBP", 1),), "money"))
_WEIGHING = re.compile(r"weigh|heav|mass|lift|thrust|load", re.IGNORECASE)
# "1m85", "2h22" and "2h 05m"
_SPLIT = re.compile(r"(?P<unit>[mh])(?:(?P<rest>[0-5]\d|(?<=m)\d\d)(?!\w)|(?<=h) ?(?P<spaced>[0-5]\d) ?m(?:in)?(?!\w))")


def _split(match: re.Match[str], number: Number) -> tuple[list[_Reading], int]:
    rest = int(match["rest"] or match["spaced"])
    if match["unit"] == "m":
        return [_Reading(number.amount + Decimal(rest) / 100, _half(2), "m", (Unit((("metre", 1),)),), 3)], match.end()
    return [_Reading(number.amount * 60 + rest, _HALF, "h", (Unit((("minute", 1),)),), 3)], match.end()


def _places(number: Number) -> Decimal | None:
    return _half(number.places) if number.places else None


def _scale(text: str, at: int, before: Before) -> tuple[Decimal, int]:
    if (read := read_scale(text, at)) is not None:
        again = read_scale(text, read[1])
        return (read[0] * again[0], again[1]) if again else read
    gap = at + 1 if text[at] in BLANKS else at
    letter = text[gap : gap + 1]
    if (
        letter in LETTERS
        and not text[gap + 1 : gap + 2].isalnum()
        and (before.money or (gap == at and letter in "kMB"))
    ):
        return LETTERS[letter], gap + 1
    return _ONE, at


_INCH = re.compile(
    r"in\.?(?=\s*(?:$|[)\]/;:,×x.]|tall|wide|long|high|deep|thick|in\b|by\b|of (?:rain|snow)|and \d|or \d|\())"
)


_INCHES = re.compile(r"in (?!the\b|a\b|an\b|total\b|all\b|each\b|this\b|its\b|both\b|some\b)[a-z]")
_FEET = re.compile(r"(?:ft\.?|feet|foot|['′])[ \u00a0]{0,2}$")


def _is_unit(text: str, at: int, unit: tuple[tuple[Unit, ...], int], end: int, start: int) -> bool:
    """False for what only looks like a unit: "5 in London", a closing quotation mark, "5 - C"."""
    written = text[at : unit[1]]
    if len(written) > 3 or written >= CJK:
        return True
    folded = written.casefold().rstrip(".")
    if folded == "in":
        return (
            (written == "in." and at == end)
            or _INCH.match(text, at) is not None
            or text[end : end + 1] == "-"
            or _FEET.search(text, max(0, start - 8), start) is not None
            or (bool({".", ",", "½", "/"} & set(text[start:end])) and _INCHES.match(text, at) is not None)
        )
    if written in {'"', "''", "”"}:
        return at == end and text.count('"', max(0, at - 200), at) % 2 == 0 and "“" not in text[max(0, at - 60) : at]
    if written in {"'", "’", "′", "″"}:
        return at == end
    if len(folded) == 1 and folded.isalpha():  # "section 7A", "10J" and "4u" are names; "10 A", "5m" and "20C" aren't
        between = text[end : end + 1]
        return written in "mglVW" or (between in BLANKS if written not in "hsLKCtk" else between != "-")
    return folded not in {"st", "ch", "mo"} or at > end


_OF_DAY = re.compile(r"\s?(?:[ap]\.?m\b|[AP]\.?M\b|o['’]clock|UTC|GMT|CES?T|EST|Uhr|h\b|\d)")
_SECONDS = (Unit((("second", 1),)),)
_AT = frozenset(
    "at between from until till by before after around to since um ab bis seit à vers dès las desde hasta alle dalle "
    "às om vanaf tot o od do klockan kl в с до monday tuesday wednesday thursday friday saturday sunday mon "
    "tue wed thu fri sat sun open opens opened closes daily today tomorrow yesterday noon scale ratio odds "
    "aspect score won lost".split()
)
# What says that a number with a colon is how long something takes.
_LASTING = re.compile(
    r"(?:\b(?:time of|(?:running|playing|track|total|race|winning|finishing|best) time|length|duration|runtime|record|"
    r"lasts|lasted|lasting|ran|runs|clocked|dauer|länge|laufzeit|spielzeit|durée|duración|durata|duração|duur|speelduur|"
    r"czas trwania|длительность|längd|speltid)\b[^.\n]{0,20}|\b(?:in|within|for)\s)$",
    re.IGNORECASE,
)
_APART = frozenset({":", "(", "[", "|", "", *DASHES})
_MINUTES = re.compile(r"\s?(?:min\b|mins\b|minutes?\b|hours?\b|hrs?\b|h:|m:|\(m)")
_TO_CLOCK = re.compile(r"\s?[-–—]\s?\d")
_AFTER_DATE = re.compile(r"(?:\b[12]\d{3}|\d[-./]\d\d)[,.]?\s{1,2}$")
_FROM_CLOCK = re.compile(r":\d\d\s?[-–—]\s?$")


def _duration(
    text: str, clock: re.Match[str], numbers: tuple[Number, ...], before: Before
) -> tuple[list[_Reading], int] | None:
    """ "1:45:30" as hours, minutes and seconds; "42:39" as minutes and seconds, or else as hours and minutes.

    Sure where a word or a mark before it says that it is a length of time. None for a time of day, as far as the words
    around it tell, and for a score or a verse.
    """
    number, end, part = numbers[0], clock.end(), clock["part"]
    if number.places or number.written > 3 or _OF_DAY.match(text, end) or before.word in _AT or before.hedge:
        return None
    if _TO_CLOCK.match(text, end) or _FROM_CLOCK.search(text, max(0, before.start - 6), before.start):
        return None
    first, second = number.amount, int(clock["second"])
    written = text[clock.start() : end]
    rear = text[max(0, before.start - 40) : before.start]
    if _AFTER_DATE.search(rear):
        return None
    sure = _LASTING.search(rear) is not None or _MINUTES.match(text, end) is not None
    past = Decimal(f"0.{part[1:]}") if part else _ZERO
    step = _half(len(part) - 1) if part else _HALF
    if clock["third"]:
        seconds = first * 3600 + second * 60 + int(clock["third"]) + past
        return [_Reading(seconds, step, written, _SECONDS, 3, sure=sure or not before.mark.isdigit())], end
    sure = sure or (before.mark in _APART and not before.cased)
    short = _Reading(first * 60 + second + past, step, written, _SECONDS, 3, sure=sure)
    if part:
        return [short], end
    return [short, _Reading(first * 3600 + second * 60, _HALF * 60, written, _SECONDS, 3, sure=sure)], end


# Numbers in words

_PARTS = ("third", "quarter", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "o'clock", "o’clock")


_OF_THE = re.compile(r"of the\b")


def _with_words(found: list[QuantityMention], text: str) -> list[QuantityMention]:
    """Numbers in words put among those in digits."""
    place = 0
    added: list[QuantityMention] = []
    for spelled in find_spelled(text):
        while place < len(found) and found[place].end <= spelled.start:
            place += 1
        if place < len(found) and found[place].start < spelled.end:
            continue
        gap = skip_gap(text, spelled.end)
        if spelled.scaled and (of := _OF.match(text, gap)):
            gap = of.end()
        unit = read_unit(text, gap)
        if unit is not None and not _is_unit(text, gap, unit, spelled.end, spelled.start):
            unit = None
        after = text[spelled.end : spelled.end + 40].lstrip(BLANKS + "-")
        first, word = last_words(text, spelled.start)
        adjectival = unit is None and text[spelled.end : spelled.end + 1] == "-"
        if after.startswith(_PARTS) or (unit is None and word in _NAMED_BY) or adjectival:
            continue
        normal = spelled.amount.normalize()
        exponent = normal.as_tuple().exponent
        whole = isinstance(exponent, int) and exponent >= 0
        if spelled.scaled:
            step = _half(-exponent) if isinstance(exponent, int) else _HALF
        elif whole and (unit is None or unit[0][0].kind != "measure"):
            step = _ZERO
        else:
            step = _HALF if whole else Decimal("0.25")
        # "one of the largest" counts nothing
        firm = (
            spelled.amount != 0
            and not (spelled.amount == 1 and (unit is None or unit[0][0].kind == "count"))
            and not _OF_THE.match(after)
        )
        added.append(
            QuantityMention(
                spelled.start,
                unit[1] if unit else spelled.end,
                spelled.amount,
                step,
                text[gap : unit[1]] if unit else "",
                unit[0] if unit else (),
                len(normal.as_tuple().digits),
                None,
                hedge_of(first, word),
                firm,
                "" if unit else after,
            )
        )
    return sorted([*found, *added], key=lambda mention: mention.start) if added else found


_NAMED_BY = frozenset("chapter part act book volume season series episode phase stage world".split())


# Several numbers that are one amount

_TO = re.compile(r"[ \u00a0]{0,2}(?:[–—-]|to|bis|à|and|und|et|y|e|en|och|i|и)[ \u00a0]{0,2}")
_AND = re.compile(r"\b(?:and|und|et|y|e|en|och|i|и)\b")
_BETWEEN = ("between ", "zwischen ", "entre ", "tra ", "fra ", "tussen ", "mellan ", "między ", "между ")
_TIMES = re.compile(r"[ \u00a0]{0,2}[×xX✕][ \u00a0]{0,2}")
_PLUS_MINUS = re.compile(r"[ \u00a0]{0,2}(?:±|\+/[-−])[ \u00a0]{0,2}")
_NEXT = re.compile(r"(?:[ \u00a0-]{0,2}|,? and |, )")
_SMALLER = {
    "foot": ("inch", 12), "yard": ("foot", 3), "hour": ("minute", 60), "minute": ("second", 60), "day": ("hour", 24),
    "pound": ("ounce", 16), "stone": ("pound", 14), "year": ("month", 12), "degree": ("arcminute", 60),
    "arcminute": ("arcsecond", 60), "metre": ("centimetre", 100), "week": ("day", 7), "mile": ("yard", 1760),
}  # fmt: skip


def _joined(found: list[QuantityMention], text: str) -> list[QuantityMention]:
    """Ranges, compound amounts, tolerances, and the units that "12 × 34 cm" gives to both of its numbers.

    Two bare numbers that only a dash joins and that make no range may be no amounts: a score, a season.
    """
    joined = [found[-1]]
    for earlier in reversed(found[:-1]):
        mention, following = earlier, joined[-1]
        gap = following.start - mention.end
        if gap > 8:
            joined.append(mention)
            continue
        between = text[mention.end : following.start]
        merged: QuantityMention | None = None
        dashed = gap <= 1 and (between or text[following.start]) in DASHES
        if dashed or (not following.hedge and _TO.fullmatch(between) and _spans(between, text, mention.start)):
            merged = _range(mention, following, _AND.search(between) is not None)
            if merged is None and dashed and not (mention.units or following.units or following.after[:1].isalpha()):
                mention, joined[-1] = replace(mention, firm=False), replace(following, firm=False)
        elif _PLUS_MINUS.fullmatch(between):
            merged = _tolerance(mention, following)
        elif _TIMES.fullmatch(between) and not mention.units and following.units:
            mention = replace(mention, unit=following.unit, units=following.units, firm=True)
        elif _NEXT.fullmatch(between):
            merged = _compound(mention, following, text)
        if merged is not None:
            joined[-1] = merged
        else:
            joined.append(mention)
    joined.reverse()
    return joined


def _spans(between: str, text: str, start: int) -> bool:
    """True for a dash or "to", and for the "and" of "between 10 and 12"."""
    if not _AND.search(between):
        return True
    return text[max(0, start - 10) : start].casefold().endswith(_BETWEEN)


def _range(low: QuantityMention, high: QuantityMention, between: bool) -> QuantityMention | None:
    """ "10–12 m" and "2–3 million", from the lower end to the upper; None where they make no range.

    It is firm with a unit, a noun or a label, after "between", or where it is large: not "pp. 10–12".
    """
    if low.other and not high.other and low.amount < 1000 <= high.amount:
        low = low.other  # "1.400–1.500 inhabitants"
    top = abs(high.amount) if low.amount >= 0 else high.amount
    first = low.amount
    if low.units and not high.units and low.units[0].kind == "money":  # "$1.2–1.5 million"
        high = replace(high, units=low.units, unit=low.unit)
        low = replace(low, units=(), unit="")
    if (low.units and low.units != high.units) or low.high is not None or high.high is not None:
        return None
    if high.step > 1 and low.step <= 1 and first < 1000 <= top and not low.units:
        shown = Decimal(10) ** (top.adjusted() - top.adjusted() % 3)
        first = first * shown if first * shown < top else first
    if not first < top:
        return None
    whole = low.amount == int(low.amount) or bool(high.units)
    sure = between or low.labelled or first >= 10_000 or high.after[:1].isalpha()
    certain = high.firm and (bool(high.units) or between or (low.firm and whole and sure))
    other = _range(low.other, high.other, between) if low.other and high.other else None
    return replace(
        high, start=low.start, amount=first, high=top, step=_ZERO, hedge=low.hedge, firm=certain,
        digits=max(low.digits, high.digits), other=other,
    )  # fmt: skip


def _tolerance(amount: QuantityMention, margin: QuantityMention) -> QuantityMention | None:
    """ "12 ± 2 kg"."""
    if amount.units and margin.units and amount.units != margin.units:
        return None
    given = margin if margin.units else amount
    step = max(amount.step, abs(margin.amount))
    return replace(amount, end=margin.end, step=step, units=given.units, unit=given.unit, other=None)


def _compound(large: QuantityMention, small: QuantityMention, text: str) -> QuantityMention | None:
    """ "5 ft 11 in", "6'2\\"", "1 h 45 min": parts, each smaller than one of the unit before."""
    if not large.units or large.high is not None or small.high is not None or large.amount < 0:
        return None
    for big in large.units:
        name, power = big.parts[0]
        below = _SMALLER.get(name) if power == 1 and len(big.parts) == 1 else None
        if below is None:
            continue
        unit = Unit(((below[0], 1),))
        bare = not small.units and name == "foot" and small.start == large.end
        letter = name == "hour" and small.unit == "m"  # "2h 38m"
        if (
            (unit in small.units or bare or letter)
            and 0 <= small.amount < below[1]
            and large.amount == int(large.amount)
        ):
            return replace(
                small, start=large.start, amount=large.amount * below[1] + small.amount, step=small.step or _HALF,
                unit=text[large.start : small.end], units=(unit,), digits=max(2, large.digits + small.digits),
                hedge=large.hedge, firm=True, after="", other=None,
            )  # fmt: skip
    return None
