"""The web domain that an address belongs to, as editors name it."""

from __future__ import annotations

from urllib.parse import urlsplit


def domain_of(url: str) -> str:
    """The host of `url` in lower case, without port and a leading "www."; "" where it names none."""
    try:
        host = urlsplit(url.strip()).hostname or ""
    except ValueError:
        return ""
    return host.rstrip(".").removeprefix("www.")
