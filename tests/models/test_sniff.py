"""What a document is, told by its bytes, whatever its server says of it."""

from __future__ import annotations

import csv
import gzip
import io
import json
import tarfile
import zipfile
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.read.sniff import Form, sniff

PROSE = "She wrote about the sea, and the people who lived by it; she taught at the school of the town for years. "
DECLARED = ("", "text/html; charset=utf-8", "text/plain", "application/octet-stream", "application/json", "image/png")


def zipped(*names: str, stored: str = "") -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        if stored:
            archive.writestr("mimetype", stored)
        for name in names:
            archive.writestr(name, PROSE)
    return raw.getvalue()


def tarred() -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("page.html"), io.BytesIO(b""))
    return raw.getvalue()


def rows(separator: str, prose: str = "Leeds") -> bytes:
    raw = io.StringIO()
    writer = csv.writer(raw, delimiter=separator)
    writer.writerow(["name", "born", "place"])
    writer.writerows([f"Ann Lee {number}", 1900 + number, prose] for number in range(20))
    return raw.getvalue().encode()


FEED = "<item><title>Ann Lee</title><description>&lt;p&gt;She was born in 1901.</description></item>"
OTHER: dict[str, tuple[bytes, str]] = {
    "zip": (zipped("a.txt"), "a ZIP archive"),
    "empty zip": (zipped(), "a ZIP archive"),
    "docx": (zipped("[Content_Types].xml", "word/document.xml"), "an office document"),
    "odt": (zipped("content.xml", stored="application/vnd.oasis.opendocument.text"), "an OpenDocument file"),
    "epub": (zipped("a.xhtml", stored="application/epub+zip"), "an EPUB book"),
    "doc": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "an office document"),
    "rtf": (b"{\\rtf1\\ansi Hello}", "an RTF document"),
    "gzip": (gzip.compress(PROSE.encode(), mtime=0), "packed data"),
    "tar": (tarred(), "an archive"),
    "7z": (b"7z\xbc\xaf\x27\x1c\x00\x04", "an archive"),
    "png": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG image"),
    "jpeg": (b"\xff\xd8\xff\xe0\x00\x10JFIF\x00", "a JPEG image"),
    "gif": (b"GIF89a\x01\x00\x01\x00", "a GIF image"),
    "webp": (b"RIFF\x24\0\0\0WEBPVP8 ", "a WebP image"),
    "tiff": (b"II*\x00\x08\0\0\0", "an image"),
    "avif": (b"\0\0\0\x1cftypavif\0\0\0\0", "an image"),
    "svg": (b'<svg xmlns="http://www.w3.org/2000/svg"><text>Ann Lee</text></svg>', "an SVG image"),
    "svg with a prolog": (b'<?xml version="1.0"?>\n<!-- made -->\n<svg:svg><p>a</p></svg:svg>', "an SVG image"),
    "svg with a doctype": (b'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd"><svg></svg>', "an SVG image"),
    "mp3": (b"ID3\x03\0\0\0\0\0\x0f", "an audio file"),
    "mp3 without tags": (b"\xff\xfb\x90\x64\0\0\0", "an audio file"),
    "ogg": (b"OggS\0\x02\0\0", "an audio file"),
    "wav": (b"RIFF\x24\0\0\0WAVEfmt ", "an audio file"),
    "mp4": (b"\0\0\0\x18ftypmp42\0\0\0\0", "a video"),
    "webm": (b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81", "a video"),
    "program": (b"MZ\x90\0\x03\0\0\0", "a program"),
    "elf": (b"\x7fELF\x02\x01\x01\0", "a program"),
    "font": (b"wOF2\0\x01\0\0", "a font"),
    "sqlite": (b"SQLite format 3\0" + bytes(80), "a data file"),
    "marc": (
        b"00714cam a2200205 a 4500001001200000003000600012\x1e   89048230 \x1eDLC\x1e\x1faLeeds",
        "a library record",
    ),
    "zeros": (bytes(5000), "binary data"),
    "compressed": (zlib.compress(bytes(range(256)) * 40, 9)[3:] * 9, "binary data"),
    "json": (json.dumps({"name": "Ann Lee", "text": f"<p>{PROSE}</p>" * 3}).encode(), "JSON"),
    "json with a space": (b'\n\n { "name" : "Ann Lee" }', "JSON"),
    "json list": (json.dumps([{"name": "Ann Lee"}, {"name": "<b>"}], indent=2).encode(), "JSON"),
    "json numbers": (b"[1901, 1980, 12]", "JSON"),
    "json lines": (b'{"name": "Ann"}\n{"name": "Lee"}\n', "JSON"),
    "json, cut": (json.dumps([{"name": PROSE}] * 2000).encode()[:150_000], "JSON"),
    "json that guards itself": (b')]}\',\n{"name": "Ann Lee"}', "JSON"),
    "json with a byte order mark": (b'\xef\xbb\xbf{"name": "Ann Lee"}', "JSON"),
    "jsonp": (b'callback({"name": "Ann Lee"});', "JavaScript"),
    "script": (b"/* a < b */\n!function(e,t){document.write('<div>')}(window)", "JavaScript"),
    "module": (b'// words\nimport React, { Component } from "react";\nexport default 1;', "JavaScript"),
    "variable": (b'"use strict";\nvar page = "<html><body>";', "JavaScript"),
    "style": (b'@charset "utf-8";\n/* all */\nbody > p.a, a:hover { color: #000; }\n', "CSS"),
    "style of variables": (b":root{--bg: #fff}", "CSS"),
    "csv": (rows(","), "CSV"),
    "csv of semicolons": (rows(";"), "CSV"),
    "csv with markup": (rows(",", "<p>Leeds, <b>Yorkshire</b></p>"), "CSV"),
    "csv of sentences": (rows(",", PROSE), "CSV"),
    "tsv": (rows("\t"), "tab-separated values"),
    "rss": (f'<?xml version="1.0"?><rss version="2.0"><channel>{FEED}</channel></rss>'.encode(), "an RSS feed"),
    "atom": (b'<feed xmlns="http://www.w3.org/2005/Atom"><title>a</title></feed>', "an Atom feed"),
    "xml": (b'<?xml version="1.0"?><records><record><born>1901</born></record></records>', "XML data"),
    "xml without a prolog": (b"<kml><Placemark><name>Leeds</name></Placemark></kml>", "XML data"),
    "sitemap": (b'<?xml version="1.0"?>\n<urlset><url><loc>https://lives.example/</loc></url></urlset>', "XML data"),
    "calendar": (b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", "a calendar"),
    "shell script": (b"#!/bin/sh\necho hello\n", "a script"),
    "warc": (b"WARC/1.0\r\nWARC-Type: response\r\n", "a web archive"),
    "mhtml": (b"From: <Saved>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n", "a web archive"),
}


@pytest.mark.parametrize("declared", DECLARED)
@pytest.mark.parametrize("name", OTHER)
def test_what_cannot_be_read_is_told_by_its_content(name: str, declared: str) -> None:
    body, looks = OTHER[name]
    sniffed = sniff(body, declared)
    assert (sniffed.form, sniffed.looks) == (Form.OTHER, looks)


OLD_TEXT = {
    "separators of fields": b"Ann Lee\x1f1901\x1fLeeds\x1e" * 30,
    "a separator of files in a line": b"Ann Lee\x1c1901\n",
    "letters struck over": b"".join(bytes([letter, 8, letter]) for letter in PROSE.encode()),
    "an end of the file": b"Ann Lee, 1901.\r\n\x1a",
    "page breaks": (PROSE + "\f").encode() * 3,
    "a stray NUL": PROSE.encode() * 4 + b"\0" + PROSE.encode() * 4,
    "a stray bell": b"Ann Lee, 1901.\a\n",
}
NO_TEXT = {
    "NULs between words": (PROSE.encode() + b"\0") * 20,
    "a NUL in a few words": b"Ann Lee\0" + b"\x01\x02",
    "controls between words": b"Ann Lee\x01\x0e\n" * 20,
    "little but separators": b"a\x1e\x1f" * 40,
}


@pytest.mark.parametrize("name", OLD_TEXT)
def test_a_text_may_have_the_control_characters_of_old_ones(name: str) -> None:
    assert sniff(OLD_TEXT[name], "text/plain").form is Form.TEXT


@pytest.mark.parametrize("name", NO_TEXT)
def test_what_has_more_of_them_is_no_text(name: str) -> None:
    assert sniff(NO_TEXT[name], "text/plain").looks == "binary data"


PAGE = f"<html><head><title>Ann Lee</title></head><body><p>{PROSE}</p></body></html>"
HTML = {
    "a page": PAGE,
    "doctype": "<!DOCTYPE html>" + PAGE,
    "old doctype": '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN">' + PAGE,
    "space": "\n\n \t" + PAGE,
    "mark": "\ufeff" + PAGE,
    "mark and space": "\ufeff\n" + PAGE,
    "comment": "<!-- saved from elsewhere; { not: json } -->\n<!-- a,b\n1,2\n3,4 -->" + PAGE,
    "long comment": f"<!-- {PROSE * 50} -->" + PAGE,
    "prolog": '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>' + PAGE,
    "style sheet": '<?xml version="1.0"?><?xml-stylesheet href="a.css"?>' + PAGE,
    "no html": f"<head><title>Ann Lee</title></head><p>{PROSE}",
    "a paragraph": f"<p>{PROSE}",
    "a heading": f"<H1>Ann Lee</H1>{PROSE}",
    "a table": "<table><tr><td>Born<td>1901</table>",
    "a script first": "<script>var a = {};</script>" + PAGE,
    "a stray NUL": "<html>\0" + PAGE,
    "unknown element": f"<my-app></my-app>{PAGE}",
}


@pytest.mark.parametrize("declared", [*DECLARED, "text/csv", "application/xhtml+xml"])
@pytest.mark.parametrize("name", HTML)
def test_a_page_is_a_page_however_it_is_declared(name: str, declared: str) -> None:
    assert sniff(HTML[name].encode(), declared).form is Form.HTML


@pytest.mark.parametrize("name", HTML)
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_page_of_wide_characters_is_a_page(name: str, encoding: str) -> None:
    assert sniff(HTML[name].encode(encoding), "").form is Form.HTML


@pytest.mark.parametrize(
    ("body", "declared"),
    [
        (f"Warning: mysql_connect() failed<br />\n{PAGE}", "text/html"),
        (f"Warning: mysql_connect() failed<br />\n{PAGE}", "text/plain"),
        (f"Ann Lee, <b>writer</b>. {PROSE}", "text/html"),
        (f"{PROSE} No markup at all, but called so.", "text/html"),
    ],
)
def test_text_before_the_first_tag_is_text_of_the_page(body: str, declared: str) -> None:
    assert sniff(body.encode(), declared).form is Form.HTML


LINES = "".join(f"Line {number}, of a poem, that ends here\n" for number in range(20))
TEXT = {
    "prose": PROSE * 5,
    "lines": LINES,
    "places": "Leeds, Yorkshire\nYork, Yorkshire\nBath, Somerset\nWells, Somerset\n",
    "a footnote first": f"[1] {PROSE}\n[2] {PROSE}",
    "a brace first": "{Ann Lee} was born in 1901.",
    "a number": "1901",
    "thousands": "The town had 1,200 people.\nIn 1910 it had 2,300.\nIn 1920 it had 4,100 people.\n",
    "markdown": f"# Ann Lee\n\n* born **1901**\n* died 1980\n\n{PROSE}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    "a tag in prose": f"{PROSE * 5} The <p> element of HTML begins a paragraph. {PROSE * 5}",
    "import": f"import duties on wool were high. {PROSE}",
    "let": f"let me say this: {PROSE}",
    "a colon": f"note: this is {{not}} a style. {PROSE}",
    "initials": f"MZ, BM and GIF8 are letters. {PROSE}",
    "indented": "\tFirst paragraph here.\n\tSecond paragraph there.\n\tThird one.\n\tFourth one.\n",
    "dialogue": "- Who, me?\n- Yes, you.\n- I, sir?\n- You, sir.\n",
    "record": "Name: Ann Lee\nBorn: 1901\nDied: 1980\nPlace: Leeds\n",
}


@pytest.mark.parametrize("declared", ["", "text/plain; charset=utf-8", "application/octet-stream", "text/csv"])
@pytest.mark.parametrize("name", TEXT)
def test_plain_text_is_plain_text(name: str, declared: str) -> None:
    sniffed = sniff(TEXT[name].encode(), declared)
    assert sniffed.form is Form.TEXT, sniffed


@pytest.mark.parametrize("before", [b"", b"\n\n", b"\xef\xbb\xbf", b"some bytes of a mail\r\n"])
def test_a_pdf_may_have_something_before_it(before: bytes) -> None:
    assert sniff(before + b"%PDF-1.4\n", "text/html").form is Form.PDF


def test_a_page_about_pdf_is_a_page() -> None:
    assert sniff(b"<html><body>A file begins with %PDF-1.4</body></html>", "").form is Form.HTML


@pytest.mark.parametrize(
    "body",
    [
        '<?xml version="1.0"?><TEI><teiHeader/><text><p>She was born.</p><p>She died.</p></text></TEI>',
        '<?xml version="1.0"?><article><body><sec><p>She was born.</p><p>She died.</p></sec></body></article>',
    ],
)
def test_xml_with_paragraphs_is_read(body: str) -> None:
    sniffed = sniff(body.encode(), "application/xml")
    assert (sniffed.form, sniffed.is_xml) == (Form.HTML, True)


def test_xhtml_is_read_by_the_rules_it_is_served_under() -> None:
    body = ('<?xml version="1.0"?>' + PAGE).encode()
    assert sniff(body, "application/xhtml+xml; charset=utf-8").is_xml
    assert not sniff(body, "text/html").is_xml


@settings(max_examples=200)
@given(st.binary(max_size=3000), st.sampled_from(DECLARED))
def test_any_bytes_are_something(body: bytes, declared: str) -> None:
    assert sniff(body, declared).looks


@given(st.integers(0, 2**32))
def test_random_bytes_are_no_text(seed: int) -> None:
    import random

    assert sniff(b"x" + random.Random(seed).randbytes(4000), "text/html").form is Form.OTHER
