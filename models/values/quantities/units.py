"""Units of measurement, currencies and counted things in running text, and how one converts to another.

`pint` gives the factors. It is loaded when the first two different units meet, and is only ever handed names from the
tables of `unit_names`, or a single word of a statement's unit: it evaluates what it is given.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, DecimalException, localcontext
from functools import cache, lru_cache

import pint

from models.statement import Term
from models.values.quantities.numerals import CJK, LETTER
from models.values.quantities.unit_names import COUNTED, DATA, DEFINED, KINDS, Unit, forms, product

_SIGNS = r"$€£¥￥₹₽₩₴₺₪₱₦₫₨฿%％‰°º˚℃℉ΩΩµ℔㎝㎜㎞㎛㎏㏊㎢㎡㎥㏌⊙"
_RUN = re.compile(rf"{LETTER}+[.☉⊙⊕$]?|[′″’”'\"]{{1,2}}|[°º˚](?=[NSEWnsew]\b)|[{_SIGNS}]+[CFK]?(?!{LETTER})")
_WORDS = re.compile(rf"{LETTER}+\.?(?:[ \u00a0-]{LETTER}+){{0,3}}")
_GAP = re.compile(r"[ \u00a0\u2009\u202f]{0,3}")
_SQUARE = re.compile(r"(?:(?P<square>sq(?:uare)?\.?)|(?P<cubic>cu(?:bic)?\.?))[ \u00a0-]{1,2}", re.IGNORECASE)
_POWER = re.compile(
    r"(?P<two>²|\^2|\*\*2|2(?!\w|[.,]\d)| squared\b| {1,2}2(?= ?[)\];]| ?$| {1,2}\())"
    r"|(?P<three>³|\^3|\*\*3|3(?!\w|[.,]\d)| cubed\b| {1,2}3(?= ?[)\];]| ?$| {1,2}\())"
    r"|(?:⁻|\^?[-−](?=[123](?!\w)))(?P<minus>[¹²³123])"
)
_JOIN = re.compile(
    r"[ \u00a0]{0,2}(?:(?P<per>/|÷|\bper\b|\ban?(?= (?:hour|day|year|second|minute|month|week)\b))|[·⋅*])[ \u00a0]{0,2}"
)
_BESIDE = re.compile(rf"[ \u00a0](?={LETTER})")
_ALPHA = re.compile(rf"{LETTER}+")
_RAISED = str.maketrans("¹²³", "123")
_LONGEST_CJK = 8
_LONGEST = 6  # factors in a product


def read_unit(text: str, at: int) -> tuple[tuple[Unit, ...], int] | None:
    """The longest unit that stands at a place of a text: what it can mean, likeliest first, and where it ends.

    None where no table has it. A denominator that no table has makes the unit a "word", which nothing converts to.
    """
    first = _factor(text, at) or _each(text, at)
    if first is None:
        return None
    units, end = first
    if units[0].kind == "count" and not text.startswith((" per ", "/"), end):
        return units, end
    for _ in range(_LONGEST):
        join = _JOIN.match(text, end)
        if join is None:
            powered = _negative(text, end)
            if powered is None:
                break
            factor, end = powered
            units = tuple(_times(unit, factor, 1) for unit in units)
            continue
        following = _factor(text, join.end())
        if following is None:
            word = _ALPHA.match(text, join.end())
            if join["per"] is None or word is None:
                break
            return (Unit((*units[0].parts, (word.group().casefold(), -1)), "word"),), word.end()
        others, end = following
        units = tuple(_times(unit, others[0], -1 if join["per"] else 1) for unit in units)
    return units, end


def _each(text: str, at: int) -> tuple[tuple[Unit, ...], int] | None:
    """A denominator alone: "720/km²", "5 per day"."""
    join = _JOIN.match(text, at)
    if join is None or join["per"] is None:
        return None
    factor = _factor(text, join.end())
    return ((_times(Unit(()), factor[0][0], -1),), factor[1]) if factor else None


def _negative(text: str, end: int) -> tuple[Unit, int] | None:
    """The next factor where it carries a negative power: "m s⁻¹"."""
    beside = _BESIDE.match(text, end)
    if beside is None:
        return None
    factor = _factor(text, beside.end())
    if factor is None or factor[0][0].parts[0][1] >= 0:
        return None
    return factor[0][0], factor[1]


def _times(unit: Unit, other: Unit, sign: int) -> Unit:
    powers = dict(unit.parts)
    for atom, power in other.parts:
        powers[atom] = powers.get(atom, 0) + sign * power
    parts = tuple((atom, power) for atom, power in powers.items() if power)
    kinds = {unit.kind, other.kind}
    kind = "measure" if kinds <= {"measure", "count"} else "word"
    return Unit(parts, kind)


def _factor(text: str, at: int) -> tuple[tuple[Unit, ...], int] | None:
    power, start = 1, at
    if text[at : at + 1] in {"s", "S", "c", "C"} and (prefix := _SQUARE.match(text, at)):
        power, start = (2 if prefix["square"] else 3), prefix.end()
    found = _atom(text, start)
    if found is None and power != 1:
        power, start = 1, at
        found = _atom(text, at)
    if found is None:
        return None
    units, end = found
    raised = _POWER.match(text, end) if units[0].kind == "measure" else None
    # "m2" is a power, and the "2" of "hour2" or of 6'2 isn't.
    if raised and (not raised.group().strip().isdecimal() or (end - start <= 3 and text[end - 1].isalpha())):
        power *= -int(raised["minus"].translate(_RAISED)) if raised["minus"] else 2 if raised["two"] else 3
        end = raised.end()
    after = text[end : end + 1]
    if after >= CJK or text[end - 1] >= CJK:
        after = ""
    if (after.isalnum() or after == "_") and text[end - 1].isalnum():
        return None
    if power != 1:
        units = tuple(Unit(tuple((a, p * power) for a, p in u.parts), u.kind) for u in units)
    return units, end


def _atom(text: str, at: int) -> tuple[tuple[Unit, ...], int] | None:
    run = _RUN.match(text, at)
    if run is None:
        return None
    known, written = forms(), run.group()
    if written[0] >= CJK and written[0].isalpha():
        sizes = range(min(len(written), _LONGEST_CJK), 0, -1)
        return next(((known.words[written[:n]], at + n) for n in sizes if written[:n] in known.words), None)
    best: tuple[tuple[Unit, ...], int] | None = None
    for symbol in (written, written.rstrip(".'’\"”")):
        if (meant := known.symbols.get(symbol)) is not None:
            best = meant, at + len(symbol)
            break
    bare = written.rstrip(".")
    folded = bare.casefold()
    most = known.longest.get(folded, 0)
    if most > 1 and (phrase := _WORDS.match(text, at)):
        said = phrase.group()
        pieces = re.split(r"[ \u00a0-]", said.casefold())
        for size in range(min(most, len(pieces)), 1, -1):
            meant = known.words.get(" ".join(piece.rstrip(".") for piece in pieces[:size]))
            if meant is not None:
                return meant, at + len(" ".join(pieces[:size]))
    if best is None and (meant := known.words.get(folded)) is not None:
        best = meant, at + len(bare)
    if best is None and "$" not in written and written[:1] in "$€£¥°" and (meant := known.symbols.get(written[:1])):
        best = meant, at + 1
    return best


def skip_gap(text: str, at: int) -> int:
    """Where what follows a number begins: after up to three spaces, or a hyphen."""
    gap = _GAP.match(text, at)
    end = gap.end() if gap else at
    if end == at and text[at : at + 1] in {"-", "‑"}:
        return at + 1
    return end


@lru_cache(maxsize=4096)
def unit_of(term: Term) -> Unit:
    """The unit that a term of Wikidata names, by its label or else an alias; a "word" where no table knows it."""
    for name in term.names[:20]:
        read = read_unit(name, 0)
        if read is not None and read[1] == len(name) and read[0][0].kind != "word":
            return read[0][0]
    for name in term.names[:4]:
        if (unit := _by_pint(name)) is not None:
            return unit
    return Unit(((term.names[0] if term.names else term.id, 1),), "word")


# What may be handed to the library from outside, which evaluates what it is given: one word, never arithmetic.
_UNIT_NAME = re.compile(rf"{LETTER}{{3,30}}(?:[ _]{LETTER}{{1,30}}){{0,3}}")


def _by_pint(name: str) -> Unit | None:
    if not _UNIT_NAME.fullmatch(name):
        return None
    atom = name.casefold().replace(" ", "_")
    return product(atom) if _base(atom) is not None else None


@cache
def _registry() -> pint.UnitRegistry[Decimal]:
    registry: pint.UnitRegistry[Decimal] = pint.UnitRegistry(cache_folder=None, non_int_type=Decimal)
    for definition in DEFINED:
        registry.define(definition)
    return registry


@lru_cache(maxsize=4096)
def _base(atom: str) -> tuple[str, Decimal, Decimal] | None:
    """What an atom measures, and its factor and offset to the base unit of that; None where pint doesn't know it."""
    registry = _registry()
    try:
        unit = registry.parse_units(atom)
        zero = registry.Quantity(Decimal(0), unit).to_base_units()
        ten = registry.Quantity(Decimal(10), unit).to_base_units()
        offset, scale = Decimal(zero.magnitude), (Decimal(ten.magnitude) - Decimal(zero.magnitude)) / 10
    except (pint.errors.PintError, AttributeError, ValueError, TypeError, AssertionError, KeyError, ArithmeticError):
        return None
    except Exception as error:  # pint's parser raises whatever tokenising raises: a word that is no unit
        if type(error).__module__.startswith(("pint", "tokenize")):
            return None
        raise
    measures = KINDS.get(atom) or ("data" if atom.endswith(DATA) else str(zero.dimensionality))
    return measures, scale, offset


