"""What the figures mean, and what they don't."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

pages = Blueprint("about", __name__)


@pages.get("/about")
def about() -> ResponseReturnValue:
    """The page that explains stances, probabilities, outcomes and decisions."""
    return render_template("about.html")
