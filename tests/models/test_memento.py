"""Copies of pages in web archives, by their addresses."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from models.memento import as_it_was, snapshot_at, to_look_at

PAGE = "https://library.example.org/adams?x=1&y=/2"
COPY = f"https://web.archive.org/web/20130919044612/{PAGE}"
RAW = f"https://web.archive.org/web/20130919044612id_/{PAGE}"


def test_a_copy_says_when_it_was_made_and_has_two_addresses() -> None:
    for url in (COPY, RAW):
        assert snapshot_at(url) == datetime(2013, 9, 19, 4, 46, 12, tzinfo=UTC)
        assert (as_it_was(url), to_look_at(url)) == (RAW, COPY)
    assert as_it_was("http://archive.example/coll/20130919044612/http:/a.example") == (
        "http://archive.example/coll/20130919044612id_/http:/a.example"
    )


@pytest.mark.parametrize(
    "url",
    [
        PAGE,
        "",
        "https://web.archive.org/web/2013/https://a.example/",
        "https://web.archive.org/web/20139919044612/https://a.example/",
        "https://a.example/20130919044612/page",
        "javascript:20130919044612/https://a.example/",
    ],
)
def test_what_is_no_copy_stays_as_it_is(url: str) -> None:
    assert snapshot_at(url) is None
    if "9919" not in url:
        assert (as_it_was(url), to_look_at(url)) == (url, url)
