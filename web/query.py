"""The list's filters and place, read from an address and written into one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from enum import Enum
from typing import TypeVar, get_args

from flask_babel import gettext

from models.evidence import Stance
from models.outcome import Outcome
from store.filters import CANT_TELL, Filters, State
from store.queue import Cursor
from web.errors import BadQuery
from web.reviewer import reviewer

Kind = TypeVar("Kind", bound=Enum)

JUDGED = "none"  # among the outcomes that an address can ask for
_PROPERTY_ID = re.compile(r"P[1-9][0-9]{0,9}")
_ITEM_ID = re.compile(r"Q[1-9][0-9]{0,11}")
_LANGUAGE = re.compile(r"[a-z]{2,3}")
_LONGEST_DOMAIN = 255
_YEARS = range(2000, 3000)
_LARGEST = 2**63


def read_filters(arguments: Mapping[str, str]) -> Filters:
    """The filters that an address names; what is absent or empty means any, and "mine" the reader's own.

    Raises `BadQuery`.
    """
    return Filters(
        property_id=_read(arguments, "property", _property),
        class_id=_read(arguments, "class", _class),
        domain=_read(arguments, "domain", _domain),
        language=_read(arguments, "language", _language),
        stance=_read(arguments, "stance", _stance),
        unsure=arguments.get("stance", "").strip() == CANT_TELL,
        outcome=_read(arguments, "outcome", _outcome),
        judged=arguments.get("outcome", "").strip() == JUDGED,
        since=_read(arguments, "since", lambda text: _day("since", text)),
        until=_read(arguments, "until", lambda text: _day("until", text)),
        run_id=_read(arguments, "run", lambda text: _number("run", text)),
        worklist_id=_read(arguments, "worklist", lambda text: _number("worklist", text)),
        state=_read(arguments, "state", _state) or "open",
        reviewer=reviewer() or "",
    )


def read_cursor(arguments: Mapping[str, str], name: str = "after") -> Cursor | None:
    """The row after (or `before`) which the page lies; None where none is named. Raises `BadQuery`."""
    return _read(arguments, name, lambda text: _cursor(name, text))


def read_number(arguments: Mapping[str, str], name: str) -> int | None:
    """A row's number; None where none is named. Raises `BadQuery`."""
    return _read(arguments, name, lambda text: _number(name, text))


def write_filters(filters: Filters) -> dict[str, str]:
    """The arguments of an address that `read_filters` reads as these filters; defaults are left out."""
    written = {
        "property": filters.property_id,
        "class": filters.class_id,
        "domain": filters.domain,
        "language": filters.language,
        "stance": CANT_TELL if filters.unsure else filters.stance and filters.stance.value,
        "outcome": JUDGED if filters.judged else filters.outcome and filters.outcome.value,
        "since": filters.since and filters.since.isoformat(),
        "until": filters.until and filters.until.isoformat(),
        "run": filters.run_id and str(filters.run_id),
        "worklist": filters.worklist_id and str(filters.worklist_id),
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


def _class(text: str) -> str:
    if not _ITEM_ID.fullmatch(text.upper()):
        raise BadQuery("class", gettext("It takes the id of an item, like Q5."))
    return text.upper()


def _domain(text: str) -> str:
    if len(text) > _LONGEST_DOMAIN or not text.isprintable() or any(character in "/ " for character in text):
        raise BadQuery("domain", gettext("It takes the name of a host, like example.org."))
    return text.lower()


def _language(text: str) -> str:
    if not _LANGUAGE.fullmatch(text.lower()):
        raise BadQuery("language", gettext("It takes the code of a language, like en."))
    return text.lower()


def _day(field: str, text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or len(text) != len("2026-01-31") or day.year not in _YEARS:
        raise BadQuery(field, gettext("It takes a day, like 2026-01-31."))
    return day


def _number(field: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 20 and 0 < int(text) < _LARGEST):
        raise BadQuery(field, gettext("It takes a number, like 12."))
    return int(text)


def _stance(text: str) -> Stance | None:
    return None if text == CANT_TELL else _one_of(Stance, "stance", text, CANT_TELL)


def _outcome(text: str) -> Outcome | None:
    return None if text == JUDGED else _one_of(Outcome, "outcome", text, JUDGED)


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


def _cursor(field: str, text: str) -> Cursor:
    try:
        return Cursor.parse(text)
    except ValueError:
        raise BadQuery(field, gettext("It isn’t a place in the list; begin again at its first page.")) from None
