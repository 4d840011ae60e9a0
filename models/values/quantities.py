"""Amounts in running text, with their units, and how one compares with a statement's quantity."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache, lru_cache

import pint

from models.statement import QuantityValue

_SCALES = {
    "hundred": 2, "thousand": 3, "k": 3, "million": 6, "mio": 6, "m": 6, "mn": 6, "billion": 9, "bn": 9, "trillion": 12,
}  # fmt: skip
_NUMBER = re.compile(
    r"(?<![\w.,])(?P<sign>[-−+]?)(?P<digits>\d{1,3}(?:[,.\s'’\u00a0\u202f]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?)(?!\d)"
    r"(?:[\s-]?(?P<scale>hundred|thousand|million|mio|billion|trillion|bn|mn)\b)?"
    r"(?:[\s-]?(?P<unit>°\s?[CFK]\b|%|[a-zA-Zµ°²³$€£/]{1,20}(?:\s(?:metres?|meters?|miles?|kilometres?|kilometers?|feet|inches|dollars?))?))?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class QuantityMention:
    """A number that a text names. `step` is half of its last digit's place: what rounding may have taken."""

    start: int
    end: int
    amount: Decimal
    step: Decimal
    unit: str


def find_quantities(text: str) -> list[QuantityMention]:
    """Every number of a text with the unit-like word behind it ("" where there is none)."""
    mentions = []
    for match in _NUMBER.finditer(text):
        for number, places in _readings(match.group("digits")):
            scale = Decimal(10) ** _SCALES.get((match.group("scale") or "").casefold(), 0)
            sign = -1 if match.group("sign") in {"-", "−"} and not text[: match.start()].rstrip()[-1:].isdigit() else 1
            step = Decimal(5) * Decimal(10) ** (-places - 1) * scale
            if places == 0 and scale == 1:
                step = Decimal(0) if not number.endswith("00") else Decimal(5) * Decimal(10) ** (_zeros(number) - 1)
            mentions.append(
                QuantityMention(
                    match.start(),
                    match.end(),
                    sign * Decimal(number) * scale,
                    step,
                    (match.group("unit") or "").strip(),
                )
            )
    return mentions


def _zeros(number: str) -> int:
    return len(number) - len(number.rstrip("0"))


def _readings(digits: str) -> list[tuple[str, int]]:
    """The numbers that digits with marks can be, each with its count of decimals: "1.200" is 1200 and 1.2."""
    plain = re.sub(r"[\s'’\u00a0\u202f]", "", digits)
    marks = [character for character in plain if character in ".,"]
    if not marks:
        return [(plain, 0)]
    if len(set(marks)) == 2:
        decimal = marks[-1]
        whole, fraction = plain.rsplit(decimal, 1)
        return [(re.sub(r"[.,]", "", whole) + "." + fraction, len(fraction))]
    if len(marks) > 1:
        return [(re.sub(r"[.,]", "", plain), 0)]
    whole, fraction = re.split(r"[.,]", plain)
    as_decimal = (f"{whole}.{fraction}", len(fraction))
    if len(fraction) != 3 or whole == "0":
        return [as_decimal]
    thousands = (whole + fraction, 0)
    return [thousands] if marks[0] == "," else [as_decimal, thousands]


@cache
def _registry() -> pint.UnitRegistry[float]:
    return pint.UnitRegistry(cache_folder=None)


_SPOKEN = {
    "degree celsius": "degC", "°c": "degC", "degree fahrenheit": "degF", "°f": "degF", "square kilometre": "km**2",
    "square metre": "m**2", "square mile": "mile**2", "cubic metre": "m**3", "kilometre per hour": "km/hour",
    "metre per second": "m/s", "ft": "foot", "feet": "foot", "in": "inch", "inches": "inch", "km²": "km**2",
    "m²": "m**2", "metres": "metre", "meters": "metre", "miles": "mile", "kilometres": "kilometre", "%": "percent",
    "milligram per litre": "mg/l", "kg": "kilogram", "lb": "pound", "lbs": "pound",
}  # fmt: skip


# What may be handed to the library, which evaluates what it is given: words, never powers or other arithmetic.
_UNIT_NAME = re.compile(r"[^\W\d_][^\W_²³]{0,30}(?:[ /-][^\W_]{1,30}){0,5}[²³]?|[°%µ$€£][A-Za-z]{0,3}")


@lru_cache(maxsize=4096)
def _unit(name: str) -> pint.Unit | None:
    if not _UNIT_NAME.fullmatch(name):
        return None
    spoken = _SPOKEN.get(name.casefold(), name.casefold() if len(name) > 3 else name)
    try:
        return _registry().parse_units(spoken.replace(" ", "_") if "*" not in spoken and "/" not in spoken else spoken)
    except (pint.errors.PintError, AttributeError, ValueError, TypeError, AssertionError, KeyError, ArithmeticError):
        return None
    except Exception as error:  # pint's parser raises whatever tokenising raises: a word that is no unit
        if type(error).__module__.startswith(("pint", "tokenize")):
            return None
        raise


def compare(value: QuantityValue, mention: QuantityMention) -> str:
    """How an amount of a text stands to a statement's: "exact", "within_bounds" (after conversion, rounding or the
    statement's own bounds), "unclear" (no unit where one is needed), or "conflict".
    """
    if mention.amount == value.amount and _same_or_silent(value, mention):
        return "exact"
    amount, step = mention.amount, mention.step
    if value.unit is not None and mention.unit:
        converted = _convert(mention, value.unit.label or "")
        if converted is None:
            return "unclear"
        amount, step = converted
    elif value.unit is not None:
        return "unclear"
    low = value.lower if value.lower is not None else value.amount
    high = value.upper if value.upper is not None else value.amount
    if low - step <= amount <= high + step and abs(amount - value.amount) <= abs(value.amount) / 20 + (high - low):
        return "within_bounds"
    return "conflict"


def _same_or_silent(value: QuantityValue, mention: QuantityMention) -> bool:
    if value.unit is None or not mention.unit:
        return True
    theirs, ours = _unit(mention.unit), _unit(value.unit.label or "")
    return theirs is None or ours is None or theirs == ours


def _convert(mention: QuantityMention, label: str) -> tuple[Decimal, Decimal] | None:
    theirs, ours = _unit(mention.unit), _unit(label)
    if theirs is None or ours is None or theirs.dimensionality != ours.dimensionality:
        return None
    quantity = _registry().Quantity
    try:
        amount = quantity(float(mention.amount), theirs).to(ours).magnitude
        above = quantity(float(mention.amount + max(mention.step, Decimal("0.05"))), theirs).to(ours).magnitude
        return Decimal(repr(float(amount))), Decimal(repr(abs(float(above) - float(amount))))
    except (pint.errors.PintError, InvalidOperation, OverflowError, ValueError):
        return None
