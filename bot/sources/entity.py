"""An entity in Wikibase JSON: checked, and put into words by the languages of the fallback."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from models.statement import Term

Entity = Mapping[str, Any]
"""An entity as in a JSON dump, with the maps that PHP writes as empty lists made maps again."""

ENTITY_ID = re.compile(r"[QPLM][1-9][0-9]*")
PAGE_LANGUAGES = ("de", "fr", "es", "it", "pt", "nl", "pl", "ru", "sv", "ja", "zh")
"""Languages of pages, besides those of the fallback, in which entities are known by their names there."""
MOST_FOREIGN = 12  # names of one entity in one of those

MAPS = ("labels", "aliases", "descriptions", "claims", "lemmas")


class MalformedEntity(ValueError):
    """Not an entity in Wikibase JSON. The message says what was wrong."""


def check_entity(raw: object) -> Entity:
    """An entity with its maps in order. Raises `MalformedEntity`."""
    if not isinstance(raw, Mapping):
        raise MalformedEntity("not an object")
    identifier = raw.get("id")
    if not isinstance(identifier, str) or not ENTITY_ID.fullmatch(identifier):
        raise MalformedEntity(
            "has no entity id" if identifier is None else f"has no entity id: {str(identifier)[:40]!r}"
        )
    if "claims" not in raw and "statements" in raw:  # MediaInfo names them so
        raw = {**raw, "claims": raw["statements"]}
    return {**raw, **{name: _map(raw, name) for name in MAPS if name in raw}}


def _map(raw: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = raw[name]
    # PHP writes an empty map as an empty list.
    if value is None or value == []:
        return {}
    if not isinstance(value, Mapping):
        raise MalformedEntity(f"{name} of {raw['id']} is not an object")
    return value


def entity_terms(entity: Entity, languages: Sequence[str]) -> Iterator[Term]:
    """The words of an entity, and those of a lexeme's forms and senses.

    The label comes in the order: `languages`, `mul`, `en`, any. Labels of the other languages of that order
    are aliases, for a page may well name the entity so; its names in `PAGE_LANGUAGES` are kept apart, by language.
    """
    order = tuple(dict.fromkeys((*languages, "mul", "en")))
    names = entity.get("lemmas", {}) if entity["id"].startswith("L") else entity.get("labels", {})
    yield _term(entity["id"], names, entity.get("aliases", {}), entity.get("descriptions", {}), order)
    for form in entity.get("forms") or ():
        yield _term(form["id"], form.get("representations") or {}, {}, {}, order)
    for sense in entity.get("senses") or ():
        yield _term(sense["id"], sense.get("glosses") or {}, {}, {}, order)


def _term(
    identifier: str,
    labels: Mapping[str, Any],
    aliases: Mapping[str, Any],
    descriptions: Mapping[str, Any],
    order: Sequence[str],
) -> Term:
    language = next((code for code in (*order, *sorted(labels)) if _text(labels, code)), None)
    label = _text(labels, language) if language else None
    other = [_text(labels, code) for code in order]
    for code in order:
        other += [_value(alias) for alias in _sequence(aliases.get(code))]
    return Term(
        id=identifier,
        label=label,
        aliases=tuple(name for name in dict.fromkeys(other) if name and name != label),
        description=next((text for code in order if (text := _text(descriptions, code))), ""),
        language=language or order[0],
        foreign=tuple(_foreign(labels, aliases, order)),
    )


def _foreign(
    labels: Mapping[str, Any], aliases: Mapping[str, Any], order: Sequence[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    for code in PAGE_LANGUAGES:
        if code not in order:
            given = (_text(labels, code), *(_value(alias) for alias in _sequence(aliases.get(code))))
            if names := tuple(dict.fromkeys(filter(None, given)))[:MOST_FOREIGN]:
                yield code, names


def _text(texts: Mapping[str, Any], code: str) -> str:
    return _value(texts.get(code))


def _value(text: object) -> str:
    value = text.get("value") if isinstance(text, Mapping) else None
    return value.strip() if isinstance(value, str) else ""


def _sequence(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else ()
