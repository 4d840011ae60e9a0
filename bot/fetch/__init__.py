"""How cited pages are brought: from the web, politely and safely, or replayed from a WARC file."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from models.document import Document
from models.outcome import NotJudged


@dataclass(frozen=True, slots=True)
class Failure:
    """A fetch that brought nothing to read. `status` is None where no answer came at all."""

    url: str
    final_url: str
    fetched_at: datetime
    status: int | None
    not_judged: NotJudged


Fetched = Document | Failure


class Fetcher(Protocol):
    """Brings documents. Every URL asked for is in the answer, once, whatever happened."""

    def fetch(self, urls: Collection[str]) -> Mapping[str, Fetched]:
        """What each of the URLs brought."""
        ...
