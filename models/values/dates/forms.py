"""The forms in which dates are written, as patterns over a text's shape, and how each is read.

The letters of the patterns are those of `models.values.dates.words`. Of several forms that fit, the first wins.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from models.values.dates.calendar import JULIAN
from models.values.dates.context import counts, is_bare_year, is_capital, is_cued, is_labelled
from models.values.dates.dual import gregorian_of, valid_day
from models.values.dates.mention import DateMention, Point
from models.values.dates.months import month_of
from models.values.dates.words import NUMBERS, Shaped, ordinal


class Placed(NamedTuple):
    """A mention and its tokens [first, beyond). `order`: "dm" or "md" where its figures can only be read so, or ""."""

    mention: DateMention
    first: int
    beyond: int
    order: str = ""


_DAY = r"(?:[md](?:\.?O)?|(?:V-?)?N)\.?"
_OF = r"(?:Do?|o)?"
_MONTH = r"M\.?,?"
_LINK = r"(?:[oi]?H?Y|[oi])?A?"
_ERA = r"(?:\.?[EAe])"
_WHOLE = rf"y(?:[-/][mds](?![mdstyq]|[-/.][mdsM]|O?o?[MPR]))?{_ERA}?"  # with a second year: "1731/2"
_YEAR = rf"(?:{_WHOLE}|[tq]{_ERA}?|[mds]{_ERA}|'[mds])"
_LONE = r"[mds](?=[^wMOUmdstyq%:/]|$)"  # a year of two digits and no mark ends its phrase
_STYLE = r"(?:[(\[]?[SG]\.?[)\]]?)?"
_NTH = r"(?:[md]O|(?:V-?)?N|R)"
_AND = r"[-/&u|(\[]"

_FORMS = {
    "two_days": rf"{_DAY}{_OF}{_MONTH}{_STYLE}{_AND}H?S?\.?{_DAY}{_OF}{_MONTH}{_STYLE}[)\]]?,?{_LINK}{_YEAR}"
    rf"|{_DAY}{_AND}{_DAY}[)\]]?{_OF}{_MONTH}{_LINK}{_YEAR}"
    rf"|M\.?{_DAY}{_AND}(?:M\.?)?{_DAY}[)\]]?,?{_LINK}{_YEAR}",
    "two_months": rf"M\.?[-/&u|]{_MONTH}{_LINK}{_YEAR}",
    "day_month_year": rf"(?<!M)(?<!M\.){_DAY},?{_OF}{_MONTH}\)?{_LINK}(?:{_YEAR}|{_LONE})|{_DAY}o?P\.?o?{_YEAR}"
    rf"|[md](?P<s1>[./-])M(?P=s1)[mdsy]",
    "year_month_day": rf"y[.,/-]?M[./-]?[md]O?(?!\.?,?{_LINK}y(?!,?M))",
    "month_day_year": rf"M\.?,?H?{_DAY},?{_LINK}{_YEAR}",
    "roman_month": r"[md](?P<s4>[-./]?)R(?P=s4)y|[md](?P<s5>[-./])R(?P=s5)[ds](?![mdstyq])",
    "figures": r"[md](?P<s2>[./-])[md](?P=s2)[mdsy]|y(?P<s3>[./-])[md](?P=s3)[md]",
    "east_asian": r"(?:[yqt]|(?<=p)[mdsf])J(?:mg(?:[md]I)?)?(?!h)",
    "month_year": rf"{_MONTH}{_LINK}(?:{_WHOLE}|[tqmds]{_ERA}|t(?=[.,;:)]|$)|'[mds])",
    "year_month": r"y,?M(?=[^wmdstyq]|$)",
    "month_figures": r"m/y",
    "centuries": rf"{_NTH}-?[-&u/,|]H?w?-?{_NTH}-?[CK]",
    "century": rf"(?:{_NTH}|[md]\.)-?[CK]|Ri\.|[CK]\.?R|[md]jk|[md]Oc\.",
    "decade_of_century": r"[ds]\.R[Ci]\.?",
    "decade": r"y-?'?Z(?:[-&u/]'?[mds]'?Z)?|'[mds]Z|yJh|yO|T",
    "era": r"[mdstyq](?:[-u/][mdstyq])?\.?[EAe]|[EA][mdts](?!\.?[EAe])",
    "years": r"y[-/][mdsy](?![mdstyq]|O?\.?o?[MPR])|y\|y|t[-u]t",
    "year": r"[yt]|HY[mds]|'[mds]",
}
_COUNTING = NUMBERS + "N"
_TEN = {"twenty": 20, "thirty": 30}
_SHAPE = re.compile("(?=[mdstyqfMRNVCKTEAH'])(?:" + "|".join(f"(?P<{n}>{form})" for n, form in _FORMS.items()) + ")")


def read_forms(text: Shaped) -> list[Placed]:
    """Every date of a text that stands in one of the forms, in order, none overlapping. Linear in the text's length."""
    found: list[Placed] = []
    position = 0
    while match := _SHAPE.search(text.shape, position):
        glued = bool(found) and found[-1].beyond == match.start()
        if read := _READERS[match.lastgroup or ""](Form(text, match.start(), match.end(), glued)):
            found += read
            position = read[-1].beyond
        else:
            position = match.start() + 1
    return found


