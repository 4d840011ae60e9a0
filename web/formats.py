"""Numbers, shares and times as the reader's language writes them. Outside of a request they are English."""

from __future__ import annotations

from datetime import UTC, date, datetime

from babel import Locale
from babel.dates import format_date, format_time
from babel.numbers import format_decimal, format_percent
from flask_babel import get_locale, gettext

_ENGLISH = Locale("en", "GB")  # days before months, and 24 hours
_RIGHT_TO_LEFT_MARK_OF_LATIN = "\u200e"


def _locale() -> Locale:
    chosen = get_locale()
    return _ENGLISH if chosen is None or chosen.language == "en" else chosen


def number(value: float) -> str:
    """A whole number in groups, e.g. "1,204"."""
    return str(format_decimal(value, "#,##0", _locale()))


def figure(value: float) -> str:
    """A number with one digit after the point, where there is any, e.g. "3.2" or "1,204"."""
    return str(format_decimal(value, "#,##0.#", _locale()))


def decimal(value: float, digits: int = 2) -> str:
    """A number with so many digits after the point, e.g. "0.42"."""
    return str(format_decimal(value, f"#,##0.{'0' * digits}", _locale()))


def signed(value: float) -> str:
    """A number in [−1, 1] with its sign and two digits, e.g. "+0.42"."""
    written = format_decimal(abs(value), "0.00", _locale())
    sign = "−" if round(value, 2) < 0 else "+"
    # Amid text from right to left a sign would jump behind its number.
    mark = _RIGHT_TO_LEFT_MARK_OF_LATIN if _locale().text_direction == "rtl" else ""
    return f"{mark}{sign}{written}"


def percent(share: float, digits: int = 0) -> str:
    """A share of 1 in per cent. Only 0 and 1 themselves are 0 % and 100 %: nothing is surer than it is."""
    if digits == 0 and 0 < share < 0.01:
        return str(gettext("under %(share)s", share=_percent(0.01, 0)))
    if digits == 0 and 0.99 < share < 1:
        return str(gettext("over %(share)s", share=_percent(0.99, 0)))
    return _percent(share, digits)


def _percent(share: float, digits: int) -> str:
    locale = _locale()
    pattern = "#,##0%" if locale.language not in ("en", "de") else "#,##0\u00a0%"
    return str(format_percent(share, pattern.replace("0", f"0.{'0' * digits}") if digits else pattern, locale))


def day(at: date) -> str:
    """A day, or that of a time in UTC, e.g. "3 May 2026"."""
    return str(format_date(at.astimezone(UTC) if isinstance(at, datetime) else at, "long", _locale()))


def moment(at: datetime) -> str:
    """A time to the minute in UTC, e.g. "3 May 2026, 14:05 UTC". Times in the database have a zone."""
    there = at.astimezone(UTC)
    return str(gettext("%(day)s, %(time)s UTC", day=day(at), time=format_time(there, "HH:mm", UTC, _locale())))


def duration(seconds: float) -> str:
    """How long something took in its two largest units, e.g. "3 min 12 s"."""
    whole = max(round(seconds), 0)
    if whole < 60:
        return str(gettext("%(seconds)s s", seconds=number(whole)))
    if whole < 3600:
        return str(gettext("%(minutes)s min %(seconds)s s", minutes=whole // 60, seconds=whole % 60))
    if whole < 86_400:
        return str(gettext("%(hours)s h %(minutes)s min", hours=whole // 3600, minutes=whole % 3600 // 60))
    return str(gettext("%(days)s d %(hours)s h", days=number(whole // 86_400), hours=whole % 86_400 // 3600))
