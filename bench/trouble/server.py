"""The web of trouble as a process: `python -m bench.trouble.server FOLDER HOSTS`, told what to do on standard input.

It prints `port N` when it listens, and logs to `requests.jsonl` and `strangers.jsonl` in the folder. A line
`cut WAY SECONDS` cuts the network for a while: `refuse` (nobody listens), `reset` (every connection is broken off) or
`silence` (connections are made, and nothing comes back). It ends when standard input does.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import sys
import time
from pathlib import Path
from typing import TextIO

from bench.trouble.answers import ANSWERS, Call, Web, robots
from bench.trouble.hosts import LISTENING, STRANGER, Host, web_of
from bench.trouble.line import Gone, Line, NotHttp, Request, Watched
from bench.trouble.log import NO_REQUEST, Asked

WAYS = ("refuse", "reset", "silence")
CLOSING = "closing"
_PORTS_TRIED = 20


class Server:
    """Listens for all hosts. `log` and `strangers` are where requests and those led astray are noted."""

    def __init__(self, hosts: tuple[Host, ...], log: TextIO, strangers: TextIO) -> None:
        self._web = Web(hosts, 0)
        self._log, self._strangers = log, strangers
        self._listening: list[asyncio.Server] = []
        self._lines: set[Line] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._cut = ""

    async def listen(self) -> int:
        """Take a port that is free at every host's address, and listen; which it is."""
        for _ in range(_PORTS_TRIED):
            with contextlib.suppress(OSError):
                self._web.port = _free_port(self._addresses())
                await self._open()
                return self._web.port
            self._close()
        raise OSError("no port is free at all addresses of the web of trouble")

    def _addresses(self) -> list[str]:
        return [host.address for host in self._web.hosts if host.kind in LISTENING]

    async def _open(self) -> None:
        for host in self._web.hosts:
            if host.kind in LISTENING:
                self._listening.append(await self._listen(host, host.address))
        await self._open_to_strangers()

    async def _open_to_strangers(self) -> None:
        self._listening.append(await self._listen(None, STRANGER))
        with contextlib.suppress(OSError):  # a machine may be without IPv6
            self._listening.append(await self._listen(None, "::1"))

    async def _listen(self, host: Host | None, address: str) -> asyncio.Server:
        def connection() -> Watched:
            return Watched(lambda line: self._took(line, host, address))

        loop = asyncio.get_running_loop()
        return await loop.create_server(connection, address, self._web.port, backlog=512)

    def _close(self) -> None:
        for one in self._listening:
            one.close()
        self._listening.clear()

    def _took(self, line: Line, host: Host | None, address: str) -> None:
        if host is None:
            peer = line.writer.get_extra_info("peername")
            print(json.dumps({"to": address, "from": peer[0], "at": time.time()}), file=self._strangers, flush=True)
            line.reset()
            return
        if self._cut in ("refuse", "reset", CLOSING):  # it may have come in just before nobody listened any more
            self._note(host, Request(NO_REQUEST, {}, time.monotonic()), line, False)
            line.reset()
            return
        self._lines.add(line)
        task = asyncio.get_running_loop().create_task(self._serve(line, host))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, line: Line, host: Host) -> None:
        try:
            while not line.closing and (request := await self._request(line, host)):
                await self._answer(line, host, request)
        finally:
            self._lines.discard(line)
            line.close()

    async def _request(self, line: Line, host: Host) -> Request | None:
        try:
            return await line.request()
        except NotHttp:
            self._note(host, Request(NO_REQUEST, {}, time.monotonic()), line, False)
            return None

    async def _answer(self, line: Line, host: Host, request: Request) -> None:
        whole, line.written = False, 0.0
        before = self._web.resting.get(host.name, 0.0)
        call = Call(self._web, host, request, line)
        try:
            if self._cut:
                await line.pause(3600.0)
            await (robots if request.path.startswith("/robots") else ANSWERS[host.kind])(call)
            whole = not line.watched.gone.is_set()
        except (Gone, ConnectionError):
            pass
        finally:
            rest = self._web.resting.get(host.name, 0.0)
            self._note(host, request, line, whole, rest if rest != before else 0.0)

    def _note(self, host: Host, request: Request, line: Line, whole: bool, rest: float = 0.0) -> None:
        ended = line.written if whole else line.watched.gone_at
        asked = Asked(
            host.name,
            host.address,
            request.path,
            request.headers.get("user-agent", ""),
            request.begun,
            max(ended, request.begun),
            whole,
            any(name in request.headers for name in ("if-none-match", "if-modified-since")),
            rest,
            time.time(),
        )
        self._log.write(asked.line())
        self._log.flush()

    async def cut(self, way: str, seconds: float) -> None:
        """Cut the network, and mend it after a while."""
        self._cut = way
        if way == "refuse":
            self._close()
        if way != "silence":
            self._reset_all()
        await asyncio.sleep(seconds)
        if way == "refuse":
            await self._open()
        self._cut = ""
        self._reset_all()

    def _reset_all(self) -> None:
        for line in list(self._lines):
            line.reset()

    async def end(self) -> None:
        """Hang up on everyone, with the requests that were going on noted."""
        self._cut = CLOSING
        self._close()
        self._reset_all()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=2.0)


def _free_port(addresses: list[str]) -> int:
    with socket.socket() as probe:
        probe.bind((addresses[0], 0))
        port: int = probe.getsockname()[1]
        return port


async def _run(folder: Path, count: int) -> None:
    with (folder / "requests.jsonl").open("a") as log, (folder / "strangers.jsonl").open("a") as strangers:
        server = Server(web_of(count), log, strangers)
        print(f"port {await server.listen()}", flush=True)
        commands = asyncio.StreamReader()
        loop = asyncio.get_running_loop()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
        while line := (await commands.readline()).decode():
            _, way, seconds = line.split()
            await server.cut(way, float(seconds))
            print("mended", flush=True)
        await server.end()


def main() -> None:
    """Serve until standard input ends."""
    asyncio.run(_run(Path(sys.argv[1]), int(sys.argv[2])))


if __name__ == "__main__":
    main()
