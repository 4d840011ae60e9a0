"""Cases for the matcher whose answer is known: written by hand (`*.yaml`), or made by a strategy that knows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import yaml

from models.statement import EntityValue, QuantityValue, Term, TextValue, Value, parse_value

FOLDER = Path(__file__).parent
HELD_OUT = FOLDER / "held_out"
"""Cases that the matcher was never mended with. Whoever looks at their misses moves them to the others."""
SAYS = ("names", "coarser", "conflict", "nothing")


class BadCase(ValueError):
    """A case that isn't one. The message names the file and the case."""


@dataclass(frozen=True, slots=True)
class ValueCase:
    """A value, a text, and what the text says of the value.

    `says`: "names" (the value itself, at its precision or finer, within bounds), "coarser" (agrees, and says less),
    "conflict" (another value of the same kind, and not this one), "nothing" (neither).
    `span` is the part of the text that names the value, where the case cares.
    """

    value: Value
    text: str
    says: str
    span: str = ""


def by_hand(kind: str, folder: Path = FOLDER) -> Iterator[ValueCase]:
    """The cases of `{kind}.yaml`. Raises `BadCase`."""
    path = folder / f"{kind}.yaml"
    for number, entry in enumerate(yaml.safe_load(path.read_text(encoding="utf-8")), 1):
        try:
            case = ValueCase(value_of(entry["value"]), entry["text"], entry["says"], entry.get("span", ""))
        except (KeyError, TypeError, ValueError) as error:
            raise BadCase(f"{path.name}, case {number}: {error!r}") from error
        if case.says not in SAYS or case.span not in case.text:
            raise BadCase(f"{path.name}, case {number}: says {case.says!r}, span {case.span!r}")
        yield case


def value_of(entry: dict[str, Any]) -> Value:
    """`{time, precision, calendar?}`, `{amount, lower?, upper?, unit?}`, `{string, language?}` or `{names, …}`."""
    if "time" in entry:
        calendar = {"gregorian": "Q1985727", "julian": "Q1985786"}[entry.get("calendar", "gregorian")]
        snak = {"time": entry["time"], "precision": entry["precision"], "calendarmodel": calendar}
        return parse_value({"type": "time", "value": snak}, lambda _: Term("", None))
    if "amount" in entry:
        bounds = [Decimal(str(entry[key])) if key in entry else None for key in ("lower", "upper")]
        unit = Term("Q0", entry["unit"]) if entry.get("unit") else None
        return QuantityValue(Decimal(str(entry["amount"])), bounds[0], bounds[1], unit)
    if "string" in entry:
        return TextValue(entry["string"], entry.get("language"))
    label, *aliases = entry["names"]
    return EntityValue(Term("Q0", label, tuple(aliases), entry.get("description", "")))
