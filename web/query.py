"""The list's filters and place, read from an address and written into one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Literal, TypeVar, get_args

from flask_babel import gettext

from models.evidence import Stance
from models.outcome import Outcome
from store.queue import CANT_TELL, Cursor, Filters
from web.errors import BadQuery

Kind = TypeVar("Kind", bound=Enum)
State = Literal["open", "reviewed", "all"]

_PROPERTY_ID = re.compile(r"P[1-9][0-9]{0,9}")
_LONGEST_DOMAIN = 255


def read_filters(arguments: Mapping[str, str]) -> Filters:
    """The filters that an address names; what is absent or empty means any. Raises `BadQuery`."""
    return Filters(
        property_id=_read(arguments, "property", _property),
        domain=_read(arguments, "domain", _domain),
        stance=_read(arguments, "stance", _stance),
        unsure=arguments.get("stance", "").strip() == CANT_TELL,
        outcome=_read(arguments, "outcome", lambda text: _one_of(Outcome, "outcome", text)),
        state=_read(arguments, "state", _state) or "open",
    )


def read_cursor(arguments: Mapping[str, str]) -> Cursor | None:
    """The row after which the page begins; None for the first page. Raises `BadQuery`."""
    return _read(arguments, "after", _cursor)


def write_filters(filters: Filters) -> dict[str, str]:
    """The arguments of an address that `read_filters` reads as these filters; defaults are left out."""
    written = {
        "property": filters.property_id,
        "domain": filters.domain,
        "stance": CANT_TELL if filters.unsure else filters.stance and filters.stance.value,
        "outcome": filters.outcome and filters.outcome.value,
        "state": None if filters.state == "open" else filters.state,
    }
    return {name: value for name, value in written.items() if value}


Read = TypeVar("Read")


def _read(arguments: Mapping[str, str], field: str, parse: Callable[[str], Read]) -> Read | None:
    text = arguments.get(field, "").strip()
    return parse(text) if text else None


def _property(text: str) -> str:
    if not _PROPERTY_ID.fullmatch(text):
        raise BadQuery("property", gettext("It takes the id of a property, like P569."))
    return text


def _domain(text: str) -> str:
    if len(text) > _LONGEST_DOMAIN or not text.isprintable() or any(character in "/ " for character in text):
        raise BadQuery("domain", gettext("It takes the name of a host, like example.org."))
    return text.lower()


def _stance(text: str) -> Stance | None:
    return None if text == CANT_TELL else _one_of(Stance, "stance", text, CANT_TELL)


def _one_of(kind: type[Kind], field: str, text: str, *others: str) -> Kind:
    try:
        return kind(text)
    except ValueError:
        takes = (*(str(member.value) for member in kind), *others)
        raise BadQuery(field, gettext("It takes one of %(choices)s.", choices=", ".join(takes))) from None


def _state(text: str) -> State:
    for state in get_args(State):
        if text == state:
            chosen: State = state
            return chosen
    raise BadQuery("state", gettext("It takes one of %(choices)s.", choices=", ".join(get_args(State))))


def _cursor(text: str) -> Cursor:
    try:
        return Cursor.parse(text)
    except ValueError:
        raise BadQuery("after", gettext("It isn’t a place in the list; begin again at its first page.")) from None
