"""The labelled cases: that they load, are many, and half of them traps; and that those that are drawn stay the same."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from bench.cases import HELD_OUT, SAYS, BadCase, by_hand
from bench.cases.strategies import drawn

KINDS = ("dates", "quantities", "names")
SAID = {"dates": set(SAYS), "quantities": set(SAYS), "names": {"names", "nothing"}}
DRAWN = 120

written = cache(lambda kind: tuple(by_hand(kind)))
made = cache(lambda kind: tuple(drawn(kind, DRAWN)))
BOTH = pytest.mark.parametrize("cases", [written, made], ids=["by hand", "drawn"])


@pytest.mark.parametrize("kind", KINDS)
def test_there_are_enough_cases_by_hand(kind: str) -> None:
    assert len(written(kind)) >= 220


@pytest.mark.parametrize("kind", KINDS)
def test_cases_held_out_are_enough_and_are_none_of_the_others(kind: str) -> None:
    held = [(case.value, case.text) for case in by_hand(kind, HELD_OUT)]
    assert len(held) >= 100
    assert not set(held) & {(case.value, case.text) for case in written(kind)}


@pytest.mark.parametrize("kind", KINDS)
def test_as_many_cases_are_drawn_as_were_asked_for(kind: str) -> None:
    assert len(made(kind)) == DRAWN


@BOTH
@pytest.mark.parametrize("kind", KINDS)
def test_about_half_are_traps(kind: str, cases) -> None:
    traps = sum(case.says != "names" for case in cases(kind)) / len(cases(kind))
    assert 0.4 <= traps <= 0.6


@BOTH
@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_of_the_kind_appears(kind: str, cases) -> None:
    assert {case.says for case in cases(kind)} == SAID[kind]


@BOTH
@pytest.mark.parametrize("kind", KINDS)
def test_no_case_stands_twice(kind: str, cases) -> None:
    assert [case for case, times in Counter((c.value, c.text) for c in cases(kind)).items() if times > 1] == []


@BOTH
@pytest.mark.parametrize("kind", KINDS)
def test_a_span_is_in_its_text(kind: str, cases) -> None:
    assert [case for case in cases(kind) if case.span not in case.text] == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_span_by_hand_stands_once_in_its_text(kind: str) -> None:
    assert [case for case in written(kind) if case.span and case.text.count(case.span) > 1] == []


@pytest.mark.parametrize("kind", KINDS)
def test_what_names_the_value_when_drawn_says_where(kind: str) -> None:
    assert [case for case in made(kind) if case.says == "names" and not case.span] == []


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_cases_are_drawn_again(kind: str) -> None:
    assert tuple(drawn(kind, DRAWN)) == made(kind)


def test_cases_of_an_unknown_kind_are_not_drawn() -> None:
    with pytest.raises(KeyError):
        drawn("colours", 1)


def test_a_case_with_a_span_outside_its_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "dates.yaml").write_text(
        '- value: {time: "+1990-00-00T00:00:00Z", precision: 9}\n  text: "in 1991"\n  says: names\n  span: "1990"\n'
    )
    with pytest.raises(BadCase, match="case 1"):
        list(by_hand("dates", tmp_path))


def test_bounds_of_nought_are_kept() -> None:
    strict = [case for case in written("quantities") if getattr(case.value, "upper", None) is not None]
    assert any(case.value.lower == case.value.amount == case.value.upper for case in strict)
