"""Invented things that stand, lie, sail or trade somewhere: buildings, towns, waters, ships, firms; species, events."""

from __future__ import annotations

from random import Random

from models.statement import Term, TextValue, TimeValue
from models.training.sheets import names
from models.training.sheets.dates import amount
from models.training.sheets.people import person
from models.training.sheets.thing import Offers, Thing, day, maybe, thing, year

_STYLES = (
    "Baroque",
    "Gothic Revival architecture",
    "Art Deco",
    "neoclassicism",
    "brutalism",
    "Romanesque architecture",
)
_LISTINGS = (
    "Grade II listed building",
    "cultural monument",
    "national monument",
    "listed historic site",
    "protected landmark",
)
_INDUSTRIES = (
    "mining",
    "textile industry",
    "brewing",
    "shipping",
    "software industry",
    "banking",
    "paper industry",
    "retail",
)
_MONEY = ("United States dollar", "euro", "pound sterling")
_PREFIXES = ("SS ", "MV ", "HMS ", "", "", "MS ")


def building(random: Random) -> Thing:
    """A building or a site of heritage."""
    culture, made = random.choice(names.CULTURES), random.randint(1400, 1985)
    label = names.name(random, "house", culture)
    given: Offers = {
        "P84": maybe(random, person(random, culture, made - random.randint(25, 50), work="architect"), 0.8),
        "P571": day(random, made, 1.0),
        "P149": random.choice(_STYLES),
        "P1435": random.choice(_LISTINGS),
        "P131": [names.place(random, culture), names.name(random, "county", culture)],
        "P17": names.country(culture),
        "listed": day(random, random.randint(max(1950, made + 10), 2015), 0.3),
        "P1619": maybe(random, day(random, made + random.choice((1, 2))), 0.3),
        "restored": maybe(random, year(random.randint(1990, 2019)), 0.4),
        "P2048": maybe(random, amount(random.randint(8, 120), "metre"), 0.3),
        "P127": maybe(random, names.name(random, "society", culture), 0.3),
        "P576": maybe(random, year(random.randint(1986, 2020)), 0.15),
    }
    if random.random() < 0.25:
        after = person(random, culture, made - 80)
        label, given["P138"] = f"{after.short} {random.choice(('Hall', 'House', 'Library'))}", after
    return thing(
        "building", Term("", label), random.choice(("building", "house", "site")), given, years=(made + 5, 1989)
    )


def town(random: Random) -> Thing:
    """A town with its numbers."""
    culture, made = random.choice(names.CULTURES), random.randint(900, 1900)
    counted = random.randint(1950, 2022)
    people = random.choice((random.randint(180, 9000), random.randint(9000, 900000)))
    given: Offers = {
        "P1082": amount(people),
        "counted": year(counted),
        "P2046": amount(f"{random.randint(4, 600)}.{random.randint(0, 99):02}", "square kilometre"),
        "P2044": amount(random.randint(2, 1900), "metre"),
        "P6": person(random, culture, random.randint(1945, 1985), work="politician"),
        "P131": names.name(random, "county", culture),
        "P17": names.country(culture),
        "P571": day(random, made, 1.0),
        "P281": TextValue(
            random.choice(
                (
                    f"{random.randint(1000, 9999)}",
                    f"{random.randint(10000, 99999)}",
                    f"{random.choice('BCEKLN')}{random.randint(1, 30)} {random.randint(1, 9)}XR",
                )
            )
        ),
        "P112": maybe(random, person(random, culture, made - 40), 0.3),
    }
    label = names.place(random, culture)
    return thing(
        "town", Term("", label), random.choice(("town", "village", "municipality")), given, years=(made + 20, 2015)
    )


def ship(random: Random) -> Thing:
    """A ship."""
    culture, made = random.choice(names.CULTURES), random.randint(1850, 2015)
    prefix = random.choice(_PREFIXES)
    own = random.choice((names.adjective_noun(random), names.place(random, culture), names.coined(random, "a")))
    given: Offers = {
        "P176": names.name(random, "yard", culture),
        "laid_down": maybe(random, day(random, made - 2, 0.6)),
        "launched": day(random, made - 1, 0.5),
        "P729": day(random, made, 0.6),
        "P730": maybe(random, day(random, min(made + random.randint(6, 40), 2023), 0.8)),
        "P2043": amount(f"{random.randint(24, 310)}.{random.randint(0, 9)}", "metre"),
        "P2049": amount(f"{random.randint(6, 44)}.{random.randint(0, 9)}", "metre"),
        "P1093": amount(random.randint(210, 98000)),
        "P8047": names.country(random.choice(names.CULTURES)),
        "P127": names.name(random, "firm", culture),
        "P1448": maybe(random, TextValue(names.adjective_noun(random)), 0.3),
    }
    aliases = (own,) if prefix else ()
    return thing(
        "ship",
        Term("", prefix + own, aliases),
        random.choice(("ship", "vessel")),
        given,
        short=own,
        years=(made, min(made + 30, 2023)),
    )


