"""What the words around a date make of it: about, a limit, a floruit, an old style, a part of a century."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from models.values.dates.calendar import GREGORIAN, JULIAN
from models.values.dates.context import is_capital
from models.values.dates.dual import LAST_YEAR_OF_BOTH
from models.values.dates.forms import Placed
from models.values.dates.mention import DateMention, Point
from models.values.dates.words import Shaped

_SKIPPED = ".,oHYiDW(:'"
_NEEDS_HYPHEN = frozenset({"pre", "post", "ante"})
_NOT = {"before": "from", "after": "by", "by": "after", "from": "before"}
_FAR = 6  # tokens before a date in which "active" or "fl." still is about it


_SENTENCE_END = re.compile(r"(?<![cF])\.")


class Lead(NamedTuple):
    """What the words before a date say. `between`: it is the first of two that one date lies between."""

    about: bool = False
    bound: str = ""
    between: bool = False


def lead_of(text: Shaped, first: int) -> Lead:
    """Read the words before the token `first`, nearest first, for as long as they are of the date."""
    about, bound, between = False, "", False
    index, shape, tokens = first - 1, text.shape, text.tokens
    hyphen = index >= 0 and shape[index] == "-"
    index -= hyphen
    skipped = 0
    while index >= 0 and skipped < 4:
        kind, word = shape[index], tokens[index]
        if kind == "c":
            about, skipped = True, 0
        elif kind == "B":
            return Lead(about, bound, between=True)
        elif kind in "ba" and index and not hyphen and _is_of_another(shape, tokens, index - 1):
            return Lead(about)
        elif kind in "ba" and (hyphen or word not in _NEEDS_HYPHEN):
            bound = "by" if word == "by" else "before" if kind == "b" else "after"
            return Lead(about, _NOT[bound] if _is_not(tokens, index - 1) else bound)
        elif kind == "n" and index and tokens[index - 1] in {"later", "earlier", "sooner"}:
            bound = "after" if tokens[index - 1] == "later" else "before"
            return Lead(about, _NOT[bound] if _is_not(tokens, index - 2) else bound)
        elif word == "to" and index and tokens[index - 1] == "prior":
            return Lead(about, "before")
        elif kind in _SKIPPED and not hyphen:
            skipped += 1
        else:
            break
        index -= 1
    return Lead(about, bound, between)


_TIMES_OF_DAY = frozenset(
    "night day eve evening morning afternoon week month year weekend tag abend nacht morgen woche monat veille jour "
    "soir nuit matin lendemain semaine noche día mañana víspera semana giorno sera notte mattina vigilia dia noite "
    "véspera avond ochtend dag dzień noc wieczór день ночь вечер утро dagen natten kvällen morgonen".split()
)
_TIMES = frozenset(
    "nights days weeks months years hours minutes tage tagen wochen monate monaten jahre jahren stunden jours semaines "
    "mois années ans días semanas meses años giorni settimane mesi anni dias anos dagen weken maanden jaar dni tygodni "
    "miesięcy lat lata дней дня недель месяцев лет года dagar veckor månader år".split()
)
_FEW = frozenset("two three four five six seven eight nine ten eleven twelve few several some many".split())


def _is_of_another(shape: str, tokens: list[str], index: int) -> bool:
    """True for "the night before" and "two days after": what they say is of another day than the one that is named."""
    if tokens[index] in _TIMES_OF_DAY:
        return index == 0 or tokens[index - 1] not in {"every", "each"}
    return tokens[index] in _TIMES and index > 0 and (shape[index - 1] in "mdst" or tokens[index - 1] in _FEW)


def _is_not(tokens: list[str], index: int) -> bool:
    return index >= 0 and tokens[index] in {"no", "not", "nor", "never", "nicht", "pas", "non"}


def in_setting(text: Shaped, placed: Placed) -> Placed:
    """A mention with what the words around it say. `bound` comes from before, the calendar from either side."""
    mention, lead = placed.mention, lead_of(text, placed.first)
    about = lead.about or text.lower[mention.end : mention.end + 1] == "?" or _is_about_after(text, placed.beyond)
    calendar = mention.calendar
    if mention.day and not calendar and abs(mention.year) <= LAST_YEAR_OF_BOTH:
        calendar = _style(text, placed)
    part = _part(text, placed.first) if mention.span > 1 else ""
    role = "floruit" if "F" in text.shape and _is_floruit(text, placed.first) else ""
    if (about, lead.bound, calendar, part, role) == (False, "", mention.calendar, "", ""):
        return placed
    changed = replace(mention, about=about, bound=lead.bound, calendar=calendar, part=part, role=role)
    return placed._replace(mention=changed)


def _is_about_after(text: Shaped, beyond: int) -> bool:
    """ "1850 ca.", and not "1850, c. 1860"."""
    if text.shape[beyond : beyond + 1] != "c" or text.tokens[beyond] not in {"ca", "circa", "cca"}:
        return False
    following = text.shape[beyond + 1 : beyond + 3].lstrip(".")[:1]
    return not following or following not in "mdstyq"


def _style(text: Shaped, placed: Placed) -> str:
    """The calendar of a mark beside a date: "(O.S.)", "N.S.", "(Julian)", "Old Style"."""
    after = placed.beyond
    while text.shape[after : after + 1] in {"(", "[", ",", "i", "H"}:
        after += 1
    if after <= placed.beyond + 3 and (mark := _mark(text, after)):
        return mark
    before = placed.first - 1
    while before >= max(0, placed.first - 2) and text.shape[before] in ":,.":
        before -= 1
    if before >= 1 and text.tokens[before] == "style":
        before -= 1
    return _mark(text, before) if before >= 0 and text.shape[before + 1 : before + 2] != ")" else ""


def _mark(text: Shaped, index: int) -> str:
    if index >= len(text.tokens):
        return ""
    word, following = text.tokens[index], text.tokens[index + 1 : index + 2]
    if word in {"old", "new"} and following == ["style"]:
        return JULIAN if word == "old" else GREGORIAN
    kind = text.shape[index]
    if kind not in "SG":
        return ""
    if word in {"os", "ns"} and not is_capital(text, index):
        return ""
    if word in {"julian", "gregorian"} and following not in ([")"], ["]"], ["calendar"]):
        return ""
    return JULIAN if kind == "S" else GREGORIAN


_PARTS = {
    "early": "early", "mid": "mid", "middle": "mid", "late": "late", "beginning": "beginning", "start": "beginning",
    "end": "end", "close": "end", "turn": "turn", "latter": "second half", "later": "late",
    "anfang": "beginning", "mitte": "mid", "ende": "end", "début": "beginning", "fin": "end", "milieu": "mid",
    "principios": "beginning", "mediados": "mid", "finales": "end",
}  # fmt: skip
_SHARES = {"half", "quarter", "third"}
_COUNTED = {"first": "first", "second": "second", "third": "third", "last": "last", "fourth": "last", "latter": "last"}


def _part(text: Shaped, first: int) -> str:
    """The part of a decade or century that the words before it name."""
    index = first - 1
    while index >= 0 and first - index <= 4 and text.shape[index] in "-oH":
        index -= 1
    if index < 0:
        return ""
    word = text.tokens[index]
    if word in _SHARES:
        counted = _COUNTED.get(text.tokens[index - 1] if index else "", "")
        name = f"{counted} {word}" if counted else ""
        if word == "half" and counted == "last":
            name = "second half"
        return name if name in _NAMED_PARTS else ""
    return _PARTS.get(word, "")


_NAMED_PARTS = frozenset(f"{which} {share}" for share in _SHARES for which in ("first", "second", "third", "last")) - {
    "last half",
    "third half",
    "third third",
}


def _is_floruit(text: Shaped, first: int) -> bool:
    window = text.shape[max(0, first - _FAR) : first]
    place = window.rfind("F")
    if place < 0 or "X" in window[place:]:
        return False
    index = first - len(window) + place
    if text.tokens[index] == "fl":
        return not is_capital(text, index)  # FL is Florida
    return _SENTENCE_END.search(window, place + 1) is None


def merged(text: Shaped, placed: list[Placed]) -> list[Placed]:
    """Two dates that one lies between as one mention; the second end of a floruit as floruit too."""
    if len(placed) < 2:
        return placed
    found: list[Placed] = []
    for one in placed:
        if found:
            joint = text.shape[found[-1].beyond : one.first].strip("cHi.")
            if joint in {"-", "u"} and found[-1].mention.about and not one.mention.bound and _in_order(found[-1], one):
                if one.mention.year - found[-1].mention.year <= _LONG:
                    found[-1] = _between(found[-1], one)  # "c. 1845–1860"
                    continue
                found[-1], one = _as_run(found[-1], one)  # noqa: PLW2901 - "c. 1585–1640" is a life
            if joint == "u" and text.tokens[max(0, found[-1].first - 1)] != "from" and _in_order(found[-1], one):
                found[-1], one = _as_run(found[-1], one)  # noqa: PLW2901 - the same, better known
            if joint in {"&", "-", "u"} and lead_of(text, found[-1].first).between and _in_order(found[-1], one):
                if _is_one_event(text, found[-1], one):
                    found[-1] = _between(found[-1], one)
                    continue
                found[-1], one = _as_run(found[-1], one)  # noqa: PLW2901 - the same, better known
            if joint in {"&", "-", "u", "/"} and found[-1].mention.role == "floruit":
                one = one._replace(mention=replace(one.mention, role="floruit"))  # noqa: PLW2901 - the same, better known
        found.append(one)
    return found


_EVENTS = frozenset(
    "sometime somewhere dated datable painted written composed made created built constructed erected founded "
    "established published completed occurred happened found discovered".split()
)
_FEW_YEARS = 5
_LONG = 20  # years from which two with "about" before the first are the ends of something


def _is_one_event(text: Shaped, one: Placed, two: Placed) -> bool:
    """True for "born between 1850 and 1853", and false for "she taught there between 1905 and 1929"."""
    before = range(max(0, one.first - _FAR), one.first)
    if any(text.shape[index] == "X" or text.tokens[index] in _EVENTS for index in before):
        return True
    return one.mention.month is None and two.mention.year - one.mention.year <= _FEW_YEARS


def _as_run(one: Placed, two: Placed) -> tuple[Placed, Placed]:
    run = _point(one.mention), _point(two.mention)
    return one._replace(mention=replace(one.mention, run=run)), two._replace(mention=replace(two.mention, run=run))


def _point(mention: DateMention) -> Point:
    return mention.year, mention.month, mention.day


def _in_order(one: Placed, two: Placed) -> bool:
    early, late = one.mention, two.mention
    if early.last or late.last or early.span > 1 or late.span > 1:
        return False
    return (early.year, early.month or 0, early.day or 0) < (late.year, late.month or 13, late.day or 32)


def _between(one: Placed, two: Placed) -> Placed:
    early, late = one.mention, two.mention
    mention: DateMention = replace(
        early, end=late.end, last=(late.year, late.month, late.day), span=late.year - early.year + 1, run=None, bound=""
    )
    return one._replace(mention=mention, beyond=two.beyond)


def in_one_order(placed: list[Placed]) -> list[Placed]:
    """Dates in figures whose day and month can't be told apart, settled by those of the same text that can."""
    orders = {one.order for one in placed if one.order}
    if len(orders) != 1 or not any(one.mention.other for one in placed):
        return placed
    (order,) = orders
    return [_settled(one, order) if one.mention.other else one for one in placed]


def _settled(placed: Placed, order: str) -> Placed:
    month, day = placed.mention.month, placed.mention.day
    if order == "md" and placed.mention.other:
        month, day = placed.mention.other
    return placed._replace(mention=replace(placed.mention, month=month, day=day, other=None))
