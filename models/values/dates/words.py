"""A text as tokens and as its *shape*: one letter for each token, which tells what it can be in a date.

The forms of dates are then patterns over shapes, short enough to read ("[md]O?M,?y"), in `models.values.dates.forms`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import repeat

from models.values.counted import ENGLISH, GERMAN, OTHERS
from models.values.dates.months import is_clear, misspelt, months

# Letters of a shape. Numbers: m 1–12, d 13–31, s other numbers of one or two digits, t three digits, y four digits that
# can be a year of our time, q other four digits. Words: see below. w is anything else.
_WORDS = {
    "o": "of de del do di des van",
    "i": "in im en em nel w в dans anno",
    "H": "the le el il den das al l",
    "Y": "year jahr jahre année an año ano anno jaar rok roku год года году",
    "D": "day",
    "O": "st nd rd th º ª ° er o e ème а",
    "E": "bc bce b.c. b.c.e.",
    "A": "ad a.d. ce c.e.",
    "c": "c ca circa about around approximately approx roughly cca ~ um vers hacia env environ omkring около ok około "
    "etwa gegen zirka ungefähr alrededor autour environs volta aproximadamente verso intorno "
    "cerca omstreeks rond ongeveer kring ungefär "
    "cirka примерно приблизительно ок kolem",
    "b": "before pre ante by vor avant antes prima voor vóór przed до före",
    "a": "after post nach après después depois dopo po после efter",
    "n": "than",
    "B": "between zwischen entre tra fra tussen między между mellan",
    "&": "and und et y och и &",
    "u": "to until till through bis",
    "|": "or oder ou",
    "C": "century centuries cent jh jhd jhdt jahrhundert jahrhunderts siècle siècles siglo siglos secolo secoli século "
    "séculos eeuw wiek wieku век века веке sekel",
    "K": "millennium millennia millenium jahrtausend jahrtausends millénaire milenio millennio",
    "Z": "s talet х",
    "T": "twenties thirties forties fifties sixties seventies eighties nineties",
    "X": "b d born died birth death dead † * geboren geb gestorben gest né née nacido nacida nato nata nascido morto "
    "nasc r reigned ruled",
    "F": "fl flor floruit flourished active aktiv actif activo attivo",
    "x": "p pp pg page pages vol vols volume § # $ £ € ¥ nr nos nº room isbn issn version chapter lot inv box flight "
    "route highway model serial population oclc rfc iso zip postcode tel telephone telefon téléphone teléfono telefono "
    "telefone tél тел телефон phone fax apt suite unit figure fig table "
    "item ref id code height № seite volume issue bd ngc ic hd hip din hymn rule "
    "rules article section sections clause paragraph decree resolution psalm sonnet opus op",
    "U": "% ° km m cm mm ft feet foot miles mile kg lb lbs tons tonnes meters metres kilometers kilometres acres "
    "hectares ha km² m² sq hours hrs minutes mins min seconds sec days weeks months years dollars euros pounds usd "
    "eur gbp hp kw mw mhz ghz rpm mph px dpi percent calories khz hpa kpa bit bits byte bytes kb mb gb tb "
    "db kcal cc × x degrees yards inches volts watts francs",
    "L": f"{ENGLISH} {GERMAN} {OTHERS}",
    "S": "o.s. os julian",
    "G": "n.s. ns gregorian",
    "J": "年 년", "g": "月 월", "I": "日 일", "j": "世 세", "k": "紀 纪 기", "h": "代 대", "f": "元",
    "p": "前 治 正 和 成 國 国 기원전",
}  # fmt: skip
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
_ROMAN = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx xxi".split()
_BC_AFTER = (
    "bc|bce|b.c.|b.c|b. c.|b.c.e.|b.c.e|b. c. e.|v. chr.|v. chr|v.chr.|v.chr|v. u. z.|av. j.-c.|av. j.-c|av. j. c.|"
    "av. j.c.|av j.-c.|avant j.-c.|avant jésus-christ|a. c.|a.c.|a.c|a. de c.|a.e.c.|p.n.e.|p. n. e.|до н. э.|до н.э.|"
    "до нашей эры|f.kr.|f. kr.|f.kr"
).split("|")
_AD_AFTER = (
    "ad|a.d.|a.d|a. d.|ce|c.e.|c.e|c. e.|n. chr.|n. chr|n.chr.|n.chr|apr. j.-c.|ap. j.-c.|après j.-c.|d. c.|d.c.|"
    "n.e.|n. e.|н. э.|н.э.|нашей эры|e.kr.|e. kr."
).split("|")
DASHES = "-–—‒‐‑−"
NUMBERS = "mdstyq"


def _spaced(forms: list[str]) -> list[str]:
    return sorted({*forms, *(form.replace(" ", "\u00a0") for form in forms)}, key=len, reverse=True)


@cache
def _kinds() -> dict[str, str]:
    kinds = {str(number): "y" if 1000 <= number < 2100 else "q" for number in range(1000, 10_000)}
    kinds.update({f"{number:04}": "q" for number in range(1000)})
    kinds.update({str(number): "t" for number in range(100, 1000)})
    for number in range(100):
        for digits in (str(number), f"{number:02}"):
            kinds[digits] = "m" if 1 <= number <= 12 else "d" if 13 <= number <= 31 else "s"
    kinds.update(zip(".,/()[]:;", ".,/()[]:;", strict=True))
    kinds.update(dict.fromkeys(DASHES, "-"))
    kinds.update(dict.fromkeys("'’‘´`", "'"))
    for roman in _ROMAN:
        kinds.update(dict.fromkeys((roman, f"{roman}e", f"{roman}ème", f"{roman}th"), "R"))
    for kind, words in _WORDS.items():
        for word in words.split():
            kinds.setdefault(word, kind)
    kinds.update(dict.fromkeys([*_ORDINALS, "thirtieth"], "N"), twenty="V", thirty="V")
    for name in months():
        kinds[name] = "M" if is_clear(name) else "P"
    kinds.update(dict.fromkeys(_spaced(_BC_AFTER), "E"))
    kinds.update({form: "e" for form in _spaced(_AD_AFTER) if form not in kinds})
    return kinds


def has_any(text: str, parts: tuple[str, ...]) -> bool:
    """True where one of these stands in a text: the quick look that spares most texts a slow one."""
    for part in parts:  # noqa: SIM110 - `any` over a generator takes twice as long
        if part in text:
            return True
    return False


def ordinal(word: str) -> int | None:
    """The number of "first" … "twentieth", or of a Roman numeral with or without an ending ("XIXe"); else None."""
    if word == "thirtieth":
        return 30
    if word in _ORDINALS:
        return _ORDINALS.index(word) + 1
    for ending in ("", "e", "ème", "th"):
        if word.removesuffix(ending) in _ROMAN:
            return _ROMAN.index(word.removesuffix(ending)) + 1
    return None


def _token(letter: str, later: str, korean: str = "") -> re.Pattern[str]:
    eras = "|".join(re.escape(form) for form in _spaced(_BC_AFTER + _AD_AFTER))
    # Most tokens are words, so words are tried first; those that an era can begin with are left for later. Space is
    # taken before a token, or each of the others would be tried at each space.
    return re.compile(
        rf"""\s*+({korean}{later}{letter}{{2,}}+
        | (?:1\d|20)\d\d(?=[0-3]?\d(?:st|nd|rd|th)?\s?[^\W\d_]{{3}})  # two dates glued: "201214 April"
        | \d++
        | (?:(?<=\d\s)|(?<=\d))(?:{eras})(?!\w)
        | [abon]\.\s?[dcs]\.(?:\s?e\.)?(?!\w)
        | [\u4e00-\u9fff] | {letter}++ | [^\w\s] | _)""",
        re.VERBOSE,
    )


_ASCII = _token("[a-z]", r"(?!a[vp]\.)")
# Korean writes what follows a date on to it: "1970년에".
_KOREAN = r"(?<=\d)[년월일세명]|(?<=\d\s)[년월일](?!\w)|(?<=\d년)대|(?<=\d세)기|"
_ANY = _token(r"[^\W\d_\u4e00-\u9fff]", r"(?!a[vp]\.|avant\s|до\s|нашей)", _KOREAN)


_DIGITS = str.maketrans("０１２３４５６７８９٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹", "0123456789" * 3)


def lowered(text: str) -> str:
    """A text in lower case, letter by letter, so that places stay the same; all digits as ASCII ones."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(low if len(low := c.lower()) == 1 else c for c in text)
    return lower if lower.isascii() else lower.translate(_DIGITS)


