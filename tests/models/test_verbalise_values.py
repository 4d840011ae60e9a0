"""Values in words, at their precision."""

from __future__ import annotations

from decimal import Decimal

import pytest

from models.statement import CoordinateValue, QuantityValue, Term, TextValue, TimeValue, Value
from models.verbalise import say_value
from models.verbalise.values import say_when


@pytest.mark.parametrize(
    ("value", "text", "when"),
    [
        (TimeValue(1966, 9, 14, 11), "14 September 1966", "on 14 September 1966"),
        (TimeValue(1990, 11, None, 10), "November 1990", "in November 1990"),
        # A day precision without a day stays a month: no first of the month is invented.
        (TimeValue(1990, 11, None, 11), "November 1990", "in November 1990"),
        (TimeValue(1990, 11, 1, 10), "November 1990", "in November 1990"),
        (TimeValue(1825, 1, 1, 9), "1825", "in 1825"),
        (TimeValue(-44, None, None, 9), "44 BC", "in 44 BC"),
        (TimeValue(-44, 3, 15, 11, "julian"), "15 March 44 BC", "on 15 March 44 BC"),
        (TimeValue(79, None, None, 9), "AD 79", "in AD 79"),
        (TimeValue(1790, None, None, 8), "the 1790s", "in the 1790s"),
        (TimeValue(1800, None, None, 8), "the years 1800–1809", "in the years 1800–1809"),
        (TimeValue(1801, None, None, 7), "the 19th century", "in the 19th century"),
        (TimeValue(1900, None, None, 7), "the 19th century", "in the 19th century"),
        (TimeValue(-300, None, None, 7), "the 3rd century BC", "in the 3rd century BC"),
        (TimeValue(2000, None, None, 6), "the 2nd millennium", "in the 2nd millennium"),
        (TimeValue(-65_000_000, None, None, 3), "about 65 million years ago", "about 65 million years ago"),
        (TimeValue(1870, 4, 10, 11, "julian"), "10 April 1870 (Julian calendar)", "on 10 April 1870 (Julian calendar)"),
        (TimeValue(1470, 4, 10, 11, "julian"), "10 April 1470", "on 10 April 1470"),
    ],
)
def test_times(value: TimeValue, text: str, when: str) -> None:
    assert (say_value(value), say_when(value)) == (text, when)


def metres(amount: str, lower: str | None = None, upper: str | None = None, unit: str = "metre") -> QuantityValue:
    bounds = (Decimal(lower) if lower else None, Decimal(upper) if upper else None)
    return QuantityValue(Decimal(amount), *bounds, Term("Q11573", unit))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (QuantityValue(Decimal("1200000")), "1,200,000"),
        (QuantityValue(Decimal("+1.2E+6")), "1,200,000"),
        (QuantityValue(Decimal("-0.58")), "-0.58"),
        (QuantityValue(Decimal("1E+40")), "1 × 10^40"),
        (QuantityValue(Decimal("-0")), "0"),
        (metres("1"), "1 metre"),
        (metres("0.5"), "0.5 metres"),
        (metres("145", unit="degree Celsius"), "145 degrees Celsius"),
        (metres("9", unit="kilometre per second"), "9 kilometres per second"),
        (metres("6", unit="foot"), "6 feet"),
        (metres("3", unit="percent"), "3 percent"),
        (metres("3", unit="%"), "3%"),
        (metres("5", unit="United States dollar"), "5 United States dollars"),
        # Bounds that only say how the number was rounded are noise.
        (metres("145", "144", "146"), "145 metres"),
        (metres("1200000", "1150000", "1250000"), "1,200,000 metres"),
        (metres("145", "145", "145"), "145 metres"),
        (metres("145", "142", "148"), "145 ± 3 metres"),
        (metres("145", "140", "160"), "145 (between 140 and 160) metres"),
        (QuantityValue(Decimal(2), unit=Term("Q1", "Kilogramm", language="de")), "2 Kilogramm"),
        (QuantityValue(Decimal("NaN")), ""),
        (TextValue("C₄₂H₇₈N₂O₁₄"), "C₄₂H₇₈N₂O₁₄"),
        (TextValue("two\nlines\u202e  and\ttabs"), "two lines and tabs"),
        (TextValue("می\u200cخواهم"), "می\u200cخواهم"),
        (CoordinateValue(59.913, -10.75, 0.001), "59.913° N, 10.750° W"),
        (CoordinateValue(-1.5, 2.25), "1.5000° S, 2.2500° E"),
        (CoordinateValue(float("nan"), 1.0), ""),
    ],
)
def test_other_values(value: Value, text: str) -> None:
    assert say_value(value) == text


def test_a_long_text_is_cut_with_an_ellipsis() -> None:
    said = say_value(TextValue("word " * 200))
    assert len(said) <= 300
    assert said.endswith("…")
