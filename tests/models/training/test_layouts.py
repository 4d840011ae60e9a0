"""Sheets of invented things: what they say of each sentence is there, and of the right thing."""

from __future__ import annotations

import re
from collections import defaultdict
from time import process_time

import pytest

from models.evidence import Stance
from models.read.page import Block
from models.read.sentences import LONGEST_SENTENCE, split
from models.statement import EntityValue, QuantityValue, TextValue, TimeValue, Value
from models.training.sheets import names
from models.training.sheets.fill import said_by
from models.training.sheets.headers import headers
from models.training.sheets.layouts import made_sheets
from models.training.sheets.phrases import CATALOGUE, TIMELINE
from models.training.sheets.sheet import Sheet, other_values, stance_of
from models.training.sheets.thing import OWN, PROPERTIES
from models.training.sheets.wordings import CAREER, DEATH, FAMILY, KIN, LIFE, PLAYER
from models.training.sheets.wordings_places import PLACES
from models.training.sheets.wordings_things import THINGS

PROSE: list[str] = [*LIFE, *FAMILY, *KIN, *CAREER, *DEATH, *PLAYER]
PROSE += [wording for kinds in (THINGS, PLACES) for wordings in kinds.values() for wording in wordings]


@pytest.fixture(scope="module")
def sheets() -> list[Sheet]:
    return list(made_sheets(7, 250))


def sentences(block: Block) -> list[str]:
    """A block's sentences as its passages count them."""
    if block.kind in {"table", "structured"} and len(block.text) <= LONGEST_SENTENCE:
        return [block.text]
    return [block.text[start:end] for start, end in split(block.text)]


def surfaces(value: Value) -> tuple[str, ...]:
    """What at least one of must stand where a value is said."""
    match value:
        case EntityValue():
            label = value.term.label or ""
            return (*value.term.names, *((names.DEMONYMS[label],) if label in names.DEMONYMS else ()))
        case TimeValue():
            return (str(value.year),)
        case TextValue():
            return (value.text,)
        case QuantityValue():
            plain = f"{value.amount:f}"
            million = f"{value.amount / 1_000_000:f}".rstrip("0").rstrip(".")
            hours = f"{int(value.amount) // 60} h {int(value.amount) % 60} min"
            return (plain, million, hours)
    raise AssertionError(value)


def test_each_sentence_said_to_give_a_fact_holds_its_value(sheets: list[Sheet]) -> None:
    for sheet in sheets:
        for said in sheet.said:
            parts = sentences(sheet.page.blocks[said.block])
            assert max(said.sentences, default=0) < len(parts)
            if not said.sentences:  # nobody can tell
                continue
            text = " ".join(parts[at] for at in sorted(said.sentences))
            bare = re.sub(r"(?<=\d)[,\u202f ](?=\d{3})", "", text)
            shown = surfaces(said.fact.value)
            assert any(one.casefold() in text.casefold() or one in bare for one in shown), (said, text)


def test_a_day_is_said_only_where_the_sentence_has_day_and_year(sheets: list[Sheet]) -> None:
    for sheet in sheets:
        for said in sheet.said:
            value = said.fact.value
            if isinstance(value, TimeValue) and value.day is not None:
                assert re.search(rf"(?<!\d)0?{value.day}(?!\d)", sheet.page.blocks[said.block].text), said


def test_every_page_has_passages_and_nearly_all_that_is_said_is_found_in_one(sheets: list[Sheet]) -> None:
    told = found = 0
    for sheet in sheets:
        assert sheet.page.passages
        assert sheet.source == "made"
        told += len(sheet.said)
        for said in sheet.said:
            stances = {stance_of(said.fact, passage, sheet) for passage in sheet.page.passages}
            found += Stance.SUPPORTS in stances
    assert found / told > 0.94


def test_things_of_a_page_share_no_name(sheets: list[Sheet]) -> None:
    for sheet in sheets:
        owners: dict[str, set[str]] = defaultdict(set)
        for fact in sheet.facts():
            for name in fact.subject.names:
                owners[name.casefold()].add(fact.subject.label or "")
        assert all(len(labels) == 1 for labels in owners.values())


def test_a_row_says_nothing_of_the_thing_of_another_row(sheets: list[Sheet]) -> None:
    tables = [sheet for sheet in sheets if len({one.fact.subject.label for one in sheet.said}) > 1]
    assert tables
    for sheet in tables:
        for said in sheet.said:
            passage = next(one for one in sheet.page.passages if one.block == said.block)
            for other in sheet.facts():
                if other.subject.label != said.fact.subject.label and other.property.id == said.fact.property.id:
                    here = any(one.block == said.block and one.fact.subject == other.subject for one in sheet.said)
                    assert here or stance_of(other, passage, sheet) is Stance.NOT_ENOUGH_INFO


def test_boilerplate_says_nothing(sheets: list[Sheet]) -> None:
    notices = [block for sheet in sheets for block in sheet.page.blocks if block.boilerplate]
    assert len({block.text for block in notices}) > 100
    assert not any(sheet.page.blocks[said.block].boilerplate for sheet in sheets for said in sheet.said)


def test_no_other_value_of_a_page_is_one_that_holds(sheets: list[Sheet]) -> None:
    for sheet in sheets[:40]:
        facts = sheet.facts()
        for said in sheet.said[:5]:
            assert not set(other_values(said.fact, facts)) & set(facts)


def test_the_same_seed_gives_the_same_sheets_and_another_others() -> None:
    assert list(made_sheets(3, 12)) == list(made_sheets(3, 12))
    assert list(made_sheets(3, 12)) != list(made_sheets(4, 12))


def test_five_hundred_sheets_take_seconds() -> None:
    list(made_sheets(0, 20))
    start = process_time()
    assert sum(1 for _ in made_sheets(1, 500)) == 500
    assert process_time() - start < 20  # about five on a free core


@pytest.mark.parametrize("id_", [one for one in PROPERTIES if one not in OWN])
def test_a_property_has_six_wordings_and_four_headers_at_least(id_: str) -> None:
    assert sum(id_ in said_by(wording) for wording in PROSE) >= 6
    assert len(headers("thing", id_)) >= 4


def test_layouts_reach_every_property_and_kind_of_block(sheets: list[Sheet]) -> None:
    many = [*sheets, *made_sheets(8, 250)]
    assert {said.fact.property.id for sheet in many for said in sheet.said} >= set(PROPERTIES) - {"P1448", "P575"}
    kinds = {block.kind for sheet in many for block in sheet.page.blocks}
    assert kinds == {"title", "heading", "text", "list", "definition", "table", "caption", "structured"}


def test_names_and_texts_are_of_great_variety(sheets: list[Sheet]) -> None:
    subjects = {fact.subject.label for sheet in sheets for fact in sheet.facts()}
    texts = [block.text for sheet in sheets for block in sheet.page.blocks if block.kind == "text"]
    assert len(subjects) > 1200
    assert len(set(texts)) > 0.8 * len(texts)


def test_wordings_are_filled_whole(sheets: list[Sheet]) -> None:
    assert len(set(TIMELINE)) + sum(map(len, CATALOGUE.values())) > 70
    for sheet in sheets:
        for block in sheet.page.blocks:
            assert not re.search(r"[{}\[\]|](?!\s[A-Z])| {2}|//", block.text), block.text
