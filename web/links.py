"""Addresses that the pages link to: Wikidata's own, and sources of the web with care."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

WIKIDATA = "https://www.wikidata.org/wiki/"
_FRAGMENT_WORDS = 8


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


def at_text(url: str, passage: str) -> str:
    """The address with a text fragment, so that a browser scrolls to the passage; unchanged where it has no words."""
    words = passage.split()
    if not words:
        return url
    start = _fragment(" ".join(words[:_FRAGMENT_WORDS]))
    end = _fragment(" ".join(words[-4:])) if len(words) > 2 * _FRAGMENT_WORDS else ""
    directive = f":~:text={start}" + (f",{end}" if end else "")
    return url + directive if "#" in url else f"{url}#{directive}"


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
