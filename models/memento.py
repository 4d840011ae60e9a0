"""Copies of pages in web archives that are replayed by time: which moment a copy is of, and its addresses.

The Wayback Machine's form, which most such archives share: `https://web.archive.org/web/20130919044612/http://a.example/`.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

_SNAPSHOT = re.compile(r"(https?://[^/?#]+/(?:[^/?#]+/)*?)(\d{14})([a-z]{2}_)?/(https?://?.+)", re.IGNORECASE)


def snapshot_at(url: str) -> datetime | None:
    """When a copy was made, by its address (UTC); None where that isn't the address of such a copy."""
    found = _SNAPSHOT.fullmatch(url)
    try:
        return datetime.strptime(found[2], "%Y%m%d%H%M%S").replace(tzinfo=UTC) if found else None
    except ValueError:
        return None


def as_it_was(url: str) -> str:
    """The address of a copy as the page was sent, without what the archive adds around it."""
    return _SNAPSHOT.sub(r"\1\2id_/\4", url)


def to_look_at(url: str) -> str:
    """The address of a copy as the archive shows it to people, with its pictures and styles."""
    return _SNAPSHOT.sub(r"\1\2/\4", url)
