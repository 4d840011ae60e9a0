"""Pages to passages: structure kept, blocks apart, and an honest reason where there is nothing to read."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from itertools import pairwise
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.document import Document
from models.outcome import NotJudged, Outcome
from models.read import Page, read
from models.read.html.tables import Cell, grids
from models.read.html.tame import tame
from models.read.sentences import split

PROSE = "She wrote about the sea and the people who lived by it, and she taught at the school of the town for years. "


def document(body: bytes | str, content_type: str = "text/html; charset=utf-8") -> Document:
    raw = body.encode() if isinstance(body, str) else body
    url = "https://lives.example/page"
    return Document(
        url, url, 200, (("content-type", content_type),), raw, hashlib.sha256(raw).hexdigest(), datetime.now(UTC)
    )


def page(body: bytes | str, content_type: str = "text/html; charset=utf-8") -> Page:
    result = read(document(body, content_type))
    assert isinstance(result, Page), result
    return result


def outcome(body: bytes | str, content_type: str = "text/html") -> Outcome:
    result = read(document(body, content_type))
    assert isinstance(result, NotJudged), result
    return result.outcome


def texts(read_page: Page) -> list[str]:
    return [block.text for block in read_page.blocks]


def test_a_table_row_carries_its_headers() -> None:
    rows = "<table><tr><th>Name<th>Born<th>Died</tr><tr><td>Ann Lee<td>1901<td>1980</tr></table>"
    assert "Name: Ann Lee; Born: 1901; Died: 1980" in texts(page(f"<h1>People</h1>{rows}<p>{PROSE}"))


def test_a_row_of_two_cells_is_a_name_and_its_value() -> None:
    rows = "<table><tr><td>Date of Death</td><td>1944</td></tr><tr><td>Gender<td>Female</table>"
    read_page = page(f"<h2>Record</h2>{rows}<p>{PROSE}</p>")
    block = next(block for block in read_page.blocks if block.text == "Date of Death: 1944")
    assert (block.kind, block.heading) == ("table", "Record")


def test_spanning_cells_are_said_where_they_stand() -> None:
    header = [Cell("Ship", True), Cell("Length", True), Cell("Flag", True)]
    rows = [
        header,
        [Cell("Alois", False, rows=2), Cell("31 m", False), Cell("NL", False)],
        [Cell("32 m", False), Cell("BE", False)],
    ]
    (grid,) = grids(rows)
    assert [row.text for row in grid.rows] == [
        "Ship: Alois; Length: 31 m; Flag: NL",
        "Ship: Alois; Length: 32 m; Flag: BE",
    ]


def test_a_definition_list_and_a_bullet_are_found() -> None:
    read_page = page(f"<dl><dt>Born<dd>12 May 1901</dl><ul><li>Died 3 June 1980<li>Buried in York</ul><p>{PROSE}")
    assert {"Born: 12 May 1901", "Died 3 June 1980", "Buried in York"} <= set(texts(read_page))


def test_facts_for_machines_are_passages_of_their_own_kind() -> None:
    source = '{"@type": "Person", "name": "Ann Lee", "birthDate": "1901-05-12", "birthPlace": {"name": "Leeds"}}'
    read_page = page(f'<script type="application/ld+json">{source}</script><p>{PROSE}</p>')
    structured = {passage.text for passage in read_page.passages if passage.kind == "structured"}
    assert {"name: Ann Lee", "birth date: 1901-05-12", "birth place name: Leeds"} <= structured


def test_navigation_and_notices_are_marked() -> None:
    read_page = page(
        f'<nav>Home About</nav><div class="cookie-banner">We use cookies</div><article><p>{PROSE * 3}</article>'
    )
    marked = {block.text: block.boilerplate for block in read_page.blocks}
    assert marked["Home About"]
    assert marked["We use cookies"]
    assert not marked[(PROSE * 3).strip()]


def test_a_page_made_of_boilerplate_keeps_its_text() -> None:
    assert not any(block.boilerplate for block in page(f'<div class="menu"><p>{PROSE * 3}</p></div>').blocks)


def test_no_passage_crosses_a_block() -> None:
    read_page = page(f"<p>One ends here. Two is the second one of these.</p><p>Three begins anew. {PROSE}</p>")
    assert not any("Two" in passage.text and "Three" in passage.text for passage in read_page.passages)
    assert any("One" in passage.text and "Two" in passage.text for passage in read_page.passages)


def test_headings_stand_above_what_follows_them() -> None:
    read_page = page(f"<h1>Ann Lee</h1><p>{PROSE}</p><h2>Death</h2><p>She died in 1980 in the town.</p>")
    assert next(p.heading for p in read_page.passages if "1980" in p.text) == "Death"


def test_initials_and_abbreviations_do_not_end_a_sentence() -> None:
    text = "Dr. J. R. Smith was born on 3 Jan. 1901 in Leeds. He moved to York in 1920."
    assert [text[start:end] for start, end in split(text)] == [text[:49], text[50:]]


WHOLE = [
    "Liszt Ferenc 1811. október 22-én született Doborjánban.",
    "Er wurde am 22. Oktober 1811 in Raiding geboren.",
    "Raiding, 22. April 1811, im Haus des Vaters geboren.",
    "Im 19. Jahrhundert war die Stadt noch klein.",
    "Als Friedrich II. starb, war er im 75. Lebensjahr.",
    "Er wurde am 3. 10. 1811 in Raiding im Burgenland geboren.",
    "Narodil se 22. října 1811 v Doborjánu v Uhersku.",
    "Urodził się 22. października 1811 w Raiding na Węgrzech.",
    "Hän syntyi 22. lokakuuta 1811 Raidingissa Unkarissa.",
    "Han ble født den 22. oktober 1811 i Raiding i Ungarn.",
    "Født 22. okt. 1811 i Raiding, død 31. juli 1886 i Bayreuth.",
    "Rođen je 22. listopada 1811. u Raidingu u Mađarskoj.",
    "Fæddur 22. október 1811 í Raiding í Ungverjalandi.",
    "Dzimis 1811. gada 22. oktobrī Raidingā Ungārijā.",
    "The story is told in full in vol. 2, pp. 12–15 of the book.",
    "The book has 312 pp. and was printed as No. 7 in ca. 1901.",
]
APART = [
    ("The story is told in full on p. 12.", "The other says nothing of it."),
    ("She was born in Leeds in the year 1901.", "October was her favourite month."),
    ("She moved to York in the spring of 1901.", "22 October was her last day there."),
    ("The house is in the High Street, number 12.", "May was the month when it burned."),
    ("she was born in leeds in the year 1901.", "may was the month."),
    ("Født i Raiding den 22. oktober 1811.", "Faren var tjenestemann."),
    ("Rođen je u Raidingu 22. listopada 1811.", "Otac mu je bio činovnik."),
    ("in the Journal of History, 2011;55(10):4712-7.", "doi: 10.1128/AAC.00628-11."),
]


@pytest.mark.parametrize("text", WHOLE)
def test_a_full_stop_behind_a_number_or_an_abbreviation_ends_no_sentence(text: str) -> None:
    assert [text[start:end] for start, end in split(text)] == [text]


@pytest.mark.parametrize("sentences", APART)
def test_a_full_stop_behind_a_number_may_end_one(sentences: tuple[str, str]) -> None:
    text = " ".join(sentences)
    assert [text[start:end] for start, end in split(text)][-1] == sentences[1]
    assert len(split(text)) == len(split(sentences[0])) + len(split(sentences[1]))


@pytest.mark.parametrize(
    ("body", "content_type", "expected"),
    [
        (b"", "text/html", Outcome.NO_TEXT),
        (b"<html><body><div id=app></div><script>draw()</script></body></html>", "text/html", Outcome.NO_TEXT),
        (b"PK\x03\x04rest", "text/html", Outcome.WRONG_FORMAT),
        (b"\x89PNG\r\n\x1a\n", "image/png", Outcome.WRONG_FORMAT),
        (b"a,b\n1,2\n" * 30, "text/csv", Outcome.WRONG_FORMAT),
        (b"%PDF-1.7 not really", "application/pdf", Outcome.WRONG_FORMAT),
    ],
)
def test_what_cannot_be_read_says_why(body: bytes, content_type: str, expected: Outcome) -> None:
    assert outcome(body, content_type) is expected


def test_the_language_is_that_of_the_text_not_of_the_attribute() -> None:
    hungarian = (
        "A költő a városban született, és ott járt iskolába is. Később a fővárosba költözött, ahol verseit "
        "kiadták, és ahol haláláig élt. Műveit ma is sokan olvassák az országban és külföldön egyaránt. "
    )
    assert page(f'<html lang="en"><p>{hungarian}</p></html>').language == "hu"
    assert page(f'<html lang="hu"><p>{PROSE * 3}</p></html>').language == "en"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1", "windows-1252"])
def test_declared_encodings_are_obeyed(encoding: str) -> None:
    body = f"<p>Café Zürich. {PROSE}</p>".encode(encoding)
    assert any("Café Zürich" in text for text in texts(page(body, f"text/html; charset={encoding}")))


def test_an_undeclared_encoding_is_guessed() -> None:
    assert any("Café" in text for text in texts(page(f"<p>Café. {PROSE}</p>".encode("cp1252"), "text/html")))


def test_deep_nesting_ends_in_bounded_time() -> None:
    assert isinstance(read(document("<div>" * 100_000 + PROSE)), Page | NotJudged)


@settings(deadline=None)
@given(st.binary(max_size=2000))
def test_any_bytes_give_passages_or_a_reason(body: bytes) -> None:
    assert isinstance(read(document(body)), Page | NotJudged)


@settings(deadline=None)
@given(st.text(max_size=600))
def test_sentences_cover_the_text(text: str) -> None:
    spans = split(text)
    assert "".join(text[a:b] for a, b in spans).replace(" ", "").split() or not text.split()
    assert all(a < b for a, b in spans)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    covered = {index for a, b in spans for index in range(a, b)}
    assert all(index in covered for index, character in enumerate(text) if not character.isspace())


HOSTILE = {
    "100,000 nested tags": "<div>" * 100_000 + PROSE,
    "a million open tags": "<p>" * 1_000_000,
    "20,000 nested tables": "<table><tr><td>" * 20_000 + PROSE,
    "no full stop": "<p>" + "word and the " * 200_000,
    "no space": "<p>" + "😀" * 500_000,
    "a cell that spans a million": "<table><tr><td colspan=1000000 rowspan=1000000>a<td>b</tr></table>" + PROSE,
    "deep JSON-LD": '<script type="application/ld+json">' + '{"a":' * 100_000 + "</script><p>" + PROSE,
    "a title of megabytes": "<title>" + "x y " * 700_000 + f"</title><p>{PROSE}",
    "a script without end": f"<p>{PROSE}<script>" + "<div>" * 100_000,
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_pages_end_in_seconds_with_passages_or_a_reason(body: str) -> None:
    started = process_time()
    result = read(document(body))
    assert process_time() - started < 10
    assert isinstance(result, NotJudged) or len(result.passages) < 40_000


def test_what_no_database_keeps_is_left_out() -> None:
    source = '<script type="application/ld+json">{"name": "\\ud800 Ann \\u0000 Lee"}</script>'
    for block in page(f"{source}<p>{PROSE}\x00\x07</p>").blocks:
        block.text.encode()
        assert "\x00" not in block.text


def test_scripts_that_write_tags_do_not_count_as_nesting() -> None:
    assert tame("<script>" + "'<div>'" * 5_000 + f"</script><p>{PROSE}</p>").endswith("</p>")
    assert "<b>" not in tame("<div>" * 5_000 + "<b>text</b>")[-20:]
