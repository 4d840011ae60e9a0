"""The pair at the desk that somebody came from to word its property: carried from page to page, and the way back.

In an address or a form, `pair` is its number and `list` the filters of its list, as an address of the list has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

from flask import url_for
from sqlalchemy import select
from sqlalchemy.orm import Session

from store import schema
from web.errors import BadQuery
from web.query import read_filters, write_filters


@dataclass(frozen=True, slots=True)
class Origin:
    """The pair with its claim as it reads now ("" where it has none), its statement, and its list's filters."""

    pair_id: int
    guid: str
    claim: str
    filters: Mapping[str, str]

    @property
    def fields(self) -> dict[str, Any]:
        """What carries it in an address or a form."""
        return carried(self.pair_id, self.filters)

    @property
    def url(self) -> str:
        """The pair at the desk, in its list."""
        arguments: dict[str, Any] = {**self.filters, "pair_id": self.pair_id}
        return url_for("pair.show", **arguments)


def carried(pair_id: int, filters: Mapping[str, str]) -> dict[str, Any]:
    """The fields that `came_from` reads."""
    return {"pair": str(pair_id), **({"list": urlencode(filters)} if filters else {})}


def came_from(session: Session, property_id: str, fields: Mapping[str, str]) -> Origin | None:
    """The pair that the fields name; None where they name none of this property."""
    number = fields.get("pair", "")
    if not (number.isascii() and number.isdigit() and len(number) <= 18):
        return None
    row = session.execute(
        select(schema.Pair.guid, schema.Verdict.claim)
        .join(schema.Statement, schema.Statement.guid == schema.Pair.guid)
        .outerjoin(schema.Verdict, (schema.Verdict.pair_id == schema.Pair.id) & schema.Verdict.current)
        .where(schema.Pair.id == int(number), schema.Statement.property_id == property_id)
    ).first()
    if row is None:
        return None
    return Origin(int(number), row.guid, row.claim or "", _filters(fields.get("list", "")))


def _filters(text: str) -> Mapping[str, str]:
    try:
        return write_filters(read_filters(dict(parse_qsl(text))))
    except (BadQuery, ValueError):  # somebody has changed the address by hand
        return {}
