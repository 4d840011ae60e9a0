"""Signs of life: the health file, and leases that last while there is progress."""

from __future__ import annotations

import os
import time
from datetime import timedelta
from pathlib import Path

from sqlalchemy import Engine, func, select, update
from sqlalchemy.orm import Session

from bot.heartbeat import Heartbeat
from bot.patience import Patience
from bot.pulse import Pulse, unwell
from bot.worker_name import lease_name, shown, worker_name, worker_of
from models.statement import SourceUrl
from store import schema
from store.runs import recent_runs, start_run
from store.walk import SelectedPair, put_pairs
from store.work import lease


def test_progress_is_seen_in_the_file_and_its_lack_as_well(tmp_path: Path) -> None:
    file = tmp_path / "var" / "health"
    assert "no worker has begun" in (unwell(file, 60) or "")
    Pulse(file).beat()
    assert unwell(file, 60) is None
    os.utime(file, (0, time.time() - 100))
    said = unwell(file, 60)
    assert said is not None
    assert said.startswith("No progress for 100 s, and 60 s are allowed (run.health_s)")


def test_the_file_is_not_touched_more_often_than_need_be(tmp_path: Path) -> None:
    pulse = Pulse(tmp_path / "health", touch_every_s=3600)
    pulse.beat()
    os.utime(tmp_path / "health", (0, 0))
    pulse.beat()
    assert (tmp_path / "health").stat().st_mtime == 0
    assert pulse.silent_s < 1


def test_a_file_that_cant_be_written_ends_no_work(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    Pulse(tmp_path / "file" / "health").beat()
    assert "can't be looked at" in (unwell(tmp_path / "file" / "health", 60) or "")


def pair(session: Session) -> tuple[int, str]:
    """A run with a pair that is leased for a second."""
    run = start_run(session, "x", "m", "w").id
    urls = (SourceUrl("https://a.example/", "live"),)
    value = {"type": "string", "value": "x"}
    snak = {"snaktype": "value", "property": "P1", "datatype": "string", "datavalue": value}
    put_pairs(session, run, [SelectedPair("Q1$A", "Q1", "P1", snak, {}, "normal", 1, "h", {}, urls)], "m")
    assert lease(session, "w:1", 1, 1, run)
    session.commit()
    return run, "w:1"


def leased_for(engine: Engine) -> float:
    with Session(engine) as session:
        left: timedelta = session.scalars(select(schema.Pair.leased_until - func.now())).one()
        return left.total_seconds()


def await_renewal(engine: Engine) -> bool:
    """Whether the lease is renewed within a second or two."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        if leased_for(engine) > 0.8:
            return True
        time.sleep(0.02)
    return False


def test_a_heartbeat_keeps_leases_and_lets_others_know(engine: Engine, session: Session) -> None:
    run, name = pair(session)
    session.execute(update(schema.Run).values(seen_at=func.now() - timedelta(hours=1)))
    session.execute(update(schema.Pair).values(leased_until=func.now() - timedelta(seconds=5)))
    session.commit()
    with Heartbeat(engine, run, lambda: [name], 1.0, Pulse(), Patience(0.0)):
        assert await_renewal(engine)
    with Session(engine) as looking:
        (found,) = recent_runs(looking)
        assert looking.scalars(select(func.now() - schema.Run.seen_at)).one() < timedelta(minutes=1)
        assert found.state == "running"


def test_a_worker_that_is_stuck_loses_its_leases(engine: Engine, session: Session) -> None:
    run, name = pair(session)
    session.execute(update(schema.Pair).values(leased_until=func.now()))
    session.commit()
    pulse = Pulse()
    time.sleep(0.01)
    with Heartbeat(engine, run, lambda: [name], 0.1, pulse, Patience(0.0), stuck_s=0.001):
        time.sleep(0.3)
    assert leased_for(engine) < 0


def test_names_say_who_and_which_batch() -> None:
    me = worker_name()
    assert worker_of(lease_name(me, 12)) == me
    assert shown(me).endswith(f":{os.getpid()}")
    assert shown("x") == "x"
