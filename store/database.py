"""The database: an external PostgreSQL by its URL, or the embedded one in `var/`; and its migrations."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config as AlembicConfig
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import URL, Engine, create_engine, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from store.embedded import PORT, ROLE, EmbeddedServerError, embedded_server

MIGRATIONS = Path(__file__).resolve().parent.parent / "migrations"
NAME = "citewell"
OLDEST = 15  # UNIQUE NULLS NOT DISTINCT
STARTING_S = 60.0  # how long a server that is on its way up or down is waited for
_LOOK_S = 0.2
_PASSING = ("starting up", "shutting down", "in recovery mode", "not yet accepting connections")
# A network that swallows what is sent is noticed within a minute, not after the hours of TCP's own patience.
_CONNECTING = {
    "connect_timeout": 10,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
}
_MIGRATING = 4_201_966  # the advisory lock under which one process at a time migrates


class DatabaseUnavailable(Exception):
    """The database can't be used. The message is one line that says what and what to do, with no password in it."""


@contextmanager
def open_database(url: str, var: Path) -> Iterator[Engine]:
    """An engine on the PostgreSQL at `url`, or, where it is "", on the embedded one in `var`/postgres.

    The embedded server is started if it doesn't run, and stops when the last process that opened it has left,
    however that process ended. Raises `DatabaseUnavailable`.
    """
    if url:
        with _engine(external_url(url)) as engine:
            yield engine
        return
    try:
        with embedded_server(var / "postgres") as sockets:
            _ensure_database(sockets)
            with _engine(embedded_url(sockets, NAME)) as engine:
                yield engine
    except EmbeddedServerError as error:
        raise DatabaseUnavailable(str(error)) from error


def is_known(revision: str) -> bool:
    """Whether a revision of the schema is one that this program made, or can bring up to date."""
    scripts = ScriptDirectory(str(MIGRATIONS))
    return any(script.revision == revision for script in scripts.walk_revisions())


def migrate(engine: Engine) -> None:
    """Bring the schema up to the newest revision; safe to call from several processes at once.

    Raises `DatabaseUnavailable` where the schema is newer than this program, or may not be changed.
    """
    try:
        with engine.begin() as connection:
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATING})
            config = AlembicConfig()
            config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except CommandError as error:
        raise DatabaseUnavailable(
            f"{_shown(engine.url)}: its schema isn't known to this version ({_first_line(error)}): "
            "use the version of Citewell that made it, or a newer one"
        ) from error
    except DBAPIError as error:
        raise DatabaseUnavailable(f"{_shown(engine.url)}: can't bring the schema up to date: {_said(error)}") from error


def external_url(url: str) -> URL:
    """The URL as SQLAlchemy needs it. Raises `DatabaseUnavailable` for anything but a URL of PostgreSQL."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise DatabaseUnavailable(
            "database.url isn't a URL: write postgresql://USER:PASSWORD@HOST/NAME, or leave it empty"
        ) from None
    if parsed.drivername.split("+")[0] not in {"postgresql", "postgres"}:
        raise DatabaseUnavailable(
            f"database.url: {parsed.drivername!r} isn't PostgreSQL: write postgresql://USER:PASSWORD@HOST/NAME"
        )
    return parsed.set(drivername="postgresql+psycopg")


def embedded_url(sockets: Path, name: str) -> URL:
    """The URL of a database of the embedded server."""
    query = {"host": str(sockets), "port": str(PORT)}
    return URL.create("postgresql+psycopg", username=ROLE, database=name, query=query)


@contextmanager
def _engine(url: URL) -> Iterator[Engine]:
    try:
        engine = create_engine(url, pool_pre_ping=True, max_overflow=20, connect_args=_CONNECTING)
    except (ArgumentError, NoSuchModuleError) as error:
        raise DatabaseUnavailable(f"database.url can't be used: {_first_line(error)}") from error
    try:
        _check(engine)
        yield engine
    finally:
        engine.dispose()


def _check(engine: Engine) -> None:
    until = time.monotonic() + STARTING_S
    while True:
        try:
            with engine.connect() as connection:
                version = connection.execute(text("SHOW server_version_num")).scalar_one()
                encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
        except DBAPIError as error:
            if _on_its_way(error) and time.monotonic() < until:
                time.sleep(_LOOK_S)
                continue
            raise DatabaseUnavailable(
                f"{_shown(engine.url)}: can't connect: {_said(error)}. Check database.url, or leave it empty for the "
                "embedded server"
            ) from error
        break
    if int(version) < OLDEST * 10_000:
        raise DatabaseUnavailable(
            f"{_shown(engine.url)}: is PostgreSQL {int(version) // 10_000}; {OLDEST} or newer is needed"
        )
    if encoding != "UTF8":
        raise DatabaseUnavailable(f"{_shown(engine.url)}: its encoding is {encoding}; a database in UTF8 is needed")


def _on_its_way(error: DBAPIError) -> bool:
    """Whether a server is there, but going down or coming up: who starts again after a crash meets just that."""
    return str(getattr(error.orig, "sqlstate", None) or "").startswith("57P") or any(
        words in str(error.orig) for words in _PASSING
    )


def _ensure_database(sockets: Path) -> None:
    engine = create_engine(embedded_url(sockets, "postgres"), isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": _MIGRATING})
            found = connection.execute(text("SELECT 1 FROM pg_database WHERE datname = :name"), {"name": NAME})
            if found.first() is None:
                connection.execute(text(f"CREATE DATABASE {NAME}"))
    except DBAPIError as error:
        raise DatabaseUnavailable(f"{sockets}: the embedded server can't make its database: {_said(error)}") from error
    finally:
        engine.dispose()


def _shown(url: URL) -> str:
    """Which database, without the password."""
    host = url.host or url.query.get("host") or "the local socket"
    return f"PostgreSQL database {url.database or ''!r} at {host}{f':{url.port}' if url.port else ''}"


def _said(error: DBAPIError) -> str:
    """The first line of what the server or the driver said."""
    return _first_line(error.orig or error).removeprefix("connection failed: ").rstrip(". ")


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
