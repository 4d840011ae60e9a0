"""Fetching from a web of trouble on loopback: outcomes, politeness, and limits that hold."""

from __future__ import annotations

import gzip
import shutil
import socket
import ssl
import subprocess
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from ipaddress import IPv4Network
from pathlib import Path

import brotli
import pytest
from aiohttp import ThreadedResolver
from local_web import LocalWeb, Route, local_web, page, raw
from sqlalchemy import Engine

from bot.agent import user_agent
from bot.fetch import Ask, Failure, Fetched
from bot.fetch.live import Limits, Live
from bot.problem import InputProblem
from models.document import Document
from models.outcome import Outcome

LOOPBACK = (IPv4Network("127.0.0.0/8"),)
AGENT = user_agent("tests@example.org")
QUICK = Limits(timeout_s=2.0, max_bytes=300_000, max_redirects=5, host_delay_s=0.0)
TEXT = "<title>Ada Lovelace</title><p>Ada Lovelace was born on 10 December 1815.</p>"


@pytest.fixture
def web() -> Iterator[LocalWeb]:
    with local_web({}) as running:
        yield running


def fetch(web: LocalWeb, path: str = "/page", limits: Limits = QUICK) -> Fetched:
    """What one path of the server brings."""
    url = path if path.startswith("http") else web.url + path
    with Live(AGENT, limits, LOOPBACK) as live:
        return live.fetch([Ask(url)])[url]


def failed(brought: Fetched, outcome: Outcome) -> Failure:
    assert isinstance(brought, Failure), brought
    assert brought.not_judged.outcome is outcome, brought.not_judged
    assert "\n" not in brought.not_judged.detail
    return brought


def test_a_page_is_a_document(web: LocalWeb) -> None:
    web.routes["/page"] = page(TEXT, Set_Cookie="a=b", X_Other="yes")
    brought = fetch(web)
    assert isinstance(brought, Document)
    assert brought.body == TEXT.encode()
    assert brought.digest.startswith("sha256:")
    assert brought.content_type == "text/html; charset=utf-8"
    assert ("x-other", "yes") in brought.headers
    assert not any(name == "set-cookie" for name, _ in brought.headers)
    assert web.asked[-1].headers["User-Agent"] == AGENT
    assert "tests@example.org" in AGENT


@pytest.mark.parametrize(
    ("status", "reason", "outcome", "said"),
    [
        (404, "Not Found", Outcome.NOT_FOUND, "404 Not Found"),
        (410, "Gone", Outcome.NOT_FOUND, "410 Gone"),
        (401, "Unauthorized", Outcome.BLOCKED, "401 Unauthorized"),
        (403, "No Bots Please", Outcome.BLOCKED, "403 No Bots Please"),
        (451, None, Outcome.BLOCKED, "451 Unavailable For Legal Reasons"),
        (429, "Slow Down", Outcome.RATE_LIMITED, "429 Slow Down"),
        (408, None, Outcome.TIMED_OUT, "408 Request Timeout"),
        (500, "", Outcome.SERVER_ERROR, "500 Internal Server Error"),
        (502, "Bad Gateway", Outcome.SERVER_ERROR, "502 Bad Gateway"),
        (503, "Down", Outcome.SERVER_ERROR, "503 Down"),
        (400, None, Outcome.BLOCKED, "400 Bad Request"),
        (999, "Request denied", Outcome.BLOCKED, "999 Request denied"),
        (300, None, Outcome.MALFORMED_ANSWER, "300 Multiple Choices"),
        (200, None, Outcome.NO_TEXT, "200 OK"),
    ],
)
def test_each_status_has_its_outcome_and_names_the_host(
    web: LocalWeb, status: int, reason: str | None, outcome: Outcome, said: str
) -> None:
    web.routes["/page"] = page("" if status == 200 else "sorry", status, reason)
    failure = failed(fetch(web), outcome)
    assert failure.not_judged.detail.startswith(f"{said} from {web.url.removeprefix('http://')}")
    assert failure.status == status


@pytest.mark.parametrize(
    ("status", "part", "whole"),
    [
        (206, "", False),
        (206, "bytes 0-10/5000", False),
        (206, "bytes 0-10/*", False),
        (206, "bytes 5-4999/5000", False),
        (206, "bytes 0-4999/5000", True),
        (200, "bytes 0-10/5000", False),
        (200, "bytes 0-4999/5000", True),
        (200, "pages 1-2", True),
    ],
)
def test_a_part_of_a_page_is_not_the_page(web: LocalWeb, status: int, part: str, whole: bool) -> None:
    web.routes["/page"] = page(TEXT, status, **({"Content-Range": part} if part else {}))
    if whole:
        assert isinstance(fetch(web), Document)
    else:
        assert "a part of the page" in failed(fetch(web), Outcome.MALFORMED_ANSWER).not_judged.detail


