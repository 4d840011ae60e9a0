"""A statement in words: an editor's override, our patterns for common properties, a grammar for the rest."""

from __future__ import annotations

from models.statement import EntityValue, QuantityValue, Statement, TextValue, TimeValue, Value
from models.verbalise import grammar
from models.verbalise.labels import clean, label_of
from models.verbalise.override import Override, check_pattern, fill_pattern
from models.verbalise.patterns import pattern_for
from models.verbalise.qualifiers import say_qualifiers
from models.verbalise.sentence import Words, fill
from models.verbalise.values import say_value, say_when
from models.verdict import Claim

__all__ = ["Override", "check_pattern", "say_value", "verbalise"]


def verbalise(statement: Statement, override: Override | None = None) -> Claim | None:
    """Say the statement in one English sentence of one line.

    None when the subject, the property or the value (or its unit) has no label to say.
    """
    subject, label = label_of(statement.item), label_of(statement.property)
    value = say_value(statement.value)
    if not (subject and label and value):
        return None
    said = say_qualifiers(statement.qualifiers)
    if said.circa:
        value = f"about {value}"
    if override is not None and override.wording == "pattern":
        text = fill_pattern(clean(override.text), subject, value + said.after_value)
        return Claim(_ended(text, said.at_end), "override")
    words = Words(subject, value, _when(statement.value, value), said.after_value, said.ended)
    own = None if override else pattern_for(statement)
    if own is not None:
        return Claim(_ended(fill(own, words), said.at_end), "pattern")
    wording = (clean(override.text) or label) if override else label
    text = fill(grammar.sentence(wording, _kind(statement.value)), words)
    return Claim(_ended(text, said.at_end), "override" if override else "grammar")


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