def _pattern(lower: str) -> re.Pattern[str]:
    return _ASCII if lower.isascii() else _ANY


@dataclass(frozen=True)
class Shaped:
    """A text, the same in lower case, its tokens (lower case) and its shape, a letter for each token."""

    text: str
    lower: str
    tokens: list[str]
    shape: str

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Start and end of each token in the text. Only texts with a date in them need it."""
        end, find = 0, self.lower.find
        # Nothing but spaces stands between two tokens, so the next place is the right one.
        return [(start := find(token, end), end := start + len(token)) for token in self.tokens]


_BEFORE_NUMBER = re.compile(r"w(?=\.?,?[mdy])")
_MISSPELT = re.compile(r"(?<=[mdOo])w(?=\.?,?[oiA]?y)|w(?=\.?[md]O?,?y)")


@lru_cache(maxsize=65_536)
def _ends_in_months(token: str) -> tuple[str, ...]:
    return tuple(token[-length:] for length in range(3, min(10, len(token) - 1)) if token[-length:] in months())


def _pasted_month(token: str, text: str) -> tuple[str, str] | None:
    """The two words of "RecordedMay 6th", as tables come out of pages."""
    for name in _ends_in_months(token):
        if f"{token[-len(name) - 2 : -len(name)]}{name.title()}" in text:
            return token[: -len(name)], name
    return None


def shaped(text: str) -> Shaped:
    """Take a text apart. Linear in its length."""
    lower = lowered(text)
    tokens = _pattern(lower).findall(lower.rstrip())  # at its end, space would be tried again and again
    shape = "".join(map(_kinds().get, tokens, repeat("w")))
    slips, pasted = [], {}
    for match in _BEFORE_NUMBER.finditer(shape):
        at = match.start()
        if split := _pasted_month(tokens[at], text):
            pasted[at] = split
        elif _MISSPELT.match(shape, at) and misspelt(tokens[at]):
            slips.append(at)
    if slips:
        shape = "".join("M" if index in slips else kind for index, kind in enumerate(shape))
    if pasted:
        shape = "".join("wM" if index in pasted else kind for index, kind in enumerate(shape))
        tokens = [word for index, token in enumerate(tokens) for word in pasted.get(index, (token,))]
    return Shaped(text, lower, tokens, shape)
