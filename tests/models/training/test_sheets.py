"""What a passage of a sheet says of a claim, the claims made of it, and the evidence sets made of those."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import partial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.evidence import Passage, Stance
from models.read.page import Block, Page
from models.read.sentences import passages_of
from models.statement import EntityValue, QuantityValue, Term, TextValue, TimeValue, Value
from models.training.sheets.claims import confusable, false_claims, near, true_claims
from models.training.sheets.layouts import made_sheets
from models.training.sheets.sets import MOST, EvidenceSet, sets_of
from models.training.sheets.sheet import Fact, Said, Sheet, datatype_of, says, stance_of

ADA, TOM = Term("", "Ada Norwood", ("A. Norwood",)), Term("", "Tom Barley")
BORN, PLACE, HOME = Term("P569", "date of birth"), Term("P19", "place of birth"), Term("P551", "residence")
DAY, YEAR = partial(TimeValue, precision=11), partial(TimeValue, month=None, day=None, precision=9)
LIFE = (
    "Ada Norwood was born in Ripon on 4 May 1871. She moved to Leeds as a girl and taught music there for years. "
    "Her brother kept an inn in Ripon, and nobody knows more of him."
)


def item(name: str, *aliases: str) -> EntityValue:
    return EntityValue(Term("", name, aliases))


def sheet_of(*parts: tuple[str, str], said: tuple[Said, ...]) -> Sheet:
    """A sheet of blocks (text, kind) under a title, the first of them number 1."""
    blocks = (Block("Ada Norwood", "title"), *(Block(text, kind) for text, kind in parts))
    return Sheet(Page("Ada Norwood", "en", blocks, passages_of(blocks)), said, source="made")


def at(sheet: Sheet, first: int, last: int, block: int = 1) -> Passage:
    (found,) = [one for one in sheet.page.passages if (one.block, one.first, one.last) == (block, first, last)]
    return found


@pytest.fixture(scope="module")
def ada() -> Sheet:
    """Born in its first sentence; that she lived in Leeds takes two; Ripon stands in the third, unlabelled."""
    said = (
        Said(Fact(ADA, BORN, DAY(1871, 5, 4)), 1, frozenset({0})),
        Said(Fact(ADA, PLACE, item("Ripon", "Rhypum")), 1, frozenset({0})),
        Said(Fact(ADA, HOME, item("Leeds")), 1, frozenset({0, 1})),
        Said(Fact(ADA, PLACE, item("Ripon")), 1, frozenset()),
        Said(Fact(ADA, Term("P570", "date of death"), YEAR(1940)), 2, frozenset({0})),
    )
    return sheet_of((LIFE, "text"), ("Died: 1940", "table"), said=said)


YES, NO, NOTHING = Stance.SUPPORTS, Stance.REFUTES, Stance.NOT_ENOUGH_INFO


@pytest.mark.parametrize(
    ("prop", "value", "where", "stance"),
    [
        (BORN, DAY(1871, 5, 4), (0, 0), YES),
        (BORN, DAY(1871, 5, 4), (0, 1), YES),
        (BORN, DAY(1871, 5, 4), (1, 1), NOTHING),
        # A coarser date is said by the day; a finer one is said by no year.
        (BORN, TimeValue(1871, 5, None, 10), (0, 0), YES),
        (BORN, YEAR(1871), (0, 0), YES),
        (BORN, TimeValue(1870, None, None, 8), (0, 0), NOTHING),
        (BORN, TimeValue(1890, None, None, 8), (0, 0), NO),
        # Another value in the place of the only one.
        (BORN, DAY(1871, 5, 14), (0, 0), NO),
        (BORN, YEAR(1872), (0, 1), NO),
        (BORN, YEAR(1872), (1, 2), NOTHING),
        (PLACE, item("York"), (0, 0), NO),
        (PLACE, item("Ripon in Yorkshire"), (0, 0), NOTHING),
        # Of a property with many values, and of another property.
        (HOME, item("York"), (0, 1), NOTHING),
        (Term("P570", "date of death"), DAY(1871, 5, 4), (0, 0), NOTHING),
        (Term("P20", "place of death"), item("York"), (0, 0), NOTHING),
        # What takes two sentences is said by both of them.
        (HOME, item("leeds"), (0, 1), YES),
        (HOME, item("Leeds"), (0, 0), None),
        (HOME, item("Leeds"), (1, 1), None),
        (HOME, item("Leeds"), (1, 2), None),
        (HOME, item("Leeds"), (2, 2), NOTHING),
        # A sentence with the value that nobody labelled.
        (PLACE, item("Rhypum"), (0, 0), YES),
        (PLACE, item("Ripon"), (2, 2), None),
    ],
)
def test_what_a_passage_says(
    ada: Sheet, prop: Term, value: Value, where: tuple[int, int], stance: Stance | None
) -> None:
    assert stance_of(Fact(ADA, prop, value), at(ada, *where), ada) is stance


def test_a_year_does_not_say_the_day(ada: Sheet) -> None:
    death, row = Term("P570", "date of death"), at(ada, 0, 0, block=2)
    assert stance_of(Fact(ADA, death, YEAR(1940)), row, ada) is YES
    assert stance_of(Fact(ADA, death, DAY(1940, 2, 1)), row, ada) is NOTHING
    assert stance_of(Fact(ADA, death, DAY(1941, 2, 1)), row, ada) is NO


def test_another_ones_row_says_nothing_of_her() -> None:
    height = Term("P2048", "height")
    facts = [Fact(ADA, height, QuantityValue(Decimal(170))), Fact(TOM, height, QuantityValue(Decimal(181)))]
    said = tuple(Said(fact, block, frozenset({0})) for block, fact in enumerate(facts, 1))
    rows = sheet_of(("Name: Ada Norwood; Height: 170", "table"), ("Name: Tom Barley; Height: 181", "table"), said=said)
    assert stance_of(facts[0], at(rows, 0, 0, block=1), rows) is YES
    assert stance_of(facts[0], at(rows, 0, 0, block=2), rows) is NOTHING
    swapped = Fact(ADA, height, facts[1].value)
    assert stance_of(swapped, at(rows, 0, 0, block=2), rows) is NOTHING
    assert stance_of(swapped, at(rows, 0, 0, block=1), rows) is NO


def test_values_of_different_kinds_say_nothing_of_one_another() -> None:
    values = [item("1871"), YEAR(1871), QuantityValue(Decimal(1871)), TextValue("1871")]
    assert len({datatype_of(value) for value in values}) == 4
    assert all(says(one, other) == (one is other) for one in values for other in values)


# Claims


def can_both_hold(one: Value, other: Value) -> bool:
    """Whether a thing can have both values under one property: written apart from the code that is tested."""
    if isinstance(one, TimeValue) and isinstance(other, TimeValue):
        parts = [(one.year, other.year), (one.month, other.month), (one.day, other.day)]
        return not any(a != b for a, b in parts if a is not None and b is not None)
    if isinstance(one, EntityValue) and isinstance(other, EntityValue):
        pairs = [(a.lower(), b.lower()) for a in one.term.names for b in other.term.names]
        return any(a in b or b in a for a, b in pairs)
    return one == other


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=10)
def test_a_false_claim_never_holds(seed: int) -> None:
    sheets = list(made_sheets(seed, 3))
    others = confusable(sheets)
    for sheet in sheets:
        for claim in false_claims(sheet, others, Random(seed), 12):
            names = {name.casefold() for name in claim.subject.names}
            for fact in sheet.facts():
                if fact.property.id == claim.property.id and names & {name.casefold() for name in fact.subject.names}:
                    assert not can_both_hold(fact.value, claim.value), (claim, fact)
            assert all(stance_of(claim, passage, sheet) is not YES for passage in sheet.page.passages)


def test_a_true_claim_is_said_by_a_passage() -> None:
    made = list(made_sheets(3, 40))
    claims = [(claim, sheet) for sheet in made for claim in true_claims(sheet, Random(1), 5)]
    assert len(claims) > 80
    for claim, sheet in claims:
        assert claim in sheet.facts()
        assert any(stance_of(claim, passage, sheet) is YES for passage in sheet.page.passages)


def test_what_is_known_but_not_said_is_no_false_claim_either(ada: Sheet) -> None:
    elsewhere = Fact(ADA, HOME, item("Ripon"))
    sheet = Sheet(ada.page, ada.said, (elsewhere,), "made")
    others = {"wikibase-item": [HOME], "time": [BORN]}
    assert elsewhere in {claim for turn in range(40) for claim in false_claims(ada, others, Random(turn), 9)}
    assert elsewhere not in {claim for turn in range(40) for claim in false_claims(sheet, others, Random(turn), 9)}


def test_no_more_claims_are_made_than_asked_for(ada: Sheet) -> None:
    for most in (0, 1, 3):
        assert len(true_claims(ada, Random(0), most)) == most
        assert len(false_claims(ada, {}, Random(0), most)) <= most


def test_of_a_page_without_facts_no_claim_is_made() -> None:
    empty = sheet_of((LIFE, "text"), said=())
    assert true_claims(empty, Random(0), 3) == false_claims(empty, {}, Random(0), 3) == []
    assert list(sets_of(empty, {}, Random(0), 3, 3)) == []


@pytest.mark.parametrize(
    "value", [DAY(1871, 5, 31), DAY(2000, 2, 29), YEAR(1), QuantityValue(Decimal("12.5"), unit=Term("", "metre"))]
)
def test_a_near_value_is_another_of_the_same_kind_and_unit(value: Value) -> None:
    for turn in range(60):
        other = near(value, Random(turn))
        assert type(other) is type(value)
        assert other != value
        if isinstance(value, QuantityValue) and isinstance(other, QuantityValue):
            assert other.unit == value.unit


# Sets


@pytest.fixture(scope="module")
def made() -> list[tuple[bool, EvidenceSet]]:
    """Sets of made pages, and whether the claim holds."""
    sheets, random = list(made_sheets(11, 40)), Random(11)
    others = confusable(sheets)
    counts = ((True, (4, 0)), (False, (0, 4)))
    return [(holds, one) for sheet in sheets for holds, of in counts for one in sets_of(sheet, others, random, *of)]


def test_a_set_is_small_and_its_verdict_is_in_it(made: list[tuple[bool, EvidenceSet]]) -> None:
    assert {len(one.passages) for _, one in made} == set(range(1, MOST + 1))
    for _, one in made:
        assert len(one.passages) == len(one.stances)
        assert one.verdict in one.stances
        assert (one.verdict is YES) == (YES in one.stances)
        assert (one.verdict is NOTHING) == (set(one.stances) == {NOTHING})


def test_a_claim_that_does_not_hold_has_no_passage_that_says_so(made: list[tuple[bool, EvidenceSet]]) -> None:
    assert not any(YES in one.stances for holds, one in made if not holds)
    assert sum(YES in one.stances for holds, one in made if holds) > 0.9 * sum(holds for holds, _ in made)
    assert sum(NO in one.stances for _, one in made) > 20


def test_marks_come_in_pairs_around_something(made: list[tuple[bool, EvidenceSet]]) -> None:
    marked = 0
    for _, one in made:
        for passage in one.passages:
            for mark in "@#~$":
                inside = re.findall(rf"(?<!\S){re.escape(mark)} (.*?) {re.escape(mark)}(?!\S)", passage)
                assert passage.count(mark) == 2 * len(inside), passage
                assert all(text.strip() for text in inside)
                marked += len(inside)
    assert marked > len(made)


def test_the_marks_stand_around_subject_and_value(ada: Sheet) -> None:
    sets = list(sets_of(ada, {}, Random(0), 4, 0))
    born = next(one for one in sets if one.property_id == "P569")
    assert born.claim == "Ada Norwood : date of birth : 4 May 1871"
    told = [text for text, stance in zip(born.passages, born.stances, strict=True) if stance is YES]
    assert min(told, key=len) == "@ Ada Norwood @ | @ Ada Norwood @ was born in Ripon on # 4 May 1871 # ."


def test_another_value_of_the_passage_is_marked_as_such(ada: Sheet) -> None:
    random, others = Random(2), confusable([ada])
    refuted = [one for _ in range(30) for one in sets_of(ada, others, random, 0, 6) if one.property_id == "P569"]
    texts = [text for one in refuted for text, stance in zip(one.passages, one.stances, strict=True) if stance is NO]
    assert texts
    assert all(re.search(r"([$~]) 4 May 1871 \1", text) for text in texts)
