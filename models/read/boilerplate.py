"""Which parts of a page are about the site, not about the subject: navigation, notices, links to share."""

from __future__ import annotations

import re
from collections.abc import Mapping

_TAGS = frozenset({"nav", "footer", "aside"})
_ROLES = frozenset({"navigation", "contentinfo", "search", "menu", "menubar", "banner", "complementary"})
_NEVER = frozenset({"html", "body", "main", "article", "table", "tbody", "tr", "h1"})
_NAMES = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|menubar|footer|cookie|cookies|consent|gdpr|breadcrumbs?|sidebar|share|"
    r"sharing|social|addthis|related|recommended|promo|advert|advertisement|ads|newsletter|subscribe|popup|modal|"
    r"skip-link|toolbar|pagination|catlinks|printfooter|mw-editsection|noprint|comments?)(?:$|[\s_-])",
    re.IGNORECASE,
)


def is_boilerplate(tag: str, attributes: Mapping[str, str | None]) -> bool:
    """True where an element's tag, role, class or id says that it is about the site."""
    if tag in _NEVER:
        return False
    if tag in _TAGS or (attributes.get("role") or "").lower() in _ROLES:
        return True
    names = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
    return len(names) < 200 and _NAMES.search(names) is not None
