"""What the names of the web of trouble stand for. Some stand for something else at the second look-up."""

from __future__ import annotations

import json
import os
import socket
import time
from collections import Counter
from collections.abc import Iterable
from ipaddress import ip_address
from pathlib import Path

from aiohttp.abc import AbstractResolver, ResolveResult

from bench.trouble.hosts import STRANGER, Host

INSIDE = (STRANGER, "10.0.0.1", "169.254.169.254", f"::ffff:{STRANGER}", "::1")
"""What names within stand for, one after the other."""


class Names(AbstractResolver):
    """Resolves the names of the web of trouble, and no others; each private answer is noted in `log`."""

    def __init__(self, hosts: Iterable[Host], log: Path | None = None) -> None:
        self._hosts = {host.name: host for host in hosts}
        self._log, self._asked = log, Counter[str]()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The address of a name. Raises `OSError` for a name that isn't known."""
        del family
        address = self.address(host)
        version = socket.AF_INET6 if ip_address(address).version == 6 else socket.AF_INET
        return [
            ResolveResult(hostname=host, host=address, port=port, family=version, proto=0, flags=socket.AI_NUMERICHOST)
        ]

    def address(self, name: str) -> str:
        """What a name stands for this time. Raises `OSError` for a name that isn't known."""
        self._asked[name] += 1
        times = self._asked[name]
        kind = self._hosts[name].kind if name in self._hosts else name.split(".")[-3] if name.count(".") > 2 else ""
        if kind == "within":
            return self._private(name, INSIDE[times % len(INSIDE)])
        if kind == "turning" and times % 2 == 0:
            return self._private(name, STRANGER)
        if name not in self._hosts or kind == "nameless":
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return self._hosts[name].address

    def _private(self, name: str, address: str) -> str:
        if self._log is not None:
            line = json.dumps({"name": name, "address": address, "at": time.time(), "by": os.getpid()}) + "\n"
            with self._log.open("a") as log:
                log.write(line)
        return address

    async def close(self) -> None:
        """Nothing is held."""
