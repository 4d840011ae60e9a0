"""Makes names, texts that hold them in one of many forms or hold a near miss, and the answer."""

from __future__ import annotations

import unicodedata

from bench.cases import ValueCase
from bench.cases.choice import Choice
from models.statement import EntityValue, Term

# "{}" is the name, "{other}" another person's.
_PEOPLE = (
    "{} was born in Odense and studied in Kiel.",
    "The prize of 1987 went to {}.",
    "a letter from {} to the printer, 3 May 1904",
    "Director: {}. Running time: 98 min.",
    "Author | {} | 1998",
    "Photo: {} / City Archive",
    "{} (chair)",
    "• {}, chair\n• 12 members",
    "cat. 41: {}, still life with two lemons, oil",
    "Interview with {} – Odense Weekly – 4 comments",
    "1. {} 4:12.07",
    "According to {}, nobody knew.",
    "The portrait of {} hangs in room 14.",
    "© 2016 {}. All rights reserved.",
    "Her teachers were {} and {other}.",
    "{other} | 1987–1991\n{} | 1991–1999",
    "{other} and {}: Notes on three wells. Odense: Havn, 1998.",
    "Cast: {other}, {}, and two dogs",
)
_THINGS = (
    "It has belonged to {} since 1904.",
    "see {}",
    "Related: {} (12 pages)",
    "Subject | {} | vol. 3",
    "• {}\n• 41 letters\n• one map",
    "After 1987 one hears no more of {}.",
    "[{}] 14 comments",
    "“{}”, p. 41",
    "They spoke of {} for three hours.",
    "Keywords: {}; wells; maps",
    "In 1911 the report mentioned {} twice.",
    "{} – Odense Weekly, 3 May 1987",
)
_WOMEN = "Hanna Marta Clara Ingrid Lucía Beatrix Agnès Nora Helene".split()
_MEN = "Olof Jonas Edgar Tobias Walter Samuel Rafael Viktor Gustav".split()
_MIDDLE = {True: ("", *"Maria Louise Rose Anne".split()), False: ("", *"Karl Johan Emil Peter Zoltán".split())}
_LAST = (
    "Lindqvist",
    "Sørensen",
    "Kowalczyk",
    "Hartmann",
    "Dvořáček",
    "Fontaine",
    "Castellanos",
    "Whitcombe",
    "Ferreira",
    "Nakamura",
    "O'Donnell",
    "Müllner",
    "Björnsson",
    "Grünwald",
    "van der Meer",
    "Delacroix",
    "Ashworth",
    "Żeromski",
    "Achterberg",
    "Tillinghast",
)
_TITLES = ("Dr. {}", "Prof. {}", "President {}", "Rev. {}", "Lt. Col. {}", "{}, Ph.D.", "{}, M.P.")
_NAMED_FOR = (
    "{} Street",
    "the {} Foundation",
    "{} University",
    "{} Airport",
    "{} Elementary School",
    "the {} Memorial Bridge",
)
_TRANSLITERATED = (
    ("Ivan Sokolov", "Иван Соколов", "Пётр Соколов"),
    ("Nikolai Vasiliev", "Николай Васильев", "Андрей Васильев"),
    ("Olga Morozova", "Ольга Морозова", "Татьяна Морозова"),
    ("Dmitri Volkov", "Дмитрий Волков", "Роман Волков"),
    ("Sergei Kuznetsov", "Сергей Кузнецов", "Борис Кузнецов"),
    ("Mikhail Zhukov", "Михаил Жуков", "Артём Жуков"),
    ("Vera Shcherbakova", "Вера Щербакова", "Алла Щербакова"),
    ("Nikos Papadakis", "Νίκος Παπαδάκης", "Πέτρος Παπαδάκης"),
    ("Maria Georgiou", "Μαρία Γεωργίου", "Ελένη Γεωργίου"),
    ("Kostas Stavrou", "Κώστας Σταύρου", "Γιάννης Σταύρου"),
)
_PEOPLES = ("Danish", "Polish", "English")
_TOWNS = "Bergen Odense Leeds Kiel Turin Utrecht Salamanca Kraków Graz Lund Porto Exeter".split()
_BODIES = "Institute Society Council Academy Museum".split()
_RANKS = "International Royal National European Central".split()
_FIELDS = ("Marine Biology", "Public Health", "Modern Art", "Plant Breeding", "Road Safety", "Old Music")
_SERIES = ("Night Harbour", "Star Divers", "Kingdom of Salt", "The Long Winter", "Iron Garden", "Apollo", "Gemini")
_SPELLED = "- First Second Third Fourth Fifth Sixth Seventh Eighth Ninth".split()
_ROMAN = "0 I II III IV V VI VII VIII IX X XI XII XIII".split()