@pytest.mark.parametrize("status", [200, 403, 503])
@pytest.mark.parametrize(
    "body",
    [
        "<title>Just a moment...</title><p>Enable JavaScript and cookies to continue</p>",
        "<title>x</title><script>window._cf_chl_opt={}</script><p>example.org</p>",
        "<html><head><title>Pardon Our Interruption</title></head><body>As you were browsing</body></html>",
        '<script src="https://geo.captcha-delivery.com/captcha.js"></script>',
    ],
)
def test_a_page_that_asks_for_a_human_is_a_bot_wall(web: LocalWeb, status: int, body: str) -> None:
    web.routes["/page"] = page(body, status)
    failed(fetch(web), Outcome.BOT_WALL)


def test_a_name_and_password_in_an_address_are_not_sent(web: LocalWeb) -> None:
    web.routes |= {
        "/page": page(TEXT),
        "/there": page(status=302, Location=web.url.replace("//", "//ann:key@") + "/page"),
    }
    for path in ("/page", "/there"):
        assert isinstance(fetch(web, web.url.replace("//", "//ann:key@") + path), Document)
    assert all("Authorization" not in one.headers for one in web.asked)


def test_a_server_s_phrase_does_nothing_to_a_terminal(web: LocalWeb) -> None:
    web.routes["/page"] = page("sorry", 503, "Down \x1b[2J\x1b]0;ours\x07 \x9b now")
    failure = failed(fetch(web), Outcome.SERVER_ERROR)
    assert failure.phrase.isprintable()
    assert failure.not_judged.detail.isprintable()


def test_an_article_about_captchas_is_an_article(web: LocalWeb) -> None:
    web.routes["/page"] = page(
        f"<title>Are you a robot?</title><div class=g-recaptcha></div>{'<p>A long article.</p>' * 200}"
    )
    assert isinstance(fetch(web), Document)


def test_redirects_are_followed_and_the_end_is_named(web: LocalWeb) -> None:
    web.routes |= {
        "/page": page(status=301, Location="/moved#there"),
        "/moved": page(status=307, Location=f"{web.url}/end?x=1"),
        "/end": page(TEXT),
    }
    brought = fetch(web)
    assert isinstance(brought, Document)
    assert (brought.url, brought.final_url) == (f"{web.url}/page", f"{web.url}/end?x=1")


@pytest.mark.parametrize("location", ["/page", "/other"])
def test_a_redirect_loop_ends(web: LocalWeb, location: str) -> None:
    web.routes |= {"/page": page(status=302, Location=location), "/other": page(status=302, Location="/page")}
    failed(fetch(web), Outcome.REDIRECT_LOOP)


def test_ever_new_redirects_end(web: LocalWeb) -> None:
    count = iter(range(1000))

    def further(request: BaseHTTPRequestHandler) -> None:
        page(status=302, Location=f"/page?{next(count)}")(request)

    web.routes["/page"] = further
    failed(fetch(web), Outcome.REDIRECT_LOOP)
    assert len(web.asked) == QUICK.max_redirects + 2  # with robots.txt and the page itself


@pytest.mark.parametrize("location", ["", "ftp://example.org/", "javascript:alert(1)", "http://:80/", "http://[::1"])
def test_a_redirect_to_nowhere_is_malformed(web: LocalWeb, location: str) -> None:
    web.routes["/page"] = page(status=302, Location=location)
    failed(fetch(web), Outcome.MALFORMED_ANSWER)


def test_where_a_redirect_ended_is_kept_for_who_reads_the_page(web: LocalWeb) -> None:
    web.routes |= {"/page": page(status=301, Location="/"), "/": page(TEXT)}
    document = fetch(web)
    assert isinstance(document, Document)
    assert document.final_url == f"{web.url}/"


def test_a_front_page_that_was_asked_for_is_read(web: LocalWeb) -> None:
    web.routes |= {"/": page(status=301, Location="/index.html"), "/index.html": page(TEXT)}
    assert isinstance(fetch(web, "/"), Document)


