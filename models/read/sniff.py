"""What kind of thing the bytes of a document are, by looking at them: names and declared types are often wrong."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import dataclass
from enum import Enum, auto
from itertools import islice

from models.read.decode import decode, wide_codec


class Form(Enum):
    """The ways in which a document can be read."""

    HTML = auto()
    TEXT = auto()
    PDF = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Sniffed:
    """What a document is. `looks` names it as a person would, with its article: "a ZIP archive".

    `is_xml`: it is read as HTML, but written by the rules of XML.
    """

    form: Form
    looks: str
    is_xml: bool = False


_HTML = Sniffed(Form.HTML, "HTML")
_XHTML = Sniffed(Form.HTML, "XHTML", is_xml=True)
_TEXT = Sniffed(Form.TEXT, "plain text")
_PDF = Sniffed(Form.PDF, "a PDF")
_HEAD = 1 << 16  # bytes of the document that are looked at
_BEGINNING = 4096

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (rb"PK\x03\x04.{26}mimetypeapplication/epub\+zip", "an EPUB book"),
    (rb"PK\x03\x04.{26}mimetypeapplication/vnd\.oasis", "an OpenDocument file"),
    (rb"PK\x03\x04.{0,8000}?(?:\[Content_Types\]\.xml|word/|xl/|ppt/)", "an office document"),
    (rb"PK(?:\x03\x04|\x05\x06|\x07\x08)", "a ZIP archive"),
    (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an office document"),
    (rb"\{\\rtf", "an RTF document"),
    (rb"%!PS", "a PostScript file"),
    (rb"AT&TFORM", "a DjVu document"),
    (rb"\x1f\x8b|\x1f\x9d|BZh\d|\xfd7zXZ|\x28\xb5\x2f\xfd|\x04\x22\x4d\x18", "packed data"),
    (rb"7z\xbc\xaf\x27\x1c|Rar!\x1a|MSCF\0|.{257}ustar", "an archive"),
    (rb"\x89PNG", "a PNG image"),
    (rb"GIF8[79]a", "a GIF image"),
    (rb"\xff\xd8\xff", "a JPEG image"),
    (rb"RIFF.{4}WEBP", "a WebP image"),
    (rb"\0\0\0.ftyp(?:avi[fs]|hei[cx]|mif1)", "an image"),
    (rb"II\*\0|MM\0\*|BM.{4}\0{4}|\0\0[\x01\x02]\0|8BPS\0|\0\0\0\x0cj[PX][ L]|\xff\x0a\x00|qoif", "an image"),
    (rb"RIFF.{4}WAVE|ID3[\x02-\x04]|OggS|fLaC|MThd|FORM.{4}AIF|\xff[\xf1-\xf3\xf9-\xfb][^\xff\0]", "an audio file"),
    (
        rb"RIFF.{4}AVI |\x1a\x45\xdf\xa3|\0\0\0.ftyp|.{4}(?:moov|mdat)\0|"
        rb"FLV\x01|\0\0\x01[\xba\xb3]|\x30\x26\xb2\x75|(?:G.{187}){4}G",
        "a video",
    ),
    (rb"MZ.{0,200}\0|\x7fELF|\xca\xfe\xba\xbe|[\xce\xcf]\xfa\xed\xfe|\0asm", "a program"),
    (rb"wOF[F2]|OTTO\0|\0\x01\0\0\0|ttcf\0|true\0", "a font"),
    (rb"\d{5}[a-z].{4}22\d{5}.{3}45\d0", "a library record"),
    (rb"SQLite format 3\0|PAR1[\0-\x20]|\x89HDF|CDF[\x01\x02]|Obj\x01|ARROW1\0", "a data file"),
    (rb"WARC/[01]\.", "a web archive"),
)
_KINDS = tuple((re.compile(magic, re.DOTALL), looks) for magic, looks in _MAGIC)

# What may stand before the first thing of a page: white space, comments, processing instructions.
_BEFORE = re.compile(r"(?:\s+|<!--.{0,20000}?-->|<\?.{0,2000}?\?>|<!(?!doctype\b|--)[^>]{0,500}>)+", re.S | re.I)
_TAGS = (
    "html|head|body|title|meta|link|base|div|table|tbody|tr|td|p|a|h[1-6]|span|script|style|noscript|frameset|iframe|"
    "center|font|img|b|i|br|hr|ul|ol|li|dl|dt|dd|form|input|article|section|main|header|footer|nav|pre|strong|em|small|big"
)
_TAG = re.compile(rf"<(?:!doctype\s+html|(?:{_TAGS})\b(?=[\s/>]))", re.IGNORECASE)
_ROOT = re.compile(r"<!doctype\s+([\w:.-]{1,60})|<([A-Za-z_][\w:.-]{0,60})(?=[\s/>])", re.IGNORECASE)
_FEEDS = {"rss": "an RSS feed", "rdf:rdf": "an RDF file", "feed": "an Atom feed"}
_PROSE_IN_XML = re.compile(r"<(?:\w+:)?p(?:\s[^<>]{0,300})?>\s*[^<>\s]", re.IGNORECASE)
_LEAST_PROSE_IN_XML = 2  # paragraphs

_JSON = re.compile(r"(?:\)\]\}'?,?\s*|for\s*\(;;\);\s*)?(?:\{\s*(?:\"(?:[^\"\\\n]|\\.){0,300}\"\s*:|\})|\[\s*[\[{\"])")
_LIST = re.compile(r"\[\s*(?:-?\d|true\b|false\b|null\b|\])")
_LARGEST_LIST = 200_000  # characters of JSON that are parsed to see whether they are
_CODE_COMMENTS = re.compile(r"(?:\s+|/\*.{0,20000}?\*/|//[^\n]{0,2000}\n)+", re.DOTALL)
_SCRIPT = re.compile(
    r"""["']use\ strict["']|[!(;+~]{1,3}\s?(?:async\s)?function\b|function\s+[\w$]*\s*\([\w$,\s]{0,200}\)\s*\{
    |(?:var|let|const)\s+[\w$]+\s*=|(?:window|document|self|module|exports|globalThis)(?:\.[\w$]+|\[)[^\n]{0,80}=
    |import\s*(?:["'][^"'\n]{1,200}["']|[\w$*{][^\n;]{0,300}\sfrom\s*["'])
    |export\s+(?:default\b|(?:async\s)?function\b\s*[\w$]*\(|(?:const|let|class)\s+[\w$]+\s*[={])|export\s*\{
    |\(\s*(?:[\w$,\s]{0,60})\)\s*=>|\(\(\)\s*=>|(?:jQuery|\$|define|require|webpackJsonp\w*)\([^\n]{0,80}function
    |[\w$.]{1,80}\(\s*(?:\{\s*"|\[\s*[\[{"])""",
    re.VERBOSE,
)
_STYLE = re.compile(
    r"@(?:charset\s+[\"']|import\s+(?:url\(|[\"'])|media\b[^{}<]{1,200}\{|font-face\s*\{)"
    r"|(?:[.#:*]|[a-z])[\w#.:,>*\[\]=\"'()\s-]{0,300}\{\s*(?:--)?[a-z-]{2,40}\s*:\s*[^{}<>:]{1,300}[;}]"
)
_RECORDS = (
    (re.compile(r"@(?:prefix\s+[\w-]*:\s*<|base\s*<)"), "an RDF file"),
    (re.compile(r"@\w{3,20}\s*\{\s*[^\s{},]{1,100},\s*\w+\s*="), "a BibTeX record"),
    (re.compile(r"TY {2}- [A-Z]{3,6}\b"), "a RIS record"),
    (re.compile(r"BEGIN:VCALENDAR\b"), "a calendar"),
    (re.compile(r"BEGIN:VCARD\b"), "a contact card"),
    (re.compile(r"#EXTM3U\b"), "a playlist"),
    (re.compile(r"WEBVTT\b"), "subtitles"),
    (re.compile(r"#!\s?/\S+"), "a script"),
    (re.compile(r"-----BEGIN [A-Z ]+-----"), "a key or certificate"),
    (re.compile(r"(?:[\w-]+:[^\n]*\n){0,20}Content-Type:\s*multipart/related", re.IGNORECASE), "a web archive"),
)
_CONTROLS = bytes([*range(8), *range(14, 26)])  # no text has more than a stray one
# Old texts have these: letters struck over, the end of the file, separators of fields. ESC (27) is ISO-2022's.
_OLD_CONTROLS = b"\b\x1a\x1c\x1d\x1e\x1f"
_STRAY = 2
_THOUSANDS = re.compile(r"(?<= \d),(?=\d{3}[ .])|(?<= \d\d),(?=\d{3}[ .])|(?<= \d{3}),(?=\d{3}[ .])")  # in words
_ROWS, _LEAST_ROWS = 40, 3
_LONGEST_CELL = 60  # words: a row of longer cells is prose with a comma in it


def sniff(body: bytes, content_type: str) -> Sniffed:
    """Tell HTML, plain text and PDF from all that can't be read. The declared type is only heard where text could be
    two things.
    """
    head = body[:_HEAD]
    if b"%PDF-" in head[:1024] and not re.search(rb"<(?:html|!doctype|body)", head[:1024], re.IGNORECASE):
        return _PDF
    beginning = head[: _BEGINNING * 2]
    for magic, looks in _KINDS:
        if magic.match(beginning):
            return Sniffed(Form.OTHER, looks)
    if head.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")) or wide_codec(head):
        text = decode(head[: len(head) // 4 * 4], content_type)
        if _unprintable(text):
            return Sniffed(Form.OTHER, "binary data")
    else:
        if _binary(head):
            return Sniffed(Form.OTHER, "binary data")
        text = decode(head, content_type)
    return _of_text(text.replace("\0", ""), content_type.lower(), whole=len(body) <= _HEAD)


def _binary(head: bytes) -> bool:
    """Whether more than one byte in fifty is none of text, more than one in two hundred is NUL where no tag stands, or
    more than three in eight are those of old texts.
    """
    controls = len(head) - len(head.translate(None, _CONTROLS))
    if controls > max(_STRAY, len(head) // 50):
        return True
    if (len(head) - len(head.translate(None, _OLD_CONTROLS))) * 8 > len(head) * 3:
        return True
    return head.count(0) * 200 > len(head) and not _TAG.search(head.decode("latin-1"))


def _unprintable(text: str) -> bool:
    odd = sum(not character.isprintable() and not character.isspace() for character in text[:_BEGINNING])
    return odd * 20 > len(text[:_BEGINNING])


def _of_text(text: str, declared: str, whole: bool) -> Sniffed:
    """What a text is, by how it begins."""
    text = text.lstrip("\ufeff")
    before = _BEFORE.match(text)
    at = before.end() if before else 0
    if looks := _markup(text, at):
        return _XHTML if looks is _HTML and "xml" in declared else looks
    beginning = text[at : at + _BEGINNING]
    if _json(text[at:], whole):
        return Sniffed(Form.OTHER, "JSON")
    for record, looks_like in _RECORDS:
        if record.match(beginning):
            return Sniffed(Form.OTHER, looks_like)
    comments = _CODE_COMMENTS.match(text, at)
    code = text[comments.end() if comments else at :][:_BEGINNING]
    if _SCRIPT.match(code):
        return Sniffed(Form.OTHER, "JavaScript")
    if _STYLE.match(code):
        return Sniffed(Form.OTHER, "CSS")
    if kind := _separated(text[at:], "csv" in declared or "tab-separated" in declared, whole):
        return Sniffed(Form.OTHER, kind)
    return _HTML if "html" in declared or "<!--" in text[:at] or _mostly_tagged(text) else _TEXT


def _mostly_tagged(text: str) -> bool:
    """Whether a text that doesn't begin with a tag is a page all the same: some tags stand in plain texts too."""
    return len(_TAG.findall(text)) * 400 > len(text) or bool(re.search(r"<(?:html|body)\b", text, re.IGNORECASE))


def _markup(text: str, at: int) -> Sniffed | None:
    """HTML, or a kind of XML; None where the text doesn't begin with a tag."""
    root = _ROOT.match(text, at)
    if root is None:
        return None
    name = (root[1] or root[2]).lower()
    if root[1] and name != "html" and (inner := re.compile(r"<(?![!?])([\w:.-]{1,60})").search(text, root.end())):
        name = inner[1].lower()  # a DOCTYPE of another name: what follows it says more
    if name in _FEEDS:
        return Sniffed(Form.OTHER, _FEEDS[name])
    if name == "svg" or name.endswith(":svg"):
        return Sniffed(Form.OTHER, "an SVG image")
    if name.split(":")[-1] == "html" or _TAG.match(f"<{name}>"):
        return _HTML
    is_xml = text[:at].lstrip().startswith("<?xml") or text.rstrip()[-200:].lower().endswith(f"</{name}>")
    if not is_xml and _TAG.search(text):
        return _HTML
    prose = len(_PROSE_IN_XML.findall(text)) >= _LEAST_PROSE_IN_XML
    return _XHTML if prose else Sniffed(Form.OTHER, "XML data")


def _json(text: str, whole: bool) -> bool:
    if _JSON.match(text):
        return True
    if not whole or len(text) > _LARGEST_LIST or not _LIST.match(text):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _separated(text: str, declared: bool, whole: bool) -> str:
    """The kind of a text of rows whose cells are separated; "" where it isn't one.

    Rows have one number of cells, and no space follows the separator: in prose, one follows each comma.
    """
    lines = _THOUSANDS.sub("", text).splitlines(keepends=True)
    if not whole:
        lines = lines[:-1]
    for separator, kind in (("\t", "tab-separated values"), (",", "CSV"), (";", "CSV"), ("|", "separated values")):
        if separator in "".join(lines[:2]) and _regular(lines, separator, 2 if declared else _LEAST_ROWS):
            return kind
    return ""


def _regular(lines: list[str], separator: str, least: int) -> bool:
    try:
        rows = [row for row in islice(csv.reader(lines, delimiter=separator), _ROWS) if any(map(str.strip, row))]
    except csv.Error:
        return False
    if len(rows) < least:
        return False
    widths = [len(row) for row in rows]
    width = max(set(widths), key=widths.count)
    fitting = [row for row in rows if len(row) == width]
    if width < 2 or len(fitting) < 0.9 * len(rows):
        return False
    cells = [cell for row in fitting for cell in row]
    inner = [cell for row in fitting for cell in row[1:] if cell]
    loose = sum(cell.startswith(" ") for cell in inner)
    filled = sum(sum(map(bool, map(str.strip, row))) >= 2 for row in fitting)
    prose = sum(len(cell.split()) > _LONGEST_CELL for cell in cells)
    return 2 * loose <= len(inner) and 2 * filled >= len(fitting) and 4 * prose <= len(cells)