_PLACES = (
    ("Paris", "capital of France", "Paris | PARIS | Paris (France)", "Paris Hilton | comparisons | plaster of Paris"),
    (
        "Norway",
        "country in Europe",
        "Norway | NORWAY | Norway's coast",
        "Norwich | Norway Maple Lane",
    ),
    ("Austria", "country in Europe", "Austria | AUSTRIA | Austria's rivers", "Australia | South Australia | Asturias"),
    ("Niger", "country in Africa", "Niger | NIGER", "Nigeria | denigration | Algeria"),
    ("South Korea | Republic of Korea | ROK", "country in Asia", "South Korea | S. Korea | SOUTH KOREA", "North Korea"),
    (
        "United States | USA | US",
        "country",
        "the United States | the U.S. | the USA | U.S.A.",
        "all of us | United Arab Emirates",
    ),
    ("Saint Petersburg | St. Petersburg", "city in Russia", "St Petersburg | Saint-Petersburg", "Petersburg, Virginia"),
    ("Bath", "city in England", "Bath, Somerset | the city of Bath", "a hot bath | Bathsheba | bath and breakfast"),
    ("Reading", "town in England", "Reading, Berkshire | the town of Reading", "reading aloud | proofreading"),
    ("Łódź", "city in Poland", "Łódź | Lodz | ŁÓDŹ", "Lodi | lodgers"),
    ("Zürich | Zurich", "city in Switzerland", "Zürich | Zurich | Zuerich | ZÜRICH", "Zurndorf | Zutphen"),
    (
        "12 Garden Street",
        "house in Leeds",
        "12 Garden Street | No. 12, Garden Street",
        "14 Garden Street | 12 Gardiner Road",
    ),
    ("Mount Alder | Alder", "mountain in Oregon", "Mt. Alder | Mount Alder | Mt Alder", "Mount Adams | Lake Alderney"),
    ("West Virginia", "state", "West Virginia | W. Virginia", "western parts of Virginia | Virginia West, singer"),
)
_WORDS = (
    ("physician | doctor", "profession", "physicians | a physician | Physician | DOCTOR", "a physicist | metaphysics"),
    ("novelist", "profession", "a novelist | novelists | Novelist", "a novella | a novel and a list"),
    ("actor", "profession", "an actor | actors | Actor", "a tractor | one factor"),
    ("bridge", "structure", "the bridge | bridges | Bridge", "Bridget | an abridged version | Cambridge"),
    ("castle", "building", "a castle | castles | CASTLE", "Newcastle | Castleton"),
    ("king", "title", "a king | kings | the King", "kingfishers | Kingston | asking"),
    ("oak", "genus of trees", "oaks | an oak | Oak", "soaking | Oakland | a cloak"),
    ("male", "sex or gender", "male | Male | MALE", "female | Malevich"),
    ("war", "conflict", "the war | wars | War", "wardens | Warsaw | towards the town"),
    ("lung cancer", "disease", "lung cancer | Lung cancer | LUNG CANCER", "lung disease | breast cancer"),
    ("singer-songwriter", "profession", "singer-songwriter | singer/songwriter | singer songwriters", "a songwriter"),
    ("Apis mellifera | honey bee", "species", "A. mellifera | Apis mellifera | honey bees", "Apis cerana | A. cerana"),
    ("cat", "species", "cats | a cat | Cat", "categories | a CAT scan | catalogues"),
)


def made_name(choice: Choice) -> ValueCase:
    """An entity, a text, and whether the text names it; half of them do."""
    kinds = (*[_person] * 4, _numbered_person, _foreign, _listed, _listed, _body, _firm, _university, _sequel)
    return choice.one(kinds)(choice, choice.below(2) == 0)


def _case(choice: Choice, term: Term, text: str, named: bool, carriers: tuple[str, ...], other: str = "") -> ValueCase:
    if not (named and other):
        carriers = tuple(carrier for carrier in carriers if "{other}" not in carrier)
    said = choice.one(carriers).format(text, other=other)
    return ValueCase(EntityValue(term), said, "names" if named else "nothing", text if named else "")


