"""The measure of wordings: what it takes for adequate, and what it must fail."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from bench.adequacy import Miss, Wordings, judge
from bench.verbalise import PAIRS, learn, load_worded, verbalise_command
from models.statement import EntityValue, QuantityValue, Statement, Term, TextValue, TimeValue, Value


def statement(prop: str, value: Value | str, subject: str = "Ada Byron", guid: str = "Q1$1") -> Statement:
    """`prop` is "P22 father, dad": a label and its aliases; a value given as text is an item's label."""
    property_id, names = prop.split(" ", 1)
    label, *aliases = names.split(", ")
    object_ = EntityValue(Term("Q2", value)) if isinstance(value, str) else value
    return Statement(guid, Term("Q1", subject), Term(property_id, label, tuple(aliases)), "", object_)


def why(sentence: str, said: Statement, *references: tuple[str, bool]) -> str | None:
    """Why the sentence fails, with references (sentence, human-checked) by other statements of the property."""
    wordings = Wordings()
    wordings.add_names(said.property.names)
    for number, (reference, checked) in enumerate(references):
        other = statement(f"{said.property.id} {said.property.label}", "Valby", "Someone", f"Q9$ {number}")
        wordings.add_sentence(reference, other, checked=checked)
    miss = judge(sentence, said, wordings)
    return miss.why if miss else None


FATHER = statement("P22 father, dad, child of", "George Byron")
FOUNDED = statement("P112 founded by, founder", "Jane Roe", "Acme Club")
BORN = statement("P569 date of birth, born on", TimeValue(1815, 12, 10, 11))
MEMBER = statement("P102 member of political party", "Green Party")


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (FATHER, "The father of Ada Byron is George Byron."),
        (FATHER, "Ada Byron's father is George Byron."),
        (FATHER, "George Byron was the father of Ada Byron."),
        (FATHER, "George Byron is Ada Byron's father."),
        (FATHER, "Ada Byron has the father George Byron."),
        (FATHER, "Ada Byron is a child of George Byron."),
        (FOUNDED, "The Acme Club was founded by Jane Roe."),
        (FOUNDED, "Jane Roe founded Acme Club."),
        (FOUNDED, "Jane Roe is the founder of Acme Club."),
        (BORN, "Ada Byron was born on 10/12/1815."),
        (BORN, "Ada Byron was born on December 10th, 1815."),
        (BORN, "The date of birth of Ada Byron is 1815-12-10."),
        (MEMBER, "Ada Byron is a member of the political party Green Party."),
    ],
)
def test_any_order_of_words_in_the_right_direction_is_adequate(said: Statement, sentence: str) -> None:
    assert why(sentence, said) is None


@pytest.mark.parametrize(
    ("said", "sentence", "reason"),
    [
        (FATHER, "The father of George Byron is Ada Byron.", "wrong direction"),
        (FATHER, "George Byron's father is Ada Byron.", "wrong direction"),
        (FATHER, "Ada Byron is the father of George Byron.", "wrong direction"),
        (FATHER, "George Byron is a child of Ada Byron.", "wrong direction"),
        (FOUNDED, "Jane Roe was founded by the Acme Club.", "wrong direction"),
        (FOUNDED, "Acme Club founded Jane Roe.", "wrong direction"),
        (FOUNDED, "Acme Club is the founder of Jane Roe.", "wrong direction"),
        (MEMBER, "The Green Party is a member of the political party Ada Byron.", "wrong direction"),
    ],
)
def test_a_swapped_direction_fails(said: Statement, sentence: str, reason: str) -> None:
    assert why(sentence, said) == reason


@pytest.mark.parametrize(
    "sentence",
    [
        "Ada Byron was born on 10 December 1816.",
        "Ada Byron was born on 12 October 1815.",
        "Ada Byron was born in December 1815.",
        "Ada Byron was born in 1815.",
    ],
)
def test_another_date_and_another_precision_fail(sentence: str) -> None:
    assert why(sentence, BORN) == "value not named"


def test_a_bare_year_is_not_said_by_a_day_in_it() -> None:
    born = statement("P569 date of birth, born on", TimeValue(1815, None, None, 9))
    assert why("Ada Byron was born in 1815.", born) is None
    assert why("Ada Byron was born on 1 January 1815.", born) == "value not named"


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("The mother of Ada Byron is George Byron.", "words not of the property: moth"),
        ("The father of Ada Byron isn't George Byron.", "words not of the property: not"),
        ("The father of Ada is George Byron.", "subject not named"),
        ("The father of Ada Byron is George.", "value not named"),
        ("The father of Ada Byron is George Byron of Leeds.", "words not of the property: leed"),
    ],
)
def test_another_property_another_name_and_anything_besides_fail(sentence: str, reason: str) -> None:
    assert why(sentence, FATHER) == reason


def test_numbers_are_compared_as_numbers_and_with_their_unit() -> None:
    height = statement("P2048 height", QuantityValue(Decimal("1234.50"), unit=Term("Q11573", "metre")))
    assert why("The height of Ada Byron is 1,234.5 metres.", height) is None
    assert why("The height of Ada Byron is 1234.50 metre.", height) is None
    assert why("The height of Ada Byron is 1234.5 feet.", height) == "value not named"
    assert why("The height of Ada Byron is 12345 metres.", height) == "value not named"


