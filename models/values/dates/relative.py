"""Days of death that a text gives only beside the day it appeared: "died on Thursday", "died May 3".

News of a death is what is written so, and cited for it. Anything else said of a weekday is as often said of who spoke,
of what is to come or of another time, so only a day in the clause of a death counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from models.values.dates.mention import DateMention

ROLE = "dated"
PROPERTY = "P570"

_DAYS = {name: number for number, name in enumerate("monday tuesday wednesday thursday friday saturday sunday".split())}
_MONTHS = {
    name[:size]: number
    for number, name in enumerate(
        "january february march april may june july august september october november december".split(), 1
    )
    for size in {3, 4 if name == "september" else 3, len(name)}
}
_DIED = (
    r"\b(?:died|has died|passed away|was killed|were killed|killed (?:him|her)self|shot (?:him|her)self|was found dead|"
    r"took (?:his|her) own life|was murdered|was executed|drowned)\b"
)
# Between the death and its day: the same clause, no one who says so, nobody else, no name of two words.
_WITHIN = (
    r"(?P<between>(?:(?!\b(?:said|says|told|announced|confirmed|funeral|will|a|an|one|next|every|until|ago)\b)"
    r"[^.;:,!?\d]){0,70}?)"
)
_WEEKDAY = rf"(?:(?P<last>last )?\b(?P<weekday>{'|'.join(_DAYS)})\b|(?P<near>\byesterday|\btoday|\blast night))"
_MONTH = rf"(?P<{{}}>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\.?"
_MONTH_DAY = (
    rf"(?:\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH.format('month')}"
    rf"|\b{_MONTH.format('month_first')} (?P<day_last>\d{{1,2}})(?:st|nd|rd|th)?)"
)
_BEHIND = r"(?!\w|[,.]? ?\d|\s*[–-]\s*\w| (?:years?|months?|days?|people|ago)\b)"
_WHEN = re.compile(rf"{_DIED}{_WITHIN}(?P<when>{_WEEKDAY}|{_MONTH_DAY}){_BEHIND}", re.IGNORECASE)
_BEFORE = re.compile(
    r"(?:\A|\s)(?:on|on the|last|early|late|in hospital|at home|away|died|dead|killed|[a-z]+)\s*\Z|\A\s*\Z"
)
_SLACK = timedelta(days=1)  # a page's date and a writer's may lie on two sides of midnight


def find_relative(text: str, appeared: date, known: Sequence[DateMention]) -> list[DateMention]:
    """The days on which a text of a page that appeared on a day says that somebody died, given without their year.

    A weekday is the last one up to that day, a day of a month the last such. None where a date of `known` stands before
    it: the text may tell of that time. The mentions have the role "dated".
    """
    return [one for one in _found(text, appeared) if all(one.end <= other.start for other in known)]


def _found(text: str, appeared: date) -> Iterator[DateMention]:
    for match in _WHEN.finditer(text):
        before = match["between"]
        if _BEFORE.search(before) and not before.endswith(" in "):
            start, end = match.span("when")
            when = _weekday(match, appeared) if match["weekday"] or match["near"] else _day(match, appeared)
            if when is not None:
                yield DateMention(start, end, when.year, when.month, when.day, role=ROLE)


def _weekday(match: re.Match[str], appeared: date) -> date:
    if match["near"]:
        return appeared - timedelta(days=0 if match["near"].lower() == "today" else 1)
    back = (appeared.weekday() - _DAYS[match["weekday"].lower()]) % 7
    return appeared - timedelta(days=back or (7 if match["last"] else 0))


def _day(match: re.Match[str], appeared: date) -> date | None:
    """The last such day of a month up to the day the page appeared; None where there is none."""
    month = _MONTHS[(match["month"] or match["month_first"]).lower()]
    for year in (appeared.year, appeared.year - 1):
        try:
            when = date(year, month, int(match["day"] or match["day_last"]))
        except ValueError:
            continue
        if when <= appeared + _SLACK:
            return when
    return None
