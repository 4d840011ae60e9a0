"""Only addresses of the public internet are connected to, however they are written (case 24)."""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv4Network, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.fetch.address import UnsafeAddress, is_public, literal, socket_to_public

PRIVATE = [
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "255.255.255.255",
    "224.0.0.1",
    "240.0.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "::",
    "::1",
    "fe80::1",
    "fec0::1",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "2001:db8::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "::127.0.0.1",
    "::8.8.8.8",
    "64:ff9b::10.0.0.1",
    "64:ff9b:1::1",
    "::ffff:0:127.0.0.1",
    "2002:7f00:1::",
]


@pytest.mark.parametrize("text", PRIVATE)
def test_what_is_not_public_is_refused(text: str) -> None:
    assert not is_public(ip_address(text))


@pytest.mark.parametrize(
    "text", ["8.8.8.8", "208.80.154.224", "2620:0:861:ed1a::1", "::ffff:8.8.8.8", "64:ff9b::808:808"]
)
def test_what_is_public_is_not(text: str) -> None:
    assert is_public(ip_address(text))


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.1",
        "127.0.1",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "017700000001",
        "0177.0.0.1",
        "127.0.0.1.",
        "[::1]",
        "::1%lo",
        "[::ffff:7f00:1]",
        "[0:0:0:0:0:ffff:127.0.0.1]",
    ],
)
def test_every_spelling_of_loopback_is_seen(host: str) -> None:
    address = literal(host)
    assert address is not None
    assert not is_public(address)


@pytest.mark.parametrize("host", ["example.org", "localhost", "1.2.3.4.example.org", "", "x"])
def test_names_are_no_addresses(host: str) -> None:
    assert literal(host) is None


@given(st.ip_addresses(v=4))
def test_an_address_is_as_public_in_every_form_that_carries_it(address: IPv4Address) -> None:
    number = int(address)
    for carrier in (f"::ffff:{address}", f"64:ff9b::{address}", f"::ffff:0:{address}"):
        assert is_public(IPv6Address(carrier)) == is_public(address)
    assert is_public(IPv6Address((0x2002 << 112) | (number << 80))) == is_public(address)
    parts = str(address).split(".")
    for spelling in (str(number), hex(number), ".".join(map(hex, map(int, parts))), f"{parts[0]}.{number & 0xFFFFFF}"):
        assert literal(spelling) == address


@given(st.text(max_size=40))
def test_any_host_is_an_address_or_a_name(host: str) -> None:
    assert literal(host) is None or is_public(literal(host)) in (True, False)


def test_the_last_gate_stands_where_the_socket_is_made() -> None:
    info = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 80))
    with pytest.raises(UnsafeAddress):
        socket_to_public((), info)
    socket_to_public((IPv4Network("127.0.0.0/8"),), info).close()
