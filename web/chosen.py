"""The filters that narrow a list, each in words and with the address of the list without it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask_babel import gettext, lazy_gettext
from sqlalchemy.orm import Session

from models.read.language import language_name
from store.filters import Filters
from store.terms import load_terms
from store.worklists import name_of
from web import words
from web.formats import day

NAMES = {
    "stance": lazy_gettext("Stance"),
    "outcome": lazy_gettext("Outcome"),
    "property": lazy_gettext("Property"),
    "class": lazy_gettext("Kind of subject"),
    "domain": lazy_gettext("Domain"),
    "language": lazy_gettext("Page’s language"),
    "since": lazy_gettext("Judged from"),
    "until": lazy_gettext("Judged until"),
    "run": lazy_gettext("Run"),
    "worklist": lazy_gettext("Worklist"),
    "state": lazy_gettext("State"),
}


@dataclass(frozen=True, slots=True)
class Chosen:
    """A filter: its field, its name and value in words, and the arguments of the list without it.

    `own`: the value is somebody's words, not ours.
    """

    field: str
    name: str
    value: str
    without: Mapping[str, str]
    own: bool


def chosen(session: Session, filters: Filters, arguments: Mapping[str, str]) -> list[Chosen]:
    """The filters among `arguments` (as `write_filters` has them), in the order of the form."""
    values = _values(session, filters, arguments)
    return [
        Chosen(
            field,
            str(name),
            values[field][0],
            {other: text for other, text in arguments.items() if other != field},
            values[field][1],
        )
        for field, name in NAMES.items()
        if field in arguments
    ]


def _values(session: Session, filters: Filters, arguments: Mapping[str, str]) -> dict[str, tuple[str, bool]]:
    term = load_terms(session, {each for each in (filters.property_id, filters.class_id) if each})
    said: dict[str, tuple[str, bool]] = {field: (text, True) for field, text in arguments.items()}
    if filters.property_id:
        said["property"] = (term(filters.property_id).label or filters.property_id, True)
    if filters.class_id:
        said["class"] = (term(filters.class_id).label or filters.class_id, True)
    if filters.worklist_id:
        name = name_of(session, filters.worklist_id)
        said["worklist"] = (
            (name, True) if name else (gettext("none with the number %(id)s", id=filters.worklist_id), False)
        )
    if filters.language:
        said["language"] = (language_name(filters.language), False)
    if filters.since:
        said["since"] = (day(filters.since), False)
    if filters.until:
        said["until"] = (day(filters.until), False)
    if "stance" in arguments:
        said["stance"] = (str(words.page_stance(arguments["stance"]).words), False)
    if filters.judged:
        said["outcome"] = (gettext("judged"), False)
    if filters.outcome:
        said["outcome"] = (words.outcome_label(filters.outcome.value), False)
    said["state"] = (str(words.STATES[filters.state]), False)
    return said
