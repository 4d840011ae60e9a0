"""Whom an address asks: one host has one name, however it is written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.fetch.site import NoWebAddress, site_of


@pytest.mark.parametrize(
    ("url", "name", "origin"),
    [
        ("https://example.org/page", "example.org", "https://example.org"),
        ("http://example.org:80/", "example.org", "http://example.org"),
        ("HTTPS://EXAMPLE.org.:443/", "example.org", "https://example.org"),
        ("https://user:secret@example.org/", "example.org", "https://example.org"),
        ("http://example.org:8080/", "example.org:8080", "http://example.org:8080"),
        ("http://zoë.example/", "xn--zo-ija.example", "http://xn--zo-ija.example"),
        ("http://8.8.8.8/", "8.8.8.8", "http://8.8.8.8"),
        ("http://0x08.8.2056/", "8.8.8.8", "http://8.8.8.8"),
        ("http://[2620:0:861:ED1A:0:0:0:1]:81/", "[2620:0:861:ed1a::1]:81", "http://[2620:0:861:ed1a::1]:81"),
    ],
)
def test_one_host_has_one_name(url: str, name: str, origin: str) -> None:
    site = site_of(url)
    assert (site.name, site.origin) == (name, origin)
    assert site.robots_url == f"{origin}/robots.txt"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org",
        "ftp://example.org/",
        "file:///etc/passwd",
        "http://",
        "http:///x",
        "http://[::1",
        "http://example.org:25/",
        "https://example.org:22/",
        "http://example.org:0/",
        "//a.example/",
    ],
)
def test_what_is_no_web_address_is_refused(url: str) -> None:
    with pytest.raises(NoWebAddress) as raised:
        site_of(url)
    assert "\n" not in str(raised.value)


@given(st.one_of(st.text(max_size=60), st.text(max_size=60).map("http://{}/".format)))
def test_any_text_is_a_site_or_none(url: str) -> None:
    try:
        site = site_of(url)
    except NoWebAddress:
        return
    assert site.host
    assert site.name.isascii()
    assert site.name == site.name.lower()
    assert site_of(site.robots_url).name == site.name
