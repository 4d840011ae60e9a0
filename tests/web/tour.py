"""Every page of the dashboard with something on it: what to fill a database with, and the addresses to look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from flask import Flask
from sqlalchemy.orm import Session

from models.verbalise import Override
from store import worklists
from store.bulk import Target, carry_out, plan
from store.measured import keep
from store.overrides import restore, save_override
from store.trials import ask
from tests.web.desk import ROWS, UNREAD, UNSURE, USUAL, fill
from tests.web.figures import FIGURES

ADDRESSES: Mapping[str, tuple[str, ...]] = {
    "queue.index": (
        "/",
        "/?outcome=not_found",
        "/?property=P999&class=Q5&since=2026-01-01",
        "/?stance=cant_tell",
        "/?state=all&domain=library.example.org",
    ),
    "pair.show": ("/pair/{judged}", "/pair/{lost}", "/pair/{rows}", "/pair/{unread}"),
    "wording.show": ("/property/P569/wording?pair={judged}&list=state%3Dall", "/property/P854/wording"),
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
    "worklists.index": ("/worklists", "/worklists?removed=1"),
    "worklists.show": (
        "/worklist/{list}",
        "/worklist/{waiting_list}",
        "/worklist/{failed_list}",
        "/worklist/{removed_list}",
    ),
    "runs.index": ("/runs",),
    "runs.show": ("/run/{run}",),
    "overview.show": ("/overview",),
    "about.about": ("/about",),
    "measured.show": ("/measured",),
    "sign_in.form": ("/sign-in",),
    "pair.page": ("/pair/{rows}/page",),
    "pair.disputed": ("/disputed",),
    "bulk.index": ("/bulk",),
    "bulk.new": (
        "/bulk/new?domain=library.example.org",
        "/bulk/new?domain=library.example.org&supported=1",
        "/bulk/new?address=http://people.example.com/merkel",
        "/bulk/new?domain=nowhere.example",
    ),
    "bulk.show": ("/bulk/{bulk}",),
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
    # Of a property without statements: nothing is judged again, and the pages of pairs stay as they are.
    first = save_override(session, "P854", "label", "source", "Ada", None, "shorter").version.id
    save_override(session, "P854", "pattern", "{subject} is at {object}.", "Bob", None, "a whole sentence")
    restore(session, "P854", first, "Ada")
    tried = ask(session, "P569", None, Override("pattern", "{subject} was born on {object}, they say."), "Ada")
    lost = Target("domain", "gone.example.net")
    many = carry_out(session, lost, "Ada", plan(session, lost).seen)
    lists = list_items(session)
    session.commit()
    return {
        **lists,
        "bulk": many.id,
        "trial": tried.id,
        "judged": usual[0],
        "lost": usual[3],
        "rows": structured[0],
        "unread": structured[1],
        "run": 1,
    }


def list_items(session: Session) -> dict[str, int]:
    """Worklists in all their states: ready, waiting, failed and removed, one after the other."""
    query = "SELECT ?item WHERE { ?item wdt:P50 wd:Q42 }"
    given = (("Douglas Adams and others", "items", "Q42, Q567, Q7, Q999, Ada"), ("Prizes", "sparql", query))
    ready, failed, removed = (worklists.make(session, *one, "Ada") for one in (*given, given[0]))
    for made in (ready, failed):
        assert worklists.take(session, "desk", 60) is not None
        if made == ready:
            worklists.fill(session, made, "desk", ("Q42", "Q567", "Q7", "Q999"), "1 entry is no item: “Ada”")
        else:
            worklists.fail(session, made, "desk", "query.wikidata.org refuses the query: Encountered “x” at line 1.")
    worklists.remove(session, removed, "Ada")
    waiting = worklists.make(session, "Lexemes of a pile", "pagepile", "12345", "Ada")
    return {"list": ready, "failed_list": failed, "removed_list": removed, "waiting_list": waiting}


def addresses(numbers: Mapping[str, int]) -> Iterator[str]:
    """The addresses, errors last, with their fields filled in."""
    for path in (*(path for paths in ADDRESSES.values() for path in paths), *ERRORS):
        yield path.format(**numbers)


def unlisted(app: Flask) -> set[str]:
    """Endpoints with pages that the tour would miss."""
    pages = {rule.endpoint for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    return pages - ADDRESSES.keys() - NO_PAGES
