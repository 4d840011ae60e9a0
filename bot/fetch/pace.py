"""One request at a time for a host, and a pause between; many hosts at once."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Pace:
    """Keeps the pace of this process's requests. `delay_s` is the least pause between the end of one and the next."""

    def __init__(self, delay_s: float) -> None:
        self._delay_s = delay_s
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._next: dict[str, float] = {}

    @asynccontextmanager
    async def turn(self, host: str, delay_s: float = 0.0) -> AsyncIterator[None]:
        """Wait for the host's turn and hold it; `delay_s` is the host's own wish, if longer than ours."""
        async with self._locks[host]:
            wait = self._next.get(host, 0.0) - time.monotonic()
            if wait > 0:
                await asyncio.sleep(wait)
            try:
                yield
            finally:
                self._next[host] = time.monotonic() + max(self._delay_s, delay_s)

    def rest(self, host: str, seconds: float) -> None:
        """Leave a host alone for some seconds from now."""
        self._next[host] = max(self._next.get(host, 0.0), time.monotonic() + seconds)
