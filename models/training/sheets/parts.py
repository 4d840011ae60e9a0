"""The parts that layouts are made of: paragraphs, records, tables, lines, titles and notices."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random

from models.statement import QuantityValue, TimeValue
from models.training.sheets import names
from models.training.sheets.dates import MACHINE, date_text, hand
from models.training.sheets.draft import Draft
from models.training.sheets.fill import Filled, Voice, fill, said_by
from models.training.sheets.headers import COMPOUNDS, headers, machine_name
from models.training.sheets.phrases import CAPTIONS, HEADINGS, LIFE_LINES, NOTICES, SITES
from models.training.sheets.sheet import Sheet
from models.training.sheets.thing import OWN, Thing
from models.training.sheets.wordings import ASIDES, CAREER, DEATH, FAMILY, KIN, LIFE, PLAYER
from models.training.sheets.wordings_places import PLACES
from models.training.sheets.wordings_things import THINGS
from models.training.sheets.worlds import made

_LIVES = LIFE + FAMILY + KIN + CAREER + DEATH
_ASIDE = 0.12
_REPEATED = 0.3
_TRIES = 12
_UNITS = {
    "(m)": "metre", "(cm)": "centimetre", "(km)": "kilometre", "(kg)": "kilogram", "(km²)": "square kilometre",
    "(min)": "minute",
}  # fmt: skip
_MANY = {"person": "People", "company": "Companies", "species": "Species"}
_CASES: tuple[Callable[[str], str], ...] = (str, str, str, str, str, str, str.upper, str.lower)
_JOINTS = ("; ", "; ", ", ", " · ", "\n", "\n", ". ", " / ")
_SEPARATORS = (": ", ": ", ": ", ": ", " – ", " - ", ". ", " = ", " ")


def voice(random: Random, prose: bool = True) -> Voice:
    """A page's voice."""
    return Voice(random, hand(random), prose)


def wordings_of(thing: Thing) -> tuple[str, ...]:
    """The sentences for a thing of this kind."""
    if thing.kind == "person":
        return _LIVES
    if thing.kind == "player":
        return PLAYER + LIFE + DEATH
    return THINGS.get(thing.kind) or PLACES[thing.kind]


def distinct(random: Random, kind: str, many: int) -> list[Thing]:
    """Things of a kind; no two things on the page, kin included, have a name in common."""
    things: list[Thing] = []
    seen: set[str] = set()
    while len(things) < many:
        one = made(random, kind)
        named = [name for each in _all_of(one) for name in {name.casefold() for name in each.term.names}]
        if len(named) == len(set(named)) and not seen & set(named):
            things.append(one)
            seen |= set(named)
    return things


def _all_of(thing: Thing) -> Iterator[Thing]:
    yield thing
    for others in thing.related.values():
        for other in others:
            yield from _all_of(other)


def kin(thing: Thing) -> list[Thing]:
    """Its relatives."""
    return [other for id_ in ("P22", "P25", "P26", "P3373", "P40") for other in thing.related.get(id_, ())]


# Beginning and end


def begun(thing: Thing, own: Voice) -> Draft:
    """A page with the thing as its title; now and then the title gives its dates."""
    random = own.random
    name = thing.term.label or ""
    draft = Draft(titled(name, random))
    notices(draft, random, 0.4)
    line = fill(random.choice(LIFE_LINES[:3]), thing, replace(own, prose=False)) if random.random() < 0.12 else None
    if line is not None:
        draft.add([line], "title")
    else:
        draft.plain(draft.title if random.random() < 0.5 else name, "title")
    if random.random() < 0.15:
        lines(draft, thing, own, CAPTIONS, 1, "caption", "")
    return draft


def untitled(random: Random, kind: str) -> Draft:
    """A page whose title names none of its things."""
    many = _MANY.get(kind, f"{kind}s".capitalize())
    draft = Draft(titled(random.choice((many, f"{many} of {_place(random)}", f"List of {many.lower()}")), random))
    notices(draft, random, 0.4)
    draft.plain(draft.title, "title")
    return draft


def titled(name: str, random: Random) -> str:
    """A title with or without the name of a site."""
    site = random.choice(SITES).format(p=_place(random))
    return random.choice((name, f"{name} – {site}", f"{name} | {site}", f"{site}: {name}"))


