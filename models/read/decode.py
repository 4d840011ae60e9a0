"""Bytes to text, in whatever encoding they are, declared or not."""

from __future__ import annotations

import codecs
import re
from typing import Final

from chardetng_py import EncodingDetector

_HEAD = 4096
_META = re.compile(rb"<meta[^>]{0,300}?charset\s*=\s*[\"']?\s*([\w:.-]{1,40})", re.IGNORECASE)
_XML = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']\s*([\w:.-]{1,40})", re.IGNORECASE)
_HEADER = re.compile(r"charset\s*=\s*[\"']?\s*([\w:.-]{1,40})", re.IGNORECASE)
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16's, with which it begins
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# What the WHATWG's Encoding standard reads as a superset, since pages are labelled with the subset; by Python's names.
_SUPERSETS: Final = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "iso2022_kr": "cp949",
}
# Labels of pages that Python doesn't know, or knows as something else.
_LABELS: Final = {
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "windows-949": "cp949",
    "ks_c_5601-1987": "cp949",
    "windows-874": "cp874",
    "dos-874": "cp874",
    "x-gbk": "gb18030",
    "gb_2312-80": "gb18030",
    "x-x-big5": "big5hkscs",
    "x-euc-jp": "euc_jp",
    "koi": "koi8_r",
    "koi8": "koi8_r",
    "koi8-ru": "koi8_u",
    "iso-8859-8-i": "iso8859_8",
    "logical": "iso8859_8",
    "visual": "iso8859_8",
    "x-mac-roman": "mac_roman",
    "x-mac-cyrillic": "mac_cyrillic",
    "x-mac-ukrainian": "mac_cyrillic",
    "utf-8-sig": "utf-8",
    "unicode": "utf-16-le",
    "ucs-2": "utf-16-le",
    "unicode-1-1-utf-8": "utf-8",
    "x-unicode20utf8": "utf-8",
}
_WINDOWS_LABEL = re.compile(r"(?:x-)?(?:cp|win|windows)[-_]?(125\d)")
# Python's codecs for text. Others turn bytes into something else, and UTF-7 hides markup.
_OF_TEXT = re.compile(
    r"utf-(?:8|16|32)(?:-le|-be)?|ascii|cp\d+|(?:iso8859|koi8|mac|tis)-\w+|gb\w+|big5\w*|euc_\w+|iso2022_\w+|shift_jis\w*|hz"
)
_WIDE = frozenset({"utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"})
_OF_TWO_BYTES = frozenset({"gb18030", "big5hkscs", "cp949", "cp932", "euc_jp", "euc_jis_2004"})
_LATIN = frozenset({"cp1250", "iso8859-2", "cp1252", "cp1254", "cp1257", "cp1258", "iso8859-4", "iso8859-13"})
# A script, a style, a comment, a tag: what is in them says nothing of the page's alphabet.
_NO_TEXT = re.compile(rb"<(script|style)\b[^>]{0,500}>.{0,100000}?</\1|<!--.{0,5000}?-->|<[^<>]{0,2000}>", re.I | re.S)
_LOOKED_AT = 1 << 20  # bytes of the page in which text is looked for
_SAMPLE = 1 << 16  # bytes of text that are looked at
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]+")
_ASCII = bytes(range(128))
_FEW = 6  # bytes beyond ASCII that can be UTF-8 by chance
_MANY = 30  # bytes beyond ASCII that can't look like another alphabet by chance


def decode(body: bytes, content_type: str) -> str:
    """The text of a body. Never raises; bytes that don't fit become U+FFFD.

    A byte order mark decides; then what is UTF-8 is read so, whatever is declared, since no other text is UTF-8 by
    chance; then what the header, an XML declaration or a meta tag says, where it fits; else what the letters look
    like.
    """
    mark, codec = encoding(body, content_type)
    return body[mark:].decode(codec, errors="replace")


def encoding(body: bytes, content_type: str) -> tuple[int, str]:
    """The length of a body's byte order mark, and the name of Python's codec for the rest."""
    for mark, name in _BOMS:
        if body.startswith(mark):
            return len(mark), name
    if wide := wide_codec(body):
        return 0, wide
    sample = body[:_LOOKED_AT]
    declared = _declared(sample, content_type)
    if b"\x1b$" in sample or b"\x1b(" in sample:  # ISO-2022-JP, all ASCII to the eye
        return 0, next((name for name in declared if name.startswith("iso2022")), "") or _guess(sample)
    if sample.isascii() or _is_utf8(sample, declared):
        return 0, "utf-8"
    return 0, _legacy(sample, [name for name in declared if name != "utf-8"])


