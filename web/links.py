"""Addresses that the pages link to: Wikidata's own, and sources of the web with care."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlsplit

WIKIDATA = "https://www.wikidata.org/wiki/"


def entity_url(entity_id: str) -> str:
    """The page of an item, a property, or a lexeme (with its form or sense) on Wikidata."""
    if entity_id.startswith("P"):
        return f"{WIKIDATA}Property:{quote(entity_id)}"
    if entity_id.startswith("L"):
        lexeme, _, part = entity_id.partition("-")
        return f"{WIKIDATA}Lexeme:{quote(lexeme)}" + (f"#{quote(part)}" if part else "")
    return WIKIDATA + quote(entity_id)


def statement_url(entity_id: str, guid: str) -> str:
    """The very statement on Wikidata: its anchor there is its GUID."""
    return f"{entity_url(entity_id).partition('#')[0]}#{quote(guid, safe='$-')}"


def is_web(url: str) -> bool:
    """True where an address may become a link: http or https, with a host, and nothing that hides in it."""
    if any(ord(character) <= 0x20 for character in url):
        return False
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def host(url: str) -> str:
    """The host of an address, or the address itself where it has none."""
    try:
        return urlsplit(url).hostname or url
    except ValueError:
        return url


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a page as it shows them: `start`, or all from `start` to `end`. `before` stands right before them."""

    start: str
    end: str = ""
    before: str = ""


def at_text(url: str, *quotes: Quote) -> str:
    """The address with text fragments, so that a browser scrolls to the first of the quotes that it finds.

    https://wicg.github.io/scroll-to-text-fragment/; unchanged where there is nothing to quote.
    """
    if not quotes:
        return url
    return f"{url}{'' if '#' in url else '#'}:~:{'&'.join(map(_directive, quotes))}"


def _directive(quote: Quote) -> str:
    before = f"{_fragment(quote.before)}-," if quote.before else ""
    end = f",{_fragment(quote.end)}" if quote.end else ""
    return f"text={before}{_fragment(quote.start)}{end}"


def at_sheet(url: str, sheet: int) -> str:
    """The address of a page of a PDF, as browsers understand it."""
    return f"{url.partition('#')[0]}#page={sheet}"


def _fragment(text: str) -> str:
    # A dash, a comma and an ampersand are syntax within the directive; `quote` leaves a dash alone.
    return quote(text, safe="").replace("-", "%2D")


def safe_next(target: str | None) -> str:
    """Where to go after signing in: a path of this site, or "/" for anything that could lead elsewhere."""
    if not target or not target.startswith("/") or target.startswith("//"):
        return "/"
    # Browsers read a backslash as a slash and drop control characters, so "/\evil" and "/\t/evil" lead elsewhere.
    if "\\" in target or any(ord(character) < 0x20 or ord(character) == 0x7F for character in target):
        return "/"
    parts = urlsplit(target)
    return target if not parts.scheme and not parts.netloc else "/"
