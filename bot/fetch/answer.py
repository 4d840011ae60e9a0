"""What an HTTP answer means: a page to read, a redirect, or the outcome that says why there is nothing to read."""

from __future__ import annotations

import hashlib
import re
import string
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from urllib.parse import quote, urldefrag, urljoin, urlsplit

from bot.fetch import Failure, Fetched
from models.document import Document
from models.outcome import NotJudged, Outcome

REDIRECTS = (301, 302, 303, 307, 308)

_OUTCOMES = {
    404: Outcome.NOT_FOUND,
    408: Outcome.TIMED_OUT,
    410: Outcome.NOT_FOUND,  # whether it is gone, only its history says
    429: Outcome.RATE_LIMITED,
}
_NOT_KEPT = ("content-encoding", "content-length", "transfer-encoding", "connection", "set-cookie")

_CHALLENGE_TITLE = re.compile(
    r"just a moment|attention required|access denied|checking your browser|are you (a|not a) (robot|human)"
    r"|making sure you.?re not a bot|ddos.guard|pardon our interruption|security check|one more step"
    r"|human verification|bot verification|verify(ing)? you are (a )?human|please wait\.\.\.|robot or human",
    re.IGNORECASE,
)
_CHALLENGE_MARKS = (
    b"cf-challenge",
    b"cf_chl_opt",
    b"challenge-platform/h/",
    b"_incapsula_resource",
    b"captcha-delivery.com",
    b"awswafcookiedomainlist",
    b"px-captcha",
    b"/_sec/cp_challenge",
    b"g-recaptcha",
    b"h-captcha",
    b"ddos-guard",
    b"within.website/x/cmd/anubis",
    b"enable javascript and cookies to continue",
    b"you are human",
    b"you are a human",
    b"you're not a robot",
    b"unusual traffic from your",
    b"checking your browser before accessing",
    b"disable any ad blocker",
)
_TITLE = re.compile(rb"<title[^>]*>([^<]*)", re.IGNORECASE)
_UNSEEN = re.compile(rb"<(script|style|noscript|svg)\b.*?</\1\s*>|<[^>]*>", re.IGNORECASE | re.DOTALL)
_LOOKED_AT = 200_000
_CHALLENGE_TEXT = 1_500  # bytes; a challenge page says little, an article about captchas says more
_FRONT_PAGE = re.compile(r"/*|/(index|default|home)(\.\w{2,5})?/*", re.IGNORECASE)


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
        raise BadRedirect(f"{answer.said} to what is no web address: {location[:100]}")
    return target


def fetched(url: str, answer: Answer) -> Fetched:
    """What the answer that ended the redirects of `url` brought."""
    why = why_unreadable(url, answer)
    if why is not None:
        return Failure(url, answer.url, answer.at, answer.status, why)
    digest = "sha256:" + hashlib.sha256(answer.body).hexdigest()
    headers = tuple(header for header in answer.headers if header[0] not in _NOT_KEPT)
    return Document(url, answer.url, answer.status, headers, answer.body, digest, answer.at)


def why_unreadable(url: str, answer: Answer) -> NotJudged | None:
    """Why an answer that isn't a redirect gives nothing to read; None where it does."""
    if is_challenge(answer):
        return NotJudged(Outcome.BOT_WALL, answer.said)
    if not 200 <= answer.status < 300:
        wait = answer.header("retry-after").strip()[:40]
        asked = f" (Retry-After: {wait})" if wait and wait.isprintable() else ""
        return NotJudged(_outcome(answer.status), answer.said + asked)
    if not answer.body:
        return NotJudged(Outcome.NO_TEXT, f"{answer.said}, with an empty body")
    if leads_to_front_page(url, answer.url):
        return NotJudged(Outcome.REDIRECTED_ELSEWHERE, f"redirected to {answer.url}")
    return None


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
    title = _TITLE.search(page)
    titled = bool(title and _CHALLENGE_TITLE.search(title[1].decode("utf-8", "replace")))
    if not titled and not any(mark in page for mark in _CHALLENGE_MARKS):
        return False
    return len(b" ".join(_UNSEEN.sub(b" ", page).split())) < _CHALLENGE_TEXT


def leads_to_front_page(url: str, final_url: str) -> bool:
    """Whether a page of its own was asked for, and a site's front page came."""
    asked, came = urlsplit(url), urlsplit(final_url)
    own_page = bool(asked.query) or not _FRONT_PAGE.fullmatch(asked.path)
    return own_page and not came.query and bool(_FRONT_PAGE.fullmatch(came.path))
