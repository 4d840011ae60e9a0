"""How an amount of a text compares with a statement's quantity: its unit, its bounds, and rounding on either side."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache

from models.statement import QuantityValue, Term
from models.values.quantities.amounts import QuantityMention, find_quantities
from models.values.quantities.unit_names import Unit
from models.values.quantities.units import conversion, spelled_out, unit_of

__all__ = ["QuantityMention", "compare", "find_quantities"]

_RANK = ("exact", "within_bounds", "coarser", "unclear", "conflict")
_ZERO = Decimal(0)
_FAR = Decimal("0.01")
_LOOSE = Decimal("0.1")
_NEAR_BOUND = Decimal(1)  # "over 1000" says something of 1200, and nothing of 9000
_UNUSUAL = 3  # significant digits at which a number without its unit can be no other


def compare(value: QuantityValue, mention: QuantityMention) -> str:
    """How an amount of a text stands to a statement's.

    "exact": the same amount in the same unit (or without one, with three significant digits at least and a label).
    "within_bounds": the same after conversion, within the statement's bounds, or rounded to at least three
    significant digits or by at most 1 %. "coarser": agrees, and says less: rounded further, a range around it, or a
    bound not far from it. "unclear": another kind of unit, none where one is needed, a bound far off, or a number that
    may be no amount. "conflict": another amount of the same kind, or the same amount in another currency.
    """
    if mention.other is None:
        return _compare(value, mention, False)
    verdicts = [_compare(value, reading, True) for reading in mention.readings()]
    best = min(verdicts, key=_RANK.index)
    return verdicts[0] if best == "unclear" else best


def _compare(value: QuantityValue, mention: QuantityMention, several: bool) -> str:
    amount, step, high, same = mention.amount, mention.step, mention.high, True
    wanted = _wanted(value.unit) if value.unit is not None else None
    if wanted is None:
        kind = mention.units[0].kind if mention.units else "count"
        if kind != "count":
            return "unclear"
        if amount != value.amount and step <= 1 and not several and _whole(amount) != _whole(value.amount):
            return "unclear"  # a count is no ratio
    elif wanted in mention.units:
        pass
    elif not mention.units or mention.units[0].kind == "count":
        if value.unit is None or not mention.after or not spelled_out(value.unit, mention.after, 0):
            return _without_unit(value, mention)
    else:
        if wanted.kind == "money" and mention.units[0].kind == "money":
            return "conflict" if mention.amount == value.amount and mention.firm else "unclear"
        # "7.874 kg/m³" as 7874 kg/m³ is too far-fetched to be 7.874 g/cm³: only the likelier reading is converted
        converted = None if several and mention.other is None else _converted(mention, wanted)
        if converted is None:
            return "unclear"
        amount, step, high = converted
        same = False
    if high is not None and not mention.firm:
        return "unclear"
    verdict = _against(value, mention, amount, step, high, same)
    if verdict == "conflict" and (not mention.firm or _side_meaning(mention, wanted)):
        return "unclear"
    return verdict


@lru_cache(maxsize=4096)
def _wanted(unit: Term) -> Unit | None:
    """The unit of a statement; None where it counts things, as a statement without a unit does."""
    read = unit_of(unit)
    return None if read.kind == "count" else read


def _side_meaning(mention: QuantityMention, wanted: Unit | None) -> bool:
    """True where the unit only might be the statement's kind: "$" for a Canadian dollar, "C" for a coulomb."""
    if wanted is None or not mention.units or mention.units[0] == wanted:
        return False
    return conversion(mention.units[0], wanted) is None


def _whole(amount: Decimal) -> bool:
    return amount == amount.to_integral_value()


def _without_unit(value: QuantityValue, mention: QuantityMention) -> str:
    """A bare number where a unit is needed: it can't conflict, and names the amount only if it is unusual."""
    if (
        mention.units
        or not mention.firm
        or not mention.labelled
        or mention.high is not None
        or mention.digits < _UNUSUAL
    ):
        return "unclear"
    if mention.amount != value.amount:
        return "unclear"
    return "exact" if not mention.hedge else "unclear"


def _converted(mention: QuantityMention, wanted: Unit) -> tuple[Decimal, Decimal, Decimal | None] | None:
    for unit in mention.units:
        factors = conversion(unit, wanted)
        if factors is not None:
            scale, offset = factors.scale, factors.offset
            high = None if mention.high is None else mention.high * scale + offset
            return mention.amount * scale + offset, mention.step * abs(scale), high
    return None


def _against(
    value: QuantityValue, mention: QuantityMention, amount: Decimal, step: Decimal, high: Decimal | None, same: bool
) -> str:
    wanted, hedge = value.amount, mention.hedge
    low = value.lower if value.lower is not None else wanted
    top = value.upper if value.upper is not None else wanted
    if high is not None:
        return _against_range(wanted, low, top, amount, high)
    if amount == wanted and same and not hedge:
        return "exact"
    error = abs(amount - wanted)
    bounded = value.lower is not None or value.upper is not None
    allowed = step if bounded else max(step, _own_rounding(value, mention, same))
    if low <= amount <= top or error <= allowed:
        near = error <= abs(wanted) * _FAR or mention.digits >= _UNUSUAL or low <= amount <= top
        if hedge == "over":
            return "coarser"
        return "within_bounds" if near else "coarser"
    if hedge in {"over", "under"}:
        if amount == wanted or (amount < wanted) != (hedge == "over"):
            return "conflict"
        return "coarser" if abs(error) <= min(abs(amount), abs(wanted)) * _NEAR_BOUND else "unclear"
    if hedge == "about" and mention.digits < _UNUSUAL and error <= abs(wanted) * _LOOSE:
        return "unclear"
    return "conflict"


def _against_range(wanted: Decimal, low: Decimal, top: Decimal, amount: Decimal, high: Decimal) -> str:
    if low < top and abs(low - amount) <= (top - low) * _LOOSE and abs(top - high) <= (top - low) * _LOOSE:
        return "within_bounds"
    return "coarser" if amount <= wanted <= high else "conflict"


def _own_rounding(value: QuantityValue, mention: QuantityMention, same: bool) -> Decimal:
    """Half of the statement's own last place, where it gives no bounds and the page's number is finer or converted."""
    exponent = value.amount.as_tuple().exponent
    places = -exponent if isinstance(exponent, int) and exponent < 0 else 0
    if value.unit is None and (places == 0 or mention.units):
        return _ZERO
    theirs = mention.amount.as_tuple().exponent
    finer = isinstance(theirs, int) and -theirs > places
    return Decimal(5).scaleb(-places - 1) if finer or not same else _ZERO