def test_strings_are_compared_character_by_character() -> None:
    formula = statement("P274 chemical formula", TextValue("C₂H₆O"), "ethanol")
    assert why("The chemical formula of ethanol is C2H6O.", formula) is None
    assert why("The chemical formula of ethanol is C2H6O2.", formula) == "value not named"


def test_a_wording_can_come_from_a_checked_sentence_or_from_two_of_the_crowd() -> None:
    lives = statement("P551 residence", "Leeds")
    other, checked = "Someone lives in Valby.", True
    assert why("Ada Byron lives in Leeds.", lives) == "words not of the property: liv"
    assert why("Ada Byron lives in Leeds.", lives, (other, checked)) is None
    assert why("Ada Byron lives in Leeds.", lives, (other, not checked)) == "words not of the property: liv"
    assert why("Ada Byron lives in Leeds.", lives, (other, not checked), (other, not checked)) is None


def test_the_crowd_can_not_turn_the_label_round() -> None:
    wrong = ("Someone is the father of Valby.", False)
    assert why("Ada Byron is the father of George Byron.", FATHER, wrong, wrong, wrong) == "wrong direction"


def test_a_machine_sentence_does_not_vouch_for_itself() -> None:
    wordings = Wordings()
    lives = statement("P551 residence", "Leeds")
    for guid in ("Q1$1", "Q1$2"):
        wordings.add_sentence(
            "Ada Byron lives in Leeds.", statement("P551 residence", "Leeds", guid=guid), checked=False
        )
    assert judge("Ada Byron lives in Leeds.", lives, wordings) == Miss("words not of the property: liv")


def test_where_both_ways_say_the_same_either_is_right() -> None:
    spouse = statement("P26 spouse, married to", "Will King")
    assert why("Will King is married to Ada Byron.", spouse) is None


@given(st.text(max_size=60), st.text(max_size=12), st.text(max_size=12))
def test_any_text_gets_an_answer(sentence: str, subject: str, value: str) -> None:
    said = statement("P22 father", value, subject)
    assert why(sentence, said) is None or isinstance(why(sentence, said), str)


def row(number: int, **fields: Any) -> dict[str, Any]:
    year = 1900 + number
    return {
        "claim_id": f"Q{number}$A", "entity_id": f"Q{number}", "property_id": "P569", "datatype": "time",
        "datavalue": {"type": "time", "value": {"time": f"+{year}-00-00T00:00:00Z", "precision": 9}},
        "entity_label": f"Ann Number{number}", "property_label": "date of birth", "object_label": str(year),
        "property_aliases": ["born on"], "entity_aliases": "no-alias", "entity_description": "no-desc",
        "verbalisation": f"Ann Number{number} was born in {year}.",
        "raw_verbalisation": f"Ann Number{number} was born in {year + number}.",
    } | fields  # fmt: skip


def run(*arguments: str) -> Result:
    return CliRunner().invoke(verbalise_command, arguments)


def test_the_command_prints_the_figures_of_given_rows_as_json(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.jsonl"
    unsaid = {"object_label": "1903", "entity_label": None}
    rows = [row(0), row(1), row(2), row(3, **unsaid), row(4) | {"adequacy_maj": "0"}]
    pairs.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    result = run("--pairs", str(pairs), "--misses")
    figures = json.loads(result.stdout)
    assert figures["wtr"] == {"adequate": 0.75, "n": 4}
    assert figures["wdv"] == {"adequate": 1.0, "n": 1}
    assert figures["raw_t5"]["wtr"] == {"adequate": 0.25, "n": 4}
    assert figures["checks"]["wrong_year"]["failed"] == 1.0
    misses = [line for line in result.stderr.splitlines() if "passes, though spoiled" not in line]
    assert len(misses) == 1
    assert misses[0].startswith("Q3$A P569 date of birth | ours:")


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"claim_id": 1}'])
def test_a_line_that_is_no_row_is_named(tmp_path: Path, line: str) -> None:
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text(json.dumps(row(1)) + "\n" + line, "utf-8")
    result = run("--pairs", str(pairs))
    assert isinstance(result.exception, ValueError)
    assert "pairs.jsonl, line 2" in str(result.exception)


@pytest.mark.skipif(not PAIRS[0].exists(), reason="the data sets in ../shared/data are not here")
def test_our_words_are_adequate_on_real_statements_and_spoiled_ones_are_not() -> None:
    figures = json.loads(run().stdout)
    assert figures["wtr"]["adequate"] >= 0.99
    assert figures["wdv"]["adequate"] >= 0.99
    assert figures["crowd"]["adequate_passed"] > 0.7
    for check in figures["checks"].values():
        assert check["failed"] >= 0.99


@pytest.mark.skipif(not PAIRS[0].exists(), reason="the data sets in ../shared/data are not here")
def test_every_property_of_the_sets_is_learnt() -> None:
    rows = load_worded(PAIRS)
    wordings = learn(rows)
    assert all(wordings[worded.statement.property.id].label for worded in rows)
