"""Coordinates in running text, and how they compare with a statement's place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import cos, radians

from models.statement import CoordinateValue


@dataclass(frozen=True, slots=True)
class CoordinateMention:
    """A place that a text gives, at a character span: degrees, north and east positive.

    `step` is half of the last place that is written, in degrees.
    """

    start: int
    end: int
    latitude: float
    longitude: float
    step: float


# One half: degrees, perhaps minutes and seconds, and a letter before or behind. Blanks are bounded, so that no text
# takes more than its length.
_BLANK = r"[ \u00a0\u2009\u202f\t]{0,3}"
_LETTER = rf"{_BLANK}[NSEW]\b"
_SIXTIETHS = r"[0-5]?\d(?:[.,]\d{1,12})?"
_NAME = rf"(?P<name>lat(?:itude)?|lon(?:g(?:itude)?)?|lng)\b[.:=]{{0,2}}{_BLANK}[:=]?{_BLANK}"
_BEFORE = rf"(?P<before>[NSEW](?:orth|outh|ast|est)?\b\.?{_BLANK}|[NSEW](?=\d))"
_AFTER = rf"(?(before)|(?P<after>{_BLANK}(?:[NSEW](?![^\W\d_])|North|South|East|West))?)"
_DEGREES = rf"(?P<sign>[-−–+]{_BLANK})?(?P<degrees>\d{{1,3}}(?:[.,]\d{{1,15}})?)(?!\d)"
_MARK = (
    rf"(?:{_BLANK}(?P<mark>[°º˚]|deg(?:rees)?\b\.?|d(?=\d))"
    rf"|(?P<colon>[: \u00a0](?=\d{{1,2}}[: \u00a0'’′.]{{1,2}}\d|{_SIXTIETHS}{_LETTER})))?"
)
_MINUTES = (
    rf"{_BLANK}(?P<minutes>{_SIXTIETHS})(?!\d)"
    rf"(?:{_BLANK}(?:['’′´ʹ](?!['’′])|min\b\.?|m(?=\d))|[: \u00a0](?=\d)|(?={_LETTER}))"
)
_SECONDS = (
    rf"{_BLANK}(?P<seconds>{_SIXTIETHS})(?!\d)"
    rf"(?:{_BLANK}(?:[\"”″ʺ]|['’′]{{2}}|sec\b\.?|s\b)|(?={_LETTER}|{_BLANK}(?:[,;]|$)))"
)
_HALF = re.compile(
    rf"(?:(?<![\w.,-])|(?<=\d)(?=[-−]\d)|(?<=\d,)(?=[-−]?\d{{1,3}}\.))(?:{_NAME})?{_BEFORE}?{_DEGREES}{_MARK}(?:{_MINUTES}(?:{_SECONDS})?)?{_AFTER}",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[ \u00a0\t\n]{0,3}[,;/|·]?[ \u00a0\t\n]{0,3}(?:and |by )?\(?")
_NEAR = 16  # characters between the halves of a pair
_MOST = 500
_PLACES = 3  # decimals that bare numbers need at least, to be degrees


@dataclass(frozen=True, slots=True)
class _Half:
    start: int
    end: int
    degrees: float
    step: float
    axis: str
    bare: bool
    places: int


def find_coordinates(text: str) -> list[CoordinateMention]:
    """Every pair of latitude and longitude of a text, in order: "51.47°N 0.01°W", "51°28′40″N 0°0′5″W", "51 28 40 N",
    "Lat: 51.47, Long: -0.01", "51.4778, -0.0014".

    Numbers without letters count as a pair if each has minutes or at least three places, and both lie within a
    globe's range; latitude comes first, but for WKT's "POINT(-0.0014 51.4778)".
    """
    found: list[CoordinateMention] = []
    previous: _Half | None = None
    for half in _halves(text):
        near = previous is not None and half.start - previous.end <= _NEAR
        if previous is not None and near and _BETWEEN.fullmatch(text, previous.end, half.start):
            first, second = previous, half
            if not previous.axis and text[max(0, previous.start - 6) : previous.start].casefold() == "point(":
                first, second = replace(half, start=previous.start), replace(previous, end=half.end)
            mention = _paired(first, second)
            if mention is not None:
                found.append(mention)
                previous = None
                if len(found) >= _MOST:
                    break
                continue
        previous = half
    return found


def _halves(text: str) -> Iterator[_Half]:
    for match in _HALF.finditer(text):
        group = match.group
        numbers = [group("degrees"), group("minutes"), group("seconds")]
        if group("minutes") and not (group("mark") or group("colon") or group("after") or group("before")):
            numbers = [group("degrees"), None, None]
        given = [number.replace(",", ".") for number in numbers if number]
        degrees = sum(float(number) / 60**power for power, number in enumerate(given))
        places = len(given[-1].partition(".")[2])
        step = 0.5 * 10.0**-places / 60 ** (len(given) - 1)
        name, letter = (
            (group("name") or "").casefold(),
            (group("before") or group("after") or "").strip()[:1].casefold(),
        )
        axis = "lat" if name.startswith("la") or letter in {"n", "s"} else "long" if name or letter else ""
        if letter in {"s", "w"} or (group("sign") or "+").strip() != "+":
            degrees = -degrees
        if abs(degrees) > 360 or (axis == "lat" and abs(degrees) > 90):
            continue
        bare = not (axis or group("mark"))
        yield _Half(match.start(), match.end(), degrees, step, axis, bare, places if len(given) == 1 else 9)


def _paired(first: _Half, second: _Half) -> CoordinateMention | None:
    if first.axis == second.axis and first.axis:
        return None
    if not (first.axis and second.axis) and min(first.places, second.places) < _PLACES:
        return None
    latitude, longitude = (second, first) if first.axis == "long" or second.axis == "lat" else (first, second)
    if abs(latitude.degrees) > 90:
        if first.axis or second.axis or abs(longitude.degrees) > 90:
            return None
        latitude, longitude = longitude, latitude
    east = longitude.degrees - 360 if longitude.degrees > 180 else longitude.degrees
    if abs(east) > 180:
        return None
    return CoordinateMention(first.start, second.end, latitude.degrees, east, max(first.step, second.step))


_FAR = 10.0  # times the tolerance, from which a place is another one
_LEAST = 1e-6  # degrees: a tenth of a metre
_DEFAULT = 1 / 3600  # where a statement gives no precision: a second of arc
_COARSE = 0.02  # degrees: what is written no finer than this says less than a statement finer than this


def compare(value: CoordinateValue, mention: CoordinateMention) -> str:
    """How a place of a text stands to a statement's: "exact" within the statement's precision or the text's last place,
    "coarser" where the text's place is much rougher and agrees, "unclear" a little farther off, "conflict" from ten
    tolerances off. Longitudes are compared as the distance that they are at that latitude.
    """
    ours = max(value.precision if value.precision else _DEFAULT, _LEAST)
    north = abs(value.latitude - mention.latitude)
    east = abs(value.longitude - mention.longitude) % 360
    east = min(east, 360 - east)
    narrowed = max(cos(radians(value.latitude)), 0.01)
    off = max(north, east * narrowed)
    tolerance = max(ours, 2 * mention.step) * (1 + 1e-9)  # a page cuts as often as it rounds
    if off <= tolerance:
        return "coarser" if mention.step >= _COARSE and mention.step > 5 * ours else "exact"
    return "conflict" if off > _FAR * tolerance else "unclear"
