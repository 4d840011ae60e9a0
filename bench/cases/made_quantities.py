"""Makes quantities and codes, texts that say them in one of many ways or don't, and the answer."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal

from babel.numbers import format_decimal

from bench.cases import ValueCase
from bench.cases.choice import Choice
from models.statement import QuantityValue, Term, TextValue

# "{}" is the quantity. What else is a number here is a date, a place in a book, a code, or of another dimension
# than whatever the text is used for; "{other}" is another quantity of the same kind, used where the quantity is named.
_MEASURED = (
    "It measures {} according to the survey of 1911.",
    "The survey gives {}; see p. 41.",
    "Value | {} | source 3",
    "In May 1987 it was found to be {}.",
    "{} (as built, 1938)",
    "Specification: {}. Serial no. LK-4471.",
    "With {} it was the record of its class until 1954.",
    "It has {}, and has been painted twice since 2003.",
    "» {} « [12]",
    "• {}\n• painted white\n• listed since 1976",
    "Fig. 7. The specimen, {}, collected 12 June 1902.",
    "According to the maker it has {}; nobody has checked since 14 March 1999.",
    "Earlier sources say {other}, the newest says {}.",
    "{other} before the rebuilding, {} after it",
    "A: {}. B: {other}.",
)
_COUNTED = (
    "The town has {} inhabitants.",
    "Population (2011): {}",
    "Population | {} | census of 2011",
    "By 1998 it had sold {} copies.",
    "The archive, opened on 3 May 1904, keeps {} letters.",
    "There are {} members, according to the report of 2016.",
    "Employees: {} (31 December 2019)",
    "{} visitors came in June 2008.",
    "Votes for: {}. Chair: K. Lund. Room B.",
    "the catalogue of 1877 lists {} species [4]",
    "Copies printed: {}; see p. 41.",
    "In the winter of 1916, {} people lived on the island.",
    "Population: {other} (2001), {} (2011)",
    "{} seats, up from {other} in 1987",
)
_LABELLED = {
    "de": "Einwohner: {} (31. Dezember 2015)",
    "fr": "Population : {} hab. (2015)",
    "es": "Población: {} habitantes (2015)",
    "it": "Abitanti: {} (2015)",
    "pt": "População: {} habitantes (2015)",
    "nl": "Inwoners: {} (2015)",
    "pl": "Liczba ludności: {} (2015)",
    "ru": "Население: {} чел. (2015)",
    "sv": "Invånare: {} (2015)",
    "de_CH": "Einwohner: {} (2015), Kanton Bern",
    "en_IN": "Population: {} (2011 census), Kerala",
    "ja": "人口：{}人（2015年）",
}
# "{}" has the figures of the quantity and is none.
_NO_QUANTITIES = (
    "Ticket ID {}-A was closed.",
    "ref. no. 00{}",
    "Call +44 20 {}.",
    "https://example.org/item/{}",
    "Catalogue no. K{}b",
    "ISBN 978-0-{}-3",
    "Serial no. {}/77",
    "doi:10.5555/{}",
    "The survey was done on 12 June 1902.",
    "Nobody has counted.",
    "IP 10.{}.1.1",
    "user{}@example.org",
)


@dataclass(frozen=True, slots=True)
class _Unit:
    """A unit: its label on Wikidata, how texts write it after a number, and others of its dimension.

    `others` maps a way of writing to how many of it make one of this unit.
    """

    label: str
    written: tuple[str, ...]
    others: dict[str, str]


_UNITS = (
    _Unit(
        "metre",
        (" m", " metres", " meters", "m", " Meter", " mètres", " metros", " м"),
        {" ft": "3.280840", " feet": "3.280840", " cm": "100", " yards": "1.093613"},
    ),
    _Unit(
        "kilometre",
        (" km", " kilometres", " kilometers", "km", " Kilometer", " kilomètres", " км"),
        {" miles": "0.6213712", " mi": "0.6213712", " m": "1000"},
    ),
    _Unit("millimetre", (" mm", " millimetres", "mm", " мм"), {" cm": "0.1", " in": "0.03937008"}),
    _Unit(
        "square kilometre",
        (" km²", " km2", " sq km", " square kilometres", " Quadratkilometer", " км²"),
        {" sq mi": "0.3861022", " square miles": "0.3861022", " ha": "100", " hectares": "100"},
    ),
    _Unit("hectare", (" ha", " hectares", " Hektar"), {" acres": "2.471054", " m²": "10000"}),
    _Unit(
        "kilogram",
        (" kg", " kilograms", "kg", " Kilogramm", " кг"),
        {" lb": "2.204623", " lbs": "2.204623", " pounds": "2.204623", " g": "1000"},
    ),
    _Unit("tonne", (" t", " tonnes", " Tonnen"), {" kg": "1000", " short tons": "1.102311"}),
    _Unit(
        "kilometre per hour", (" km/h", " kph", " kilometres per hour"), {" mph": "0.6213712", " knots": "0.5399568"}
    ),
    _Unit("megawatt", (" MW", " megawatts", " Megawatt"), {" kW": "1000"}),
    _Unit("litre", (" l", " litres", " liters", " L", " Liter"), {" US gallons": "0.2641720", " ml": "1000"}),
    _Unit("hectopascal", (" hPa", " mbar"), {" kPa": "0.1", " Pa": "100"}),
    _Unit("percent", ("%", " %", " percent", " per cent", " Prozent"), {}),
)
# With these, a comma is the decimal mark.
_FOREIGN = frozenset(
    "Meter mètres metros м Kilometer kilomètres км мм Quadratkilometer км² Hektar Kilogramm кг Tonnen Megawatt Liter "
    "Prozent".split()
)
_PAID = (
    "It was sold for {} in 1998.",
    "Budget: {}. Released 3 May 1987.",
    "Revenue | {} | 2016",
    "The bridge cost {} and took 3 years to build.",
    "a prize of {}, shared by two in 2004",
    "Lot 118: {} (14 March 1999)",
    "They raised {}; see p. 41.",
    "• {} granted\n• 12 pupils\n• since 1976",
    "Estimate: {other}. Hammer price: {}.",
    "Turnover rose from {other} in 1987 to {} in 1998.",
)
_SHOWN = (
    "Running time: {}",
    "Runtime | {} | colour",
    "(1987, {}, colour)",
    "Duration {} – Rated 12 – released 3 May 1987",
    "The film, {} long, was shot in 1986.",
)
_MONEY = (
    ("United States dollar", ("${}", "US${}", "{} dollars", "USD {}", "{} US-Dollar"), ("€{}", "£{}", "¥{}")),
    ("euro", ("€{}", "{} €", "EUR {}", "{} euros", "{} Euro"), ("${}", "£{}", "CHF {}")),
    ("pound sterling", ("£{}", "GBP {}", "{} pounds sterling"), ("${}", "€{}", "{} kronor")),
    ("Japanese yen", ("¥{}", "JPY {}", "{} yen"), ("${}", "{} won", "€{}")),
)
_SMALL = (
    "{} children survived him.",
    "The house has {} windows.",
    "The island has {} villages and a harbour, built in 1911.",
    "There are {} known copies.",
    "{} of them were never found.",
    "Number of players: {}",
    "It won {} prizes at the fair in May 1987.",
)
_SMALL_NOT = (
    "See chapter {}.",
    "It closed on {} May 1911.",
    "The village lies {} km to the south.",
    "Take bus {} from the harbour.",
    "She lives at {} Garden Street.",
    "p. {}",
    "No one counted them.",
)
_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_RATINGS = ("PG-13", "TV-MA", "TV-PG", "12A", "NC-17", "M/PG", "Z+18")
_CODES = (
    "Identifier: {}",
    "Identifier | {} | valid",
    "https://example.org/id/{}",
    "registered as {} in 1998",
    "({})",
    "{}, formerly kept in Bergen",
    "Code: {}\nStatus: active\nSince: 2004",
    "see {}.",
    "cat. {}; 41 × 30 cm",
    "Rated {} | 98 min | Drama",
)


def made_quantity(choice: Choice) -> ValueCase:
    """A quantity or a code, a text, and what the text says of it; half of them name it."""
    says = choice.one(("names", "names", "names", "coarser", "conflict", "nothing"))
    return choice.one((_measure, _measure, _measure, _bounded, _count, _count, _few, _money, _time, _code))(
        choice, says
    )


def _case(
    choice: Choice, value: QuantityValue, text: str, says: str, carriers: tuple[str, ...], other: str
) -> ValueCase:
    if says != "names":
        carriers = tuple(carrier for carrier in carriers if "{other}" not in carrier)
    return ValueCase(value, choice.one(carriers).format(text, other=other), says, text)


def _rounded(number: Decimal, digits: int) -> Decimal:
    """The number to so many significant digits, with no exponent."""
    rounded = number.quantize(Decimal(1).scaleb(number.adjusted() - digits + 1), ROUND_HALF_EVEN)
    return Decimal(f"{rounded:f}")


def _amount(choice: Choice, digits: int, low: int, high: int) -> Decimal:
    """An amount of so many digits, none of them 0 at the ends, its first digit's place between 10^low and 10^high."""
    figures = choice.between(10 ** (digits - 1), 10**digits - 1)
    if figures % 10 == 0:
        figures += choice.between(1, 9)
    return Decimal(f"{Decimal(figures).scaleb(choice.between(low, high) - digits + 1):f}")


