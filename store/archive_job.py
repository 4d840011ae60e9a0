"""One job over the whole archive at a time: retention, taking out, or a backup, on whichever host it runs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine, text

WAIT_S = 3.0  # the server needs a moment to notice that one was killed
_JOB = 4_201_971  # the advisory lock that such a job holds


class ArchiveBusy(Exception):
    """Another job is at the archive. The message is one line."""


@contextmanager
def archive_job(engine: Engine) -> Iterator[None]:
    """Have the archive to oneself among such jobs; workers go on reading and adding to it. Raises `ArchiveBusy`.

    The lock is the database session's, so it goes with the process, however that ends.
    """
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        until = time.monotonic() + WAIT_S
        while not connection.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": _JOB}).scalar_one():
            if time.monotonic() < until:
                time.sleep(0.1)
                continue
            raise ArchiveBusy(
                "another retention, take-out or backup is at this archive: wait until it has ended, then do it again"
            )
        try:
            yield
        finally:
            connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": _JOB})
