"""The words for worklists: where their items come from, and how far they are resolved."""

from __future__ import annotations

from flask_babel import lazy_gettext

from web.words import Sign

KINDS = {
    "items": lazy_gettext("Ids of items"),
    "pagepile": lazy_gettext("A PagePile"),
    "sparql": lazy_gettext("A SPARQL query"),
}

STATES = {
    "waiting": Sign(lazy_gettext("Waits to be resolved"), "…"),
    "resolving": Sign(lazy_gettext("Being resolved now"), "…"),
    "ready": Sign(lazy_gettext("Ready"), "✓"),
    "failed": Sign(lazy_gettext("Couldn’t be resolved"), "✗"),
    "removed": Sign(lazy_gettext("Removed"), "−"),
}

STATE_KIND = {"waiting": "notice", "resolving": "notice", "ready": "success", "failed": "error", "removed": "subtle"}
"""Which look of a chip goes with a state; its words and its sign say the same."""
