"""Sheets from InfoTabS: Wikipedia's infoboxes as the records of a web page, with what their rows mean in Wikidata."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from models.read.page import Block, Page
from models.read.sentences import passages_of, split
from models.statement import EntityValue, QuantityValue, Term, TimeValue, Value
from models.training.rows import MALFORMED, BadRows, as_list, json_lines, writable
from models.training.sheets.sheet import Fact, Said, Sheet
from models.values.dates import find_dates
from models.values.quantities import find_quantities

_TIME, _THING, _AMOUNT, _PLACE = "time", "thing", "amount", "place"

# Header, as the kind of value in its cell and the property that it gives.
_ROWS = (
    ("Born", _TIME, "P569", "date of birth"), ("Born", _PLACE, "P19", "place of birth"),
    ("Died", _TIME, "P570", "date of death"), ("Died", _PLACE, "P20", "place of death"),
    ("Foaled", _TIME, "P569", "date of birth"), ("Occupation", _THING, "P106", "occupation"),
    ("Occupation(s)", _THING, "P106", "occupation"), ("Genres", _THING, "P136", "genre"),
    ("Genre", _THING, "P136", "genre"), ("Labels", _THING, "P264", "record label"),
    ("Label", _THING, "P264", "record label"), ("Country", _THING, "P17", "country"),
    ("Nationality", _THING, "P27", "country of citizenship"), ("Citizenship", _THING, "P27", "country of citizenship"),
    ("Spouse(s)", _THING, "P26", "spouse"), ("Spouse", _THING, "P26", "spouse"), ("Children", _THING, "P40", "child"),
    ("Father", _THING, "P22", "father"), ("Mother", _THING, "P25", "mother"),
    ("Sire", _THING, "P22", "father"), ("Dam", _THING, "P25", "mother"),
    ("Directed by", _THING, "P57", "director"), ("Produced by", _THING, "P162", "producer"),
    ("Producer", _THING, "P162", "producer"), ("Starring", _THING, "P161", "cast member"),
    ("Written by", _THING, "P58", "screenwriter"), ("Screenplay by", _THING, "P58", "screenwriter"),
    ("Music by", _THING, "P86", "composer"), ("Cinematography", _THING, "P344", "director of photography"),
    ("Edited by", _THING, "P1040", "film editor"), ("Distributed by", _THING, "P750", "distributed by"),
    ("Production company", _THING, "P272", "production company"),
    ("Language", _THING, "P407", "language of work or name"),
    ("Release date", _TIME, "P577", "publication date"), ("Released", _TIME, "P577", "publication date"),
    ("Publication date", _TIME, "P577", "publication date"), ("Publisher", _THING, "P123", "publisher"),
    ("Running time", _AMOUNT, "P2047", "duration"), ("Box office", _AMOUNT, "P2142", "box office"),
    ("Budget", _AMOUNT, "P2769", "budget"), ("Artist", _THING, "P170", "creator"), ("Year", _TIME, "P571", "inception"),
    ("Medium", _THING, "P186", "made from material"), ("Founded", _TIME, "P571", "inception"),
    ("Established", _TIME, "P571", "inception"), ("Founder", _THING, "P112", "founded by"),
    ("Headquarters", _PLACE, "P159", "headquarters location"), ("Industry", _THING, "P452", "industry"),
    ("Manufacturer", _THING, "P176", "manufacturer"), ("Owner", _THING, "P127", "owned by"),
    ("Operator", _THING, "P137", "operator"), ("Alma mater", _THING, "P69", "educated at"),
    ("Education", _THING, "P69", "educated at"), ("Institutions", _THING, "P108", "employer"),
    ("Awards", _THING, "P166", "award received"), ("Residence", _PLACE, "P551", "residence"),
    ("Resting place", _PLACE, "P119", "place of burial"),
    ("Political party", _THING, "P102", "member of political party"),
    ("Religion", _THING, "P140", "religion"), ("Instruments", _THING, "P1303", "instrument"),
    ("Capital", _THING, "P36", "capital"), ("Official languages", _THING, "P37", "official language"),
    ("Mayor", _THING, "P6", "head of government"), ("Elevation", _AMOUNT, "P2044", "elevation above sea level"),
    ("Height", _AMOUNT, "P2048", "height"), ("Opened", _TIME, "P1619", "date of official opening"),
    ("Fields", _THING, "P101", "field of work"), ("Country of origin", _THING, "P495", "country of origin"),
    ("Cause of death", _THING, "P509", "cause of death"), ("Number of employees", _AMOUNT, "P1128", "employees"),
    ("Based on", _THING, "P144", "based on"), ("Location", _PLACE, "P276", "location"),
    ("Introduced", _TIME, "P571", "inception"), ("Parent(s)", _THING, "P8810", "parent"),
)  # fmt: skip
_LONGEST = 600  # characters of a row
_ASIDE = re.compile(r"\s*\([^()]*\)")
_NAME = re.compile(r"[^\W\d_][^,;:]{1,60}")
_SPLIT_PLACE = re.compile(r"\s*,\s*")


def infobox_sheets(path: Path, random: Random) -> Iterator[Sheet]:
    """A sheet for each table of a file of InfoTabS'. Raises `BadRows`."""
    for number, row in json_lines(path):
        try:
            yield _sheet(writable(row)["table"], random)
        except MALFORMED as error:
            raise BadRows(f"{path}, line {number}: not a table of InfoTabS' ({error})") from error


