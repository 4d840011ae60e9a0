"""How a date of a text stands to a statement's: both are spans of days on a line, whatever calendar they came in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from models.statement import TimeValue
from models.values.dates.calendar import GREGORIAN, JULIAN, Days, astronomical, days_of, days_of_years
from models.values.dates.mention import DateMention

EXACT, COARSER, UNCLEAR, CONFLICT = "exact", "coarser", "unclear", "conflict"
_BEST_FIRST = (EXACT, COARSER, UNCLEAR, CONFLICT)

PARTS = {
    "early": (0.0, 0.4), "mid": (0.25, 0.75), "late": (0.6, 1.0), "beginning": (0.0, 0.25), "end": (0.75, 1.0),
    "turn": (-0.15, 0.15), "first half": (0.0, 0.5), "second half": (0.5, 1.0), "first quarter": (0.0, 0.25),
    "second quarter": (0.25, 0.5), "third quarter": (0.5, 0.75), "last quarter": (0.75, 1.0),
    "first third": (0.0, 1 / 3), "second third": (1 / 3, 2 / 3), "last third": (2 / 3, 1.0),
}  # fmt: skip
"""Parts of a decade or century as shares of it. Halves, thirds and quarters end where they say; the others don't."""

_BOTH_IN_USE = 1923  # until then a date without a mark may be of either calendar: Greece was the last to change
_MOSTLY_GREGORIAN = 1918  # Russia changed: a page in another language has hardly a Julian date without a mark since
_YEAR_FROM_MARCH_UNTIL = 1752  # in Britain; elsewhere earlier
_NEW_STYLE_SINCE = 1752  # in Britain, the last of the large countries of the west
_OVERLAP = 0.1  # spans that share no more than this of the shorter are apart: 1800 and 1801 share days of two calendars
_YEAR = 365.25
_FEW_RECORDS_BEFORE = 1000


@dataclass(frozen=True, slots=True)
class Period:
    """The days that a date means, those that it agrees with loosely, and all that it can be taken to mean."""

    core: Days
    outer: Days
    near: Days | None = None


def compare(value: TimeValue, mention: DateMention, text: str = "") -> str:  # noqa: ARG001 - part of the interface
    """How a mentioned date stands to a statement's date.

    "exact": the same at the statement's precision, or finer (14 September 1966 says 1966);
    "coarser": agrees as far as it goes, but says less; "conflict": another date; "unclear": neither can be told.
    Where a mention can be read in several ways ("03/04/1990"), the reading counts that agrees best.
    """
    if _far_apart(value, mention):
        return CONFLICT
    wanted = period(value)
    if mention.role == "aged":
        # A year of someone's life lies in two years, names neither, and refutes what it doesn't touch.
        return COARSER if any(_touch(said.outer, wanted.outer) for said in _readings(mention, value)) else CONFLICT
    if mention.bound:
        return _stand_to_limit(wanted, mention, value)
    found = [_stand(wanted, said) for said in _readings(mention, value)]
    best = min(found, key=_BEST_FIRST.index)
    if mention.or_century and best != CONFLICT:
        best = UNCLEAR if CONFLICT in found else max(found, key=_BEST_FIRST.index)
    if best == CONFLICT and mention.run and _is_within_run(wanted, mention, value):
        return COARSER
    if best == CONFLICT:
        best = _stand_in_other_calendar(wanted, mention, value)
    return best


def _far_apart(value: TimeValue, mention: DateMention) -> bool:
    """True where years alone settle it, as they mostly do: no calendar, reading or "about" bridges 150 years."""
    if value.precision < 9 or mention.short or mention.bound:
        return False
    last = mention.last[0] if mention.last else mention.year + (100 if mention.or_century else mention.span)
    return value.year < mention.year - 150 or value.year > last + 150


