"""Workers as processes: several at once, killed, interrupted, and with PostgreSQL going away (cases 25 to 27)."""

from __future__ import annotations

import json
import signal
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from bot_entities import adams
from local_web import LocalWeb, local_web, page
from sqlalchemy import Engine, select, text
from sqlalchemy.orm import Session
from wikibase_server import api
from workers import Workers, all_judged_once, kill, number, queue_pairs, said, wait_for, workers

from store import schema
from store.database import migrate, open_database
from store.embedded import embedded_server
from store.requests import ask


@pytest.fixture
def web() -> Iterator[LocalWeb]:
    with local_web({}) as running:
        yield running


@pytest.fixture
def team(database_url: str, tmp_path: Path) -> Iterator[Workers]:
    with workers(CITEWELL_DATABASE_URL=database_url, CITEWELL_VAR=str(tmp_path / "var")) as some:
        yield some


def judged(engine: Engine) -> int:
    return number(engine, "verdict")


def pages(web: LocalWeb) -> Counter[str]:
    return Counter(path for path in web.paths() if path != "/robots.txt")


def test_several_workers_share_the_work_and_judge_nothing_twice(engine: Engine, web: LocalWeb, team: Workers) -> None:
    queue_pairs(engine, web, 30)
    some = [team.start(QUICK_S="0.02") for _ in range(2)]
    for process in some:
        code, _, err = said(process)
        assert code == 0, err
    all_judged_once(engine, 30)
    assert max(pages(web).values()) == 1, "and ask for nothing twice"


def test_a_worker_that_is_killed_loses_nothing_and_its_pairs_come_back_by_time(
    engine: Engine, web: LocalWeb, team: Workers
) -> None:
    """On another host nobody can see that it is dead: its name is made another's here."""
    queue_pairs(engine, web, 12)
    first = team.start(QUICK_S="0.3", CITEWELL_RUN_LEASE_S="2")
    wait_for(lambda: judged(engine) >= 2, first)
    kill(first)
    with engine.begin() as connection:
        connection.execute(text("SET LOCAL session_replication_role = replica"))  # no trigger minds
        connection.execute(text("UPDATE pair SET leased_by = 'elsewhere/b.1:1:1.00:1' WHERE state = 'leased'"))
    held = number(engine, "pair WHERE state = 'leased'")
    assert held > 0
    second = team.start("work", "--watch", CITEWELL_RUN_LEASE_S="2")
    wait_for(lambda: number(engine, "pair WHERE state = 'judged'") == 12, second)
    second.terminate()
    assert said(second)[0] == 0
    all_judged_once(engine, 12)


def test_a_slow_batch_is_its_workers_while_that_lives(engine: Engine, web: LocalWeb, team: Workers) -> None:
    queue_pairs(engine, web, 4)
    slow = team.start(QUICK_S="2", CITEWELL_RUN_LEASE_S="1")
    wait_for(lambda: number(engine, "pair WHERE state = 'leased'") > 0, slow)
    other = team.start("work", "--watch", CITEWELL_RUN_LEASE_S="1")
    code, out, err = said(slow)
    assert code == 0, err
    assert "Taken over" not in out
    other.terminate()
    said(other)
    all_judged_once(engine, 4)


def test_ctrl_c_ends_after_the_present_pairs_and_gives_back_the_rest(
    engine: Engine, web: LocalWeb, team: Workers
) -> None:
    queue_pairs(engine, web, 40)
    process = team.start(QUICK_S="0.05")
    wait_for(lambda: judged(engine) >= 1, process)
    process.send_signal(signal.SIGINT)
    code, out, err = said(process)
    assert (code, "Traceback" in err) == (0, False)
    assert "Judged: " in out
    assert number(engine, "pair WHERE leased_by IS NOT NULL") == 0
    assert 0 < number(engine, "pair WHERE state = 'judged'") < 40
    assert number(engine, "run WHERE state = 'stopped'") == 2


def test_a_second_ctrl_c_ends_at_once_and_gives_back_too(engine: Engine, web: LocalWeb, team: Workers) -> None:
    queue_pairs(engine, web, 12)
    process = team.start(QUICK_S="60")
    wait_for(lambda: number(engine, "pair WHERE state = 'leased'") > 0, process)
    wait_for(lambda: sum(pages(web).values()) > 1, process)
    time.sleep(0.5)  # so that it judges
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    code, _, err = said(process)
    assert time.monotonic() - begun < 20
    assert code == 130
    assert err.splitlines()[-1] == "citewell: Stopped at once."
    assert number(engine, "pair WHERE leased_by IS NOT NULL") == 0
    assert judged(engine) == 0