def ended(draft: Draft, things: Sequence[Thing], random: Random) -> Sheet:
    """The finished sheet, with the site's notices under it."""
    notices(draft, random, 0.6)
    return draft.sheet(things, "made")


def notices(draft: Draft, random: Random, chance: float) -> None:
    """Adds notices of the site that say nothing of the page's things."""
    while random.random() < chance:
        when = TimeValue(random.randint(1996, 2024), random.randint(1, 12), random.randint(1, 28), 11)
        text = random.choice(NOTICES).format(
            y=random.randint(1890, 2024), when=date_text(when, random, hand(random), True)[1], n=random.randint(30, 99),
            p=_place(random), x=names.person(random, random.choice(names.CULTURES), random.random() < 0.5)[0].label,
        )  # fmt: skip
        draft.plain(text, "text", boilerplate=True)


def _place(random: Random) -> str:
    return names.place(random, random.choice(names.CULTURES))


def headed(draft: Draft, random: Random, about: str) -> str:
    """Adds a heading and returns it."""
    heading = random.choice(HEADINGS[about])
    draft.plain(heading, "heading")
    return heading


# Sentences and lines


def filled(thing: Thing, own: Voice, wordings: Sequence[str], most: int) -> list[Filled]:
    """Up to so many different wordings filled, in an order by chance; seldom one that says nothing new."""
    random, told = own.random, set[str]()
    found: list[Filled] = []
    order = random.sample(range(len(wordings)), len(wordings))
    for at in order[: _TRIES * most]:
        if len(found) == most:
            break
        says = said_by(wordings[at])
        if says and says <= told and random.random() > _REPEATED:
            continue
        one = fill(wordings[at], thing, replace(own, mention=_mention(found, thing, own)))
        if one is not None:
            told |= says
            found.append(one)
    return found


def _mention(before: Sequence[Filled], thing: Thing, own: Voice) -> str:
    if not before:
        return "full" if own.random.random() < 0.7 else "short"
    if before[-1].others:  # a pronoun would be another's
        return "full"
    return own.random.choices(("pronoun", "short", "full", "noun"), (9, 6, 3, 3 if thing.gender == "it" else 0))[0]


def paragraph(draft: Draft, thing: Thing, own: Voice, wordings: Sequence[str], heading: str) -> None:
    """Adds one to four sentences as a block, now and then with one of something else."""
    told = filled(thing, own, wordings, own.random.randint(1, 4))
    if not told:
        return
    if own.random.random() < _ASIDE:
        aside = fill(own.random.choice(ASIDES), thing, own)
        assert aside is not None
        told.append(aside)
    draft.add(told, "text", heading)


def lines(
    draft: Draft, thing: Thing, own: Voice, wordings: Sequence[str], most: int, kind: str, heading: str
) -> None:  # fmt: skip
    """Adds up to so many lines, a block each."""
    for line in filled(thing, replace(own, prose=False), wordings, most):
        draft.add([line], kind, heading)


def first_year(text: str) -> int:
    """The first number of four digits, for putting lines in order."""
    found = re.search(r"\d{4}", text)
    return int(found[0]) if found else 0


# Records and tables


def record(draft: Draft, thing: Thing, own: Voice, kind: str, heading: str = "") -> None:
    """Adds labels with their values, a block of the kind each; "joined" puts some of them in one line or paragraph."""
    random = own.random
    if not heading and random.random() < 0.6:
        heading = headed(draft, random, "record")
    by_label = replace(own, prose=False, aliases=0.25)
    between = random.choice(_SEPARATORS) if kind in {"list", "text", "joined"} else ": "
    case = random.choice(_CASES)
    cells = [one for id_ in thing.values if (one := _cell(thing, by_label, id_, between, case)) is not None]
    cells += [one for header, wording in COMPOUNDS if (one := _compound(thing, by_label, header, wording, between))]
    random.shuffle(cells)
    if kind == "table" and random.random() < 0.3:
        draft.plain(f"{random.choice(('Name', 'Full name', 'Title'))}: {thing.term.label}", kind, heading)
    cells = cells[: random.randint(3, 11)]
    while kind == "joined" and cells:
        line, cells = cells[:4], cells[4:]
        draft.add(line, "text", heading, random.choice(_JOINTS))
    for cell in cells:
        draft.add([cell], kind, heading)


