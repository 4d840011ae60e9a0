"""Where a document hands its reader on to, when it is no page itself: a refresh, a frame, a sole inner page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urldefrag, urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from models.document import Document
from models.read.decode import decode
from models.read.html.tame import tame
from models.read.sniff import Form, sniff

LONGEST_WAIT_S = 10.0  # a page that stays longer is there to be read
_LOOKED_AT = 1 << 18  # bytes; what hands on is short
_MAY = re.compile(rb"refresh|<frameset|<iframe", re.IGNORECASE)
_MAY_WIDE = re.compile(rb"r.e.f.r.e.s.h|<.f.r.a.m.e|<.i.f.r.a.m.e", re.IGNORECASE | re.DOTALL)
_REFRESH = re.compile(
    r"\s*+(?P<wait>\d{0,6}(?:\.\d{0,6})?)[\d.]*+(?:\s*+[;,]|\s)\s*+(?:url\s*+=\s*+)?+"
    r"(?:(?P<quote>[\"'])(?P<quoted>[^\"']*)|(?P<bare>\S.*))",
    re.IGNORECASE | re.DOTALL,
)
_NEXT_TO_NO_TEXT = 200  # characters
_UNSEEN = frozenset("script style noscript template noframes iframe title svg head object select".split())
_MAIN_FRAME = (
    re.compile(r"_?main(?:_?(?:frame|window|win|page|body))?", re.IGNORECASE),
    re.compile(
        r"(?:frame_?)?(?:content|body|text|article|page|inhalt|haupt|hoofd|contenu|principal|centro|centre|center)"
        r"(?:_?(?:frame|window|win|page))?",
        re.IGNORECASE,
    ),
)
_SCREEN = (1280.0, 800.0)
_MOST_FRAMES = 200
# What stands in a frame without being the page: players, maps, buttons, advertisements, counters, checks.
_ASIDE = re.compile(
    r"youtu\.?be|vimeo|dailymotion|soundcloud|spotify|player|embed|video|facebook|twitter|instagram|disqus|addthis|"
    r"sharethis|google(?:tagmanager|syndication|adservices|-analytics)|google\.[a-z.]+/(?:maps|recaptcha)|maps\.|"
    r"doubleclick|adserv|\bads?\b|banner|captcha|consent|cookie|analytics|track(?:er|ing)|pixel|beacon|counter|"
    r"challenge|login|signin|widget|chat",
    re.IGNORECASE,
)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|$)", re.I)


def onward(document: Document) -> str | None:
    """The absolute http(s) address, without its fragment, that a document hands on to; None where it is a page.

    That is the target of a `meta refresh` within ten seconds (of one in `noscript` only where the page has next to no
    text), the main frame of a frameset, or the only `iframe` of a page with next to no text.
    """
    body = document.body[:_LOOKED_AT]
    may = _MAY_WIDE if b"\0" in body[:64] else _MAY
    if may.search(body) is None or sniff(body, document.content_type).form is not Form.HTML:
        return None
    tree = LexborHTMLParser(tame(decode(body, document.content_type)))
    whole = len(document.body) <= _LOOKED_AT
    here = urldefrag(document.final_url).url
    base = _absolute(here, _base(tree)) or here
    for target in (*_refreshes(tree, whole), *_frames(tree), *(_inner_pages(tree) if whole else ())):
        found = _absolute(base, target)
        if found is not None and found != here:
            return found
    return None


def _base(tree: LexborHTMLParser) -> str:
    node = tree.css_first("base[href]")
    return (node.attributes.get("href") or "") if node is not None else ""


def _absolute(base: str, target: str) -> str | None:
    target = re.sub(r"[\t\r\n]", "", target).strip()
    try:
        url = urldefrag(urljoin(base, target)).url
        parts = urlsplit(url)
        fit = bool(target) and parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    return url.replace(" ", "%20") if fit else None


_MOST_METAS = 20  # of a page; each in a noscript has the whole page looked at


def _refreshes(tree: LexborHTMLParser, whole: bool) -> Iterator[str]:
    """The targets of refreshes that come soon; a refresh without one only loads the page again."""
    for meta in tree.css("meta[http-equiv]")[:_MOST_METAS]:
        if (meta.attributes.get("http-equiv") or "").strip().lower() != "refresh":
            continue
        found = _REFRESH.match(meta.attributes.get("content") or "")
        if found is None or float(found["wait"].strip(".") or 0) > LONGEST_WAIT_S:
            continue
        if not _within(meta, "noscript") or (whole and _says_little(tree)):
            yield (found["quoted"] if found["quote"] else found["bare"]) or ""


def _within(node: LexborNode, tag: str) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.tag == tag:
            return True
        parent = parent.parent
    return False


def _says_little(tree: LexborHTMLParser) -> bool:
    """Whether a page shows next to no text."""
    seen = 0
    stack = [root] if (root := tree.body or tree.root) is not None else []
    while stack and seen < _NEXT_TO_NO_TEXT:
        node = stack.pop()
        if node.tag == "-text":
            seen += len("".join((node.text_content or "").split()))
        elif node.tag not in _UNSEEN:
            stack.extend(_children(node))
    return seen < _NEXT_TO_NO_TEXT


def _frames(tree: LexborHTMLParser) -> list[str]:
    """The sources of a frameset's frames, the main one first: by its name, else by its size."""
    root = tree.css_first("frameset")
    if root is None:
        return []
    frames: list[tuple[int, float, str]] = []
    stack: list[tuple[LexborNode, float, float]] = [(root, *_SCREEN)]
    while stack and len(frames) < _MOST_FRAMES:
        node, width, height = stack.pop()
        widths = _sizes(node.attributes.get("cols") or "", width)
        heights = _sizes(node.attributes.get("rows") or "", height)
        places = [(across, down) for down in heights for across in widths]
        children = [child for child in _children(node) if child.tag in ("frame", "frameset")]
        for number, child in enumerate(children):
            across, down = places[number] if number < len(places) else (0.0, 0.0)
            if child.tag == "frameset":
                stack.append((child, across, down))
            elif source := (child.attributes.get("src") or "").strip():
                frames.append((_rank(child), -across * down, source))
    return [source for *_, source in sorted(frames, key=lambda frame: frame[:2])]


