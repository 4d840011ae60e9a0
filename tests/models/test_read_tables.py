"""Tables: each cell with its headers, kept whole and cut into passages between cells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.read.html import Html, read_html
from models.read.html.tables import Cell, grids
from models.read.sentences import LONGEST_SENTENCE, passages_of

PROSE = "She wrote about the sea and the people who lived by it, and she taught at the school of the town for years. "


def html(body: str) -> Html:
    return read_html(f"<h1>Ann Lee</h1><p>{PROSE}</p>{body}")


def rows(body: str) -> list[str]:
    return [one.text for one in html(body).blocks if one.kind == "table"]


TABLES = {
    "a header row": ("<tr><th>Ship<th>Built<tr><td>Alois<td>1994", ["Ship: Alois; Built: 1994"]),
    "two header rows": (
        "<thead><tr><th rowspan=2>Ship<th colspan=2>Size<tr><th>Length<th>Beam</thead><tr><td>Alois<td>31<td>6",
        ["Ship: Alois; Size Length: 31; Size Beam: 6"],
    ),
    "a header column": ("<tr><th>Born<td>1901<tr><th>Died<td>1980", ["Born: 1901", "Died: 1980"]),
    "both": ("<tr><td><th>1901<th>1911<tr><th>Leeds<td>5<td>6", ["Leeds; 1901: 5; 1911: 6"]),
    "scopes": (
        "<tr><td scope=col>Ship<td scope=col>Built<tr><th scope=row>Alois<td>1994", ["Ship: Alois; Built: 1994"]
    ),
    "labels and values by turns": ("<tr><th>Born<td>1901<th>Died<td>1980", ["Born: 1901; Died: 1980"]),
    "labels with colons": ("<tr><td>Born:<td>1901<td>Died:<td>1980", ["Born: 1901; Died: 1980"]),
    "all headers": ("<tr><th>Born<th>1901<tr><th>Died<th>1980", ["Born: 1901", "Died: 1980"]),
    "a header row that isn't marked": (
        "<tr><td>Name<td>Born<td>Town<tr><td>Ann<td>1901<td>Leeds<tr><td>Tom<td>1911<td>York",
        ["Name: Ann; Born: 1901; Town: Leeds", "Name: Tom; Born: 1911; Town: York"],
    ),
    "a bold row": (
        "<tr><td><b>Name</b><td><b>Town</b><tr><td>Ann<td>Leeds<tr><td>Tom<td>York",
        ["Name: Ann; Town: Leeds", "Name: Tom; Town: York"],
    ),
    "names and values, not a header row": (
        "<tr><td>Name<td>Ann<tr><td>Born<td>1901<tr><td>Died<td>1980", ["Name: Ann", "Born: 1901", "Died: 1980"]
    ),
    "a header that says nothing": ("<tr><th>Fact<th>Value<tr><td>Built<td>1976", ["Built: 1976"]),
    "a span of rows": (
        "<tr><th>Ship<th>Flag<tr><td rowspan=2>Alois<td>NL<tr><td>BE",
        ["Ship: Alois; Flag: NL", "Ship: Alois; Flag: BE"],
    ),
    "a span of columns": ("<tr><th>A<th>B<th>C<tr><td colspan=2>x<td>y", ["A, B: x; C: y"]),
    "lines of a cell": ("<tr><th>Jobs<td>Writer<br>Poet<ul><li>Clerk</ul>", ["Jobs: Writer, Poet, Clerk"]),
}  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), TABLES.values(), ids=TABLES.keys())
def test_cells_stand_with_their_headers(body: str, expected: list[str]) -> None:
    assert rows(f"<table>{body}</table>") == expected


def test_a_cell_knows_its_row_and_its_column() -> None:
    page = html("<table><tr><th>Ship<th>Built<th>Flag<tr><td>Alois<td>1994<td>NL</table>")
    row = next(one for one in page.blocks if one.kind == "table")
    cells = [(row.text[cell.start : cell.end], cell.row, cell.column) for cell in row.cells]
    assert cells == [("Alois", "", "Ship"), ("1994", "Alois", "Built"), ("NL", "Alois", "Flag")]


def test_an_infoboxs_parts_head_their_rows() -> None:
    page = html(
        "<table class=infobox><tr><th colspan=2>Ann Lee<tr><th>Born<td>1901"
        "<tr><th colspan=2>Career<tr><th>Job<td>Poet</table>"
    )
    found = {one.text: (one.kind, one.heading, one.table) for one in page.blocks if one.table is not None}
    assert found["Born: 1901"] == ("table", "Ann Lee", 0)
    assert found["Career"][0] == "heading"
    assert found["Job: Poet"] == ("table", "Career", 0)
    table = page.tables[0]
    assert table.rows == (("Ann Lee",), ("Born", "1901"), ("Career",), ("Job", "Poet"))
    assert [page.blocks[at].text for at in table.blocks] == ["Ann Lee", "Job: Poet"]


def test_a_table_is_kept_whole_with_its_spans_filled_in() -> None:
    page = html("<table><caption>Fleet</caption><tr><th>Ship<th>Flag<tr><td rowspan=2>Alois<td>NL<tr><td>BE</table>")
    table = page.tables[0]
    assert (table.caption, table.heading, table.columns) == ("Fleet", "Fleet", ("Ship", "Flag"))
    assert table.linearised() == "row 1 is: Ship is Alois; Flag is NL. row 2 is: Ship is Alois; Flag is BE."
    assert {one.heading for one in page.blocks if one.kind == "table"} == {"Fleet"}


def test_headers_further_down_begin_a_table_of_their_own() -> None:
    page = html("<table><tr><th>A<th>B<tr><td>1<td>2<tr><th>C<th>D<tr><td>3<td>4</table>")
    assert [table.columns for table in page.tables] == [("A", "B"), ("C", "D")]
    assert [one.text for one in page.blocks if one.kind == "table"] == ["A: 1; B: 2", "C: 3; D: 4"]


def test_a_table_in_a_table_is_read_by_itself() -> None:
    inner = "<table><tr><th>Ship<th>Flag<tr><td>Alois<td>NL</table>"
    assert rows(f"<table><tr><td>Menu<td>{inner}</table>") == ["Ship: Alois; Flag: NL"]
    page = html(f"<table><tr><th>Name<td>Ann<tr><th>Fleet<td>{inner}</table>")
    found = {one.text: one.heading for one in page.blocks if one.kind == "table"}
    assert found == {"Name: Ann": "Ann Lee", "Fleet": "Ann Lee", "Ship: Alois; Flag: NL": "Fleet"}


def test_a_table_for_layout_is_text_in_order() -> None:
    page = html(f"<table role=presentation><tr><td><p>One</p><td><p>{PROSE * 5}</p></table><p>Two</p>")
    assert not page.tables
    assert [one.text for one in page.blocks][-3:] == ["One", (PROSE * 5).strip(), "Two"]


def test_a_long_row_is_cut_between_cells_and_says_again_whose_it_is() -> None:
    cells = [f"<td>{number} {'word ' * 18}" for number in range(20)]
    page = html(f"<table><tr><th>Alois{''.join(cells)}</table>")
    passages = [one for one in passages_of(page.blocks) if one.kind == "table"]
    assert len(passages) > 1
    for passage in passages:
        assert passage.text.startswith("Alois: ")
        assert len(passage.text) <= LONGEST_SENTENCE
        for cell in passage.cells:
            assert passage.text[cell.start : cell.end] in page.tables[0].rows[0]
    said = [passage.text[cell.start : cell.end] for passage in passages for cell in passage.cells if cell.row]
    assert len(said) == 20


CELLS = st.builds(
    Cell, st.text("ab: ;,1", max_size=8).map(str.strip), st.booleans(), st.integers(1, 4), st.integers(1, 4),
    st.sampled_from(["", "row", "col"]), st.booleans(),
)  # fmt: skip


@given(st.lists(st.lists(CELLS, max_size=5), max_size=6), st.integers(0, 7))
def test_any_cells_give_rows_that_hold_them_all(table: list[list[Cell]], heads: int) -> None:
    said = "\n".join(row.text for grid in grids(table, heads) for row in grid.rows)
    for cell in table[-1] if table and heads == 0 else ():
        if not cell.is_header and not cell.scope:
            assert cell.text.rstrip(" :") in said
