"""What the bot did: all runs, and one with its accounts."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext
from sqlalchemy import select

from store import schema
from store.reports.run_state import failing, waiting
from web.database import session
from web.errors import BadQuery, missing
from web.numbers import machine, run_account, seconds_of

pages = Blueprint("runs", __name__)

PAGE_LENGTH = 20
_DIGITS = 18  # of a number that the database can hold


@pages.get("/runs")
def index() -> ResponseReturnValue:
    """Runs, newest first; `before` in the address is the id of the last one seen."""
    query = select(schema.Run).order_by(schema.Run.id.desc()).limit(PAGE_LENGTH + 1)
    before = request.args.get("before", "")
    if before:
        if not _is_number(before):
            raise BadQuery("before", gettext("It takes the number of a run."))
        query = query.where(schema.Run.id < int(before))
    found = session().scalars(query).all()
    return render_template(
        "runs.html", runs=[_told(run) for run in found[:PAGE_LENGTH]], more=len(found) > PAGE_LENGTH, first=not before
    )


@pages.get("/run/<run_id>")
def show(run_id: str) -> ResponseReturnValue:
    """One run: what went in, what came out, why not, how long it took, and what is left of it."""
    run = session().get(schema.Run, int(run_id)) if _is_number(run_id) else None
    if run is None:
        raise missing(
            gettext("There is no run “%(run)s”. Runs have numbers; all of them are under “Runs”.", run=run_id[:40])
        )
    return render_template(
        "run.html", **_told(run), waiting=waiting(session(), run.id), failing=failing(session(), run.id)
    )


def _told(run: schema.Run) -> dict[str, Any]:
    seconds = seconds_of(run.started_at, run.finished_at, run.seen_at)
    account = run_account(run.counts, run.skipped)
    return {
        "run": run,
        "account": account,
        "seconds": seconds,
        "pace": account.all_handled / seconds if seconds >= 1 and account.all_handled else None,
        "worker": machine(run.worker),
    }


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _DIGITS