def codec_of(label: str) -> str | None:
    """Python's codec for a label as pages use it; None for a label that names no encoding of text."""
    name = label.strip().strip("\"'").lower()
    if windows := _WINDOWS_LABEL.fullmatch(name):
        return f"cp{windows[1]}"
    try:
        found = codecs.lookup(_LABELS.get(name, name)).name
    except (LookupError, ValueError):
        return None
    return _SUPERSETS.get(found, found) if _OF_TEXT.fullmatch(found) else None


def wide_codec(body: bytes) -> str | None:
    """UTF-16 without a byte order mark, told by the zeros of its spaces, digits and tags; None for anything else."""
    head = body[:_HEAD]
    zeros_first, zeros_second = head[::2].count(0), head[1::2].count(0)
    least = max(2, len(head) // 20)  # one character in ten, even where the page is in Chinese
    if zeros_second >= least and zeros_second > 4 * zeros_first and _is_text(head, "utf-16-le"):
        return "utf-16-le"
    if zeros_first >= least and zeros_first > 4 * zeros_second and _is_text(head, "utf-16-be"):
        return "utf-16-be"
    return None


def _is_text(head: bytes, codec: str) -> bool:
    text = head[: len(head) // 2 * 2].decode(codec, errors="replace")
    odd = sum(not character.isprintable() and not character.isspace() for character in text)
    return odd * 50 <= len(text)


def _declared(sample: bytes, content_type: str) -> list[str]:
    """The codecs that the header, an XML declaration and a meta tag name, in this order, each once."""
    labels = [found[1] for found in [_HEADER.search(content_type)] if found]
    labels += [
        found[1].decode("ascii", "replace")
        for found in (_XML.search(sample[:_HEAD]), _META.search(sample[: 4 * _HEAD]))
        if found
    ]
    named = [codec for label in labels if (codec := codec_of(label))]
    # A tag that can be read as ASCII is no UTF-16; the standard takes such a label for UTF-8.
    return list(dict.fromkeys("utf-8" if codec in _WIDE else codec for codec in named))


def _is_utf8(sample: bytes, declared: list[str]) -> bool:
    """Whether a body that isn't all ASCII is UTF-8, though some bytes of it may be spoiled."""
    text = sample.decode("utf-8", errors="ignore")
    beyond = len(sample.translate(None, _ASCII))
    letters = len(text) - len(text.encode("ascii", "ignore"))
    kept = len(text.encode()) - (len(sample) - beyond) if letters else 0  # bytes beyond ASCII that are UTF-8
    spoiled = beyond - kept
    if spoiled <= 3 and len(sample) == _LOOKED_AT:
        spoiled = 0  # the cut goes through a character
    if declared and declared[0] == "utf-8":
        return kept > 4 * spoiled
    if declared and declared[0] in _OF_TWO_BYTES and beyond <= _FEW:
        return False
    return kept > 8 * spoiled


def _legacy(sample: bytes, declared: list[str]) -> str:
    """The codec of a body that isn't UTF-8: the declared one where it fits, else by the looks of its letters."""
    fitting = [codec for codec in declared if _fits(sample, codec)]
    if not fitting:
        return _guess(sample)
    if fitting[0] != "cp1252":
        return fitting[0]
    # Servers declare this one for all pages they have; it fits any bytes.
    guessed = _guess(sample)
    if guessed in fitting:
        return guessed
    other_alphabet = guessed not in _LATIN and len(_text_bytes(sample).translate(None, _ASCII)) >= _MANY
    return guessed if other_alphabet else "cp1252"


def _fits(sample: bytes, codec: str) -> bool:
    """Whether nearly all bytes beyond ASCII are characters in an encoding."""
    text = sample.decode(codec, errors="replace")
    beyond = sum(len(run) for run in _BEYOND_ASCII.findall(sample))
    return text.count("\ufffd") * 20 <= beyond


def _text_bytes(sample: bytes) -> bytes:
    return _NO_TEXT.sub(b" ", sample)[:_SAMPLE]


def _guess(sample: bytes) -> str:
    """The codec that the letters of the text look like; Windows-1252 where there are next to none to look at."""
    text = _text_bytes(sample)
    if len(text.translate(None, _ASCII)) < 2 and b"\x1b" not in text:
        return "cp1252"
    detector = EncodingDetector()
    detector.feed(text, last=True)
    return codec_of(detector.guess(tld=None, allow_utf8=False)) or "cp1252"
