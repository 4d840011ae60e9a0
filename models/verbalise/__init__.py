"""A statement in words: an editor's override, a model where one is configured, our patterns for common properties,
a grammar for the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

from models.statement import EntityValue, QuantityValue, Statement, TextValue, TimeValue, Value
from models.verbalise import grammar
from models.verbalise.complaint import Complaint
from models.verbalise.faithful import faithful
from models.verbalise.labels import clean, label_of, one_line
from models.verbalise.override import (
    Override,
    check_pattern,
    fill_pattern,
    in_force,
    named_qualifiers,
    spoken_qualifiers,
)
from models.verbalise.patterns import pattern_for
from models.verbalise.qualifiers import qualifier_words, say_qualifiers
from models.verbalise.sentence import Words, fill
from models.verbalise.triple import Model, Triple
from models.verbalise.values import say_value, say_when
from models.verdict import Claim

__all__ = [
    "Complaint",
    "Model",
    "Override",
    "check_pattern",
    "in_force",
    "is_for",
    "named_qualifiers",
    "say_value",
    "verbalise",
    "verbalise_all",
]


def verbalise(statement: Statement, override: Override | None = None, model: Model | None = None) -> Claim | None:
    """Say the statement in one English sentence of one line.

    None when the subject, the property or the value (or its unit) has no label to say. With a `model`, as
    `verbalise_all` says.
    """
    return verbalise_all([(statement, override)], model)[0]


def verbalise_all(asked: Sequence[tuple[Statement, Override | None]], model: Model | None = None) -> list[Claim | None]:
    """Say many statements, each as `verbalise` does, in their order.

    A `model` is asked for all of them at once: by the property's label, or by the label of an override; an override's
    pattern is said as it stands, and one that isn't for a statement (`is_for`) counts for nothing. A sentence that
    isn't faithful to its statement gives way to our own.
    """
    asked = [(statement, override if is_for(statement, override) else None) for statement, override in asked]
    claims = [_by_rule(statement, override) for statement, override in asked]
    if model is None:
        return claims
    triples = {
        index: _triple(statement, override)
        for index, (statement, override) in enumerate(asked)
        if claims[index] is not None and (override is None or override.wording == "label")
    }
    for (index, triple), written in zip(triples.items(), model(list(triples.values())), strict=True):
        sentence = one_line(written)
        if faithful(sentence, triple):
            ending = say_qualifiers(asked[index][0].qualifiers).at_end
            claims[index] = Claim(_ended(sentence, ending), "model")
    return claims


def is_for(statement: Statement, override: Override | None) -> bool:
    """Whether a statement is put into words by this override: not where its pattern needs a qualifier that it lacks."""
    if override is None or override.wording == "label":
        return override is not None
    return spoken_qualifiers(clean(override.text), qualifier_words(statement.qualifiers)) is not None


def _triple(statement: Statement, override: Override | None) -> Triple:
    said = say_qualifiers(statement.qualifiers)
    value = ("about " if said.circa else "") + say_value(statement.value) + said.after_value
    relation = clean(override.text) if override else ""
    return Triple(label_of(statement.item), relation or label_of(statement.property), value, _kind(statement.value))


def _by_rule(statement: Statement, override: Override | None) -> Claim | None:
    subject, label = label_of(statement.item), label_of(statement.property)
    value = say_value(statement.value)
    if not (subject and label and value):
        return None
    if override is not None and override.wording == "pattern":
        return Claim(_by_pattern(clean(override.text), statement, subject, value), "override")
    said = say_qualifiers(statement.qualifiers)
    if said.circa:
        value = f"about {value}"
    words = Words(subject, value, _when(statement.value, value), said.after_value, said.ended)
    own = None if override else pattern_for(statement)
    if own is not None:
        return Claim(_ended(fill(own, words), said.at_end), "pattern")
    wording = (clean(override.text) or label) if override else label
    text = fill(grammar.sentence(wording, _kind(statement.value)), words)
    return Claim(_ended(text, said.at_end), "override" if override else "grammar")


def _by_pattern(pattern: str, statement: Statement, subject: str, value: str) -> str:
    words = qualifier_words(statement.qualifiers)
    said = say_qualifiers(statement.qualifiers, without=spoken_qualifiers(pattern, words) or ())
    value = ("about " if said.circa else "") + value + said.after_value
    return _ended(fill_pattern(pattern, subject, value, words), said.at_end)


def _when(value: Value, words: str) -> str:
    if isinstance(value, TimeValue) and not words.startswith("about "):
        return say_when(value)
    return words


def _kind(value: Value) -> str:
    match value:
        case TimeValue():
            return "time"
        case QuantityValue():
            return "quantity"
        case TextValue(_, language):
            return "text" if language else "string"
        case EntityValue():
            return "entity"
        case _:
            return "string"


def _ended(text: str, ending: str) -> str:
    """The sentence with its qualifiers and one full stop, wherever the pattern put its own."""
    if ending:
        text = text.removesuffix(".") + ending
    return text if text.endswith((".", "!", "?", "…")) else text + "."
