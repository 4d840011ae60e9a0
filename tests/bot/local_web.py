"""A web server of the tests on loopback, that answers as told and remembers what it was asked."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Route = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Asked:
    """One request as it came in, and when it had been answered (seconds of the monotonic clock)."""

    method: str
    path: str
    headers: Message
    body: bytes
    begun: float
    ended: float = 0.0


@dataclass
class LocalWeb:
    """A running server: its address, its routes (by path without query), and the requests so far."""

    url: str
    routes: dict[str, Route]
    asked: list[Asked] = field(default_factory=list)

    def paths(self) -> list[str]:
        """The paths asked for, in order."""
        return [one.path for one in self.asked]

    def settle(self, within_s: float = 5.0) -> None:
        """Wait until the server too has noted that its last answer went out: the client can be the quicker."""
        until = time.monotonic() + within_s
        while not all(one.ended for one in self.asked) and time.monotonic() < until:
            time.sleep(0.01)


def page(body: bytes | str = "", status: int = 200, reason: str | None = None, **headers: str) -> Route:
    """A route that gives a page. Header names are written with underscores for hyphens."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        data = body.encode() if isinstance(body, str) else body
        request.send_response(status, reason)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        for name, value in (
            {"Content-Type": "text/html; charset=utf-8", "Content-Length": str(len(data))} | given
        ).items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(data)

    return answer


def raw(data: bytes) -> Route:
    """A route that writes bytes as they are and hangs up."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.close_connection = True
        request.wfile.write(data)

    return answer


@contextmanager
def local_web(routes: dict[str, Route]) -> Iterator[LocalWeb]:
    """Serve routes on a free port of 127.0.0.1; what has no route is 404."""
    web = LocalWeb("", {"/robots.txt": page("not here", 404), **routes})

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            one = Asked(self.command, self.path, self.headers, self.rfile.read(length), time.monotonic())
            web.asked.append(one)
            try:
                web.routes.get(self.path.split("?")[0], page("no such page", 404))(self)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True
            finally:
                one.ended = time.monotonic()

        do_POST = do_GET

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is logged."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    web.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield web
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
