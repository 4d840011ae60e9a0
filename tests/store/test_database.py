"""The embedded server, started, shared, killed and found again; an external one; and migrations at once."""

from __future__ import annotations

import os
import pwd
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, text

from store.database import MIGRATIONS, DatabaseUnavailable, migrate, open_database
from store.embedded import EmbeddedServerError, _useradd, embedded_server

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def prepared() -> Iterator[Path]:
    """A `var` with an empty database that was stopped in order: making one takes seconds, copying one doesn't."""
    with tempfile.TemporaryDirectory(prefix="citewell-var-") as folder:
        with open_database("", Path(folder) / "var"):
            pass
        yield Path(folder) / "var"


@pytest.fixture
def empty() -> Iterator[Path]:
    """A folder outside pytest's own, which a second pytest would close to the server's user while we run as root."""
    with tempfile.TemporaryDirectory(prefix="citewell-var-") as folder:
        yield Path(folder) / "var"
        await_stop(Path(folder) / "var")


@pytest.fixture
def var(prepared: Path, empty: Path) -> Path:
    """A `var` of the test's own, with an empty database that doesn't run."""
    subprocess.run(["cp", "-a", prepared, empty], check=True)
    return empty


def postmaster(var: Path) -> psutil.Process | None:
    try:
        process = psutil.Process(int((var / "postgres" / "postmaster.pid").read_text().split()[0]))
        return process if process.status() != psutil.STATUS_ZOMBIE else None
    except (FileNotFoundError, IndexError, psutil.NoSuchProcess):
        return None


def await_stop(var: Path) -> None:
    deadline = time.monotonic() + 30
    while postmaster(var) is not None:
        assert time.monotonic() < deadline, "the server is still there"
        time.sleep(0.02)


def user_of(var: Path, then: str) -> subprocess.Popen[str]:
    """Another process that opens the database, runs `then` on it and waits to be killed."""
    program = f"""
        import sys, time
        from pathlib import Path
        from sqlalchemy import text
        from store.database import open_database
        with open_database("", Path({str(var)!r})) as engine:
            with engine.begin() as connection:
                connection.execute(text({then!r}))
            print("ready", flush=True)
            time.sleep(600)
    """
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(program)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def end(process: subprocess.Popen[str], how: signal.Signals = signal.SIGKILL) -> None:
    process.send_signal(how)
    with process:
        process.wait(30)


def count(engine: Engine) -> int:
    with engine.connect() as connection:
        return int(connection.execute(text("SELECT count(*) FROM kept")).scalar_one())


@pytest.mark.xdist_group("embedded")
def test_the_server_runs_while_it_is_open_and_is_found_again(var: Path) -> None:
    with open_database("", var) as engine:
        with engine.begin() as connection:
            connection.execute(text("CREATE TABLE kept AS SELECT 1 AS one"))
        assert postmaster(var) is not None
        with open_database("", var) as again:
            assert count(again) == 1
        assert count(engine) == 1
    assert postmaster(var) is None
    with open_database("", var) as engine:
        assert count(engine) == 1
    assert postmaster(var) is None


@pytest.mark.xdist_group("embedded")
def test_a_killed_user_loses_nothing_and_leaves_no_server(var: Path) -> None:
    end(user_of(var, "CREATE TABLE kept AS SELECT 1 AS one"))
    await_stop(var)
    with open_database("", var) as engine:
        assert count(engine) == 1
    assert postmaster(var) is None


@pytest.mark.xdist_group("embedded")
def test_a_user_that_is_terminated_leaves_no_server(var: Path) -> None:
    end(user_of(var, "SELECT 1"), signal.SIGTERM)
    await_stop(var)


@pytest.mark.xdist_group("embedded")
def test_killing_one_user_disturbs_no_other(var: Path) -> None:
    with open_database("", var) as engine:
        server = postmaster(var)
        end(user_of(var, "CREATE TABLE kept AS SELECT 1 AS one"))
        end(user_of(var, "INSERT INTO kept VALUES (2)"))
        assert count(engine) == 2
        assert postmaster(var) == server
    assert postmaster(var) is None


