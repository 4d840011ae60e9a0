"""Where a run gets its pages from, and what it keeps of them: the archive first where that will do, else a fetch."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from bot.fetch import LONGEST_FAILURE, Ask, Failure, Fetched, Fetcher, Unasked, Unchanged
from bot.fetch.browser import Browser, Undrawn, is_drawn
from bot.fetch.replay import Replay
from bot.wayback import retrieved_on
from models.document import Document
from models.outcome import NotJudged, Outcome
from store import schema
from store.archive import Archive, ArchiveError, Place
from store.documents import meet_again, place_of, put_document, same_body
from store.references import reference_snaks
from store.taken_out import DETAIL, is_taken_out, keeping
from store.tries import Known, Missing, Tried, known, missing, put_reading, put_try

TAKEN_OUT = NotJudged(Outcome.BLOCKED, DETAIL)


@dataclass(frozen=True, slots=True)
class Brought:
    """What one address brought: the document with its record, or why there is none. `tried` is the try that it came by.

    `failed` says what on our side keeps us from asking, `until` when to ask again, where that is known: that is no
    outcome of the page's.
    """

    document: Document | None = None
    not_judged: NotJudged | None = None
    row: schema.Document | None = None
    tried: schema.Try | None = None
    failed: str | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Freshness:
    """How old a page from the archive may be. `bodies` None: any age will do."""

    bodies: timedelta | None

    def holds(self, facts: Known, now: datetime) -> bool:
        """Whether what we know of an address stands for a new fetch."""
        if facts.fails:
            assert facts.last is not None
            return facts.last.again_at is None or facts.last.again_at > now
        return facts.document is not None and (self.bodies is None or facts.document.kept_at + self.bodies > now)


ANY_AGE = Freshness(None)


@dataclass(frozen=True, slots=True)
class NothingFetched:
    """In a fetcher's place where fetching isn't possible: what was never asked for waits, and `reason` says why."""

    reason: str


class Pages:
    """Brings pages by their address and keeps what was fetched. For one thread; errors of the database come through."""

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

    def bring(self, sources: Mapping[str, str], any_age: Collection[str] = ()) -> Mapping[str, Brought]:
        """What each address brought. `sources` maps addresses to where they come from (`SourceUrl.via`).

        For those in `any_age` a body from the archive will do, however old. Raises `store.archive.ArchiveError` where
        the archive can't keep what was fetched.
        """
        with Session(self._engine, expire_on_commit=False) as session:
            out = is_taken_out(session, sources)
            facts = known(session, [url for url in sources if url not in out])
        brought = {url: Brought(not_judged=TAKEN_OUT) for url in out}
        for url, fact in facts.items():
            if kept := self._without_asking(fact, url in any_age):
                brought[url] = replace(kept, document=kept.document and replace(kept.document, via=sources[url]))
        left = [url for url in sources if url not in brought]
        if isinstance(self._fetcher, NothingFetched):
            return brought | {url: Brought(failed=self._fetcher.reason) for url in left}
        if left:
            self._archive.check_room()
        for url, fetched in self._fetcher.fetch([self._ask(url, facts[url]) for url in left]).items():
            brought[url] = self._keep(fetched, sources[url], facts[url])
        return brought

    def draw(self, document: Document) -> Document | Failure | Undrawn:
        """What a document shows when its scripts have run: `keep_drawn` keeps it."""
        return self._browser.draw(document) if self._browser is not None else Undrawn("")

    def keep_drawn(self, drawn: Document | Failure, via: str) -> Brought:
        """Keep what was drawn like any page: it is now what its address last brought.

        Raises `store.archive.ArchiveError` where the archive can't keep it.
        """
        return self._keep(drawn, via, Known())

    def note_reading(self, tried: schema.Try, reading: NotJudged) -> None:
        """Keep why nothing could be read of what a try brought, beside the try."""
        if (tried.outcome, tried.detail) != (reading.outcome.value, reading.detail):
            with Session(self._engine) as session, session.begin():
                put_reading(session, tried.id, reading)

    def missing(self, url: str) -> Missing | None:
        """How long an address has not been found; None where it was when it last answered."""
        with Session(self._engine) as session:
            return missing(session, url)

    def retrieved(self, hashes: Collection[str]) -> Mapping[str, str]:
        """When the pages of references were looked at by whoever cited them (`bot.wayback.retrieved_on`), by hash."""
        with Session(self._engine) as session:
            return {name: retrieved_on(snaks) for name, snaks in reference_snaks(session, hashes).items()}

    def _without_asking(self, facts: Known, any_age: bool) -> Brought | None:
        """What we know already, where that will do."""
        if self._freshness is None:
            return None
        fresh = (ANY_AGE if any_age else self._freshness).holds(facts, datetime.now(UTC))
        if not fresh and not isinstance(self._fetcher, NothingFetched):  # then nothing newer can be had
            return None
        return (self._standing(facts) or self._failed(facts)) if facts.fails else self._read(facts)

    def _ask(self, url: str, facts: Known) -> Ask:
        """Asked whether it has changed, where we have it and its server gave something to ask by."""
        row = facts.document
        if self._freshness is None or row is None or row.warc is None or not (row.etag or row.last_modified):
            return Ask(url)
        return Ask(url, row.etag, row.last_modified, row.final_url)

    def _keep(self, fetched: Fetched, via: str, facts: Known) -> Brought:
        if isinstance(fetched, Unasked):
            return Brought(failed=fetched.reason, until=fetched.until)
        with Session(self._engine, expire_on_commit=False) as session, session.begin():
            keeping(session)
            if is_taken_out(session, {fetched.url, fetched.final_url, *fetched.chain}):
                return Brought(not_judged=TAKEN_OUT)
            if isinstance(fetched, Failure):
                return self._keep_failure(session, fetched, facts)
            if isinstance(fetched, Document):
                return self._keep_document(session, replace(fetched, via=via))
            if kept := self._keep_unchanged(session, fetched, via, facts):
                return kept
        # What it says nothing new of was lost meanwhile: it is asked for as if we had never had it.
        assert not isinstance(self._fetcher, NothingFetched)
        return self._keep(self._fetcher.fetch([Ask(fetched.url)])[fetched.url], via, facts)

    def _keep_document(self, session: Session, document: Document) -> Brought:
        """Keep a body; one that we have already isn't kept twice: a record says that it came again."""
        place, record = None, None
        row = same_body(session, document.url, document.digest)
        if row is not None and self._body(row) is not None:
            place = place_of(row)
        if place is None:
            place = record = self._archive.keep(document)
        elif not isinstance(self._fetcher, Replay):
            record = self._revisit(place, document, document.via)
        # What a page draws can change while its server says that nothing has.
        row = put_document(session, document, place, conditional=not is_drawn(document))
        tried = put_try(session, _tried(document), row, record)
        return Brought(document, None, row, tried)

    def _keep_unchanged(self, session: Session, unchanged: Unchanged, via: str, facts: Known) -> Brought | None:
        """Keep that a body still stands; None where the archive hasn't got it any more."""
        former, document = facts.document, self._body(facts.document)
        place = place_of(former) if former is not None else None
        if former is None or document is None or place is None:
            return None
        document = replace(document, via=via, fetched_at=unchanged.fetched_at)
        record = self._revisit(place, unchanged, document.via)
        row = meet_again(session, former, unchanged.fetched_at, unchanged.headers)
        return Brought(document, None, row, put_try(session, _tried(unchanged), row, record))

    def _revisit(self, place: Place, again: Document | Unchanged, via: str) -> Place:
        return self._archive.revisit(
            place, again.url, again.final_url, again.fetched_at, again.headers, again.status, again.chain, via
        )

    def _keep_failure(self, session: Session, failure: Failure, facts: Known) -> Brought:
        """Record a try in vain; what was never asked (not in a replay) leaves no record."""
        if isinstance(self._fetcher, Replay):
            if failure.status is None:
                return Brought(not_judged=failure.not_judged)
            return Brought(not_judged=failure.not_judged, tried=put_try(session, _tried(failure)))
        record = self._record(failure)
        tried = put_try(session, _tried(failure), place=record, failures=facts.failures)
        now = facts.after(tried)
        return self._standing(now) or self._failed(now) or Brought(not_judged=failure.not_judged, tried=tried)

    def _record(self, failure: Failure) -> Place | None:
        """Where the archive has the answer that brought no page; None where there was none."""
        if failure.status is None or not (failure.headers or failure.body):
            return None
        return self._archive.keep_failure(
            failure.url,
            failure.final_url,
            failure.fetched_at,
            failure.status,
            failure.phrase,
            failure.headers,
            failure.body,
            failure.chain,
            truncated=len(failure.body) >= LONGEST_FAILURE,
        )

    def _standing(self, facts: Known) -> Brought | None:
        """What an address brought before its host came to have trouble: that stands for a while in spite of it."""
        last, before = facts.last, facts.settled
        if last is None or not facts.fails or before is None or before.id == last.id:
            return None
        stands = Outcome(str(last.outcome)).former_stands
        if stands is None or (facts.troubled_since or last.tried_at) + stands <= datetime.now(UTC):
            return None
        if before.document is not None:
            document = self._body(before.document)
            return Brought(document, None, before.document, before) if document is not None else None
        return Brought(not_judged=_not_judged(before), tried=before) if before.outcome else None

    def _failed(self, facts: Known) -> Brought | None:
        return Brought(not_judged=_not_judged(facts.last), tried=facts.last) if facts.fails and facts.last else None

    def _read(self, facts: Known) -> Brought | None:
        document = self._body(facts.document)
        return Brought(document, None, facts.document, facts.last) if document is not None else None

    def _body(self, row: schema.Document | None) -> Document | None:
        """The body of a document; None where the archive has lost it, or let it go: then it is fetched again."""
        place = place_of(row) if row is not None else None
        try:
            return self._archive.read(place) if place else None
        except ArchiveError:
            return None


def _not_judged(tried: schema.Try) -> NotJudged:
    return NotJudged(Outcome(str(tried.outcome)), tried.detail)


def _tried(fetched: Document | Failure | Unchanged) -> Tried:
    url, end, at, status = fetched.url, fetched.final_url, fetched.fetched_at, fetched.status
    if isinstance(fetched, Failure):
        return Tried(url, end, at, status, fetched.phrase, fetched.chain, fetched.not_judged)
    return Tried(url, end, at, status, chain=fetched.chain)
