"""A statement of Wikidata and a reference of it, as plain values, and how they are read from Wikibase JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Any, Union


@dataclass(frozen=True, slots=True)
class Term:
    """An entity in words. `label` is None where no language of the fallback has one.

    `foreign` are its names in languages beyond the fallback, as (language code, names), for pages in those.
    """

    id: str
    label: str | None
    aliases: tuple[str, ...] = ()
    description: str = ""
    language: str = "en"
    foreign: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The label first, then the aliases; empty where there is neither."""
        return ((self.label,) if self.label else ()) + self.aliases

    def on_page_in(self, language: str) -> Term:
        """The term as a page in `language` may name it: its names there are aliases as well."""
        there = dict(self.foreign).get(language, ())
        new = tuple(name for name in there if name not in self.names)
        return replace(self, aliases=self.aliases + new) if new else self


@dataclass(frozen=True, slots=True)
class TimeValue:
    """A point in time at its precision; what is finer than the precision is None, never invented.

    `year` is astronomical as Wikidata's JSON writes it in its dumps since 2015: −44 is 44 BCE.
    `precision`: 0 = billion years … 6 = millennium, 7 = century, 8 = decade, 9 = year, 10 = month, 11 = day,
    12–14 = hour, minute, second.
    """

    year: int
    month: int | None
    day: int | None
    precision: int
    calendar: str = "gregorian"


@dataclass(frozen=True, slots=True)
class QuantityValue:
    """An amount with its bounds (None where the statement gives none) and its unit (None where it is "1")."""

    amount: Decimal
    lower: Decimal | None = None
    upper: Decimal | None = None
    unit: Term | None = None


@dataclass(frozen=True, slots=True)
class EntityValue:
    """An item, a property or a lexeme as a value."""

    term: Term


@dataclass(frozen=True, slots=True)
class TextValue:
    """A string, an identifier, a URL (language None) or a monolingual text."""

    text: str
    language: str | None = None


@dataclass(frozen=True, slots=True)
class CoordinateValue:
    """A place on a globe, in degrees."""

    latitude: float
    longitude: float
    precision: float | None = None


Value = Union[TimeValue, QuantityValue, EntityValue, TextValue, CoordinateValue]


@dataclass(frozen=True, slots=True)
class Qualifier:
    """A qualifier with a value; qualifiers of `somevalue` and `novalue` are left out when read."""

    property: Term
    value: Value


@dataclass(frozen=True, slots=True)
class Statement:
    """What is to be judged. `revision` is the entity revision it was read from (0 where unknown).

    `classes` are the ids of what its subject is an instance of (P31), those of preferred rank first.
    """

    guid: str
    item: Term
    property: Term
    datatype: str
    value: Value
    rank: str = "normal"
    qualifiers: tuple[Qualifier, ...] = ()
    revision: int = 0
    classes: tuple[str, ...] = ()


def on_page_in(statement: Statement, language: str) -> Statement:
    """The statement with the names that a page in `language` may use for its subject, property and value."""
    value = statement.value
    if isinstance(value, EntityValue):
        value = EntityValue(value.term.on_page_in(language))
    item, prop = statement.item.on_page_in(language), statement.property.on_page_in(language)
    return replace(statement, item=item, property=prop, value=value)


@dataclass(frozen=True, slots=True)
class SourceUrl:
    """One address of a reference and where it came from: `live`, `archive` or `identifier`."""

    url: str
    via: str


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference: its hash and its addresses in the order to try."""

    hash: str
    urls: tuple[SourceUrl, ...]


class MalformedValue(ValueError):
    """A datavalue that isn't what its type says. The message names what was wrong."""


_CALENDARS = {"Q1985727": "gregorian", "Q1985786": "julian"}


def parse_value(datavalue: Mapping[str, Any], term: Callable[[str], Term]) -> Value:
    """Read a Wikibase `datavalue`; `term` gives the words of an entity id.

    Raises `MalformedValue` for anything that isn't a datavalue that Citewell knows.
    """
    try:
        return _parse(datavalue["type"], datavalue["value"], term)
    except (KeyError, TypeError, AttributeError, ValueError, InvalidOperation) as error:
        if isinstance(error, MalformedValue):
            raise
        raise MalformedValue(f"not a readable datavalue: {str(datavalue)[:200]}") from error


def _parse(kind: str, value: Any, term: Callable[[str], Term]) -> Value:
    if kind == "wikibase-entityid":
        return EntityValue(term(entity_id(value)))
    if kind == "time":
        return _time(value)
    if kind == "quantity":
        unit = str(value["unit"]).rsplit("/", 1)[-1]
        return QuantityValue(
            amount=_number(value["amount"]),
            lower=_number(value["lowerBound"]) if "lowerBound" in value else None,
            upper=_number(value["upperBound"]) if "upperBound" in value else None,
            unit=None if unit == "1" else term(unit),
        )
    if kind == "string":
        return TextValue(str(value))
    if kind == "monolingualtext":
        return TextValue(str(value["text"]), str(value["language"]))
    if kind == "globecoordinate":
        precision = value.get("precision")
        return CoordinateValue(float(value["latitude"]), float(value["longitude"]), precision and float(precision))
    raise MalformedValue(f"unknown kind of datavalue: {kind!r}")


_FARTHEST = 400  # places before or behind the point: no amount of the world needs more


def _number(text: Any) -> Decimal:
    number = Decimal(text)
    if not number.is_finite() or abs(number.adjusted()) > _FARTHEST:
        raise MalformedValue(f"not an amount: {str(text)[:60]}")
    return number


_ENTITY_LETTERS = {"item": "Q", "property": "P", "lexeme": "L"}


def entity_id(value: Mapping[str, Any]) -> str:
    """The id of an entity value; old dumps give only type and number, and the type decides the letter."""
    if "id" in value:
        return str(value["id"])
    return f"{_ENTITY_LETTERS[value['entity-type']]}{int(value['numeric-id'])}"


def _time(value: Mapping[str, Any]) -> TimeValue:
    text, precision = str(value["time"]), int(value["precision"])
    sign = -1 if text.startswith("-") else 1
    year, month, day = text.lstrip("+-").split("T", 1)[0].split("-")
    calendar = str(value.get("calendarmodel", "")).rsplit("/", 1)[-1]
    # A month or day of 00 is "not given", whatever the precision claims (case 10: no first day is invented).
    return TimeValue(
        year=sign * int(year),
        month=int(month) or None if precision >= 10 else None,
        day=int(day) or None if precision >= 11 else None,
        precision=precision,
        calendar=_CALENDARS.get(calendar, "gregorian"),
    )


def value_entity_ids(datavalue: Mapping[str, Any]) -> tuple[str, ...]:
    """The ids whose words a datavalue needs: the entity itself, or a quantity's unit."""
    value = datavalue.get("value")
    if datavalue.get("type") == "wikibase-entityid" and isinstance(value, Mapping):
        return (entity_id(value),)
    if datavalue.get("type") == "quantity" and isinstance(value, Mapping):
        unit = str(value.get("unit", "1")).rsplit("/", 1)[-1]
        return () if unit == "1" else (unit,)
    return ()
