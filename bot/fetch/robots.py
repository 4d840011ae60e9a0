"""What a host's robots.txt lets us read, after RFC 9309: 4xx means all of it, 5xx none of it."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from protego import Protego

from bot.agent import NAME

LARGEST = 500 * 1024  # bytes; RFC 9309 asks for at least that much to be read
LONGEST_CRAWL_DELAY_S = 30.0


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one host for us. `reason` says why where everything is closed."""

    parsed: Protego | None = None
    closed: str = ""

    def allow(self, url: str) -> bool:
        """Whether the URL may be read."""
        return not self.closed and (self.parsed is None or bool(self.parsed.can_fetch(url, NAME)))

    @property
    def crawl_delay_s(self) -> float:
        """The seconds between requests that the host asks for, up to a bound."""
        asked = self.parsed.crawl_delay(NAME) if self.parsed else None
        return min(float(asked or 0), LONGEST_CRAWL_DELAY_S)


def read_rules(body: bytes) -> Rules:
    """The rules in the text of a robots.txt; what can't be understood forbids nothing."""
    text = body[:LARGEST].decode("utf-8", "replace").removeprefix("\ufeff").replace("\x00", "")
    return Rules(Protego.parse(text))


def robots_url(url: str) -> str:
    """Where the rules for a URL stand."""
    parts = urlsplit(url)
    return f"{parts.scheme.lower()}://{parts.netloc.rpartition('@')[2].lower()}/robots.txt"
