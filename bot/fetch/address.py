"""Which network addresses may be connected to: those of the public internet, however they are written."""

from __future__ import annotations

import socket
from collections.abc import Collection
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_CARRIERS = (IPv6Network("64:ff9b::/96"), IPv6Network("::ffff:0:0:0/96"))  # NAT64 and SIIT: the last 32 bits
_REFUSED = (IPv6Network("::/96"), IPv6Network("64:ff9b:1::/48"))  # "compatible", and a site's own NAT64


class UnsafeAddress(OSError):
    """A connection was refused by us, for its address isn't on the public internet."""


def is_public(address: Address, allowed: Collection[Network] = ()) -> bool:
    """Whether an address may be connected to. `allowed` adds networks (the tests' own loopback web)."""
    inner = _embedded(address)
    if any(inner in network for network in allowed):
        return True
    if isinstance(inner, IPv6Address) and (
        inner.is_site_local or inner.teredo or any(inner in network for network in _REFUSED)
    ):
        return False
    return inner.is_global and not inner.is_multicast and not inner.is_reserved


def _embedded(address: Address) -> Address:
    """The IPv4 address that an IPv6 address carries, where it carries one: packets end there."""
    if isinstance(address, IPv4Address):
        return address
    if address.ipv4_mapped:
        return address.ipv4_mapped
    if address.sixtofour:
        return address.sixtofour
    if any(address in network for network in _CARRIERS):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def literal(host: str) -> Address | None:
    """The address that a host's text is, in every spelling that a resolver takes (0x7f.1, 2130706433, 127.1, [::1])."""
    text = host.strip("[]").split("%", 1)[0].rstrip(".")
    try:
        return ip_address(text)
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(text))
    except (OSError, ValueError):
        return None


def socket_to_public(
    allowed: Collection[Network], info: tuple[int, int, int, str, tuple[object, ...]]
) -> socket.socket:
    """A socket for one address just before it is connected; the last gate, behind every name and redirect.

    Raises `UnsafeAddress`.
    """
    family, kind, protocol, _, target = info
    address = literal(str(target[0]))
    if address is None or not is_public(address, allowed):
        raise UnsafeAddress(f"{target[0]} isn't an address of the public internet")
    return socket.socket(family=family, type=kind, proto=protocol)