def _cell(thing: Thing, own: Voice, id_: str, between: str, case: Callable[[str], str]) -> Filled | None:
    header = own.random.choice(headers(thing.kind, id_))
    how = ""
    unit = next((unit for mark, unit in _UNITS.items() if header.endswith(mark)), "")
    if unit:
        value = thing.values[id_][0]
        if not isinstance(value, QuantityValue) or value.unit is None or value.unit.label != unit:
            header = header.rpartition(" (")[0]
        else:
            how = " bare"
    if len(thing.values[id_]) > 1:
        how += own.random.choice((" *", " ;"))
    if header == "Nationality" and own.random.random() < 0.7:
        how += " adj"
    return fill(f"{case(header)}{between}{{{id_}{how}}}", thing, own)


def _compound(thing: Thing, own: Voice, header: str, wording: str, between: str) -> Filled | None:
    if own.random.random() < 0.5:
        return None
    return fill(f"{own.random.choice(header.split('|'))}{between}{wording}", thing, own)


def values_under_headings(draft: Draft, thing: Thing, own: Voice) -> None:
    """Adds headings that name a property, and under each its values, a line each."""
    random = own.random
    by_name = replace(own, prose=False)
    for id_ in random.sample(sorted(thing.values), min(len(thing.values), random.randint(2, 5))):
        heading = random.choice([one for one in headers(thing.kind, id_) if not one.endswith(")")])
        draft.plain(heading, "heading")
        for number in range(len(thing.values[id_])):
            behind = random.choice(("", "", "", " ({y})", " … {x}", ", {p}")) if id_ in thing.related else ""
            line = fill(f"{{{id_} #{number}}}{behind}", thing, by_name)
            if line is not None:
                draft.add([line], "list", heading)


def table(draft: Draft, things: Sequence[Thing], random: Random) -> None:
    """Adds a row for each thing: its name and some of its values under the same headers."""
    own = replace(voice(random, prose=False), aliases=0.25)
    heading = headed(draft, random, "table")
    shared = sorted({id_ for thing in things for id_ in thing.values})
    times = [id_ for id_ in shared if any(_is_time(thing, id_) for thing in things)]
    columns = random.sample(times, min(len(times), random.choice((0, 1, 2, 2))))
    columns += random.sample(shared, min(len(shared), random.randint(2, 6)))
    columns = random.sample(columns, len(columns))
    columns = list(dict.fromkeys(columns))
    wordings = []
    for id_ in columns:
        header = random.choice([one for one in headers(things[0].kind, id_) if not one.endswith(")")])
        how = " y" if id_ in {"P569", "P570", "P571", "P577"} and random.random() < 0.4 else ""
        wordings.append(f"{header}: {{{id_}{how}}}")
    form = random.randrange(5)
    label = random.choice(("Name", "Title", "Name", "Entry", "Full name"))
    for thing in things:
        name = thing.term.names[min(form, 3, len(thing.term.names) - 1) if form > 1 else 0]
        name = name.replace(thing.short, thing.short.upper()) if form == 4 and thing.kind == "person" else name
        row = [Filled((f"{label}: {name}",), ())]
        row += [one for wording in wordings if (one := fill(wording, thing, own)) is not None]
        at = random.choice((0, 0, 0, 1)) if len(row) > 1 else 0
        row.insert(at, row.pop(0))
        draft.add(row, "table", heading, "; ")


def _is_time(thing: Thing, id_: str) -> bool:
    return any(isinstance(value, TimeValue) for value in thing.values.get(id_, ()))


def machine_facts(draft: Draft, thing: Thing, random: Random) -> None:
    """Adds facts for machines, a block each."""
    own = Voice(random, MACHINE, prose=False)
    if random.random() < 0.7:
        draft.plain(f"name: {thing.term.label}", "structured")
    for id_ in thing.values:
        name = machine_name(id_)
        if name is not None and id_ not in OWN and random.random() < 0.8:
            line = fill(f"{name}: {{{id_}}}", thing, own)
            if line is not None:
                draft.add([replace(line, parts=(name[:1] + line.parts[0][1:],))], "structured")
