"""Invented people: lives with families, careers, honours; and players of sports."""

from __future__ import annotations

from random import Random

from models.statement import QuantityValue, Term
from models.training.sheets import names
from models.training.sheets.dates import amount
from models.training.sheets.thing import Offers, Thing, day, maybe, thing

OCCUPATIONS = (
    "painter poet novelist journalist physician surgeon lawyer politician diplomat engineer architect botanist chemist "
    "physicist astronomer mathematician historian geologist economist philosopher composer pianist violinist "
    "conductor actor sculptor photographer explorer priest missionary merchant banker teacher translator printer "
    "playwright entomologist linguist judge farmer inventor"
).split()
_POSITIONS = (
    "mayor of {p}",
    "governor of {p}",
    "member of parliament",
    "bishop of {p}",
    "minister of finance",
    "senator",
    "minister of education",
    "ambassador to {c}",
    "chief justice",
    "rector of the {u}",
    "director of the {m}",
    "speaker of the house",
    "sheriff of {p}",
    "prime minister",
    "dean of {p}",
    "secretary of state",
    "city councillor",
)
_RELIGIONS = ("Catholicism", "Lutheranism", "Judaism", "Islam", "Buddhism", "Anglicanism", "Methodism", "Hinduism")
_RANKS = ("captain", "major", "colonel", "lieutenant", "brigadier general", "sergeant", "rear admiral", "commander")
_BRANCHES = ("army", "navy", "air force", "coast guard", "artillery", "infantry", "cavalry")
_DEGREES = ("Doctor of Philosophy", "Bachelor of Arts", "Master of Science", "Doctor of Medicine", "Bachelor of Laws")
_FIELDS = (
    "organic chemistry",
    "medieval history",
    "number theory",
    "comparative linguistics",
    "marine biology",
    "optics",
    "seismology",
    "art history",
    "microbiology",
    "economic history",
    "astronomy",
    "botany",
    "civil engineering",
)
_SIDES = ("goalkeeper", "defender", "midfielder", "forward", "striker", "point guard", "centre", "winger", "full-back")


def person(
    random: Random,
    culture: int | None = None,
    born: int | None = None,
    family: str = "",
    kin: bool = False,
    woman: bool | None = None,
    work: str = "",
) -> Thing:
    """A person with dates and work; with `kin` also parents, spouses, siblings and children with theirs."""
    culture = random.choice(names.CULTURES) if culture is None else culture
    woman = random.random() < 0.45 if woman is None else woman
    born = _birth_year(random, 1955 if kin else 1996) if born is None else born
    term, short = names.person(random, culture, woman, family)
    died = born + random.randint(24, 92)
    gone = died < 2021
    home, land = Term("", names.place(random, culture)), names.country(culture)
    work = work or random.choice(OCCUPATIONS)
    late = Term("", names.place(random, culture if random.random() < 0.7 else random.choice(names.CULTURES)))
    birth, death = day(random, born), day(random, died) if gone else None
    given: Offers = {
        "P569": birth,
        "P570": death,
        "P19": home,
        "P20": late if gone else None,
        "P27": land,
        "P106": [work, maybe(random, random.choice([one for one in OCCUPATIONS if one != work]), 0.25)],
        "P69": maybe(random, names.name(random, "university", culture)),
        "P108": maybe(random, names.name(random, random.choice(("firm", "museum", "newspaper")), culture), 0.5),
        "P39": maybe(random, _position(random, culture), 0.4),
        "P166": [
            maybe(random, names.name(random, "award", culture), 0.4),
            maybe(random, names.name(random, "award", culture), 0.2),
        ],
        "P119": names.name(random, "cemetery", culture) if gone and random.random() < 0.5 else None,
        "P140": maybe(random, random.choice(_RELIGIONS), 0.2),
        "P463": maybe(random, names.name(random, "society", culture), 0.3),
        "P101": maybe(random, random.choice(_FIELDS), 0.3),
        "P512": maybe(random, random.choice(_DEGREES), 0.2),
        "P410": maybe(random, random.choice(_RANKS), 0.2),
        "P241": maybe(random, random.choice(_BRANCHES), 0.2),
    }
    if birth.day is not None and birth.day < 25 and birth.month and random.random() < 0.25:
        given["P1636"] = type(birth)(born, birth.month, birth.day + random.randint(1, 3), 11)
    if death is not None and death.day is not None and death.month and death.day < 25 and random.random() < 0.3:
        given["P4602"] = type(death)(died, death.month, death.day + random.randint(2, 3), 11)
    if kin:
        given |= _kin(random, culture, born, woman, short)
    if random.random() < 0.25:
        given["P184"] = person(random, culture, born - random.randint(18, 40))
    return thing("person", term, work, given, "she" if woman else "he", short, (min(born + 18, 2020), min(died, 2023)))


def _birth_year(random: Random, last: int) -> int:
    """A year of birth, of the last two centuries as a rule."""
    return random.choice((random.randint(1640, 1800), random.randint(1800, 1900), random.randint(1880, last)))


def _kin(random: Random, culture: int, born: int, woman: bool, short: str) -> Offers:
    def relative(years: tuple[int, int], family: str, sex: bool | None = None) -> Thing:
        return person(random, culture, born + random.randint(*years), family, woman=sex)

    married = [relative((-8, 12), "", not woman) for _ in range(random.choice((0, 1, 1, 1, 2)))]
    theirs = short if not woman or not married else married[0].short
    return {
        "P22": maybe(random, relative((-45, -21), short, False), 0.75),
        "P25": maybe(random, relative((-40, -18), "", True), 0.65),
        "P26": married,
        "P3373": [relative((-9, 12), short) for _ in range(random.choice((0, 1, 1, 2, 3)))],
        "P40": [relative((20, 42), theirs) for _ in range(random.choice((0, 0, 1, 2, 3)))],
    }


def _position(random: Random, culture: int) -> str:
    return random.choice(_POSITIONS).format(
        p=names.place(random, culture),
        c=names.country(random.choice(names.CULTURES)).label,
        u=names.name(random, "university", culture),
        m=names.name(random, "museum", culture),
    )


def player(random: Random) -> Thing:
    """A player of a sport, with teams, size and place in the team."""
    culture = random.choice(names.CULTURES)
    woman = random.random() < 0.4
    born = random.randint(1890, 1999)
    term, short = names.person(random, culture, woman)
    tall: QuantityValue = random.choice(
        (amount(random.randint(158, 212), "centimetre"), amount(f"{random.randint(158, 212) / 100:.2f}", "metre"))
    )
    gone = born < 1940 and random.random() < 0.8
    given: Offers = {
        "P569": day(random, born, 0.05),
        "P19": names.place(random, culture),
        "P27": names.country(culture),
        "P570": day(random, born + random.randint(35, 80)) if gone else None,
        "P20": names.place(random, culture) if gone else None,
        "P54": [names.name(random, "team", culture) for _ in range(random.choice((1, 2, 2, 3)))],
        "P2031": day(random, born + random.randint(16, 24), 1.0),
        "P2048": tall,
        "P2067": maybe(random, amount(random.randint(52, 110), "kilogram"), 0.8),
        "P413": random.choice(_SIDES),
        "P106": random.choice(("footballer", "basketball player", "handball player", "athlete", "cricketer")),
        "P166": maybe(random, names.name(random, "award", culture), 0.3),
    }
    return thing(
        "player", term, "player", given, "she" if woman else "he", short, (min(born + 17, 2020), min(born + 34, 2023))
    )
