"""The invented people that the web of trouble writes about: who they are, and a page that says so."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from html import escape

GIVEN = "Ada Boris Clara Dmitri Edith Farid Greta Henri Ines Jonas Karin Leopold Mona Nils Olga Pedro".split()
MIDDLE = "Alba Brandt Corvin Dale Ember Frost Gale Hollis Ives Jarvis Keld Lund Marlow North Orme Pell Quill".split()
FAMILY = "Abelard Bergsma Castell Dorrit Eklund Farrow Grimaud Hartwell Iversen Jelinek Kastner Lindqvist".split()
TOWNS = tuple("Altheim Breverton Corvale Dunmere Eastholm Farbury Greywick Harrowgate Islay Junewell".split())
WRONG = 7  # of so many pages, one gives another day of birth
_FIRST = date(1901, 2, 3)


@dataclass(frozen=True, slots=True)
class Person:
    """One of the invented people; `number` says all the rest."""

    number: int

    @property
    def name(self) -> str:
        """A name that no other number below 3,000 has."""
        given = GIVEN[self.number % len(GIVEN)]
        middle = MIDDLE[self.number // len(GIVEN) % len(MIDDLE)]
        family = FAMILY[self.number // (len(GIVEN) * len(MIDDLE)) % len(FAMILY)]
        return f"{given} {middle} {family}"

    @property
    def born(self) -> date:
        """The day of birth."""
        return _FIRST + timedelta(days=self.number * 37 % 30_000)

    @property
    def town(self) -> int:
        """The place of birth, as a place in `TOWNS`."""
        return self.number % len(TOWNS)


def article(person: Person, wrong: bool = False) -> str:
    """A page in HTML about a person; a wrong one gives a day of birth some years off."""
    born = person.born + timedelta(days=4_000 if wrong else 0)
    name, town = escape(person.name), TOWNS[person.town]
    return (
        f"<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>{name}</title></head><body><main>"
        f"<h1>{name}</h1>"
        f"<p>{name} (born {_day(born)} in {town}) is a cartographer who drew the harbours of the northern coast.</p>"
        f"<p>The maps were printed by a small press and are still used by the pilots who bring ships into port. "
        f"Two museums hold the original sheets, and a catalogue of them was published by the county library.</p>"
        f"</main></body></html>"
    )


def _day(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"
