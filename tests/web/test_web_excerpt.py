"""What of a long passage has room on the screen, and what the page gives in the value's place."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from models.evidence import Evidence, Match, Passage
from web.excerpt import excerpt
from web.way_on import given as given_value


def plain(text: str, matches: list[Match], most: int) -> str:
    return "".join(piece.text for piece in excerpt(text, matches, most).pieces)


def test_a_short_passage_is_whole() -> None:
    made = excerpt("Born in 1901.", [Match("value", "exact", 8, 12)])
    assert made.whole
    assert [(piece.text, piece.kind) for piece in made.pieces] == [("Born in ", None), ("1901", "value"), (".", None)]


def test_a_long_passage_is_cut_around_what_a_reader_most_needs_to_see() -> None:
    text = f"{'before ' * 300}Ann Lee was born in 1901 {'after ' * 300}"
    at, subject = text.index("1901"), text.index("Ann Lee")
    made = excerpt(text, [Match("subject", "exact", 0, 6), Match("value", "conflict", at, at + 4)], 150)
    assert (made.before, made.behind, made.whole) == (True, True, False)
    assert [piece.text for piece in made.pieces if piece.kind == "conflict"] == ["1901"]
    shown = "".join(piece.text for piece in made.pieces)
    assert "Ann Lee was born in 1901 after" in shown
    assert shown.startswith("before ")
    assert subject < at


@given(
    st.text(alphabet="ab é\u05d0", max_size=400),
    st.lists(st.tuples(st.integers(-5, 400), st.integers(0, 60)), max_size=4),
    st.integers(10, 200),
)
def test_an_excerpt_is_a_stretch_of_the_text_and_never_longer(
    text: str, spans: list[tuple[int, int]], most: int
) -> None:
    matches = [Match("value", "exact", start, start + length) for start, length in spans]
    shown = plain(text, matches, most)
    assert shown in text
    assert len(shown) <= max(most, 0)


def test_the_value_that_the_page_gives_is_the_surest_conflict() -> None:
    def one(text: str, *matches: Match) -> Evidence:
        return Evidence(Passage(text, "text", 0, 0, 0), 0.5, 0.1, 0.8, 0.1, matches)

    beside = one("born 14 March 1952", Match("property", "exact", 0, 4), Match("value", "conflict", 5, 18, 0.9))
    elsewhere = one("seen 2 May 1980", Match("value", "conflict", 5, 15, 0.9))
    supports = one("born 11 March 1952", Match("value", "exact", 5, 18))
    assert given_value([elsewhere, beside]) == "14 March 1952"
    assert given_value([supports]) == given_value([]) == ""
