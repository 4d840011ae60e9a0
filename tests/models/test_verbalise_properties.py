"""What holds for any statement at all."""

from __future__ import annotations

import calendar
import re
from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from models.statement import (
    CoordinateValue,
    EntityValue,
    Qualifier,
    QuantityValue,
    Statement,
    Term,
    TextValue,
    TimeValue,
    Value,
)
from models.verbalise import Override, check_pattern, say_value, verbalise
from models.verbalise.labels import clean
from models.verbalise.patterns import pattern_ids

MONTHS = tuple(month for month in calendar.month_name if month)
WORDS = st.sampled_from(
    [
        "has",
        "is",
        "of",
        "by",
        "located",
        "in",
        "number",
        "the",
        "produced",
        "member",
        "{subject}",
        "{object}",
        "{}",
        "%",
        "name",
        "to",
        "?",
        "(s)",
        "at",
    ]
)

# Braces, line breaks, right-to-left text and its marks, and what looks like a gap or an id.
hostile = st.sampled_from(["{subject}", "{object}", "{0.__class__}", "[is]", "\n", "\r\n", "\u2028", "\t", "\x00"]) | (
    st.sampled_from(["\u202e", "\u200f", "דוגמה", "مثال", "\ud800", "…", "..", '"', "é", "\u0301", "%s", "\\1", "."])
)
any_text = st.text(max_size=40) | st.lists(hostile | st.text(max_size=5), max_size=8).map("".join)
any_label = any_text | st.none()
# No letters that could make "nan" or an id of their own.
plain_label = st.text("bcdefgh ijk{}%", min_size=1, max_size=30).filter(lambda text: bool(text.strip()))
property_label = (
    st.lists(WORDS | plain_label, min_size=1, max_size=5).map(" ".join).filter(lambda text: bool(text.strip()))
)
numbers = st.decimals(allow_nan=True, allow_infinity=True) | st.decimals(min_value=-(10**9), max_value=10**9, places=3)


def terms(labels: st.SearchStrategy[Any]) -> st.SearchStrategy[Term]:
    return st.builds(Term, st.sampled_from(["Q1990", "Q42"]), labels)


times = st.builds(
    TimeValue,
    st.integers(-14_000_000_000, 10_000),
    st.none() | st.integers(1, 12),
    st.none() | st.integers(1, 31),
    st.integers(0, 14),
    st.sampled_from(["gregorian", "julian"]),
)


def values(labels: st.SearchStrategy[Any]) -> st.SearchStrategy[Value]:
    return st.one_of(
        times,
        st.builds(QuantityValue, numbers, st.none() | numbers, st.none() | numbers, st.none() | terms(labels)),
        st.builds(EntityValue, terms(labels)),
        st.builds(TextValue, labels.filter(lambda text: text is not None), st.none() | st.just("en")),
        st.builds(CoordinateValue, st.floats(), st.floats(), st.none() | st.floats()),
    )


def statements(labels: st.SearchStrategy[Any]) -> st.SearchStrategy[Statement]:
    known = st.sampled_from(sorted(pattern_ids())) | st.just("P99999")
    qualifier_ids = st.sampled_from(
        ["P580", "P582", "P585", "P642", "P1545", "P3831", "P1480", "P518", "P1013", "P1319", "P1352", "P5102", "P1"]
    )
    return st.builds(
        Statement,
        guid=st.just("Q1$1"),
        item=terms(labels),
        property=st.builds(Term, known, property_label),
        datatype=st.just(""),
        value=values(labels),
        qualifiers=st.lists(
            st.builds(Qualifier, st.builds(Term, qualifier_ids, st.just("q")), values(labels)), max_size=4
        ).map(tuple),
    )


overrides = st.none() | st.builds(Override, st.sampled_from(["label", "pattern"]), any_text)


@given(statements(any_label | plain_label), overrides)
def test_never_raises_and_always_one_line(statement: Statement, override: Override | None) -> None:
    claim = verbalise(statement, override)
    if claim is not None:
        assert claim.text
        assert len(claim.text.splitlines()) == 1
        assert not re.search(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e]", claim.text)


@given(statements(any_label | plain_label))
def test_any_label_gives_a_sentence_with_both_sides_and_one_end(statement: Statement) -> None:
    claim = verbalise(statement)
    subject, value = clean(statement.item.label or ""), say_value(statement.value)
    if claim is None:
        assert not (subject and value and clean(statement.property.label or ""))
        return
    assert subject in claim.text
    assert value in claim.text
    assert claim.text.endswith((".", "!", "?", "…"))
    if not value.endswith((".", "…")) and not statement.qualifiers and not subject.endswith("."):
        assert not claim.text.endswith("..")
    for raw in ("T00:00:00Z", "Q1990", "Q42", "\n"):
        assert raw not in claim.text


@given(statements(plain_label))
def test_holds_the_subject_and_the_value_and_nothing_raw(statement: Statement) -> None:
    claim = verbalise(statement)
    value = say_value(statement.value)
    assert (claim is None) == (not value)
    if claim is not None:
        assert clean(statement.item.label or "") in claim.text
        assert value in claim.text
        for raw in ("nan", "NaN", "Infinity", "T00:00:00Z", "Q1990", "Q42"):
            assert raw not in claim.text
        assert not re.search(r"\+\d{4}", claim.text)


@given(times.filter(lambda time: time.precision in {9, 10} or time.day is None))
def test_no_day_is_named_that_the_statement_does_not_have(time: TimeValue) -> None:
    said = say_value(time)
    assert not re.search(rf"\d ({'|'.join(MONTHS)})", said)
    if time.precision == 9 or time.month is None:
        assert not any(month in said for month in MONTHS)


@given(statements(plain_label), st.text("xyz {subject}{object}", min_size=1, max_size=30))
def test_a_good_pattern_is_used_literally(statement: Statement, text: str) -> None:
    pattern = f"{{subject}} xx {text} yy {{object}}"
    if check_pattern(pattern) is None and not statement.qualifiers and say_value(statement.value):
        claim = verbalise(statement, Override("pattern", pattern))
        subject, value = clean(statement.item.label or ""), say_value(statement.value)
        parts = re.split(r"(\{subject\}|\{object\})", clean(pattern))
        filled = "".join({"{subject}": subject, "{object}": value}.get(part, part) for part in parts)
        assert claim is not None
        assert claim.text.rstrip(".") == filled.rstrip(".")
        assert claim.wording == "override"


@given(st.text(max_size=60))
def test_check_pattern_answers_any_text(text: str) -> None:
    complaint = check_pattern(text)
    assert (complaint is None) == (
        "{subject}" in text
        and "{object}" in text
        and not re.search(r"[{}]", text.replace("{subject}", "").replace("{object}", ""))
        and not re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", text)
    )


@given(st.decimals(min_value=-(10**15), max_value=10**15, places=2))
def test_a_quantity_keeps_its_number(amount: Decimal) -> None:
    assert Decimal(say_value(QuantityValue(amount)).replace(",", "")) == amount
