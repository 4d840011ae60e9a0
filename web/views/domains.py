"""Domains: which support what cites them, which have rotted, and whose pages read badly."""

from __future__ import annotations

from flask import Blueprint, current_app, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext
from sqlalchemy import select

from store import schema
from store.reports.decided import agreed
from store.reports.host_states import hosts_of, last_troubles
from store.reports.layouts import bad_layouts
from store.reports.refresh import at_hand
from store.reports.tallies import course, outcomes, split, tallies, tally
from web.charts import ROT, STANCES, course_chart
from web.database import session
from web.errors import missing
from web.tallied import SORT_WORDS, Asked, write

pages = Blueprint("domains", __name__)

PAGE_LENGTH = 50
LONGEST = 255


@pages.get("/domains")
def index() -> ResponseReturnValue:
    """All domains that are cited, a page of them."""
    asked = Asked.read(request.args)
    counted = at_hand(current_app.extensions["citewell.engine"])
    rows, following = tallies(session(), "domain", asked.sort, asked.after, PAGE_LENGTH, asked.named, asked.least)
    return render_template(
        "domains.html", rows=rows, asked=asked, following=write(following), counted=counted, sorts=SORT_WORDS
    )


@pages.get("/domain/<name>")
def show(name: str) -> ResponseReturnValue:
    """One domain."""
    domain = name.strip().lower()
    pair = schema.Pair
    known = len(domain) <= LONGEST and "\0" not in domain
    if not known or session().scalar(select(pair.id).where(pair.domain == domain).limit(1)) is None:
        raise missing(gettext("No reference that Citewell has met cites “%(name)s”.", name=name[:80]))
    counted = at_hand(current_app.extensions["citewell.engine"])
    months = course(session(), "domain", domain)
    return render_template(
        "domain.html",
        domain=domain,
        numbers=tally(session(), "domain", domain),
        found=outcomes(session(), "domain", domain),
        months=months,
        support=course_chart(months, STANCES),
        rot=course_chart(months, ROT),
        layouts=bad_layouts(session(), domain),
        hosts=hosts_of(session(), domain),
        troubles=last_troubles(session(), domain),
        properties=split(session(), "domain", domain),
        agreed=agreed(session(), "domain", domain),
        counted=counted,
    )
