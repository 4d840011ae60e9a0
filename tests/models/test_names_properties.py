"""What holds for every name: its renderings are it, another person of the same surname isn't, and time is bounded."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.values.names import all_names, find_names
from models.values.names.persons import PARTICLES, TITLES, is_first_name
from models.values.words import words_of

NAMED = 0.8
_NOT_NAMES = TITLES | PARTICLES
_WORD = st.from_regex(r"[A-Z][a-z]{3,8}", fullmatch=True).filter(lambda word: word.lower() not in _NOT_NAMES)
_GIVEN = st.sampled_from("John Mary Robert Anna Peter Olga Karl Susan Henry Alice".split())
_MIDDLE = st.sampled_from("Quentin Ysolde Barnaby Zelda Ferdinand Lavinia".split())
_LAST = st.sampled_from("Harrington Nightingale Vandermeer Kowalski Ødegård Bäckström Guérin Lindqvist".split())
_RENDERINGS = (
    "{g} {m} {s}", "{s}, {g} {m}", "{S}, {g} {m}", "{g} {mi}. {s}", "{gi}. {mi}. {s}", "{s}, {gi}. {mi}.", "{g} {s}",
    "Sir {g} {m} {s}", "Prof. Dr. {g} {m} {s}", "{G} {M} {S}", "{g} {m} {s}'s", "{gi}{mi} {s}", "Rev. {g} {mi} {s}",
)  # fmt: skip


def render(pattern: str, given: str, middle: str, last: str) -> str:
    return pattern.format(
        g=given, m=middle, s=last, gi=given[0], mi=middle[0], G=given.upper(), M=middle.upper(), S=last.upper()
    )


@given(_GIVEN, _MIDDLE, _LAST, st.sampled_from(_RENDERINGS))
def test_every_rendering_of_a_name_is_found(given_: str, middle: str, last: str, pattern: str) -> None:
    text = f"It was written by {render(pattern, given_, middle, last)}, who lived there."
    found = find_names((f"{given_} {middle} {last}",), words_of(text), person=True)
    assert found is not None
    assert found.score >= NAMED


_TWO_GIVEN = st.tuples(_GIVEN, _GIVEN).filter(lambda pair: pair[0][0] != pair[1][0])


@given(_TWO_GIVEN, _MIDDLE, _LAST, st.sampled_from(_RENDERINGS))
def test_another_of_the_same_surname_is_not(both: tuple[str, str], middle: str, last: str, pattern: str) -> None:
    given_, other = both
    text = f"It was written by {render(pattern, other, middle, last)}, who lived there."
    found = find_names((f"{given_} {last}",), words_of(text), person=True)
    assert found is None or found.score < NAMED


@given(st.lists(_WORD, min_size=2, max_size=4, unique_by=str.lower))
def test_a_name_is_found_in_a_sentence_that_has_it(parts: list[str]) -> None:
    found = find_names((" ".join(parts),), words_of(f"In that year {' '.join(parts)} went abroad."))
    assert found is not None
    assert found.score == 1.0


@given(st.lists(st.text(max_size=40), max_size=4), st.text(max_size=200), st.sampled_from([True, False, None]))
def test_any_names_in_any_text_give_spans_inside_it(names: list[str], text: str, person: bool | None) -> None:
    end = 0
    for found in all_names(names, words_of(text), person=person):
        assert end <= found.start < found.end <= len(text)
        assert 0 < found.score <= 1
        end = found.end


_PIECES = st.lists(
    st.sampled_from("John J. Smith Smith, von II 4th Baronet ( ) - 's \" née Jr. 7 & of the Ltd É".split()), max_size=12
).map(" ".join)


@given(_PIECES, _PIECES, st.sampled_from([True, None]))
def test_pieces_of_names_in_any_order_never_raise(name: str, text: str, person: bool | None) -> None:
    for found in all_names((name,), words_of(text), person=person):
        assert 0 <= found.start < found.end <= len(text)


@pytest.mark.parametrize("piece", ["Smith ", "J. ", "John Smith ", "Smith, ", "of the ", "Smit ", "A-", "'", "("])
def test_hostile_text_takes_time_in_proportion(piece: str) -> None:
    text = words_of(piece * (200_000 // len(piece.split() or [piece])))
    start = time.process_time()
    all_names(("John Smith", "Bank of the Smiths", "J. J. J. J. Smith", "J.J."), text, person=None)
    assert time.process_time() - start < 2.0


_ALIASES = tuple(f"{first} {middle} Lee" for first in ("A.", "Anna", "Annie", "Nan") for middle in ("M.", "Mary", "J."))


@pytest.mark.parametrize("piece", ["ann lee ", "ann-lee-", "ann1 lee, ", "Lee, Bob; ", "Lee "])
def test_a_page_made_of_one_name_costs_little_more_than_any_other(piece: str) -> None:
    passages = [words_of(f"{number} {piece * (600 // len(piece))}") for number in range(50)]
    start = time.process_time()
    for text in passages:
        find_names(("Ann Lee", *_ALIASES), text, person=True, about="British writer")
    assert time.process_time() - start < 2.0


def test_the_last_of_many_of_one_surname_is_found() -> None:
    others = "; ".join(f"Lee, {first}" for first in ("Bob", "Carl", "Dora", "Emil", "Fay", "Guy", "Hal", "Ida") * 3)
    found = find_names(("Ann Lee", "Ann Mary Lee"), words_of(f"{others}; Lee, Ann"), person=True)
    assert found is not None
    assert found.score >= NAMED


@given(_GIVEN)
def test_common_first_names_are_known(name: str) -> None:
    assert is_first_name(name.lower())