def _plain(name: str) -> str:
    """The name in plain letters."""
    name = name.translate(str.maketrans("øłŁ", "olL"))
    return "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c))


def _misread(choice: Choice, name: str) -> str:
    """The last word with one letter read wrongly, as a scan has it."""
    at = len(name) - 2 - choice.below(4)
    return (
        name[:at]
        + {"n": "u", "c": "e", "e": "c", "i": "l", "t": "f", "m": "rn", "a": "o"}.get(name[at], "")
        + name[at + 1 :]
    )


def _forms(choice: Choice, first: str, middle: str, last: str) -> list[str]:
    """How texts write a person with a first name, perhaps a middle name, and a last name."""
    forms = [
        f"{first} {last}",
        f"{first} {last}",
        f"{last}, {first}",
        f"{last.upper()}, {first}",
        f"{last.upper()} {first}",
        f"{first} {last}".upper(),
        f"{first[0]}. {last}",
        f"{last}, {first[0]}.",
        choice.one(_TITLES).format(f"{first} {last}"),
        f"{first} {last}'s",
        f"{first}  {last}",
        f"{first}\n{last}",
        _plain(f"{first} {last}"),
    ]
    if first in _WOMEN:
        forms.append(f"{first} {last} (née {choice.one(_LAST)})")
    if len(last) > 7 and " " not in last:
        forms.append(_misread(choice, f"{first} {last}"))
    if middle:
        forms += [
            f"{first} {middle} {last}",
            f"{first} {middle[0]}. {last}",
            f"{first[0]}. {middle[0]}. {last}",
            f"{first[0]}.{middle[0]}. {last}",
            f"{last}, {first} {middle}",
            f"{last}, {first[0]}. {middle[0]}.",
            f"{last} {first[0]}{middle[0]}",
        ]
    return forms


def _person(choice: Choice, named: bool) -> ValueCase:
    first, last = choice.one(_WOMEN + _MEN), choice.one(_LAST)
    middle = choice.one(_MIDDLE[first in _WOMEN])
    label = f"{first} {middle} {last}".replace("  ", " ")
    aliases = choice.one(((), (f"{first} {last}",), (f"{choice.one(_TOWNS)} Jack",)))
    description = f"{choice.one(_PEOPLES)} {choice.one(('writer', 'painter', 'politician', 'chemist'))}"
    term = Term("Q0", label, tuple(alias for alias in aliases if alias != label), description)
    # Relatives and namesakes begin with another letter, so that no initial of theirs fits.
    relative = choice.one([name for name in _WOMEN + _MEN if _plain(name)[0] not in (first[0], middle[:1])])
    surname = choice.one([name for name in _LAST if _plain(name)[0].upper() != _plain(last)[0].upper()])
    other = f"{relative} {surname}"
    if named:
        forms = _forms(choice, first, middle, last) + [alias for alias in aliases if alias.endswith("Jack")] * 3
        return _case(choice, term, choice.one(forms), named, _PEOPLE, other)
    misses = (
        f"{relative} {last}",
        f"{relative} {last}",
        f"{last}, {relative}",
        f"{relative[0]}. {last}",
        f"{last}, {relative[0]}.",
        f"{first} {surname}",
        f"{surname}, {first}",
        first,
        f"the {last} family",
        f"{first} {surname} and {relative} {last}",
        f"{relative} {last}, {first} {surname}",
        choice.one(_NAMED_FOR).format(label),
        choice.one(_NAMED_FOR).format(f"{first} {last}"),
        f"{first}, a friend of old {last},",
    )
    return _case(choice, term, choice.one(misses), named, _PEOPLE)


def _numbered_person(choice: Choice, named: bool) -> ValueCase:
    """A person told from a namesake by a suffix or a number."""
    name, last = choice.one(_MEN), choice.one(_LAST)
    number = choice.between(2, 9)
    ordinal = {2: "2nd", 3: "3rd"}.get(number, f"{number}th")
    nearby = {1: "1st", 2: "2nd", 3: "3rd"}.get(number - 1, f"{number - 1}th")
    kinds = (
        (
            f"{name} {last} Jr.",
            (f"{name} {last}, Jr.", f"{name} {last} Junior", f"{last}, {name}, Jr."),
            f"{name} {last} Sr.",
        ),
        (
            f"Sir {name} {last}, {ordinal} Baronet",
            (f"Sir {name} {last}, {ordinal} Bt", f"Sir {name} {last}, {ordinal} Baronet"),
            f"Sir {name} {last}, {nearby} Baronet",
        ),
        (
            f"{name} {_ROMAN[number]}",
            (f"King {name} {_ROMAN[number]}", f"{name} {_ROMAN[number]}", f"{name} the {_SPELLED[number]}"),
            f"{name} {_ROMAN[number + choice.one((-1, 1))]}",
        ),
    )
    label, forms, miss = choice.one(kinds)
    term = Term("Q0", label, (), "American painter" if "Jr." in label else "nobleman")
    return _case(choice, term, choice.one(forms) if named else miss, named, _PEOPLE, "Pia Moltke")


