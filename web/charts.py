"""The charts of items, domains, runs and the whole: from what the store reports to figures that `web.plot` lays out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime

from flask_babel import format_date, format_datetime, gettext, lazy_gettext

from models.outcome import Outcome
from store.reports.decided import FIRST, First
from store.reports.items import Point
from store.reports.pace import Done
from store.reports.tallies import Month, Tally
from web import formats
from web.plot import Chart, Segment, Series, bar, columns, lines, nice_ticks

STANCES = ("supports", "refutes", "not_enough_info", "cant_tell")
ROT = ("missing", "elsewhere", "barred", "unread", "troubled", "unasked")
WORDS = {
    "supports": lazy_gettext("Supported"),
    "refutes": lazy_gettext("The page says otherwise"),
    "not_enough_info": lazy_gettext("The page doesn’t say"),
    "cant_tell": lazy_gettext("Can’t tell"),
    "missing": lazy_gettext("Not found or gone"),
    "elsewhere": lazy_gettext("Leads to another page"),
    "barred": lazy_gettext("Access refused"),
    "unread": lazy_gettext("Nothing that can be read"),
    "troubled": lazy_gettext("The server has trouble"),
    "unasked": lazy_gettext("No usable address or label"),
    "not_judged": lazy_gettext("Not judged"),
    "unchecked": lazy_gettext("Not checked yet"),
    "judged": lazy_gettext("Judged"),
    "worth": lazy_gettext("Worth the look"),
    "other": lazy_gettext("The others"),
}
SPANS = {60: lazy_gettext("minute"), 3600: lazy_gettext("hour"), 86_400: lazy_gettext("day")}
WHY = {
    "changed": lazy_gettext("The statement or its address has changed"),
    "reworded": lazy_gettext("It reads otherwise now"),
    "refuted": lazy_gettext("The page said otherwise, long ago"),
    "asked": lazy_gettext("A person asked for it"),
    "new": lazy_gettext("New"),
    "old": lazy_gettext("Looked at long ago, or due for a further try"),
}
_SHARES = tuple(step / 5 for step in range(6))


def month_words(month: date) -> str:
    """A month and its year, e.g. "Nov 2026"."""
    return str(format_date(month, "MMM y"))


def day_words(at: datetime) -> str:
    """A day without its year (UTC), e.g. "3 Nov"."""
    return str(format_date(at.astimezone(UTC).date(), "d MMM"))


def hour_words(at: datetime) -> str:
    """An hour of the day (UTC), e.g. "14:00"."""
    return str(format_datetime(at.astimezone(UTC).replace(tzinfo=None), "HH:mm", rebase=False))


def course_chart(months: Sequence[Month], kinds: Sequence[str]) -> Chart | None:
    """How many pairs stood so at the end of each month, one segment for each of `kinds`; None without any."""
    stacks = [
        [(kind, float(month.of(kind)), _said(month_words(month.month), kind, month.of(kind))) for kind in kinds]
        for month in months
    ]
    return _columns([month_words(month.month) for month in months], stacks)


def pace_chart(done: Sequence[Done], words: Callable[[datetime], str]) -> Chart | None:
    """Pairs judged and not judged in each span of time; None where nothing was done in any."""
    stacks = [
        [
            (kind, float(number), _said(words(one.since), kind, number))
            for kind, number in (("judged", one.judged), ("not_judged", one.not_judged))
        ]
        for one in done
    ]
    return _columns([words(one.since) for one in done], stacks)


def history_chart(points: Sequence[Point]) -> Chart | None:
    """The score and the coverage of an item, point by point; None where there are fewer than two."""
    if len(points) < 2:
        return None
    days = [day_words(point.at) for point in points]
    score = [point.score for point in points]
    coverage = [point.coverage for point in points]
    series = (
        Series(
            gettext("Score"),
            score,
            [_share(day, gettext("Score"), each) for day, each in zip(days, score, strict=True)],
        ),
        Series(
            gettext("Coverage"),
            coverage,
            [_share(day, gettext("Coverage"), each) for day, each in zip(days, coverage, strict=True)],
        ),
    )
    return lines(days, series, 1.0, [(share, formats.percent(share)) for share in _SHARES])


def first_chart(months: Sequence[First]) -> Chart | None:
    """Of the first decided ones of each month, how many were worth the look, and how many not; None without any."""
    stacks = []
    for each in months:
        name = month_words(each.month) if each.month else ""
        worth = gettext("%(month)s: %(worth)s of %(all)s", month=name, worth=each.worth, all=each.decided)
        stacks.append([("worth", float(each.worth), worth), ("other", float(each.decided - each.worth), worth)])
    if not stacks:
        return None
    ticks = [(float(number), formats.number(number)) for number in range(0, FIRST + 1, 5)]
    return columns([month_words(each.month) if each.month else "" for each in months], stacks, ticks)


def outcomes(found: Mapping[str, int]) -> list[tuple[Outcome, int]]:
    """The outcomes among what was found, the most frequent first."""
    some = [(outcome, found[outcome.value]) for outcome in Outcome if found.get(outcome.value)]
    return sorted(some, key=lambda one: -one[1])


def stance_bar(tally: Tally) -> tuple[Segment, ...]:
    """A bar of what was found of the judged pairs."""
    return bar([(kind, float(getattr(tally, kind))) for kind in STANCES])


def _columns(places: Sequence[str], stacks: Sequence[Sequence[tuple[str, float, str]]]) -> Chart | None:
    highest = max((sum(number for _, number, _ in stack) for stack in stacks), default=0.0)
    if highest <= 0:
        return None
    return columns(places, stacks, [(tick, formats.number(tick)) for tick in nice_ticks(highest)])


def _said(when: str, kind: str, number: int) -> str:
    said = gettext("%(when)s, %(what)s: %(number)s", when=when, what=WORDS[kind], number=formats.number(number))
    return str(said)


def _share(when: str, what: str, share: float | None) -> str:
    if share is None:
        return ""
    return str(gettext("%(when)s, %(what)s: %(number)s", when=when, what=what, number=formats.percent(share)))
