"""PDFs made for the tests, ordinary and hostile ones, a page a list of lines."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence

HEAD = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"


def pdf(pages: Sequence[Sequence[str]], title: str = "") -> bytes:
    """A PDF of lines of text, one under the other."""
    contents = [_lines(lines) for lines in pages]
    first = 4
    kids = b" ".join(b"%d 0 R" % (first + 2 * number) for number in range(len(pages)))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(pages), kids),
        FONT,
    ]
    for number, content in enumerate(contents):
        objects.append(_page(first + 2 * number + 1))
        objects.append(stream(content))
    info = f"<</Title({_escaped(title)})>>".encode("cp1252") if title else b""
    return assembled(objects, info)


def stream(content: bytes, extra: bytes = b"") -> bytes:
    """The object of a stream, packed."""
    packed = zlib.compress(content)
    return b"<</Length %d/Filter/FlateDecode%s>>\nstream\n%s\nendstream" % (len(packed), extra, packed)


def assembled(objects: Iterable[bytes], info: bytes = b"", trailer: bytes = b"") -> bytes:
    """A file of objects, numbered from 1; the first is the catalog."""
    parts, offsets, at = [HEAD], [], len(HEAD)
    bodies = [*objects, *([info] if info else [])]
    for number, body in enumerate(bodies, 1):
        part = b"%d 0 obj\n%s\nendobj\n" % (number, body)
        offsets.append(at)
        parts.append(part)
        at += len(part)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    named = b"/Info %d 0 R" % len(bodies) if info else b""
    parts.append(b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(bodies) + 1, table))
    parts.append(b"trailer\n<</Size %d/Root 1 0 R%s%s>>\n" % (len(bodies) + 1, named, trailer))
    return b"".join([*parts, b"startxref\n%d\n%%%%EOF\n" % at])


def scan(pages: int = 2) -> bytes:
    """Pages that are pictures."""
    kids = b" ".join([b"4 0 R"] * pages)
    picture = stream(bytes(100 * 100), b"/Type/XObject/Subtype/Image/Width 100/Height 100/ColorSpace/DeviceGray" + BITS)
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</XObject<</I 3 0 R>>>>/Contents 5 0 R>>"
    tree = b"<</Type/Pages/Count %d/Kids[%s]>>" % (pages, kids)
    return assembled([b"<</Type/Catalog/Pages 2 0 R>>", tree, picture, page, stream(b"q 612 0 0 792 0 0 cm /I Do Q")])


BITS = b"/BitsPerComponent 8"


def locked() -> bytes:
    """A PDF that only opens with a password."""
    lock = (
        b"/Encrypt<</Filter/Standard/V 1/R 2/Length 40/P -4/O<" + b"28" * 32 + b">/U<" + b"5e" * 32 + b">>>"
        b"/ID[<00112233445566778899aabbccddeeff><00112233445566778899aabbccddeeff>]"
    )
    return assembled([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 1/Kids[3 0 R]>>", _page(4)], trailer=lock)


def bomb(unpacked: int, filters: int = 1) -> bytes:
    """One page whose content unpacks to very much text."""
    row = b"(Ann Lee was born in 1901) Tj T* "
    packer = zlib.compressobj(9)
    count, rest = divmod(unpacked, len(row) * 10_000)
    content = b"".join(packer.compress(row * 10_000) for _ in range(count + bool(rest))) + packer.flush()
    for _ in range(filters - 1):
        content = zlib.compress(content, 9)
    names = b"/FlateDecode " * filters
    body = b"<</Length %d/Filter[%s]>>\nstream\n%s\nendstream" % (len(content), names, content)
    return assembled([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 1/Kids[4 0 R]>>", FONT, _page(5), body])


def many_pages(count: int) -> bytes:
    """One page, named very often."""
    kids = b"4 0 R " * count
    tree = b"<</Type/Pages/Count %d/Kids[%s]>>" % (count, kids)
    return assembled([b"<</Type/Catalog/Pages 2 0 R>>", tree, FONT, _page(5), stream(_lines(["Ann Lee, 1901"]))])


def laughs(depth: int, width: int = 10) -> bytes:
    """A page of text, and one of pictures made of pictures made of pictures, of text in the end."""
    last = 6 + depth
    tree = b"<</Type/Pages/Count 2/Kids[%d 0 R 4 0 R]>>" % (last + 1)
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", tree, FONT, _page(5)]
    place = b"/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</Font<</F 3 0 R>>/XObject<</X %d 0 R>>>>"
    objects[3] = objects[3].replace(b"/Font", b"/XObject<</X 6 0 R>>/Font")
    objects.append(stream(b"/X Do " * width))
    objects += [stream(b"/X Do " * width, place % (7 + level)) for level in range(depth)]
    text = stream(_lines(["Ann Lee was born in 1901."]), place % 3)
    return assembled([*objects, text, _page(last + 2), stream(_lines(["The first page."]))])


def nested(depth: int) -> bytes:
    """Arrays within arrays."""
    deep = b"[" * depth + b"]" * depth
    return assembled([b"<</Type/Catalog/Pages 2 0 R/A %s>>" % deep, b"<</Type/Pages/Count 1/Kids[3 0 R]>>", _page(4)])


def _page(contents: int) -> bytes:
    place = b"/MediaBox[0 0 612 792]/Resources<</Font<</F 3 0 R>>>>"
    return b"<</Type/Page/Parent 2 0 R%s/Contents %d 0 R>>" % (place, contents)


def _lines(lines: Sequence[str]) -> bytes:
    shown = "".join(f"({_escaped(line)}) Tj T*\n" for line in lines)
    return f"BT /F 10 Tf 14 TL 40 750 Td\n{shown}ET".encode("cp1252")


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
