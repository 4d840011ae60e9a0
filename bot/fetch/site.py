"""Whom an address asks: the host whose pace is kept, and the origin whose robots.txt holds."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv6Address

from yarl import URL

from bot.fetch.address import Address, literal

_PORTS = {"http": 80, "https": 443}
# Of other services, which a request may do harm to: the "bad ports" of the Fetch standard (fetch.spec.whatwg.org).
_OTHERS_PORTS = frozenset(
    int(port)
    for port in (
        "0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 "
        "119 123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 "
        "636 989 990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 "
        "6697 10080"
    ).split()
)


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
    if port in _OTHERS_PORTS:
        raise NoWebAddress(f"port {port} is another service's than the web's")
    address = literal(host)
    if address is not None:
        host = f"[{address}]" if isinstance(address, IPv6Address) else str(address)
    return Site(scheme, host, port if port != _PORTS[scheme] else None, address)
