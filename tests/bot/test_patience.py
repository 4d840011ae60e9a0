"""Waiting for PostgreSQL, with real errors of a real server."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine, create_engine, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session
from structlog.testing import capture_logs

from bot.patience import DatabaseAway, Patience, is_away


def nobody(port: int) -> Engine:
    """An engine on a port where nothing listens."""
    return create_engine(f"postgresql+psycopg://x@127.0.0.1:{port}/x", connect_args={"connect_timeout": 2})


def ask(engine: Engine, sql: str = "SELECT 1") -> int:
    with engine.connect() as connection:
        return int(connection.execute(text(sql)).scalar_one())


def error_of(engine: Engine, sql: str = "SELECT 1") -> SQLAlchemyError:
    with pytest.raises(SQLAlchemyError) as caught:
        ask(engine, sql)
    return caught.value


def test_what_comes_back_is_asked_again_after_growing_delays_and_said_once(engine: Engine, free_port: int) -> None:
    waits: list[float] = []
    patience, away = Patience(100.0, waits.append), nobody(free_port)
    with capture_logs() as logs:
        assert patience.keep(lambda: ask(engine if len(waits) == 9 else away)) == 1
    assert waits == [0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30.0]
    assert [log["event"] for log in logs] == ["waiting for PostgreSQL", "PostgreSQL is back"]
    assert "refused" in logs[0]["because"]


def test_what_stays_away_ends_in_one_line(free_port: int) -> None:
    with pytest.raises(DatabaseAway) as caught:
        Patience(0.0).keep(lambda: ask(nobody(free_port)))
    said = str(caught.value)
    assert said.startswith("PostgreSQL can't be reached: ")
    assert "Gave up after 0 s. Nothing that was saved is lost" in said
    assert "\n" not in said


def test_whoever_is_asked_to_stop_waits_no_longer(free_port: int) -> None:
    waits: list[float] = []
    with pytest.raises(DatabaseAway):
        Patience(100.0, waits.append, lambda: len(waits) == 2).keep(lambda: ask(nobody(free_port)))
    assert len(waits) == 2


@pytest.mark.parametrize("sql", ["SELECT 1/0", "SELECT nothing", "SELECT FROM"])
def test_our_own_mistakes_are_not_waited_for(engine: Engine, sql: str) -> None:
    waits: list[float] = []
    with pytest.raises(DBAPIError):
        Patience(100.0, waits.append).keep(lambda: ask(engine, sql))
    assert waits == []


def test_a_connection_that_is_cut_passes(engine: Engine) -> None:
    with Session(engine) as session:
        pid = session.scalar(text("SELECT pg_backend_pid()"))
        ask(engine, f"SELECT pg_terminate_backend({pid})::int")
        with pytest.raises(SQLAlchemyError) as caught:
            session.execute(text("SELECT 1"))
        session.invalidate()
    assert is_away(caught.value)


@pytest.mark.parametrize(
    ("state", "passes"),
    [("57P03", True), ("53300", True), ("40P01", True), ("40001", True), ("08006", True), ("57014", False)],
)
def test_what_passes_is_known_by_its_state(engine: Engine, state: str, passes: bool) -> None:
    raised = f"DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '{state}'; END $$"
    assert is_away(error_of(engine, raised)) is passes


def test_too_few_connections_for_a_moment_pass() -> None:
    assert is_away(PoolTimeout("QueuePool limit"))
    assert not is_away(ValueError())
