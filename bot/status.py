"""How the work stands, for the operator: as lines to read, as one object for machines, and followed as it goes on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from bot.stop import Stop
from bot.worker_name import shown, worker_of
from models.outcome import Outcome
from store.figures import (
    FailureCount,
    Holder,
    Rate,
    RunningRun,
    Waiting,
    failures,
    holders,
    outcomes,
    queue,
    rates,
    running,
)
from store.hosts import Load, Resting, busiest, resting
from store.runs import Run, pair_states, recent_runs

RUNS = 5
HOSTS = 8
SILENT_S = 120.0  # a worker that wasn't heard of for longer may be dead


@dataclass(frozen=True, slots=True)
class Status:
    """Everything at one moment. `states` are numbers of pairs, `outcomes` those of current outcomes."""

    at: datetime
    states: Mapping[str, int]
    queue: Sequence[Waiting]
    outcomes: Mapping[str, int]
    rates: Sequence[Rate]
    failures: Sequence[FailureCount]
    busiest: Sequence[Load]
    resting: Sequence[Resting]
    holders: Sequence[Holder]
    running: Sequence[RunningRun]
    runs: Sequence[Run]


def status(engine: Engine) -> Status:
    """How things stand now."""
    with Session(engine) as session:
        return Status(
            datetime.now(UTC),
            pair_states(session),
            queue(session),
            outcomes(session),
            rates(session),
            failures(session),
            busiest(session, HOSTS),
            resting(session, HOSTS),
            holders(session),
            running(session),
            recent_runs(session, RUNS),
        )


def as_json(now: Status) -> str:
    """The same for machines: one line."""
    return json.dumps(asdict(now), default=_plain, ensure_ascii=False)


def _plain(value: object) -> Any:
    return value.isoformat() if isinstance(value, datetime) else str(getattr(value, "value", value))


def lines(now: Status) -> Iterator[str]:
    """The same for a person."""
    yield "Pairs: " + ", ".join(f"{number:,} {state.replace('_', ' ')}" for state, number in now.states.items())
    for one in now.queue:
        when = f", {one.due:,} due" if one.due else f", next {_clock(one.next_at, now.at)}" if one.next_at else ""
        yield f"  {one.why}: {one.pairs:,} {one.state}{when if one.state != 'leased' else ''}"
    if now.outcomes:
        yield "Not judged: " + ", ".join(f"{Outcome(name).label} {number:,}" for name, number in now.outcomes.items())
    yield "Rates: " + "; ".join(map(_rate, now.rates))
    for failure in now.failures:
        again = f", again {_clock(failure.next_at, now.at)}" if failure.next_at else ""
        yield f"  failed: {failure.pairs:,} ({failure.reason}){again}"
    if now.busiest:
        yield "Hosts asked today: " + ", ".join(f"{one.host} {one.requests:,}" for one in now.busiest)
    for rest in now.resting:
        yield f"  resting: {rest.host} until {_clock(rest.until, now.at)} ({rest.why})"
    yield from _workers(now)
    yield from map(_run, now.runs)
    if not now.runs:
        yield "No run yet."


def short(now: Status) -> str:
    """One line, for a log."""
    minute = now.rates[0]
    parts = [f"{number} {state.replace('_', ' ')}" for state, number in now.states.items()]
    pace = f"last minute: {minute.judged + minute.not_judged} pairs, {minute.pages} pages"
    return f"{now.at:%Y-%m-%d %H:%M:%S} {', '.join(parts)}; {pace}; {len(_at_work(now))} workers"


def follow(look: Callable[[], Status], show: Callable[[Status], None], stop: Stop, every_s: float) -> None:
    """Show how things stand, every few seconds, until someone asks us to stop."""
    while not stop.asked:
        show(look())
        stop.wait(every_s)


def _rate(rate: Rate) -> str:
    span = {60: "minute", 3600: "hour", 86_400: "day"}.get(rate.seconds, f"{rate.seconds} s")
    return f"last {span} {rate.judged:,} judged, {rate.not_judged:,} not judged, {rate.pages:,} pages"


def _at_work(now: Status) -> Mapping[str, int]:
    """The workers that were heard of lately or hold leases, with the number of pairs that they hold."""
    held = Counter[str]()
    for one in now.running:
        if one.silent_s <= SILENT_S:
            held[one.worker] += 0
    for holder in now.holders:
        if holder.until > now.at:
            held[worker_of(holder.name)] += holder.pairs
    return held


def _workers(now: Status) -> Iterator[str]:
    runs = {one.worker: one for one in now.running}
    for worker, pairs in sorted(_at_work(now).items()):
        run = runs.get(worker)
        yield f"Worker {shown(worker)}: {pairs} leased" + (f", run {run.id} ({run.source})" if run else "")
    for one in now.running:
        if one.silent_s > SILENT_S:
            yield f"Worker {shown(one.worker)} of run {one.id} wasn't heard of for {one.silent_s:.0f} s."


def _run(run: Run) -> str:
    ended = f" until {run.finished_at:%Y-%m-%d %H:%M}" if run.finished_at else ""
    numbers = ", ".join(f"{run.counts[name]} {name.replace('_', ' ')}" for name in _SHOWN if run.counts.get(name))
    why = f" ({run.error})" if run.error else ""
    return (
        f"Run {run.id}, {run.source}: {run.state}{why}, {run.started_at:%Y-%m-%d %H:%M}{ended}"
        f"{': ' + numbers if numbers else ''}"
    )


def _clock(at: datetime | None, now: datetime) -> str:
    """When something is, from now: "at once", "in 5 min", else the time in UTC."""
    if at is None:
        return "never"
    seconds = (at - now).total_seconds()
    if seconds <= 0:
        return "at once"
    if seconds < 3600:
        return f"in {max(1, round(seconds / 60))} min" if seconds >= 60 else f"in {round(seconds)} s"
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M}"


_SHOWN = ("pairs", "judged", "not_judged", "failed")
