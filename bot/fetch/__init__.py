"""How cited pages are brought: from the web, politely and safely, or replayed from a WARC file."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from models.document import Document
from models.outcome import NotJudged

LONGEST_FAILURE = 1 << 16


@dataclass(frozen=True, slots=True)
class Ask:
    """What a page is asked by: its address, and the validators of what we have of it, as its server gave them.

    `etag` and `last_modified` are sent to `final_url` alone, from whose answer they came; "" there means `url`.
    """

    url: str
    etag: str = ""
    last_modified: str = ""
    final_url: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """A fetch that brought nothing to read. `status` is None where no answer came at all.

    `chain` holds the addresses on the way, the first being `url` and the last `final_url`; `phrase` is the server's
    own status phrase. `headers` and `body` are the answer's, where there was one to the end of it: of the body the
    beginning, up to `LONGEST_FAILURE` bytes.
    """

    url: str
    final_url: str
    fetched_at: datetime
    status: int | None
    not_judged: NotJudged
    chain: tuple[str, ...] = ()
    phrase: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class Unchanged:
    """A server said that what we have still stands: comes only where validators were given. `headers` are its answer's.

    `chain` is as in `Failure`.
    """

    url: str
    final_url: str
    fetched_at: datetime
    status: int = 304
    headers: tuple[tuple[str, str], ...] = ()
    chain: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unasked:
    """A page that wasn't asked for, for a reason of ours, which says nothing about it; `reason` is one line.

    `until` is when to ask again, where that is known.
    """

    url: str
    reason: str
    until: datetime | None = None


class NotAsked(Exception):
    """Something of ours keeps us from asking for a page, which becomes `Unasked`. The message is one line."""

    def __init__(self, reason: str, until: datetime | None = None) -> None:
        super().__init__(reason)
        self.until = until


Fetched = Document | Failure | Unchanged | Unasked


class Fetcher(Protocol):
    """Brings documents. Every URL asked for is in the answer, once, whatever happened."""

    def fetch(self, asks: Collection[Ask]) -> Mapping[str, Fetched]:
        """What each of them brought, by its `url`; of several asks for one address the first counts."""
        ...