def _foreign(choice: Choice, named: bool) -> ValueCase:
    """A person whose name stands in another script."""
    name, written, relative = choice.one(_TRANSLITERATED)
    first, last = written.split()
    form = choice.one((written, written, f"{last}, {first}", f"{last} {first}", f"{first[0]}. {last}", written.upper()))
    term = Term("Q0", name, (), "engineer")
    return _case(choice, term, form if named else choice.one((relative, last, first)), named, _PEOPLE)


def _listed(choice: Choice, named: bool) -> ValueCase:
    names, description, forms, misses = choice.one(choice.one((_PLACES, _WORDS)))
    label, *aliases = names.split(" | ")
    text = choice.one((forms if named else misses).split(" | "))
    return _case(choice, Term("Q0", label, tuple(aliases), description), text, named, _THINGS)


def _body(choice: Choice, named: bool) -> ValueCase:
    """A body with a long name, and an acronym that isn't among its aliases."""
    rank, body, field = choice.one(_RANKS), choice.one(_BODIES), choice.one(_FIELDS)
    label = f"{rank} {body} of {field}"
    term = Term("Q0", label, (), "organisation in Europe")
    if named:
        acronym = "".join(word[0] for word in label.split() if word != "of")
        forms = (
            label,
            label.upper(),
            f"the {label}",
            f"{label}'s",
            acronym,
            ".".join(acronym) + ".",
            label.replace(" ", "  "),
        )
        return _case(choice, term, choice.one(forms), named, _THINGS)
    misses = (
        f"{rank} {body} of {choice.one([other for other in _FIELDS if other != field])}",
        f"{rank} {choice.one([other for other in _BODIES if other != body])} of {field}",
        f"{choice.one([other for other in _RANKS if other != rank])} {body} of {field}",
        f"the {body.lower()} and {field.lower()}",
        field,
    )
    return _case(choice, term, choice.one(misses), named, _THINGS)


def _firm(choice: Choice, named: bool) -> ValueCase:
    """A firm of two partners."""
    one, two = choice.one(_LAST[:9]), choice.one(_LAST[10:])
    term = Term("Q0", f"{one} & {two}", (), "publishing company")
    forms = (f"{one} & {two}", f"{one} and {two}", f"{one} & {two} Ltd.", f"{one} &amp; {two}", f"{one} & {two}, Inc.")
    misses = (f"{one} & {_LAST[9]}", f"{_LAST[9]} & {two}", f"{one}, K. (1998); {two}, B. (2001)", one, f"{two} Ltd.")
    return _case(choice, term, choice.one(forms if named else misses), named, _THINGS)


def _university(choice: Choice, named: bool) -> ValueCase:
    town = choice.one(_TOWNS)
    other = choice.one([name for name in _TOWNS if name != town])
    term = Term("Q0", f"University of {town}", (), "university")
    forms = (f"University of {town}", f"Univ. of {town}", f"the University of {town}", f"UNIVERSITY OF {town.upper()}")
    misses = (f"University of {other}", f"the town of {town}", f"City of {town}", f"a university, not in {town}")
    return _case(choice, term, choice.one(forms if named else misses), named, _THINGS)


def _sequel(choice: Choice, named: bool) -> ValueCase:
    """A work told from its neighbours by a number."""
    title, number = choice.one(_SERIES), choice.between(2, 12)
    term = Term("Q0", f"{title} {number}", (), "part of a series")
    forms = (f"{title} {number}", f"{title} {_ROMAN[number]}", f"{title.upper()} {number}", f"{title}-{number}")
    misses = (
        f"{title} {number + 1}",
        f"{title} {_ROMAN[number - 1]}",
        f"{title} {number}0",
        title,
        f"{title}, {number} discs",
    )
    return _case(choice, term, choice.one(forms if named else misses), named, _THINGS)
