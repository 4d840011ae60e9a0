"""Which page a pair is judged by: its addresses are tried in their order until one can be read."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy.exc import DataError

from bot.fetch import Failure
from bot.fetch.browser import LITTLE_TEXT, Undrawn, is_drawn
from bot.pages import Brought, Pages
from models.document import Document
from models.outcome import NotJudged, Outcome
from models.read import Page, read
from models.read.sniff import Form, sniff
from store import schema
from store.archive import ArchiveError
from store.work import Task

KEPT_PAGES = 64
_NO_ADDRESS = NotJudged(Outcome.NO_USABLE_URL, "none of the reference's addresses is one of the web's")


@dataclass(frozen=True, slots=True)
class Failed:
    """Something of ours went wrong with a pair, and what; it is tried again later."""

    reason: str

    @classmethod
    def by(cls, what: str, error: Exception) -> Failed:
        """What was being done, and what went wrong then."""
        said = " ".join(str(error).split())[:300]
        return cls(f"{what}: {type(error).__name__}{': ' + said if said else ''}")


def _failure(error: Exception) -> Failed:
    return Failed(str(error)) if isinstance(error, ArchiveError) else Failed.by("the answer can't be kept", error)


@dataclass(frozen=True, slots=True)
class Found:
    """The page of a pair, or why there is none; which of its addresses that was, and the record of what it brought."""

    page: Page | NotJudged
    row: schema.Document | None = None
    via: str | None = None


class Finder:
    """Finds the pages of pairs, one fetch for each address, and each document read once while it is remembered."""

    def __init__(self, pages: Pages, kept: int = KEPT_PAGES) -> None:
        self._pages, self._kept = pages, kept
        self._read: OrderedDict[str, Page | NotJudged] = OrderedDict()
        self._in_vain: dict[str, str] = {}  # why a document wasn't drawn, by its digest: it isn't tried again

    def find(self, tasks: Sequence[Task]) -> Mapping[int, Found | Failed]:
        """What each pair (by its id) is judged by. Where no address can be read, the first one says why."""
        found: dict[int, Found | Failed] = {}
        left = list(tasks)
        place = 0
        while left:
            sources = {task.pair_id: task.urls[place] for task in left if place < len(task.urls)}
            brought = self._bring({source.url: source.via for source in sources.values()})
            pages = {url: self._found(one) for url, one in brought.items()}
            for pair_id, source in sources.items():
                one = pages[source.url]
                one = replace(one, via=source.via) if isinstance(one, Found) else one
                if pair_id not in found or (isinstance(one, Found) and isinstance(one.page, Page)):
                    found[pair_id] = one
            place += 1
            left = [task for task in left if place < len(task.urls) and not _ends(found[task.pair_id])]
        return {task.pair_id: found.get(task.pair_id, Found(_NO_ADDRESS)) for task in tasks}

    def _bring(self, sources: Mapping[str, str]) -> Mapping[str, Brought | Failed]:
        """What each address brought; where one can't be kept, the others are brought without it."""
        try:
            return self._pages.bring(sources) if sources else {}
        except (ArchiveError, DataError, ValueError) as error:
            if len(sources) == 1:
                return dict.fromkeys(sources, _failure(error))
            return {url: one for source in sources.items() for url, one in self._bring(dict([source])).items()}

    def _found(self, brought: Brought | Failed) -> Found | Failed:
        if isinstance(brought, Failed):
            return brought
        if brought.failed:
            return Failed(brought.failed)
        try:
            found = Found(self._page(brought), brought.row)
            document = brought.document
            more = document is not None and _little_text(found.page) and _scripted(document)
            return self._drawn(document, found) if document is not None and more else found
        except (ArchiveError, DataError) as error:
            return _failure(error)
        except Exception as error:
            return Failed.by("the page can't be read", error)

    def _drawn(self, document: Document, static: Found) -> Found:
        """The page as a browser draws it; what the server sent, where that says as much or nothing can be drawn."""
        if document.digest in self._in_vain:
            return _noted(static, self._in_vain[document.digest])
        drawn = self._pages.draw(document)
        if isinstance(drawn, Undrawn):
            self._in_vain[document.digest] = drawn.reason
            return _noted(static, drawn.reason)
        page = drawn.not_judged if isinstance(drawn, Failure) else read(drawn)
        if isinstance(static.page, Page) and not (isinstance(page, Page) and _text(page) > _text(static.page)):
            self._in_vain[document.digest] = ""
            return static
        return Found(page, self._pages.keep_drawn(drawn, document.via).row)

    def _page(self, brought: Brought) -> Page | NotJudged:
        if brought.document is None:
            return brought.not_judged or NotJudged(Outcome.UNREACHABLE)
        digest = brought.document.digest
        if digest not in self._read:
            self._read[digest] = read(brought.document)
            if len(self._read) > self._kept:
                self._read.popitem(last=False)
        self._read.move_to_end(digest)
        return self._read[digest]


def _text(page: Page) -> int:
    """How many characters of own text a page has."""
    return sum(len(block.text) for block in page.blocks if block.kind not in {"title", "structured"})


def _little_text(page: Page | NotJudged) -> bool:
    return _text(page) < LITTLE_TEXT if isinstance(page, Page) else page.outcome is Outcome.NO_TEXT


def _scripted(document: Document) -> bool:
    """Whether a document is HTML, as a server sent it, that scripts may add to."""
    return (
        not is_drawn(document)
        and b"<script" in document.body.lower()
        and sniff(document.body, document.content_type).form is Form.HTML
    )


def _noted(found: Found, reason: str) -> Found:
    """The same, with the reason why it wasn't drawn beside an outcome."""
    if not reason or isinstance(found.page, Page):
        return found
    return replace(found, page=replace(found.page, detail=f"{found.page.detail}; not drawn: {reason}"))


def _ends(found: Found | Failed) -> bool:
    return isinstance(found, Found) and isinstance(found.page, Page)
