"""Words of entities: which language speaks, and what is an alias."""

from __future__ import annotations

from typing import Any

import pytest

from bot.sources.entity import MalformedEntity, check_entity, entity_terms
from models.statement import Term


def words(entity: dict[str, Any], *languages: str) -> Term:
    """The entity's own term."""
    return next(entity_terms(check_entity(entity), languages))


def texts(**values: str) -> dict[str, Any]:
    return {code: {"language": code, "value": value} for code, value in values.items()}


@pytest.mark.parametrize(
    ("labels", "label", "language"),
    [
        (texts(de="Wien", mul="Vienna (mul)", en="Vienna"), "Wien", "de"),
        (texts(mul="Douglas Adams", en="D. Adams"), "Douglas Adams", "mul"),
        (texts(en="Vienna", fr="Vienne"), "Vienna", "en"),
        (texts(zh="维也纳", fr="Vienne"), "Vienne", "fr"),
        (texts(de="  ", en="Vienna"), "Vienna", "en"),
        ({}, None, "de"),
        ([], None, "de"),
    ],
)
def test_the_label_comes_in_the_order_of_the_fallback(labels: Any, label: str | None, language: str) -> None:
    term = words({"id": "Q1741", "labels": labels}, "de")
    assert (term.label, term.language) == (label, language)


def test_labels_of_the_other_languages_are_aliases() -> None:
    aliases = {"en": [{"language": "en", "value": "Vindobona"}], "fr": [{"language": "fr", "value": "Vienne"}]}
    term = words({"id": "Q1741", "labels": texts(en="Vienna", mul="Wien"), "aliases": aliases}, "en")
    assert term.label == "Vienna"
    assert term.aliases == ("Wien", "Vindobona")


def test_names_in_the_languages_of_pages_are_kept_apart() -> None:
    aliases = {"fr": [{"language": "fr", "value": "Vienne-la-Grande"}], "xx": [{"language": "xx", "value": "Xien"}]}
    term = words({"id": "Q1741", "labels": texts(en="Vienna", fr="Vienne", xx="Xien"), "aliases": aliases}, "en")
    assert term.aliases == ()
    assert term.foreign == (("fr", ("Vienne", "Vienne-la-Grande")),)


def test_a_lexeme_speaks_by_its_lemma_and_its_forms_and_senses_by_their_own() -> None:
    lexeme = {
        "id": "L3354",
        "lemmas": texts(en="bank"),
        "forms": [{"id": "L3354-F2", "representations": texts(en="banks")}],
        "senses": [{"id": "L3354-S1", "glosses": texts(en="financial institution")}],
    }
    found = {term.id: term.label for term in entity_terms(check_entity(lexeme), ("en",))}
    assert found == {"L3354": "bank", "L3354-F2": "banks", "L3354-S1": "financial institution"}


@pytest.mark.parametrize("raw", [None, [], "Q1", {}, {"id": 1}, {"id": "Q"}, {"id": "Q1", "labels": "none"}])
def test_what_is_no_entity_is_refused(raw: object) -> None:
    with pytest.raises(MalformedEntity):
        check_entity(raw)
