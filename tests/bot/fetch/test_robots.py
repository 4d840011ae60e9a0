"""What the text of a robots.txt means for us."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from bot.fetch.robots import LARGEST, read_rules, rules_text

URL = "https://example.org/private/page?x=1"


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("", True),
        ("User-agent: *\nDisallow: /private", False),
        ("User-agent : *\nDisallow : /private", False),
        ("user-agent:*\ndisallow:/private", False),
        ("User-agent: *\r\nDisallow: /private\r\n", False),
        ("\ufeffUser-agent: *\nDisallow: /", False),
        ("User-agent: other\nUser-agent: *\nDisallow: /private", False),
        ("User-agent: other\nDisallow: /private", True),
        ("User-agent: *\nDisallow: /\n\nUser-agent: Citewell\nDisallow: /else", True),
        ("User-agent: *\nDisallow: /else\n\nUser-agent: citewell/1.0 # us\nDisallow: /private", False),
        ("User-agent: *\nDisallow: /else\n\nUser-agent: CITEWELL\nDisallow: /private", False),
        ("User-agent: Cite\nDisallow: /", True),
        ("User-agent: Citewell-Images\nDisallow: /", True),
        ("User-agent: c\nDisallow: /", True),
        ("User-agent: Citewell\nDisallow: /x\n\nUser-agent: Citewell\nDisallow: /private", False),
        ("User-agent: *\nDisallow: /private\nAllow: /private/page", True),
        ("User-agent: *\nAllow: /private\nDisallow: /private", True),
        ("User-agent: *\nDisallow: /*?x=", False),
        ("User-agent: *\nDisallow: /*page$", True),
        ("User-agent: *\nDisallow:", True),
        ("Disallow: /private", True),
        ("<html><body>Not found</body></html>", True),
    ],
)
def test_the_group_for_us_holds(text: str, allowed: bool) -> None:
    assert read_rules(rules_text(text.encode())).allow(URL) is allowed


@pytest.mark.parametrize(
    "path", ["/open/../private/a", "/./private/a", "/open/%2e%2e/private/a", "/%70rivate/a", "/private/../open/b"]
)
def test_the_address_that_is_asked_for_must_be_allowed_too(path: str) -> None:
    rules = read_rules("User-agent: *\nDisallow: /private")
    assert not rules.allow(f"https://example.org{path}")
    assert rules.allow("https://example.org/open/./b")


@pytest.mark.parametrize(
    ("line", "delay_s"),
    [("2", 2.0), ("0.5", 0.5), ("", 0.0), ("-3", 0.0), ("nan", 0.0), ("inf", 0.0), ("1e9", 1e9), ("soon", 0.0)],
)
def test_a_crawl_delay_is_a_number_of_seconds(line: str, delay_s: float) -> None:
    assert read_rules(f"User-agent: *\nCrawl-delay: {line}").crawl_delay_s == delay_s


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"User-agent: robot{number}" for number in range(25_000)) + "\nDisallow: /x" * 5_000,
        "User-agent: *\n" + "\n".join(f"Disallow: /{number}" for number in range(30_000)),
        "User-agent: *\nDisallow: /" + "*a" * 200_000,
        "User-agent: *\n" + "Disallow: /*a*b*c*d*e*f*g*h$\n" * 15_000,
        ":" * LARGEST,
        "User-agent: *\nAllow: /" + "%" * 400_000,
    ],
)
def test_no_text_takes_long(text: str) -> None:
    begun = time.process_time()
    rules = read_rules(rules_text(text.encode()))
    rules.allow("https://example.org/" + "abcdefg" * 300)
    assert time.process_time() - begun < 3


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_rules_are_read_in_the_encodings_that_editors_write(encoding: str) -> None:
    assert not read_rules(rules_text("User-agent: *\nDisallow: /private".encode(encoding))).allow(URL)


LINES = st.lists(
    st.sampled_from(
        [
            "User-agent: *",
            "User-agent: Citewell",
            "User-agent: other",
            "Disallow: /private",
            "Allow: /private/page",
            "Disallow: /",
            "Crawl-delay: 3",
            "# a remark",
            "",
        ]
    ),
    max_size=12,
).map("\n".join)


@given(LINES)
def test_other_robots_under_one_name_change_nothing_for_us(text: str) -> None:
    rules, whole = read_rules(text), Protego.parse(text)
    assert rules.allow(URL) == whole.can_fetch(URL, "Citewell")
    assert rules.crawl_delay_s == (whole.crawl_delay("Citewell") or 0)


@given(st.binary(max_size=300), st.text(max_size=50))
def test_no_bytes_break_it(body: bytes, path: str) -> None:
    text = rules_text(body)
    assert "\x00" not in text
    rules = read_rules(text)
    assert rules.allow(f"https://example.org/{path}") in (True, False)
    assert 0 <= rules.crawl_delay_s < float("inf")
