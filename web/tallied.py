"""A list of tallies as an address asks for it: how it is sorted, what its names have in them, and where it begins."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from flask_babel import gettext, lazy_gettext

from store.reports.tallies import SORTS, Place
from web.errors import BadQuery

LONGEST = 100
SORT_WORDS = {
    "pairs": lazy_gettext("Most references"),
    "score": lazy_gettext("Lowest score"),
    "refutes": lazy_gettext("Most that say otherwise"),
    "not_enough_info": lazy_gettext("Most that don’t say"),
    "cant_tell": lazy_gettext("Most that can’t be told"),
    "not_judged": lazy_gettext("Most not judged"),
    "missing": lazy_gettext("Most not found or gone"),
    "name": lazy_gettext("Name"),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What an address asks of a list of tallies. `least`: those with fewer pairs are left out."""

    sort: str = "pairs"
    named: str = ""
    least: int = 1
    after: Place | None = None

    @property
    def arguments(self) -> dict[str, str]:
        """The arguments of an address that asks for the same list, from its beginning; defaults are left out."""
        written = {
            "sort": "" if self.sort == "pairs" else self.sort,
            "named": self.named,
            "least": "" if self.least == 1 else str(self.least),
        }
        return {name: value for name, value in written.items() if value}

    @classmethod
    def read(cls, arguments: Mapping[str, str]) -> Asked:
        """Read the arguments of an address. Raises `BadQuery`."""
        sort = arguments.get("sort", "").strip() or "pairs"
        if sort not in SORTS:
            raise BadQuery("sort", gettext("It takes one of %(choices)s.", choices=", ".join(SORTS)))
        named = arguments.get("named", "").strip()
        if len(named) > LONGEST or not named.isprintable():
            raise BadQuery("named", gettext("It takes up to %(longest)s characters on one line.", longest=LONGEST))
        least = arguments.get("least", "").strip() or "1"
        if not (least.isascii() and least.isdigit() and len(least) <= 9):
            raise BadQuery("least", gettext("It takes a number of references."))
        return cls(sort, named, max(int(least), 1), _place(arguments.get("after", "")))


def write(place: Place | None) -> str | None:
    """Where the next page begins, as `Asked.read` reads it in `after`; None on the last."""
    return None if place is None else f"{place.value!r}~{place.name}"


def _place(text: str) -> Place | None:
    if not text:
        return None
    value, tilde, name = text.partition("~")
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not tilde or not math.isfinite(number) or "\0" in name:
        raise BadQuery("after", gettext("It isn’t a place in the list; begin again at its first page."))
    return Place(number, name)
