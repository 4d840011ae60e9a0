"""Pages as the web gives them, written by hand, with the outcome that is right for a statement that cites them."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from bench.cases import FOLDER, BadCase, value_of
from models.outcome import Outcome
from models.statement import Statement, Term

PAGE = "page"
"""The right answer where the page is the one that was cited, and is to be judged."""
OUTCOME_OF = {
    "soft_404": Outcome.REDIRECTED_ELSEWHERE,
    "parked": Outcome.REDIRECTED_ELSEWHERE,
    "front_page": Outcome.REDIRECTED_ELSEWHERE,
    "listing": Outcome.REDIRECTED_ELSEWHERE,
    "another": Outcome.REDIRECTED_ELSEWHERE,
    "login": Outcome.BLOCKED,
    "consent": Outcome.BLOCKED,
    "challenge": Outcome.BOT_WALL,
    "no_text": Outcome.NO_TEXT,
    "wrong_format": Outcome.WRONG_FORMAT,
    "unsupported_language": Outcome.UNSUPPORTED_LANGUAGE,
}
"""What the kinds of pages are to us."""


@dataclass(frozen=True, slots=True)
class PageCase:
    """An answer to `url` that ended at `final_url`, the statement that cites it, and what is right to say of it.

    `says` is a key of `OUTCOME_OF`, or `PAGE`. `kind` is the key whose file the case stands in.
    """

    id: str
    kind: str
    says: str
    url: str
    final_url: str
    status: int
    content_type: str
    statement: Statement
    body: bytes = field(repr=False)

    @property
    def outcome(self) -> Outcome | None:
        """The right outcome; None where the page is to be judged."""
        return OUTCOME_OF.get(self.says)


def page_cases(folder: Path = FOLDER) -> Iterator[PageCase]:
    """The cases of `{folder}/pages/*.yaml`, in the order of the kinds. Raises `BadCase`."""
    for kind in OUTCOME_OF:
        path = folder / "pages" / f"{kind}.yaml"
        try:
            entries = yaml.safe_load(path.read_text(encoding="utf-8"))
        except (OSError, yaml.YAMLError) as error:
            raise BadCase(f"{path}: no list of cases ({error})") from error
        for number, entry in enumerate(entries, 1):
            try:
                case = _case(kind, entry)
            except (KeyError, TypeError, ValueError) as error:
                raise BadCase(f"{path.name}, case {number}: {error!r}") from error
            if case.says not in (*OUTCOME_OF, PAGE):
                raise BadCase(f"{path.name}, case {number}: says {case.says!r}")
            yield case


def _case(kind: str, entry: dict[str, Any]) -> PageCase:
    label, *aliases = map(str, entry["subject"])
    property_id, property_label = entry["property"]
    statement = Statement(
        guid=f"Q1${entry['id']}",
        item=Term("Q1", label, tuple(aliases), entry.get("description", "")),
        property=Term(property_id, property_label),
        datatype="",
        value=value_of(entry["value"]),
    )
    return PageCase(
        id=entry["id"],
        kind=kind,
        says=entry["says"],
        url=entry["url"],
        final_url=entry.get("final_url", entry["url"]),
        status=entry.get("status", 200),
        content_type=entry.get("content_type", "text/html; charset=utf-8"),
        statement=statement,
        body=_body(entry),
    )


def _body(entry: dict[str, Any]) -> bytes:
    if "body_base64" in entry:
        return base64.b64decode(entry["body_base64"])
    return (str(entry["body"]) * int(entry.get("repeat", 1))).encode()
