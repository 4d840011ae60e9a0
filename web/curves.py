"""Curves over shares: what was said against what was found, and what is wrong against what is judged."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flask_babel import gettext

from store.measured import Reliability, Risk
from web.formats import percent
from web.plot import Tick, place, shape

WIDTH, HEIGHT = 320, 314
_LEFT, _RIGHT, _TOP, _BOTTOM = 48.0, 304.0, 26.0, 270.0
_HEIGHTS = (0.05, 0.1, 0.2, 0.5, 1.0)  # up to which an axis of risk may go
_STEPS = 5
_SMALLEST, _LARGEST = 3.0, 8.0  # radii of points


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a curve, its radius, its mark as an SVG path, and what it says in words."""

    x: float
    y: float
    radius: float
    words: str
    shape: str = ""


@dataclass(frozen=True, slots=True)
class Plot:
    """A frame with its ticks and points. `line` joins the points; `ideal` is the diagonal, both as SVG points or ""."""

    points: tuple[Point, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    line: str
    ideal: str = ""
    width: int = WIDTH
    height: int = HEIGHT
    left: float = _LEFT
    right: float = _RIGHT
    top: float = _TOP
    bottom: float = _BOTTOM


def reliability_plot(bins: Sequence[Reliability], kind: int = 0) -> Plot | None:
    """What was said against what was found; a point's area stands for its pairs. None without points.

    Curves of another `kind` have marks of another shape, so that two of them can be drawn in one frame.
    """
    if not bins:
        return None
    most = max(each.pairs for each in bins)
    points = []
    for each in bins:
        x, y = _x(each.said), _y(each.found, 1.0)
        radius = _SMALLEST + (_LARGEST - _SMALLEST) * math.sqrt(each.pairs / most)
        words = gettext("said %(said)s, found %(found)s", said=percent(each.said), found=percent(each.found))
        points.append(Point(x, y, radius, words, shape(kind, x, y, round(radius, 1))))
    ideal = _joined(((_x(0), _y(0, 1.0)), (_x(1), _y(1, 1.0))))
    return Plot(tuple(points), _x_ticks(), _y_ticks(1.0), _joined((point.x, point.y) for point in points), ideal)


def risk_plot(risks: Sequence[Risk]) -> Plot | None:
    """The share judged wrong against the share judged; the axis of risk ends where it needs to. None without points."""
    if not risks:
        return None
    top = next(height for height in _HEIGHTS if height >= max(each.risk for each in risks))
    points = []
    for each in risks:
        x, y = _x(each.coverage), _y(each.risk, top)
        words = gettext(
            "%(judged)s judged, %(wrong)s of them wrong", judged=percent(each.coverage), wrong=percent(each.risk)
        )
        points.append(Point(x, y, _SMALLEST, words, shape(0, x, y, _SMALLEST)))
    return Plot(tuple(points), _x_ticks(), _y_ticks(top), _joined((point.x, point.y) for point in points))


def _x(share: float) -> float:
    return place(share, 0.0, 1.0, _LEFT, _RIGHT)


def _y(share: float, top: float) -> float:
    return place(share, 0.0, top, _BOTTOM, _TOP)


def _x_ticks() -> tuple[Tick, ...]:
    return tuple(Tick(_x(step / _STEPS), f"{step / _STEPS:.0%}") for step in range(_STEPS + 1))


def _y_ticks(top: float) -> tuple[Tick, ...]:
    return tuple(Tick(_y(top * step / _STEPS, top), f"{top * step / _STEPS:.0%}") for step in range(_STEPS + 1))


def _joined(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)
