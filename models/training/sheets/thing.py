"""An invented thing: its names and values, the things that are its values, and all the facts that follow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar, Union

from models.statement import EntityValue, Term, TimeValue, Value
from models.training.sheets.sheet import Fact

PROPERTIES: dict[str, str] = {
    "P569": "date of birth", "P570": "date of death", "P19": "place of birth", "P20": "place of death",
    "P22": "father", "P25": "mother", "P26": "spouse", "P40": "child", "P3373": "sibling", "P106": "occupation",
    "P39": "position held", "P108": "employer", "P69": "educated at", "P27": "country of citizenship",
    "P166": "award received", "P119": "place of burial", "P1636": "date of baptism",
    "P4602": "date of burial or cremation", "P140": "religion or worldview", "P410": "military or police rank",
    "P241": "military branch", "P512": "academic degree", "P184": "doctoral advisor", "P101": "field of work",
    "P463": "member of", "P57": "director", "P161": "cast member", "P58": "screenwriter", "P86": "composer",
    "P577": "publication date", "P2047": "duration", "P495": "country of origin",
    "P364": "original language of film or TV show", "P136": "genre", "P50": "author", "P123": "publisher",
    "P1104": "number of pages", "P291": "place of publication", "P921": "main subject", "P175": "performer",
    "P162": "producer", "P264": "record label", "P10135": "recording date", "P170": "creator", "P571": "inception",
    "P186": "made from material", "P2048": "height", "P2049": "width", "P195": "collection",
    "P217": "inventory number", "P176": "manufacturer", "P729": "service entry", "P730": "service retirement",
    "P2043": "length", "P1093": "gross tonnage", "P8047": "country of registry", "P127": "owned by",
    "P1448": "official name", "P84": "architect", "P149": "architectural style", "P1435": "heritage designation",
    "P131": "located in the administrative territorial entity", "P17": "country", "P1619": "date of official opening",
    "P1082": "population", "P2046": "area", "P2044": "elevation above sea level", "P6": "head of government",
    "P281": "postal code", "P112": "founded by", "P159": "headquarters location", "P169": "chief executive officer",
    "P452": "industry", "P2139": "total revenue", "P576": "dissolved, abolished or demolished date",
    "P225": "taxon name", "P405": "taxon author", "P171": "parent taxon", "P105": "taxon rank",
    "P54": "member of sports team", "P2031": "work period (start)", "P2067": "mass",
    "P413": "position played on team / speciality", "P467": "legislated by", "P1001": "applies to jurisdiction",
    "P2567": "amended by", "P2568": "repealed by", "P1031": "legal citation of this text", "P7588": "effective date",
    "P177": "crosses", "P403": "mouth of the watercourse", "P274": "chemical formula",
    "P348": "software version identifier", "P178": "developer", "P275": "copyright license", "P585": "point in time",
    "P276": "location", "P1346": "winner", "P138": "named after", "P575": "time of discovery or invention",
    # Times that pages give beside those that Wikidata asks for; no property has such an id.
    "acquired": "date of acquisition", "restored": "date of restoration", "listed": "date of heritage designation",
    "laid_down": "date of keel laying", "launched": "date of ship launch", "moved": "date of relocation",
    "counted": "date of census", "described": "year of first description", "renamed": "date of renaming",
}  # fmt: skip
OWN = frozenset(id_ for id_ in PROPERTIES if not id_.startswith("P"))
# Claims that nobody would call false, though the world has another value: a ship's inception is its launch to some.
_NEARLY = {
    ("event", "P276"): ("P17",),
    ("event", "P131"): ("P276", "P17"),
    ("building", "P131"): ("P17",),
    ("building", "P276"): ("P131", "P17"),
    ("building", "P159"): ("P131",),
    ("town", "P131"): ("P17",),
    ("river", "P131"): ("P17",),
    ("lake", "P131"): ("P17",),
    ("mountain", "P131"): ("P17",),
    ("bridge", "P131"): ("P17",),
    ("company", "P159"): ("P17",),
    ("company", "P131"): ("P159", "P17"),
    ("law", "P17"): ("P1001",),
    ("case", "P17"): ("P1001",),
    ("ship", "P571"): ("launched", "P729", "laid_down"),
    ("ship", "P17"): ("P8047",),
    ("ship", "P495"): ("P8047",),
    ("building", "P571"): ("P1619",),
    ("bridge", "P571"): ("P1619",),
    ("program", "P571"): ("P577",),
    ("program", "P577"): ("P571",),
    ("book", "P571"): ("P577",),
    ("film", "P571"): ("P577",),
    ("record", "P571"): ("P577",),
    ("painting", "P577"): ("P571",),
    ("chemical", "P571"): ("P575",),
    ("species", "P575"): ("described",),
    ("species", "P571"): ("described",),
    ("species", "P577"): ("described",),
    ("mountain", "P2048"): ("P2044",),
    ("law", "P577"): ("P571",),
    ("law", "P585"): ("P571",),
    ("case", "P571"): ("P585",),
    ("case", "P577"): ("P585",),
    ("event", "P571"): ("P585",),
    ("player", "P106"): ("P413",),
    ("building", "P1619"): ("P571",),
    ("film", "P585"): ("P577",),
    ("book", "P585"): ("P577",),
    ("company", "P1619"): ("P571",),
    ("person", "P106"): ("P39",),
    ("town", "P585"): ("counted",),
    ("record", "P123"): ("P264",),
    ("program", "P123"): ("P178",),
}
_INVERSE = {"P22": "P40", "P25": "P40", "P26": "P26", "P3373": "P3373"}


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing: its name, what it is called for short and by its kind, its values, and the things that are values."""

    kind: str
    term: Term
    noun: str
    values: Mapping[str, tuple[Value, ...]]
    related: Mapping[str, tuple[Thing, ...]] = field(default_factory=dict)
    gender: str = "it"
    short: str = ""
    years: tuple[int, int] = (1900, 2000)

    def facts(self) -> tuple[Fact, ...]:
        """All that holds of it and of the things that are its values, and what follows of these."""
        own = [Fact(self.term, property_term(id_), value) for id_, given in self.values.items() for value in given]
        for id_, others in self.related.items():
            for other in others:
                own += other.facts()
                own += inverses(self, id_, other)
        own += _family(self)
        for (kind, id_), nearly in _NEARLY.items():
            if kind in {self.kind, self.noun}:
                given = [value for one in nearly for value in self.values.get(one, ())]
                own += [Fact(self.term, property_term(id_), value) for value in given]
        return tuple(dict.fromkeys(own))