class Form(NamedTuple):
    """Tokens [first, beyond) of a text that have the shape of a date. `glued`: the token before is of another date."""

    text: Shaped
    first: int
    beyond: int
    glued: bool

    @property
    def numbers(self) -> list[int]:
        """Where its numbers are, in figures or as "first"."""
        shape = self.text.shape
        return [index for index in range(self.first, self.beyond) if shape[index] in _COUNTING]

    @property
    def months(self) -> list[int]:
        """Its months by name, 1–12."""
        shape, tokens = self.text.shape, self.text.tokens
        return [month_of(tokens[index]) for index in range(self.first, self.beyond) if shape[index] in "MP"]

    def value(self, index: int) -> int:
        """The number that stands at a token; that of "twenty-first" at its last."""
        text = self.text
        if text.shape[index] != "N":
            return int(text.tokens[index])
        tens = index - 2 if index and text.shape[index - 1] == "-" else index - 1
        return (ordinal(text.tokens[index]) or 0) + (_TEN[text.tokens[tens]] if text.shape[tens] == "V" else 0)

    def place(
        self,
        year: int,
        month: int | None = None,
        day: int | None = None,
        *,
        first: int = -1,
        beyond: int = -1,
        order: str = "",
        **known: Any,
    ) -> Placed:
        """A mention at its characters: those of all the form, or from the token `first` or to the one `beyond`."""
        first, beyond = self.first if first < 0 else first, self.beyond if beyond < 0 else beyond
        start, end = self.text.spans[first][0], self.text.spans[beyond - 1][1]
        return Placed(DateMention(start, end, year, month, day, **known), first, beyond, order)


class _Year(NamedTuple):
    """A year and the token after it. `old`: of the old style; `until`: where a later year's ending is, or 0."""

    year: int
    beyond: int
    short: bool = False
    old: bool = False
    until: int = 0


def _year(form: Form, index: int, month: int = 0) -> _Year | None:
    """The year at a token of a date, and where the date ends; None where it is a part of another number.

    "11 February 1731/2" ended 1731 in the style whose year begins on 25 March, and began 1732 in ours.
    """
    text, digits, beyond = form.text, form.text.tokens[index], form.beyond
    number = int(digits)
    if (kind := _era(form, index + 1)) == "E":
        return _Year(-number or 1, beyond)
    if kind:
        return _Year(number or 1, beyond)
    if len(digits) < 4 and text.shape[index + 1 : index + 2] == "Y":
        year_end = text.spans[index + 1][1]
        return _Year(-number if BC_AFTER.match(text.lower, year_end) else number, index + 2)  # "44 года до н. э."
    if len(digits) < 2:
        return None
    if len(digits) == 2:
        return _Year(_full_year(number), index + 1, short=True)
    if text.shape[index] == "t" and (text.lower[text.spans[index][0] - 1] == "," or counts(text, index + 1)):
        return None  # "May 1,950 people"
    if index + 2 < beyond and text.shape[index + 1] in "-/":
        tail = text.tokens[index + 2]
        if month in {1, 2, 3} and int(tail) == (number + 1) % 10 ** len(tail):
            return _Year(number + 1, beyond, old=True)
        if number % 10 ** len(tail) < int(tail):
            return _Year(number, index + 1, until=index + 2)
    return _Year(number, index + 1)


