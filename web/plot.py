"""Figures to draw as an inline SVG: scales, ticks, lines and columns in the coordinates of a small frame.

Everything here is a pure function of numbers. Lines differ by their marks and dashes, columns by their patterns, so
that no colour is needed to tell them apart; the templates draw them, with the numbers as a table beside.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 320, 250
LEFT, RIGHT, TOP, BOTTOM = 48.0, 304.0, 26.0, 214.0
_RADIUS = 3.5
_GAP = 0.25  # between two columns, of their distance
_LETTERS = 7.0  # the width of a letter in a tick's words


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis: where, and what it says ("" where its neighbours leave no room)."""

    at: float
    words: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A point of a line: where, the shape to draw there as an SVG path, and what it says in words."""

    x: float
    y: float
    shape: str
    words: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a figure: its name, its points as SVG points (parts of it, where there are gaps), and its marks.

    `kind` numbers the lines of a figure: each has a dash and a shape of its own.
    """

    name: str
    kind: int
    parts: tuple[str, ...]
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a column: a rectangle of a `kind`, and what it says in words."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    words: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A frame with its ticks, lines and columns."""

    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    lines: tuple[Line, ...] = ()
    segments: tuple[Segment, ...] = ()
    width: int = WIDTH
    height: int = HEIGHT
    left: float = LEFT
    right: float = RIGHT
    top: float = TOP
    bottom: float = BOTTOM


@dataclass(frozen=True, slots=True)
class Series:
    """Numbers to be drawn, one for each place on the x axis (None: none there), with their words."""

    name: str
    values: Sequence[float | None]
    words: Sequence[str]


_LEAST = 1e-9  # a smaller top has no ticks that a number in words would tell apart


def nice_ticks(top: float, most: int = 5) -> tuple[float, ...]:
    """Round numbers from 0 up to `top` or a little more, at most `most` steps apart: steps of 1, 2 or 5 times a power
    of ten, and whole ones where `top` is 1 or more. For next to nothing and less: 0 and 1.
    """
    if not math.isfinite(top) or top < _LEAST:
        return 0.0, 1.0
    power = 10.0 ** math.floor(math.log10(top / most))
    step = next(
        (times * power for times in (1, 2, 5, 10) if math.ceil(top / (times * power) - 1e-9) <= most), 10 * power
    )
    if top >= 1:
        step = max(step, 1.0)
    count = max(math.ceil(top / step - 1e-9), 1)
    return tuple(round(number * step, 12) for number in range(count + 1))


def place(value: float, low: float, high: float, start: float, end: float) -> float:
    """Where a value of [`low`, `high`] stands between `start` and `end`, to a tenth; beyond them it stands at them."""
    if high <= low:
        return round(start, 1)
    share = min(max((value - low) / (high - low), 0.0), 1.0)
    return round(start + share * (end - start), 1)


def thinned(words: Sequence[str], room: float) -> tuple[str, ...]:
    """The words for ticks that stand `room` apart, with "" where they would run into each other.

    The first is kept, and every so many after it.
    """
    longest = max((len(each) for each in words), default=0) * _LETTERS + 6.0
    every = max(math.ceil(longest / room), 1) if room > 0 else len(words)
    return tuple(each if place % max(every, 1) == 0 else "" for place, each in enumerate(words))


def shape(kind: int, x: float, y: float, radius: float = _RADIUS) -> str:
    """The mark of the lines of a kind, as an SVG path around a point: a circle, a square, a diamond, a triangle."""
    r = radius
    match kind % 4:
        case 0:
            return f"M{x - r:g} {y:g}a{r:g} {r:g} 0 1 0 {2 * r:g} 0a{r:g} {r:g} 0 1 0 {-2 * r:g} 0Z"
        case 1:
            return f"M{x - r:g} {y - r:g}h{2 * r:g}v{2 * r:g}h{-2 * r:g}Z"
        case 2:
            return f"M{x:g} {y - r - 1:g}L{x + r + 1:g} {y:g}L{x:g} {y + r + 1:g}L{x - r - 1:g} {y:g}Z"
        case _:
            return f"M{x:g} {y - r - 1:g}L{x + r + 1:g} {y + r:g}L{x - r - 1:g} {y + r:g}Z"


def lines(
    places: Sequence[str], series: Sequence[Series], top: float, tick_words: Sequence[tuple[float, str]]
) -> Chart:
    """Lines over places that stand equally apart (`places` are their words), from 0 up to `top`.

    `tick_words` are the ticks of the y axis: their value and words. A line has a gap where it has no number.
    """
    xs = [_centre(number, len(places)) for number in range(len(places))]
    drawn = []
    for kind, one in enumerate(series):
        marks, parts, part = [], [], list[str]()
        for x, value, words in zip(xs, one.values, one.words, strict=True):
            if value is None:
                parts.append(part)
                part = []
                continue
            y = place(value, 0.0, top, BOTTOM, TOP)
            marks.append(Mark(x, y, shape(kind, x, y), words))
            part.append(f"{x:g},{y:g}")
        parts.append(part)
        drawn.append(Line(one.name, kind, tuple(" ".join(each) for each in parts if len(each) > 1), tuple(marks)))
    return Chart(_x_ticks(places), _y_ticks(top, tick_words), lines=tuple(drawn))


def columns(
    places: Sequence[str], stacks: Sequence[Sequence[tuple[str, float, str]]], tick_words: Sequence[tuple[float, str]]
) -> Chart:
    """Columns of segments, one upon the other: each is its kind, its number and its words. The y axis ends at its last
    tick, or at the highest column.
    """
    top = max([value for value, _ in tick_words] + [sum(number for _, number, _ in stack) for stack in stacks] + [0.0])
    room = (RIGHT - LEFT) / max(len(places), 1)
    segments = []
    for number, stack in enumerate(stacks):
        below = 0.0
        for kind, value, words in stack:
            if value <= 0:
                continue
            start, end = place(below, 0, top, BOTTOM, TOP), place(below + value, 0, top, BOTTOM, TOP)
            x = LEFT + room * (number + _GAP / 2)
            segments.append(
                Segment(round(x, 1), end, round(room * (1 - _GAP), 1), round(max(start - end, 0.5), 1), kind, words)
            )
            below += value
    return Chart(_x_ticks(places), _y_ticks(top, tick_words), segments=tuple(segments))


def bar(parts: Sequence[tuple[str, float]], width: float = 100.0) -> tuple[Segment, ...]:
    """A bar of the given width, divided among its parts (kind and number) by their share; nothing without numbers."""
    total = sum(number for _, number in parts)
    found, x = [], 0.0
    for kind, number in parts:
        if number > 0:
            share = number / total * width
            found.append(Segment(round(x, 2), 0.0, round(share, 2), 8.0, kind, ""))
            x += share
    return tuple(found)


def _centre(number: int, of: int) -> float:
    return round(LEFT + (RIGHT - LEFT) / of * (number + 0.5), 1)


def _x_ticks(places: Sequence[str]) -> tuple[Tick, ...]:
    words = thinned(places, (RIGHT - LEFT) / max(len(places), 1))
    return tuple(Tick(_centre(number, len(places)), each) for number, each in enumerate(words))


def _y_ticks(top: float, words: Sequence[tuple[float, str]]) -> tuple[Tick, ...]:
    return tuple(Tick(place(value, 0.0, top, BOTTOM, TOP), each) for value, each in words)