# What is too large, too slow or not what it says ends in seconds, with a reason.


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(TEXT.encode(), mtime=0)),
        ("deflate", zlib.compress(TEXT.encode())),
        ("deflate", zlib.compress(TEXT.encode())[2:-4]),
        ("br", brotli.compress(TEXT.encode())),
        ("identity", TEXT.encode()),
        ("gzip", gzip.compress(TEXT.encode(), mtime=0) + b"trailing"),
    ],
)
def test_encodings_are_undone(web: LocalWeb, encoding: str, packed: bytes) -> None:
    web.routes["/page"] = page(packed, Content_Encoding=encoding)
    brought = fetch(web)
    assert isinstance(brought, Document)
    assert brought.body == TEXT.encode()
    assert not any(name == "content-encoding" for name, _ in brought.headers)


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", b"<p>not packed</p>"),
        ("gzip", gzip.compress(TEXT.encode() * 50, mtime=0)[:-30]),
        ("br", b"\xff\xff\xff"),
        ("snappy", b"x"),
    ],
)
def test_a_wrong_encoding_is_malformed(web: LocalWeb, encoding: str, body: bytes) -> None:
    web.routes["/page"] = page(body, Content_Encoding=encoding)
    failed(fetch(web), Outcome.MALFORMED_ANSWER)


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress, brotli.compress])
def test_a_bomb_is_too_large(web: LocalWeb, pack) -> None:  # type: ignore[no-untyped-def]
    name = {gzip.compress: "gzip", zlib.compress: "deflate", brotli.compress: "br"}[pack]
    web.routes["/page"] = page(pack(b"\0" * 20_000_000), Content_Encoding=name)
    failed(fetch(web), Outcome.TOO_LARGE)
    failed(fetch(web, limits=Limits(2.0, 10**9, 5, 0.0)), Outcome.TOO_LARGE)


def _endless(request: BaseHTTPRequestHandler) -> None:
    request.close_connection = True
    request.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    while True:
        request.wfile.write(b"x" * 65536)


def _hints(request: BaseHTTPRequestHandler) -> None:
    request.close_connection = True
    while True:
        request.wfile.write(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 1000)


def _drip(request: BaseHTTPRequestHandler) -> None:
    request.close_connection = True
    request.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    for _ in range(40):
        request.wfile.write(b"x")
        request.wfile.flush()
        time.sleep(0.25)


@pytest.mark.parametrize(
    ("route", "outcome"),
    [
        (_endless, Outcome.TOO_LARGE),
        (page(b"x" * 400_000), Outcome.TOO_LARGE),
        (_drip, Outcome.TIMED_OUT),
        (lambda _: time.sleep(4), Outcome.TIMED_OUT),
        (raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"), Outcome.MALFORMED_ANSWER),
        (raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), Outcome.MALFORMED_ANSWER),
        (raw(b"SSH-2.0-OpenSSH_9.2\r\n"), Outcome.MALFORMED_ANSWER),
        (raw(b""), Outcome.UNREACHABLE),
        (raw(b"HTTP/1.1 200 OK\r\nX: " + b"y" * 200_000 + b"\r\n\r\n"), Outcome.MALFORMED_ANSWER),
        (raw(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 50_000 + b"\r\n"), Outcome.MALFORMED_ANSWER),
        (_hints, Outcome.TIMED_OUT),
    ],
)
def test_trouble_ends_in_seconds_with_a_reason(web: LocalWeb, route: Route, outcome: Outcome) -> None:
    web.routes["/page"] = route
    begun = time.monotonic()
    failed(fetch(web), outcome)
    assert time.monotonic() - begun < 15


def test_nobody_there_is_unreachable(free_port: int) -> None:
    with local_web({}) as web:
        failure = failed(fetch(web, f"http://127.0.0.1:{free_port}/"), Outcome.UNREACHABLE)
    assert f"127.0.0.1:{free_port} can't be reached" in failure.not_judged.detail


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate, and isn't installed")
def test_a_certificate_that_is_not_valid_is_an_outcome(tmp_path: Path) -> None:
    made = subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-keyout",
            "key",
            "-out",
            "cert",
            "-subj",
            "/CN=localhost",
        ],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert", tmp_path / "key")
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError):  # the client hangs up in the middle, and the test closes the server
                while True:
                    connection, _ = server.accept()
                    with connection, suppress(OSError):
                        context.wrap_socket(connection, server_side=True).close()

        threading.Thread(target=serve, daemon=True).start()
        url = f"https://127.0.0.1:{server.getsockname()[1]}/"
        with Live(AGENT, QUICK, LOOPBACK) as live:
            failed(live.fetch([Ask(url)])[url], Outcome.TLS)


