"""Amounts with units, bounds, rounding and the thousands marks of several places (case 11)."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.statement import QuantityValue, Term
from models.values.quantities import compare, find_quantities

METRE, CELSIUS = Term("Q11573", "metre"), Term("Q25267", "degree Celsius")


def verdicts(value: QuantityValue, text: str) -> set[str]:
    return {compare(value, mention) for mention in find_quantities(text)}


@pytest.mark.parametrize("text", ["1.2 million", "1,200,000", "1 200 000", "1.200.000", "1200000"])
def test_one_number_in_several_writings(text: str) -> None:
    assert "exact" in verdicts(QuantityValue(Decimal(1_200_000)), text)


def test_units_are_converted_within_the_statement_s_bounds() -> None:
    length = QuantityValue(Decimal("44.43"), Decimal("44.42"), Decimal("44.44"), METRE)
    assert verdicts(length, "145.8 ft") == {"within_bounds"}
    assert verdicts(length, "44.43 m") == {"exact"}
    assert verdicts(length, "145 feet long") == {"conflict"}
    assert verdicts(length, "44 kg") == {"unclear"}


def test_a_neighbouring_temperature_is_another() -> None:
    assert verdicts(QuantityValue(Decimal(145), None, None, CELSIUS), "144 °C") == {"conflict"}
    assert verdicts(QuantityValue(Decimal(145), None, None, CELSIUS), "145 °C") == {"exact"}


@given(st.integers(0, 10**12))
def test_any_whole_number_is_found_with_and_without_marks(number: int) -> None:
    for text in (f"It has {number} of them", f"It has {number:,} of them"):
        assert "exact" in verdicts(QuantityValue(Decimal(number)), text)


@given(st.text(max_size=200))
def test_no_text_breaks_the_search(text: str) -> None:
    value = QuantityValue(Decimal(5), None, None, METRE)
    for mention in find_quantities(text):
        assert 0 <= mention.start < mention.end <= len(text)
        assert compare(value, mention) in {"exact", "within_bounds", "unclear", "conflict"}
