"""Values as a person writes them: dates at their precision, grouped digits, units in the plural."""

from __future__ import annotations

import math
from decimal import Decimal

from models.statement import CoordinateValue, EntityValue, QuantityValue, Term, TextValue, TimeValue, Value
from models.verbalise.articles import plural
from models.verbalise.labels import clean, label_of

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_GREGORIAN_REFORM = 1583
_YEARS_AGO_FROM = 10_000


def say_value(value: Value) -> str:
    """The value in English words, on one line; "" when its label or its unit's is missing or it isn't a number."""
    match value:
        case EntityValue(term):
            return label_of(term)
        case TextValue(text):
            return clean(text)
        case QuantityValue():
            return _say_quantity(value)
        case TimeValue():
            return _say_time(value)
        case CoordinateValue():
            return _say_coordinate(value)


def say_when(value: TimeValue) -> str:
    """The time with the preposition it takes: "on 14 September 1966", "in 1825", "about 65 million years ago"."""
    words = _say_time(value)
    if words.startswith("about "):
        return words
    return f"{'on' if _has_day(value) else 'in'} {words}"


def _has_day(value: TimeValue) -> bool:
    return value.precision >= 11 and bool(value.day) and _month(value) is not None


def _month(value: TimeValue) -> str | None:
    if value.precision < 10 or value.month is None or not 1 <= value.month <= 12:
        return None
    return _MONTHS[value.month - 1]


def _say_time(value: TimeValue) -> str:
    if value.precision < 6:
        return _deep_time(value.year, value.precision)
    if value.precision == 6:
        return f"the {ordinal(_block(value.year, 1000))} millennium{_bc(value.year)}"
    if value.precision == 7:
        return f"the {ordinal(_block(value.year, 100))} century{_bc(value.year)}"
    if value.precision == 8:
        return _decade(value.year)
    month = _month(value)
    words = _year(value.year)
    if month:
        words = f"{month} {words}"
    if _has_day(value):
        words = f"{value.day} {words}"
        # Before the reform every source counts by the Julian calendar; after it, the day would be misread.
        if value.calendar == "julian" and value.year >= _GREGORIAN_REFORM:
            words += " (Julian calendar)"
    return words


def _bc(year: int) -> str:
    return " BC" if year < 0 else ""


def _year(year: int) -> str:
    if year < 0:
        return f"{-year} BC" if -year < _YEARS_AGO_FROM else f"{-year:,} BC"
    # "in 79" reads as 1979.
    return f"AD {year}" if year < 100 else str(year)


def _block(year: int, size: int) -> int:
    """Which century or millennium a year is in, from 1: 1801 to 1900 are the 19th, 100 to 1 BC the 1st BC."""
    return max(1, (abs(year) + size - 1) // size)


def _decade(year: int) -> str:
    first = abs(year) // 10 * 10
    # "The 1800s" would be read as a century.
    words = f"years {first}–{first + 9}" if first % 100 == 0 else f"{first}s"
    if year < 0:
        words = f"years {first + 9}–{first or 1}" if first % 100 == 0 else words
    return f"the {words}{_bc(year)}"


_SCALES = ((10**9, "billion"), (10**6, "million"))


def _deep_time(year: int, precision: int) -> str:
    unit = 10 ** (9 - max(0, precision))
    rounded = (abs(year) + unit // 2) // unit * unit or abs(year)
    if year < 0:
        return f"about {_scaled(rounded)} years ago" if rounded >= _YEARS_AGO_FROM else f"about {rounded} BC"
    return f"about the year {_scaled(rounded)}"


def _scaled(number: int) -> str:
    for scale, word in _SCALES:
        if number >= scale:
            return f"{Decimal(number) / scale:,f} {word}"
    return f"{number:,}"


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 11th …"""
    suffix = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


_LONGEST_EXPONENT = 18


def _say_quantity(value: QuantityValue) -> str:
    if not value.amount.is_finite():
        return ""
    unit = label_of(value.unit) if value.unit else ""
    if value.unit and not unit:
        return ""
    number = _number(value.amount) + _spread(value)
    if value.unit is None:
        return number
    if unit in {"%", "‰", "°"}:
        return number + unit
    return f"{number} {unit if abs(value.amount) == 1 else _plural_unit(unit, value.unit)}"


def _number(amount: Decimal) -> str:
    if amount.is_zero():
        amount = abs(amount)
    if not -_LONGEST_EXPONENT <= amount.adjusted() <= _LONGEST_EXPONENT:
        if amount.is_zero():
            return "0"
        digits = amount.scaleb(-amount.adjusted()).normalize()
        return f"{digits:f} × 10^{amount.adjusted()}"
    return f"{amount:,f}"


def _spread(value: QuantityValue) -> str:
    """Bounds in words; "" where there are none or where they say no more than how the number was rounded."""
    lower, upper = value.lower, value.upper
    if lower is None or upper is None or not (lower.is_finite() and upper.is_finite()):
        return ""
    below, above = value.amount - lower, upper - value.amount
    if max(below, above) <= _rounding(value.amount):
        return ""
    if below == above:
        return f" ± {_number(above)}"
    return f" (between {_number(lower)} and {_number(upper)})"


def _rounding(amount: Decimal) -> Decimal:
    """How far off a rounded number may be: one of its last digit, or half of its last digit that isn't 0."""
    exponent = int(amount.as_tuple().exponent)
    written = Decimal(1).scaleb(min(0, exponent)) if exponent <= 0 else Decimal(1).scaleb(exponent)
    if amount.is_zero():
        return written
    significant = Decimal(5).scaleb(int(amount.normalize().as_tuple().exponent) - 1)
    return max(written, significant)


def _plural_unit(unit: str, term: Term) -> str:
    """The unit's first noun in the plural: "degrees Celsius", "kilometres per second", "United States dollars"."""
    if not (term.language.startswith("en") or term.language == "mul"):
        return unit
    words = unit.split()
    at = next((index for index, word in enumerate(words) if word in _UNIT_TAILS), len(words)) - 1
    if at < 0:
        return unit
    words[at] = "-".join((*(parts := words[at].split("-"))[:-1], plural(parts[-1])))
    return " ".join(words)


_UNIT_TAILS = frozenset({"per", "of", "above", "Celsius", "Fahrenheit", "Rankine", "sterling", "old", "squared"})


def _say_coordinate(value: CoordinateValue) -> str:
    if not (math.isfinite(value.latitude) and math.isfinite(value.longitude)):
        return ""
    digits = _digits(value.precision)
    latitude = _degrees(value.latitude, digits, "N", "S")
    return f"{latitude}, {_degrees(value.longitude, digits, 'E', 'W')}"


def _digits(precision: float | None) -> int:
    if precision is None or not math.isfinite(precision) or precision <= 0:
        return 4
    return min(6, max(0, math.ceil(-math.log10(precision) - 1e-9)))


def _degrees(degrees: float, digits: int, positive: str, negative: str) -> str:
    return f"{abs(degrees):.{digits}f}° {negative if degrees < 0 else positive}"
