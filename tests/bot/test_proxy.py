"""The browser's proxy by itself: only the public internet, only while a page is drawn, only so much."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from ipaddress import IPv4Network

import pytest
from aiohttp import ThreadedResolver
from hypothesis import given
from hypothesis import strategies as st
from local_web import LocalWeb, local_web, page

from bot.fetch.proxy import Budget, Proxy, _asked

HERE = (IPv4Network("127.0.0.1/32"),)


@pytest.fixture
def web() -> Iterator[LocalWeb]:
    with local_web({"/page": page("a page")}) as running:
        yield running


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    with Proxy(HERE) as running:
        yield running


def say(proxy: Proxy, request: str) -> bytes:
    """What the proxy answers until it hangs up."""
    with socket.create_connection(("127.0.0.1", proxy.port), timeout=5) as there:
        answer = b""
        try:
            there.sendall(request.encode())
            while data := there.recv(1 << 16):
                answer += data
        except ConnectionResetError:
            pass
        return answer


def get(url: str, *headers: str) -> str:
    return "\r\n".join([f"GET {url} HTTP/1.1", f"Host: {url.split('/')[2]}", *headers, "", ""])


def test_a_request_is_passed_on_as_its_server_expects_it(proxy: Proxy, web: LocalWeb) -> None:
    with proxy.page():
        said = say(proxy, get(f"{web.url}/page?q=1", "Proxy-Authorization: x", "Connection: keep-alive", "X-Own: yes"))
    assert said.startswith(b"HTTP/1.1 200")
    assert said.endswith(b"a page")
    (asked,) = web.asked
    assert asked.path == "/page?q=1"
    assert asked.headers["X-Own"] == "yes"
    assert asked.headers["Connection"] == "close"
    assert "Proxy-Authorization" not in asked.headers


def test_a_second_request_on_a_connection_goes_nowhere(proxy: Proxy, web: LocalWeb) -> None:
    """It could be for another server than the first."""
    with proxy.page():
        say(proxy, get(f"{web.url}/page") + get("http://other.example/secret"))
    assert web.paths() == ["/page"]


def test_a_tunnel_carries_whatever_it_is_given(proxy: Proxy, web: LocalWeb) -> None:
    host = web.url.removeprefix("http://")
    with proxy.page():
        said = say(proxy, f"CONNECT {host} HTTP/1.1\r\n\r\nGET /page HTTP/1.1\r\nConnection: close\r\n\r\n")
    assert said.startswith(b"HTTP/1.1 200 Connected\r\n\r\nHTTP/1.1 200 OK")
    assert said.endswith(b"a page")


def test_it_is_open_only_while_a_page_is_drawn(proxy: Proxy, web: LocalWeb) -> None:
    assert say(proxy, get(f"{web.url}/page")) == b""
    with proxy.page():
        assert say(proxy, get(f"{web.url}/page"))
    assert say(proxy, get(f"{web.url}/page")) == b""
    assert web.paths() == ["/page"]


def test_connections_and_bytes_are_counted(proxy: Proxy, web: LocalWeb) -> None:
    web.routes["/long"] = page("x" * 100_000)
    with proxy.page(Budget(connections=2)):
        assert [bool(say(proxy, get(f"{web.url}/page"))) for _ in range(3)] == [True, True, False]
    with proxy.page(Budget(bytes=50_000)):
        assert len(say(proxy, get(f"{web.url}/long"))) < 100_000


@pytest.mark.parametrize("host", ["169.254.169.254", "10.0.0.1", "[::1]", "0x7f.2", "2130706434", "[::ffff:127.0.0.2]"])
def test_private_addresses_are_refused_however_they_are_written(proxy: Proxy, host: str) -> None:
    with proxy.page() as budget:
        assert say(proxy, get(f"http://{host}:9/")) == b""
        assert say(proxy, f"CONNECT {host}:9 HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 502")
    assert budget.refused == 2


def test_hosts_that_are_left_alone_are_not_connected_to(proxy: Proxy, web: LocalWeb) -> None:
    host = web.url.removeprefix("http://")
    with proxy.page(closed=[host]):
        assert say(proxy, get(f"{web.url}/page")) == b""
        assert say(proxy, f"CONNECT {host} HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 502")
    with proxy.page():
        assert say(proxy, get(f"{web.url}/page")).endswith(b"a page")


def test_a_name_that_leads_to_a_private_address_is_refused(
    proxy: Proxy, web: LocalWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name is looked up once for a connection, and what is connected to is the address that was looked at."""
    answers = ["127.0.0.1", "10.0.0.1"]

    async def resolve(_: ThreadedResolver, host: str, port: int = 0, family: int = 0) -> list[dict[str, object]]:
        found = answers.pop(0)
        return [{"hostname": host, "host": found, "port": port, "family": socket.AF_INET, "proto": 6, "flags": 0}]

    monkeypatch.setattr(ThreadedResolver, "resolve", resolve)
    url = web.url.replace("127.0.0.1", "rebinding.example")
    with proxy.page() as budget:
        assert say(proxy, get(f"{url}/page")).endswith(b"a page")
        assert say(proxy, get(f"{url}/page")) == b""
    assert (budget.refused, answers) == (1, [])


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "GET / HTTP/1.1",
        "GET ftp://a.example/ HTTP/1.1",
        "CONNECT a HTTP/1.1",
    ],
)
def test_what_is_no_request_to_a_proxy_gets_no_answer(proxy: Proxy, line: str) -> None:
    with proxy.page():
        assert say(proxy, f"{line}\r\n\r\n") == b""


@given(st.binary(max_size=200))
def test_no_head_breaks_it(head: bytes) -> None:
    try:
        asked = _asked(head + b"\r\n\r\n")
    except ValueError:
        return
    assert asked.host
    assert 0 < asked.port < 1 << 16
