"""Patterns that editors write: their gaps, their optional parts, and what is said of a mistake in them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.statement import EntityValue, Qualifier, Statement, Term, TimeValue
from models.verbalise import Override, check_pattern, is_for, named_qualifiers, verbalise
from models.verbalise.override import fill_pattern, spoken_qualifiers
from models.verbalise.triple import Triple

START, END, AT = Term("P580", "start time"), Term("P582", "end time"), Term("P585", "point in time")
PART = Term("P518", "applies to part")
EMPLOYER = Term("P108", "employer")


def year(number: int) -> TimeValue:
    return TimeValue(number, None, None, 9)


def item(label: str | None) -> EntityValue:
    return EntityValue(Term("Q9", label))


def statement(*qualifiers: Qualifier) -> Statement:
    return Statement("g", Term("Q1", "Ann"), EMPLOYER, "", item("Acme"), qualifiers=qualifiers)


def said(pattern: str, *qualifiers: Qualifier) -> str:
    assert check_pattern(pattern) is None
    claim = verbalise(statement(*qualifiers), Override("pattern", pattern))
    assert claim is not None
    return claim.text


def test_a_qualifier_is_said_where_the_pattern_has_it_and_not_once_more() -> None:
    pattern = "[In {P585}, ]{subject} worked for {object}."
    assert said(pattern, Qualifier(AT, year(1990))) == "In 1990, Ann worked for Acme."
    assert said(pattern) == "Ann worked for Acme."


def test_the_other_qualifiers_follow_as_ever() -> None:
    pattern = "{subject} worked for {object}[ from {P580}]."
    given = Qualifier(START, year(1990)), Qualifier(PART, item("sales")), Qualifier(AT, year(1991))
    assert said(pattern, *given) == "Ann worked for Acme (applies to sales) from 1990 in 1991."


def test_parts_can_stand_in_each_other() -> None:
    pattern = "{subject} worked for {object}[ from {P580}[ to {P582}]]."
    start, end = Qualifier(START, year(1990)), Qualifier(END, year(1995))
    assert said(pattern, start, end) == "Ann worked for Acme from 1990 to 1995."
    assert said(pattern, start) == "Ann worked for Acme from 1990."
    # The part needs its own qualifier: what it doesn't say is said as without a pattern.
    assert said(pattern, end) == "Ann worked for Acme until 1995."


def test_a_part_that_names_two_needs_both() -> None:
    pattern = "{subject} worked for {object}[ between {P580} and {P582}]."
    assert said(pattern, Qualifier(START, year(1990))) == "Ann worked for Acme from 1990."


def test_several_values_are_listed_and_those_without_a_label_left_out() -> None:
    pattern = "{subject} worked for {object}[ in {P518}]."
    several = [Qualifier(PART, item(label)) for label in ("sales", None, "law", "sales", "IT")]
    assert said(pattern, *several) == "Ann worked for Acme in sales, law and IT."
    assert said(pattern, Qualifier(PART, item(None))) == "Ann worked for Acme."


def test_a_statement_that_lacks_a_needed_qualifier_is_worded_as_without_the_override() -> None:
    override = Override("pattern", "{subject} was with {object} in {P585}.")
    with_it, without = statement(Qualifier(AT, year(1990))), statement()
    assert is_for(with_it, override)
    assert verbalise(with_it, override).text == "Ann was with Acme in 1990."  # type: ignore[union-attr]
    assert not is_for(without, override)
    assert verbalise(without, override) == verbalise(without)


def test_a_model_words_what_the_pattern_is_not_for() -> None:
    asked: list[Triple] = []

    def model(triples: Sequence[Triple]) -> list[str]:
        asked.extend(triples)
        return [f"{triple.subject} serves {triple.value}." for triple in triples]

    override = Override("pattern", "{subject} was with {object} in {P585}.")
    claim = verbalise(statement(), override, model)
    assert claim is not None
    assert (claim.text, claim.wording) == ("Ann serves Acme.", "model")
    assert verbalise(statement(Qualifier(AT, year(1990))), override, model).wording == "override"  # type: ignore[union-attr]
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("pattern", "reads"),
    [
        ("{subject} led [in {P585}] the {object}", "Ann led the Acme."),
        ("[{P585}: ] {subject} led {object} [in {P580}].", "Ann led Acme."),
        ("{subject}[, {P585},] led {object} [{P580}]!", "Ann led Acme!"),
    ],
)
def test_what_vanishes_leaves_no_blanks(pattern: str, reads: str) -> None:
    assert said(pattern) == reads


@pytest.mark.parametrize(
    ("pattern", "complaint"),
    [
        ("{subject} met {object} in {P585}", None),
        ("{subject} met {object}[ in {P585}]", None),
        ("{subject} met {p585} {object}", "Write {P585} in place of “{p585}”"),
        ("{ subject } met {object}", "Write {subject} in place of “{ subject }”"),
        ("{Subject} met {object}", "Write {subject} in place of “{Subject}”"),
        ("{subject} met {object} in {P0}", "“{P0}” can't be filled in"),
        ("{subject} met {object} in {}", "“{}” can't be filled in"),
        ("{subject} met {object", "opened and not closed"),
        ("{subject} met object}", "closed that was not opened"),
        ("{subject} met {object}[ in {P585}", "bracket is opened and not closed"),
        ("{subject} met {object} in {P585}]", "bracket is closed that was not opened"),
        ("{subject} met {object}[ then]", "name one, as in [ in {P585}]"),
        ("{subject} met {object}[ in {P585}[ or so]]", "name one, as in [ in {P585}]"),
        ("{subject}[ met {object} in {P585}]", "Take {object} out of the square brackets"),
        ("{subject} [met in {P585}] {object}", "Write words between"),
        ("{subject} {P585} {object}", "Write words between"),
    ],
)
def test_each_mistake_gets_its_own_complaint(pattern: str, complaint: str | None) -> None:
    found = check_pattern(pattern)
    assert (found is None) if complaint is None else (found is not None and complaint in found)


def test_a_complaint_can_be_translated() -> None:
    found = check_pattern("{subject} met {you}")
    assert found is not None
    assert found.template % found.given == found
    assert found.given == {"mark": "{you}"}


def test_the_qualifiers_of_a_pattern_are_known() -> None:
    assert named_qualifiers("{subject} a {object}[ {P2}[ {P1}]] {P2}") == ("P2", "P1")
    assert named_qualifiers("{subject} a {object} [no part] {x}") == ()


pieces = st.lists(
    st.sampled_from(
        ["{subject}", "{object}", "{P1}", "{P2}", "[", "]", " ", " x", "{", "}", "{p1}", ".", "%s", "[ y {P1}]"]
    ),
    max_size=14,
).map("".join)
words = st.dictionaries(
    st.sampled_from(["P1", "P2"]), st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=6)
)


@given(pieces, words)
def test_any_pattern_is_filled_somehow_and_a_good_one_says_what_it_must(
    pattern: str, given_words: dict[str, str]
) -> None:
    filled = fill_pattern(pattern, "SUBJ", "OBJ", given_words)
    spoken = spoken_qualifiers(pattern, given_words)
    if check_pattern(pattern) is not None:
        return
    assert "SUBJ" in filled
    assert "OBJ" in filled
    assert not set("[]{}") & set(filled.translate({ord(c): None for word in given_words.values() for c in word}))
    for name in spoken or ():
        assert given_words[name] in filled
    if spoken is not None:
        assert spoken <= set(named_qualifiers(pattern))


@given(st.text(max_size=8), st.text(max_size=8))
def test_the_words_put_in_are_never_read_as_a_pattern(subject: str, value: str) -> None:
    subject, value = f"{{object}}{subject}[", f"] {{P1}}{value}"
    assert fill_pattern("{subject} x {object}[ {P1}]", subject, value, {"P1": "{subject}]"}) == (
        f"{subject} x {value} {{subject}}]"
    )


@given(st.text("[]{}P1 subjecto", max_size=40))
def test_any_text_is_read_in_time_and_named(text: str) -> None:
    check_pattern(text)
    assert all(f"{{{name}}}" in text for name in named_qualifiers(text))
