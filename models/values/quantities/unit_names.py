"""How units of measurement, currencies and counted things are written: symbols, words, and names in ten languages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from babel import Locale

from models.values.counted import GERMAN, OTHERS


@dataclass(frozen=True, slots=True)
class Unit:
    """A product of powers: (("kilometre", 1), ("hour", -1)). `kind`: "measure", "money", "count", or "word" for a unit
    that no table has, which is equal to itself and converts to nothing."""

    parts: tuple[tuple[str, int], ...]
    kind: str = "measure"


# Prefixed units: pint's name, symbols, words, the prefixes in use. Symbols are case-sensitive, words aren't.
_PREFIXED = """
metre | m | metre meter mètre metro | k d c m µ μ u n p
gram | g gm | gram gramme | k c m µ μ u n
litre | l L ℓ | litre liter | h d c m µ M
second | s sec | second | m µ μ n
watt | W | watt | k M G T m
joule | J | joule | k M G
pascal | Pa | pascal | h k M G
hertz | Hz | hertz | k M G T
volt | V | volt | k m
ampere | A | ampere amp | k m
newton | N | newton | k M
tesla | T | tesla | m
ohm | Ω Ω | ohm | k M
mole | mol | mole | m µ
electron_volt | eV | electronvolt | k M G
byte | B | byte | k K M G T P
bit | bit | bit | k M G
parsec | pc | parsec | k M G
calorie | cal | calorie | k
tonne | t | tonne | k M
bar | bar | bar | m
dalton | Da | dalton | k M
watt_hour | Wh | watt-hour | k M G T
volt_ampere | VA | volt-ampere | k M
candela | cd | candela |
lumen | lm | lumen |
"""

# Other units: pint's name (or, after "=", parts of several), symbols, words.
_PLAIN = """
inch | in. '' ㏌ | inch, inches
foot | ft ft. | foot, feet
yard | yd yd. yds yds. | yard
mile | mi mi. | mile, statute mile
nautical_mile | nmi NM | nautical mile, sea mile
fathom | ftm | fathom
furlong | | furlong
light_year | ly | light year, light-year
astronomical_unit | AU au ua | astronomical unit
angstrom | Å | angstrom, ångström, ångstrom
micrometre | | micron
micrometre | ㎛ |
centimetre | ㎝ |
millimetre | ㎜ |
kilometre | ㎞ |
kilogram | kilo kilos ㎏ | kilogramme
hectare | ha ㏊ | hectare
international_acre | ac | acre
dunam | | dunam
pound | lb lb. lbs lbs. ℔ | pound mass, avoirdupois pound
ounce | oz oz. | ounce
troy_ounce | ozt | troy ounce
stone | | stone
metric_ton | | metric ton
short_ton | | short ton
long_ton | | long ton
carat | ct | carat
solar_mass | M☉ M⊙ | solar mass
earth_mass | M⊕ | earth mass
jupiter_mass | MJ | jupiter mass
solar_radius | R☉ R⊙ | solar radius
dalton | u amu | unified atomic mass unit, atomic mass unit
minute | min min. mins | minute
hour | h hr hr. hrs hrs. | hour
day | d | day
week | wk wks | week
month | mo mos | month
year | yr yr. yrs yrs. | year, years old, year old, years of age, year of age
decade | | decade
century | | century, centuries
degree_Celsius | °C ºC ℃ ˚C | degree celsius, celsius, centigrade, degree centigrade
degree_Fahrenheit | °F ºF ℉ ˚F | degree fahrenheit, fahrenheit
kelvin | K °K | kelvin
degree | ° º ˚ deg | degree, arc degree, degree of arc, arcdegree, angular degree
arcminute | arcmin | arcminute, minute of arc, arc minute
arcsecond | arcsec | arcsecond, second of arc, arc second
radian | rad | radian
percent | % ％ pct pct. | percent, per cent, percentage, procent, prozent, por ciento, pour cent
permille | ‰ | permille, per mille, promille
ppm | ppm | part per million, parts per million
ppb | ppb | part per billion, parts per billion
knot | kn kt kts | knot
horsepower | hp HP bhp | horsepower
metric_horsepower | PS CV ch cv | metric horsepower
psi | psi | pound-force per square inch, pounds per square inch
atmosphere | atm | atmosphere, standard atmosphere
mmHg | mmHg torr | millimetre of mercury, millimeter of mercury, millimetres of mercury, torr
inHg | inHg | inch of mercury, inches of mercury
barrel | bbl bbl. | oil barrel
kibibyte | KiB | kibibyte
mebibyte | MiB | mebibyte
gibibyte | GiB | gibibyte
tebibyte | TiB | tebibyte
decibel | dB | decibel
becquerel | Bq | becquerel
sievert | Sv mSv | sievert
gray | Gy | gray
lux | lx | lux
revolutions_per_minute | rpm RPM r/min | revolution per minute, revolutions per minute
standard_gravity | | standard gravity, g-force
british_thermal_unit | BTU Btu | british thermal unit
pixel | px | pixel
megapixel | MP | megapixel
siemens | S | siemens
degree_API | | api gravity
mile/hour | mph MPH mi/h | mile per hour, miles per hour, miles an hour
kilometre/hour | kph kmh km/h kmph KPH | kilometres an hour
kilometre/second | kps |
foot/second | fps | feet per second
bit/second | bps | bit per second
kilobit/second | kbps kbit/s | kilobits per second
megabit/second | Mbps Mbit/s | megabits per second
gigabit/second | Gbps Gbit/s | gigabits per second
cubic:centimetre | cc ccm | cc
square:kilometre | ㎢ qkm | square km
square:metre | ㎡ qm | square m
cubic:metre | ㎥ cbm | cubic m
square:foot | sqft | square ft
square:hectometre | | square hectometre, square hectometer
square:metre | | are, ares
cubic:foot/second | cfs cusec |
metre | м |
kilometre | км |
centimetre | см |
millimetre | мм |
kilogram | кг |
gram | г |
square:kilometre | км² |
kilometre/hour | км/ч |
metre | | 米, メートル, 公尺, 미터
kilometre | | 公里, 千米, キロメートル, キロ, 킬로미터
centimetre | | 厘米, センチメートル, センチ, 公分
square:kilometre | | 平方公里, 平方キロメートル
kilogram | | 公斤, 千克, キログラム
minute | | 分, 分钟, 分鐘
hour | | 时间, 時間, 小时, 小時
percent | | パーセント
newton*metre | Nm | newton metre, newton meter
pascal*second | | pascal second
ampere*hour | Ah | ampere hour
milliampere*hour | mAh | milliampere hour
volt*ampere | | volt ampere
"""

# Written alike, meaning several things: any of them can be meant.
_AMBIGUOUS = """
short_ton tonne long_ton | ton | ton, tons
gallon imperial_gallon | gal gal. | gallon
pint imperial_pint | | pint
quart imperial_quart | qt | quart
fluid_ounce imperial_fluid_ounce | fl.oz. | fluid ounce, fl oz, fl. oz
horsepower metric_horsepower | cv |
barrel beer_barrel | | barrel
gallon | | us gallon
imperial_gallon | | imperial gallon, uk gallon
foot arcminute minute | ' ′ ’ |
inch arcsecond second | " ″ ” |
inch | in |
stone | st |
kelvin | °K |
degree_Celsius coulomb | C |
degree_Fahrenheit farad | F |
"""

# Beyond what pint defines.
DEFINED = (
    "solar_mass = 1.98841e30 * kilogram",
    "earth_mass = 5.9722e24 * kilogram",
    "jupiter_mass = 1.89813e27 * kilogram",
    "solar_radius = 695700 * kilometer",
    "dunam = 1000 * meter ** 2",
    "international_acre = 4046.8564224 * meter ** 2",  # pint's is the survey acre
)

# What pint counts as plain numbers, kept apart: 12° isn't 21 %.
KINDS = {
    "degree": "angle", "arcminute": "angle", "arcsecond": "angle", "radian": "angle",
    "percent": "share", "permille": "share", "ppm": "share", "ppb": "share",
    "pixel": "pixel", "megapixel": "pixel", "decibel": "level",
}  # fmt: skip
DATA = ("bit", "byte")

# What a page counts. A statement of so many inhabitants, or of a bare number, is about any of these.
COUNTED = (
    "inhabitant resident people person citizen soul population child children son daughter student pupil employee "
    "member worker staff seat vote episode season film movie song track album book page volume issue chapter work "
    "painting goal point match game appearance cap win loss medal title award house household home dwelling building "
    "floor storey story stories room bed apartment car vehicle aircraft ship locomotive station platform track gate "
    "island country countries county counties municipality municipalities district village town city cities school "
    "university universities follower subscriber user viewer visitor passenger player participant competitor athlete "
    "delegate soldier men women man woman casualty casualties death victim species genus genera copy copies unit item "
    "piece object subscriber follower view download language speaker church bridge tunnel runway stop lane "
    "part 人 名 部 "
    "einwohner habitant habitante abitante inwoner invånare residente"
)

_PREFIX_WORDS = {
    "k": "kilo", "K": "kilo", "h": "hecto", "d": "deci", "c": "centi", "m": "milli", "µ": "micro", "μ": "micro",
    "u": "micro", "n": "nano", "p": "pico", "M": "mega", "G": "giga", "T": "tera", "P": "peta",
}  # fmt: skip

# Signs and short names of money, the likeliest first. Names come from CLDR, and these that it has otherwise.
_MONEY = """
USD CAD AUD NZD HKD SGD TWD MXN ARS CLP COP BRL | $
USD | US$ U.S.$ US-$ | United States dollar, U.S. dollar, American dollar, US-Dollar
CAD | C$ CA$ CAN$ Can$
AUD | A$ AU$
NZD | NZ$
HKD | HK$
SGD | S$
TWD | NT$
BRL | R$ | real, reais
EUR | € Euro
GBP | £ GB£ stg£ | pound sterling, pounds sterling, British pound, sterling
JPY CNY | ¥ ￥
JPY | | 円, 日元
CNY | RMB | renminbi, Chinese yuan, 元, 人民币
INR PKR LKR NPR MUR | Rs Rs. ₨ | rupee, rupees
INR | ₹
RUB | ₽ | ruble, rouble, Russian rouble
KRW | ₩
UAH | ₴
TRY | ₺
ILS | ₪ | shekel, shekels
PHP | ₱
NGN | ₦
VND | ₫
SEK NOK DKK ISK CZK | kr kr.
CZK | Kč
PLN | zł | zloty, zlotys, złoty
CHF | SFr Fr. sFr
CHF FRF BEF | | franc, francs
DEM | DM | Deutsche Mark, German mark, Deutschmark
MXN ARS CLP COP PHP CUP | | peso, pesos
USD CAD AUD NZD HKD SGD TWD | | dollar, dollars
SEK NOK DKK CZK ISK | | krona, kronor, krone, kroner, crown, crowns, koruna
THB | ฿ | baht
CNY | | yuan
JPY | | yen
EUR | | euro, euros, евро, ユーロ, 欧元
ZAR | | rand
HUF | Ft | forint
"""
# Codes that are written beside amounts, and aren't words ("ALL 12", "TOP 10").
_CODES = frozenset(
    "USD EUR GBP JPY CHF CAD AUD NZD SEK NOK DKK ISK CNY HKD SGD INR BRL MXN ARS CLP ZAR RUB UAH PLN CZK HUF KRW THB "
    "IDR MYR PHP VND TWD AED SAR ILS EGP NGN KES PKR BDT LKR DEM FRF ITL ESP NLG BEF ATS FIM PTE IEP".split()
)
_POUNDS = "pound pounds"
_SMALL_CHANGE = "cent cents pence pennies penny shilling shillings"

# CLDR's names of what pages in other languages write out.
_CLDR = {
    "length-kilometer": "kilometre", "length-meter": "metre", "length-centimeter": "centimetre",
    "length-millimeter": "millimetre", "length-mile": "mile", "length-foot": "foot", "length-inch": "inch",
    "length-yard": "yard", "length-nautical-mile": "nautical_mile", "length-light-year": "light_year",
    "mass-kilogram": "kilogram", "mass-gram": "gram", "mass-milligram": "milligram", "mass-tonne": "tonne",
    "area-hectare": "hectare", "area-acre": "international_acre", "area-square-kilometer": "square:kilometre",
    "area-square-meter": "square:metre", "area-square-mile": "square:mile", "area-square-foot": "square:foot",
    "volume-liter": "litre", "volume-milliliter": "millilitre", "volume-cubic-meter": "cubic:metre",
    "volume-cubic-kilometer": "cubic:kilometre", "duration-second": "second", "duration-minute": "minute",
    "duration-hour": "hour", "duration-day": "day", "duration-week": "week", "duration-month": "month",
    "duration-year": "year", "temperature-celsius": "degree_Celsius", "temperature-fahrenheit": "degree_Fahrenheit",
    "speed-kilometer-per-hour": "kilometre/hour", "speed-meter-per-second": "metre/second",
    "speed-mile-per-hour": "mile/hour", "power-kilowatt": "kilowatt", "power-megawatt": "megawatt",
    "power-watt": "watt", "power-horsepower": "horsepower", "energy-kilowatt-hour": "kilowatt_hour",
}  # fmt: skip
_LANGUAGES = ("de", "fr", "es", "it", "pt", "nl", "pl", "ru", "sv")


def product(name: str) -> Unit:
    """ "square:metre", "newton*metre", "kilometre/hour" → a unit."""
    over, _, under = name.partition("/")
    parts = []
    for sign, factors in ((1, over), (-1, under)):
        for factor in factors.split("*") if factors else ():
            power, _, atom = factor.rpartition(":")
            parts.append((atom, {"": 1, "square": 2, "cubic": 3}[power] * sign))
    return Unit(tuple(parts))


@dataclass(frozen=True, slots=True)
class Forms:
    """Written forms to what they can mean: `symbols` as they stand, `words` folded; `first` are their first words."""

    symbols: dict[str, tuple[Unit, ...]]
    words: dict[str, tuple[Unit, ...]]
    longest: dict[str, int]


_SHORTEST_LOOSE = 2  # "KM", "Kg" and "LBS" are read without case; "M" and "b" aren't


@cache
def forms() -> Forms:
    symbols: dict[str, tuple[Unit, ...]] = {}
    words: dict[str, tuple[Unit, ...]] = {}
    for form, units, exact in _listed():
        known = symbols if exact else words
        known.setdefault(form, units)
    loose: dict[str, set[tuple[Unit, ...]]] = {}
    for form, units in symbols.items():
        if len(form) >= _SHORTEST_LOOSE and form.isalpha() and form not in {"in", "st", "ac", "au", "ch", "cal", "mo"}:
            loose.setdefault(form.casefold(), set()).add(units)
    for form, meanings in loose.items():
        if len(meanings) == 1:
            words.setdefault(form, next(iter(meanings)))
    longest: dict[str, int] = {}
    for form in words:
        pieces = form.split(" ")
        longest[pieces[0]] = max(longest.get(pieces[0], 0), len(pieces))
    return Forms(symbols, words, longest)


def _listed() -> Iterator[tuple[str, tuple[Unit, ...], bool]]:
    """Every form, what it means, and whether it is a symbol; what comes first stays."""
    for meanings, symbols, words in _lines(_AMBIGUOUS):
        units = tuple(product(name) for name in meanings.split())
        yield from ((symbol, units, True) for symbol in symbols.split())
        yield from ((form, units, False) for word in _listing(words) for form in _plurals(word))
    for name, symbols, words, prefixes in _lines(_PREFIXED):
        for prefix in ("", *prefixes.split()):
            unit = (product(_PREFIX_WORDS.get(prefix, "") + name),)
            yield from ((prefix + symbol, unit, True) for symbol in symbols.split())
            spoken = [_PREFIX_WORDS.get(prefix, "") + word for word in words.split()]
            yield from ((form, unit, False) for word in spoken for form in _plurals(word.replace("-", " ")))
    for name, symbols, words in _lines(_PLAIN):
        unit = (product(name),)
        yield from ((symbol, unit, True) for symbol in symbols.split())
        yield from ((form, unit, False) for word in _listing(words) for form in _plurals(word))
    yield from _money()
    for word in _SMALL_CHANGE.split():
        yield word, (Unit(((word, 1),), "word"),), False
    yield from ((page, (Unit((("page", 1),), "count"),), True) for page in ("p.", "pp.", "S."))
    for word in COUNTED.split():
        for form in _plurals(word):
            yield form, (Unit(((word, 1),), "count"),), False
    for word in f"{GERMAN} {OTHERS}".split():
        yield word, (Unit(((word, 1),), "count"),), False
    yield from _foreign()


def _lines(table: str) -> Iterator[tuple[str, ...]]:
    for line in table.strip().splitlines():
        yield tuple(cell.strip() for cell in line.split("|"))


def _listing(words: str) -> list[str]:
    """Words are parted by commas where there are any, by spaces otherwise."""
    return [word.strip().replace("-", " ") for word in (words.split(",") if "," in words else [words])] if words else []


def _plurals(word: str) -> tuple[str, ...]:
    first, _, rest = word.partition(" ")
    if " per " in f" {rest} " or " of " in f" {rest} " or rest in {"old", "celsius", "fahrenheit", "centigrade"}:
        return word, f"{first}s {rest}"
    if word.endswith(("s", "x", "z", "feet")):
        return (word,)
    return word, word + "s"


def _money() -> Iterator[tuple[str, tuple[Unit, ...], bool]]:
    for line in _lines(_MONEY):
        codes, symbols, words = (*line, "")[:3]
        units = tuple(_coin(code) for code in codes.split())
        yield from ((symbol, units, True) for symbol in symbols.split())
        yield from ((form.casefold(), units, False) for word in _listing(words) for form in _plurals(word))
    pounds = (product("pound"), _coin("GBP"))
    yield from ((word, pounds, False) for word in _POUNDS.split())
    data: Any = Locale("en")._data
    names, plurals = data["currency_names"], data["currency_names_plural"]
    for code, name in names.items():
        if "(" not in name and code.isalpha():
            if code in _CODES:
                yield code, (_coin(code),), True
            for form in {name, *plurals.get(code, {}).values()}:
                yield form.casefold().replace("-", " "), (_coin(code),), False
    for language in _LANGUAGES:
        plurals = Locale(language)._data["currency_names_plural"]
        for code in ("USD", "EUR", "GBP", "JPY", "CHF", "SEK", "NOK", "DKK", "RUB", "PLN", "CNY", "BRL"):
            for form in plurals.get(code, {}).values():
                yield form.casefold().replace("-", " "), (_coin(code),), False


def _coin(code: str) -> Unit:
    return Unit(((code, 1),), "money")


def _foreign() -> Iterator[tuple[str, tuple[Unit, ...], bool]]:
    for language in _LANGUAGES:
        patterns: Any = Locale(language)._data["unit_patterns"]
        for key, name in _CLDR.items():
            for form in (patterns.get(key, {}).get("long") or {}).values():
                word = form.replace("{0}", "").strip().casefold() if isinstance(form, str) else ""
                if len(word) >= 4 and "{" not in word:
                    yield word.replace("-", " "), (product(name),), False
