"""Scales, ticks, lines and columns, for any numbers."""

from __future__ import annotations

import itertools
import math
import re

from hypothesis import given
from hypothesis import strategies as st

from web.plot import BOTTOM, LEFT, RIGHT, TOP, Series, bar, columns, lines, nice_ticks, place, shape, thinned

NUMBERS = st.floats(0, 1e15)
WORDS = st.lists(st.text(max_size=12), min_size=1, max_size=40)


@given(st.floats(1e-9, 1e15))
def test_ticks_reach_the_top_in_few_round_steps(top: float) -> None:
    ticks = nice_ticks(top)
    assert ticks[0] == 0
    assert ticks[-1] >= top * (1 - 1e-9) or math.isclose(ticks[-1], top, rel_tol=1e-6)
    assert 2 <= len(ticks) <= 7
    steps = [b - a for a, b in itertools.pairwise(ticks)]
    assert all(math.isclose(step, steps[0], rel_tol=1e-3, abs_tol=1e-9) for step in steps)


@given(st.integers(1, 10**12))
def test_ticks_of_counts_are_whole_numbers_told_apart(top: int) -> None:
    ticks = nice_ticks(top)
    assert all(tick == int(tick) for tick in ticks)
    assert len(set(ticks)) == len(ticks)


@given(st.sampled_from((0.0, -1.0, math.inf, -math.inf, math.nan)))
def test_ticks_of_what_is_no_height_are_nought_and_one(top: float) -> None:
    assert nice_ticks(top) == (0, 1)


def test_ticks_are_as_one_would_draw_them() -> None:
    assert nice_ticks(42) == (0, 10, 20, 30, 40, 50)
    assert nice_ticks(3) == (0, 1, 2, 3)
    assert nice_ticks(1) == (0, 1)
    assert nice_ticks(0.4) == (0, 0.1, 0.2, 0.3, 0.4)


@given(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9), st.floats(-1e9, 1e9))
def test_a_place_is_in_the_frame(value: float, low: float, high: float) -> None:
    assert LEFT <= place(value, low, high, LEFT, RIGHT) <= RIGHT
    assert TOP <= place(value, low, high, BOTTOM, TOP) <= BOTTOM


@given(WORDS, st.floats(1, 300))
def test_words_that_are_kept_have_room(words: list[str], room: float) -> None:
    kept = thinned(words, room)
    assert len(kept) == len(words)
    assert kept[0] == words[0]
    places = [number for number, each in enumerate(kept) if each]
    longest = max(len(each) for each in words) * 7
    assert all((b - a) * room >= longest for a, b in itertools.pairwise(places))


@given(st.lists(st.lists(NUMBERS, min_size=3, max_size=3), max_size=24))
def test_columns_stand_in_the_frame_and_dont_overlap(numbers: list[list[float]]) -> None:
    stacks = [[(str(kind), number, "w") for kind, number in enumerate(some)] for some in numbers]
    top = max((sum(some) for some in numbers), default=0.0)
    chart = columns(["x"] * len(stacks), stacks, [(tick, "") for tick in nice_ticks(top)])
    for one in chart.segments:
        assert LEFT <= one.x <= one.x + one.width <= RIGHT + 0.2
        assert TOP - 0.6 <= one.y <= one.y + one.height <= BOTTOM + 0.6
    assert len(chart.segments) == sum(number > 0 for some in numbers for number in some)
    starts = sorted({one.x for one in chart.segments})
    width = max((one.width for one in chart.segments), default=0)
    assert all(b - a >= width - 0.2 for a, b in itertools.pairwise(starts))


def test_the_segments_of_a_column_are_as_high_as_their_numbers() -> None:
    chart = columns(["a"], [[("x", 30.0, ""), ("y", 10.0, "")]], [(0.0, "0"), (40.0, "40")])
    high, low = chart.segments[0].height, chart.segments[1].height
    assert high == 3 * low
    assert chart.segments[1].y == TOP
    assert chart.segments[0].y + high == BOTTOM


@given(st.lists(st.one_of(st.none(), st.floats(0, 1)), min_size=1, max_size=60))
def test_a_line_has_a_mark_for_each_number_and_gaps_for_the_others(values: list[float | None]) -> None:
    words = [str(number) for number in range(len(values))]
    (line,) = lines(words, [Series("s", values, words)], 1.0, [(0.0, "0"), (1.0, "1")]).lines
    assert [mark.words for mark in line.marks] == [
        word for word, value in zip(words, values, strict=True) if value is not None
    ]
    joined = sum(len(part.split()) for part in line.parts)
    alone = len(line.marks) - joined
    assert alone >= 0
    assert all(len(part.split()) > 1 for part in line.parts)
    assert all(re.fullmatch(r"[-0-9. ,]+", part) for part in line.parts)


def test_lines_are_told_apart_by_their_marks() -> None:
    assert len({shape(kind, 10, 10) for kind in range(4)}) == 4


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 10**9)), max_size=6))
def test_a_bar_is_divided_by_shares(parts: list[tuple[str, int]]) -> None:
    found = bar([(kind, float(number)) for kind, number in parts])
    assert len(found) == sum(number > 0 for _, number in parts)
    if found:
        assert math.isclose(sum(one.width for one in found), 100, abs_tol=0.05)
