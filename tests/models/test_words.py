"""Words of a text: folded, with their places, their case and what parts them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.values.transliterate import skeleton
from models.values.words import fold, words_of


@pytest.mark.parametrize(
    ("word", "folded"),
    [("Łódź", "lodz"), ("Smith's", "smith"), ("Straße", "strasse"), ("Ærø", "aero"), ("Толстой", "tolstoy"),
     ("Горбачёв", "gorbachev"), ("Παπανδρέου", "papandreou"), ("Ελευθέριος", "eleftherios")],
)  # fmt: skip
def test_a_word_is_folded_to_plain_latin_letters(word: str, folded: str) -> None:
    assert fold(word) == folded


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("dostoevskiy", "dostoyevsky"),
        ("chaikovsky", "tchaikovsky"),
        ("rakhmaninov", "rachmaninoff"),
        ("khrushchev", "chruschtschow"),
        ("gorbachyov", "gorbatschow"),
        ("zhukov", "schukow"),
        ("vasilyev", "vasiliev"),
    ],
)
def test_transcriptions_of_one_name_share_a_key(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("text", "words", "surfaces"),
    [
        ("Seba-\nstian Bach", "sebastian bach", ["Seba-\nstian", "Bach"]),
        ("Se\xadbastian", "sebastian", ["Se\xadbastian"]),
        ("Jean-\nPierre", "jean pierre", ["Jean", "Pierre"]),
        ("Berg1959 und SI1959a", "berg 1959 und si1959a", ["Berg", "1959", "und", "SI1959a"]),
        ("M&uuml;ller &amp; Co", "muller co", ["M&uuml;ller", "Co"]),
        ("H a h n,  O t t o", "hahn otto", ["H a h n", "O t t o"]),
        ("L e o  F a l k", "leo falk", ["L e o", "F a l k"]),
        ("plan A B C", "plan a b c", ["plan", "A", "B", "C"]),
    ],
)
def test_words_that_a_page_broke_are_mended(text: str, words: str, surfaces: list[str]) -> None:
    read = words_of(text)
    assert " ".join(read.words) == words
    assert [read.surface(at) for at in range(len(read.words))] == surfaces


def test_a_line_may_end_inside_a_name_but_not_a_paragraph() -> None:
    text = words_of("Ada \n Holm\n\nOtto  Hahn &amp; Co")
    assert [text.wraps(at) for at in range(4)] == [True, False, False, False]
    assert (text.gap(2), text.gap(3)) == (" ", " & ")


def test_words_in_another_script_are_known() -> None:
    assert words_of("Лев Толстой (Tolstoy)").foreign == {"lev", "tolstoy"}
    assert words_of("Łódź").foreign == frozenset()


def test_other_names_have_another_key() -> None:
    assert skeleton("johnson") != skeleton("johansen")


def test_a_sentence_and_a_cell_part_names_and_an_abbreviation_does_not() -> None:
    text = words_of("to London. Bridge; St. Paul, Minn | x")
    parted = {text.surface(at) for at in range(len(text.words)) if text.parted(at)}
    assert parted == {"London", "Bridge", "Minn", "x"}


_BROKEN = st.lists(
    st.sampled_from(["a ", "B", "&uuml;", "&", ";", "-\n", "\xad", "1959", "Berg", " ", "ж", "'s"]), max_size=30
)


@given(st.text(max_size=300) | _BROKEN.map("".join))
def test_every_word_stands_where_it_says(text: str) -> None:
    words = words_of(text)
    assert len(words.words) == len(words.spans)
    assert set(words.words) == words.vocabulary
    for at, (start, end) in enumerate(words.spans):
        assert text[start:end] == words.surface(at)
        assert words.parted(at) in {True, False}
        assert words.opens(at) in {True, False}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Prokof'ev", ("prokofev",)),
        ("Petr Il’ich", ("petr", "ilich")),
        ("Couldn't", ("couldn't",)),
        ("Aujourd'hui", ("aujourd", "hui")),
        ("Dell'arte", ("dell", "arte")),
        ("Holm's", ("holm",)),
    ],
)
def test_a_soft_sign_doesnt_part_a_word(text: str, words: tuple[str, ...]) -> None:
    assert words_of(text).words == words
