"""Which page a pair is judged by: its addresses are tried in their order until one can be read."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy.exc import DataError, SQLAlchemyError

from bot.absent import gone
from bot.fetch import Failure
from bot.fetch.browser import LITTLE_TEXT, Undrawn, is_drawn
from bot.pages import TAKEN_OUT, Brought, Pages
from bot.wayback import NoAnswer, Wayback, nearest
from models.document import Document
from models.outcome import NotJudged, Outcome
from models.read import Page, read
from models.read.sniff import Form, sniff
from models.statement import SourceUrl
from store import schema
from store.archive import ArchiveError
from store.work import Task

KEPT_PAGES = 64
_NO_ADDRESS = NotJudged(Outcome.NO_USABLE_URL, "none of the reference's addresses is one of the web's")
_COPIES = ("archive", "wayback")


@dataclass(frozen=True, slots=True)
class Failed:
    """Something of ours went wrong with a pair, and what; it is tried again later, at `until` where that is known.

    `waits`: no address after this one is tried before.
    """

    reason: str
    until: datetime | None = None
    waits: bool = True

    @classmethod
    def by(cls, what: str, error: Exception) -> Failed:
        """What was being done, and what went wrong then."""
        said = " ".join(str(error).split())[:300]
        return cls(f"{what}: {type(error).__name__}{': ' + said if said else ''}", waits=False)


def _failure(error: Exception) -> Failed:
    return Failed(str(error)) if isinstance(error, ArchiveError) else Failed.by("the answer can't be kept", error)


@dataclass(frozen=True, slots=True)
class Found:
    """The page of a pair, or why there is none; the record of what was read, and which of its addresses that was.

    `place` is that address's among those that are tried, the first being 0.
    """

    page: Page | NotJudged
    row: schema.Document | None = None
    via: str | None = None
    place: int = 0


class Finder:
    """Finds the pages of pairs, one fetch for each address, and each document read once while it is remembered.

    For one thread. Errors of the database come through as they are.
    """

    def __init__(self, pages: Pages, kept: int = KEPT_PAGES, wayback: Wayback | None = None) -> None:
        """With `wayback`, that archive is asked for a copy where the reference's own addresses bring nothing."""
        self._pages, self._kept, self._wayback = pages, kept, wayback
        self._read: OrderedDict[str, Page | NotJudged] = OrderedDict()
        self._in_vain: dict[str, str] = {}  # why a document wasn't drawn, by its digest: it isn't tried again

    def find(self, tasks: Sequence[Task]) -> Mapping[int, Found | Failed]:
        """What each pair (by its id) is judged by. Where no address can be read, the first one says why."""
        tried = self._tried(tasks, {})
        return {task.pair_id: self._outcome(task, tried[task.pair_id]) for task in tasks}

    def further(self, looked_at: Sequence[tuple[Task, Found]]) -> Mapping[int, Found]:
        """The pages of pairs whose page turned out not to be the one cited, at the addresses after that page's.

        Only pairs for which there is one are in the answer.
        """
        again = [(task, found) for task, found in looked_at if found.via != "wayback"]
        begin = {task.pair_id: found.place + 1 for task, found in again}
        tried = self._tried([task for task, _ in again], begin)
        last = {pair_id: some[-1] for pair_id, some in tried.items() if some}
        return {pair_id: one for pair_id, one in last.items() if isinstance(one, Found) and isinstance(one.page, Page)}

    def _tried(self, tasks: Sequence[Task], begin: Mapping[int, int]) -> dict[int, list[Found | Failed]]:
        """What the addresses of each pair brought from the place on where it begins, up to the first that can be read.

        The copy that a web archive has comes last.
        """
        tried: dict[int, list[Found | Failed]] = {task.pair_id: [] for task in tasks}
        most = max((len(task.urls) for task in tasks), default=0)
        for step in range(most):
            left = {
                task.pair_id: (task, place, task.urls[place])
                for task in tasks
                if (place := begin.get(task.pair_id, 0) + step) < len(task.urls) and not _ends(tried[task.pair_id])
            }
            left = {key: one for key, one in left.items() if not _kept_out(tried[key], one[2].via)}
            pages = self._pages_of([source for _, _, source in left.values()], _any_age(left.values()))
            for pair_id, (_, place, source) in left.items():
                one = pages[source.url]
                tried[pair_id].append(replace(one, via=source.via, place=place) if isinstance(one, Found) else one)
        if self._wayback is not None:
            wanting = [
                task
                for task in tasks
                if not _ends(tried[task.pair_id])
                and not _kept_out(tried[task.pair_id], "wayback")
                and (task.pair_id in begin or _copy_helps(tried[task.pair_id]))
            ]
            for pair_id, copy in self._copies(wanting, self._wayback).items():
                tried[pair_id].append(copy)
        return tried

    def _outcome(self, task: Task, tried: Sequence[Found | Failed]) -> Found | Failed:
        """What is said of a pair by what its addresses brought."""
        if not tried:
            return Found(_NO_ADDRESS)
        first, last = tried[0], tried[-1]
        if _ends(tried):
            return last
        unsettled = any(isinstance(one, Failed) or _transient(one) for one in tried[1:])
        if isinstance(first, Found) and isinstance(first.page, NotJudged) and not unsettled:
            return replace(first, page=gone(first.page, self._pages.missing(task.urls[0].url)))
        return first

    def _copies(self, tasks: Sequence[Task], wayback: Wayback) -> Mapping[int, Found | Failed]:
        """What a web archive has of the pages of pairs; none where it has nothing."""
        dates = self._pages.retrieved({task.ref_hash for task in tasks}) if tasks else {}
        questions = {
            task.pair_id: wayback.question(source.url, dates.get(task.ref_hash, ""))
            for task in tasks
            if (source := next((one for one in task.urls if one.via not in _COPIES), None))
        }
        answers = self._bring(dict.fromkeys(questions.values(), "wayback"))
        named = {question: _named(answer) for question, answer in answers.items()}
        copies = [SourceUrl(one, "wayback") for one in named.values() if isinstance(one, str)]
        pages = self._pages_of(copies)
        found: dict[int, Found | Failed] = {}
        for task in tasks:
            copy = named.get(questions.get(task.pair_id, ""))
            if isinstance(copy, Failed):
                found[task.pair_id] = copy
            elif copy is not None:
                one = pages[copy]
                place = len(task.urls)
                found[task.pair_id] = replace(one, via="wayback", place=place) if isinstance(one, Found) else one
        return found

    def _pages_of(self, sources: Sequence[SourceUrl], any_age: Collection[str] = ()) -> Mapping[str, Found | Failed]:
        brought = self._bring({source.url: source.via for source in sources}, any_age)
        return {url: self._found(one) for url, one in brought.items()}

    def _bring(self, sources: Mapping[str, str], any_age: Collection[str] = ()) -> Mapping[str, Brought | Failed]:
        """What each address brought; where one can't be kept, the others are brought without it."""
        try:
            return self._pages.bring(sources, any_age) if sources else {}
        except (ArchiveError, DataError, ValueError) as error:
            if len(sources) == 1:
                return dict.fromkeys(sources, _failure(error))
            alone = (self._bring(dict([source]), any_age) for source in sources.items())
            return {url: one for some in alone for url, one in some.items()}

    def _found(self, brought: Brought | Failed) -> Found | Failed:
        if isinstance(brought, Failed):
            return brought
        if brought.failed:
            return Failed(brought.failed, brought.until)
        try:
            return self._noted(brought, self._shown(brought))
        except (ArchiveError, DataError) as error:
            return _failure(error)
        except SQLAlchemyError:
            raise
        except Exception as error:
            return Failed.by("the page can't be read", error)

    def _shown(self, brought: Brought) -> Found:
        found, document = Found(self._page(brought), brought.row), brought.document
        more = document is not None and _little_text(found.page) and _scripted(document)
        return self._drawn(document, found) if document is not None and more else found

    def _noted(self, brought: Brought, found: Found) -> Found:
        """The same, with the reason why nothing can be read of a document kept beside the try that brought it."""
        if isinstance(found.page, NotJudged) and found.row is not None and brought.tried is not None:
            self._pages.note_reading(brought.tried, found.page)
        return found

    def _drawn(self, document: Document, static: Found) -> Found:
        """The page as a browser draws it; what the server sent, where that says as much or nothing can be drawn."""
        if document.digest in self._in_vain:
            return _undrawn(static, self._in_vain[document.digest])
        drawn = self._pages.draw(document)
        if isinstance(drawn, Undrawn):
            self._in_vain[document.digest] = drawn.reason
            return _undrawn(static, drawn.reason)
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


