"""Every page of the dashboard with something on it: what to fill a database with, and the addresses to look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from flask import Flask
from sqlalchemy.orm import Session

from models.verbalise import Override
from store.measured import keep
from store.trials import ask
from tests.web.desk import ROWS, UNREAD, UNSURE, USUAL, fill
from tests.web.figures import FIGURES

ADDRESSES: Mapping[str, tuple[str, ...]] = {
    "queue.index": ("/", "/?outcome=not_found", "/?property=P999", "/?stance=cant_tell"),
    "pair.show": ("/pair/{judged}", "/pair/{lost}", "/pair/{rows}", "/pair/{unread}"),
    "wording.show": ("/property/P569/wording",),
    "wording.preview": (
        "/property/P569/wording/preview?wording=pattern&text={{subject}} was born on {{object}}, they say.",
        "/property/P569/wording/preview?wording=pattern&text=nothing",
    ),
    "wording.trial": ("/property/P569/wording/trial/{trial}",),
    "wordings.form": ("/wordings",),
    "properties.index": ("/properties",),
    "properties.show": ("/property/P569",),
    "item.show": ("/item/Q42", "/item/Q999999"),
    "domains.index": ("/domains",),
    "domains.show": ("/domain/library.example.org",),
    "runs.index": ("/runs",),
    "runs.show": ("/run/{run}",),
    "overview.show": ("/overview",),
    "about.about": ("/about",),
    "measured.show": ("/measured",),
    "sign_in.form": ("/sign-in",),
    "pair.page": ("/pair/{rows}/page",),
    "pair.disputed": ("/disputed",),
    "find.find": ("/find", "/find?q=D", "/find?q=nobody"),
}
"""The addresses to look at by the endpoint that answers them. Fields in braces are filled in by `furnish`."""

ERRORS = ("/nowhere", "/?stance=odd", "/pair/999999")

NO_PAGES = frozenset({"static", "health.health", "pair.live", "sign_in.resume", "wordings.everything", "wordings.one"})
"""Endpoints that answer GET with something that isn't a page, or with one only on a way that has a test of its own."""


def furnish(session: Session, var: Path) -> dict[str, int]:
    """Fill the database so that every page has something to show, and give the numbers for the addresses' fields."""
    usual = fill(session, var, [*USUAL, UNSURE])
    structured = [*fill(session, var, [ROWS]), *fill(session, var, [UNREAD])]
    keep(session, "judge-1", FIGURES)
    tried = ask(session, "P569", None, Override("pattern", "{subject} was born on {object}, they say."), "Ada")
    session.commit()
    return {
        "trial": tried.id,
        "judged": usual[0],
        "lost": usual[3],
        "rows": structured[0],
        "unread": structured[1],
        "run": 1,
    }


def addresses(numbers: Mapping[str, int]) -> Iterator[str]:
    """The addresses, errors last, with their fields filled in."""
    for path in (*(path for paths in ADDRESSES.values() for path in paths), *ERRORS):
        yield path.format(**numbers)


def unlisted(app: Flask) -> set[str]:
    """Endpoints with pages that the tour would miss."""
    pages = {rule.endpoint for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    return pages - ADDRESSES.keys() - NO_PAGES
