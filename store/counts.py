"""How long the list of references is: counted where that is quick, else as PostgreSQL estimates it."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.dialects import postgresql
from sqlalchemy.orm import Session

from store.filters import Filters
from store.queue import ids_of

EXACT = 1000
"""Up to so many are counted one by one."""


@dataclass(frozen=True, slots=True)
class Count:
    """A number of rows: exact, or an estimate; where nothing is known but that there are more, `EXACT`."""

    number: int
    exact: bool


def count(session: Session, filters: Filters, exact: int = EXACT) -> Count:
    """How many rows a list has."""
    some = ids_of(filters).limit(exact + 1).subquery()
    number = session.scalars(select(func.count()).select_from(some)).one()
    if number <= exact:
        return Count(number, exact=True)
    query = ids_of(filters).compile(
        dialect=postgresql.dialect(paramstyle="pyformat"),  # type: ignore[no-untyped-call]
        compile_kwargs={"render_postcompile": True},
    )
    plan = session.connection().exec_driver_sql(f"EXPLAIN (FORMAT JSON) {query}", query.params).scalar_one()
    return Count(max(exact, int(plan[0]["Plan"]["Plan Rows"])), exact=False)