def _is_glued(form: Form) -> bool:
    """True where a letter or figure that is none of a date stands right before."""
    start = form.text.spans[form.first][0]
    before = form.text.lower[start - 1 : start] if start else ""
    return before.isalnum() and before < "\u2e80" and not form.glued


def _era(form: Form, index: int) -> str:
    index += 1 if form.text.shape[index : index + 1] == "." else 0
    kind = form.text.shape[index : index + 1] if index < form.beyond else ""
    if not kind or kind not in "EAe":
        return ""
    end = form.text.spans[index][1]
    if form.text.lower[end : end + 1].isalnum():
        return ""
    return kind if form.text.tokens[index] not in {"ad", "ce"} or is_capital(form.text, index) else ""


def _full_year(number: int) -> int:
    """A two-digit year after POSIX's rule: 69–99 are 1969–1999."""
    return number + (1900 if number >= 69 else 2000)


def _dated(form: Form, year: _Year, month: int, day: int | None = None) -> list[Placed]:
    """A day that its month doesn't have is left out."""
    if day is not None and not valid_day(year.year, month, day):
        day = None
    calendar = JULIAN if year.old else ""
    found = [form.place(year.year, month, day, beyond=year.beyond, short=year.short, calendar=calendar)]
    if year.until:  # "Nov. 1545–52"
        size = 10 ** len(form.text.tokens[year.until])
        last = year.year - year.year % size + form.value(year.until)
        found.append(form.place(last, first=year.until, beyond=year.until + 1))
    return found


def _one_day(form: Form) -> list[Placed]:
    day, year_at = form.numbers[:2]
    if _is_glued(form) and len(form.text.tokens[form.first - 1]) == 1:
        return []  # "l4 Sept.", read by a machine, is any day
    month = form.months[0]
    year = _year(form, year_at, month)
    return _dated(form, year, month, form.value(day)) if year else []


def _year_month_day(form: Form) -> list[Placed]:
    if not is_bare_year(form.text, form.first, form.first + 1, form.glued):
        return []
    year, day = (form.value(index) for index in form.numbers[:2])
    return _dated(form, _Year(year, form.beyond), form.months[0], day)


def _roman_month(form: Form) -> list[Placed]:
    roman = next(index for index in range(form.first, form.beyond) if form.text.shape[index] == "R")
    month = ordinal(form.text.tokens[roman]) or 0
    year = _year(form, form.numbers[1])
    if not 1 <= month <= 12 or form.text.tokens[roman][-1] in "eh" or year is None:
        return []
    if _is_glued(form) or counts(form.text, form.beyond):
        return []  # "30 x 1500 mm"
    return _dated(form, year, month, form.value(form.numbers[0]))


_FIGURES_AFTER = re.compile(r"(?:^|[^\w./-]|\d/)$")  # "1966-09-14/1966-09-20"
_FIGURES_BEFORE = re.compile(r"(?:t\d|/\d{4}-|(?![\w/-])(?!\.\d))")


