"""Properties: how their references stand, how often the judge errs, and what is worst."""

from __future__ import annotations

import re

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from models.statement import Term
from store import schema
from store.filters import Filters
from store.measured import error_of
from store.overrides import current_overrides
from store.queue import worst_first
from store.reports.decided import agreed
from store.reports.refresh import at_hand
from store.reports.tallies import course, outcomes, split, tallies, tally
from store.terms import term_of
from web.charts import STANCES, course_chart
from web.database import session
from web.errors import missing
from web.tallied import SORT_WORDS, Asked, write

pages = Blueprint("properties", __name__)

PAGE_LENGTH = 50
WORST = 10
_PROPERTY = re.compile(r"P[1-9][0-9]{0,11}")


@pages.get("/properties")
def index() -> ResponseReturnValue:
    """All properties that have references, a page of them."""
    asked = Asked.read(request.args)
    counted = at_hand(current_app.extensions["citewell.engine"])
    rows, following = tallies(session(), "property", asked.sort, asked.after, PAGE_LENGTH, asked.named, asked.least)
    return render_template(
        "properties.html",
        rows=rows,
        overridden={name for name, some in current_overrides(session(), [row.name for row in rows]).items() if some},
        asked=asked,
        following=write(following),
        counted=counted,
        sorts=SORT_WORDS,
    )


@pages.get("/property/<property_id>")
def show(property_id: str) -> ResponseReturnValue:
    """One property."""
    known = _known(property_id)
    if known.id != property_id:
        return redirect(url_for("properties.show", property_id=known.id), 301)
    counted = at_hand(current_app.extensions["citewell.engine"])
    months = course(session(), "property", known.id)
    return render_template(
        "property.html",
        property=known,
        numbers=tally(session(), "property", known.id),
        found=outcomes(session(), "property", known.id),
        error=error_of(session(), known.id),
        agreed=agreed(session(), "property", known.id),
        overrides=current_overrides(session(), [known.id])[known.id],
        worst=worst_first(session(), Filters(property_id=known.id, judged=True), None, WORST).rows,
        months=months,
        support=course_chart(months, STANCES),
        domains=split(session(), "property", known.id),
        counted=counted,
    )


def _known(property_id: str) -> Term:
    wanted = property_id.strip().upper()
    row = session().get(schema.Property, wanted) if _PROPERTY.fullmatch(wanted) else None
    if row is None:
        raise missing(
            gettext("Citewell has met no property with the id “%(property_id)s”.", property_id=property_id[:40])
        )
    return term_of(row)
