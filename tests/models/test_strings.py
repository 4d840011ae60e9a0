"""Strings, character for character after normalising, and never inside a longer token."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.values.strings import find_string, find_strings


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("PG-13", "Rated PG-13 for language"),
        ("PG-13", "Rated PG‑13"),
        ("pg-13", "PG–13"),
        ("PG", "rated PG."),
        ("PG", "a PG-rated film"),
        ("R", "Rated R for violence"),
        ("12A", "BBFC: 12A."),
        ("15", "Certificate 15"),
        ("II*", "Grade II* listed"),
        ("C8H10N4O2", "caffeine, C₈H₁₀N₄O₂"),
        ("H2O", "H₂O"),
        ("AB12", "code AB12, black"),
        ("2.5", "since version 2.5."),
        ("+44 20 7946 0958", "call +442079460958"),
        ("+44 20 7946 0958", "+44-20-7946-0958 or +44 20 7946 0958"),
        ("SW1A 1AA", "London SW1A1AA"),
        ("0000 0001 2103 2683", "ISNI 0000000121032683"),
        ("4/5", "Our verdict: 4 / 5"),
        ("93%", "Score: 93 %"),
        ("M31", "Messier object M 31"),
        ("2.10.1", "Download v2.10.1"),
        ("978-3-16-148410-0", "ISBN 9783161484100"),
        ("9783161484100", "ISBN-13: 978-3-16-148410-0"),
        ("0000-0002-1825-0097", "https://orcid.org/0000-0002-1825-0097"),
        ("10.1000/182", "https://doi.org/10.1000/182"),
        ("LHR", "Heathrow (LHR/EGLL)"),
        ("CAN", "Canada (CAN)"),
        ("CAN", "USA CAN MEX"),
        ("BBC", "BBC NEWS ONLINE TODAY"),
        ("0-306-40615-2", "ISBN 0–306–40615–2"),
        ("S.I. No. 569/2015", "SI No. 569/2015"),
        ("https://www.example.org/", "see example.org now"),
        ("https://www.example.org/a", "http://example.org/a/"),
        ("info@example.org", "mail to info@example.org."),
        ("The Hobbit, or There and Back Again", "The Hobbit: Or, There and Back Again"),
        ("Harry Potter and the Philosopher's Stone", "HARRY POTTER AND THE PHILOSOPHER’S STONE"),
        ("Größe", "GRÖSSE"),
        ("カフェ", "「カフェ」"),
        ("naïve", unicodedata.normalize("NFD", "naïve")),
        ("caffeine", "caf\u00adfeine"),
    ],
)
def test_a_string_is_found_as_pages_write_it(value: str, text: str) -> None:
    found = find_string(value, text)
    assert found is not None
    assert found.how == "exact"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("PG", "Rated PG-13"),
        ("R", "rated r"),
        ("R", "R-rated"),
        ("U", "UK"),
        ("S", "it's S-shaped"),
        ("T", "don’t"),
        ("15", "in 2015"),
        ("15", "1 5"),
        ("15", "15–20"),
        ("12", "12A"),
        ("12A", "12 A"),
        ("II", "Grade II*"),
        ("CAN", "You can reach us"),
        ("CAN", "Can you hear it?"),
        ("CAN", "YOU CAN REACH US"),
        ("CAN", "CANADA"),
        ("CAN", "CAN-2010"),
        ("AB12", "AB123"),
        ("AB12", "AB12-7"),
        ("2.5", "12.5"),
        ("2.5", "2.55"),
        ("25", "2.5"),
        ("0.2.1", "0.2.1.4"),
        ("0.2.1", "10.2.1"),
        ("7946", "+44 20 7946 0958"),
        ("234", "1 234 567"),
        ("C", "C++"),
        ("AB12", "A\nB12"),
        ("+44 20 7946 0958", "(020) 7946 0958"),
        ("example.org/a", "example.org/ab"),
        ("https://www.example.org/", "www.example.org.uk"),
        ("https://www.example.org/", "www.example.org/about"),
        ("569", "S.I. 569/2015"),
        ("", "anything"),
        ("—", "a — b"),
    ],
)
def test_a_string_is_not_found_inside_a_longer_token(value: str, text: str) -> None:
    assert find_string(value, text) is None


def test_every_place_is_given_up_to_a_bound() -> None:
    places = find_strings("AB12", "AB12, ab12 and AB123 " * 30)
    assert len(places) == 20
    assert [(place.start, place.end) for place in places[:2]] == [(0, 4), (6, 10)]
    assert places[0] == find_string("AB12", "AB12, ab12 and AB123 " * 30)


@given(st.text(max_size=30), st.text(max_size=60), st.text(max_size=60))
def test_no_text_breaks_the_search(value: str, before: str, after: str) -> None:
    text = before + value + after
    for found in find_strings(value, text):
        assert 0 <= found.start < found.end <= len(text)


@given(st.from_regex(r"[A-Za-z0-9]{3,12}(-[A-Za-z0-9]{1,6}){0,2}", fullmatch=True))
def test_a_code_between_words_is_always_found(code: str) -> None:
    found = find_string(code, f"the code is {code}, as given")
    assert found is not None
    assert (found.start, found.end) == (12, 12 + len(code))
    assert find_string(code, f"the code is {code}9, as given") is None
    assert find_string(code, f"the code is x{code}, as given") is None


@pytest.mark.parametrize("piece", ["1 ", "a", "ab ", "1.", "-1", "\u00ad"])
def test_hostile_text_takes_time_in_proportion(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    started = time.process_time()
    for value in ("1 1 1 1 1 1 1 x", "1", "aaaaaaaaaaaab", "ab ab ab ab x"):
        find_strings(value, text)
    assert time.process_time() - started < 5