@pytest.mark.xdist_group("embedded")
def test_the_user_that_started_it_may_leave_first(var: Path) -> None:
    first = user_of(var, "CREATE TABLE kept AS SELECT 1 AS one")
    with open_database("", var) as engine:
        end(first)
        time.sleep(0.5)  # the guard must go on waiting: we are here
        assert count(engine) == 1
    assert postmaster(var) is None


@pytest.mark.xdist_group("embedded")
def test_a_killed_server_and_a_killed_guard_are_replaced(var: Path) -> None:
    user = user_of(var, "CREATE TABLE kept AS SELECT 1 AS one")
    for guard in guards(var):
        guard.kill()
    server = postmaster(var)
    assert server is not None
    server.kill()
    server.wait(30)
    with open_database("", var) as engine:
        assert count(engine) == 1
        assert len(guards(var)) == 1
    end(user)
    await_stop(var)


def guards(var: Path) -> list[psutil.Process]:
    found = psutil.process_iter(["cmdline"])
    return [each for each in found if str(var / "postgres.users") in (each.info["cmdline"] or [])]


@pytest.mark.xdist_group("embedded")
def test_another_process_with_the_dead_servers_number_is_no_hindrance(var: Path) -> None:
    """As after a restart of a container, where process ids start again."""
    with open_database("", var):
        note = (var / "postgres" / "postmaster.pid").read_text()
    lines = note.splitlines()
    (var / "postgres" / "postmaster.pid").write_text("\n".join([str(os.getpid()), *lines[1:]]))
    with open_database("", var) as engine, engine.connect() as connection:
        assert connection.execute(text("SELECT 1")).scalar() == 1


@pytest.mark.xdist_group("embedded")
def test_only_the_owner_reaches_the_socket(var: Path) -> None:
    with open_database("", var) as engine:
        (sockets,) = [Path(str(engine.url.query["host"]))]
        assert sockets == var / "postgres"
        assert stat.S_IMODE(sockets.stat().st_mode) == 0o700
        assert stat.S_IMODE((sockets / ".s.PGSQL.5432").stat().st_mode) == 0o700
        assert stat.S_IMODE(var.stat().st_mode) & 0o066 == 0
        server = postmaster(var)
        assert server is not None
        assert [each for each in server.net_connections() if each.family != socket.AF_UNIX] == []
        if os.geteuid() == 0:
            stranger = pwd.getpwnam("nobody")
            psql = Path(server.exe()).with_name("psql")
            refused = subprocess.run(
                [psql, "-h", sockets, "-U", "citewell", "-d", "citewell", "-c", "SELECT 1"],
                user=stranger.pw_uid,
                group=stranger.pw_gid,
                extra_groups=[],
                capture_output=True,
                check=False,
                text=True,
                cwd="/",
            )
            assert refused.returncode != 0
            assert "Permission" in refused.stderr


@pytest.mark.xdist_group("embedded")
def test_a_path_too_long_for_a_socket_gets_a_private_folder(empty: Path, prepared: Path) -> None:
    deep = empty / ("d" * 90) / "it's 100 % deep, :here"
    deep.parent.mkdir(parents=True)
    subprocess.run(["cp", "-a", prepared, deep], check=True)
    with open_database("", deep) as engine:
        sockets = Path(str(engine.url.query["host"]))
        assert not sockets.is_relative_to(empty)
        assert stat.S_IMODE(sockets.stat().st_mode) == 0o700
        with engine.connect() as connection:
            assert connection.execute(text("SELECT 1")).scalar() == 1
    assert not sockets.exists()


@pytest.mark.xdist_group("embedded")
def test_many_start_it_at_once(empty: Path) -> None:
    def use(_: int) -> int:
        with open_database("", empty) as engine, engine.connect() as connection:
            return int(connection.execute(text("SELECT 1")).scalar_one())

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(use, range(12))) == [1] * 12
    assert postmaster(empty) is None


def test_a_folder_that_holds_something_else_is_left_alone(empty: Path) -> None:
    (empty / "postgres").mkdir(parents=True)
    (empty / "postgres" / "thesis.txt").write_text("mine")
    with pytest.raises(DatabaseUnavailable, match="holds files but no database"), open_database("", empty):
        pass
    assert (empty / "postgres" / "thesis.txt").read_text() == "mine"


