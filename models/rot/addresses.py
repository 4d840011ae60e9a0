"""What the addresses of a page say: the one that was asked for, and the one that answered."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit


def split(url: str) -> SplitResult:
    """The parts of an address; of what is none, empty ones."""
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


def moved(asked: SplitResult, came: SplitResult) -> bool:
    """Whether another page answered than was asked for: more than the scheme, "www." or a slash changed."""
    return _plain(asked) != _plain(came)


def _plain(url: SplitResult) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    host = (url.hostname or "").removeprefix("www.")
    return host, unquote(url.path).rstrip("/").casefold(), tuple(sorted(parse_qsl(url.query)))


_GATE = re.compile(
    r"(?:^|[/_.-])(?:(?:log|sign)-?(?:in|up)|blogin|auth(?:n|z|enticat\w+|oriz\w+)?|sso|\w*consent\w*|cmp|"
    r"guard|privacy|gdpr(?:-\w+)?|terms|conditions|disclaimer|"
    r"warning|verify|captcha|challenge|gate|\w*wall|subscri\w+|restricted|denied|blocked|cookies?|age-?check|eid|"
    r"accept\w*|interstitial|welcome)(?:[/_.?-]|$)",
    re.IGNORECASE,
)

# Where a gate leads on to; "redirectedFrom" only says how one came.
_BACK = re.compile(
    r"(?:^|&)(?:(?:return|redirect|back|continue)[-_]?(?:to|ur[il])?|next|destination|goto|target|relaystate)=",
    re.IGNORECASE,
)


def is_gate(asked: SplitResult, came: SplitResult) -> bool:
    """Whether an address is that of a gate, with the way on to what was asked for."""
    if not came.hostname or not moved(asked, came):
        return False
    way_on = len(asked.path) > 1 and asked.path.casefold() in unquote(unquote(came.query)).casefold()
    if way_on and _BACK.search(came.query) and not is_error(asked, came):
        return True
    is_named = bool(_GATE.search(f"/{came.hostname}{came.path}")) and not _GATE.search(asked.path)
    return is_named and (way_on or not _shares_path(asked, came))


def _shares_path(asked: SplitResult, came: SplitResult) -> bool:
    """Whether the last part of an address is kept in the other."""
    last = asked.path.rstrip("/").rsplit("/", 1)[-1].casefold()
    return bool(last) and last in came.path.casefold()


_ERROR = re.compile(
    r"(?:^|[/_.?&=-])(?:404|410|error\w*|not-?_?found|missing|fehler|erreur|errore|no-encontrad[oa]|introuvable|"
    r"notfound|page-?not-?found|gone|unavailable|removed)(?:[/_.?&=-]|$)",
    re.IGNORECASE,
)


def is_error(asked: SplitResult, came: SplitResult) -> bool:
    """Whether a site sent to the address that it has for what isn't there."""
    return moved(asked, came) and bool(_ERROR.search(f"{came.path}?{came.query}"))


_WORDS = re.compile(r"[^\W_]{4,}")
_COMMON = frozenset("html aspx about index page view item record profile history biography default home".split())


def is_kin(asked: SplitResult, came: SplitResult) -> bool:
    """Whether the words and numbers of the last part of an address that has any all come again in another."""
    last = telling_words(asked)
    return bool(last) and last <= set(_WORDS.findall(came.path.casefold()))


def is_parent(asked: SplitResult, came: SplitResult) -> bool:
    """Whether a site led from an address to one above it, that isn't its front page."""
    above = came.path.rstrip("/").casefold()
    same_host = asked.hostname == came.hostname
    return same_host and moved(asked, came) and len(above) > 1 and asked.path.casefold().startswith(f"{above}/")


def telling_words(url: SplitResult) -> frozenset[str]:
    """The words and numbers of the last part of an address that has any."""
    parts = (set(_WORDS.findall(part)) - _COMMON for part in reversed(unquote(url.path).casefold().split("/")))
    return frozenset(next((words for words in parts if words), set()))
