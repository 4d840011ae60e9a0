"""The page that a verdict rests on, read again from the archive when somebody asks to see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from flask_babel import gettext
from sqlalchemy.orm import Session

from models.memento import to_look_at
from models.outcome import NotJudged
from models.read import read_blocks
from models.read.page import Page
from store.archive import Archive, ArchiveError
from store.pair_view import DocumentView, VerdictView
from store.taken_out import is_taken_out
from web.place import Located, locate
from web.snapshot import Place, Snapshot, snapshot
from web.words import outcome_label


@dataclass(frozen=True, slots=True)
class ReadAgain:
    """The page laid out, and where each passage stands in it by number; `why_not` says in words why there is none."""

    page: Snapshot | None
    located: Mapping[int, Located]
    why_not: str = ""


def why_unshown(session: Session, document: DocumentView) -> str:
    """Why a page that was read can't be shown, as far as the database knows; "" if it can."""
    if is_taken_out(session, {document.url, document.final_url}):
        return str(gettext("This page was taken out on request, so it isn’t shown."))
    if document.place is None:
        return str(gettext("The copy that was read isn’t kept any more."))
    return ""


def read_again(session: Session, folder: Path, verdict: VerdictView) -> ReadAgain:
    """The page of a verdict with its passages marked."""
    page = _page(session, folder, verdict)
    if isinstance(page, str) or verdict.document is None:
        return ReadAgain(None, {}, page if isinstance(page, str) else "")
    numbered = dict(enumerate(verdict.evidence, start=1))
    shown = snapshot(page, [Place(number, one.passage.text, one.passage.block) for number, one in numbered.items()])
    live = to_look_at(verdict.document.final_url)
    located = {number: locate(page, at, numbered[number].matches, live) for number, at in shown.placed.items()}
    return ReadAgain(shown, located)


def _page(session: Session, folder: Path, verdict: VerdictView) -> Page | str:
    document = verdict.document
    if document is None:
        return str(gettext("No page was read."))
    if document.place is None or (why_not := why_unshown(session, document)):
        return why_unshown(session, document)
    try:
        page = read_blocks(Archive(folder).read(document.place))
    except ArchiveError as error:
        return str(gettext("The kept copy can’t be read: %(error)s.", error=str(error)))
    if isinstance(page, NotJudged):
        why_not = page.detail or outcome_label(page.outcome.value)
        return str(gettext("A copy is kept, but it can’t be shown as text: %(why)s.", why=why_not))
    return page
