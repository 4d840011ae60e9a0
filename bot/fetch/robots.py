"""What a robots.txt lets us read, after RFC 9309."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from protego import Protego
from yarl import URL

from bot.agent import NAME
from models.outcome import NotJudged

LARGEST = 500 * 1024  # bytes; RFC 9309 asks for at least that much to be read

_AGENT = re.compile(r"\s*user[- ]?agent(?:\s*:|\s)\s*(?P<who>[^#]*)", re.IGNORECASE)
_TOKEN = re.compile(r"[A-Za-z_-]*")


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one origin for us: none, those of its robots.txt, or that nothing may be read, and why."""

    parsed: Protego | None = None
    closed: NotJudged | None = None

    def allow(self, url: str) -> bool:
        """Whether the URL may be read, as written and as it would be asked for (without "/../" and needless escapes).

        What can't be an address may not.
        """
        if self.closed is not None or self.parsed is None:
            return self.closed is None
        try:
            asked = str(URL(url))
        except ValueError:
            return False
        return all(self.parsed.can_fetch(one, NAME) for one in {url, asked})

    @property
    def crawl_delay_s(self) -> float:
        """The seconds between requests that are asked for; 0 where nothing is."""
        return float((self.parsed.crawl_delay(NAME) if self.parsed else None) or 0)


def rules_text(body: bytes) -> str:
    """The text of a robots.txt that a server sent, as any store can keep it."""
    encoding = "utf-16" if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8"
    return body[:LARGEST].decode(encoding, "replace").removeprefix("\ufeff").replace("\x00", "")


def read_rules(text: str) -> Rules:
    """The rules in the text of a robots.txt; what can't be understood forbids nothing."""
    return Rules(Protego.parse(_for_us(text)))


def _for_us(text: str) -> str:
    """The same rules with all robots but us under one name.

    The standard has a group hold for the robot of exactly that name, and a file with thousands of names has Protego
    keep each rule thousands of times.
    """
    return "\n".join(_named(line) for line in text.splitlines())


def _named(line: str) -> str:
    agent = _AGENT.match(line)
    if agent is None:
        return line
    who = agent["who"].strip()
    token = _TOKEN.match(who)
    ours = token is not None and token[0].lower() == NAME.lower()
    return f"User-agent: {'*' if who == '*' else NAME if ours else 'somebody-else'}"
