"""What the bot did: each run with its source, its state, and what it counted."""

from __future__ import annotations

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue
from sqlalchemy import select

from store import schema
from web.database import session
from web.errors import BadQuery
from web.numbers import run_counts

pages = Blueprint("runs", __name__)

PAGE_LENGTH = 20


@pages.get("/runs")
def index() -> ResponseReturnValue:
    """Runs, newest first; `before` in the address is the id of the last one seen."""
    query = select(schema.Run).order_by(schema.Run.id.desc()).limit(PAGE_LENGTH + 1)
    before = request.args.get("before", "")
    if before:
        if not (before.isascii() and before.isdigit() and len(before) <= 18):
            raise BadQuery("before", "takes the number of a run")
        query = query.where(schema.Run.id < int(before))
    found = session().scalars(query).all()
    more = len(found) > PAGE_LENGTH
    return render_template("runs.html", runs=found[:PAGE_LENGTH], more=more, first=not before, run_counts=run_counts)
