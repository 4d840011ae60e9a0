"""What is judged next is leased and fetched meanwhile, in threads of its own, and no more of it than fits in memory."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from queue import Empty, Full, Queue
from types import TracebackType
from typing import Protocol, Self

from bot.find import Failed, Found
from bot.patience import Patience, is_away
from bot.pulse import Pulse
from store.work import Task

LOOK_S = 0.1
GRACE_S = 10.0


class Finds(Protocol):
    """Finds the pages of pairs. Used by one thread at a time."""

    def find(self, tasks: Sequence[Task]) -> Mapping[int, Found | Failed]:
        """What each pair (by its id) is judged by."""
        ...

    def further(self, looked_at: Sequence[tuple[Task, Found]]) -> Mapping[int, Found]:
        """The pages of those pairs that have one at an address after the one that was looked at."""
        ...


@dataclass(frozen=True, slots=True)
class Batch:
    """Pairs leased by one name, with what they are judged by.

    With `further` they come for the second time: their first page wasn't the one cited, and `found` holds another for
    those that have one.
    """

    lease: str
    tasks: tuple[Task, ...]
    found: Mapping[int, Found | Failed]
    further: bool = False


class Ahead:
    """Gives batches until nothing is due. A context manager: its threads live until it is left.

    `lease` takes pairs by a name that `named` makes up, `[]` where nothing is due; `open_finder` opens what finds their
    pages, once in each of `threads` threads. One more batch waits than there are threads, so they fetch no further
    ahead than that. What `leases` names is still leased when it is left, by whatever way: give it back.
    """

    def __init__(
        self,
        named: Callable[[], str],
        lease: Callable[[str], list[Task]],
        open_finder: Callable[[], AbstractContextManager[Finds]],
        threads: int,
        patience: Patience,
        pulse: Pulse,
        grace_s: float = GRACE_S,
    ) -> None:
        self._named, self._lease, self._open_finder = named, lease, open_finder
        self._patience, self._pulse, self._grace_s = patience, pulse, grace_s
        self._ready: Queue[Batch] = Queue(1)
        self._jobs: deque[tuple[str, Sequence[tuple[Task, Found]]]] = deque()
        self._leases: set[str] = set()
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._broken: BaseException | None = None
        # Daemons: a second Ctrl-C ends us at once, whatever a host has us wait for.
        self._threads = [
            threading.Thread(target=self._go, name=f"fetcher {n}", daemon=True) for n in range(1, threads + 1)
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let the threads finish the page that they are at, for a while; at once where we were interrupted."""
        self._closing.set()
        grace_s = 0.0 if kind is not None and issubclass(kind, KeyboardInterrupt) else self._grace_s
        for thread in self._threads:
            thread.join(grace_s / len(self._threads))

    @property
    def leases(self) -> frozenset[str]:
        """The names by which pairs may be leased now."""
        with self._lock:
            return frozenset(self._leases)

    def batches(self, stopped: Callable[[], bool], idle: Callable[[], None] = lambda: None) -> Iterator[Batch]:
        """Batches as they come, until nothing more is due or `stopped` says so. Raises what broke in a thread.

        While none is there yet, `idle` is called now and then.
        """
        while not stopped():
            working = any(thread.is_alive() for thread in self._threads)
            try:
                batch = self._ready.get(timeout=LOOK_S if working else 0)
            except Empty:
                if self._broken is not None:
                    raise self._broken from None
                if not working:
                    return
                idle()
                continue
            yield batch
            if all(lease != batch.lease for lease, _ in self._jobs):
                self._let_go(batch.lease)

    def look_further(self, batch: Batch, looked_at: Sequence[tuple[Task, Found]]) -> None:
        """Have other pages found for pairs of the batch that came last: they come once more, in one of their own."""
        self._jobs.append((batch.lease, looked_at))

    def _let_go(self, lease: str) -> None:
        with self._lock:
            self._leases.discard(lease)

    def _go(self) -> None:
        try:
            with self._open_finder() as finder:
                due = True
                while not self._closing.is_set() and self._broken is None:
                    batch = self._further(finder) or (self._next(finder) if due else None)
                    if batch is not None:
                        self._offer(batch)
                        continue
                    due = False
                    if not self.leases:  # nobody will have anything more for us to find
                        return
                    self._closing.wait(LOOK_S)
        except BaseException as error:  # it is the worker's to say, in its own thread
            self._broken = self._broken or error

    def _next(self, finder: Finds) -> Batch | None:
        name = self._named()
        with self._lock:
            self._leases.add(name)
        tasks = self._patience.keep(lambda: self._lease(name))
        if not tasks:
            self._let_go(name)
            return None
        found = self._patience.keep(lambda: _found(finder, tasks))
        self._pulse.beat()
        return Batch(name, tuple(tasks), found)

    def _further(self, finder: Finds) -> Batch | None:
        try:
            lease, looked_at = self._jobs.popleft()
        except IndexError:
            return None
        found = self._patience.keep(lambda: _further(finder, looked_at))
        self._pulse.beat()
        return Batch(lease, tuple(task for task, _ in looked_at), found, further=True)

    def _offer(self, batch: Batch) -> None:
        while not self._closing.is_set():
            try:
                self._ready.put(batch, timeout=LOOK_S)
            except Full:
                continue
            return


def _found(finder: Finds, tasks: Sequence[Task]) -> Mapping[int, Found | Failed]:
    """What the pairs are judged by. Where finding all at once fails, each is found alone: a failure is one pair's."""
    try:
        return finder.find(tasks)
    except Exception as error:
        if is_away(error):
            raise
        if len(tasks) == 1:
            return {tasks[0].pair_id: Failed.by("its page can't be brought", error)}
        return {pair_id: one for task in tasks for pair_id, one in _found(finder, [task]).items()}


def _further(finder: Finds, looked_at: Sequence[tuple[Task, Found]]) -> Mapping[int, Found]:
    """Other pages of the pairs; a pair whose further addresses make trouble has none."""
    try:
        return finder.further(looked_at)
    except Exception as error:
        if is_away(error):
            raise
        return (
            {pair_id: one for each in looked_at for pair_id, one in _further(finder, [each]).items()}
            if (len(looked_at) > 1)
            else {}
        )
