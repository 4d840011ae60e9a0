"""Why a pair was not judged: a closed set, each saying whether and when to try again.

None of them counts for or against a statement. Some are findings for editors all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum

from models.evidence import Evidence

_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)


class Outcome(str, Enum):
    """The value is what the database holds; `label` is what a person reads."""

    NOT_FOUND = "not_found"
    GONE = "gone"
    SERVER_ERROR = "server_error"
    RATE_LIMITED = "rate_limited"
    UNREACHABLE = "unreachable"
    TIMED_OUT = "timed_out"
    TLS = "tls"
    REDIRECT_LOOP = "redirect_loop"
    MALFORMED_ANSWER = "malformed_answer"
    BLOCKED = "blocked"
    BOT_WALL = "bot_wall"
    ROBOTS = "robots"
    REDIRECTED_ELSEWHERE = "redirected_elsewhere"
    NO_TEXT = "no_text"
    WRONG_FORMAT = "wrong_format"
    UNSUPPORTED_LANGUAGE = "unsupported_language"
    TOO_LARGE = "too_large"
    UNSAFE_ADDRESS = "unsafe_address"
    NO_USABLE_URL = "no_usable_url"
    NO_LABEL = "no_label"

    @property
    def label(self) -> str:
        """What an editor reads: about the page or our reading of it, never about the statement."""
        return _LABELS[self]

    @property
    def is_finding(self) -> bool:
        """True where the outcome itself is worth an editor's look: the source isn't there any more."""
        return self in _FINDINGS

    @property
    def source_is_absent(self) -> bool:
        """True where the outcome says that the source isn't there to read (the bench counts y = 0)."""
        return self in _FINDINGS or self is Outcome.NO_TEXT

    @property
    def retry_after(self) -> timedelta | None:
        """How long until a first new try makes sense; None where only a change of the reference helps."""
        return _RETRY.get(self)

    @property
    def former_stands(self) -> timedelta | None:
        """How long, while an address fails so, what it brought before is still what we judge by: the host has trouble,
        which says nothing about the page. None where the outcome is about the page.
        """
        return _FORMER_STANDS.get(self)

    @property
    def is_transient(self) -> bool:
        """True where the host has trouble that may well be over at the next try."""
        return self in _FORMER_STANDS

    @property
    def earlier_copy_helps(self) -> bool:
        """True where a copy of the page made when it was cited may be read, and its host hasn't asked us not to."""
        return self in _EARLIER_COPY


_LABELS = {
    Outcome.NOT_FOUND: "Page not found",
    Outcome.GONE: "Page gone",
    Outcome.SERVER_ERROR: "The source's server failed",
    Outcome.RATE_LIMITED: "The source's server asked us to wait",
    Outcome.UNREACHABLE: "The source's server can't be reached",
    Outcome.TIMED_OUT: "The source's server took too long",
    Outcome.TLS: "The source's certificate isn't valid",
    Outcome.REDIRECT_LOOP: "The page redirects without end",
    Outcome.MALFORMED_ANSWER: "The source's answer was malformed",
    Outcome.BLOCKED: "The source refuses access",
    Outcome.BOT_WALL: "The source asks for a human visitor",
    Outcome.ROBOTS: "The source's robots.txt asks us not to read it",
    Outcome.REDIRECTED_ELSEWHERE: "The address leads to another page now",
    Outcome.NO_TEXT: "The page has no text to read",
    Outcome.WRONG_FORMAT: "Not a format that we read",
    Outcome.UNSUPPORTED_LANGUAGE: "Not in a language that we read",
    Outcome.TOO_LARGE: "The page is too large",
    Outcome.UNSAFE_ADDRESS: "The address isn't on the public web",
    Outcome.NO_USABLE_URL: "The reference has no usable web address",
    Outcome.NO_LABEL: "The statement can't be put into words: a label is missing",
}

_FINDINGS = frozenset({Outcome.NOT_FOUND, Outcome.GONE, Outcome.REDIRECTED_ELSEWHERE})

_RETRY = {
    Outcome.NOT_FOUND: 3 * _DAY,
    Outcome.GONE: 90 * _DAY,
    Outcome.SERVER_ERROR: 6 * _HOUR,
    Outcome.RATE_LIMITED: _HOUR,
    Outcome.UNREACHABLE: _DAY,
    Outcome.TIMED_OUT: _DAY,
    Outcome.TLS: 7 * _DAY,
    Outcome.REDIRECT_LOOP: 7 * _DAY,
    Outcome.MALFORMED_ANSWER: 7 * _DAY,
    Outcome.BLOCKED: 30 * _DAY,
    Outcome.BOT_WALL: 30 * _DAY,
    Outcome.ROBOTS: 30 * _DAY,
    Outcome.REDIRECTED_ELSEWHERE: 30 * _DAY,
    Outcome.NO_TEXT: 30 * _DAY,
    Outcome.TOO_LARGE: 90 * _DAY,
    Outcome.NO_LABEL: 7 * _DAY,
}

_FORMER_STANDS = {
    Outcome.SERVER_ERROR: 30 * _DAY,
    Outcome.RATE_LIMITED: 30 * _DAY,
    Outcome.UNREACHABLE: 30 * _DAY,
    Outcome.TIMED_OUT: 30 * _DAY,
    Outcome.TLS: 14 * _DAY,  # a certificate that nobody renews for so long isn't an oversight
}

_EARLIER_COPY = frozenset(
    {
        Outcome.NOT_FOUND,
        Outcome.GONE,
        Outcome.REDIRECT_LOOP,
        Outcome.MALFORMED_ANSWER,
        Outcome.BLOCKED,
        Outcome.BOT_WALL,
        Outcome.REDIRECTED_ELSEWHERE,
        Outcome.NO_TEXT,
    }
)


@dataclass(frozen=True, slots=True)
class NotJudged:
    """An outcome with what was seen, e.g. "404 Not Found from example.org".

    `evidence` is what an editor may still want to see (passages of kind `value`, five at most): no stance rests on it.
    """

    outcome: Outcome
    detail: str = ""
    evidence: tuple[Evidence, ...] = ()
