"""External identifiers become web addresses (case 4)."""

from __future__ import annotations

import time
from typing import Any

import pytest

from bot.sources.formatter import identifier_url, property_facts


def claim(url: str, rank: str = "normal", **expressions: str) -> dict[str, Any]:
    """A statement of a formatter URL, as in Wikibase JSON."""
    return {
        "mainsnak": {"snaktype": "value", "property": "P1630", "datavalue": {"type": "string", "value": url}},
        "rank": rank,
        "qualifiers": {
            name: [{"snaktype": "value", "property": name, "datavalue": {"type": "string", "value": text}}]
            for name, text in expressions.items()
        },
    }


def url_of(identifier: str, *claims: dict[str, Any]) -> str | None:
    facts = property_facts({"id": "P345", "datatype": "external-id", "claims": {"P1630": list(claims)}})
    assert facts.datatype == "external-id"
    return identifier_url(identifier, facts.formatters)


# As Wikidata has them for the IMDb identifier.
IMDB = (
    claim("https://www.imdb.com/name/$1/", P1793=r"nm\d{7,8}"),
    claim("https://www.imdb.com/title/$1/", P8460=r"tt\d{7,8}"),
    claim("https://wikidata-externalid-url.toolforge.org/?p=345&id=$1", "preferred"),
)


@pytest.mark.parametrize(
    ("identifier", "url"),
    [
        ("nm0010930", "https://www.imdb.com/name/nm0010930/"),
        ("tt0371724", "https://www.imdb.com/title/tt0371724/"),
        ("co0028557", "https://wikidata-externalid-url.toolforge.org/?p=345&id=co0028557"),
    ],
)
def test_the_expression_that_fits_chooses(identifier: str, url: str) -> None:
    assert url_of(identifier, *IMDB) == url


def test_preferred_goes_before_normal_and_deprecated_is_left_out() -> None:
    old, new = claim("http://old.example/$1"), claim("https://new.example/$1", "preferred")
    assert url_of("1", old, new) == "https://new.example/1"
    assert url_of("1", claim("https://gone.example/$1", "deprecated"), old) == "http://old.example/1"
    assert url_of("1", claim("https://gone.example/$1", "deprecated")) is None


def test_preferred_goes_first_among_those_that_fit() -> None:
    old, new = claim("http://old.example/$1", P1793=r"\d+"), claim("https://new.example/$1", "preferred", P1793=r"\d+")
    assert url_of("17", old, new) == "https://new.example/17"
    assert url_of("x17", old, new) is None


@pytest.mark.parametrize(
    ("identifier", "encoded"),
    [
        ("AC DC", "AC%20DC"),
        ("10.1007/s11127-009-9491-2", "10.1007/s11127-009-9491-2"),
        ("a?b#c&d", "a%3Fb%23c%26d"),
        ("Ångström", "%C3%85ngstr%C3%B6m"),
        ("50%", "50%25"),
    ],
)
def test_the_identifier_is_url_encoded(identifier: str, encoded: str) -> None:
    assert url_of(identifier, claim("https://example.org/$1")) == f"https://example.org/{encoded}"


def test_an_expression_that_cannot_be_read_fits_nothing() -> None:
    assert url_of("1", claim("https://example.org/$1", P1793="(")) is None


def test_an_expression_that_backtracks_for_ever_is_given_up() -> None:
    begun = time.monotonic()
    assert url_of("a" * 60 + "!", claim("https://example.org/$1", P1793="(a|a)*b|(a|aa)+$")) is None
    assert time.monotonic() - begun < 5