def company(random: Random) -> Thing:
    """A firm."""
    culture, made = random.choice(names.CULTURES), random.randint(1820, 2010)
    given: Offers = {
        "P571": day(random, made, 0.8),
        "P112": [person(random, culture, made - 35, work="businessperson") for _ in range(random.choice((1, 1, 2)))],
        "P159": names.place(random, culture),
        "P169": maybe(random, person(random, culture, 1960, work="manager")),
        "P452": random.choice(_INDUSTRIES),
        "P17": names.country(culture),
        "P2139": maybe(
            random,
            amount(
                random.choice((random.randint(2, 900) * 1_000_000, random.randint(11, 999) * 100_000)),
                random.choice(_MONEY),
            ),
        ),
        "P576": maybe(random, day(random, random.randint(made + 8, made + 110), 0.9), 0.4) if made < 1905 else None,
        "moved": maybe(random, year(made + random.randint(5, 7)), 0.5),
        "renamed": maybe(random, year(made + random.randint(3, 4)), 0.3),
    }
    return thing(
        "company",
        Term("", names.name(random, "firm", culture)),
        random.choice(("company", "firm")),
        given,
        years=(made, min(made + 60, 2023)),
    )


def species(random: Random) -> Thing:
    """A species, with its author and the year of its description."""
    culture, made = random.choice(names.CULTURES), random.randint(1758, 2015)
    genus = names.latin(random, random.choice(("us", "a", "ia", "is"))).capitalize()
    name = f"{genus} {names.latin(random, random.choice(('ensis', 'ata', 'icus', 'oides', 'ii', 'ella')))}"
    common = (
        f"{names.place(random, culture)} {random.choice(('warbler', 'orchid', 'beetle', 'tree frog', 'moth', 'sedge'))}"
    )
    given: Offers = {
        "P225": TextValue(name),
        "P405": person(random, culture, made - 35, work="zoologist"),
        "described": year(made),
        "P171": genus,
        "P105": "species",
        "P2043": maybe(random, amount(f"{random.randint(1, 60)}.{random.randint(1, 9)}", "centimetre"), 0.4),
    }
    term = Term("", name) if random.random() < 0.6 else Term("", common, (name,))
    return thing("species", term, "taxon", given, years=(made, 2015))


def water(random: Random) -> Thing:
    """A river, a lake, a mountain or a bridge."""
    culture = random.choice(names.CULTURES)
    what = random.choice(("river", "lake", "mountain", "bridge"))
    given: Offers = {
        "P17": names.country(culture),
        "P131": names.name(random, "county", culture),
        "P2043": amount(
            random.choice((random.randint(8, 940), f"{random.randint(5, 90)}.{random.randint(1, 9)}")), "kilometre"
        )
        if what == "river"
        else None,
        "P403": names.name(random, random.choice(("river", "lake")), culture) if what == "river" else None,
        "P2046": amount(f"{random.randint(1, 700)}.{random.randint(1, 9)}", "square kilometre")
        if what == "lake"
        else None,
        "P2044": amount(random.randint(300, 5900) if what == "mountain" else random.randint(8, 1800), "metre")
        if what in {"mountain", "lake"}
        else None,
    }
    made = random.randint(1780, 2008)
    if what == "bridge":
        given |= {
            "P177": names.name(random, "river", culture),
            "P2043": amount(random.randint(34, 2900), "metre"),
            "P571": year(made),
            "P1619": day(random, made + 1, 0.2),
            "P2049": maybe(random, amount(random.randint(5, 40), "metre"), 0.5),
            "P84": maybe(random, person(random, culture, made - 40, work="engineer"), 0.5),
            "restored": maybe(random, year(made + random.randint(10, 14)), 0.3),
        }
    return thing(what, Term("", names.name(random, what, culture)), what, given, years=(made, 2015))


def chemical(random: Random) -> Thing:
    """A compound with its formula and mass."""
    culture = random.choice(names.CULTURES)
    formula = (
        f"C{random.randint(4, 40)}H{random.randint(5, 60)}"
        + random.choice(("", "N", "N2", "N3"))
        + random.choice(("O", "O2", "O3", "O5", "Cl"))
    )
    given: Offers = {
        "P274": TextValue(formula),
        "P2067": amount(f"{random.randint(60, 800)}.{random.randint(1, 999):03}".rstrip("0"), "gram per mole"),
        "P575": maybe(random, year(random.randint(1830, 2010)), 0.6),
    }
    name = names.latin(random, random.choice(("ine", "ol", "one", "amide", "ate", "idine")))
    return (
        thing("chemical", Term("", name), "compound", given, years=(1990, 2015)) if culture >= 0 else chemical(random)
    )


def event(random: Random) -> Thing:
    """A contest, a battle, a conference."""
    culture, made = random.choice(names.CULTURES), random.randint(1750, 2022)
    when: TimeValue = day(random, made, 0.1)
    name = names.name(random, "event", culture)
    contest = name.endswith(("Open", "Cup", "Marathon", "Regatta", "Festival"))
    given: Offers = {
        "P585": when,
        "P276": names.place(random, culture),
        "P17": names.country(culture),
        "P1346": person(random, culture, made - 28) if contest else None,
    }
    label, aliases = (f"{made} {name}", (name,)) if contest else (name, ())
    return thing("event", Term("", label, aliases), "event", given, years=(made, min(made + 30, 2023)))
