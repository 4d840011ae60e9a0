"""Invented works and what is made: films, books, records, paintings, programs, laws and judgments."""

from __future__ import annotations

from random import Random

from models.statement import Term, TextValue
from models.training.sheets import names
from models.training.sheets.dates import amount
from models.training.sheets.people import person
from models.training.sheets.thing import Offers, Thing, day, maybe, thing, year

_FILM_GENRES = (
    "drama film",
    "comedy film",
    "thriller film",
    "documentary film",
    "western film",
    "war film",
    "horror film",
)
_MUSIC = ("jazz", "folk music", "indie rock", "soul music", "electronic music", "country music", "blues", "synth-pop")
_SUBJECTS = (
    "beekeeping",
    "railway history",
    "naval warfare",
    "folk music",
    "astronomy",
    "slavery",
    "medieval trade",
    "cholera",
    "rice cultivation",
    "urban planning",
    "lighthouses",
    "the fur trade",
    "glaciers",
    "bookbinding",
    "inflation",
)
_MATERIALS = (
    "oil paint",
    "bronze",
    "marble",
    "watercolor paint",
    "oak wood",
    "silver",
    "terracotta",
    "porcelain",
    "glass",
)
_OBJECTS = {"oil paint": "painting", "watercolor paint": "painting", "bronze": "statue", "marble": "sculpture"}
_LICENCES = ("MIT License", "GNU General Public License", "Apache License", "BSD License", "Mozilla Public License")


def _people(random: Random, culture: int, born: int, many: int, work: str) -> list[Thing]:
    return [person(random, culture, born - random.randint(0, 25), work=work) for _ in range(many)]


def film(random: Random) -> Thing:
    """A film with its people."""
    culture, made = random.choice(names.CULTURES), random.randint(1922, 2022)
    born = made - 25
    given: Offers = {
        "P57": _people(random, culture, born, 1, "film director"),
        "P161": _people(random, culture, born, random.randint(2, 5), "actor"),
        "P58": _people(random, culture, born, random.choice((1, 1, 2)), "screenwriter"),
        "P86": maybe(random, _people(random, culture, born, 1, "composer")[0]),
        "P162": maybe(random, _people(random, culture, born, 1, "film producer")[0]),
        "P577": day(random, made, 0.3),
        "P2047": amount(random.randint(62, 178), "minute"),
        "P495": names.country(culture),
        "P364": names.language(culture),
        "P136": random.choice(_FILM_GENRES),
    }
    return thing("film", Term("", names.title(random, culture)), "film", given, years=(made, min(made + 30, 2023)))


def book(random: Random) -> Thing:
    """A book or an article."""
    culture, made = random.choice(names.CULTURES), random.randint(1780, 2022)
    writer = random.choice(("novelist", "historian", "journalist", "economist"))
    article = random.random() < 0.25
    given: Offers = {
        "P50": _people(random, culture, made - 25, random.choice((1, 1, 1, 2)), writer),
        "P123": names.name(random, "publisher", culture),
        "P577": day(random, made, 0.75),
        "P1104": amount(random.randint(4, 38) if article else random.randint(48, 912)),
        "P291": maybe(random, names.place(random, culture)),
        "P921": random.choice(_SUBJECTS),
        "P136": maybe(random, random.choice(("novel", "essay", "biography", "travel literature")), 0.3),
    }
    return thing(
        "book",
        Term("", names.title(random, culture)),
        "article" if article else "book",
        given,
        years=(made, min(made + 40, 2023)),
    )


def record(random: Random) -> Thing:
    """An album or a song."""
    culture, made = random.choice(names.CULTURES), random.randint(1952, 2023)
    given: Offers = {
        "P175": _people(random, culture, made - 22, 1, "singer"),
        "P162": _people(random, culture, made - 22, random.choice((1, 1, 2)), "record producer"),
        "P264": names.name(random, "label", culture),
        "P577": day(random, made, 0.25),
        "P136": random.choice(_MUSIC),
        "P10135": maybe(random, day(random, made - random.choice((1, 1, 2)), 1.0), 0.4),
        "P2047": maybe(random, amount(random.randint(28, 79), "minute"), 0.3),
    }
    noun = random.choice(("album", "album", "song", "single"))
    return thing("record", Term("", names.title(random, culture)), noun, given, years=(made, min(made + 20, 2023)))