def _swapped(choice: Choice, number: Decimal) -> Decimal:
    """Another amount, more than five per cent away: digits swapped, ten times, a tenth, or just another."""
    figures = str(number)
    at = choice.below(len(figures) - 1)
    swapped = figures[:at] + figures[at + 1] + figures[at] + figures[at + 2 :]
    ways = [number * 10, number * choice.between(12, 70) / 10]
    if "." not in figures[at : at + 2] and swapped[0] != "0":
        ways.insert(0, Decimal(swapped))
    other = choice.one(ways)
    return other if abs(other - number) > number / 20 else number * 10


def _plain(number: Decimal) -> str:
    """Without marks, and without noughts behind the point."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _with_unit(choice: Choice, number: Decimal, unit: str) -> str:
    """The number and the unit; outside English without thousands marks, since "1.234 Meter" has two readings."""
    if unit.strip() in _FOREIGN:
        return _plain(number).replace(".", ",") + unit
    marked = format_decimal(number, locale="en", decimal_quantization=False)
    return choice.one((marked, marked, _plain(number))) + unit


def _measure(choice: Choice, says: str) -> ValueCase:
    """An amount with a unit and no bounds."""
    unit = choice.one(_UNITS)
    high = 1 if unit.label == "percent" else 3
    # One figure behind the point, two when multiplied: with three, "1,234" could be 1234 too.
    number = _amount(choice, 3, 1, high) if high == 1 or choice.below(2) else _amount(choice, 4, 2, high)
    value = QuantityValue(number, unit=Term("Q0", unit.label))
    ours = choice.one(unit.written)
    other = _with_unit(choice, _swapped(choice, number), ours)
    if says == "names":
        texts = [_with_unit(choice, number, ours)] * 2
        if unit.others:
            theirs = choice.one(tuple(unit.others))
            texts.append(_with_unit(choice, _rounded(number * Decimal(unit.others[theirs]), 4), theirs))
        return _case(choice, value, choice.one(texts), says, _MEASURED, other)
    if says == "coarser":
        below, above = _rounded(number * Decimal("0.8"), 1), _rounded(number * Decimal("1.3"), 1)
        if not below < number < above:
            below, above = number - 1, number + 1
        texts = [
            f"more than {_plain(below)}{ours}",
            f"less than {_plain(above)}{ours}",
            f"between {_plain(below)} and {_plain(above)}{ours}",
            f"{_plain(below)}–{_plain(above)}{ours}",
        ]
        nearest = _rounded(number, 1)
        if number / 50 < abs(nearest - number):
            texts.append(f"about {_plain(nearest)}{ours}")
        return _case(choice, value, choice.one(texts), says, _MEASURED, other)
    if says == "conflict":
        texts = [other, other]
        if unit.others:
            texts.append(_with_unit(choice, number, choice.one(tuple(unit.others))))
        return _case(choice, value, choice.one(texts), says, _MEASURED, other)
    return _no_measure(choice, value, unit, number)


def _no_measure(choice: Choice, value: QuantityValue, unit: _Unit, number: Decimal) -> ValueCase:
    """The same figures with a unit of another dimension, or with none."""
    kinds = {
        "metre": 0,
        "kilometre": 0,
        "millimetre": 0,
        "square kilometre": 1,
        "hectare": 1,
        "kilogram": 2,
        "tonne": 2,
    }
    another = [other for other in _UNITS if kinds.get(other.label, other.label) != kinds.get(unit.label, unit.label)]
    if choice.below(2):
        carriers = tuple(carrier for carrier in _MEASURED if "{other}" not in carrier)
        return ValueCase(value, choice.one(carriers).format(_plain(number) + choice.one(another).written[0]), "nothing")
    figures = _plain(number).replace(".", "")
    return ValueCase(value, choice.one(_NO_QUANTITIES).format(figures), "nothing")


def _bounded(choice: Choice, says: str) -> ValueCase:
    """An amount with bounds, or with ±0: what is within them, in this unit, names it."""
    number = _amount(choice, 3, 2, 2) + choice.one((Decimal(0), Decimal("0.5")))
    margin = choice.one((Decimal(0), Decimal(2), Decimal(5)))
    value = QuantityValue(number, number - margin, number + margin, Term("Q0", "kilogram"))
    unit = choice.one((" kg", " kilograms", "kg"))
    other = _plain(number + 3 * margin + 20) + unit
    if says == "names":
        within = number + choice.one((Decimal(0), margin / 2, -margin / 2))
        return _case(choice, value, _plain(within) + unit, says, _MEASURED, other)
    if says == "coarser":
        text = f"between {_plain(number - margin - 10)} and {_plain(number + margin + 10)}{unit}"
        return _case(choice, value, text, says, _MEASURED, other)
    if says == "conflict":
        outside = number + choice.one((-1, 1)) * (2 * margin + choice.between(1, 9))
        return _case(choice, value, _plain(outside) + unit, says, _MEASURED, other)
    return _no_measure(choice, value, next(unit for unit in _UNITS if unit.label == "kilogram"), number)


def _count(choice: Choice, says: str) -> ValueCase:
    """A large number with no unit."""
    number = _amount(choice, choice.between(4, 7), 3, 6).to_integral_value(ROUND_HALF_EVEN)
    if number < 2500:  # what could be a year is read as one
        number += 7000
    value = QuantityValue(number)
    other = format_decimal(_swapped(choice, number).to_integral_value(), locale="en")
    if says == "names":
        if choice.below(3) == 0:
            locale = choice.one(tuple(_LABELLED))
            text = format_decimal(number, locale=locale)
            return ValueCase(value, _LABELLED[locale].format(text), says, text)
        texts = [
            format_decimal(number, locale="en"),
            format_decimal(number, locale="en").replace(",", " "),
            f"{number:f}",
        ]
        if number >= 1_000_000:
            texts.append(_plain(_rounded(number / 1_000_000, 3)) + " million")
        elif number >= 100_000:
            texts.append(_plain(_rounded(number / 1000, 3)) + " thousand")
        texts.append(format_decimal(_rounded(number, 3), locale="en"))
        return _case(choice, value, choice.one(texts), says, _COUNTED, other)
    if says == "coarser":
        below, above = _rounded(number * Decimal("0.8"), 1), _rounded(number * Decimal("1.3"), 1)
        below, above = (below, above) if below < number < above else (number - 400, number + 400)
        low, high = format_decimal(below, locale="en"), format_decimal(above, locale="en")
        text = choice.one((f"more than {low}", f"fewer than {high}", f"between {low} and {high}", f"{low}–{high}"))
        return _case(choice, value, text, says, _COUNTED, other)
    if says == "conflict":
        longer = format_decimal(Decimal(f"{choice.between(1, 9)}{number:f}"), locale="en")
        return _case(choice, value, choice.one((other, other, longer)), says, _COUNTED, other)
    return ValueCase(value, choice.one(_NO_QUANTITIES).format(f"{number:f}"), says)


def _in_words(number: int) -> str:
    """A number below 1000 in English."""
    if number < 20:
        return _WORDS[number]
    if number < 100:
        return _TENS[number // 10 - 2] + (f"-{_WORDS[number % 10]}" if number % 10 else "")
    rest = f" and {_in_words(number % 100)}" if number % 100 else ""
    return f"{_WORDS[number // 100]} hundred{rest}"


def _few(choice: Choice, says: str) -> ValueCase:
    """A small number with no unit, which is as easily part of anything else."""
    number = choice.one((choice.between(3, 31), choice.between(3, 31), choice.between(32, 940)))
    value = QuantityValue(Decimal(number))
    if says == "nothing":
        if number > 31:
            return ValueCase(value, choice.one(_SMALL_NOT[2:]).format(number), says)
        return ValueCase(value, choice.one(_SMALL_NOT).format(number), says)
    if says == "coarser":
        text = choice.one(
            (f"at least {number - 1}", f"more than {number - 2}", f"between {number - 2} and {number + 3}")
        )
    else:
        others = (number + choice.between(1, 9) + number // 10, int(f"{choice.between(1, 8)}{number}"), 10 * number)
        written = number if says == "names" else choice.one(others)
        text = choice.one((str(written), str(written), _in_words(written) if written < 1000 else str(written)))
    return _case(choice, value, text, says, _SMALL, "")


def _money(choice: Choice, says: str) -> ValueCase:
    currency, ours, theirs = choice.one(_MONEY)
    number = Decimal(choice.between(105, 999)) * choice.one((10_000, 100_000, 10_000_000))
    value = QuantityValue(number, unit=Term("Q0", currency))
    scale, word = (1_000_000_000, "billion") if number >= 1_000_000_000 else (1_000_000, "million")
    figure = f"{_plain(number / scale)} {word}"
    marked = format_decimal(number, locale="en")
    pattern = choice.one(ours)
    texts = {
        "names": (pattern.format(figure), pattern.format(marked), pattern.format(figure)),
        "coarser": (
            "more than " + pattern.format(f"{_plain(number / scale * Decimal('0.8'))} {word}"),
            "less than " + pattern.format(f"{_plain(number / scale * Decimal('1.4'))} {word}"),
        ),
        "conflict": (
            choice.one(theirs).format(figure),
            pattern.format(f"{_plain(number / scale)} {'million' if word == 'billion' else 'billion'}"),
            pattern.format(format_decimal(_swapped(choice, number), locale="en")),
        ),
        "nothing": (f"{figure} viewers", f"{marked} km", f"account {number:f}-4", f"{figure} tonnes"),
    }
    text = choice.one(texts[says])
    if says == "nothing":
        return ValueCase(value, f"In 1998 it was about {text}, said K. Lund.", says)
    return _case(choice, value, text, says, _PAID, pattern.format(format_decimal(number * 3, locale="en")))


def _time(choice: Choice, says: str) -> ValueCase:
    """A running time in minutes."""
    minutes = choice.between(75, 200)
    value = QuantityValue(Decimal(minutes), unit=Term("Q0", "minute"))
    if says == "nothing":
        text = choice.one(("{} metres of film", "Screen {}", "{} seats", "a score of {}", "No. {} of 400 prints"))
        return ValueCase(value, text.format(minutes), says)
    if says == "coarser":
        text = choice.one((f"more than {minutes - 10} minutes", f"between {minutes - 15} and {minutes + 15} min"))
    else:
        written = minutes if says == "names" else minutes + choice.one((-1, 1)) * choice.between(9, 40)
        hours, rest = divmod(written, 60)
        texts = [f"{written} min", f"{written} minutes", f"{written} Minuten", f"{written} min."]
        if hours:
            long = f"{hours} hour{'s'[: hours - 1]} {rest} minutes"
            texts += [
                f"{hours} h {rest} min",
                f"{hours}h {rest:02}m",
                f"{hours}:{rest:02}:00",
                f"PT{hours}H{rest}M",
                long,
            ]
        text = choice.one(texts)
    return _case(choice, value, text, says, _SHOWN, "")


def _code(choice: Choice, says: str) -> ValueCase:
    """A string: named character for character, but for case, dashes and blanks; or not at all."""
    letters = "".join(chr(ord("A") + choice.below(26)) for _ in range(choice.between(1, 3)))
    first, second = choice.between(10, 999), choice.between(1000, 99999)
    patterns = ("{0}{2}", "{0}-{2}", "{0} {2}", "{1}.{2}", "{0}{1}/{2}", "{1}-{2}-{0}")
    code = choice.one((*(pattern.format(letters, first, second) for pattern in patterns), choice.one(_RATINGS)))
    value = TextValue(code)
    carrier = choice.one(_CODES)
    if says in ("names", "coarser"):
        written = choice.one((code, code, code.lower(), code.replace("-", "–"), code.replace("-", "\u2011")))
        return ValueCase(value, carrier.format(written), "names", written)
    figure = max(at for at, character in enumerate(code) if character.isdecimal() or character.isalpha())
    last = code[figure]
    changed = str((int(last) + choice.between(1, 9)) % 10) if last.isdecimal() else ("X" if last != "X" else "Y")
    others = (
        code[:figure] + changed + code[figure + 1 :],
        code + str(choice.below(10)),
        code + "AX",
        str(choice.between(1, 9)) + code if code[0].isdecimal() else "Q" + code,
        code[: len(code) - 1],
    )
    return ValueCase(value, carrier.format(choice.one(others)), "nothing")