def _figures(form: Form) -> list[Placed]:
    text, shape = form.text, form.text.shape
    start, end = text.spans[form.first][0], text.spans[form.beyond - 1][1]
    if not (form.glued or _FIGURES_AFTER.search(text.lower[max(0, start - 2) : start])):
        return []
    if not _FIGURES_BEFORE.match(text.lower, end):
        return []
    if is_labelled(text, form.first):
        return []
    one, two, last = (form.value(index) for index in form.numbers)
    if shape[form.first] == "y":
        return [form.place(one, two, last)] if two <= 12 and valid_day(one, two, last) else []
    length = len(text.tokens[form.numbers[2]])
    if length < 2:
        return []
    year = _full_year(last) if length == 2 else last
    day_first = two <= 12 and valid_day(year, two, one)
    month_first = one <= 12 and valid_day(year, one, two)
    if not (day_first or month_first):
        return []
    month, day = (two, one) if day_first else (one, two)
    dotted = text.tokens[form.first + 1] == "."  # is day first wherever it is written
    other = (one, two) if day_first and month_first and one != two and not dotted else None
    if length == 2 and text.tokens[form.first + 1] == "-" and other and last < 32:
        return []  # "10-11-12"
    order = "" if day_first and month_first else "dm" if day_first else "md"
    return [form.place(year, month, day, other=other, short=length == 2, order=order)]


# The year before the first of each, in Japan and in Taiwan.
_REIGNS = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018, "民國": 1911, "民国": 1911}


_BEFORE_CHRIST = frozenset({"前", "기원전"})
# "500년 동안" is how long something took, "300년 전" how long ago.
_FOR_YEARS = re.compile(r"\s?(?:전(?:에|의|부터|까지)?(?!\w)|간[의은이]?(?!\w)|동안|만에|넘|이상|[間间])")


def _east_asian(form: Form) -> list[Placed]:
    if form.beyond == form.first + 2 and _FOR_YEARS.match(form.text.lower, form.text.spans[form.first + 1][1]):
        return []
    first = [1] if form.text.shape[form.first] == "f" else []  # the first year of a reign has a name
    year, month, day = (first + [form.value(index) for index in form.numbers] + [0, 0])[:3]
    if form.first and form.text.shape[form.first - 1] == "p":
        before = form.text.tokens[max(0, form.first - 2) : form.first]
        if before[-1] in _BEFORE_CHRIST:
            year = -year
        elif form.text.tokens[form.first - 1] != "国" and "".join(before) not in _REIGNS:
            return []
        else:
            year += _REIGNS.get("".join(before), 0)
    return _dated(form, _Year(year, form.beyond), month, day or None) if month else [form.place(year)]


def _month_year(form: Form) -> list[Placed]:
    year = _year(form, form.numbers[0], form.months[0])
    return _dated(form, year, form.months[0]) if year else []


def _year_month(form: Form) -> list[Placed]:
    if not is_bare_year(form.text, form.first, form.first + 1, form.glued):
        return []
    return [form.place(form.value(form.first), form.months[0])]


def _month_figures(form: Form) -> list[Placed]:
    month, year = form.numbers
    if len(form.text.tokens[month]) < 2 or not is_bare_year(form.text, form.first, form.beyond, form.glued):
        return []
    return [form.place(form.value(year), form.value(month))]


def _pair(form: Form) -> tuple[int, int]:
    """Where what joins two dates stands, and where the second begins."""
    shape = form.text.shape
    join = next(index for index in range(form.first + 1, form.beyond) if shape[index] in "-/&u|([")
    return join, next(index for index in range(join, form.beyond) if shape[index] in NUMBERS + "MNVR")


def _ends(form: Form, one: Point, two: Point, **known: Any) -> list[Placed]:
    """Two dates in one form: one that is either ("14 or 15 May 1966", "born 1763/4"), else the ends of a run.

    "17/18 July" is a night and "1870/71" a season, which are in both.
    """
    join, second = _pair(form)
    before = form.text.shape[max(0, form.first - 3) : form.first]
    if form.text.shape[join] == "|" or (form.text.shape[join] == "/" and not one[1] and "X" in before):
        return [form.place(*one, last=two, span=two[0] - one[0] + 1, **known)]
    run = (one, two) if form.text.shape[join] in ("-u/" if one[1] else "/") else None
    return [form.place(*one, beyond=join, run=run, **known), form.place(*two, first=second, run=run, **known)]


