"""Plain text to paragraphs: what a machine broke is joined, what a person broke is not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from models.read.text import text_blocks

WRAPPED = """THE LIFE OF ANN LEE
by J. Smith

     Ann Lee was born on 12 May 1901 in the town of Leeds, where her
father kept a shop and her mother taught at the school of the par-
ish for more than thirty years. She went to the well-known grammar
school and won a scholarship in 1919.  Her well-
known book came out in 1931.
     In 1923 she moved to York.
-------------------------------------------

  * The Long Coast (1931)
  * Harbour Lights (1935), translated into eleven languages and read
    by J. Smith

Born: 1901
Died: 1980
"""


def texts(text: str) -> list[str]:
    return [block.text for block in text_blocks(text)]


def test_lines_broken_to_fit_a_width_are_joined() -> None:
    assert texts(WRAPPED) == [
        "THE LIFE OF ANN LEE\nby J. Smith",
        "Ann Lee was born on 12 May 1901 in the town of Leeds, where her father kept a shop and her mother taught at "
        "the school of the parish for more than thirty years. She went to the well-known grammar school and won a "
        "scholarship in 1919. Her well-known book came out in 1931.\nIn 1923 she moved to York.",
        "* The Long Coast (1931)\n* Harbour Lights (1935), translated into eleven languages and read by J. Smith",
        "Born: 1901\nDied: 1980",
    ]


def test_line_ends_of_every_kind_are_the_same() -> None:
    assert texts(WRAPPED.replace("\n", "\r\n")) == texts(WRAPPED.replace("\n", "\r")) == texts(WRAPPED)


def test_a_paragraph_on_one_line_stays_as_it_is() -> None:
    long = "She wrote about the sea and the people who lived by it. " * 9
    assert texts(f"{long}\n{long}\n\nBorn 1901\f\nDied 1980") == [
        f"{long.strip()}\n{long.strip()}",
        "Born 1901",
        "Died 1980",
    ]


def test_what_a_printer_was_told_is_not_read() -> None:
    assert texts("A\bAN\bNN\bN L\bLE\bEE\bE was born in _\bL_\be_\be_\bd_\bs\x1a") == ["ANN LEE was born in Leeds\x1a"]
    assert texts("Ann Lee\x1f1901\x1eBob Lee\x1f1902\x1dYork") == ["Ann Lee 1901\nBob Lee 1902", "York"]


def test_verse_is_not_joined() -> None:
    verse = "The sea is calm\nand so am I\nwho lived by it\nfor many years\n"
    assert texts(verse) == [verse.strip()]


def test_years_that_are_broken_keep_their_hyphen() -> None:
    lines = "Of the years that she spent in the town by the sea, namely 1923-\n1931, she wrote in her letters to " + (
        "the people\nof the school, who kept them all in a box.\n"
    )
    assert "1923-1931" in texts(lines)[0]


@given(st.text(max_size=400))
def test_nothing_but_hyphens_space_and_rules_is_lost(text: str) -> None:
    kept = "".join(texts(text))
    assert all(character in kept for character in text if character.isalpha() and not character.isspace())
