"""An item: its statements with their references, its score, and the wish to have it checked."""

from __future__ import annotations

import re

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext
from werkzeug.exceptions import NotFound

from store.reports.items import history, item_view, statements
from store.requests import ask
from store.taken_out import items_taken_out
from web.charts import history_chart
from web.database import session
from web.errors import BadQuery, missing
from web.reviewer import reviewer, signed_in
from web.shown import show_value

pages = Blueprint("item", __name__)

PAGE_LENGTH = 50
_ITEM = re.compile(r"[QL][1-9][0-9]{0,14}")
_AFTER = re.compile(r"(P[1-9][0-9]{0,14})~(.{1,200})")


@pages.get("/item/<qid>")
def show(qid: str) -> ResponseReturnValue:
    """All that is known of an item; `after` in the address says where a page of its statements begins."""
    item_id = _known(qid)
    if item_id != qid:
        return redirect(url_for("item.show", qid=item_id), 301)
    after = _after()
    view = item_view(session(), item_id)
    stated, next_after = statements(session(), item_id, after, PAGE_LENGTH)
    points = history(session(), item_id)
    return render_template(
        "item.html",
        item=view,
        statements=stated,
        first=after is None,
        next_after="~".join(next_after) if next_after else None,
        points=points,
        chart=history_chart(points),
        shown=show_value,
    )


@pages.post("/item/<qid>/check")
@signed_in
def check(qid: str) -> ResponseReturnValue:
    """Wish for the item to be checked; the bot takes it up."""
    item_id = _known(qid)
    if items_taken_out(session(), [item_id]):
        raise missing(gettext("%(item)s was taken out on request, so it isn’t checked.", item=item_id))
    if ask(session(), item_id, reviewer() or ""):
        flash(gettext("Noted: %(item)s waits to be checked.", item=item_id), "success")
    else:
        flash(gettext("%(item)s waits to be checked already.", item=item_id), "notice")
    session().commit()
    return redirect(url_for("item.show", qid=item_id), 303)


def _known(qid: str) -> str:
    """The id as Wikidata writes it. Raises `NotFound` for what is none."""
    item_id = qid.strip().upper()
    if not _ITEM.fullmatch(item_id):
        raise _no_item(qid)
    return item_id


def _no_item(qid: str) -> NotFound:
    return missing(
        gettext(
            "“%(qid)s” isn’t the id of an item. Ids of items are a Q and a number, like Q42; those of lexemes an L and "
            "a number.",
            qid=qid[:40],
        )
    )


def _after() -> tuple[str, str] | None:
    text = request.args.get("after", "")
    if not text:
        return None
    found = _AFTER.fullmatch(text)
    if found is None:
        raise BadQuery("after", gettext("It isn’t a place in the list; begin again at its first page."))
    return found[1], found[2]
