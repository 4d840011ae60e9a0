"""What every template may use: words for figures, safe addresses, and who is signed in."""

from __future__ import annotations

from typing import Any

from flask import Flask, request

from models.evidence import Stance
from models.memento import snapshot_at
from models.outcome import Outcome
from web import formats, language, links, words
from web.marking import named, pieces
from web.reviewer import may_sign_in, reviewer
from web.views.preferences import look


def add_to(app: Flask) -> None:
    """Register filters, tests and values of the templates."""
    app.jinja_env.filters.update(
        number=formats.number,
        figure=formats.figure,
        decimal=formats.decimal,
        signed=formats.signed,
        percent=formats.percent,
        day=formats.day,
        moment=formats.moment,
        duration=formats.duration,
        likelihood=words.likelihood,
        band=words.band,
        snapshot_at=snapshot_at,
        outcome_label=words.outcome_label,
        sentence=words.sentence,
        skipped=words.skipped,
        entity_url=links.entity_url,
        host=links.host,
        page_stance=words.page_stance,
        passage_stance=lambda value: words.PASSAGE_STANCE[Stance(value)],
    )
    app.jinja_env.tests.update(web_address=links.is_web, finding=lambda value: Outcome(value).is_finding)
    app.jinja_env.globals.update(
        words=words,
        count=words.count,
        statement_url=links.statement_url,
        marked=pieces,
        named=named,
    )

    @app.context_processor
    def everywhere() -> dict[str, Any]:
        return {
            "reviewer": reviewer(),
            "may_sign_in": may_sign_in(),
            "here": request.full_path.rstrip("?") if request.method == "GET" else "/",
            "spoken": language.chosen(),
            "languages": language.offered(),
            "look": look(),
        }