def _two_days(form: Form) -> list[Placed]:
    first, second, year_at = form.numbers[:3]
    month, next_month = form.months[0], form.months[-1]
    year = _year(form, year_at, next_month)
    if year is None:
        return []
    form = form._replace(beyond=year.beyond)
    one, two = (month, form.value(first)), (next_month, form.value(second))
    join, _ = _pair(form)
    if form.text.shape[join] in "/([":
        if twin := gregorian_of(year.year, one, two):
            return [form.place(*twin, short=year.short, calendar="gregorian")]
        if form.text.shape[join] != "/":
            return []
    if not (valid_day(year.year, *one) and valid_day(year.year, *two)):
        return []
    return _run(form, year, one, two)


def _two_months(form: Form) -> list[Placed]:
    year = _year(form, form.numbers[0], form.months[-1])
    if year is None:
        return []
    one, two = form.months
    return _run(form._replace(beyond=year.beyond), year, (one, None), (two, None))


def _run(form: Form, year: _Year, one: tuple[int, int | None], two: tuple[int, int | None]) -> list[Placed]:
    before = year.year - ((one[0], one[1] or 0) > (two[0], two[1] or 0))  # 28 December – 3 January 1966
    return _ends(form, (before, *one), (year.year, *two), short=year.short, calendar=JULIAN if year.old else "")


def _nth(form: Form, index: int) -> tuple[int, int]:
    """The ordinal at a token, and the token after it."""
    text = form.text
    if text.shape[index] == "V":
        index += 2 if text.shape[index + 1] == "-" else 1
    number = ordinal(text.tokens[index]) or 0 if text.shape[index] == "R" else form.value(index)
    return number, index + 1


BC_AFTER = re.compile(
    r"[\s,(]{0,2}(?:b\.?\s?c\b|v\.?\s?chr|v\.?\s?u\.\s?z|av(?:\.|ant)\s?j|a\.\s?c\b|a\.\s?de\s?c|p\.\s?n\.\s?e|до\s(?:н|нашей)|f\.?\s?kr|"
    r"bce\b)"
)
_HOWS = frozenset("his her their my your our a an another maiden test league successive".split())
_COMPANIES = frozenset("fox studios pictures club party box".split())


def _first_years(form: Form, numbers: list[int]) -> tuple[list[int], int]:
    """The first year of each of these centuries or millennia, and how many years they have; none where it can't be."""
    text = form.text
    unit = next((index for index in range(form.first, form.beyond) if text.shape[index] in "CKk"), form.beyond - 1)
    span = 1000 if text.shape[unit] == "K" else 100
    before_christ = BC_AFTER.match(text.lower, text.spans[form.beyond - 1][1]) or (
        form.first and text.tokens[form.first - 1] in _BEFORE_CHRIST
    )
    if any(not 1 <= number <= (60 if before_christ else 30) for number in numbers):
        return [], span
    return [-number * span if before_christ else (number - 1) * span for number in numbers], span


def _century(form: Form) -> list[Placed]:
    text, shape = form.text, form.text.shape
    index = next(index for index in range(form.first, form.beyond) if shape[index] in "mdVNR")
    number, _ = _nth(form, index)
    if shape[form.first] in "VN" and form.first and text.tokens[form.first - 1] in _HOWS:
        return []  # "his first century" is cricket
    if shape[form.beyond - 2] == "i" and text.tokens[form.beyond - 2] not in {"w", "в"}:
        return []
    if shape[form.beyond - 2] == "c" and text.tokens[index + 1] not in {"st", "nd", "rd", "th"}:
        return []  # "19.3 °C."
    if _is_glued(form) or set(text.tokens[form.beyond : form.beyond + 1]) & _COMPANIES:
        return []
    years, span = _first_years(form, [number])
    return [form.place(year, span=span) for year in years]


