"""Makes dates, texts that say them in one of many ways or don't, and the answer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple

from babel.dates import format_date, format_skeleton

from bench.cases import ValueCase
from bench.cases.choice import Choice
from models.statement import TimeValue

# "{}" is the date, "{other}" another date: such a text is used only where the date itself is named.
_ROWS = (
    "Date: {}",
    "Date of birth | {} | Leeds",
    "Opened: {}. Seats: 240. Architect: unknown",
    "Name Karin Lund\nBorn {}\nHeight 171 cm\nClub Odense",
    "Lund, K. ({}). Notes on 3 wells. Odense: Havn, 214 p.",
    "Photograph, {}, 12 × 16 cm, inv. L.77.4",
    "» {} « 14 comments, 3 shares",
    "Established {} | Odense | 115 employees",
    "Page 3 of 12 | {} | printed by the council",
    "Docket 41-B, filed {}, 3 exhibits",
    "Lot 118. Letter, {}, 2 pp., folded. £40–60",
    "[{}] Karin Lund, Odense",
    "Launch: {} | Mass: 812 kg | Orbit: 23,222 km",
    "Posted {} by admin in News (7)",
    "Born {other} | Died {} | Bergen",
    "Start {} | End {other} | 41 episodes",
    "1. {other} – Bergen\n2. {} – Odense",
    "Release {} (Europe), {other} (Japan)",
)
_ON = (
    "She was born on {} in a village near Bergen.",
    "He died on {}, aged 72, in room 14 of the city hospital.",
    "On {}, some 3,000 people watched the bridge open.",
    "The contract, signed on {}, ran to 41 pages.",
    "It was on {} that the last of the 12 ships came in.",
    "The station closed on {} and is now a house.",
    "The first issue, of 16 pages, came out on {} and cost two shillings.",
    "Elected on {} by 214 votes to 98, she took office at once.",
    "Born on {other}, he died on {} at sea.",
    "It opened on {}, and a fire closed it on {other}.",
)
_IN = (
    "The painter was born in {} in a village near Bergen.",
    "The company, founded in {}, makes 300 pianos a year.",
    "In {} the line reached Odense, 41 km further on.",
    "Built in {}, the mill has 12 windows and two doors.",
    "By then, in {}, about 3,000 people lived there.",
    "She moved to Leeds in {} and taught at 14 Garden Street.",
    "It was first described in {} by a priest.",
    "The house was sold in {} for £1,150.",
    "He studied in Kiel; his first book appeared in {} and had 96 pages.",
    "Begun in {}, the tower stood unfinished for long.",
    "It was designed in {} and rebuilt on {other}.",
)
_GLUED = (
    "Founded{}HeadquartersOdenseEmployees115",
    "Died{}Bergen, Norway",
    "Released{other}Recorded{}StudioHavn, Odense",
)
_LONG_AGO = (
    "Age: {}",
    "Last known | {} | the whole family",
    "dated to {} by 3 samples",
    "{}: the last of 12 layers",
    "Bed 14, limestone, {}, 31 cm thick",
    "The oldest of the 12 stones is from {}.",
    "It ended, so 41 of the 52 authors think, {}.",
)
_LABELLED = {
    "en_US": ("Updated: {}", "Published {}"),
    "en_GB": ("Updated: {}", "Printed {}"),
    "de": ("Geburtsdatum: {}", "Stand: {}", "Eröffnung | {} | Köln"),
    "fr": ("Date de naissance : {}", "Mise à jour : {}", "Ouverture | {} | Lyon"),
    "es": ("Fecha de nacimiento: {}", "Publicado: {}", "Apertura | {} | Cádiz"),
    "it": ("Data di nascita: {}", "Pubblicato: {}", "Apertura | {} | Torino"),
    "pt": ("Data de nascimento: {}", "Publicado: {}", "Abertura | {} | Porto"),
    "nl": ("Geboortedatum: {}", "Bijgewerkt: {}", "Opening | {} | Delft"),
    "pl": ("Data urodzenia: {}", "Opublikowano: {}", "Otwarcie | {} | Łódź"),
    "ru": ("Дата рождения: {}", "Обновлено: {}", "Открытие | {} | Псков"),
    "ja": ("生年月日：{}", "更新日 {}", "開業 | {} | 大阪"),
    "zh": ("出生日期：{}", "更新时间 {}", "开幕 | {} | 北京"),
    "sv": ("Födelsedatum: {}", "Uppdaterad: {}", "Invigning | {} | Lund"),
}
_LOCALES = tuple(_LABELLED)
# Nothing here is a date, though "{}" is the figure of the year.
_NO_DATES = (
    "See p. {} and plate 4.",
    "pp. {}–2230, with 12 plates",
    "The lecture is in room {}.",
    "It was sold for ${}.",
    "Preis: {},00 € inkl. MwSt.",
    "Call 555-{} for tickets.",
    "ISBN 978-0-{}-3344-1",
    "They live at {} Garden Street.",
    "a village of {} inhabitants",
    "Mount Alder ({} m) rises behind the lake.",
    "Flight SK{} is delayed.",
    "doi:10.5555/abc.{}.x",
    "resolution {} × 1080 pixels",
    "Engine: {} cc, four cylinders",
    "Lot {}: a walnut chair, slightly worn",
    "ticket no. 3{}0",
    "0.{} ± 0.0003",
    "{} kHz, 31 dB",
    "The motion passed by {} votes to 980.",
    "Q{} – edit – talk – history",
    "Weight: {} kg when empty",
    "Rule {} does not apply to children.",
    "about {} people came",
    "in § {} BGB geregelt",
    "No date is known for this carver.",
    "The well is older than the church.",
)
_DAYS = (
    "{d} {month} {y}",
    "{ordinal} {month} {y}",
    "the {ordinal} of {month}, {y}",
    "{month} {d}, {y}",
    "{month} {ordinal}, {y}",
    "{short} {d} {y}",
    "{short} {d}, {y}",
    "{weekday}, {d} {month} {y}",
    "{weekday} {month} {d}, {y}",
    "{d} {CAPITALS} {y}",
    "{y} {month} {d}",
)
_DAY_FIGURES = (
    "{y}-{mm}-{dd}",
    "{y}/{mm}/{dd}",
    "{y}-{mm}-{dd}T00:00:00Z",
    "{d}.{m}.{y}",
    "{dd}.{mm}.{y}",
    "{d}. {m}. {y}",
    "{d} {roman} {y}",
    "{d}.{roman}.{y}",
    "{dd}-{abbreviated}-{y}",
    "{dd}{ABBREVIATED}{y}",
)
_EITHER_ORDER = ("{dd}/{mm}/{y}", "{mm}/{dd}/{y}", "{d}/{m}/{y}", "{dd}-{mm}-{y}", "{dd}/{mm}/{yy}", "{d}.{m}.{yy}")
_MONTHS = ("{month} {y}", "{short} {y}", "{month}, {y}", "{CAPITALS} {y}")
_MONTH_FIGURES = ("{mm}/{y}", "{y}-{mm}")
_SHORT = "Jan. Feb. Mar. Apr. May June July Aug. Sept. Oct. Nov. Dec.".split()
_ROMAN = "I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX XXI".split()
_CENTURIES = (
    "{ordinal} century",
    "{ordinal} c.",
    "{n}. Jahrhundert",
    "{roman}e siècle",
    "siglo {roman}",
    "século {roman}",
    "{roman} secolo",
    "{roman} век",
    "{roman} wiek",
    "{n}e eeuw",
    "{n}世紀",
)
_DECADE_YEARS = tuple(year for year in range(1810, 2000, 10) if year % 100)  # "the 1900s" can be a hundred years
_DECADES = ("{}s", "{}er Jahre", "années {}", "{}-е годы", "{}年代", "jaren {}", "anni {}")
_BEFORE_CHRIST = ("{} BC", "{} B.C.", "{} BCE", "{} v. Chr.", "{} av. J.-C.", "{} a.C.", "{} до н. э.", "公元前{}年")
_YEARS_AGO = (
    "{} million years ago",
    "{} Ma",
    "{} mya",
    "vor {} Millionen Jahren",
    "il y a {} millions d'années",
    "hace {} millones de años",
    "{} млн лет назад",
)


class _Said(NamedTuple):
    """A date in words or figures, and the texts that it can stand in."""

    text: str
    carriers: tuple[str, ...]


def made_date(choice: Choice) -> ValueCase:
    """A date, a text, and what the text says of the date; half of them name it."""
    says = choice.one(("names", "names", "names", "coarser", "conflict", "nothing"))
    kinds = (_day, _day, _day, _month, _year, _year, _early_year, _decade, _century, _before_christ, _old_style, _deep)
    return choice.one(kinds)(choice, says)


def _case(choice: Choice, value: TimeValue, said: _Said, says: str) -> ValueCase:
    carriers = said.carriers if says == "names" else tuple(c for c in said.carriers if "{other}" not in c)
    other = _figures("{d} {month} {y}", _another_day(choice, date(value.year, 6, 15))) if value.year > 1000 else "1871"
    return ValueCase(value, choice.one(carriers).format(said.text, other=other), says, said.text)


def _nothing(choice: Choice, value: TimeValue, figure: int | str) -> ValueCase:
    return ValueCase(value, choice.one(_NO_DATES).format(figure), "nothing")


def _some_day(choice: Choice) -> date:
    low, high = choice.one(((1940, 2024), (1940, 2024), (1800, 1939), (1600, 1799)))
    return date(choice.between(low, high), 1, 1) + timedelta(days=choice.below(365))


def _another_day(choice: Choice, day: date) -> date:
    """A day of another year."""
    year = day.year + choice.one((-1, 1)) * choice.between(1, 30)
    return date(year, 1, 1) + timedelta(days=choice.below(365))


def _ordinal(number: int) -> str:
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _figures(pattern: str, day: date) -> str:
    month = day.strftime("%B")
    return pattern.format(
        d=day.day,
        dd=f"{day.day:02}",
        m=day.month,
        mm=f"{day.month:02}",
        y=day.year,
        yy=f"{day.year % 100:02}",
        month=month,
        short=_SHORT[day.month - 1],
        abbreviated=month[:3],
        ABBREVIATED=month[:3].upper(),
        CAPITALS=month.upper(),
        ordinal=_ordinal(day.day),
        roman=_ROMAN[day.month - 1],
        weekday=day.strftime("%A"),
    )


def _the_day(choice: Choice, day: date) -> _Said:
    """The day in a way that has one reading."""
    way = choice.below(5)
    if way < 2:
        return _Said(_figures(choice.one(_DAYS), day), choice.one((_ON, _ON, _ROWS, _ROWS, _GLUED)))
    if way == 2:
        return _Said(_figures(choice.one(_DAY_FIGURES), day), _ROWS)
    locale = choice.one(_LOCALES)
    return _Said(format_date(day, choice.one(("full", "long", "medium")), locale), _LABELLED[locale])


def _the_day_either_order(choice: Choice, day: date) -> _Said:
    """The day in figures whose order, or century, the reader must guess."""
    patterns = _EITHER_ORDER if day.year >= 1940 else _EITHER_ORDER[:4]
    return _Said(_figures(choice.one(patterns), day), _ROWS)


def _the_month(choice: Choice, day: date) -> _Said:
    way = choice.below(4)
    if way < 2:
        return _Said(_figures(choice.one(_MONTHS), day), choice.one((_IN, _ROWS)))
    if way == 2:
        return _Said(_figures(choice.one(_MONTH_FIGURES), day), _ROWS)
    locale = choice.one(_LOCALES)
    return _Said(format_skeleton("yMMMM", day, locale=locale), _LABELLED[locale])


def _the_year(choice: Choice, year: int) -> _Said:
    if choice.below(4) == 0:
        return choice.one((_Said(f"{year}年", _LABELLED["ja"]), _Said(f"A.D. {year}", _ROWS), _Said(f"c{year}", _ROWS)))
    return _Said(str(year), choice.one((_IN, _IN, _ROWS, _ROWS, _GLUED)))


def _around_the_year(choice: Choice, year: int) -> _Said:
    """More than the year, and agreeing with it."""
    tens = year // 10 * 10
    ways = [
        _Said(f"between {year - choice.between(1, 4)} and {year + choice.between(1, 4)}", _ROWS),
        _Said(f"before {year + choice.between(1, 9)}", _ROWS),
        _Said(f"after {year - choice.between(1, 9)}", _ROWS),
        _Said(_century_text(choice, (year + 99) // 100), _ROWS),
    ]
    if tens % 100:
        ways.append(_Said(f"the {tens}s", choice.one((_IN, _ROWS))))
        ways.append(_Said(f"early {tens}s" if year - tens < 4 else f"{tens}s", _ROWS))
    if 0 < abs(year - (nearest := round(year / 10) * 10)) < 4:
        ways.append(_Said(f"c. {nearest}", _ROWS))
    return choice.one(ways)


def _century_text(choice: Choice, number: int) -> str:
    return choice.one(_CENTURIES).format(n=number, ordinal=_ordinal(number), roman=_ROMAN[number - 1])


def _day(choice: Choice, says: str) -> ValueCase:
    day = _some_day(choice)
    value = TimeValue(day.year, day.month, day.day, 11)
    if says == "nothing":
        return _nothing(choice, value, day.year)
    if says == "names":
        return _case(choice, value, choice.one((_the_day, _the_day, _the_day_either_order))(choice, day), says)
    if says == "coarser":
        ways: tuple[Callable[[], _Said], ...] = (
            lambda: _the_month(choice, day),
            lambda: _the_month(choice, day),
            lambda: _the_year(choice, day.year),
            lambda: _around_the_year(choice, day.year),
        )
        return _case(choice, value, choice.one(ways)(), says)
    same_month = day.replace(day=1 + (day.day - 1 + choice.between(1, 27)) % 28)
    same_year = day.replace(day=min(day.day, 28), month=1 + (day.month - 1 + choice.between(1, 11)) % 12)
    others: tuple[Callable[[], _Said], ...] = (
        lambda: _the_day(choice, same_month),
        lambda: _the_day(choice, same_year),
        lambda: _the_day(choice, _another_day(choice, day)),
        lambda: _the_month(choice, same_year),
        lambda: _the_year(choice, _another_day(choice, day).year),
    )
    return _case(choice, value, choice.one(others)(), says)


def _month(choice: Choice, says: str) -> ValueCase:
    day = _some_day(choice)
    value = TimeValue(day.year, day.month, None, 10)
    if says == "nothing":
        return _nothing(choice, value, day.year)
    if says == "coarser":
        return _case(choice, value, choice.one((_the_year, _the_year, _around_the_year))(choice, day.year), says)
    if says == "conflict":
        other_month = day.replace(day=1, month=1 + (day.month - 1 + choice.between(1, 11)) % 12)
        day = choice.one((other_month, _another_day(choice, day)))
    return _case(choice, value, choice.one((_the_month, _the_month, _the_day))(choice, day), says)


def _year(choice: Choice, says: str) -> ValueCase:
    day = _some_day(choice)
    value = TimeValue(day.year, None, None, 9)
    if says == "nothing":
        return _nothing(choice, value, day.year)
    if says == "coarser":
        return _case(choice, value, _around_the_year(choice, day.year), says)
    if says == "conflict":
        day = _another_day(choice, day)
    ways: tuple[Callable[[], _Said], ...] = (
        lambda: _the_year(choice, day.year),
        lambda: _the_year(choice, day.year),
        lambda: _the_month(choice, day),
        lambda: _the_day(choice, day),
    )
    return _case(choice, value, choice.one(ways)(), says)


def _early_year(choice: Choice, says: str) -> ValueCase:
    """A year of our era with fewer than four figures."""
    year = choice.between(100, 999)
    value = TimeValue(year, None, None, 9)
    if says == "nothing":
        return _nothing(choice, value, year)
    if says == "coarser":
        return _case(choice, value, _Said(f"{_ordinal((year + 99) // 100)} century", _LONG_AGO), says)
    written = year if says == "names" else year + choice.one((-1, 1)) * choice.between(2, 60)
    text = choice.one(("A.D. {}", "AD {}", "{} CE", "{} AD", "{} n. Chr.")).format(written)
    return _case(choice, value, choice.one((_Said(text, _LONG_AGO), _Said(f"the year {written}", _IN))), says)


def _decade(choice: Choice, says: str) -> ValueCase:
    tens = choice.one(_DECADE_YEARS)
    value = TimeValue(tens, None, None, 8)
    if says == "nothing":
        return _nothing(choice, value, tens + choice.below(10))
    if says == "coarser":
        return _case(choice, value, _Said(_century_text(choice, tens // 100 + 1), _ROWS), says)
    written = tens if says == "names" else choice.one([other for other in _DECADE_YEARS if other != tens])
    ways = (
        _Said(choice.one(_DECADES).format(written), _ROWS),
        _Said(f"the {written}s", _IN),
        _the_year(choice, written + choice.below(10)),
    )
    return _case(choice, value, choice.one(ways), says)


def _century(choice: Choice, says: str) -> ValueCase:
    number = choice.between(11, 20)
    value = TimeValue(100 * number - choice.between(1, 99), None, None, 7)
    if says == "nothing":
        text = choice.one((*_NO_DATES[:-2], "the corner of {th} Street and Vine", "on her {th} birthday"))
        return ValueCase(value, text.format(value.year, th=_ordinal(number)), says)
    if says == "coarser":
        span = f"between {100 * number - 100 - choice.between(50, 90)} and {100 * number + choice.between(50, 90)}"
        return _case(choice, value, _Said(span, _ROWS), says)
    if says == "conflict":
        number = choice.one([other for other in range(11, 21) if other != number])
    ways: tuple[Callable[[], _Said], ...] = (
        lambda: _Said(_century_text(choice, number), _ROWS),
        lambda: _Said(f"the {_ordinal(number)} century", _IN),
        lambda: _the_year(choice, 100 * number - choice.between(1, 99)),
    )
    return _case(choice, value, choice.one(ways)(), says)


def _before_christ(choice: Choice, says: str) -> ValueCase:
    year = choice.between(20, 980)
    value = TimeValue(-year, None, None, 9)
    if says == "nothing":
        return _nothing(choice, value, year)
    if says == "coarser":
        text = choice.one(("{} century BC", "{} c. B.C.", "{} century BCE")).format(_ordinal((year + 99) // 100))
        return _case(choice, value, _Said(text, _LONG_AGO), says)
    if says == "conflict":
        other_era = _Said(choice.one(("A.D. {}", "AD {}", "{} CE")).format(year), _LONG_AGO)
        other_year = _Said(choice.one(_BEFORE_CHRIST).format(year + choice.between(2, 60)), _LONG_AGO)
        return _case(choice, value, choice.one((other_era, other_year)), says)
    return _case(choice, value, _Said(choice.one(_BEFORE_CHRIST).format(year), _LONG_AGO), says)


def _old_style(choice: Choice, says: str) -> ValueCase:
    """A day in either calendar, on a page that says which it writes."""
    new = date(choice.between(1600, 1916), 5, 1) + timedelta(days=choice.below(200))
    old = new - timedelta(days=new.year // 100 - new.year // 400 - 2)  # after February, where the two drift apart
    value = choice.one(
        (TimeValue(new.year, new.month, new.day, 11), TimeValue(old.year, old.month, old.day, 11, "julian"))
    )
    if says == "nothing":
        return _nothing(choice, value, new.year)
    if says == "coarser":
        return _case(choice, value, choice.one((_the_year, _around_the_year))(choice, new.year), says)
    shift = timedelta(days=0 if says == "names" else choice.one((-1, 1)) * choice.between(20, 40))
    written_new, written_old = (_figures("{d} {month} {y}", day + shift) for day in (new, old))
    ways = (
        f"{written_old} (Old Style)",
        f"{written_old} (O.S.)",
        f"{written_new} (New Style)",
        f"{written_new} N.S.",
        f"{written_new} [O.S. {written_old}]",
        f"{written_old} O.S. ({written_new} N.S.)",
    )
    return _case(choice, value, _Said(choice.one(ways), choice.one((_ON, _ROWS))), says)


def _deep(choice: Choice, says: str) -> ValueCase:
    age = choice.between(5, 600)
    value = TimeValue(-age * 1_000_000, None, None, 3)
    if says == "nothing":
        texts = ("a fund of {} million dollars", "{} million people", "{} mA at 5 V", "page {}", "{} millions d'euros")
        return ValueCase(value, choice.one(texts).format(age), says)
    if says == "coarser":
        text = f"between {age - choice.between(2, 4)} and {age + choice.between(2, 9)} million years ago"
        return _case(choice, value, _Said(text, _LONG_AGO), says)
    written = age if says == "names" else age + choice.between(4, 40) + age // 5
    return _case(choice, value, _Said(choice.one(_YEARS_AGO).format(written), _LONG_AGO), says)
