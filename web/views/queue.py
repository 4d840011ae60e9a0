"""The list of references, those with the lowest support first."""

from __future__ import annotations

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from store.queue import facets, low_support
from web.database import session
from web.numbers import evidence_counts
from web.query import read_cursor, read_filters, write_filters

pages = Blueprint("queue", __name__)

PAGE_LENGTH = 25


@pages.get("/")
def index() -> ResponseReturnValue:
    """A page of the list, narrowed by the filters in the address."""
    filters = read_filters(request.args)
    after = read_cursor(request.args)
    page = low_support(session(), filters, after, PAGE_LENGTH)
    return render_template(
        "queue.html",
        filters=filters,
        arguments=write_filters(filters),
        facets=facets(session()),
        page=page,
        first=after is None,
        evidence=evidence_counts(session(), (row.verdict_id for row in page.rows)),
    )
