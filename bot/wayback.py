"""The nearest copy of a page in a web archive, by the Wayback Machine's availability API.

The question is an address like any other, asked through the same gate: at its host's pace, kept, and fresh for as long.
https://archive.org/help/wayback_api.php
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from config import Fetch
from models.document import Document
from models.memento import as_it_was, snapshot_at

RETRIEVED = "P813"
_TIME = re.compile(r"\+?(\d{4})-(\d\d)-(\d\d)T")
_PUBLIC, _SAFE = "http://web.archive.org/", "https://web.archive.org/"  # it names the first, which leads to the second


class NoAnswer(Exception):
    """An answer that isn't one of the API's: whether there is a copy isn't known. One line."""


@dataclass(frozen=True, slots=True)
class Wayback:
    """An archive, by the address of its availability API."""

    api: str

    def question(self, url: str, retrieved: str) -> str:
        """The address that asks for the copy of `url` nearest to a date (see `retrieved_on`; "": the newest copy)."""
        asked = {"url": url} | ({"timestamp": retrieved} if retrieved else {})
        return f"{self.api}{'&' if '?' in self.api else '?'}{urlencode(asked)}"


def configured(fetch: Fetch) -> Wayback | None:
    """The archive that the configuration names; None where none is to be asked."""
    return Wayback(fetch.wayback_api) if fetch.wayback else None


def nearest(answer: Document) -> str | None:
    """The address of the copy that the API names, as the page was sent; None where it has none. Raises `NoAnswer`."""
    try:
        said = json.loads(answer.body)
        snapshots = said["archived_snapshots"]
        closest = snapshots.get("closest")
        if not closest:
            return None
        url, available, status = closest["url"], closest["available"], str(closest.get("status", "200"))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise NoAnswer(f"{answer.url} gave no answer of the availability API") from error
    if not isinstance(url, str) or available is not True or not status.startswith("2"):
        return None
    if snapshot_at(url) is None or not url.isprintable() or " " in url:
        raise NoAnswer(f"{answer.url} named no snapshot: {url[:100]!r}")
    return as_it_was(_SAFE + url.removeprefix(_PUBLIC) if url.startswith(_PUBLIC) else url)


def retrieved_on(snaks: Mapping[str, Any]) -> str:
    """The date (P813) on which a reference's page was looked at, as the API takes it: "20130919", "201309" or "2013".

    The newest of several; "" where there is none. `snaks` as in Wikibase JSON.
    """
    given = snaks.get(RETRIEVED)
    dates = [_digits(snak) for snak in given] if isinstance(given, Sequence) else []
    return max(dates, default="")


def _digits(snak: object) -> str:
    try:
        value = snak["datavalue"]["value"]  # type: ignore[index]
        found = _TIME.match(value["time"])
        precision = int(value.get("precision", 11))
    except (LookupError, TypeError, ValueError, AttributeError):
        return ""
    if found is None or precision < 9:
        return ""
    year, month, day = found.groups()
    parts = [year, month if precision > 9 and month != "00" else "", day if precision > 10 and day != "00" else ""]
    return "".join(parts)