# Addresses.


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "127.1",
        "2130706433",
        "0x7f000001",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "169.254.169.254",
        "10.0.0.1",
        "①②⑦.⓪.⓪.①",
    ],
)
def test_private_addresses_are_never_connected_to(web: LocalWeb, host: str) -> None:
    url = web.url.replace("127.0.0.1", host)
    with Live(AGENT, QUICK) as live:
        failure = failed(live.fetch([Ask(url)])[url], Outcome.UNSAFE_ADDRESS)
    assert "isn't on the public internet" in failure.not_judged.detail
    assert web.asked == []


def test_a_redirect_to_a_private_address_is_not_followed(web: LocalWeb) -> None:
    web.routes["/page"] = page(status=302, Location="http://169.254.169.254/latest/meta-data/")
    failed(fetch(web), Outcome.UNSAFE_ADDRESS)


def test_a_name_that_changes_its_answer_does_not_get_through(web: LocalWeb, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second look-up of a name gives loopback: checked when the connection is made, not before."""
    looked_up: list[str] = []

    async def resolve(_: ThreadedResolver, host: str, port: int = 0, family: int = 0) -> list[dict[str, object]]:
        looked_up.append(host)
        return [{"hostname": host, "host": "127.0.0.1", "port": port, "family": socket.AF_INET, "proto": 6, "flags": 0}]

    monkeypatch.setattr(ThreadedResolver, "resolve", resolve)
    url = web.url.replace("127.0.0.1", "rebinding.example")
    with Live(AGENT, QUICK) as live:
        failed(live.fetch([Ask(url)])[url], Outcome.UNSAFE_ADDRESS)
    assert looked_up
    assert web.asked == []


# Politeness.


@pytest.mark.parametrize("contact", ["", "  ", "a\nb", "{x}", "Zoë"])
def test_no_contact_no_start(contact: str) -> None:
    with pytest.raises(InputProblem, match="contact") as raised:
        user_agent(contact)
    assert "\n" not in str(raised.value)


def test_robots_are_asked_once_and_obeyed(web: LocalWeb) -> None:
    web.routes |= {
        "/robots.txt": page(
            "User-agent: *\nDisallow: /private\n\nUser-agent: Citewell\nDisallow: /not-you\n", Content_Type="text/plain"
        ),
        "/page": page(TEXT),
        "/not-you": page(TEXT),
        "/private": page(TEXT),
    }
    urls = [web.url + path for path in ("/page", "/not-you", "/private")]
    with Live(AGENT, QUICK, LOOPBACK) as live:
        brought = live.fetch(list(map(Ask, urls)))
        again = live.fetch([Ask(urls[0])])
    failed(brought[urls[1]], Outcome.ROBOTS)
    assert all(isinstance(one, Document) for one in (brought[urls[0]], brought[urls[2]], again[urls[0]]))
    assert web.paths().count("/robots.txt") == 1
    assert "/not-you" not in web.paths()


@pytest.mark.parametrize(
    ("route", "allowed"),
    [
        (page("x", 403), True),
        (page("x", 404), True),
        (page("x", 500), False),
        (page("x", 503), False),
        (page(b"\xff\x00" * 99), True),
        (page(status=302, Location="/robots.txt"), True),
    ],
)
def test_what_a_failing_robots_txt_means(web: LocalWeb, route: Route, allowed: bool) -> None:
    web.routes |= {"/robots.txt": route, "/page": page(TEXT)}
    brought = fetch(web)
    if allowed:
        assert isinstance(brought, Document)
    else:
        assert "robots.txt can't be read: 50" in failed(brought, Outcome.SERVER_ERROR).not_judged.detail


def test_robots_hold_for_redirects(web: LocalWeb) -> None:
    web.routes |= {
        "/robots.txt": page("User-agent: *\nDisallow: /closed"),
        "/page": page(status=302, Location="/closed"),
        "/closed": page(TEXT),
    }
    failed(fetch(web), Outcome.ROBOTS)
    assert "/closed" not in web.paths()


def test_one_at_a_time_for_a_host_with_the_delay_between() -> None:
    def slow(request: BaseHTTPRequestHandler) -> None:
        time.sleep(0.1)
        page(TEXT)(request)

    routes = {f"/{number}": slow for number in range(4)}
    with local_web(routes) as one, local_web(routes) as other:
        limits = Limits(5.0, 10_000, 5, host_delay_s=0.3)
        with Live(AGENT, limits, LOOPBACK) as live:
            begun = time.monotonic()
            live.fetch([Ask(web.url + path) for web in (one, other) for path in routes])
            took = time.monotonic() - begun
        for web in (one, other):
            web.settle()
            pauses = [after.begun - before.ended for before, after in zip(web.asked, web.asked[1:], strict=False)]
            assert len(pauses) == 4
            assert all(pause >= 0.28 for pause in pauses), pauses
        both = max(web.asked[-1].ended for web in (one, other)) - min(web.asked[0].begun for web in (one, other))
        assert both < took + 0.1
        assert one.asked[0].begun < other.asked[-1].ended, "hosts go side by side"
        assert other.asked[0].begun < one.asked[-1].ended


def test_a_crawl_delay_is_heeded(web: LocalWeb) -> None:
    web.routes |= {"/robots.txt": page("User-agent: *\nCrawl-delay: 1"), "/a": page(TEXT), "/b": page(TEXT)}
    with Live(AGENT, QUICK, LOOPBACK) as live:
        live.fetch([Ask(web.url + "/a"), Ask(web.url + "/b")])
    assert web.asked[2].begun - web.asked[1].ended >= 0.9


def test_a_host_that_asks_us_to_wait_is_left_alone(web: LocalWeb, engine: Engine) -> None:
    web.routes |= {"/a": page("later", 429, Retry_After="120"), "/b": page(TEXT)}
    with Live(AGENT, QUICK, LOOPBACK, engine=engine) as live:
        first = live.fetch([Ask(web.url + "/a")])[web.url + "/a"]
        second = live.fetch([Ask(web.url + "/b")])[web.url + "/b"]
    assert "Retry-After: 120" in failed(first, Outcome.RATE_LIMITED).not_judged.detail
    failed(second, Outcome.RATE_LIMITED)
    assert "/b" not in web.paths()


def test_an_address_is_fetched_once_however_often_it_is_named(web: LocalWeb) -> None:
    web.routes["/page"] = page(TEXT)
    with Live(AGENT, QUICK, LOOPBACK) as live:
        live.fetch([Ask(f"{web.url}/page")] * 5)
    assert web.paths().count("/page") == 1


# A page that hands its reader on: by a refresh, a frameset, a frame that is all of it.


@pytest.mark.parametrize(
    "body",
    [
        '<meta http-equiv="refresh" content="0; url=/there#part">',
        '<frameset rows="90,*"><frame src=/top><frame name=main src=/there></frameset>',
        "<body><iframe src=/there></iframe></body>",
    ],
)
def test_a_page_that_hands_on_is_followed(web: LocalWeb, body: str) -> None:
    web.routes |= {"/page": page(body), "/there": page(status=301, Location="/end"), "/end": page(TEXT)}
    brought = fetch(web)
    assert isinstance(brought, Document)
    assert (brought.url, brought.final_url) == (f"{web.url}/page", f"{web.url}/end")
    assert brought.body == TEXT.encode()


def _to(target: str) -> str:
    return f'<meta http-equiv="refresh" content="0;url={target}"><p>This page has moved.</p>'


@pytest.mark.parametrize(
    "target",
    ["/missing", "/slow", "/closed", "/page?again", "http://169.254.169.254/latest/meta-data/", "/challenge", "/empty"],
)
def test_where_the_next_page_cannot_be_had_the_one_at_hand_is_read(web: LocalWeb, target: str) -> None:
    web.routes |= {
        "/robots.txt": page("User-agent: *\nDisallow: /closed"),
        "/page": page(_to(target)),
        "/slow": lambda _: time.sleep(4),
        "/closed": page(TEXT),
        "/challenge": page("<script>window._cf_chl_opt={}</script>", 403),
        "/empty": page(""),
    }
    brought = fetch(web)
    assert isinstance(brought, Document)
    assert brought.body == _to(target).encode()
    assert "/closed" not in web.paths()


def test_pages_that_hand_on_without_end_are_left(web: LocalWeb) -> None:
    count = iter(range(1000))

    def further(request: BaseHTTPRequestHandler) -> None:
        page(_to(f"/page?{next(count)}"))(request)

    web.routes["/page"] = further
    assert isinstance(fetch(web), Document)
    assert len(web.asked) == QUICK.max_redirects + 2  # with robots.txt and the page itself
    web.routes |= {"/page": page(_to("/other")), "/other": page(_to("/page"))}
    assert isinstance(fetch(web), Document)


def test_a_page_that_hands_on_to_the_front_page_says_where_it_ended(web: LocalWeb) -> None:
    web.routes |= {"/page": page(_to("/")), "/": page(TEXT)}
    brought = fetch(web)
    assert isinstance(brought, Document)
    assert brought.final_url == f"{web.url}/"
