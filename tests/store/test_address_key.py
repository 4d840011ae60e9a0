"""One page, however its address is spelled or archived."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.address_key import address_keys, hosts_of_keys

PAGE = "https://www.example.org/people/ann%20lee?id=7"
SPELLINGS = [
    "http://example.org/people/ann%20lee?id=7",
    "HTTPS://WWW.EXAMPLE.ORG:443/people/ann%20lee/?id=7",
    "https://user:pw@example.org./people/%61nn%20lee?id=%37#born",
    " https://example.org//people/ann%20lee?id=7 ",
]
COPIES = [
    "https://web.archive.org/web/20200101000000/https://www.example.org/people/ann%20lee?id=7",
    "https://web.archive.org/web/20200101000000id_/http://example.org:80/people/ann%20lee?id=7",
    "http://web.archive.org/web/2020/example.org/people/ann%20lee?id=7",
    "https://archive.ph/2020.01.01-000000/https://example.org/people/ann%20lee?id=7",
    "https://www.webcitation.org/query?url=https%3A%2F%2Fexample.org%2Fpeople%2Fann%2520lee%3Fid%3D7&date=2020",
    "https://proxy.example.net/http:/example.org/people/ann%20lee?id=7",
    "https://web.archive.org/web/2021/https://archive.ph/2020.01.01-000000/https://example.org/people/ann%20lee?id=7",
]
OTHERS = [
    "https://www.example.org/people/ann%20lee?id=8",
    "https://www.example.org/people/ann%20lee",
    "https://www.example.org/people/Ann%20Lee?id=7",
    "https://en.example.org/people/ann%20lee?id=7",
    "https://www.example.org:8080/people/ann%20lee?id=7",
    "https://web.archive.org/web/20200101000000/https://www.example.org/people/ann%20lee?id=8",
    "https://login.example.org/?next=https%3A%2F%2Fexample.org%2Fpeople%2Fann%2520lee%3Fid%3D7",
    "https://web.archive.org/",
]


@pytest.mark.parametrize("url", SPELLINGS)
def test_spellings_have_the_same_key(url: str) -> None:
    assert address_keys(url) == address_keys(PAGE)
    assert len(address_keys(url)) == 1


@pytest.mark.parametrize("url", COPIES)
def test_copies_have_the_key_of_the_page_and_their_own(url: str) -> None:
    assert address_keys(url) > address_keys(PAGE)


@pytest.mark.parametrize("url", OTHERS)
def test_other_pages_have_another(url: str) -> None:
    assert not address_keys(url) & address_keys(PAGE)
    assert address_keys(url)


@pytest.mark.parametrize("url", ["", "ann lee", "mailto:ann@example.org", "http://", "http://[", "https://a:b/"])
def test_what_is_no_address_has_no_key(url: str) -> None:
    assert address_keys(url) == frozenset()


def test_a_name_in_other_letters_is_the_same_host() -> None:
    keys = address_keys("https://www.Bücher.example/ä")
    assert keys == address_keys("https://xn--bcher-kva.example/%C3%A4")
    assert hosts_of_keys(keys) == {"xn--bcher-kva.example", "bücher.example"}


@given(st.text(max_size=80) | st.text("htps:/.w?=&%2Fab1@[]#", max_size=60).map("http://a.b/".__add__))
def test_any_text_has_some_keys_or_none(text: str) -> None:
    assert all(key.partition("/")[0] for key in address_keys(text))
    assert hosts_of_keys(address_keys(text)) is not None
