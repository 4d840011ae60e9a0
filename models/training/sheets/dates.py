"""How pages write dates and amounts: a value in, its surface out, with the value as precise as the surface is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from random import Random

from models.statement import QuantityValue, Term, TimeValue

_MONTHS = ("January February March April May June July August September October November December").split()
_SHORT = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_DAYS = (
    "{d} {month} {y}", "{month} {d}, {y}", "{y}-{m:02}-{d:02}", "{d:02}.{m:02}.{y}", "{d}.{m}.{y}", "{d:02}/{m:02}/{y}",
    "{m}/{d}/{y}", "{d} {mon} {y}", "{mon} {d}, {y}", "{d}{th} {month} {y}", "{mon}. {d}, {y}",
    "the {d}{th} of {month} {y}",
    "{y} {month} {d}", "{month} {d}{th}, {y}", "{d} {month}, {y}", "{y}/{m:02}/{d:02}", "{d}-{mon}-{y}",
)  # fmt: skip
_PROSE_DAYS = (0, 0, 0, 1, 1, 1, 7, 8, 9, 11, 13, 14)
_MONTH_FORMS = ("{month} {y}", "{month} {y}", "{mon} {y}", "{month}, {y}", "{y}-{m:02}")
_YEARS_IN_PROSE = ("{y}",) * 8 + ("c. {y}", "about {y}", "the {season} of {y}", "early {y}", "late {y}", "circa {y}")
_YEARS = ("{y}",) * 12 + ("c. {y}", "ca. {y}", "c.{y}")
_SEASONS = ("spring", "summer", "autumn", "winter", "fall")


@dataclass(frozen=True, slots=True)
class Hand:
    """What one page writes alike throughout: the form of its days in records and in prose, numbers and units.

    `strict`: it never strays from that, as a machine doesn't.
    """

    day: str
    prose_day: str
    thousands: str
    short_units: bool
    strict: bool = False


def hand(random: Random) -> Hand:
    """A page's hand."""
    return Hand(
        random.choice(_DAYS),
        _DAYS[random.choice(_PROSE_DAYS)],
        random.choice((",", ",", ",", "", " ", "\u202f")),
        random.random() < 0.7,
    )


MACHINE = Hand("{y}-{m:02}-{d:02}", "{y}-{m:02}-{d:02}", "", True, strict=True)


def of_year(value: TimeValue) -> TimeValue:
    """The value as far as its year."""
    return replace(value, month=None, day=None, precision=9)


def date_text(
    value: TimeValue, random: Random, own: Hand, prose: bool, year_only: bool = False, lead: bool = False
) -> tuple[str, str, TimeValue]:
    """A preposition ("" unless `lead`), the date in words and the value that these words give."""
    if year_only:
        value = of_year(value)
        text = random.choice(("{y}",) * 14 + ("c. {y}", "ca. {y}")) if not lead else "{y}"
    elif value.day is not None:
        chance = 1.0 if own.strict else random.random()
        if chance < 0.06:
            value = of_year(value)
            text = "{y}"
        elif chance < 0.1:
            value = replace(value, day=None, precision=10)
            text = random.choice(_MONTH_FORMS[:2])
        elif chance < 0.2:
            text = _DAYS[random.choice(_PROSE_DAYS)] if prose else random.choice(_DAYS)
        else:
            text = own.prose_day if prose else own.day
    elif value.month is not None:
        text = random.choice(_MONTH_FORMS[:2] if prose else _MONTH_FORMS)
    else:
        text = random.choice(_YEARS_IN_PROSE if prose else _YEARS[:1] if own.strict else _YEARS)
    written = _written(text, value, random)
    return (_preposition(text) if lead else ""), written, value


def _preposition(form: str) -> str:
    if "{d" in form:
        return "on"
    return "" if form.startswith(("c. ", "about", "circa")) else "in"


def _written(form: str, value: TimeValue, random: Random) -> str:
    month, day = value.month or 1, value.day or 1
    return form.format(
        y=value.year, m=month, d=day, month=_MONTHS[month - 1], mon=_SHORT[month - 1], th=ordinal_end(day),
        season=random.choice(_SEASONS),
    )  # fmt: skip


def ordinal_end(number: int) -> str:
    """The letters behind a number that make it an ordinal."""
    return "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


# A unit's label, and how pages write it: short forms, long forms.
_UNITS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "metre": ((" m", "m", " m"), (" metres", " meters")),
    "centimetre": ((" cm", "cm"), (" centimetres", " centimeters")),
    "kilometre": ((" km", "km"), (" kilometres", " kilometers")),
    "foot": ((" ft", " ft."), (" feet",)),
    "kilogram": ((" kg", "kg"), (" kilograms", " kilogrammes")),
    "tonne": ((" t",), (" tonnes", " metric tons")),
    "minute": ((" min", " min.", " mins"), (" minutes",)),
    "square kilometre": ((" km²", " sq km", " km2"), (" square kilometres", " square kilometers")),
    "hectare": ((" ha",), (" hectares",)),
    "gram per mole": ((" g/mol",), (" g/mol", " grams per mole")),
}
_MONEY = {"United States dollar": ("$", "US$"), "euro": ("€", "EUR "), "pound sterling": ("£", "GBP ")}
_MONEY_WORDS = {"United States dollar": "dollars", "euro": "euros", "pound sterling": "pounds"}


def amount(number: int | float | str, unit: str = "") -> QuantityValue:
    """An amount with its unit by label."""
    return QuantityValue(Decimal(str(number)), unit=Term("", unit) if unit else None)


def amount_text(value: QuantityValue, random: Random, own: Hand, prose: bool, bare: bool = False) -> str:
    """An amount as a page writes it; `bare`: its unit stands elsewhere, in the header."""
    unit = value.unit.label if value.unit else None
    whole = f"{value.amount:f}"
    if unit in _MONEY:
        return _money(value, random, unit)
    number, _, part = whole.partition(".")
    if len(number) > 4 or (len(number) == 4 and random.random() < 0.6 and own.thousands == ","):
        number = f"{int(number):,}".replace(",", own.thousands)
    text = f"{number}.{part}" if part else number
    if bare or unit is None:
        return text
    short, long = _UNITS.get(unit, ((f" {unit}",), (f" {unit}",)))
    if unit == "minute" and value.amount > 70 and not prose and random.random() < 0.15:
        return f"{int(value.amount) // 60} h {int(value.amount) % 60} min"
    text += random.choice(short if own.short_units and not (prose and unit == "minute") else long)
    if unit == "metre" and random.random() < 0.3:
        feet = round(float(value.amount) / 0.3048)
        text += random.choice((f" ({feet:,} ft)", f" ({feet:,} feet)"))
    return text


def _money(value: QuantityValue, random: Random, unit: str) -> str:
    sign = random.choice(_MONEY[unit])
    amount_, large = value.amount, value.amount / 1_000_000
    if large >= 1 and large == large.quantize(type(large)("0.1")):
        digits = f"{large.normalize():f}"
        return random.choice((f"{sign}{digits} million", f"{sign}{digits}m", f"{digits} million {_MONEY_WORDS[unit]}"))
    return f"{sign}{int(amount_):,}"
