"""How an external identifier becomes a web address: the formatter URLs of its property."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import quote

import regex  # type: ignore[import-untyped]

from bot.sources.entity import Entity

FORMATTER_URL = "P1630"
FORMAT_AS_REGEX = "P1793"
APPLIES_IF_MATCHES = "P8460"
UNENCODED = ";@$!*(),/~:"  # what Wikibase itself leaves as it is in these addresses
MATCH_SECONDS = 0.2  # the expressions are anyone's: one that backtracks for ever doesn't match


@dataclass(frozen=True, slots=True)
class Formatter:
    """One formatter URL, with `$1` for the identifier, and the expressions of which one must fit (none: any fits)."""

    url: str
    expressions: tuple[str, ...] = ()
    preferred: bool = False


@dataclass(frozen=True, slots=True)
class PropertyFacts:
    """What the walk needs to know of a property."""

    datatype: str
    formatters: tuple[Formatter, ...] = ()


def property_facts(entity: Entity) -> PropertyFacts:
    """Read datatype and formatter URLs from a property's entity; deprecated ones are left out."""
    statements = entity.get("claims", {}).get(FORMATTER_URL) or ()
    return PropertyFacts(str(entity.get("datatype", "")), tuple(_formatters(statements)))


def _formatters(statements: Any) -> Iterator[Formatter]:
    for statement in statements:
        url = _string(statement.get("mainsnak", {}))
        if url and "$1" in url and statement.get("rank") != "deprecated":
            qualifiers = statement.get("qualifiers") or {}
            snaks = [snak for name in (FORMAT_AS_REGEX, APPLIES_IF_MATCHES) for snak in qualifiers.get(name, ())]
            expressions = tuple(text for text in map(_string, snaks) if text)
            yield Formatter(url, expressions, statement.get("rank") == "preferred")


def _string(snak: Mapping[str, Any]) -> str | None:
    value = snak.get("datavalue", {}).get("value")
    return value if isinstance(value, str) else None


def identifier_url(identifier: str, formatters: tuple[Formatter, ...]) -> str | None:
    """The address of an identifier, or None where no formatter URL fits it.

    A formatter whose expression fits goes before one that fits anything, and a preferred one first among equals.
    """
    fitting = [formatter for formatter in formatters if _fits(identifier, formatter)]
    if not fitting:
        return None
    best = min(fitting, key=lambda formatter: (not formatter.expressions, not formatter.preferred))
    return best.url.replace("$1", quote(identifier, safe=UNENCODED))


def _fits(identifier: str, formatter: Formatter) -> bool:
    return not formatter.expressions or any(_matches(text, identifier) for text in formatter.expressions)


def _matches(expression: str, identifier: str) -> bool:
    pattern = _compiled(expression)
    try:
        return pattern is not None and pattern.fullmatch(identifier, timeout=MATCH_SECONDS) is not None
    except TimeoutError:
        return False


@lru_cache(maxsize=4096)
def _compiled(expression: str) -> regex.Pattern[str] | None:
    try:
        return regex.compile(expression)
    except regex.error:
        return None