def _centuries(form: Form) -> list[Placed]:
    one, after = _nth(form, form.first)
    second = next(index for index in range(after, form.beyond) if form.text.shape[index] in "mdVNR")
    two, _ = _nth(form, second)
    years, span = _first_years(form, [one, two])
    if not years:
        return []
    return [form.place(years[0], span=span, beyond=after), form.place(years[1], span=span, first=second)]


_TENS = dict(
    zip(
        "twenties thirties forties fifties sixties seventies eighties nineties".split(), range(20, 100, 10), strict=True
    )
)


def _decade(form: Form) -> list[Placed]:
    text, shape = form.text, form.text.shape
    if shape[form.first] == "T":
        if not set(text.tokens[max(0, form.first - 3) : form.first]) & {"the"}:
            return []  # "in his sixties"
        return [form.place(1900 + _TENS[text.tokens[form.first]], span=10, short=True)]
    numbers = form.numbers
    year = form.value(numbers[0])
    if year % 10 or (shape[form.first + 1] == "O" and text.tokens[form.first + 1] != "er"):
        return _bare_year(form._replace(beyond=form.first + 1)) if shape[form.first] == "y" else []
    if shape[form.first] == "'":
        start = text.spans[form.first][0]
        if text.lower[start - 1 : start].isalnum():
            return []
        return [form.place(1900 + year if year > 10 else 2000 + year, span=10, short=True)]
    start = text.spans[form.first][0]
    if text.lower[max(0, start - 1) : start].strip("([{\"'“‘-–—/ \n\t\u00a0"):
        return []
    ends = len(numbers) > 1 and form.value(numbers[1]) % 10 == 0
    beyond = numbers[1] - 1 if len(numbers) > 1 else form.beyond
    while shape[beyond - 1] not in "Zh" + "O":
        beyond -= 1
    found = [form.place(year, span=10, or_century=year % 100 == 0, beyond=beyond)]
    if ends:
        found.append(form.place(year // 100 * 100 + form.value(numbers[1]), span=10, first=numbers[1]))
    return found


_DECADES = frozenset("lata latach lat".split())


def _decade_of_century(form: Form) -> list[Placed]:
    """ "lata 60. XX wieku"."""
    text, tens = form.text, form.value(form.first)
    before = text.tokens[form.first - 1] if form.first else ""
    if before not in _DECADES or tens % 10 or text.tokens[form.first + 3] not in _CENTURY_WORDS:
        return []
    century = ordinal(text.tokens[form.first + 2]) or 1
    return [form.place(100 * (century - 1) + tens, span=10)]


_CENTURY_WORDS = frozenset("wieku wiek w".split())


def _in_era(form: Form) -> list[Placed]:
    text, numbers = form.text, form.numbers
    if text.shape[form.first] in "EA":
        index = form.first
        if not is_capital(text, index) or (index and text.tokens[index - 1] == ","):
            return []  # "Vancouver, BC 604"
        if text.spans[index][1] == text.spans[index + 1][0] and text.tokens[index][-1] != ".":
            return []  # "CE1-4"
        number = form.value(numbers[0])
        if not number or counts(text, form.beyond):
            return []
        return [form.place(-number if text.shape[index] == "E" else number)]
    kind = _era(form, numbers[-1] + 1)
    start = text.spans[form.first][0]
    before = text.lower[max(0, start - 1) : start]
    if (
        not kind
        or before in set("$£€/.,")
        or (before.isalnum() and not form.glued and text.shape[form.first - 1] not in "cXF")
    ):
        return []
    values = [form.value(index) for index in numbers]
    if 0 in values:
        return []
    ascends = len(values) == 1 or (values[0] > values[1]) == (kind == "E")
    years = [-number if kind == "E" else number for number in values]
    if len(values) == 1 or not ascends:
        return [form.place(years[-1], first=numbers[-1])]
    return _ends(form, (years[0], None, None), (years[1], None, None))


def _years(form: Form) -> list[Placed]:
    """Two years, or a year and the end of a second: a run ("1803–09"), either of two ("1763/4", "1850 or 1851")."""
    text, shape = form.text, form.text.shape
    (first, second), join = form.numbers, form.first + 1
    one, tail = form.value(first), form.value(second)
    if shape[first] == "t":
        opens = shape[first - 1 : first] == "(" if first else False
        if one < tail <= one + 120 and (opens or is_cued(text, first)) and not counts(text, form.beyond):
            return _ends(form, (one, None, None), (tail, None, None))
        return []
    if not is_bare_year(text, first, form.beyond, form.glued):
        return []
    end = text.spans[second][1]
    if text.lower[end : end + 1] in {"-", ".", "/", ":"} and text.lower[end + 1 : end + 2].isdigit():
        return _bare_year(form._replace(beyond=join))
    length = len(text.tokens[second])
    two = one - one % 10**length + tail
    if (
        text.tokens[join] == "-"
        and shape[second] == "m"
        and length == 2
        and two <= one
        and end - text.spans[first][0] == 7
    ):
        return [form.place(one, tail)]  # "1966-09"
    if shape[join] == "/" and 0 < two - one <= _ROUGHLY and not (one % 5 or two % 5):
        return [form.place(one, last=(two, None, None), span=two - one + 1)]  # "um 1430/35"
    apart = shape[join] in "/|" and not 0 < two - one <= (1 if shape[join] == "/" else 5)
    if two <= one or (apart and shape[second] != "y") or (shape[second] != "y" and counts(text, form.beyond)):
        return _bare_year(form._replace(beyond=join))
    if apart:
        return [form.place(one, beyond=join), form.place(two, first=second)]
    return _ends(form, (one, None, None), (two, None, None))


_ROUGHLY = 10  # years that catalogues leave open with a stroke between round ones


_SEASONS = frozenset("spring summer autumn fall winter season class".split())


def _apostrophe_year(form: Form, number: int) -> list[Placed]:
    """The class of '84, and gli anni '60."""
    text = form.text
    start, end = text.spans[form.first][0], text.spans[form.first][1]
    before = text.tokens[form.first - 1] if form.first else ""
    if (
        len(text.tokens[form.first + 1]) < 2
        or end != text.spans[form.first + 1][0]
        or text.lower[start - 1 : start].isalnum()
    ):
        return []
    if before in _DECADE_WORDS and number % 10 == 0:
        return [form.place(1900 + number, span=10, short=True)]
    if before not in _SEASONS and not (
        before == "of" and set(text.tokens[max(0, form.first - 3) : form.first]) & _SEASONS
    ):
        return []
    return [form.place(_full_year(number), short=True)]


_DECADE_WORDS = frozenset("années années años anos anni".split())


def _bare_year(form: Form) -> list[Placed]:
    text, shape = form.text, form.text.shape
    index = form.numbers[0]
    year = form.value(index)
    if shape[form.first] == "'":
        return _apostrophe_year(form, year)
    if shape[form.first] == "H":
        return [form.place(year)] if year and not counts(text, form.beyond) else []
    if not is_bare_year(text, form.first, form.beyond, form.glued):
        return []
    if shape[index] == "t" and (not is_cued(text, index) or counts(text, form.beyond)):
        return []
    if year % 10 == 0 and form.first and text.tokens[form.first - 1] in _DECADE_WORDS:
        return [form.place(year, span=10, or_century=year % 100 == 0)]
    return [form.place(year)]


_READERS: dict[str, Callable[[Form], list[Placed]]] = {
    "two_days": _two_days, "two_months": _two_months, "day_month_year": _one_day, "year_month_day": _year_month_day,
    "month_day_year": _one_day, "roman_month": _roman_month, "figures": _figures, "east_asian": _east_asian,
    "month_year": _month_year, "year_month": _year_month, "month_figures": _month_figures, "centuries": _centuries,
    "century": _century, "decade": _decade, "decade_of_century": _decade_of_century, "era": _in_era,
    "years": _years, "year": _bare_year,
}  # fmt: skip
