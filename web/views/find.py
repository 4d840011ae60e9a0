"""From an id, an address of Wikidata or a name to the page of the item."""

from __future__ import annotations

import re

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from store.names import LONGEST, named
from web.database import session

pages = Blueprint("find", __name__)

# An id by itself, or at the end of an address of Wikidata, of an entity or of its page.
_ID = re.compile(r"(?:https?://\S*/|wd:)?(?:(?:Property|Lexeme|Item):)?([QPL][1-9][0-9]{0,11})(?:#\S*)?", re.IGNORECASE)


@pages.get("/find")
def find() -> ResponseReturnValue:
    """The page of what has this id; else the items whose name begins so."""
    text = " ".join(request.args.get("q", "").split())[:LONGEST]
    found = _ID.fullmatch(text)
    if found:
        entity = found[1].upper()
        if entity.startswith("P"):
            return redirect(url_for("properties.show", property_id=entity))
        return redirect(url_for("item.show", qid=entity))
    items = named(session(), text) if text else []
    if len(items) == 1:
        return redirect(url_for("item.show", qid=items[0].id))
    return render_template("find.html", text=text, items=items)
