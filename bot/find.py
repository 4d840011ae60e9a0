"""Which page a pair is judged by: its addresses are tried in their order until one can be read."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.exc import DataError

from bot.pages import Brought, Pages
from models.outcome import NotJudged, Outcome
from models.read import Page, read
from models.statement import SourceUrl
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

    def find(self, tasks: Sequence[Task]) -> Mapping[int, Found | Failed]:
        """What each pair (by its id) is judged by. Where no address can be read, the first one says why."""
        found: dict[int, Found | Failed] = {}
        left = list(tasks)
        place = 0
        while left:
            sources = {task.pair_id: task.urls[place] for task in left if place < len(task.urls)}
            brought = self._bring({source.url: source.via for source in sources.values()})
            for pair_id, source in sources.items():
                one = self._found(source, brought[source.url])
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

    def _found(self, source: SourceUrl, brought: Brought | Failed) -> Found | Failed:
        if isinstance(brought, Failed):
            return brought
        if brought.failed:
            return Failed(brought.failed)
        try:
            return Found(self._page(brought), brought.row, source.via)
        except Exception as error:
            return Failed.by("the page can't be read", error)

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


def _ends(found: Found | Failed) -> bool:
    return isinstance(found, Found) and isinstance(found.page, Page)
