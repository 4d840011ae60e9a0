"""The qualifiers that change what a statement says, put into words: when, as what, which part."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from models.statement import EntityValue, Qualifier, TimeValue, Value
from models.verbalise.articles import an, the
from models.verbalise.values import say_value, say_when

_START, _END, _AT = "P580", "P582", "P585"
_OF, _ORDINAL, _PART = "P642", "P1545", "P518"
_OBJECT_ROLE, _SUBJECT_ROLE, _AS = "P3831", "P2868", "P794"
_CHARACTER, _CHARACTER_NAME, _FOR_WORK, _DISTRICT = "P453", "P4633", "P1686", "P768"
_DEGREE, _MAJOR = "P512", "P812"
_CRITERION, _RANKING, _SHARE = "P1013", "P1352", "P1107"
_EARLIEST, _LATEST, _VALID_IN = "P1319", "P1326", "P1264"
_PLATFORM, _PLACE_OF_PUBLICATION, _REVIEWER = "P400", "P291", "P447"
# Sourcing circumstances, and the newer nature of statement.
_CIRCUMSTANCES, _CIRCA = ("P1480", "P5102"), "Q5727902"
_ABOUT = frozenset({"circa", "approximately", "about"})
_DOUBTS = frozenset(
    "presumably possibly probably allegedly hypothetically disputedly supposedly often sometimes usually rarely "
    "unofficially".split()
)
# More of one kind would drown the claim.
_MOST = 3


@dataclass(frozen=True, slots=True)
class Said:
    """What goes right behind the value, what goes to the end, whether it is over, and whether it is "about"."""

    after_value: str = ""
    at_end: str = ""
    ended: bool = False
    circa: bool = False


_NOTHING = Said()


def qualifier_words(qualifiers: Sequence[Qualifier]) -> Mapping[str, str]:
    """The qualifiers by their property's id, for the gaps of a pattern: plain words, several values listed."""
    by_property: dict[str, list[str]] = {}
    for qualifier in qualifiers:
        said = by_property.setdefault(qualifier.property.id, [])
        words = say_value(qualifier.value)
        if words and words not in said and len(said) < _MOST:
            said.append(words)
    return {property_id: _listed(said) for property_id, said in by_property.items() if said}


def say_qualifiers(qualifiers: Sequence[Qualifier], without: Collection[str] = ()) -> Said:
    """Qualifiers that don't change the meaning, or whose value has no label, are left unsaid.

    So are those of the properties `without`: the sentence says them itself.
    """
    by_property: dict[str, list[Value]] = {}
    for qualifier in qualifiers:
        if qualifier.property.id not in without:
            by_property.setdefault(qualifier.property.id, []).append(qualifier.value)
    if not by_property:
        return _NOTHING

    def said(property_id: str, form: str) -> str:
        words = [word for value in by_property.get(property_id, ())[:_MOST] if (word := _one(property_id, value))]
        return form.format(_listed(words)) if words else ""

    circumstances = [_label(value) for name in _CIRCUMSTANCES for value in by_property.get(name, ())]
    after = (
        said(_OF, " of {}")
        + said(_ORDINAL, " (number {})")
        + said(_RANKING, " (ranked {})")
        + said(_SHARE, " (a share of {})")
        + said(_OBJECT_ROLE, " ({})")
        + said(_CRITERION, " (by the criterion {})")
        + said(_PART, " (applies to {})")
        + said(_EARLIEST, " (at the earliest {})")
        + said(_LATEST, " (at the latest {})")
    )
    end = (
        said(_SUBJECT_ROLE, " as {}")
        + said(_AS, " as {}")
        + said(_CHARACTER, " as {}")
        + said(_CHARACTER_NAME, " as {}")
        + said(_MAJOR, " in {}")
        + said(_DEGREE, " with the degree of {}")
        + said(_DISTRICT, " for {}")
        + said(_FOR_WORK, " for {}")
        + said(_REVIEWER, " by {}")
        + said(_PLATFORM, " on {}")
        + said(_PLACE_OF_PUBLICATION, " in {}")
        + said(_VALID_IN, " in {}")
        + _period(by_property)
        + "".join(f", {doubt}" for doubt in circumstances if doubt in _DOUBTS)
    )
    return Said(
        after_value=after,
        at_end=end,
        ended=_END in by_property or _AT in by_property,
        circa=any(word in _ABOUT for word in circumstances),
    )


def _one(property_id: str, value: Value) -> str:
    if property_id in {_EARLIEST, _LATEST}:
        return say_when(value) if isinstance(value, TimeValue) else ""
    words = say_value(value)
    if not words:
        return ""
    if property_id in {_SUBJECT_ROLE, _AS}:
        return an(words)
    if property_id in {_ORDINAL, _RANKING, _SHARE, _CHARACTER_NAME}:
        return words
    return the(words)


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _period(by_property: dict[str, list[Value]]) -> str:
    start = _first_time(by_property.get(_START, ()))
    end = _first_time(by_property.get(_END, ()))
    points = [say_when(value) for value in by_property.get(_AT, ())[:_MOST] if isinstance(value, TimeValue)]
    at = f" {_listed(points)}" if points else ""
    if start and end:
        return f"{at} from {start} to {end}"
    if start:
        return f"{at} from {start}"
    return f"{at} until {end}" if end else at


def _first_time(values: Sequence[Value]) -> str:
    return next((say_value(value) for value in values if isinstance(value, TimeValue)), "")


def _label(value: Value) -> str:
    """What an item among the circumstances is called; the one that says "circa" also where it has no label here."""
    if not isinstance(value, EntityValue):
        return ""
    return "circa" if value.term.id == _CIRCA else (value.term.label or "").casefold()
