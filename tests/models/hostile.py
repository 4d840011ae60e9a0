"""Documents made to cost more than a page may: each a name, and what makes its bytes at about a given size."""

from __future__ import annotations

import base64
import random
from collections.abc import Callable

import made_pdf

PROSE = "She wrote about the sea and the people who lived by it, and she taught at the school of the town for years. "
P = f"<p>{PROSE}</p>"


def _filled(piece: str, size: int) -> str:
    return piece * (size // len(piece.encode()) + 1)


def _noise(size: int) -> bytes:
    return random.Random(1).randbytes(size)


def _attributes(size: int) -> str:
    return "<p " + " ".join(f"a{number}=b" for number in range(size // 10)) + f">{PROSE}</p>"


def _json(size: int) -> str:
    return "[" + ",".join(f'{{"@type": "Person", "name": "Ann Lee {number}"}}' for number in range(size // 45)) + "]"


def _jsonld(size: int) -> str:
    return f'<script type="application/ld+json">{_json(size)}</script>{P}'


def _image(size: int) -> str:
    return (
        f'<p>Ann Lee</p><img alt="" src="data:image/png;base64,{base64.b64encode(_noise(size * 3 // 4)).decode()}">{P}'
    )


def _entities(size: int) -> str:
    layers = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(9))
    head = f'<?xml version="1.0"?><!DOCTYPE html [<!ENTITY e0 "lol">{layers}]>'
    return f"{head}<html><p>{_filled('&e9;', size)}</p>{P}</html>"


def _html(piece: str, before: str = "", after: str = P) -> Callable[[int], bytes]:
    return lambda size: f"<!DOCTYPE html>{before}{_filled(piece, size)}{after}".encode()


MAKERS: dict[str, Callable[[int], bytes]] = {
    "nested": _html("<div>"),
    "nested inline": _html("<b><i>"),
    "nested lists": _html("<ul><li>a"),
    "nested tables": _html("<table><tr><td>"),
    "misnested": _html("<a><b></a></b><p>"),
    "formatting left open": _html("<font size=1><p>a"),
    "one tag": _html("<p>"),
    "one void tag": _html("<br>"),
    "closing tags": _html("</div>"),
    "tags of no meaning": _html("<x1><x2>a</x3>"),
    "entities": _html("&amp;&lt;&eacute;&#1234;&notanentity"),
    "entities within entities": lambda size: _entities(size).encode(),
    "text without spaces": _html("a", "<p>"),
    "text without spaces, plain": lambda size: b"a" * size,
    "text without markup": lambda size: _filled(PROSE, size).encode(),
    "lines": lambda size: _filled("a b\n", size).encode(),
    "blank lines": lambda size: _filled("a b\n\n", size).encode(),
    "tabs": lambda size: _filled("a\tb c\n\td\n", size).encode(),
    "wrapped lines": lambda size: _filled(f"{PROSE[:76]}\n", size).encode(),
    "one line": _html("word and the ", "<p>"),
    "full stops": _html("A. ", "<p>"),
    "paragraphs": _html(f"<p>{PROSE}"),
    "headings": _html("<h2>Ann</h2>"),
    "links": _html("<a href=/a>Ann Lee</a> "),
    "links in a list": _html("<li><a href=/a>Ann Lee</a>", "<ul>"),
    "labels": _html("<div>Born:</div>"),
    "a table of many cells": _html("<tr><td>a<td>b<td>c<td>d", "<table>"),
    "a table of one row": _html("<td>a", "<table><tr>"),
    "a table of one column": _html("<tr><td>a", "<table>"),
    "cells that span": _html("<tr><td colspan=1000 rowspan=1000>a<th colspan=65534>b", "<table>"),
    "many tables": _html("<table><tr><th>a<th>b<tr><td>c<td>d</table>"),
    "tables left open": _html("<table><tr><th>a<td>b"),
    "text in a table": _html("a<b>", "<table>"),
    "attributes": lambda size: _attributes(size).encode(),
    "an attribute": _html("a", "<p class='", f"'>{PROSE}"),
    "an attribute left open": _html("<p> ", '<p title="'),
    "classes": _html("<p class='nav menu a b c d e f' id=x>a"),
    "definitions": _html("<dt>a<dd>b", "<dl>"),
    "terms": _html("<dt>a", "<dl>"),
    "json-ld": lambda size: _jsonld(size).encode(),
    "json-ld, often": _html('<script type="application/ld+json">{"name": "Ann Lee"}</script>'),
    "json-ld, deep": _html('{"a":', '<script type="application/ld+json">', f"</script>{P}"),
    "json-ld of one number": _html("9", '<script type="application/ld+json">{"a": ', f"}}</script>{P}"),
    "metas": _html("<meta name=description content='Ann Lee was born in 1901'>"),
    "microdata": _html("<div itemscope><b itemprop=name>Ann</b>"),
    "microdata, flat": _html("<b itemprop=name>Ann</b>", "<div itemscope>"),
    "an image in the page": lambda size: _image(size).encode(),
    "a script": _html("'<div>' < 1; ", "<script>", f"</script>{P}"),
    "a script left open": _html("'<div>' < 1; ", f"{P}<script>"),
    "scripts": _html("<script>a</script>"),
    "a comment": _html("<p>- ", "<!--", f"-->{P}"),
    "a comment left open": _html("<p>- ", f"{P}<!--"),
    "comments": _html("<!-- a -->"),
    "comments begun": _html("<!-"),
    "a title": _html("x y ", "<title>", f"</title>{P}"),
    "titles": _html("<title>a</title>"),
    "options": _html("<option>a", "<select>", f"</select>{P}"),
    "text areas": _html("<textarea>a</textarea>"),
    "preformatted": _html("a b\n", "<pre>", f"</pre>{P}"),
    "breaks": _html("a<br>"),
    "line ends": _html("\r\n"),
    "spaces": _html(" ", "<p>a"),
    "hard spaces": _html("&nbsp;", "<p>a"),
    "zero width": _html("\u200b\u00ad\u202e", "<p>a"),
    "marks": _html("e\u0301\u0302\u0303", "<p>"),
    "emoji": _html("😀", "<p>"),
    "noscript": _html(P, "<noscript>", "</noscript>"),
    "svg": _html("<g><path d=M0>", "<svg>", f"</svg>{P}"),
    "templates": _html("<template><p>a"),
    "frames": _html("<frameset><frame src=a>"),
    "forms": _html("<form><input type=password>"),
    "less-than signs": _html("<"),
    "tags begun": _html("<a "),
    "quotes": _html("<a b='\"", after="'>"),
    "cdata": lambda size: f'<?xml version="1.0"?><html>{_filled("<![CDATA[", size)}{P}</html>'.encode(),
    "xhtml": lambda size: f'<?xml version="1.0"?><html>{_filled("<a b=c/>", size)}{P}</html>'.encode(),
    "invalid bytes": lambda size: b"<p>" + b"\xff\xfe\x80 " * (size // 4) + P.encode(),
    "an encoding cut": lambda size: b"<meta charset=gb18030><p>" + b"\x81\x30" * (size // 2),
    "noise": _noise,
    "noise in a page": lambda size: b"<html><p>" + _noise(size).replace(b"\0", b"") + P.encode(),
    "wide noise": lambda size: b"\xff\xfe" + _noise(size),
    "wide surrogates": lambda size: b"\xff\xfe<\0p\0>\0" + b"\x00\xd8" * (size // 2),
    "wide nested": lambda size: _filled("<div>", size // 2).encode("utf-16"),
    "json": lambda size: _json(size).encode(),
    "json, a list": lambda size: b"[" + b"1," * (size // 2) + b"1]",
    "csv": lambda size: _filled("Ann Lee,1901,Leeds\n", size).encode(),
    "one quote": lambda size: b'a,"' + b"b\n" * (size // 2),
    "before a script": lambda size: b"/*" * (size // 2),
    "a pdf of pages": lambda size: made_pdf.many_pages(size // 6),
    "a pdf of arrays": lambda size: made_pdf.nested(size // 2),
    "a pdf that unpacks": lambda size: made_pdf.bomb(20 * size),
    "a pdf that unpacks twice": lambda size: made_pdf.bomb(20 * size, filters=2),
    "a pdf of pictures": lambda size: made_pdf.laughs(size // 1_000_000 + 3),
    "a pdf with a tail": lambda size: made_pdf.pdf([["Ann Lee was born in 1901 in the town of Leeds."]]) + bytes(size),
}