@dataclass(frozen=True, slots=True)
class Conversion:
    """An amount times `scale` plus `offset` is the amount in the other unit."""

    scale: Decimal
    offset: Decimal


@lru_cache(maxsize=16_384)
def conversion(unit: Unit, to: Unit) -> Conversion | None:
    """How amounts of one unit become amounts of another; None where they measure different things."""
    if unit == to or (unit.kind == to.kind and dict(unit.parts) == dict(to.parts)):
        return Conversion(Decimal(1), Decimal(0))
    if unit.kind != "measure" or to.kind != "measure":
        return None
    ours, theirs = _measure(unit), _measure(to)
    if ours is None or theirs is None or ours[0] != theirs[0]:
        return None
    try:
        with localcontext(prec=40):
            scale = ours[1] / theirs[1]
            offset = (ours[2] - theirs[2]) / theirs[1]
            return Conversion(_rounded(scale), _rounded(offset))
    except DecimalException:
        return None


def _rounded(number: Decimal) -> Decimal:
    """Without the dust of thirds: 32.000…01 is 32."""
    with localcontext(prec=20):
        return +number


def _measure(unit: Unit) -> tuple[tuple[tuple[str, int], ...] | str, Decimal, Decimal] | None:
    """What a product measures, with factor and offset. An offset counts in a temperature alone, not in °C per metre."""
    powers: dict[str, int] = {}
    scale, offset = Decimal(1), Decimal(0)
    for atom, power in unit.parts:
        if atom in _counted():  # 720 people per km² is 720/km²
            continue
        base = _base(atom)
        if base is None:
            return None
        for name, by in _dimensions(base[0], atom):
            powers[name] = powers.get(name, 0) + by * power
        scale *= base[1] ** power
        if unit.parts == ((atom, 1),):
            offset = base[2]
    return tuple(sorted((name, power) for name, power in powers.items() if power)), scale, offset


@cache
def _counted() -> frozenset[str]:
    return frozenset(COUNTED.split())


def _dimensions(measures: str, atom: str) -> tuple[tuple[str, int], ...]:
    if not measures.startswith("["):
        return ((measures, 1),) if measures != "dimensionless" else ((f"[{atom}]", 1),)
    container = _registry().parse_units(atom).dimensionality
    return tuple((str(name), int(str(power))) for name, power in container.items())


def spelled_out(term: Term, text: str, at: int) -> bool:
    """True where one of a term's names stands at a place of a text: for units that no table has."""
    rest = text[at : at + 60].casefold()
    for name in term.names[:20]:
        folded = name.casefold()
        if folded and rest.startswith(folded) and not rest[len(folded) : len(folded) + 1].isalnum():
            return True
        if folded and rest.startswith(folded + "s") and not rest[len(folded) + 1 : len(folded) + 2].isalnum():
            return True
    return False
