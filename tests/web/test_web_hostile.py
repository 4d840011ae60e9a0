"""Text from Wikidata, the web and people is text on every page, whatever stands in it and wherever it stood."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from sqlalchemy import ARRAY, JSON, ColumnElement, String, Table, Text, cast, literal, select, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from config import Config
from models.statement import Term
from store import schema
from tests.web.desk import ALL_TERMS, BIRTHDAY, Case, Quote, fill, text_snak
from tests.web.forms import sign_in
from tests.web.looking import screen, sticking_out
from tests.web.tour import addresses, furnish

MARKUP = (
    '"\'><script>window.hacked = 1</script><img src=x onerror="window.hacked = 1"><b data-evil>evil</b>'
    "<a href='javascript:window.hacked=1'>x</a></title></textarea></option>{{ 7 * 7 }}%(evil)s\u202e\u2066\ufeff"
)
LONG = "W" * 400
EVIL = f"{MARKUP} {LONG}"


PAGE = """<!doctype html><html lang="en"><title>{evil}</title><body><main><h1>{evil}</h1>
<p>Douglas Adams was an English author who was born on 14 March 1952, or so they say here: {evil} He wrote a lot about
the galaxy and its people, and travelled widely to look for animals that were about to die out.</p>
<h2>{evil}</h2><table><caption>{evil}</caption><tr><th>{evil}</th><th>Year</th></tr><tr><td>{evil}</td><td>1979</td></tr>
</table><ul><li>{evil}</li></ul><dl><dt>{evil}</dt><dd>{evil}</dd></dl></main></body></html>"""


def escaped(text: str) -> str:
    """The text as a page shows it to a reader who wrote it so."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


HOSTILE = Case(
    Term("Q666", EVIL, (EVIL,), EVIL),
    Term("P666", EVIL, (EVIL,), EVIL),
    text_snak("P666", EVIL),
    f"https://evil.example/{'w' * 300}?q=<script>",
    PAGE.format(evil=escaped(EVIL)),
    BIRTHDAY.stance,
    0.02,
    quotes=(
        Quote("Douglas Adams was an English author", 0.9, 0.1, 0.8, 0.1, (("value", "conflict", "14 March 1952"),)),
    ),
    reason=EVIL,
    guid="Q666$1E0A2C3B-0000-4000-8000-000000000666",
    archived="javascript:window.hacked=1",
    qualifiers={"P666": [text_snak("P666", EVIL)], "P1": [text_snak("P1", "javascript:window.hacked=1")]},
)


def evil_leaves(value: Any) -> Any:
    """JSON with hostile text in the place of each text that a person could have written."""
    if isinstance(value, dict):
        plain = {"value", "text", "reason", "error", "how", "domain", "label", "language", "phrase", "url"}
        return {
            key: EVIL if isinstance(inner, str) and key in plain else evil_leaves(inner) for key, inner in value.items()
        }
    return [evil_leaves(inner) for inner in value] if isinstance(value, list) else value


def spoilt(table: Table, column: ColumnElement[Any], session: Session) -> Any:
    """A hostile value for a column; None where it doesn't hold text."""
    if isinstance(column.type, ARRAY):
        return [EVIL, EVIL] if isinstance(column.type.item_type, String | Text) else None
    if isinstance(column.type, JSON):
        return evil_leaves(session.scalar(select(column).limit(1)))
    if not isinstance(column.type, String | Text):
        return None
    (key, *_) = table.primary_key.columns
    return literal(EVIL) + cast(key, Text)  # not the same twice, where it has to be unique


def spoil(session: Session) -> list[str]:
    """Put hostile text into every column that takes it, and give the names of those."""
    taken = []
    for table in schema.Base.metadata.sorted_tables:
        for column in table.columns:
            if column.primary_key or column.foreign_keys:
                continue
            value = spoilt(table, column, session)
            if value is None:
                continue
            try:
                with session.begin_nested():
                    session.execute(update(table).where(column.is_not(None)).values({column: value}))
            except DBAPIError:
                continue  # the database keeps such a text out itself
            taken.append(f"{table.name}.{column.name}")
    session.commit()
    return taken


@pytest.fixture
def numbers(session: Session, config: Config) -> Iterator[dict[str, int]]:
    """Every page furnished, with a hostile pair beside the usual ones."""
    made = furnish(session, config.var)
    (evil,) = fill(session, config.var, [HOSTILE], [*ALL_TERMS, HOSTILE.item, HOSTILE.property])
    return {**made, "evil": evil}


PATHS = ("/pair/{evil}", "/pair/{evil}/page", "/item/Q666", "/property/P666", "/domain/evil.example", "/find?q=%22")


def harm(browser: Chrome) -> list[str]:
    """What text of others did to the page: nothing, one hopes."""
    done = []
    if browser.execute_script("return window.hacked"):
        done.append("a script ran")
    if browser.find_elements(By.CSS_SELECTOR, "[data-evil], img, script:not([src]), [onerror], iframe, object, style"):
        done.append("an element came from text")
    if browser.find_elements(
        By.CSS_SELECTOR, "a[href^='javascript:' i], a[href^='data:' i], form[action^='javascript:' i]"
    ):
        done.append("an address runs a script")
    if "49%" in browser.page_source or " 49" in browser.title:
        done.append("a template ran text")
    return done


@pytest.mark.xdist_group("chromium")
def test_hostile_text_is_text_on_every_page(
    browser: Chrome, served: str, session: Session, numbers: dict[str, int]
) -> None:
    screen(browser, 375)
    browser.get(served)
    browser.get_log("browser")
    found: dict[str, Any] = {}

    def look(when: str, paths: list[str]) -> None:
        for path in paths:
            browser.get(served + path)
            complaints = [*harm(browser), *sticking_out(browser)]
            complaints += [entry["message"] for entry in browser.get_log("browser") if "Refused" in entry["message"]]
            if "Something failed" in browser.page_source:
                complaints.append("the page failed")
            if complaints:
                found[f"{when}: {path}"] = complaints

    evil = [path.format(**numbers) for path in PATHS]
    look("a hostile pair", [*evil, "/", "/properties", "/domains"])
    taken = spoil(session)
    for name in ("item.label", "property.label", "verdict.claim", "run.source", "verdict.reason", "passage.text"):
        assert name in taken or name.split(".")[0] not in schema.Base.metadata.tables, taken
    look("hostile in every column", [*evil, *addresses(numbers)])
    assert not found, json.dumps(found, indent=1)


def test_hostile_arguments_are_refused_or_shown_as_text(client: FlaskClient, numbers: dict[str, int]) -> None:
    sign_in(client, "<b data-evil>Eve</b>")
    for path in (
        "/",
        "/find",
        "/item/{0}",
        "/property/{0}",
        "/domain/{0}",
        "/run/{0}",
        "/sign-in",
        "/properties",
        "/domains",
    ):
        for field in ("q", "next", "stance", "domain", "property", "after", "named", "sort", "worklist", "text"):
            answer = client.get(path.format("%3Cb%20data-evil%3E"), query_string={field: EVIL[:300]})
            assert answer.status_code < 500, (path, field)
            assert "<b data-evil" not in answer.text, (path, field)
            assert "<script>" not in answer.text, (path, field)
            assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self'")


@pytest.mark.parametrize("path", ["/", "/find?q=%00", "/item/Q1%00", "/domain/%00", "/property/P1%00", "/?domain=%00"])
def test_a_nul_is_refused_and_never_reaches_the_database(client: FlaskClient, pairs: list[int], path: str) -> None:
    assert client.get(path).status_code in (200, 400, 404)
