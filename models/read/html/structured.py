"""Facts that a page states for machines in JSON-LD and meta tags, each with the thing that it is about."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

MOST_FACTS = 200
_DEEPEST = 8
_MOST_SOURCE = 2_000_000  # characters of one script
_LONGEST_VALUE = 500
_SKIP = frozenset(
    "@context @id @type url image logo sameAs potentialAction mainEntityOfPage thumbnailUrl contentUrl embedUrl "
    "encodingFormat inLanguage primaryImageOfPage target urlTemplate articleBody text isPartOf".split()
)
# Things that say how the site is built, not what the page is about.
_OF_SITE = frozenset(
    "BreadcrumbList SiteNavigationElement WebSite SearchAction WPHeader WPFooter WPSideBar ImageObject".split()
)
_SUBJECTS = ("mainEntity", "about")
_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")
_MARKUP = re.compile(r"<[^<>]{0,500}>")
_WRAPPER = re.compile(r"\s*(?://|/\*)?\s*(?:<!\[CDATA\[|<!--|\]\]>|-->)\s*(?:\*/)?\s*")
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")


class Fact(NamedTuple):
    """A fact as "name: value", and what it is about: "Ann Lee (Person)", or "". `of_site`: about the site itself."""

    text: str
    about: str = ""
    of_site: bool = False


def facts(source: str) -> list[Fact]:
    """The facts of one JSON-LD script, outermost names first: "birth Place address Country: Scotland".

    Never raises: what isn't JSON gives no facts.
    """
    if len(source) > _MOST_SOURCE:
        return []
    try:
        tree = _parsed(source)
    except (ValueError, RecursionError):
        return []
    names = {str(node["@id"]): str(node["name"]) for node in _top(tree) if "@id" in node and "name" in node}
    found: list[Fact] = []
    for node in _top(tree):
        if len(found) >= MOST_FACTS:
            break
        for thing in _with_subjects(node):
            about, of_site = _about(thing)
            lines: list[str] = []
            _collect(thing, "", 0, lines, names)
            found.extend(Fact(line, about, of_site) for line in lines)
    return found[:MOST_FACTS]


def is_fact(key: str) -> bool:
    """False for the properties that only link, or repeat the page's text."""
    return key not in _SKIP


def _parsed(source: str) -> Any:
    try:
        return json.loads(source, strict=False)
    except ValueError:
        unwrapped = _WRAPPER.sub("", source[:200]) + source[200:-200] + _WRAPPER.sub("", source[200:][-200:])
        return json.loads(_TRAILING_COMMA.sub("", unwrapped), strict=False)


def _top(tree: Any) -> Iterator[Mapping[str, Any]]:
    """The things that a script speaks of: the object, the list's, or those of its graph."""
    for node in tree[:MOST_FACTS] if isinstance(tree, list) else [tree]:
        if not isinstance(node, dict):
            continue
        graph = node.get("@graph")
        if isinstance(graph, list):
            yield from (one for one in graph[:MOST_FACTS] if isinstance(one, dict))
        else:
            yield node


def _with_subjects(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A thing, and before it what it says that it is about: the person of an article, not "about birth date"."""
    kept = dict(node)
    for key in _SUBJECTS:
        things = kept.get(key)
        things = things[:20] if isinstance(things, list) else [things]
        if all(isinstance(one, dict) and "@type" in one and len(one) > 2 for one in things):
            del kept[key]
            yield from things
    yield kept


def types_of(value: Any) -> list[str]:
    """The types of a thing by their last word: "http://schema.org/Person" as "Person"."""
    types = value if isinstance(value, list) else [value]
    named = [one.strip().rstrip("/") for one in types[:5] if isinstance(one, str)]
    return [re.split(r"[/#:]", one)[-1] for one in named if one]


def about(name: str, types: list[str]) -> str:
    """A thing as a heading says it: "Ann Lee (Person)"."""
    kind = ", ".join(types)
    return (f"{name} ({kind})" if name and kind else name or kind)[:200]


def is_of_site(types: list[str]) -> bool:
    """True where a thing is a part of the site, such as its breadcrumbs."""
    return bool(types) and all(one in _OF_SITE for one in types)


def _about(node: Mapping[str, Any]) -> tuple[str, bool]:
    types = types_of(node.get("@type"))
    name = node.get("name") or node.get("headline") or ""
    if isinstance(name, dict):
        name = name.get("@value") or ""
    if not name:
        parts = (node.get("givenName"), node.get("familyName"))
        name = " ".join(part for part in parts if isinstance(part, str))
    return about(plain(str(name)) if isinstance(name, str) else "", types), is_of_site(types)


def _collect(node: Any, name: str, depth: int, lines: list[str], names: Mapping[str, str]) -> None:
    if depth > _DEEPEST or len(lines) >= MOST_FACTS:
        return
    if isinstance(node, dict):
        if "@value" in node:
            _collect(node["@value"], name, depth + 1, lines, names)
            return
        if len(node) <= 2 and "name" not in node and (known := names.get(str(node.get("@id")))) and name:
            lines.append(f"{name}: {plain(known)}")
            return
        for key, value in list(node.items())[:MOST_FACTS]:
            if key not in _SKIP:
                _collect(value, f"{name} {spell(key)}".strip()[:200], depth + 1, lines, names)
    elif isinstance(node, list):
        for value in node[:MOST_FACTS]:
            _collect(value, name, depth + 1, lines, names)
    elif isinstance(node, (str, int, float)) and not isinstance(node, bool) and name:
        text = plain(str(node))
        if text and not text.startswith(("http://", "https://")):
            lines.append(f"{name}: {text}")


def plain(value: str) -> str:
    """A value as text of one line, without markup."""
    value = value[: 4 * _LONGEST_VALUE]
    if "&" in value:
        value = html.unescape(value)
    if "<" in value:
        value = _MARKUP.sub(" ", value)
    return " ".join(value.split())[:_LONGEST_VALUE]


def spell(key: str) -> str:
    """`birthDate` as "birth date"."""
    return _WORD.sub(" ", re.split(r"[/#:]", key.rstrip("/#:"))[-1].lstrip("@")).replace("_", " ").lower()


_META = re.compile(
    r"description|keywords|author|date|title|subject|last-modified|pubdate|publish[-_]?date|news_keywords|byl|"
    r"parsely-(?:title|author|pub-date)|sailthru\.(?:title|author|date)|geo\.(?:position|placename|region)|icbm|"
    r"(?:og|twitter):(?:title|description)|(?:article|book|profile|video|music|og|place|business):"
    r"(?!image|url|locale|video|audio|site_name|type|updated_time|modified_time|publisher|section|tag|see_also)[\w:.-]{2,40}|"
    r"twitter:(?:label|data)\d|"
    r"(?:dc|dcterms|dcterm|eprints|prism|bepress_citation|citation)[._](?!identifier|format|language|pdf_url|abstract_html_url|"
    r"fulltext_html_url|public_url|reference|doi|issn|type|rights)[\w.-]{2,40}"
)


_DUBLIN_CORE = re.compile(r"(?:dc|dcterms?)[._]")


def meta_name(name: str) -> str:
    """The name under which a meta tag's content is a fact, "" where it is none: "og:title" as "title"."""
    name = name.strip().lower()
    if len(name) > 60 or not _META.fullmatch(name):
        return ""
    return _DUBLIN_CORE.sub("", name.split(":")[-1]).replace("_", " ")