def property_term(id_: str) -> Term:
    """The property of an id."""
    return Term(id_, PROPERTIES[id_])


def inverses(one: Thing, id_: str, other: Thing) -> list[Fact]:
    """What holds of the other when it is a relative of the one."""
    if id_ == "P40" and one.gender != "it":
        back = "P22" if one.gender == "he" else "P25"
    elif id_ in _INVERSE:
        back = _INVERSE[id_]
    else:
        return []
    return [Fact(other.term, property_term(back), EntityValue(one.term))]


def _family(one: Thing) -> list[Fact]:
    """What holds between the relatives of a person."""
    spouses, children = one.related.get("P26", ()), one.related.get("P40", ())
    fathers, mothers = one.related.get("P22", ()), one.related.get("P25", ())
    siblings = one.related.get("P3373", ())
    pairs = [(parent, "P40", child) for parent in spouses for child in children]
    pairs += [(parent, "P40", sibling) for parent in (*fathers, *mothers) for sibling in siblings]
    pairs += [(father, "P26", mother) for father in fathers for mother in mothers]
    pairs += [(a, "P3373", b) for group in (siblings, children) for a in group for b in group if a is not b]
    facts: list[Fact] = []
    for first, id_, second in pairs:
        facts += [Fact(first.term, property_term(id_), EntityValue(second.term)), *inverses(first, id_, second)]
    return facts


Given = Union[Value, Thing, Term, str, None]
Offers = dict[str, Union[Given, Iterable[Given]]]
"""What holds of a thing, by property; None where nothing does."""


def _values(
    given: Offers,
) -> tuple[dict[str, tuple[Value, ...]], dict[str, tuple[Thing, ...]]]:
    """Values and things from what is given by property: things and terms become entities, words items of that name."""
    values: dict[str, tuple[Value, ...]] = {}
    related: dict[str, tuple[Thing, ...]] = {}
    for id_, one in given.items():
        many = tuple(one) if isinstance(one, (list, tuple)) else (one,)
        held = tuple(_value(each) for each in many if each is not None)
        if held:
            values[id_] = held
        things = tuple(each for each in many if isinstance(each, Thing))
        if things and len(things) == len(held):
            related[id_] = things
    return values, related


def _value(given: Value | Thing | Term | str) -> Value:
    match given:
        case Thing():
            return EntityValue(given.term)
        case Term():
            return EntityValue(given)
        case str():
            return EntityValue(Term("", given))
        case _:
            return given


def thing(
    kind: str, term: Term, noun: str, given: Offers, gender: str = "it", short: str = "",
    years: tuple[int, int] = (1900, 2000),
) -> Thing:  # fmt: skip
    """A thing of what is given by property; None is left out."""
    values, related = _values(given)
    return Thing(kind, term, noun, values, related, gender, short or term.label or "", years)


def year(number: int) -> TimeValue:
    """A year."""
    return TimeValue(number, None, None, 9)


def day(random: Random, number: int, loose: float = 0.15) -> TimeValue:
    """A day of a year; now and then a month or the year alone."""
    if random.random() < loose:
        return year(number) if random.random() < 0.7 else TimeValue(number, random.randint(1, 12), None, 10)
    return TimeValue(number, random.randint(1, 12), random.randint(1, 28), 11)


_Made = TypeVar("_Made")


def maybe(random: Random, made: _Made, chance: float = 0.7) -> _Made | None:
    """What was made, as often as `chance` says; else None."""
    return made if random.random() < chance else None
