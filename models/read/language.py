"""The language of a page and of its blocks, from the text and never from what the markup says of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from babel import Locale
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from models.read.page import Block

SUPPORTED = frozenset({"en"})

_PROSE = frozenset({"text", "list", "definition", "caption"})
_TELLING = 60  # letters from which a block of prose tells its language by itself
_ENOUGH = 120  # letters of another language's prose below which a page stays English
_SAMPLE = 1_500  # characters that are looked at, of a block or of what the short ones make together
_SURE = 0.9
# A page in two languages is judged by its English where that is prose of its own, as long as a full paragraph and
# no mere notice beside the rest.
_OWN_PROSE = 600
_OWN_SHARE = 0.2

# Common words of English that other languages hardly share ("a", "is", "in", "for" and their like are common
# elsewhere too): a text where they are one word in sixteen is English, whatever the names in it.
_COMMON = frozenset("the of and with from his she that this are were which been has have their they its".split())
_TELLING_WORDS = frozenset("her him who when after about into born died at by on for before until where while".split())
_FEWEST_TELLING = 3
_COMMON_SHARE = 0.06
_WORD = re.compile(r"[^\W\d_]+")
_FULL = re.compile(r"[^\W\d_]{3,}+(?!\.)")  # no abbreviation: "bapt.", "b. 1799"
_LOWER_SHARE = 0.4  # of the words; what has fewer is names, in any language with capitals
_FEWEST_WORDS = 8
# Written so alike that a detector wavers between them, and none is English.
_FAMILIES = (frozenset("no nb nn da".split()), frozenset("hr bs sr".split()), frozenset("id ms".split()))

# Scripts by the blocks of Unicode, each with the language that it stands for where no more is known.
_SCRIPTS = {
    "el": "\u0370-\u03ff\u1f00-\u1fff",
    "ru": "\u0400-\u052f\u1c80-\u1c8f",
    "hy": "\u0530-\u058f",
    "he": "\u0590-\u05ff",
    "ar": "\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufeff",
    "hi": "\u0900-\u097f",
    "bn": "\u0980-\u09ff",
    "pa": "\u0a00-\u0a7f",
    "gu": "\u0a80-\u0aff",
    "or": "\u0b00-\u0b7f",
    "ta": "\u0b80-\u0bff",
    "te": "\u0c00-\u0c7f",
    "kn": "\u0c80-\u0cff",
    "ml": "\u0d00-\u0d7f",
    "si": "\u0d80-\u0dff",
    "th": "\u0e00-\u0e7f",
    "lo": "\u0e80-\u0eff",
    "bo": "\u0f00-\u0fff",
    "my": "\u1000-\u109f",
    "ka": "\u10a0-\u10ff",
    "am": "\u1200-\u139f",
    "km": "\u1780-\u17ff",
    "ko": "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af",
    "ja": "\u3040-\u30ff\u31f0-\u31ff",
    "zh": "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff",
}
_FOREIGN = re.compile("|".join(f"(?P<{code}>[{letters}])" for code, letters in _SCRIPTS.items()))
_FEWEST_LETTERS = {"ru": 20, "ar": 20, "zh": 8}
_SHARED = {
    "ru": frozenset("ab av ba be bg ce cv ka kk kv ky lez mk mn myv os ru sah sr tg tt uk".split()),
    "ar": frozenset("ar arz azb ckb fa ps sd ug ur".split()),
    "hi": frozenset("hi mr ne sa bh mai".split()),
    "he": frozenset({"he", "yi"}),
    "bn": frozenset({"bn", "as"}),
    "am": frozenset({"am", "ti"}),
}
# A Chinese or Japanese letter says as much as three or four of an alphabet, so fewer of them are prose.
_DENSE = {"zh": 4, "ja": 3, "ko": 2}


def in_languages(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """The blocks, each with its language; "" where it is too short, or names and numbers, so that nothing tells."""
    return tuple(replace(block, language=_of_block(block)) for block in blocks)


def page_language(blocks: Iterable[Block]) -> str:
    """The ISO 639-1 code (639-3 where it has none) of what a page says, from blocks that have their languages.

    The site's own text (navigation, notices) doesn't count. A page of names, numbers and tables is English unless
    their script is another's. With prose in two languages it is English where that part can be judged by itself.
    """
    own = [block for block in blocks if not block.boilerplate and block.kind != "structured"]
    told = Counter[str]()
    for block in own:
        told[block.language] += _weight(block.text, block.language)
    short = [block for block in own if not block.language]
    rest = " ".join(block.text for block in short)
    if not (language := _of_script(rest)):
        rest = " ".join(block.text for block in short if block.kind in _PROSE)
        language = _of_prose(rest)
    if language:
        told[language] += _weight(rest, language)
        told[""] -= len(_letters(rest))
    untold = told.pop("", 0)
    english = told.pop("en", 0)
    others = told.total()
    if english >= others or (english >= _OWN_PROSE and english >= _OWN_SHARE * (english + others)):
        return "en"
    language, most = told.most_common(1)[0]
    speaks = most > untold or (most >= _ENOUGH and most >= _OWN_SHARE * untold)
    return language if speaks else "en"


def sounds_english(text: str) -> bool:
    """Whether a text, however short, has at least three of the words by which English is known."""
    words = set(map(str.casefold, _WORD.findall(text[:_SAMPLE])))
    return len(words & (_COMMON | _TELLING_WORDS)) >= _FEWEST_TELLING


@cache
def language_name(code: str) -> str:
    """The English name of a language by its code; the code itself where it has none."""
    return str(Locale("en").languages.get(code, code))


def _of_block(block: Block) -> str:
    if language := _of_script(block.text):
        return language
    if block.kind not in _PROSE or len(block.text) < _TELLING:
        return ""
    return _of_prose(block.text)


def _of_prose(text: str) -> str:
    """The language of a text in Latin letters; "" where it is short, or more names than words."""
    text = text[:_SAMPLE].replace("\xad", "")
    words = _WORD.findall(text)
    if len(words) < _FEWEST_WORDS or sum(map(len, words)) < _TELLING * 0.7:
        return ""
    common = [word for word in map(str.casefold, words) if word in _COMMON]
    if len(common) >= _COMMON_SHARE * len(words) and len(set(common)) > 1:
        return "en"
    full = _FULL.findall(text)
    if sum(word[0].islower() for word in full) < _LOWER_SHARE * len(full):
        return ""
    ranked = _identifier().rank(text)
    language = str(ranked[0][0])
    kin = next((family for family in _FAMILIES if language in family), {language})
    return language if sum(share for code, share in ranked if code in kin) >= _SURE else ""


def _of_script(text: str) -> str:
    """The language of a text of which most letters are of another script; "" for Latin letters.

    Scripts of one language tell it at once; of those that languages share, a few letters don't.
    """
    text = text[:_SAMPLE]
    if text.isascii():
        return ""
    found = Counter(match.lastgroup for match in _FOREIGN.finditer(text))
    if 2 * found.total() <= len(_letters(text)):
        return ""
    if found["ja"]:
        return "ja"  # kana among Chinese characters
    script = str(found.most_common(1)[0][0])
    if found.total() < _FEWEST_LETTERS.get(script, 1):
        return ""
    if script not in _SHARED:
        return script
    language, confidence = _identifier().classify(text)
    return str(language) if language in _SHARED[script] and confidence >= _SURE else script


def _letters(text: str) -> str:
    return "".join(_WORD.findall(text))


def _weight(text: str, language: str) -> int:
    return len(_letters(text)) * _DENSE.get(language, 1)


@cache
def _identifier() -> LanguageIdentifier:
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
