"""Years ago by the thousand, million and billion: "65 million years ago", "66 Ma", "12,000 years BP"."""

from __future__ import annotations

import re

from models.values.dates.mention import DateMention
from models.values.dates.words import Shaped, has_any

_NUMBER = r"\d{1,3}(?:[,\u00a0\u202f ]\d{3}){1,3}(?![\d.,]\d)|\d{1,9}(?:[.,]\d{1,6})?"
_WORDS = {w: n for n, w in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())}
_BILLION = (
    r"billion|milliarden?|milliards?|miliard\w*|mil\s+millones|mil\s+milhões|bilhões|miljarder?|miljard|mld|млрд|"
    r"миллиард\w*|thousand\s+million"
)
_MILLION = (
    r"million|millionen|millions|mill[oó]n(?:es)?|milioni|milh(?:ão|ões)|miljoen|miljoner|milion\w*|mln|млн|миллион\w*"
)
_THOUSAND = r"thousand|tausend|mille|mil|tysiąc\w*|тысяч\w*"
_SCALES = {10**9: _BILLION, 10**6: _MILLION, 10**3: _THOUSAND}
_YEARS = r"(?:d['’]|de\s|di\s)?(?:years?|yrs?|jahren?|ann[ée]es|ans|años|anni|anos|jaar|lat|лет|år)"
_AGO = (
    r"(?:ago|before\s+(?:the\s+)?present|b\.?p\.?|bce?|b\.\s?c\.|old|atrás|fa|geleden|temu|назад|sedan)(?![^\W\d_])"
    r"|v\.\s?chr"
)
_LONG = "|".join(_SCALES.values())
_COUNT = rf"(?:{_NUMBER}|(?<!\d)(?:{'|'.join(list(_WORDS)[1:])}))"
_FORM = re.compile(
    rf"(?=[\dotfsen])(?<![\w.,$£€/-])(?:(?P<other>{_COUNT})\s?(?:to|and|[-–—])\s?)?(?P<number>{_COUNT})"
    rf"(?:\s?(?:±|\+/-)\s?[\d.]{{1,9}})?[\s\u00a0-]{{0,2}}"
    rf"(?:(?P<unit>(?:Mya|Myr|mya|Ma|Gya|Ga|kya|ka)(?![^\W_])(?:\s(?:ago|BP))?)"
    rf"|(?P<era>(?i:bce?|b\.\s?c\.(?:\s?e\.)?|v\.\s?chr\.?)(?!\w))"
    rf"|(?P<scale>(?i:{_LONG}))?[\s-]{{1,2}}(?i:{_YEARS})(?![^\W\d_])(?P<ago>[\s-](?i:{_AGO}))?)"
)
_UNITS = {"M": 10**6, "m": 10**6, "G": 10**9, "k": 10**3}
_UNITS_AGO = frozenset("ma mya myr ga gya ka kya".split())
_SCALE_PARTS = (
    "years", "000 ", "illion", "illiar", "iliard", "ilione", "illon", "illón", "ilhão", "ilhões", "iljoen", "iljard",
    "mln", "mld", "млн", "млрд", "милли",
)  # fmt: skip
_PRESENT = 2000
_FEWEST = 1000  # "50 years ago" says nothing without the year it was written in


def find_deep_time(taken: Shaped) -> list[DateMention]:
    """Every point in time that a text gives in years before now, each as wide as its last figure: 65 million ± ½."""
    text = taken.text
    if _UNITS_AGO.isdisjoint(taken.tokens) and not has_any(text, _SCALE_PARTS):
        return []
    return [mention for match in _FORM.finditer(text) if (mention := _read(match, text))]


def _read(match: re.Match[str], text: str) -> DateMention | None:
    unit, scale_word, ago, era = match.group("unit", "scale", "ago", "era")
    if unit:
        scale = _UNITS[unit[0]]
    elif scale_word:
        scale = next(size for size, form in _SCALES.items() if re.fullmatch(form, scale_word, re.IGNORECASE))
    else:
        scale = 1
    if (scale < 10**6 and not (unit or ago or era)) or (era and not re.search(r"\D", match.group("number"))):
        return None  # "20,000 years" is how long something took; "500 BC" is a year
    number, width = _amount(match.group("number"), scale)
    years, width = round(number * scale), max(1, round(width * scale))
    if years < _FEWEST:
        return None
    if width < 10**5 and not era and not (ago and _CHRIST.search(ago)):
        years -= _PRESENT
    about = _ABOUT.search(text[max(0, match.start() - 16) : match.start()]) is not None
    first, last = -years - width // 2, -years - width // 2 + width
    if match.group("other"):
        nearer = round(_amount(match.group("other"), scale)[0] * scale)
        first, last = min(first, -nearer - width // 2), max(last, -nearer - width // 2 + width)
    return DateMention(match.start(), match.end(), first, span=last - first, about=about) if last <= 0 else None


_CHRIST = re.compile(r"bc|b\. ?c|v\.", re.IGNORECASE)
_ABOUT = re.compile(r"(?:\b(?:about|around|approximately|some|ca?\.|circa|roughly|etwa|environ)|~)\s*$", re.IGNORECASE)


def _amount(figures: str, scale: int) -> tuple[float, float]:
    """The number, and how finely it is given: its last decimal, or its last figures that aren't noughts.

    The first nought of millions counts as a figure ("540 million"), and so does the second figure of any number.
    """
    if figures in _WORDS:
        return float(_WORDS[figures]), 1.0
    if re.search(r"[.,]\d", figures) and not re.search(r"[,\s]\d{3}$", figures):
        return float(figures.replace(",", ".")), 10.0 ** -len(re.split("[.,]", figures)[1])
    whole = re.sub(r"\D", "", figures)
    noughts = len(whole) - len(whole.rstrip("0")) - (scale > 1)
    return float(whole), 10.0 ** max(0, min(noughts, len(whole) - 2))
