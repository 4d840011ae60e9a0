"""Who we say we are: name, version and the operator's contact, as Wikimedia and robots.txt ask for."""

from __future__ import annotations

import re

from bot.problem import InputProblem

NAME = "Citewell"
VERSION = "0.1.0"

# Where a person can be reached: by mail, at a page, or on a wiki.
_REACHED = re.compile(
    r"[^\s@<>()]+@[^\s@<>()]+\.[a-z0-9-]{2,}|https?://[^\s/@<>()]+\.[^\s<>()]{2,}|\buser(?:[ _]talk)?:\w",
    re.IGNORECASE,
)


def user_agent(contact: str) -> str:
    """The User-Agent header. Raises `InputProblem` where there is no contact by which a site's owner reaches us."""
    contact = contact.strip()
    if not contact:
        raise InputProblem(
            "Reading from the web needs an operator's contact: set `contact` in config.yaml (or CITEWELL_CONTACT) "
            "to an address where a site's owner reaches you."
        )
    if not contact.isascii() or not contact.isprintable() or set("{}") & set(contact):
        raise InputProblem(
            f"`contact` can't stand in a User-Agent header: {contact!r}. Use an e-mail address or a URL, in ASCII."
        )
    if not _REACHED.search(contact):
        raise InputProblem(
            f"`contact` reaches nobody: {contact!r}. Use a mail address, a URL, or a user page like User:Example."
        )
    return f"{NAME}/{VERSION} (checks references of Wikidata; {contact})"
