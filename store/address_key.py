"""One page under its many spellings: keys by which an address is known, however it is written or archived."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, quote, unquote, unquote_to_bytes, urlsplit

_OWN_PORTS = frozenset({"", "80", "443"})
_SAFE = "/:@!$&'()*+,;=-._~|"
# A copy names the page that it is of at the end of its own path, as web archives do, with or without the scheme.
_IN_PATH = re.compile(r"(?i)/(https?:/{1,2}[^/].*)", re.DOTALL)
_AT_A_TIME = re.compile(r"(?i)^/web/\d{4,14}(?:[a-z]{2}_)?/([^/:]+\.[^/]+.*)", re.DOTALL)
_IN_QUERY = frozenset({"url", "uri", "u"})
_DEPTH = 3  # copies of copies


def address_keys(url: str) -> frozenset[str]:
    """The keys of an address: its own, and where it is an archived copy, also those of the page that it is a copy of.

    Two spellings of one address have the same key: scheme, `www.`, the scheme's own port, upper case in the host,
    needless escapes, a last slash, the user and the fragment make no difference. What is no address has no key.
    """
    return frozenset(_keys(url, _DEPTH))


def hosts_of_keys(keys: frozenset[str]) -> frozenset[str]:
    """The hosts that keys name, as they may stand in addresses: in ASCII, and as people write them."""
    hosts = {key.partition("/")[0].partition(":")[0] for key in keys}
    return frozenset(hosts | {_readable(host) for host in hosts})


def _keys(url: str, depth: int) -> set[str]:
    try:
        parts = urlsplit(url.strip())
        host, port = _host(parts.hostname or ""), str(parts.port or "")
    except ValueError:
        return set()
    if not host:
        return set()
    path = _spelled(parts.path).rstrip("/")
    query = f"?{_spelled(parts.query)}" if parts.query else ""
    keys = {f"{host}{'' if port in _OWN_PORTS else ':' + port}/{path.lstrip('/')}{query}"}
    for copied in _copied(parts.path, parts.query) if depth else ():
        keys |= _keys(copied, depth - 1)
    return keys


def _copied(path: str, query: str) -> list[str]:
    """The addresses that an address says to be a copy of."""
    whole = path + (f"?{query}" if query else "")
    found = [value for name, value in parse_qsl(query) if name.lower() in _IN_QUERY and _is_address(value)]
    match = _IN_PATH.search(unquote(path))
    if match:
        # Written with its escapes where it has them; else the query belongs to it.
        plain = _IN_PATH.search(whole)
        inner = plain.group(1) if plain else match.group(1)
        found.append(re.sub(r"(?i)^(https?):/{1,2}", r"\1://", inner))
    else:
        match = _AT_A_TIME.match(whole)
        found += [f"http://{match.group(1)}"] if match else []
    return found


def _is_address(text: str) -> bool:
    return text.lower().startswith(("http://", "https://"))


def _spelled(part: str) -> str:
    return quote(unquote_to_bytes(part), safe=_SAFE)


def _host(name: str) -> str:
    name = name.rstrip(".").removeprefix("www.")
    try:
        return name.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return name.lower()


def _readable(host: str) -> str:
    try:
        return host.encode("ascii").decode("idna")
    except UnicodeError:
        return host


__all__ = ["address_keys", "hosts_of_keys"]
