"""What an HTTP answer means: a page to read, a redirect, or the outcome that says why there is nothing to read."""

from __future__ import annotations

import hashlib
import html
import re
import string
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from urllib.parse import quote, urldefrag, urljoin, urlsplit

from bot.fetch import LONGEST_FAILURE, Failure
from models.document import Document
from models.outcome import NotJudged, Outcome
from models.rot.phrases import CHALLENGE

REDIRECTS = (301, 302, 303, 307, 308)

_OUTCOMES = {
    404: Outcome.NOT_FOUND,
    408: Outcome.TIMED_OUT,
    410: Outcome.NOT_FOUND,  # whether it is gone, only its history says
    429: Outcome.RATE_LIMITED,
}
_RANGE = re.compile(r"bytes (\d{1,15})-(\d{1,15})/(\d{1,15}|\*)", re.IGNORECASE)
_NOT_KEPT = ("content-encoding", "content-length", "transfer-encoding", "connection", "set-cookie")

# In the markup of pages that ask for a human visitor, and of no others.
_CHALLENGE_MARKS = (
    b"cf_chl_opt",
    b"cf-challenge",
    b"captcha-delivery.com",
    b"awswafcookiedomainlist",
    b"px-captcha",
    b"/_sec/cp_challenge",
    b"within.website/x/cmd/anubis",
)
_UNSEEN = re.compile(rb"<(script|style|noscript|svg)\b.*?</\1\s*>|<[^>]*>", re.IGNORECASE | re.DOTALL)
_LOOKED_AT = 200_000
# What any server says with 403 and 429: nobody is asked whether he is human.
_REFUSALS = frozenset({"too many requests", "forbidden", "access denied", "rate limit", "please wait", "blocked"})
_STUB = 120  # characters; what shows as little is a challenge by one of its words alone
_CHALLENGE_TEXT = 1_500  # a challenge page says little, an article about captchas says more


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer. `headers` have lower-case names, as sent; `body` is decoded; `reason` is the status phrase."""

    url: str
    at: datetime
    status: int
    reason: str
    headers: tuple[tuple[str, str], ...]
    body: bytes = field(repr=False)

    def header(self, name: str) -> str:
        """The first header of that name, or ""."""
        return next((value for key, value in self.headers if key == name), "")

    @property
    def said(self) -> str:
        """ "404 Not Found from example.org": the server's own phrase, else the standard's."""
        return f"{status_words(self.status, self.reason)} from {host_of(self.url)}"


def clean_header(name: str, value: str) -> str:
    """A header's value as text that any store can keep. Bytes beyond ASCII are percent-encoded in a `location`, since
    they belong to the address; elsewhere they are read as UTF-8, and what isn't that is replaced.
    """
    raw = value.encode("utf-8", "surrogateescape")
    if name == "location":
        return quote(raw, safe=string.punctuation)
    return raw.decode("utf-8", "replace").replace("\x00", "")


def printable(text: str) -> str:
    """What a server says, in one line that does nothing to a terminal."""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())


class BadRedirect(Exception):
    """A redirect that leads nowhere. The message says what was wrong with it."""


def status_words(status: int, reason: str) -> str:
    """A status with its phrase, the server's own or else the standard's."""
    phrase = " ".join(reason.split())[:80]
    if not phrase:
        phrase = HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else ""
    return f"{status} {phrase}".strip()


def host_of(url: str) -> str:
    """The host of an address as a person knows it, with its port where one is given."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return url[:80]
    return (parts.hostname or "") + port


def redirect_target(answer: Answer) -> str | None:
    """Where an answer redirects to, without its fragment; None where it doesn't redirect. Raises `BadRedirect`."""
    if answer.status not in REDIRECTS:
        return None
    location = answer.header("location").strip()
    if not location:
        raise BadRedirect(f"{answer.said} without saying where to")
    try:
        target = urldefrag(urljoin(answer.url, location)).url
        fit = urlsplit(target).scheme in ("http", "https") and bool(urlsplit(target).hostname)
    except ValueError:
        fit = False
    if not fit:
        raise BadRedirect(f"{answer.said} to what is no web address: {printable(location)[:100]}")
    return target


def fetched(chain: Sequence[str], answer: Answer) -> Document | Failure:
    """What the answer at the end of a chain of addresses brought; the first of them is the one asked for."""
    url, end, way = chain[0], answer.url, tuple(chain)
    headers = tuple(header for header in answer.headers if header[0] not in _NOT_KEPT)
    why = why_unreadable(answer)
    if why is not None:
        begin = answer.body[:LONGEST_FAILURE]
        return Failure(url, end, answer.at, answer.status, why, way, answer.reason, headers, begin)
    digest = "sha256:" + hashlib.sha256(answer.body).hexdigest()
    return Document(url, end, answer.status, headers, answer.body, digest, answer.at, chain=way)


def why_unreadable(answer: Answer) -> NotJudged | None:
    """Why an answer that isn't a redirect gives nothing to read; None where it does."""
    if is_challenge(answer):
        return NotJudged(Outcome.BOT_WALL, answer.said)
    if not 200 <= answer.status < 300:
        wait = answer.header("retry-after").strip()[:40]
        asked = f" (Retry-After: {wait})" if wait and wait.isprintable() else ""
        return NotJudged(_outcome(answer.status), answer.said + asked)
    if _is_part(answer):
        return NotJudged(Outcome.MALFORMED_ANSWER, f"{answer.said}, a part of the page though all of it was asked for")
    if not answer.body:
        return NotJudged(Outcome.NO_TEXT, f"{answer.said}, with an empty body")
    return None


def _is_part(answer: Answer) -> bool:
    """Whether an answer says that it is less than the whole page."""
    part = _RANGE.fullmatch(answer.header("content-range").strip())
    if part is None:
        return answer.status == HTTPStatus.PARTIAL_CONTENT
    first, last, whole = part.groups()
    return int(first) > 0 or whole == "*" or int(last) + 1 < int(whole)


def _outcome(status: int) -> Outcome:
    if status in _OUTCOMES:
        return _OUTCOMES[status]
    if status >= 400:
        return Outcome.SERVER_ERROR if 500 <= status < 600 else Outcome.BLOCKED
    return Outcome.MALFORMED_ANSWER


def is_challenge(answer: Answer) -> bool:
    """Whether a page asks for a human visitor instead of showing what was asked for, whatever its status."""
    if answer.header("cf-mitigated").lower() == "challenge":
        return True
    if "html" not in (answer.header("content-type") or "html").lower():
        return False
    page = answer.body[:_LOOKED_AT].lower()
    shown = " ".join(html.unescape(_UNSEEN.sub(b" ", page).decode("utf-8", "replace")).split())
    if len(shown) > _CHALLENGE_TEXT:
        return False
    words = {match[0] for match in CHALLENGE.finditer(shown)} - _REFUSALS
    if 200 <= answer.status < 300:  # what has more to say is looked at with the statement in hand (models.rot)
        return len(shown) < _STUB and (any(mark in page for mark in _CHALLENGE_MARKS) or bool(words))
    return bool(words) or any(mark in page for mark in _CHALLENGE_MARKS)
