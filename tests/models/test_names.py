"""Names as people write them (case 12), and strings character for character."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.values.names import find_name, find_names
from models.values.strings import find_string
from models.values.words import words_of


@pytest.mark.parametrize(
    ("name", "text", "how"),
    [
        ("East Lothian", "Local Authority: East Lothian", "exact"),
        ("J. R. R. Tolkien", "Tolkien, John Ronald Reuel", "initials"),
        ("John Ronald Reuel Tolkien", "by J. R. R. Tolkien, who", "initials"),
        ("John Tolkien", "Tolkien, John R. R.", "reordered"),
        ("Łódź", "born in Lodz, Poland", "exact"),
        ("Dostoevsky", "by Dostoyevsky in 1866", "fuzzy"),
        ("Marie Curie", "Marie Skłodowska Curie was", "reordered"),
    ],
)
def test_a_name_is_found_in_its_common_forms(name: str, text: str, how: str) -> None:
    found = find_name(name, words_of(text))
    assert found is not None
    assert found.how == how


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("John Smith", "Anna Jones and Peter Brown"),
        ("J. R. R. Tolkien", "Christopher Tolkien edited it"),
        ("Mary Daly", "daily news of the day"),
        ("India", "Indianapolis"),
        ("Iran", "Tirana"),
    ],
)
def test_another_name_is_not_taken_for_it(name: str, text: str) -> None:
    found = find_name(name, words_of(text))
    assert found is None or found.score < 0.8


def test_the_label_goes_before_an_alias() -> None:
    found = find_names(("United States", "USA"), words_of("the USA, that is the United States"))
    assert found is not None
    assert found.how == "exact"
    assert find_names(("United States", "USA"), words_of("born in the USA")).how == "alias"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("value", "text"),
    [("C₄₂H₇₈N₂O₁₄", "Formula: C42H78N2O14"), ("SI 2014 No. 3049", "S.I. 2014 No. 3049"), ("2.5", "rated 2.5 of 5")],
)
def test_a_string_is_found_after_normalising(value: str, text: str) -> None:
    assert find_string(value, text) is not None


@pytest.mark.parametrize(
    ("value", "text"), [("2.5", "12.5"), ("2.5", "2.55"), ("0.2.1", "0.2.1.4"), ("44532", "445321")]
)
def test_a_string_inside_a_longer_one_is_another(value: str, text: str) -> None:
    assert find_string(value, text) is None


@given(st.text(max_size=60), st.text(max_size=200))
def test_spans_lie_within_the_text(name: str, text: str) -> None:
    for found in (find_name(name, words_of(text)), find_string(name, text)):
        if found:
            assert 0 <= found.start < found.end <= len(text)
            assert 0 < found.score <= 1


@given(st.lists(st.from_regex(r"[A-Z][a-z]{3,9}", fullmatch=True), min_size=2, max_size=4, unique=True))
def test_a_name_is_found_in_a_sentence_that_has_it(parts: list[str]) -> None:
    found = find_name(" ".join(parts), words_of(f"In that year {' '.join(parts)} went abroad."))
    assert found is not None
    assert found.score == 1.0
