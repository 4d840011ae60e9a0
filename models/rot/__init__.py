"""Link rot: is the page that was read still the one that was cited?"""

from __future__ import annotations

from collections.abc import Sequence

from models.outcome import NotJudged
from models.read.page import Page
from models.statement import Statement
from models.values.match import PassageMatch


def rot(page: Page, statement: Statement, matches: Sequence[PassageMatch]) -> NotJudged | None:
    """Why a page can't be what the reference cited, or None where nothing says so.

    `matches` are the statement's, one for each of the page's passages in order.
    """
    return None
