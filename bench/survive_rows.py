"""The database of `python -m bench survive`: a server that can be stopped in the midst, and what its rows say."""

from __future__ import annotations

import shutil
import signal
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil  # type: ignore[import-untyped]
from sqlalchemy import Engine, create_engine, text
from sqlalchemy.pool import NullPool

from bench.survive_checks import CUT_OFF, Ended, Settled, Window
from store.database import NAME, embedded_url, migrate, open_database
from store.embedded import embedded_server

_SLACK_S = 0.5

# Each end of a lease by a judgement is noted by the database itself, whoever makes it.
_NOTED = """
CREATE TABLE survive_settled (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  pair_id bigint NOT NULL, state text NOT NULL, next_at timestamptz, at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE FUNCTION survive_note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO survive_settled (pair_id, state, next_at) VALUES (NEW.id, NEW.state, NEW.next_at);
  RETURN NULL;
END $$;
CREATE TRIGGER survive_note AFTER UPDATE OF state ON pair FOR EACH ROW
WHEN (OLD.state = 'leased' AND NEW.state IN ('judged', 'not_judged')) EXECUTE FUNCTION survive_note();
"""
_STATES = text("SELECT state, count(*) FROM pair GROUP BY state")
_FULL = text("SELECT count(*) FROM pair WHERE state = 'failed' AND last_error LIKE '%archive.max_bytes%'")
_AWAY = text("SELECT count(*) FROM pair WHERE state = 'failed' AND last_error LIKE '%network seems to be away%'")
_LEASED = text("SELECT leased_by, count(*) FROM pair WHERE state = 'leased' GROUP BY leased_by")
_WITHOUT_TRIGGERS = text("SET LOCAL session_replication_role = replica")  # one holds that no lease changes hands
_ELSEWHERE = (
    text("UPDATE pair SET leased_by = 'elsewhere-' || leased_by WHERE split_part(leased_by, ':', 2) = ANY(:pids)"),
    text("UPDATE run SET worker = 'elsewhere-' || worker WHERE split_part(worker, ':', 2) = ANY(:pids)"),
)
_SETTLED = text(
    "SELECT pair_id, extract(epoch FROM at), state, extract(epoch FROM next_at) FROM survive_settled ORDER BY id"
)
_PASS = (
    text("UPDATE pair SET next_at = now() WHERE state = 'failed' AND next_at > now()"),
    # Not those that have just been asked: theirs may be a rest that the host itself wished for.
    text("UPDATE host SET resting_until = now() WHERE resting_until > now() AND next_at < now() - interval '4 s'"),
)
_PAIRS = text("""
SELECT pair.guid, pair.ref_hash, pair.state, coalesce(pair.last_error, ''), pair.urls,
  array(SELECT ARRAY[stance, outcome] FROM verdict WHERE pair_id = pair.id AND current),
  (SELECT count(*) FROM verdict WHERE pair_id = pair.id AND stance IS NOT NULL)
FROM pair
""")
# What a host could not be asked for is remembered for a while, and ends pages that are asked for later.
_TRIES = text("""
SELECT url, extract(epoch FROM kept_at), extract(epoch FROM tried_at - CASE
  WHEN detail LIKE 'robots.txt can%' OR detail LIKE '%is left alone until%' THEN interval '10 min'
  ELSE interval '0' END)
FROM try WHERE outcome = ANY(:outcomes)
""")
_FELT = text("""
SELECT count(*) FROM try
WHERE outcome = ANY(:outcomes) AND tried_at <= to_timestamp(:ended) AND kept_at >= to_timestamp(:begun)
""")
_PLACES = text("SELECT DISTINCT warc, warc_offset FROM document WHERE warc IS NOT NULL")


