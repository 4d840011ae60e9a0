"""Bytes to text, and what kind of thing the bytes are."""

from __future__ import annotations

import codecs
import re
from enum import Enum, auto

_HEAD = 4096
_META = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w:.-]{1,40})", re.IGNORECASE)
_HEADER = re.compile(r"charset\s*=\s*[\"']?([\w:.-]{1,40})", re.IGNORECASE)
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
# What the WHATWG's Encoding standard decodes as Windows-1252, as browsers do.
_AS_WINDOWS = frozenset({"iso8859-1", "ascii", "latin-1"})
_MAGIC = (
    b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!", b"\x89PNG", b"GIF8", b"\xff\xd8\xff",
    b"RIFF", b"OggS", b"ID3", b"\x00\x00\x00", b"\x1aE\xdf\xa3", b"\xd0\xcf\x11\xe0", b"MZ", b"\x7fELF", b"{\\rtf",
)  # fmt: skip


class Sniffed(Enum):
    """What the bytes are, by looking at them."""

    HTML = auto()
    TEXT = auto()
    PDF = auto()
    OTHER = auto()


_TAG = re.compile(
    rb"<(?:!doctype\s+html|html|head|body|title|meta|div|table|p|a|h1|span|script|frameset|\?xml)\b|<!--", re.IGNORECASE
)
_TABULAR = ("text/csv", "text/tab-separated-values", "application/json", "text/css", "javascript")


def sniff(body: bytes, content_type: str) -> Sniffed:
    """Tell HTML, plain text and PDF from all that can't be read; the declared type only breaks ties."""
    start = body[:_HEAD].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"%PDF-"):
        return Sniffed.PDF
    if any(start.startswith(magic) for magic in _MAGIC):
        return Sniffed.OTHER
    declared = content_type.lower()
    if _TAG.search(body[: 16 * _HEAD]) and not any(kind in declared for kind in _TABULAR):
        return Sniffed.HTML
    if any(kind in declared for kind in _TABULAR):
        return Sniffed.OTHER
    if b"\x00" in start and not body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return Sniffed.OTHER
    if declared.startswith(("image/", "video/", "audio/", "font/")):
        return Sniffed.OTHER
    return Sniffed.HTML if "html" in declared else Sniffed.TEXT


def decode(body: bytes, content_type: str) -> str:
    """Text of a body: by its byte order mark, the header, a meta tag, else UTF-8 if it is that, else Windows-1252.

    Never raises; bytes that don't fit become U+FFFD.
    """
    for mark, name in _BOMS:
        if body.startswith(mark):
            return body[len(mark) :].decode(name, errors="replace")
    declared = [match.group(1) for match in [_HEADER.search(content_type)] if match]
    declared += [match.group(1).decode("ascii") for match in [_META.search(body[:_HEAD])] if match]
    for name in declared:
        try:
            codec = codecs.lookup(name).name
            if codec not in _AS_WINDOWS and codec != "utf-8":
                return body.decode(codec, errors="replace")
        except (LookupError, UnicodeError):  # an unknown name, or a codec that isn't one of text
            continue
        break
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return body.decode("utf-8" if declared and "utf-8" in declared[0].lower() else "cp1252", errors="replace")