def _sheet(table: Mapping[str, Any], random: Random) -> Sheet:
    title = str(as_list(table["title"])[0])
    kind, between = random.choice((("table", ": "), ("definition", ": "), ("list", ": "), ("text", " ")))
    blocks, said = [Block(title, "title")], list[Said]()
    for header, listed in table.items():
        if header == "title":
            continue
        cells = [str(cell) for cell in as_list(listed)]
        text = f"{header}{between}{random.choice((', ', '; ', ' ')).join(cells)}"[:_LONGEST]
        blocks.append(Block(text, kind))
        whole = frozenset({0}) if len(split(blocks[-1].text)) == 1 or kind == "table" else frozenset[int]()
        shown = [cell for cell in cells if cell in text]
        said += [Said(fact, len(blocks) - 1, whole) for fact in facts_of(title, header, shown)]
    page = tuple(blocks)
    return Sheet(Page(title, "en", page, passages_of(page)), tuple(said), (), "infotabs")


def facts_of(title: str, header: str, cells: Sequence[str]) -> Iterator[Fact]:
    """What a row of an infobox says, by its header."""
    for name, kind, property_id, label in _ROWS:
        if name == header:
            for value in _values(kind, cells):
                yield Fact(Term("", _ASIDE.sub("", title)), Term(property_id, label), value)


def _values(kind: str, cells: Sequence[str]) -> Iterator[Value]:
    text = " , ".join(cells)
    if kind == _TIME:
        dates = [one for one in find_dates(text) if one.span == 1 and not one.other and not one.bound and not one.role]
        if dates:
            date = max(dates, key=lambda one: (one.day is not None, one.month is not None, -one.start))
            yield TimeValue(date.year, date.month, date.day, 11 if date.day else 10 if date.month else 9)
    elif kind == _AMOUNT:
        found = find_quantities(text)
        if found:
            unit = Term("", found[0].unit) if found[0].unit else None
            yield QuantityValue(found[0].amount, unit=unit)
    elif kind == _PLACE:
        places = [one for one in _SPLIT_PLACE.split(_ASIDE.sub("", text)) if _NAME.fullmatch(one) and one[0].isupper()]
        if places and not any(char.isdigit() for char in places[-1]):
            yield EntityValue(Term("", places[-2] if len(places) > 1 else places[-1]))
    else:
        for cell in cells[:6]:
            name = _ASIDE.sub("", cell).strip(" ,;")
            if _NAME.fullmatch(name):
                yield EntityValue(Term("", name))
