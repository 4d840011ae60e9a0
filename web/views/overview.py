"""The whole: how all references stand, how far the figures hold, and how fast the work goes."""

from __future__ import annotations

from flask import Blueprint, current_app, render_template
from flask.typing import ResponseReturnValue

from store.figures import queue, rates
from store.measured import latest
from store.reports.decided import agreed, first_by_month, first_of_all, reliability
from store.reports.pace import days, hours
from store.reports.refresh import at_hand
from store.reports.tallies import course, outcomes, tallies, tally
from web import charts
from web.charts import ROT, STANCES, course_chart, day_words, first_chart, hour_words, pace_chart
from web.curves import reliability_plot
from web.database import session
from web.plot import shape

pages = Blueprint("overview", __name__)

ROWS = 10
# The templates of all figures draw by what is there.
pages.record_once(lambda state: state.app.jinja_env.globals.update(charts=charts, mark_shape=shape))


@pages.get("/overview")
def show() -> ResponseReturnValue:
    """Figures about everything."""
    counted = at_hand(current_app.extensions["citewell.engine"])
    db = session()
    measured, by_editors = latest(db), reliability(db)
    months, first_months = course(db, "all"), first_by_month(db)
    of_hours, of_days = hours(db), days(db)
    return render_template(
        "overview.html",
        counted=counted,
        numbers=tally(db, "all"),
        found=outcomes(db, "all"),
        by_property=tallies(db, "property", limit=ROWS)[0],
        by_domain=tallies(db, "domain", limit=ROWS)[0],
        months=months,
        support=course_chart(months, STANCES),
        rot=course_chart(months, ROT),
        measured=measured,
        measured_curve=reliability_plot(measured.reliability) if measured else None,
        by_editors=by_editors,
        editors_curve=reliability_plot(by_editors, 1),
        agreed=agreed(db, "all"),
        first=first_of_all(db),
        first_months=first_months,
        first_chart=first_chart(first_months),
        hours=of_hours,
        days=of_days,
        hours_chart=pace_chart(of_hours, hour_words),
        days_chart=pace_chart(of_days, day_words),
        rates=rates(db),
        queue=queue(db),
    )
