"""What stands around a number: its sign, money, a hedge, a header's unit, and whether it is an amount at all."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache, lru_cache
from typing import NamedTuple

from babel import Locale

from models.values.quantities.numerals import CJK, LETTER, Number, read_fraction, read_scale
from models.values.quantities.unit_names import Unit
from models.values.quantities.units import read_unit, skip_gap

BLANKS = " \t\u00a0\u2009\u202f"
DASHES = "-−–‐‑—"
_MINUS = "-−–"
_MONEY_SIGNS = "$€£¥₹₽₩₴₺₪₱₦₫₨฿￥"
_COMPARED = {"~": "about", "≈": "about", "∼": "about", ">": "over", "≥": "over", "≳": "over",
             "<": "under", "≤": "under", "≲": "under", "約": "about", "约": "about", "약": "about",
             "逾": "over"}  # fmt: skip
REAR = 28  # characters before a number that can say what it is


class Before(NamedTuple):
    """What stands before a number. `start` is where its sign or money begins; `mark` the last character that is no
    blank, `word` the last word (folded) and `cased` as written, empty where a mark parts them from the number;
    `opens` is true where that word begins the text, a line or a sentence; `sign` is the money as written."""

    start: int
    negative: bool
    hedge: str
    word: str
    cased: str
    mark: str
    money: tuple[Unit, ...]
    sign: str
    opens: bool


_REVERSED = re.compile(
    rf"\.?({LETTER}+)(?:[ \u00a0]+({LETTER}+))?"
)  # the last two words, read backwards: it is quicker


def look_before(text: str, start: int, floor: int) -> Before | None:
    """What stands before the digits at a place; None where they hang on letters or marks, as part of a name or a code.

    `floor` is where the last amount before them ends.
    """
    at, negative = start, False
    near = text[start - 1 : start]
    if near and near not in BLANKS:
        hanging = _hanging(text, start, near, floor)
        if hanging is None:
            return None
        negative, at = hanging
    rear = text[max(0, at - REAR) : at].rstrip(BLANKS)
    mark = rear[-1:]
    if not mark:
        return Before(at if negative else start, negative, "", "", "", "", (), "", False)
    begin = at if negative else start
    money: tuple[Unit, ...] = ()
    sign = ""
    if mark in _MONEY_SIGNS or mark == "." or (mark.isalpha() and mark in _MONEY_ENDS):
        read = _money_before(text, at)
        if read is not None and read[1] >= floor:
            money, begin = read
            sign = text[begin:at].strip()
            rear = text[max(0, begin - REAR) : begin].rstrip(BLANKS)
            mark = rear[-1:]
            if mark and mark in _MINUS and len(rear) == begin - max(0, begin - REAR):
                negative, begin, rear = True, begin - 1, rear[:-1].rstrip(BLANKS)
                mark = rear[-1:]
    hedge = _COMPARED.get(mark, "")
    if hedge:
        return Before(begin, negative, hedge, "", "", "", money, sign, False)
    words = _REVERSED.match(rear[::-1]) if mark and (mark.isalpha() or mark == ".") else None
    if words is None:
        return Before(begin, negative, "", "", "", mark, money, sign, False)
    cased, first = words.group(1)[::-1], words.group(2) and words.group(2)[::-1]
    word = cased.casefold()
    if mark == "." and len(word) > 3 and word not in _SHORTENED:
        return Before(begin, negative, "", "", "", mark, money, sign, False)
    opens = cased[0].isupper() and _opens(rear, begin, len(rear) - words.end(1))
    hedge = "under" if word == "à" and rear.endswith(_UP_TO) else hedge_of(first, word)
    if hedge and _NOT.search(rear):
        hedge = "under" if hedge == "over" else "over"
    return Before(begin, negative or word == "minus", hedge, word, cased, mark, money, sign, opens)


def _hanging(text: str, start: int, near: str, floor: int) -> tuple[bool, int] | None:
    """A sign that touches the digits: whether it is a minus, and where it begins; None where it makes them a code."""
    earlier = text[start - 2 : start - 1]
    if near >= CJK and near.isalpha():
        return False, start
    if near.isalnum() or near in "_#№@^\\&=":
        return (False, start) if near.isalpha() and _money_before(text, start) else None
    if near in "/:'’)":
        hangs = near != ")" and (earlier.isalnum() or earlier in {")", "]"} or near in "'’") and floor != start
        return None if hangs else (False, start)
    if near == "." and (start < 2 or not text[start - 2].isalnum()):
        return None
    if near not in DASHES:
        return None if near == "+" and earlier.isalnum() else (False, start)
    if earlier.isalpha() or earlier == "_" or (earlier.isalnum() and floor != start - 1):
        return None
    if near not in _MINUS or earlier.isalnum() or earlier in {")", "%", "°", '"', "”"}:
        return False, start - 1
    before_gap = text[max(0, start - 5) : start - 1].rstrip(BLANKS)[-1:]
    return not before_gap.isdigit() or earlier not in BLANKS, start - 1


def _opens(rear: str, begin: int, word: int) -> bool:
    """True where the word before a number begins the text, a line or a sentence."""
    earlier = rear[:word].rstrip(BLANKS)
    return earlier[-1] in "\n.!?•;|" if earlier else begin <= REAR


_MONEY_BEFORE = re.compile(
    rf"(?<!{LETTER})(?:[A-Z]{{2,3}}[ \u00a0]?|[A-Z][A-Za-z]{{0,2}}|U\.S\.)?[$€£¥₹₽₩₴₺₪₱₦₫₨฿￥][ \u00a0]{{0,2}}$|"
    rf"(?<!{LETTER})(?:[A-Z]{{3}}|Rs\.?|kr\.?|DM|Fr\.|SFr\.?)[ \u00a0]{{0,2}}$"
)
_MONEY_ENDS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZsr")


def _money_before(text: str, at: int) -> tuple[tuple[Unit, ...], int] | None:
    match = _MONEY_BEFORE.search(text[max(0, at - 8) : at])
    if match is None:
        return None
    written = match.group().strip(BLANKS)
    begin = at - len(match.group())
    units = _money(written)
    if units is None and written[-1] in _MONEY_SIGNS:
        units, begin = _money(written[-1]), begin + match.group().rfind(written[-1])
    return (units, begin) if units else None


@lru_cache(maxsize=1024)
def _money(written: str) -> tuple[Unit, ...] | None:
    read = read_unit(written, 0)
    if read is not None and read[1] == len(written) and read[0][0].kind == "money":
        return read[0]
    pieces = written.replace("\u00a0", " ").split(" ")
    return _money(pieces[0]) if len(pieces) > 1 and pieces[0] else None


_ABOUT = frozenset(
    "about around approximately approx roughly circa ca c nearly almost some estimated estimate approximate "
    # German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian, Swedish
    "etwa rund fast knapp gut ungefähr zirka gegen annähernd nahezu beinahe beinah geschätzt schätzungsweise "
    "environ presque quelque approximativement aproximadamente aprox casi unos unas quase uns umas quasi "
    "approssimativamente ongeveer bijna zowat ruwweg około ok prawie niemal blisko "
    "около примерно приблизительно почти порядка cirka ungefär omkring nästan runt knappt".split()
)
_OVER = frozenset(
    "over exceeding exceeds exceeded above minimum über mindestens wenigstens mínimo oltre almeno minstens ruim ponad "
    "przeszło powyżej minimum более больше свыше över minst drygt".split()
)
_UNDER = frozenset(
    "under below maximum within unter höchstens maximal hasta máximo até sotto massimo hoogstens maximaal poniżej "
    "maksymalnie менее меньше högst".split()
)
_PAIRS = {
    "over": "more than, greater than, larger than, higher than, longer than, at least, excess of, upwards of, "
    "well over, mehr als, plus de, au moins, más de, mas de, al menos, lo menos, più di, "
    "più del, mais de, pelo menos, ao menos, meer dan, ten minste, więcej niż, co najmniej, не менее, не меньше, "
    "mer än, fler än",
    "under": "less than, fewer than, smaller than, lower than, at most, up to, shorter than, many as, much as, "
    "weniger als, bis zu, moins de, au plus, au maximum, menos de, como máximo, no máximo, meno di, "
    "fino a, minder dan, mniej niż, co najwyżej, не более, не больше, mindre än, färre än, upp till",
    "about": "just over, just under, little over, slightly over, close to, près de, autour de, peu près, cerca de, "
    "alrededor de, perto de, cerca di, intorno a, intorno ai, mniej więcej, in etwa",
}
_PAIRED = {(first, word): hedge for hedge, pairs in _PAIRS.items() for first, word in map(str.split, pairs.split(", "))}


_NOT = re.compile(
    r"\b(?:not? (?:more than|less than|fewer than|exceeding|over|under|above|below)"
    r"|(?:no|non|não|pas|niet|nicht|nie|inte) \S{1,10} (?:als|de|di|dan|niż|än))$",
    re.IGNORECASE,
)
_UP_TO = ("jusqu'à", "jusqu’à")
_SHORTENED = frozenset("approx circa chap sept page artic janv févr avril juil cent vols".split())


def hedge_of(first: str | None, word: str) -> str:
    """ "about", "over" or "under" for the last two words before a number, else ""."""
    if first is not None and (paired := _PAIRED.get((first.casefold(), word))):
        return paired
    if word in _ABOUT:
        return "about"
    return "over" if word in _OVER else "under" if word in _UNDER else ""


def last_words(text: str, at: int) -> tuple[str | None, str]:
    """The last two words before a place (None and "" where there are none)."""
    words = _REVERSED.match(text[max(0, at - REAR) : at].rstrip(BLANKS)[::-1])
    return (words.group(2) and words.group(2)[::-1], words.group(1)[::-1].casefold()) if words else (None, "")


# Digits that are no amount

_CHAIN = frozenset("-‐‑–—/")
_CLOCK_AFTER = re.compile(r":\d\d")
_TELEPHONE = re.compile(r"[ \u00a0()./-]{1,3}\d{2,}(?:[ \u00a0()./-]{1,3}\d{2,}){0,6}")
_MORE_DIGITS = re.compile(r"[-‐‑–/.:\d]{1,60}")
_RUN = re.compile(r"\d+")


def chained(text: str, start: int, end: int) -> int:
    """Where an identifier, a date or a telephone number ends whose digits begin at `start`; 0 where there is none."""
    if text[start] == "0" and end - start > 1 and text[start:end].isdigit() and not _CLOCK_AFTER.match(text, end):
        telephone = _TELEPHONE.match(text, end)
        return telephone.end() if telephone else end
    after = text[end : end + 1]
    if after in _CHAIN and text[end + 1 : end + 2].isdigit():
        second = _RUN.match(text, end + 1)
        last = second.end() if second else end
        if after == "/" and read_fraction(text, start) is not None:
            return 0
        if after == "/" or (text[last : last + 1] in DASHES and text[last + 1 : last + 2].isdigit()):
            rest = _MORE_DIGITS.match(text, last)
            return rest.end() if rest else last
    elif start and text[start - 1] == "+":
        telephone = _TELEPHONE.match(text, end)
        return telephone.end() if telephone else 0 if text[start:end].isdigit() or "." in text[start:end] else end
    return 0


_NAMERS = frozenset(
    "no nr nos num p pp pg page pages vol chapter chapters ch chap section sections sec sect art article fig figure "
    "table room route flight channel season episode series part book act item line lines rule rules clause paragraph "
    "para division form phase stage level type mark class grade platform gate lane step note question exercise lesson "
    "appendix schedule bus highway interstate motorway district ward lot plot box suite apt apartment track disc "
    "version ver v rev release edition issue chromosome week day round stanza verse verses psalm scene scenes "
    "regulation regulations subsection column row".split()
)
_IDENTIFIERS = frozenset(
    "isbn issn doi tel telephone phone fax mobile code id zip postcode postal oclc pmid lccn ean upc sku vat iban "
    "account identifier imo mmsi ip asin viaf gnd isni orcid imdb cas reference ref".split()
)
_BEFORE_YEAR = frozenset(
    "in since by until till before after during from between to through circa year years spring summer autumn fall "
    "winter of early late mid im en dans depuis anno ab bis the and".split()
)
_AFTER_YEAR = frozenset(
    "ad ce bc bce census election elections season edition film album olympics world cup tour championship "
    "championships games song book match game title award".split()
)
_LEADING = frozenset(
    "between among after before when while since until during despite without near nearly only even just not "
    "no if zwischen entre tra fra tussen między mellan между the a an in of with has have had and or but all "
    "only its their his her there these those over about around at from to for by on some other another who "
    "which that this is are was were includes including contains total population".split()
)
_VERBS = frozenset("was is has its as does us this goes comes".split())
_AFTER = re.compile(rf"[ \u00a0-]{{0,3}}({LETTER}+)")
_HOUR = re.compile(r"\s?(?:[ap]\.?m\b|[AP]\.?M\b|o['’]clock|Uhr\b|noon\b|midnight\b)")
_HOUSE = re.compile(
    rf" (?:{LETTER}{{2,20}}\.? ){{1,3}}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Square|Place|Court|Terrace|"
    r"Boulevard|Blvd|Highway|Hwy|Way|Row|Crescent|Gardens|Quay)\b"
)
_ON = re.compile(r"\s?[–—-]\s?(?:\d|present|now)")
_BULLET = re.compile(r"\.(?=[\s.—–-])")


def role_of(text: str, before: Before, at: int, number: Number, token: str) -> str:
    """What a bare number, without a unit, is: "firm" for an amount, "maybe" for what may be one, "none" for what isn't.

    Months, hours, house marks, enumerators, names ("Apollo 11"), pages and identifiers are none; a year may be one.
    """
    mark, word = before.mark, before.word
    after = _AFTER.match(text, at)
    follows = after.group(1) if after else ""
    plain = number.places == 0 and token.isdigit()
    year = plain and number.written == 4 and 1000 <= number.amount <= 2100
    if plain and (_dated(before, follows, number, text, at, year) or _listed(text, before, at)):
        return "none"
    if not before.hedge and (word in _NAMERS or word in _IDENTIFIERS):
        return "none"
    if plain and follows[:1].isupper() and _HOUSE.match(text, at):
        return "none"
    if _HOUR.match(text, at) or (mark == ":" and _identified(text, before.start)):
        return "none"
    if year:
        return _as_year(text, before, at, follows)
    if before.cased[:1].isupper() and not before.hedge:
        if _is_name(before, follows, text, at):
            return "none"
        if before.opens and plain:
            return "maybe"
    if text[at : at + 1] == "-" and text[at + 1 : at + 2].isalpha() and not counts(follows):
        return "none"
    titled = plain and follows[:1].isupper() and mark not in {":", ";"}
    return "maybe" if (titled or mark == "(") and not counts(follows) else "firm"


def _listed(text: str, before: Before, at: int) -> bool:
    """ "(2) The …", "5. Regulation", "1) Alex", "[12]", "32(3)", "151.964(1)": an entry, a note, an issue, a margin."""
    following, begin = text[at : at + 1], before.start
    if following == "]":
        return before.mark == "["
    if following == "(":
        return text[at + 1 : at + 2].isdigit()
    if following == ")":
        if before.mark == "(":
            return not text[max(0, begin - 3) : begin].strip("( \n\t") or text[max(0, begin - 2) : begin - 1].isdigit()
        return "(" not in text[max(0, begin - 60) : begin]
    if following == "." and before.mark in {"", "\n"} and _BULLET.match(text, at):
        return not text[max(0, begin - 3) : begin].strip(" \n\t")
    return False


def year_of(before: Before, number: Number, counted: str) -> str:
    """What a counted number is: "none" in "1984 film", "maybe" in "In 1990 people left", else "firm"."""
    if not 1000 <= number.amount <= 2100 or number.written != 4:
        return "firm"
    if counted.casefold() in _AFTER_YEAR:
        return "none"
    dated = before.word in _BEFORE_YEAR or before.cased in _months()
    return "maybe" if dated and not before.hedge else "firm"


_TO = re.compile(r"[ \u00a0]?(?:[–—-]|and\b|to\b)[ \u00a0]?\d{4,5}(?![\d.,]*\d)")


def _measured(text: str, at: int) -> bool:
    """True for the first number of "1937–1939 mm"."""
    match = _TO.match(text, at)
    return match is not None and read_unit(text, skip_gap(text, match.end())) is not None


def _as_year(text: str, before: Before, at: int, follows: str) -> str:
    if _measured(text, at):
        return "maybe"
    if (before.word in _BEFORE_YEAR and not before.hedge) or follows.casefold() in _AFTER_YEAR:
        return "none"
    if before.mark in {"(", "©", "'", "’", "/"} or (before.mark in DASHES and before.mark) or _ON.match(text, at):
        return "none"
    return "firm" if counts(follows) else "maybe"


def _is_name(before: Before, follows: str, text: str, at: int) -> bool:
    """ "Apollo 11 landed": a capitalised word directly before, and the sentence goes on with no counted thing."""
    if before.mark in {":", ","} or before.word in _LEADING:
        return False
    if before.opens:
        noun = follows.endswith("s") and follows not in _VERBS
        return bool(follows) and not noun and not counts(follows) and text[at : at + 1] == " "
    return not counts(follows)


@lru_cache(maxsize=4096)
def counts(word: str) -> bool:
    """True for the name of something that pages count: "inhabitants", "episodes"."""
    read = read_unit(word, 0) if word else None
    return read is not None and read[1] == len(word) and read[0][0].kind == "count"


_HEADED = re.compile(rf"({LETTER}+)[ \u00a0]{{0,2}}[:：]$")


def _identified(text: str, start: int) -> bool:
    match = _HEADED.search(text[max(0, start - REAR) : start].rstrip(BLANKS))
    return match is not None and match.group(1).casefold() in _IDENTIFIERS


_MONTH_DAY = re.compile(rf"({LETTER}+)\.?(?: \d{{1,2}}(?:st|nd|rd|th)?)?,$")


# "14–28 January", "14 and 15 May"
_DAYS = re.compile(rf"\s?(?:[–—/,&-]|to\b|and\b|or\b)\s?\d{{1,2}}(?:st|nd|rd|th)?\.? ({LETTER}+)")


def _dated(before: Before, follows: str, number: Number, text: str, at: int, year: bool) -> bool:
    """A day or a year beside the name of a month."""
    day = number.written <= 2 and number.amount <= 31
    if not (day or year):
        return False
    months = _months()
    if follows in months and text[at : at + 1] != "-":
        return True
    if day and (until := _DAYS.match(text, at)) and until.group(1) in months:
        return True
    if before.cased in months:
        return True
    if year and before.mark == ",":
        earlier = _MONTH_DAY.search(text[max(0, before.start - REAR) : before.start].rstrip(BLANKS))
        return earlier is not None and earlier.group(1) in months
    return False


# Names of months that are other words too, where they are written small.
_OTHER_WORDS = frozenset({"may", "mar", "set", "out", "ago", "mag", "dec", "jan", "sep", "mars", "march", "gen"})


@cache
def _months() -> frozenset[str]:
    """Names of months in ten languages, as written within and at the start of a sentence."""
    names: set[str] = {"Sept"}
    for language in ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "sv"):
        months = Locale(language).months
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for name in months[context][width].values():
                    bare = name.rstrip(".")
                    if len(bare) >= 3 and not bare[0].isdigit():
                        names.update({bare, bare.capitalize(), bare.upper()})
    return frozenset(names - _OTHER_WORDS)


_HEADER = re.compile(r"(?:[(\[]|,\s?|\bin\s)([^()\[\],:;]{1,24})[)\]]?\s?[:：=|]?$")
# A row of a name with its unit, and a value: "Property: Length (m); Value: 118.14".
_NAMED = re.compile(r"[(\[]([^()\[\],:;]{1,24})[)\]]; (?:value|measurement|amount|result|data|figure):$", re.IGNORECASE)
_YEARS = (Unit((("year", 1),)),)
_ONE = Decimal(1)


def header_unit(text: str, start: int, before: Before) -> tuple[Decimal, tuple[Unit, ...], str] | None:
    """The unit that a header gives before a number: "Height (m): 44.43", "Area, km²: 12", "Budget ($ million): 3"."""
    if before.word in {"aged", "age"}:
        return _ONE, _YEARS, before.word
    if before.mark not in {":", ")", "]", "：", "|"}:
        return None
    rear = text[max(0, start - 56) : start].rstrip(BLANKS)
    match = _HEADER.search(rear) or _NAMED.search(rear)
    return _header(match.group(1).strip()) if match else None


@lru_cache(maxsize=4096)
def _header(inside: str) -> tuple[Decimal, tuple[Unit, ...], str] | None:
    """A scale, a unit, or both, and nothing else."""
    scale, at = _ONE, 0
    units: tuple[Unit, ...] = ()
    inside = inside.removeprefix("in ").strip()
    for _ in range(4):
        while inside[at : at + 1] in {" ", "\u00a0"}:
            at += 1
        if at >= len(inside):
            break
        if (read := read_scale(inside, at)) is not None:
            scale, at = scale * read[0], read[1]
        elif not units and (unit := read_unit(inside, at)) is not None:
            units, at = unit
        else:
            return None
    return (scale, units, inside) if at >= len(inside) and (units or scale != 1) else None
