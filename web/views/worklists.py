"""Worklists: made from ids, a PagePile or a query, with how far they are; anyone reads, who is signed in makes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from store import worklists
from store.worklists import LONGEST_NAME, LONGEST_QUERY, LONGEST_SOURCE, MOST_ITEMS, Worklist, WorklistRefused
from web.complaints import said
from web.database import session
from web.errors import missing
from web.query import read_number
from web.reviewer import reviewer, signed_in
from web.worklist_words import KINDS, STATE_KIND, STATES

pages = Blueprint("worklists", __name__)

PAGE_LENGTH = 20
ITEMS_LENGTH = 50
MOST_FORM = 4 * LONGEST_SOURCE  # a form's encoding makes a text up to three times as long
_LARGEST = 2**63


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the form asks for, as it was sent; each kind has a field of its own, and that of the chosen one counts."""

    name: str = ""
    kind: str = "items"
    items: str = ""
    pagepile: str = ""
    sparql: str = ""

    @classmethod
    def read(cls, fields: Mapping[str, str]) -> Proposal:
        """The fields of a form."""
        return cls(*(fields.get(name, "") for name in ("name", "kind", "items", "pagepile", "sparql")))

    @property
    def source(self) -> str:
        """What stands in the field of the kind that was chosen."""
        return {"items": self.items, "pagepile": self.pagepile, "sparql": self.sparql}.get(self.kind, "")


def room() -> None:
    """A list may be longer than other forms; said before anything reads what was sent."""
    if request.endpoint == "worklists.make":
        request.max_content_length = request.max_form_memory_size = MOST_FORM


@pages.get("/worklists")
def index() -> ResponseReturnValue:
    """The form for a new list, and the lists, newest first; `before` is the number of the last one seen.

    With `removed=1` those that were removed.
    """
    return _page(Proposal())


@pages.post("/worklists")
@signed_in
def make() -> ResponseReturnValue:
    """Write a list for the bot to resolve; 422, and what is wrong at each field, for one that can't be made."""
    proposal = Proposal.read(request.form)
    try:
        made = worklists.make(session(), proposal.name, proposal.kind, proposal.source, reviewer() or "")
    except WorklistRefused as error:
        return _page(proposal, {name: said(complaint) for name, complaint in error.complaints.items()}), 422
    session().commit()
    return redirect(url_for("worklists.show", worklist_id=made), 303)


@pages.get("/worklist/<int:worklist_id>")
def show(worklist_id: int) -> ResponseReturnValue:
    """A list: how far it is resolved and reviewed, what it was made from, and its items, those `after` a place."""
    one, after = _known(worklist_id), read_number(request.args, "after")
    found = worklists.items_of(session(), one.id, ITEMS_LENGTH + 1, min(after or 0, MOST_ITEMS))
    return render_template(
        "worklist.html",
        one=one,
        items=found[:ITEMS_LENGTH],
        more=len(found) > ITEMS_LENGTH,
        first=after is None,
        heard=worklists.is_heard(session()),
        kinds=KINDS,
        states=STATES,
        looks=STATE_KIND,
    )


@pages.post("/worklist/<int:worklist_id>/remove")
@signed_in
def remove(worklist_id: int) -> ResponseReturnValue:
    """Put a list away; it can be restored."""
    one = _known(worklist_id)
    if worklists.remove(session(), one.id, reviewer() or ""):
        flash(gettext("Removed. It can be restored at any time."), "success")
    return _done(one)


@pages.post("/worklist/<int:worklist_id>/restore")
@signed_in
def restore(worklist_id: int) -> ResponseReturnValue:
    """Bring a list back."""
    one = _known(worklist_id)
    if worklists.restore(session(), one.id):
        flash(gettext("Restored."), "success")
    return _done(one)


@pages.post("/worklist/<int:worklist_id>/again")
@signed_in
def again(worklist_id: int) -> ResponseReturnValue:
    """Have a list resolved anew from its source."""
    one = _known(worklist_id)
    if not worklists.again(session(), one.id):
        flash(gettext("It is being resolved already, or was removed."), "notice")
    return _done(one)


def _done(one: Worklist) -> ResponseReturnValue:
    session().commit()
    return redirect(url_for("worklists.show", worklist_id=one.id), 303)


def _known(worklist_id: int) -> Worklist:
    one = worklists.worklist(session(), worklist_id) if worklist_id < _LARGEST else None
    if one is None:
        raise missing(gettext("There is no worklist with this number. All of them are under “Worklists”."))
    return one


def _page(proposal: Proposal, complaints: Mapping[str, str] | None = None) -> str:
    before, removed = read_number(request.args, "before"), request.args.get("removed") == "1"
    found = worklists.worklists(session(), PAGE_LENGTH + 1, before, removed=removed)
    return render_template(
        "worklists.html",
        proposal=proposal,
        complaints=complaints or {},
        lists=found[:PAGE_LENGTH],
        more=len(found) > PAGE_LENGTH,
        first=before is None,
        removed=removed,
        kinds=KINDS,
        states=STATES,
        looks=STATE_KIND,
        most_items=MOST_ITEMS,
        longest_name=LONGEST_NAME,
        longest_source=LONGEST_SOURCE,
        longest_query=LONGEST_QUERY,
    )