def _undrawn(found: Found, reason: str) -> Found:
    """The same, with the reason why it wasn't drawn beside an outcome."""
    if not reason or isinstance(found.page, Page):
        return found
    return replace(found, page=replace(found.page, detail=f"{found.page.detail}; not drawn: {reason}"))


def _ends(tried: Sequence[Found | Failed]) -> bool:
    """Whether no further address is tried: there is a page, or the pair has to wait for this one."""
    if not tried:
        return False
    last = tried[-1]
    return last.waits if isinstance(last, Failed) else isinstance(last.page, Page)


def _kept_out(tried: Sequence[Found | Failed], via: str) -> bool:
    """Whether an address isn't tried because the page that it is a copy of was taken out."""
    return via in _COPIES and any(isinstance(one, Found) and one.page == TAKEN_OUT for one in tried)


def _transient(one: Found | Failed) -> bool:
    return isinstance(one, Found) and isinstance(one.page, NotJudged) and one.page.outcome.is_transient


def _copy_helps(tried: Sequence[Found | Failed]) -> bool:
    """Whether an archive is asked: a page of which nothing is left to read, and no host that only has trouble today."""
    if not tried or not isinstance(tried[0], Found) or any(map(_transient, tried)):
        return False
    return isinstance(tried[0].page, NotJudged) and tried[0].page.outcome.earlier_copy_helps


def _any_age(left: Collection[tuple[Task, int, SourceUrl]]) -> set[str]:
    """Addresses whose pages are wanted only to be judged in other words: any age will do."""
    reworded = {source.url for task, _, source in left if task.why == "reworded"}
    return reworded - {source.url for task, _, source in left if task.why != "reworded"}


def _named(answer: Brought | Failed) -> str | Failed | None:
    """The copy that an archive names; None where it has none. A failure of the archive is none of the page's."""
    if isinstance(answer, Failed):
        return answer
    if answer.document is None:
        said = answer.failed or (answer.not_judged.detail if answer.not_judged else "")
        return Failed(f"the web archive gave no answer: {said}", answer.until, waits=False)
    try:
        return nearest(answer.document)
    except NoAnswer as error:
        return Failed(str(error), waits=False)
