"""The list of references, those first at which a look is of most use."""

from __future__ import annotations

from flask import Blueprint, current_app, render_template, request
from flask.typing import ResponseReturnValue

from models.read.language import language_name
from store.counts import count
from store.facets import facets, languages, worklists
from store.filters import Filters
from store.queue import Cursor, Page, QueueRow, worst_first
from store.reports.refresh import at_hand
from store.worklists import name_of
from web.chosen import NAMES, chosen
from web.database import session
from web.numbers import evidence_counts
from web.query import read_cursor, read_filters, write_filters

pages = Blueprint("queue", __name__)

PAGE_LENGTH = 25
RARE = ("class", "language", "since", "until", "run", "worklist")
"""Fields that are folded away until one of them narrows the list."""


@pages.get("/")
def index() -> ResponseReturnValue:
    """A page of the list, narrowed by the filters in the address."""
    filters = read_filters(request.args)
    after, before = read_cursor(request.args), read_cursor(request.args, "before")
    page, first = _page(filters, after, before)
    counted = at_hand(current_app.extensions["citewell.engine"])
    arguments = write_filters(filters)
    return render_template(
        "queue.html",
        filters=filters,
        arguments=arguments,
        chosen=chosen(session(), filters, arguments),
        names=NAMES,
        folded=not any(field in arguments for field in RARE),
        facets=facets(session()),
        languages_read={code: language_name(code) for code in languages(session())},
        worklists=worklists(session()),
        worklist=name_of(session(), filters.worklist_id) if filters.worklist_id else None,
        counted=counted,
        number=count(session(), filters),
        page=page,
        first=first,
        evidence=evidence_counts(session(), (row.verdict_id for row in page.rows)),
    )


def _page(filters: Filters, after: Cursor | None, before: Cursor | None) -> tuple[Page[QueueRow], bool]:
    """The page, and whether it is the first. Going back, what is less than a page is filled up from the beginning."""
    if before is not None:
        page = worst_first(session(), filters, None, PAGE_LENGTH, before=before)
        if page.previous is not None:
            return page, False
        after = None
    page = worst_first(session(), filters, after, PAGE_LENGTH)
    return page, after is None
