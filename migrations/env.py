"""How Alembic reaches the database: on the connection that `store.database.migrate` gives, else as configured."""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection

from config import load_config
from store.database import open_database
from store.schema import Base


def run(connection: Connection) -> None:
    """Migrate on this connection, in its transaction; rather give up than make others wait behind a lock."""
    connection.exec_driver_sql("SET LOCAL lock_timeout = '10s'")
    context.configure(connection=connection, target_metadata=Base.metadata, compare_server_default=True)
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    settings = load_config()
    with open_database(settings.database.url, settings.var) as engine, engine.begin() as own:
        run(own)
