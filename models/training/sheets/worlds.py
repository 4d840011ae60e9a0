"""Invented things of every kind, each with all that holds of it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from models.training.sheets import people, places, works
from models.training.sheets.thing import Thing


def relative(random: Random) -> Thing:
    """A person with a family."""
    return people.person(random, kin=True)


MAKERS: dict[str, Callable[[Random], Thing]] = {
    "person": relative, "player": people.player, "film": works.film, "book": works.book, "record": works.record,
    "painting": works.painting, "program": works.program, "law": works.law, "building": places.building,
    "town": places.town, "ship": places.ship, "company": places.company, "species": places.species,
    "water": places.water, "chemical": places.chemical, "event": places.event,
}  # fmt: skip
_SHARES = {"person": 9, "film": 2, "book": 2, "painting": 2, "building": 2, "town": 2, "ship": 2, "company": 2}


def kinds(random: Random) -> str:
    """A kind, people most often."""
    return random.choices(list(MAKERS), [_SHARES.get(kind, 1) for kind in MAKERS])[0]


def made(random: Random, kind: str) -> Thing:
    """A thing of a kind."""
    return MAKERS[kind](random)