@lru_cache(maxsize=4096)
def period(value: TimeValue) -> Period:
    """The days of a statement's date at its precision, in its calendar.

    A century or millennium is any year of it, as Wikidata shows it: 1801 to 1900 are the 19th; 1800 is left open,
    since many say so. Ten thousand years and more are a rounded number.
    """
    year, calendar = value.year, value.calendar if value.calendar in {JULIAN, GREGORIAN} else GREGORIAN
    if value.precision >= 9:
        month = value.month if value.precision >= 10 and value.month and 1 <= value.month <= 12 else None
        day = value.day if month and value.precision >= 11 else None
        return _certain(days_of(year, month, day or None, calendar))
    if value.precision >= 6:
        span = 10 ** (9 - value.precision)
        if span == 10:
            return _years(year // 10 * 10 if year >= 0 else -(-year // 10 * 10 + 9), span, calendar)
        number = (abs(year) + span - 1) // span
        return _years(-number * span if year < 0 else (number - 1) * span, span, calendar)
    half = 10 ** (9 - max(value.precision, 0)) // 2
    return _certain(days_of_years(year - half, year + half, calendar))


def _certain(days: Days) -> Period:
    return Period(days, days)


def _years(first: int, span: int, calendar: str) -> Period:
    """The period of `span` years from `first` (as `DateMention.year` has it: a century AD from its year 00)."""
    if first < 0:
        last = first + span - 1
        # Ten years that end with the year 1 BC are nine: there is no year 0.
        return _certain(days_of_years(astronomical(first), astronomical(min(last, -1)), calendar))
    whole = days_of_years(first, first + span - 1, calendar)
    if span not in {100, 1000}:
        return _certain(whole)
    strict = days_of_years(first + 1, first + span, calendar)
    return Period(strict, (whole[0], strict[1]))


_NEAR_LIMIT = 50 * 365.25  # days within which a limit still says something of a date


def _stand_to_limit(wanted: Period, mention: DateMention, value: TimeValue) -> str:
    """ "Before 1850" agrees with the years right before it, refutes those after, and leaves 1850 itself open."""
    first, last = wanted.core
    edge = next(_readings(mention, value)).outer
    if not _apart(wanted.core, edge):
        return COARSER if mention.bound in {"by", "from"} else UNCLEAR
    if mention.bound in {"before", "by"}:
        return CONFLICT if last > edge[1] else COARSER if edge[0] - last <= _NEAR_LIMIT else UNCLEAR
    return CONFLICT if first < edge[0] else COARSER if first - edge[1] <= _NEAR_LIMIT else UNCLEAR


def _stand(wanted: Period, said: Period) -> str:
    if not _apart(said.core, wanted.core):
        if _within(said.core, wanted.outer):
            return EXACT
        if _is_round(said) and _holds_middle(wanted.core, said.core) and _length(said.core) <= _length(wanted.core):
            return EXACT  # "12,000 years ago" and 10,000 BCE were rounded in different places
        if _within(wanted.core, said.outer):
            return COARSER
    if said.near and _within(wanted.core, said.near):
        return COARSER
    return CONFLICT if _apart(said.outer, wanted.outer) else UNCLEAR


def _length(days: Days) -> float:
    return days[1] - days[0] + 1


def _holds_middle(days: Days, other: Days) -> bool:
    middle = (other[0] + other[1]) / 2
    return days[0] - _YEAR <= middle <= days[1] + _YEAR


def _is_round(said: Period) -> bool:
    return said.core[0] < 0 and _length(said.core) > 900 * _YEAR


def _is_within_run(wanted: Period, mention: DateMention, value: TimeValue) -> bool:
    """True for a day inside "12 to 16 September": what lasted so long was on that day too."""
    assert mention.run is not None
    calendar = mention.calendar or (value.calendar if value.calendar in {JULIAN, GREGORIAN} else GREGORIAN)
    first, last = (days_of(*point, calendar) for point in mention.run)
    return _within(wanted.core, (first[0], last[1]))


def _within(inner: Days, outer: Days) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _touch(one: Days, two: Days) -> bool:
    return max(one[0], two[0]) <= min(one[1], two[1])


def _apart(one: Days, two: Days) -> bool:
    shared = min(one[1], two[1]) - max(one[0], two[0]) + 1
    return shared <= _OVERLAP * min(_length(one), _length(two))


def _readings(mention: DateMention, value: TimeValue) -> Iterator[Period]:
    """What a mention can mean; without a mark it is taken to be in the statement's calendar."""
    calendar = mention.calendar or (value.calendar if value.calendar in {JULIAN, GREGORIAN} else GREGORIAN)
    for reading in _as_written(mention, value):
        yield _meant(reading, calendar)


def _as_written(mention: DateMention, value: TimeValue) -> Iterator[DateMention]:
    yield mention
    if mention.other:
        yield replace(mention, month=mention.other[0], day=mention.other[1])
    if mention.or_century:
        yield replace(mention, span=100)
    if mention.short and value.year > 0 and value.year % 100 // mention.span == mention.year % 100 // mention.span:
        twin = replace(mention, year=value.year // mention.span * mention.span)
        yield twin
        if mention.other:
            yield replace(twin, month=mention.other[0], day=mention.other[1])
    if (
        mention.calendar == JULIAN
        and mention.month
        and (mention.month, mention.day or 1) < (3, 25)
        and 0 < mention.year <= _YEAR_FROM_MARCH_UNTIL
    ):
        yield replace(mention, year=mention.year + 1)  # the year began on 25 March


def _meant(mention: DateMention, calendar: str) -> Period:
    core, outer = _core(mention, calendar)
    if mention.last:
        core = outer = (core[0], days_of(*mention.last, calendar)[1])
    if mention.part:
        core = _part(core, mention.part)
        outer = core if " " in mention.part else (min(core[0], outer[0]), max(core[1], outer[1]))
    near = None
    if mention.about and mention.span == 1 and not mention.month:
        year, years = astronomical(mention.year), _about_years(mention.year)
        near = days_of_years(year - years, year + years, calendar)
        outer = days_of_years(year - 2 * years, year + 2 * years, calendar)
    elif mention.about:
        slack = _slack(mention)
        outer = (outer[0] - slack, outer[1] + slack)
    return Period(core, outer, near)


def _about_years(year: int) -> int:
    """By how many years "about" a year may be off and still agree; twice as many leave it open.

    Five where the year ends in 0 or 5, and so was rounded, else two; before 1000, twice as many. A choice: catalogues
    that say what they mean by "circa" mostly mean five years to either side, and some ten.
    """
    return (5 if year % 5 == 0 else 2) * (2 if year < _FEW_RECORDS_BEFORE else 1)


def _core(mention: DateMention, calendar: str) -> tuple[Days, Days]:
    if mention.span == 1:
        days = days_of(mention.year, mention.month, mention.day, calendar)
        return days, days
    if mention.or_century and mention.span == 100:
        days = days_of_years(mention.year, mention.year + 99, calendar)
        return days, days
    years = _years(mention.year, mention.span, calendar)
    return years.core, years.outer


def _part(days: Days, name: str) -> Days:
    first, last = PARTS[name]
    length = days[1] - days[0]
    return days[0] + first * length, days[0] + last * length


def _slack(mention: DateMention) -> float:
    """How many days "about" a day, a month or several years may be off by."""
    if mention.day:
        return 31.0
    if mention.month:
        return 92.0
    return mention.span * _YEAR / 2


def _stand_in_other_calendar(wanted: Period, mention: DateMention, value: TimeValue) -> str:
    """A date without a mark, of the time when both calendars were in use, read in the one that the statement isn't in.

    The same day then is the same date, if the statement is Julian or of a time before the Gregorian calendar was
    common; later the page may mean it so until 1918, and is hardly likely to after. A month or year with the
    statement's day in it, or a day within the statement's month or year, may be, but may as well be another date. For a
    mention with a mark it is the other way round: the same figures with another calendar on them may be a slip of
    either side.
    """
    if mention.year > _BOTH_IN_USE or mention.bound:
        return CONFLICT
    late = not mention.calendar and value.calendar != JULIAN and value.year > _NEW_STYLE_SINCE
    if late and mention.year > _MOSTLY_GREGORIAN:
        return CONFLICT
    calendar = JULIAN if (mention.calendar or value.calendar) != JULIAN else GREGORIAN
    best = CONFLICT
    for reading in _as_written(replace(mention, calendar="") if mention.calendar else mention, value):
        said = _meant(reading, calendar)
        if not (_is_day(said.core) or _is_day(wanted.core)):
            continue
        how = _stand(wanted, said)
        if how == EXACT and _is_day(wanted.core) and not mention.calendar and not late:
            return EXACT
        if how != CONFLICT:
            best = UNCLEAR
    return best


def _is_day(days: Days) -> bool:
    return days[0] == days[1]
