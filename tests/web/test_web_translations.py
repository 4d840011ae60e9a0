"""The pages' words in every language: the catalogues against the code, and no word that was never marked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages import Catalog
from babel.messages.pofile import read_po
from flask import Flask
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser, LexborNode
from sqlalchemy.orm import Session

from config import Config
from models.outcome import Outcome
from tests.web.tour import addresses, furnish
from web.language import CATALOGUES
from web.pseudo import mirrored
from web.translations.extraction import extract
from web.words import OUTCOMES

GERMAN = CATALOGUES / "de" / "LC_MESSAGES" / "messages.po"
FIELD = re.compile(r"%\((\w+)\)[sd]|%%")
TEMPLATES = Path(__file__).parents[2] / "web" / "templates"


@pytest.fixture(scope="module")
def english() -> Catalog:
    """What the code has to be translated."""
    return extract()


@pytest.fixture(scope="module")
def german() -> Catalog:
    """The German catalogue as it stands in the repository."""
    with GERMAN.open("rb") as file:
        return read_po(file, "de")


def forms(text: Any) -> tuple[str, ...]:
    """A message or a translation as its forms: one, or one for each number."""
    return text if isinstance(text, tuple) else (text,)


def test_german_has_what_the_code_has_and_nothing_else(english: Catalog, german: Catalog) -> None:
    assert {message.id for message in german if message.id} == {message.id for message in english if message.id}


def test_german_is_complete_and_nothing_in_it_is_a_guess(german: Catalog) -> None:
    open_ones = [message.id for message in german if message.id and not all(forms(message.string))]
    assert open_ones == []
    assert [message.id for message in german if message.id and message.fuzzy] == []


def test_german_fills_in_the_same_fields(german: Catalog) -> None:
    wrong = []
    for message in german:
        if not message.id:
            continue
        said, meant = forms(message.string), forms(message.id)
        assert len(said) == len(meant), message.id
        for form, origin in zip(said, meant, strict=True):
            # A singular may say its number in a word.
            fields, wanted = set(FIELD.findall(form)), set(FIELD.findall(origin))
            if fields != wanted and not (len(said) == 2 and form is said[0] and fields <= wanted):
                wrong.append((origin, form))
            if re.findall(r"</?\w+", form) != re.findall(r"</?\w+", origin):
                wrong.append((origin, form))
    assert wrong == []


def test_every_outcome_has_its_words() -> None:
    assert {outcome: str(words) for outcome, words in OUTCOMES.items()} == {
        outcome: outcome.label.replace("'", "’") for outcome in Outcome
    }


def test_templates_translate_only_what_stands_in_them() -> None:
    # A translated text is taken for markup of ours, so data must never be asked for as one.
    asked = re.compile(r"\b(?:_|gettext|ngettext|pgettext)\(\s*([^'\"\s])")
    found = [f"{path.name}: {hit}" for path in TEMPLATES.glob("*.html") for hit in asked.findall(path.read_text())]
    assert found == []


@pytest.mark.parametrize(
    ("cookie", "asked", "tag"),
    [
        ("", "de-AT,de;q=0.9,en;q=0.5", "de"),
        ("", "fr", "en"),
        ("en", "de", "en"),
        ("de", "en", "de"),
        ("xx", "de", "de"),
        ("ar-XB", "de", "de"),
    ],
)
def test_the_language_is_the_chosen_one_else_the_browsers(
    client: FlaskClient, cookie: str, asked: str, tag: str
) -> None:
    if cookie:
        client.set_cookie("language", cookie)
    page = LexborHTMLParser(client.get("/about", headers={"Accept-Language": asked}).text)
    root = page.css_first("html")
    assert root is not None
    assert (root.attributes["lang"], root.attributes["dir"]) == (tag, "ltr")


def test_numbers_and_times_in_german(app: Flask) -> None:
    from datetime import UTC, datetime

    from web import formats

    with app.test_request_context(headers={"Accept-Language": "de"}):
        assert formats.number(1204) == "1.204"
        assert formats.percent(0.42) == "42\u00a0%"
        assert formats.percent(0.004) == "unter 1\u00a0%"
        assert formats.percent(0.0123, 1) == "1,2\u00a0%"
        assert (formats.figure(3.25), formats.decimal(0.4213), formats.signed(-0.4)) == ("3,2", "0,42", "−0,40")
        at = datetime(2026, 5, 3, 14, 5, tzinfo=UTC)
        assert formats.moment(at) == "3. Mai 2026, 14:05 UTC"
        assert formats.day(at) == "3. Mai 2026"
        assert formats.duration(192) == "3 min 12 s"


def test_the_pseudo_language_keeps_fields_and_elements_and_is_longer() -> None:
    text = "See <strong>%(name)s</strong> &amp; the rest of {subject}, 20 %%"
    made = mirrored(text)
    for kept in ("<strong>%(name)s</strong>", "&amp;", "{subject}", "20 %%"):
        assert kept in made
    assert len(made) > len(text)
    assert not re.search("[a-z]", FIELD.sub("", re.sub(r"<[^>]*>|&\w+;|\{\w+\}", "", made)))


@pytest.fixture
def mirrored_client(app: Flask) -> FlaskClient:
    """A reader of the pseudo-language."""
    app.config["CITEWELL_LANGUAGES"] = ("en", "ar-XB")
    client = app.test_client()
    client.set_cookie("language", "ar-XB")
    return client


# Data keeps the language it came in: what says its language or its direction, what isn't to be translated, code.
# Gaps of a pattern, and values of an address’s fields: the same in every language.
GAPS = re.compile(r"\{\w+\}|\b(?:stance|supports|refutes|not_enough_info|cant_tell)\b")
WORDS = re.compile(r"[A-Za-zÄÖÜäöüß]{2,}")
NAMES = {"Citewell", "Wikidata", "Wikimedia", "HTTP", "UTC", "YAML", "SPARQL", "PagePile", "QID", "JSON", "CSV", "SVG"}
ATTRIBUTES = ("title", "aria-label", "alt", "placeholder", "data-label", "aria-description", "summary")


def english_left(node: LexborNode) -> Iterator[str]:
    """Texts below an element, or in its attributes, that no translation has reached."""
    for name in ATTRIBUTES:
        if name in node.attributes and not _is_data(node):
            yield from _latin(node.attributes[name] or "", f"{node.tag}[{name}]")
    for child in node.iter(include_text=True):
        if child.tag == "-text":
            yield from _latin(child.text_content or "", node.tag or "")
        elif not _is_data(child) and child.tag not in ("script", "style"):
            yield from english_left(child)


def _is_data(node: LexborNode) -> bool:
    attributes = node.attributes
    return (
        "lang" in attributes
        or attributes.get("dir") == "auto"
        or attributes.get("translate") == "no"
        or node.tag in ("bdi", "code")
        or "mono" in (attributes.get("class") or "").split()
    )


def _latin(text: str, place: str) -> Iterator[str]:
    words = [word for word in WORDS.findall(GAPS.sub("", text)) if word not in NAMES]
    if words:
        yield f"{place}: {' '.join(text.split())[:120]}"


def test_every_word_of_every_page_can_be_translated(
    mirrored_client: FlaskClient, session: Session, config: Config
) -> None:
    numbers = furnish(session, config.var)
    left: dict[str, list[str]] = {}
    for path in addresses(numbers):
        page = LexborHTMLParser(mirrored_client.get(path, follow_redirects=True).text)
        root = page.css_first("html")
        assert root is not None
        assert (root.attributes["lang"], root.attributes["dir"]) == ("ar-XB", "rtl")
        body = page.css_first("body")
        assert body is not None
        found = list(dict.fromkeys(english_left(body)))
        title = page.css_first("title")
        assert title is not None
        if found:
            left[path] = found
    assert not left, "\n".join(f"{path}\n  " + "\n  ".join(texts) for path, texts in left.items())