def painting(random: Random) -> Thing:
    """A painting or another thing of a museum, with its maker."""
    culture, made = random.choice(names.CULTURES), random.randint(1560, 1990)
    material = random.choice(_MATERIALS)
    noun = _OBJECTS.get(material, "object")
    got = random.randint(max(made + 3, 1850), min(max(made + 3, 1850) + 60, 2020))
    form = random.choice(("{a}.{b}.{c}", "{L}-{c}", "{a}/{b}", "{L} {c}", "{b}-{c}", "inv. {c}"))
    number = form.format(a=got, b=random.randint(1, 99), c=random.randint(100, 9999), L=random.choice("ABGKMNP"))
    subject = random.choice(("Portrait of {x}", "View of {p}", "Still Life with {n}", "{t}", "Bust of {x}", "The {n}"))
    label = subject.format(
        x=names.person(random, culture, random.random() < 0.5)[0].label,
        p=names.place(random, culture),
        n=names.adjective_noun(random),
        t=names.title(random, culture),
    )
    given: Offers = {
        "P170": _people(random, culture, made - 20, 1, "painter" if noun == "painting" else "sculptor"),
        "P571": year(made),
        "P186": material,
        "P2048": amount(_size(random), "centimetre"),
        "P2049": amount(_size(random), "centimetre"),
        "P195": names.name(random, "museum", culture),
        "P217": TextValue(number),
        "acquired": year(got),
        "restored": maybe(random, year(got + random.randint(2, 40)), 0.3),
    }
    return thing("painting", Term("", label), noun, given, years=(got, min(got + 60, 2023)))


def _size(random: Random) -> str:
    return (
        f"{random.randint(12, 260)}.{random.randint(1, 9)}" if random.random() < 0.5 else str(random.randint(12, 260))
    )


def program(random: Random) -> Thing:
    """A program."""
    culture, made = random.choice(names.CULTURES), random.randint(1985, 2023)
    version = ".".join(str(random.randint(0, 14)) for _ in range(random.choice((2, 3))))
    given: Offers = {
        "P178": names.name(random, "firm", culture),
        "P348": TextValue(version),
        "P275": random.choice(_LICENCES),
        "P571": year(made),
        "P577": day(random, made + random.randint(1, 3), 0.2),
    }
    name = names.coined(random, random.choice(("", "Desk", "ly", "Edit", "DB", "OS", "Cast")))
    return thing(
        "program",
        Term("", name),
        random.choice(("software", "program", "library")),
        given,
        years=(made, min(made + 10, 2023)),
    )


def law(random: Random) -> Thing:
    """A law, or the judgment of a court."""
    culture, made = random.choice(names.CULTURES), random.randint(1760, 1990)
    place = names.place(random, culture)
    if random.random() < 0.25:
        label = f"{names.surname(random, culture)} v. {names.surname(random, culture)}"
        citation = f"{random.randint(12, 480)} {place[:3]}. {random.randint(12, 900)}"
        given: Offers = {
            "P585": day(random, made, 0.2),
            "P1001": names.country(culture),
            "P1031": TextValue(citation),
        }
        return thing("case", Term("", label), "case", given, years=(made, min(made + 60, 2023)))
    title = names.name(random, "law", culture)
    given = {
        "P571": day(random, made, 0.4),
        "P467": names.name(random, "parliament", culture),
        "P1001": random.choice((names.country(culture), Term("", place))),
        "P2567": [_act(random, culture, made + random.randint(2, 19)) for _ in range(random.choice((0, 1, 2)))],
        "P2568": maybe(random, _act(random, culture, made + random.randint(20, 31)), 0.6),
        "P1031": TextValue(
            f"{random.randint(1, 60)} {random.choice(('Geo.', 'Vict.', 'Stat.'))} c. {random.randint(1, 120)}"
        ),
        "P7588": maybe(random, day(random, made + 1), 0.5),
    }
    return thing("law", Term("", f"{title} {made}", (title,)), "act", given, years=(made, min(made + 90, 2023)))


def _act(random: Random, culture: int, made: int) -> Term:
    return Term("", f"{names.name(random, 'law', culture)} {made}")
