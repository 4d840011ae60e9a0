"""Fetching ahead of the judge: overlapped, bounded, and ended as asked."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
from sqlalchemy.exc import OperationalError

from bot.ahead import Ahead, Batch
from bot.find import Failed, Found
from bot.patience import Patience
from bot.pulse import Pulse
from models.outcome import NotJudged, Outcome
from models.statement import Statement, Term, TextValue
from store.work import Task

GONE = Found(NotJudged(Outcome.GONE))


def task(number: int) -> Task:
    statement = Statement(f"Q{number}$A", Term(f"Q{number}", "x"), Term("P1", "y"), "string", TextValue("z"))
    return Task(number, f"Q{number}$A", "hash", (), statement, {}, {})


@dataclass
class Queue:
    """So many batches of two pairs; and what finds their pages, noting what it did."""

    batches: int
    finding: Callable[[Sequence[Task]], None] = lambda _: None
    leased: list[str] = field(default_factory=list)
    found: list[int] = field(default_factory=list)
    opened: int = 0
    closed: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def name(self) -> str:
        with self._lock:
            return f"w:{len(self.leased) + 1}:{threading.get_ident()}"

    def lease(self, name: str) -> list[Task]:
        with self._lock:
            if len(self.leased) == self.batches:
                return []
            self.leased.append(name)
            return [task(2 * len(self.leased) - 1), task(2 * len(self.leased))]

    def find(self, tasks: Sequence[Task]) -> Mapping[int, Found | Failed]:
        self.finding(tasks)
        self.found += [one.pair_id for one in tasks]
        return {one.pair_id: GONE for one in tasks}

    def further(self, looked_at: Sequence[tuple[Task, Found]]) -> Mapping[int, Found]:
        return {one.pair_id: Found(NotJudged(Outcome.BLOCKED)) for one, _ in looked_at}

    @contextmanager
    def finder(self) -> Iterator[Queue]:
        self.opened += 1
        yield self
        self.closed += 1


def ahead(queue: Queue, threads: int = 1, grace_s: float = 5.0, patience: Patience | None = None) -> Ahead:
    return Ahead(queue.name, queue.lease, queue.finder, threads, patience or Patience(0.0), Pulse(), grace_s)


def never() -> bool:
    return False


def numbers(batches: Sequence[Batch]) -> list[int]:
    return sorted(one.pair_id for batch in batches for one in batch.tasks)


@pytest.mark.parametrize("threads", [1, 4])
def test_every_batch_comes_once_and_each_thread_has_a_finder_of_its_own(threads: int) -> None:
    queue = Queue(7)
    with ahead(queue, threads) as some:
        assert numbers(list(some.batches(never))) == list(range(1, 15))
        assert some.leases == frozenset()
    assert (queue.opened, queue.closed) == (threads, threads)


def test_the_next_batches_are_found_while_one_is_judged_and_no_more_than_that() -> None:
    queue = Queue(10)
    with ahead(queue, 1) as some:
        for judged, _ in enumerate(some.batches(never), 1):
            until = time.monotonic() + 5
            while len(queue.leased) < min(judged + 2, 10) and time.monotonic() < until:
                time.sleep(0.005)
            assert len(queue.leased) <= judged + 2, "one in hand, one ready, one in the thread"
            assert len(queue.leased) >= min(judged + 2, 10)


def test_one_slow_host_holds_up_one_thread_and_not_the_rest() -> None:
    free = threading.Event()

    def finding(tasks: Sequence[Task]) -> None:
        if tasks[0].pair_id == 1:
            free.wait(10)

    queue = Queue(6, finding)
    with ahead(queue, 2) as some:
        came = []
        for batch in some.batches(never):
            came.append(batch.tasks[0].pair_id)
            if len(came) == 5:
                free.set()
        assert came[-1] == 1
        assert len(came) == 6


def test_what_is_in_hand_is_named_until_it_is_judged() -> None:
    queue = Queue(3)
    with ahead(queue, 1) as some:
        for batch in some.batches(never):
            assert batch.lease in some.leases
    assert some.leases == frozenset()


def test_another_page_is_found_for_what_turned_out_not_to_be_the_one() -> None:
    queue, came = Queue(3), list[Batch]()
    with ahead(queue, 2) as some:
        for batch in some.batches(never):
            came.append(batch)
            if not batch.further:
                some.look_further(batch, [(batch.tasks[0], GONE)])
            assert batch.lease in some.leases
    second = [batch for batch in came if batch.further]
    assert {batch.lease for batch in second} == {batch.lease for batch in came if not batch.further}
    assert numbers(second) == [1, 3, 5]
    assert all(one.page.outcome is Outcome.BLOCKED for batch in second for one in batch.found.values())  # type: ignore[union-attr]
    assert some.leases == frozenset()


def test_a_pair_that_makes_trouble_fails_alone() -> None:
    def finding(tasks: Sequence[Task]) -> None:
        if any(one.pair_id == 3 for one in tasks):
            raise ZeroDivisionError("tripped")

    with ahead(Queue(2, finding)) as some:
        found = {pair_id: one for batch in some.batches(never) for pair_id, one in batch.found.items()}
    assert found[3] == Failed("its page can't be brought: ZeroDivisionError: tripped", waits=False)
    assert [found[other] for other in (1, 2, 4)] == [GONE] * 3


def test_the_database_is_waited_for_and_nothing_is_failed_for_it() -> None:
    tried: list[int] = []

    def finding(tasks: Sequence[Task]) -> None:
        tried.append(tasks[0].pair_id)
        if len(tried) == 1:
            raise OperationalError("SELECT 1", {}, Exception("the server went away"))

    with ahead(Queue(1, finding), patience=Patience(60.0, lambda _: None)) as some:
        (batch,) = some.batches(never)
    assert tried == [1, 1]
    assert batch.found[1] == GONE


def test_what_breaks_a_thread_is_told() -> None:
    def lease(name: str) -> list[Task]:
        raise ValueError("our own mistake")

    queue = Queue(1)
    some = Ahead(queue.name, lease, queue.finder, 2, Patience(0.0), Pulse())
    with pytest.raises(ValueError, match="our own mistake"), some:
        list(some.batches(never))


def test_when_stopped_it_ends_soon_and_names_what_is_still_leased() -> None:
    free = threading.Event()
    queue = Queue(9, lambda tasks: free.wait(10) and None if tasks[0].pair_id > 1 else None)
    begun = time.monotonic()
    with ahead(queue, 2, grace_s=0.2) as some:
        asked = threading.Event()
        for _ in some.batches(asked.is_set):
            asked.set()
    assert time.monotonic() - begun < 3
    assert some.leases <= set(queue.leased)
    assert len(some.leases) >= 1, "what the other thread was at"
    free.set()