def test_data_of_another_version_is_left_alone(empty: Path) -> None:
    (empty / "postgres").mkdir(parents=True)
    (empty / "postgres" / "PG_VERSION").write_text("12\n")
    complaint = r"made by PostgreSQL 12, and the embedded one is 18"
    with pytest.raises(DatabaseUnavailable, match=complaint), open_database("", empty):
        pass


@pytest.mark.parametrize("character", '"$`\\\n')
def test_a_path_that_a_shell_would_read_is_refused(tmp_path: Path, character: str) -> None:
    with pytest.raises(DatabaseUnavailable, match="path with any of"), open_database("", tmp_path / character):
        pass


def test_a_var_that_cant_be_made_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    complaint = "can't keep the embedded database there"
    with pytest.raises(EmbeddedServerError, match=complaint), embedded_server(tmp_path / "file" / "postgres"):
        pass


def test_an_external_server_by_its_url(database_url: str, tmp_path: Path) -> None:
    for url in (database_url, database_url.replace("postgresql+psycopg://", "postgresql://")):
        with open_database(url, tmp_path / "var") as engine, engine.connect() as connection:
            assert connection.execute(text("SELECT count(*) FROM pair")).scalar() == 0
    assert not (tmp_path / "var").exists()


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("not a url", "isn't a URL"),
        ("sqlite:///x.db", "'sqlite' isn't PostgreSQL"),
        ("postgresql://eve:s3cret@127.0.0.1:1/db", r"'db' at 127.0.0.1:1: can't connect: .*refused"),
        ("postgresql://eve:s3cret@127.0.0.1:many/db", "isn't a URL"),
        ("postgresql://eve:s3cret@/db?host=/nowhere", "can't connect"),
        ("postgresql://eve:s3cret@127.0.0.1/db?sslmode=s3cret", "can't connect|can't be used"),
    ],
)
def test_a_database_that_cant_be_used_is_one_clear_line(tmp_path: Path, url: str, complaint: str) -> None:
    with pytest.raises(DatabaseUnavailable, match=complaint) as raised, open_database(url, tmp_path):
        pass
    assert "\n" not in str(raised.value)
    assert "eve:s3cret" not in str(raised.value)


def test_a_missing_database_is_named(database_url: str, tmp_path: Path) -> None:
    url = database_url.replace("/test_", "/missing_")
    complaint = r'database "missing_\d+" does not exist'
    with pytest.raises(DatabaseUnavailable, match=complaint), open_database(url, tmp_path):
        pass


def test_processes_that_migrate_at_once_get_one_schema(
    new_database: Callable[[str], AbstractContextManager[str]],
) -> None:
    with new_database("at_once") as url:
        engine = create_engine(url)
        with engine.begin() as connection:
            connection.execute(text("DROP SCHEMA public CASCADE"))
            connection.execute(text("CREATE SCHEMA public"))
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _: migrate(engine), range(4)))
        with engine.connect() as connection:
            versions = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
            assert versions == ScriptDirectory(str(MIGRATIONS)).get_heads()
        engine.dispose()


def test_a_schema_from_the_future_is_refused(new_database: Callable[[str], AbstractContextManager[str]]) -> None:
    with new_database("future") as url:
        engine = create_engine(url)
        with engine.begin() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        with pytest.raises(DatabaseUnavailable, match=r"isn't known to this version.*9999"):
            migrate(engine)
        engine.dispose()


def test_a_user_who_may_not_migrate_is_told(new_database: Callable[[str], AbstractContextManager[str]]) -> None:
    with new_database("reader") as url:
        engine = create_engine(url)
        with engine.begin() as connection:
            connection.execute(text("DROP SCHEMA public CASCADE"))
            connection.execute(text("CREATE SCHEMA public"))
            connection.execute(text("CREATE ROLE reader_only LOGIN"))
            connection.execute(text("GRANT USAGE ON SCHEMA public TO reader_only"))
        reader = create_engine(engine.url.set(username="reader_only"))
        with pytest.raises(DatabaseUnavailable, match=r"can't bring the schema up to date: .*permission denied"):
            migrate(reader)
        reader.dispose()
        with engine.begin() as connection:
            connection.execute(text("DROP OWNED BY reader_only"))
            connection.execute(text("DROP ROLE reader_only"))
        engine.dispose()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes a user for the server")
def test_the_server_has_its_user_even_on_a_path_without_roots_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert Path(_useradd()).is_absolute()
