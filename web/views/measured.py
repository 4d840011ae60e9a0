"""How often the judge is wrong: as measured on labelled pairs, and as reviewers' decisions have it."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from store.measured import agreements, latest
from web.curves import reliability_plot, risk_plot
from web.database import session

pages = Blueprint("measured", __name__)


@pages.get("/measured")
def show() -> ResponseReturnValue:
    """Error by property and by domain, reliability, risk and coverage; and agreement with decisions."""
    measured = latest(session())
    return render_template(
        "measured.html",
        measured=measured,
        reliability=reliability_plot(measured.reliability) if measured else None,
        risk=risk_plot(measured.risk_coverage) if measured else None,
        decided=agreements(session()),
    )
