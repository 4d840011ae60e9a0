"""All wordings as one YAML file, out and in, so that a community can keep them on a wiki."""

from __future__ import annotations

import re

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext, ngettext

from store import schema
from store.overrides import OverrideRefused
from store.terms import load_terms
from store.wording_file import MOST_BYTES, NotAWordingFile, read
from store.wording_import import Plan, carry_out, export, plan
from web.complaints import said
from web.database import session
from web.errors import missing
from web.formats import number
from web.reviewer import reviewer, signed_in
from web.why import Why

pages = Blueprint("wordings", __name__)

MOST_FORM = 3 * MOST_BYTES  # a form's encoding makes a file up to three times as long
_PROPERTY = re.compile(r"P[1-9][0-9]{0,11}")


def room() -> None:
    """A file of wordings may be larger than other forms; said before anything reads what was sent."""
    if request.endpoint == "wordings.bring_in":
        request.max_content_length = request.max_form_memory_size = MOST_FORM


@pages.get("/wordings.yaml")
def everything() -> ResponseReturnValue:
    """Every wording in force, as a file."""
    return _file(export(session()), "wordings")


@pages.get("/property/<property_id>/wording.yaml")
def one(property_id: str) -> ResponseReturnValue:
    """The wordings of a property, as a file."""
    if not _PROPERTY.fullmatch(property_id) or session().get(schema.Property, property_id) is None:
        raise missing(gettext("Citewell has met no property with the id “%(id)s”.", id=property_id[:40]))
    return _file(export(session(), property_id), property_id)


@pages.get("/wordings")
def form() -> ResponseReturnValue:
    """The form for a file to bring in."""
    return _page("")


@pages.post("/wordings")
@signed_in
def bring_in() -> ResponseReturnValue:
    """Show what a file would change; with the digest of what was shown, save it in one transaction.

    409 and anew what it would change, where something else has changed meanwhile; 422 where nothing says why.
    """
    text = _text()
    if text is None:
        return _page("", complaint=gettext("That file isn’t text in UTF-8.")), 422
    try:
        would = plan(session(), read(text))
    except NotAWordingFile as error:
        return _page(text, complaint=said(error.complaint)), 422
    seen = request.form.get("seen", "")
    if not seen:
        return _page(text, would)
    if seen != would.digest:
        return _page(
            text, would, gettext("Something has changed since you looked. This is what it would change now.")
        ), 409
    why = Why.read(request.form.get("why", ""))
    if why.complaint:
        return _page(text, would, why=why), 422
    try:
        done = carry_out(session(), would, reviewer() or "", why.text)
    except OverrideRefused as error:
        return _page(text, would, said(error.complaint)), 409
    session().commit()
    changed = ngettext(
        "%(wordings)s wording was changed.",
        "%(wordings)s wordings were changed.",
        len(done.changes),
        wordings=number(len(done.changes)),
    )
    waiting = ngettext(
        "%(pairs)s pair waits to be judged again.",
        "%(pairs)s pairs wait to be judged again.",
        done.queued,
        pairs=number(done.queued),
    )
    flash(" ".join(filter(None, (changed, waiting if done.queued else "", why.note))), "success")
    return redirect(url_for("wordings.form"), 303)


def _page(text: str, would: Plan | None = None, complaint: str = "", why: Why | None = None) -> str:
    ids = {change.property_id for change in would.changes} if would else set()
    classes = {change.subject_class for change in would.changes if change.subject_class} if would else set()
    return render_template(
        "wordings.html",
        text=text,
        plan=would,
        complaint=complaint,
        why=why,
        term=load_terms(session(), ids | classes),
        said=said,
    )


def _text() -> str | None:
    """The file that was sent, else what was pasted; None for a file that isn't text."""
    sent = request.files.get("file")
    body = sent.read(MOST_BYTES + 1) if sent is not None else b""
    try:
        return body.decode() if body.strip() else request.form.get("text", "")
    except UnicodeDecodeError:
        return None


def _file(text: str, name: str) -> Response:
    answer = Response(text, mimetype="application/yaml")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}.yaml"'
    return answer
