"""Link rot: is the page that was read still the one that was cited?

Each kind has its file, which looks at what a page shows of itself (`seen`) and answers with the words that show it.
None of them speaks where the page states the value of the subject: then it serves, whatever else stands on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from models.outcome import NotJudged, Outcome
from models.read.language import SUPPORTED
from models.read.page import Page
from models.rot.another import another
from models.rot.front_page import front_page
from models.rot.listing import listing
from models.rot.parked import parked
from models.rot.seen import Seen, see
from models.rot.soft_404 import soft_404
from models.rot.unfilled import unfilled
from models.rot.walls import blocked, challenge
from models.statement import Statement
from models.values.match import PassageMatch

_LONGEST = 160

# In the order in which one explains more than the next.
_KINDS: tuple[tuple[Callable[[Seen], str | None], Outcome, str], ...] = (
    (challenge, Outcome.BOT_WALL, "the page asks for a human visitor"),
    (soft_404, Outcome.REDIRECTED_ELSEWHERE, "the page says that there is nothing here"),
    (parked, Outcome.REDIRECTED_ELSEWHERE, "the site is no longer the source’s"),
    (blocked, Outcome.BLOCKED, "the page is shown after signing in, paying or consenting"),
    (unfilled, Outcome.NO_TEXT, "the page has no text of its own"),
    (front_page, Outcome.REDIRECTED_ELSEWHERE, "a front page came in place of the page"),
    (listing, Outcome.REDIRECTED_ELSEWHERE, "a list came in place of the page"),
    (another, Outcome.REDIRECTED_ELSEWHERE, "the page is about something else and doesn’t name the subject"),
)


def rot(page: Page, statement: Statement, matches: Sequence[PassageMatch]) -> NotJudged | None:
    """Why a page can't be what the reference cited, or None where nothing says so.

    `matches` are the statement's, one for each of the page's passages in order.
    """
    seen = see(page, statement, matches)
    for why, outcome, words in _KINDS:
        # In a language that isn't read a page may name its subject in words that we don't know.
        said = why(seen) if why is not another or page.language in SUPPORTED else None
        if said:
            return NotJudged(outcome, f"{words}: “{' '.join(said.split())[:_LONGEST]}”")
    return None
