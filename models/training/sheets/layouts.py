"""Sheets of invented things in the layouts of the web: records, labels, biographies, tables, registers, timelines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from models.training.sheets import parts
from models.training.sheets.fill import Filled
from models.training.sheets.phrases import CATALOGUE, IDLE, KIN_LINES, LIFE_LINES, OBITUARY, TIMELINE
from models.training.sheets.sheet import Sheet
from models.training.sheets.wordings import CAREER, DEATH, FAMILY, KIN, LIFE
from models.training.sheets.worlds import kinds

Layout = Callable[[Random, str], Sheet]


def made_sheets(seed: int, count: int) -> Iterator[Sheet]:
    """That many sheets; the same for a seed."""
    for number in range(count):
        yield made_sheet(Random(f"{seed} {number}"))  # noqa: S311 - invented pages, no secret


def made_sheet(random: Random) -> Sheet:
    """A sheet in one of the layouts."""
    kind = kinds(random)
    layouts = PEOPLE if kind == "person" else THINGS
    layout = random.choices([one for one, _ in layouts], [share for _, share in layouts])[0]
    return layout(random, kind)


def biography(random: Random, kind: str) -> Sheet:
    """A life in sentences, under headings."""
    (one,) = parts.distinct(random, kind, 1)
    voice = parts.voice(random)
    draft = parts.begun(one, voice)
    if random.random() < 0.5:
        parts.lines(draft, one, voice, LIFE_LINES, 1, "text", "")
    sections = [("life", LIFE), ("family", FAMILY + KIN), ("career", CAREER), ("death", DEATH)]
    if random.random() < 0.25:
        sections = [("life", LIFE + FAMILY + KIN + CAREER + DEATH)]
    for about, wordings in sections:
        if random.random() < 0.85:
            heading = parts.headed(draft, random, about)
            for _ in range(random.choice((1, 1, 1, 2))):
                parts.paragraph(draft, one, voice, wordings, heading)
    if random.random() < 0.3:
        parts.record(draft, one, voice, "table")
    return parts.ended(draft, [one], random)


def about(random: Random, kind: str) -> Sheet:
    """A thing in sentences."""
    (one,) = parts.distinct(random, kind, 1)
    voice = parts.voice(random)
    draft = parts.begun(one, voice)
    for number in range(random.choice((1, 2, 3))):
        heading = parts.headed(draft, random, "about") if number or random.random() < 0.5 else ""
        parts.paragraph(draft, one, voice, parts.wordings_of(one), heading)
    if random.random() < 0.3:
        parts.record(draft, one, voice, "table")
    return parts.ended(draft, [one], random)


def record(random: Random, kind: str) -> Sheet:
    """A record of one thing: rows, entries or lines, each a label and a value."""
    (one,) = parts.distinct(random, kind, 1)
    voice = parts.voice(random)
    draft = parts.begun(one, voice)
    parts.record(draft, one, voice, random.choice(("table", "table", "definition", "list", "text", "joined")))
    if random.random() < 0.4:
        parts.paragraph(draft, one, voice, parts.wordings_of(one), "")
    return parts.ended(draft, [one], random)


def machine(random: Random, kind: str) -> Sheet:
    """Facts for machines, beside a sentence or two."""
    (one,) = parts.distinct(random, kind, 1)
    voice = parts.voice(random)
    draft = parts.begun(one, voice)
    parts.machine_facts(draft, one, random)
    if random.random() < 0.6:
        parts.paragraph(draft, one, voice, parts.wordings_of(one), "")
    return parts.ended(draft, [one], random)


def genealogy(random: Random, kind: str) -> Sheet:
    """A family: a life line, lines of relatives with their own dates, labels."""
    (one,) = parts.distinct(random, kind, 1)
    voice = parts.voice(random, prose=False)
    draft = parts.begun(one, voice)
    parts.lines(draft, one, voice, LIFE_LINES, 1, "text", "")
    heading = parts.headed(draft, random, "family")
    parts.lines(draft, one, voice, KIN_LINES, random.randint(2, 7), "list", heading)
    for relative in parts.kin(one)[: random.choice((0, 2, 4))]:
        parts.lines(draft, relative, voice, LIFE_LINES, 1, "list", heading)
    if random.random() < 0.5:
        parts.record(draft, one, voice, "definition")
    return parts.ended(draft, [one], random)


def obituary(random: Random, kind: str) -> Sheet:
    """A notice of a death."""
    (one,) = parts.distinct(random, kind, 1)
    voice = parts.voice(random)
    draft = parts.begun(one, voice)
    parts.paragraph(draft, one, voice, OBITUARY, "")
    parts.paragraph(draft, one, voice, OBITUARY + FAMILY, "")
    return parts.ended(draft, [one], random)


def roll(random: Random, kind: str) -> Sheet:
    """A table of several things, one a row."""
    things = parts.distinct(random, kind, random.randint(2, 4))
    draft = parts.untitled(random, kind)
    parts.table(draft, things, random)
    return parts.ended(draft, things, random)


def entries(random: Random, kind: str) -> Sheet:
    """A list of several things, one a line."""
    things = parts.distinct(random, kind, random.randint(2, 4))
    voice = parts.voice(random, prose=False)
    draft = parts.untitled(random, kind)
    heading = parts.headed(draft, random, "table")
    wordings = LIFE_LINES if kind == "person" else CATALOGUE.get(kind)
    if wordings is None:
        parts.table(draft, things, random)
        return parts.ended(draft, things, random)
    for one in things:
        parts.lines(draft, one, voice, wordings, 1, random.choice(("list", "list", "text", "caption")), heading)
    return parts.ended(draft, things, random)


def catalogue(random: Random, kind: str) -> Sheet:
    """One thing as a label or a catalogue gives it."""
    (one,) = parts.distinct(random, kind, 1)
    voice = parts.voice(random, prose=False)
    draft = parts.begun(one, voice)
    parts.lines(draft, one, voice, CATALOGUE.get(kind, ()), 2, random.choice(("caption", "text")), "")
    parts.record(draft, one, voice, "definition")
    return parts.ended(draft, [one], random)


def sections(random: Random, kind: str) -> Sheet:
    """Several things on a page, each under its name."""
    things = parts.distinct(random, kind, random.randint(2, 3))
    voice = parts.voice(random)
    draft = parts.untitled(random, kind)
    for one in things:
        name = one.term.label or ""
        draft.plain(name, "heading")
        parts.paragraph(draft, one, voice, parts.wordings_of(one), name)
        if random.random() < 0.3:
            parts.record(draft, one, voice, "definition", name)
    return parts.ended(draft, things, random)


def timeline(random: Random, kind: str) -> Sheet:
    """Years and what happened to the thing of the title in them."""
    (one,) = parts.distinct(random, kind, 1)
    voice = parts.voice(random, prose=False)
    draft = parts.begun(one, voice)
    heading = parts.headed(draft, random, "about")
    made: list[Filled] = parts.filled(one, voice, TIMELINE, random.randint(3, 8))
    made += parts.filled(one, voice, IDLE.get(kind, ()), random.randint(0, 3))
    for line in sorted(made, key=lambda one: parts.first_year(one.text)):
        draft.add([line], "list", heading)
    if random.random() < 0.4:
        parts.paragraph(draft, one, parts.voice(random), parts.wordings_of(one), "")
    return parts.ended(draft, [one], random)


def headings(random: Random, kind: str) -> Sheet:
    """Headings that name a property, and values under them."""
    (one,) = parts.distinct(random, kind, 1)
    voice = parts.voice(random)
    draft = parts.begun(one, voice)
    parts.values_under_headings(draft, one, voice)
    if random.random() < 0.4:
        parts.paragraph(draft, one, voice, parts.wordings_of(one), "")
    return parts.ended(draft, [one], random)


PEOPLE: tuple[tuple[Layout, int], ...] = (
    (biography, 10), (record, 5), (machine, 1), (genealogy, 4), (obituary, 3), (roll, 3), (entries, 3), (sections, 3),
    (timeline, 2), (headings, 2),
)  # fmt: skip
THINGS: tuple[tuple[Layout, int], ...] = (
    (about, 7), (record, 5), (machine, 1), (roll, 3), (entries, 3), (catalogue, 3), (sections, 3), (timeline, 2),
    (headings, 2),
)  # fmt: skip
