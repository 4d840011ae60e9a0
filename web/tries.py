"""What the page of a pair says of the addresses of its reference: every time that one was asked for, and what came."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus

from sqlalchemy.orm import Session

from models.memento import snapshot_at, to_look_at
from models.outcome import Outcome
from models.statement import SourceUrl
from store import schema
from store.pair_view import DocumentView
from store.tries import tries_of
from web.links import host

SHOWN_TRIES = 20  # of one address


@dataclass(frozen=True, slots=True)
class ShownTry:
    """A try in words: `said` names the host and gives its own status phrase; all of it is text of others.

    `way` has the addresses on the way, where there was a redirect. `outcome` is None where there was something to read.
    """

    at: datetime
    said: str
    outcome: Outcome | None
    way: tuple[str, ...]
    again_at: datetime | None


@dataclass(frozen=True, slots=True)
class ShownAddress:
    """An address with its tries, newest first; `copied_at` is when it was copied, for a copy that says so."""

    url: str
    via: str
    copied_at: datetime | None
    tries: tuple[ShownTry, ...]


def addresses(session: Session, sources: Sequence[SourceUrl]) -> tuple[ShownAddress, ...]:
    """Addresses in the order in which they are tried, as people look at them."""
    return tuple(
        ShownAddress(
            to_look_at(source.url),
            source.via,
            snapshot_at(source.url),
            tuple(shown(row) for row in tries_of(session, source.url, SHOWN_TRIES)),
        )
        for source in sources
    )


def since_then(found: Sequence[ShownAddress], read: DocumentView | None) -> ShownTry | None:
    """The newest try of the address whose page was read, where it brought nothing and that page stands all the same."""
    newest = (one.tries[0] for one in found if read is not None and one.url == to_look_at(read.url) and one.tries)
    return next((one for one in newest if one.outcome and read is not None and one.at > read.fetched_at), None)


def shown(row: schema.Try) -> ShownTry:
    """One try."""
    outcome = Outcome(row.outcome) if row.outcome else None
    return ShownTry(row.tried_at, _said(row), outcome, tuple(row.chain), row.again_at)


def _said(row: schema.Try) -> str:
    """ "404 Not Found from example.org": the server's phrase, else the standard's; and what else there is to say."""
    if row.status is None:
        return row.detail
    answer = f"{row.status} {row.phrase or _phrase(row.status)}".strip() + f" from {host(row.final_url)}"
    if row.status == HTTPStatus.NOT_MODIFIED:
        return f"{answer}: as it was"
    if not row.outcome or row.detail.startswith(str(row.status)):
        return row.detail or answer
    return f"{answer}: {row.detail}" if row.detail else answer


def _phrase(status: int) -> str:
    return HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else ""
