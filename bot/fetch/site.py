"""Whom an address asks: the host whose pace is kept, and the origin whose robots.txt holds."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv6Address

from yarl import URL

from bot.fetch.address import Address, literal

_PORTS = {"http": 80, "https": 443}


class NoWebAddress(ValueError):
    """What isn't an address of the web. The message says why, in a few words."""


@dataclass(frozen=True, slots=True)
class Site:
    """A host in its one spelling: lower case, ASCII, an address in its plain form; `port` where it isn't the scheme's.

    `address` is there where the host is written as one.
    """

    scheme: str
    host: str
    port: int | None
    address: Address | None

    @property
    def name(self) -> str:
        """The name that its pace is kept under: http and https are one host, two ports are two."""
        return self.host + (f":{self.port}" if self.port else "")

    @property
    def origin(self) -> str:
        """Scheme and authority: each has a robots.txt of its own."""
        return f"{self.scheme}://{self.name}"

    @property
    def robots_url(self) -> str:
        """Where its rules for robots stand."""
        return f"{self.origin}/robots.txt"


def site_of(url: str) -> Site:
    """The site that an address belongs to. Raises `NoWebAddress`."""
    try:
        parts = URL(url)
        host, port = parts.raw_host, parts.explicit_port
    except ValueError as error:
        raise NoWebAddress("it can't be read as an address of the web") from error
    scheme = parts.scheme
    if scheme not in _PORTS:
        raise NoWebAddress(f"{scheme[:20] or 'nothing'!r} isn't the scheme of a web page")
    host = (host or "").lower().rstrip(".")
    if not host or not host.isascii() or not host.isprintable():
        raise NoWebAddress("it names no host")
    address = literal(host)
    if address is not None:
        host = f"[{address}]" if isinstance(address, IPv6Address) else str(address)
    return Site(scheme, host, port if port != _PORTS[scheme] else None, address)
