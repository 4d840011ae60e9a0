"""Coordinates in the writings of pages, and what is near enough."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.statement import CoordinateValue
from models.values.coordinates import compare, find_coordinates

GREENWICH = CoordinateValue(51.4778, -0.0014, 0.0001)


@pytest.mark.parametrize(
    "text",
    [
        "51.4778°N 0.0014°W",
        "51.4778, -0.0014",
        "51.4778,-0.0014",
        "51.4778-0.0014",
        "51.4778° N, 0.0014° W",
        "51,4778° N; 0,0014° W",
        "51.4778° north, 0.0014° west",
        "N 51.4778 W 0.0014",
        "Lat: 51.4778, Long: -0.0014",
        "Latitude: 51.4778; Longitude: −0.0014",
        "longitude -0.0014, latitude 51.4778",
        "latitude: 51.4778\nlongitude: -0.0014",
        "51°28′40″N 0°0′5″W",
        "51° 28' 40\" N, 0° 0' 5\" W",
        "51 28 40 N 0 0 5 W",
        "51:28:40 N, 0:0:5 W",
        "N51°28.668' W000°00.084'",
        "POINT(-0.0014 51.4778)",
        "51°28′40″N, 359°59′55″E",
    ],
)
def test_one_place_in_several_writings(text: str) -> None:
    (mention,) = find_coordinates(f"It lies at {text} (map)")
    assert compare(GREENWICH, mention) == "exact"
    assert text.startswith("POINT") or f"It lies at {text} (map)"[mention.start : mention.end] == text


def test_rough_coordinates_are_coarser_and_far_ones_another_place() -> None:
    for text, verdict in (
        ("51.5°N 0.0°W", "coarser"),
        ("51°N 0°W", "coarser"),
        ("51°28′N 0°00′W", "exact"),
        ("51.4781°N 0.0014°W", "unclear"),
        ("52.4778, -1.0014", "conflict"),
        ("51.4778, 0.1014", "conflict"),
        ("51.4778 S, 0.0014 W", "conflict"),
    ):
        (mention,) = find_coordinates(text)
        assert compare(GREENWICH, mention) == verdict, text


@pytest.mark.parametrize(
    "text",
    [
        "1.5, 2.5",
        "prices 12.99, 13.99",
        "12° and 15°",
        "in 1990, 2000",
        "5 m, 6 m",
        "95.123 N, 10.123 E",
        "123.4567, 234.5678",
        "10.1234.567",
        "192.168.1.1",
        "51.4778°N only",
        "N. S. E. W.",
    ],
)
def test_other_numbers_are_no_place(text: str) -> None:
    assert find_coordinates(text) == []


@given(st.floats(-89, 89), st.floats(-179, 179))
def test_any_place_is_found_in_every_writing(latitude: float, longitude: float) -> None:
    value = CoordinateValue(latitude, longitude, 0.0001)
    north, east = "N" if latitude >= 0 else "S", "E" if longitude >= 0 else "W"
    halves = []
    for degrees in (abs(latitude), abs(longitude)):
        seconds = round(degrees * 3600, 1)
        halves.append(f"{int(seconds // 3600)}°{int(seconds % 3600 // 60)}′{seconds % 60:.1f}″")
    for text in (
        f"{latitude:.5f}, {longitude:.5f}",
        f"{abs(latitude):.5f}° {north}, {abs(longitude):.5f}° {east}",
        f"{halves[0]}{north} {halves[1]}{east}",
    ):
        (mention,) = find_coordinates(text)
        assert compare(value, mention) == "exact"


@given(st.text(max_size=200))
def test_no_text_breaks_the_search(text: str) -> None:
    for mention in find_coordinates(text):
        assert 0 <= mention.start < mention.end <= len(text)
        compare(GREENWICH, mention)


@pytest.mark.parametrize("piece", ["1 ", "1.1, ", "51°28'", "N ", "9", "1:1:", "lat ", "- ", "° ' \" "])
def test_hostile_text_takes_time_in_proportion(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    started = time.process_time()
    find_coordinates(text)
    assert time.process_time() - started < 5
