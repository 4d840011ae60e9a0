"""Which parts of a page are about the site, not about the subject: navigation, notices, links to share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from models.read.html.inline import spaced

_TAGS = frozenset({"nav", "footer"})
_ROLES = frozenset(
    "navigation contentinfo search menu menubar banner dialog alertdialog doc-bibliography doc-endnotes doc-toc".split()
)
_NEVER = frozenset({"html", "body", "main", "article", "table", "tbody", "tr", "td", "th", "h1", "dl", "dt", "dd"})
_NAMES = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|navbox|menu|menubar|footer|cookies?|cookiebar|consent|gdpr|ccpa|onetrust|"
    r"cybot|cookiebot|didomi|usercentrics|osano|iubenda|truste|breadcrumbs?|share|sharing|sharebar|"
    r"social|socials|addthis|addtoany|a2a|sharethis|related|recommended|recommendations|promo|adverts?|advertisement|ads|"
    r"adsbygoogle|newsletter|subscribe|subscription|signup|popup|modal|overlay|skip-link|skiplinks?|toolbar|pagination|pager|"
    r"catlinks|printfooter|mw-editsection|noprint|mw-jump-link|reflist|references|footnotes|comments?|disqus|"
    r"respond|outbrain|taboola|trending|most-read|popular|you-may-also-like|site-header|masthead-nav)(?=$|[\s_-])",
    re.IGNORECASE,
)
# What holds the record itself, whatever else its names say.
_OWN = re.compile(r"(?:^|[\s_-])(?:infobox|vcard|biography|portable-infobox|factbox|record)(?=$|[\s_-])", re.IGNORECASE)
# What stands beside the text: links to other pages, or the facts of the record in a box.
_SIDE = re.compile(
    r"(?:^|[\s_-])(?:sidebar|side-bar|sidenav|aside|side-column|rightcol|right-column)(?=$|[\s_-])", re.IGNORECASE
)
# The frames that web archives put around a page.
_ARCHIVE_IDS = frozenset(
    "wm-ipp wm-ipp-base wm-ipp-print wm-ipp-inside wm-toolbar donato HEADER hashtags DIVSHARE "
    "perma-banner perma-wrapper webcite_banner webcitation-toolbar topframe archive-banner "
    "waybackToolbar uk-web-archive-toolbar ukwa-banner archiveit_banner __wb_banner".split()
)


def is_archive_frame(attributes: Mapping[str, str | None]) -> bool:
    """True for the banner that a web archive shows above a page."""
    return (attributes.get("id") or "") in _ARCHIVE_IDS


# "no-footer", "has-sidebar": said of an element that is no footer and no sidebar.
_OF_ANOTHER = re.compile(
    r"(?:^|(?<=\s))(?:no|has|have|with|without|hide|show|is|not|after|before|above|below)-[\w-]+", re.IGNORECASE
)


@lru_cache(maxsize=4096)
def _names_site(names: str) -> bool:
    names = _OF_ANOTHER.sub("", spaced(names))
    return _NAMES.search(names) is not None and _OWN.search(names) is None


def names_of(attributes: Mapping[str, str | None]) -> str:
    """Class and id, as one string; "" where there are none, or so many that they say nothing."""
    names = f"{attributes.get('class') or ''} {attributes.get('id') or ''}".strip() if attributes else ""
    return names if len(names) < 200 else ""


def by_role(tag: str, attributes: Mapping[str, str | None], names: str) -> bool:
    """True where an element's tag or role says that it is about the site."""
    if tag in _NEVER:
        return False
    marked = tag in _TAGS or ("role" in attributes and (attributes["role"] or "").lower() in _ROLES)
    return marked and not (names and _OWN.search(spaced(names)))


@lru_cache(maxsize=4096)
def _names_side(names: str) -> bool:
    return _SIDE.search(_OF_ANOTHER.sub("", spaced(names))) is not None


def is_beside(tag: str, attributes: Mapping[str, str | None], names: str) -> bool:
    """True where an element stands beside the text: about the site only if it is mostly links."""
    if tag in _NEVER or (names and _OWN.search(spaced(names))):
        return False
    return tag == "aside" or attributes.get("role") == "complementary" or (bool(names) and _names_side(names))


def by_names(tag: str, names: str) -> bool:
    """True where an element's class or id says that it is about the site."""
    return bool(names) and tag not in _NEVER and _names_site(names)


# Headings of parts that list other pages and works, not the subject's facts.
_SECTIONS = re.compile(
    r"\W*(?:references?(?: (?:and|&) (?:notes|sources|links))?|notes (?:and|&) references|works cited|citations?|"
    r"footnotes|endnotes|sources?|further reading|external links?|web ?links|see also|(?:useful |related )?links|"
    r"related(?: \w+){0,3}|similar(?: \w+){1,2}|more (?:from|like|on|in|stories|articles|news)\b.{0,40}|"
    r"you (?:may|might) (?:also )?(?:like|enjoy|be interested in).{0,20}|recommended(?: \w+){0,3}|"
    r"(?:most )?popular(?: \w+){0,2}|most (?:read|viewed)|trending(?: \w+)?|"
    r"latest (?:news|posts|articles|stories|comments)|recent (?:posts|comments|articles)|"
    r"(?:\d+ )?(?:comments?|responses|replies)(?: \(\d+\))?|leave a (?:reply|comment).{0,20}|post a comment|"
    r"share(?: (?:this|on|via)\b.{0,30})?|follow us.{0,20}|(?:sign up|subscribe)\b.{0,60}|newsletters?|advertisements?|"
    r"cookies?(?: \w+){0,3}|privacy(?: \w+){0,2}|navigation(?: menu)?|contents|table of contents|"
    r"search|log ?in|sign in|cite this (?:page|article|entry|record)|how to cite.{0,30})\W*",
    re.IGNORECASE,
)


def heads_site_part(heading: str) -> bool:
    """True where a heading begins a part that isn't about the subject: references, see also, related articles."""
    return len(heading) < 90 and _SECTIONS.fullmatch(heading) is not None


_NOTICE = re.compile(
    r"(?:the )?wayback machine - https?://\S+|skip to (?:main )?(?:content|navigation|search).{0,20}|jump to.{0,40}|"
    r"all rights reserved\W*|(?:copyright|©|\(c\)) .{0,60}(?:all rights reserved|\b(?:19|20)\d\d)\W*.{0,40}|"
    r"privacy policy\W*|terms (?:of|and|&) \w+\W*|cookie (?:policy|settings|preferences)\W*|"
    r"(?:log|sign) ?(?:in|up|out)\W*|share (?:this|on) .{0,30}|print(?: this page)?|tweet|"
    r"(?:please )?(?:enable|turn on) javascript.{0,60}|subscribe to .{0,60}newsletter.{0,40}|advertisement\W*",
    re.IGNORECASE,
)
_COOKIES = re.compile(r"\bcookies?\b", re.IGNORECASE)
_AGREE = re.compile(
    r"\b(?:accept|consent|agree|we use|uses cookies|use of cookies|our use|by continuing|by using|preferences)\b",
    re.IGNORECASE,
)


def is_notice(text: str) -> bool:
    """True where a whole block is one of the notices that any site has."""
    if len(text) < 160 and _NOTICE.fullmatch(text):
        return True
    return len(text) < 700 and _COOKIES.search(text) is not None and _AGREE.search(text) is not None