def test_health_is_seen_from_outside(engine: Engine, web: LocalWeb, team: Workers, tmp_path: Path) -> None:
    file = tmp_path / "own" / "health"
    own = {"CITEWELL_RUN_HEALTH_FILE": str(file), "CITEWELL_RUN_HEALTH_S": "120"}
    code, out, err = said(team.start("healthy", **own))
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert f"{file} isn't there: no worker has begun" in err
    worker = team.start("work", "--watch", **own)
    wait_for(file.exists, worker)
    assert said(team.start("healthy", **own)) == (0, "Healthy.\n", "")
    assert said(team.start_module("bot.healthy", **own)) == (0, "Healthy.\n", "")
    kill(worker)
    code, _, err = said(team.start("healthy", **own | {"CITEWELL_RUN_HEALTH_S": "0.001"}))
    assert code == 1
    assert "No progress for" in err


def test_status_is_followed_as_lines_and_for_machines(engine: Engine, web: LocalWeb, team: Workers) -> None:
    queue_pairs(engine, web, 3)
    process = team.start("status", "--watch", "--every", "0.1")
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(2)]
    process.send_signal(signal.SIGINT)
    assert said(process)[0] == 0
    assert all("3 waiting" in line and "last minute: 0 pairs" in line for line in lines)
    code, out, _ = said(team.start("status", "--json"))
    found = json.loads(out)
    assert code == 0
    assert (found["states"]["waiting"], found["queue"][0]["why"], found["queue"][0]["due"]) == (3, "new", 3)


def test_what_a_person_asks_for_is_walked_and_judged(engine: Engine, web: LocalWeb, team: Workers) -> None:
    queue_pairs(engine, web, 1)
    web.routes["/adams"] = page("<h1>Douglas Adams</h1><p>Douglas Adams was born on 11 March 1952 in Cambridge.</p>")
    web.routes["/w/api.php"] = api(web, {entity["id"]: entity for entity in adams(f"{web.url}/adams")}, {}, [])
    with Session(engine) as session, session.begin():
        ask(session, "Q42", "Ada")
        ask(session, "Q999999999", "Eve")
    code, _, err = said(team.start(CITEWELL_SOURCE_API=f"{web.url}/w/api.php"))
    assert code == 0, err
    assert number(engine, "pair WHERE why = 'asked' AND state = 'judged'") > 3
    with Session(engine) as session:
        wishes = session.scalars(select(schema.Request).order_by(schema.Request.id)).all()
    assert [wish.said for wish in wishes] == ["", "it has no reference that can be judged"]
    assert all(wish.taken_at for wish in wishes)
    assert "Q999999999 doesn't exist" in err


# With a server of the test's own, that goes away and comes back.


@pytest.fixture
def var() -> Iterator[Path]:
    """A `var` outside pytest's own folder, which isn't open to the server's user while we run as root."""
    with tempfile.TemporaryDirectory(prefix="citewell-var-") as folder:
        yield Path(folder) / "var"


def stop_server(var: Path) -> None:
    """As in a power cut: nothing is written any more, and every connection breaks."""
    pid = int((var / "postgres" / "postmaster.pid").read_text().split()[0])
    subprocess.run(["kill", "-QUIT", str(pid)], check=True)
    until = time.monotonic() + 60
    while (var / "postgres" / "postmaster.pid").exists():
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.xdist_group("embedded")
def test_workers_wait_while_postgresql_is_away_and_go_on(var: Path, web: LocalWeb) -> None:
    with ExitStack() as stack:
        engine = stack.enter_context(open_database("", var))
        migrate(engine)
        queue_pairs(engine, web, 60)
        team = stack.enter_context(workers(CITEWELL_VAR=str(var), CITEWELL_RUN_LEASE_S="2", QUICK_S="0.1"))
        one, other = team.start(), team.start()
        at_work = "run WHERE state = 'running' AND EXISTS (SELECT FROM verdict WHERE run_id = run.id)"
        wait_for(lambda: number(engine, at_work) == 2, one, other)
        stop_server(var)
        time.sleep(2.5)  # each needs it once in less
        assert one.poll() is None
        assert other.poll() is None
        with embedded_server(var / "postgres"):  # starts it again
            for process in (one, other):
                code, out, err = said(process)
                assert code == 0, err
                assert "Traceback" not in err
                assert "Judged: " in out
                assert 'event="waiting for PostgreSQL"' in err
                assert 'event="PostgreSQL is back"' in err
            all_judged_once(engine, 60)
            assert number(engine, "run WHERE state = 'finished'") == 2


@pytest.mark.xdist_group("embedded")
def test_a_worker_gives_up_in_one_line_where_postgresql_stays_away(var: Path, web: LocalWeb) -> None:
    with ExitStack() as stack:
        engine = stack.enter_context(open_database("", var))
        migrate(engine)
        queue_pairs(engine, web, 24)
        team = stack.enter_context(
            workers(CITEWELL_VAR=str(var), CITEWELL_RUN_DATABASE_PATIENCE_S="0.5", QUICK_S="0.1")
        )
        worker = team.start()
        wait_for(lambda: judged(engine) >= 1, worker)
        stop_server(var)
        code, _, err = said(worker)
        assert code == 1
        assert "Traceback" not in err
        assert "PostgreSQL can't be reached" in err.splitlines()[-1]