@dataclass(frozen=True, slots=True)
class Server:
    """An embedded PostgreSQL that is used by its URL, so that it can go away under those who use it."""

    data: Path

    @property
    def url(self) -> str:
        """Where it is, also after it was started again."""
        return embedded_url(self.data, NAME).render_as_string(hide_password=False)

    def engine(self) -> Engine:
        """An engine whose every connection is new: none outlives a stop."""
        return create_engine(embedded_url(self.data, NAME), poolclass=NullPool)

    def stop_at_once(self) -> None:
        """What a power cut does to it: nothing is finished, and it recovers when it is started."""
        process = psutil.Process(int((self.data / "postmaster.pid").read_text().split()[0]))
        process.send_signal(signal.SIGQUIT)
        process.wait(30)

    def start(self) -> None:
        """Start it again."""
        with embedded_server(self.data):
            pass


@contextmanager
def server() -> Iterator[Server]:
    """A server with an empty database of the newest schema, in a folder of its own that goes with it."""
    folder = Path(tempfile.mkdtemp(prefix="survive-"))  # short: a socket's path must not be long
    try:
        with open_database("", folder) as engine:
            migrate(engine)
            with engine.begin() as connection:
                connection.execute(text(_NOTED))
            yield Server(folder / "postgres")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def states(engine: Engine) -> Mapping[str, int]:
    """How many pairs are in each state."""
    with engine.connect() as connection:
        return {str(state): int(number) for state, number in connection.execute(_STATES)}


def leases(engine: Engine) -> Mapping[str, int]:
    """How many pairs each worker has leased, by its name."""
    with engine.connect() as connection:
        return {str(name): int(number) for name, number in connection.execute(_LEASED)}


def without_room(engine: Engine) -> int:
    """How many pairs have failed for want of room in the archive, and wait."""
    with engine.connect() as connection:
        return int(connection.execute(_FULL).scalar_one())


def without_network(engine: Engine) -> int:
    """How many pairs wait since their worker saw that the network was away."""
    with engine.connect() as connection:
        return int(connection.execute(_AWAY).scalar_one())


def take_elsewhere(engine: Engine, pids: Sequence[int]) -> None:
    """Make processes that were killed look like those of another machine: only time gives their leases back."""
    with engine.begin() as connection:
        connection.execute(_WITHOUT_TRIGGERS)
        for statement in _ELSEWHERE:
            connection.execute(statement, {"pids": [str(pid) for pid in pids]})


def let_time_pass(engine: Engine) -> None:
    """Make failed pairs due, and end the rest of hosts that failed, as hours would."""
    with engine.begin() as connection:
        for statement in _PASS:
            connection.execute(statement)


def settled(engine: Engine) -> tuple[Settled, ...]:
    """Every end of a lease by a judgement, in order."""
    with engine.connect() as connection:
        return tuple(
            Settled(pair_id, float(at), state, float(next_at) if next_at is not None else None)
            for pair_id, at, state, next_at in connection.execute(_SETTLED)
        )


def ended(engine: Engine, cuts: Sequence[Window]) -> Mapping[tuple[str, str], Ended]:
    """How each pair stands, by its statement and its reference. `cuts`: when the network was cut."""
    outcomes = [outcome.value for outcome in CUT_OFF]
    with engine.connect() as connection:
        tries = connection.execute(_TRIES, {"outcomes": outcomes}).all()
        rows = connection.execute(_PAIRS).all()
    windows = [Window(cut.begun - _SLACK_S, cut.ended + _SLACK_S) for cut in cuts]
    cut = {url for url, over, begun in tries if any(one.meets(Window(float(begun), float(over))) for one in windows)}
    return {
        (guid, hash_): Ended(
            state,
            error,
            tuple((stance, outcome) for stance, outcome in current),
            stances,
            any(url["url"] in cut for url in urls),
        )
        for guid, hash_, state, error, urls, current, stances in rows
    }


def felt(engine: Engine, cut: Window) -> int:
    """How many pages failed to come while the network was cut."""
    given = {"outcomes": [outcome.value for outcome in CUT_OFF], "begun": cut.begun, "ended": cut.ended}
    with engine.connect() as connection:
        return int(connection.execute(_FELT, given).scalar_one())


def places(engine: Engine) -> tuple[tuple[str, int], ...]:
    """Where the archive keeps the bodies that the rows name."""
    with engine.connect() as connection:
        return tuple((str(warc), int(offset)) for warc, offset in connection.execute(_PLACES))
