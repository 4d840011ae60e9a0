"""What all tests share: one embedded PostgreSQL for the session, a fresh database for each test, free ports, and a tiny
encoder.
"""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from sqlalchemy import Engine, create_engine, text
from sqlalchemy.orm import Session

from config import Config
from store import schema
from store.database import embedded_url, migrate
from store.embedded import embedded_server

TEMPLATE = "citewell_template"
# Not pytest's own folder: each start of pytest closes that to other users, and for root the server is another user.
_FOLDER = "TESTS_OF_CITEWELL"
_KEPT = {"pair_edge", "alembic_version"}
# A test database may be lost in a power cut, and is much faster for it.
_FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off"}

# How long one example takes says more about what else the machine does than about the code: tests that are about time
# measure it themselves.
settings.register_profile("citewell", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("citewell")

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")


def pytest_configure(config: pytest.Config) -> None:
    """Make the folder of the server that all xdist workers find, once, in the process that starts them."""
    if not hasattr(config, "workerinput"):
        folder = tempfile.mkdtemp(prefix="citewell-tests-")
        os.environ[_FOLDER] = folder
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes are no name for a test: packed ones differ from one second to the next, and so from worker to worker."""
    return argname if isinstance(val, bytes) else None


@pytest.fixture(scope="session", autouse=True)
def _plain_environment() -> Iterator[None]:
    """No setting of the person who runs the tests reaches them."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.upper().startswith("CITEWELL_")]:
            patch.delenv(name)
        yield


@pytest.fixture(scope="session")
def sockets() -> Iterator[Path]:
    """The socket folder of the one server that all xdist workers share; the last to leave stops it."""
    with embedded_server(Path(os.environ[_FOLDER]) / "postgres", _FAST) as folder:
        yield folder


@pytest.fixture(scope="session")
def new_database(sockets: Path) -> Callable[[str], AbstractContextManager[str]]:
    """Makes a migrated, empty database, dropped on leaving: `with new_database("name") as url: ...`."""

    @contextmanager
    def make(name: str) -> Iterator[str]:
        unique = f"{name}_{os.getpid()}"
        with _admin(sockets) as admin, admin.connect() as connection:
            connection.execute(text("SELECT pg_advisory_lock(1)"))
            _ensure_template(sockets, connection.engine)
            connection.execute(text(f'CREATE DATABASE "{unique}" TEMPLATE {TEMPLATE}'))
        try:
            yield embedded_url(sockets, unique).render_as_string(hide_password=False)
        finally:
            with _admin(sockets) as admin, admin.connect() as connection:
                connection.execute(text(f'DROP DATABASE "{unique}" WITH (FORCE)'))

    return make


@pytest.fixture(scope="session")
def _database_url(new_database: Callable[[str], AbstractContextManager[str]]) -> Iterator[str]:
    with new_database("test") as url:
        yield url


@pytest.fixture(scope="session")
def _engine(_database_url: str) -> Iterator[Engine]:
    engine = create_engine(_database_url)
    yield engine
    engine.dispose()


@pytest.fixture
def engine(_engine: Engine) -> Iterator[Engine]:
    """An engine on this worker's database, migrated and empty for each test. What a test commits is gone after it."""
    yield _engine
    _empty(_engine)


@pytest.fixture
def database_url(engine: Engine) -> str:
    """The URL of `engine`'s database, for programs that a test starts (CITEWELL_DATABASE_URL)."""
    return engine.url.render_as_string(hide_password=False)


@pytest.fixture
def session(engine: Engine) -> Iterator[Session]:
    """A session on `engine`; a test that others are to see commits it."""
    with Session(engine) as session:
        yield session


@pytest.fixture
def config(database_url: str, tmp_path: Path) -> Config:
    """Settings that point to this test's database and a `var` of its own."""
    return Config.model_validate({"database": {"url": database_url}, "var": tmp_path / "var"})


@pytest.fixture
def free_port() -> int:
    """The number of a port of 127.0.0.1 on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def tiny_base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An encoder with weights of chance and a real tokenizer, in a folder that transformers loads."""
    import torch  # takes seconds, and few tests need it
    from transformers import AutoTokenizer, BertConfig, BertModel

    from models.training.base import PACKAGED, base_folder

    folder = tmp_path_factory.mktemp("base")
    tokenizer = AutoTokenizer.from_pretrained(base_folder(PACKAGED))
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=1, num_attention_heads=4, intermediate_size=64
    )
    BertModel(config, add_pooling_layer=False).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def tiny_verifier(tiny_base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A verifier of this network's shape, untrained, in a folder as `models.verify.network.save` writes it."""
    import torch  # as above

    from models.verify.network import from_base, save

    folder = tmp_path_factory.mktemp("verifier")
    torch.manual_seed(0)
    save(*from_base(str(tiny_base)), folder)
    return folder


@contextmanager
def _admin(sockets: Path) -> Iterator[Engine]:
    engine = create_engine(embedded_url(sockets, "postgres"), isolation_level="AUTOCOMMIT")
    try:
        yield engine
    finally:
        engine.dispose()


def _ensure_template(sockets: Path, admin: Engine) -> None:
    with admin.connect() as connection:
        found = connection.execute(text("SELECT 1 FROM pg_database WHERE datname = :name"), {"name": TEMPLATE})
        if found.first() is not None:
            return
        connection.execute(text(f"CREATE DATABASE {TEMPLATE}_new"))
    draft = create_engine(embedded_url(sockets, f"{TEMPLATE}_new"))
    migrate(draft)
    draft.dispose()
    with admin.connect() as connection:
        connection.execute(text(f"ALTER DATABASE {TEMPLATE}_new RENAME TO {TEMPLATE}"))


def _empty(engine: Engine) -> None:
    """Take all rows out, and stop what a test left open on the database, which would lock us out."""
    tables = ", ".join(f'"{table.name}"' for table in schema.Base.metadata.sorted_tables if table.name not in _KEPT)
    with engine.begin() as connection:
        connection.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        )
        connection.execute(text(f"TRUNCATE {tables} RESTART IDENTITY"))
    engine.dispose()
