"""Where a run gets its pages from, and what it keeps of them: the archive first where that will do, else a fetch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from bot.fetch import Failure, Fetched, Fetcher
from bot.fetch.browser import Browser, Undrawn
from bot.fetch.replay import Replay
from models.document import Document
from models.outcome import NotJudged, Outcome
from store import schema
from store.archive import Archive, ArchiveError
from store.documents import latest_document, place_of, put_document, put_failure


@dataclass(frozen=True, slots=True)
class Brought:
    """What one address brought: the document, or why there is none; `row` is its record, where there is one.

    `failed` says what on our side keeps us from asking: that is no outcome of the page's.
    """

    document: Document | None
    not_judged: NotJudged | None
    row: schema.Document | None
    failed: str | None = None


@dataclass(frozen=True, slots=True)
class Freshness:
    """How old a page from the archive may be. `bodies` None: any age will do."""

    bodies: timedelta | None

    def holds(self, row: schema.Document, now: datetime) -> bool:
        """Whether what was kept stands for a new fetch."""
        if row.outcome is None:
            return self.bodies is None or row.kept_at + self.bodies > now
        wait = Outcome(row.outcome).retry_after
        return wait is None or row.kept_at + wait > now


@dataclass(frozen=True, slots=True)
class NothingFetched:
    """In a fetcher's place where fetching isn't possible: what isn't in the archive waits, and `reason` says why."""

    reason: str


class Pages:
    """Brings pages by their address and keeps what was fetched."""

    def __init__(
        self,
        engine: Engine,
        archive: Archive,
        fetcher: Fetcher | NothingFetched,
        freshness: Freshness | None,
        browser: Browser | None = None,
    ) -> None:
        """`freshness` None: every page comes from the fetcher (a replay), and the archive only keeps it."""
        self._engine, self._archive, self._fetcher, self._freshness = engine, archive, fetcher, freshness
        self._browser = browser

    def bring(self, sources: Mapping[str, str]) -> Mapping[str, Brought]:
        """What each address brought. `sources` maps addresses to where they come from (`SourceUrl.via`).

        Raises `store.archive.ArchiveError` where the archive can't keep what was fetched.
        """
        with Session(self._engine, expire_on_commit=False) as session:
            rows = {url: latest_document(session, url) for url in sources}
        kept = {url: found for url, row in rows.items() if row and (found := self._from_archive(row))}
        brought = dict(kept)
        left = [url for url in sources if url not in kept]
        if isinstance(self._fetcher, NothingFetched):
            return brought | {url: Brought(None, None, None, self._fetcher.reason) for url in left}
        for url, fetched in self._fetcher.fetch(left).items():
            brought[url] = self._keep(fetched, sources[url], rows[url])
        return brought

    def draw(self, document: Document) -> Fetched | Undrawn:
        """What a document shows when its scripts have run: `keep_drawn` keeps it."""
        return self._browser.draw(document) if self._browser is not None else Undrawn("")

    def keep_drawn(self, drawn: Fetched, via: str) -> Brought:
        """Keep what was drawn like any page: it is now what its address last brought.

        Raises `store.archive.ArchiveError` where the archive can't keep it.
        """
        return self._keep(drawn, via, None)

    def _from_archive(self, row: schema.Document) -> Brought | None:
        if self._freshness is None or not self._freshness.holds(row, datetime.now(UTC)):
            return None
        if row.outcome is not None:
            return Brought(None, NotJudged(Outcome(row.outcome), row.detail), row)
        place = place_of(row)
        try:
            return Brought(self._archive.read(place), None, row) if place else None
        except ArchiveError:
            return None  # a record that was lost is fetched again

    def _keep(self, fetched: Fetched, via: str, former: schema.Document | None) -> Brought:
        with Session(self._engine, expire_on_commit=False) as session, session.begin():
            if isinstance(fetched, Failure):
                return self._keep_failure(session, fetched, former)
            document = replace(fetched, via=via)
            if former is not None and former.digest == document.digest and isinstance(self._fetcher, Replay):
                return Brought(document, None, former)  # the archive has it already
            return Brought(document, None, put_document(session, document, self._archive.keep(document)))

    def _keep_failure(self, session: Session, failure: Failure, former: schema.Document | None) -> Brought:
        """Record what a server said; what was never asked (not in a replay) leaves no record."""
        asked = failure.status is not None or not isinstance(self._fetcher, Replay)
        if not asked:
            return Brought(None, failure.not_judged, None)
        same = former is not None and (former.outcome, former.detail) == (
            failure.not_judged.outcome.value,
            failure.not_judged.detail,
        )
        if same and isinstance(self._fetcher, Replay):
            return Brought(None, failure.not_judged, former)
        row = put_failure(
            session, failure.url, failure.final_url, failure.fetched_at, failure.status, failure.not_judged
        )
        return Brought(None, failure.not_judged, row)