def _rank(frame: LexborNode) -> int:
    name = (frame.attributes.get("name") or frame.attributes.get("id") or "").strip()
    return next((rank for rank, names in enumerate(_MAIN_FRAME) if names.fullmatch(name)), len(_MAIN_FRAME))


def _sizes(spec: str, room: float) -> list[float]:
    """The sizes that a frameset's `cols` or `rows` give, of the room there is; relative ones share what is left."""
    fixed: list[float] = []
    shares: list[float] = []
    for part in spec.split(",")[:_MOST_FRAMES]:
        found = re.match(r"\s*(\d{0,6}(?:\.\d{0,3})?)\s*([%*]?)", part)
        number, unit = (found[1], found[2]) if found else ("", "*")
        amount = float(number) if number.strip(".") else 1.0
        relative = unit == "*" or not number.strip(".")
        shares.append(amount if relative else 0.0)
        fixed.append(0.0 if relative else min(amount * room / 100 if unit == "%" else amount, room))
    left = max(0.0, room - sum(fixed))
    parts = sum(shares)
    return [size + (left * share / parts if parts else 0.0) for size, share in zip(fixed, shares, strict=True)]


def _children(node: LexborNode) -> Iterator[LexborNode]:
    child = node.child
    while child is not None:
        yield child
        child = child.next


def _inner_pages(tree: LexborHTMLParser) -> list[str]:
    """The source of the one page that another only frames; none where there are several, or it has its own text."""
    sources = [
        source
        for frame in tree.css("iframe[src]")
        if (source := (frame.attributes.get("src") or "").strip())
        and not _ASIDE.search(source)
        and not _out_of_sight(frame)
    ]
    return sources if len(sources) == 1 and _says_little(tree) else []


def _out_of_sight(frame: LexborNode) -> bool:
    given = frame.attributes
    tiny = any(re.fullmatch(r"\s*\d(?:px)?\s*", given.get(side) or "") for side in ("width", "height"))
    return tiny or "hidden" in given or bool(_HIDDEN.search(given.get("style") or "")) or _within(frame, "noscript")
