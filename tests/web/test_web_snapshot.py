"""The page as an editor is shown it: structure kept, passages marked in their place, and links that lead there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.evidence import Match
from models.read.page import Block, CellSpan, Page, Table
from web.layout import Cell, Entry, Fact, Facts, Laid, Layout, Listed, Mark, Run, Said, Tabled, cut
from web.place import Located, locate
from web.snapshot import Place, Placed, Snapshot, snapshot

URL = "https://e.org/a"


def laid(blocks: Sequence[Block], tables: Sequence[Table] = (), marks: Sequence[tuple[int, Mark]] = ()) -> list[Laid]:
    by_block = {index: [mark for at, mark in marks if at == index] for index in range(len(blocks))}
    return list(Layout(tables, by_block).of(list(enumerate(blocks))))


def plain(runs: tuple[Run, ...]) -> str:
    return "".join(run.text for run in runs)


def said(one: Laid) -> str:
    assert isinstance(one, Said), one
    return plain(one.runs)


BLOCKS = (
    Block("Home Books", "text", "", True),
    Block("Life", "heading", level=1),
    Block("One here. Two there.\nThree elsewhere.", "text", "Life"),
    Block("year: 1952; place: Cambridge", "table", "Dates"),
    Block("Cookies", "text", "Dates", True),
)
PAGE = Page("A page", "en", BLOCKS, ())


def test_passages_that_share_sentences_are_each_placed() -> None:
    made = snapshot(PAGE, [Place(1, "Two there.", 2), Place(2, "Two there. Three elsewhere.", 2)])
    assert made.placed == {1: Placed(2, 10, 20), 2: Placed(2, 10, 37)}
    assert [(part.kind, part.has_evidence) for part in made.parts] == [
        ("boilerplate", False),
        ("body", True),
        ("boilerplate", False),
    ]
    text = made.parts[1].laid[1]
    assert isinstance(text, Said)
    assert [(run.text, run.passages, run.begins) for run in text.runs] == [
        ("One here. ", (), ()),
        ("Two there.", (1, 2), (1, 2)),
        ("\nThree elsewhere.", (2,), ()),
    ]


def test_a_passage_is_found_by_its_text_where_blocks_are_counted_otherwise_now() -> None:
    made = snapshot(PAGE, [Place(1, "year: 1952; place: Cambridge", 0), Place(2, "Nowhere to be found", 2)])
    assert made.placed == {1: Placed(3, 0, 28)}


def test_a_heading_that_was_not_said_is_said_once() -> None:
    blocks = (
        Block("Early\nlife", "heading"),
        Block("Share this", "text", "Early life", True),
        Block("Born in Cambridge.", "text", "Early life"),
        Block("A hint", "text", "Notes"),
        Block("Another", "text", "Notes"),
    )
    made = [one for part in snapshot(Page("", "en", blocks, ()), []).parts for one in part.laid]
    assert [(one.kind, said(one)) for one in made] == [
        ("heading", "Early\nlife"),
        ("text", "Share this"),
        ("text", "Born in Cambridge."),
        ("under", "Notes"),
        ("text", "A hint"),
        ("text", "Another"),
    ]


def test_structured_data_is_folded_by_itself() -> None:
    blocks = (Block("name: Ada", "structured"), Block("born: 1815", "structured"), Block("Ada was born.", "text"))
    made = snapshot(Page("", "en", blocks, ()), [Place(1, "born: 1815", 1)])
    assert [(part.kind, part.count, part.has_evidence) for part in made.parts] == [
        ("structured", 2, True),
        ("body", 1, False),
    ]
    assert made.parts[0].laid == (
        Facts(
            (
                Fact((Run("name"),), (Run("Ada"),)),
                Fact((Run("born", (1,), (1,)),), (Run("1815", (1,)),)),
            )
        ),
    )


def kinds(made: Snapshot) -> list[tuple[str, int, int]]:
    return [(part.kind, part.count, len(part.laid)) for part in made.parts]


def test_a_long_page_is_cut_but_never_its_evidence() -> None:
    blocks = tuple(Block(f"Sentence {number} of the page.", "text") for number in range(10, 110))
    page = Page("", "en", blocks, ())
    made = snapshot(page, [Place(1, "Sentence 100 of the page.", 90)], most=260)
    assert kinds(made) == [("body", 5, 5), ("cut", 83, 0), ("body", 5, 5), ("cut", 7, 0)]
    assert [part.has_evidence for part in made.parts] == [False, False, True, False]
    assert kinds(snapshot(page, [], most=260)) == [("body", 10, 10), ("cut", 90, 0)]


def test_a_page_of_many_blocks_is_shown_around_its_evidence() -> None:
    blocks = tuple(Block("A", "heading") for _ in range(20_000))
    places = [Place(1, "A", 9_000), Place(2, "A", 9_001), Place(3, "A", 19_999)]
    made = snapshot(Page("", "en", blocks, ()), places, most_blocks=1000)
    assert kinds(made) == [
        ("body", 697, 697),
        ("cut", 8_203, 0),
        ("body", 202, 202),
        ("cut", 10_797, 0),
        ("body", 101, 101),
    ]
    assert all(made.parts[at].has_evidence for at in (2, 4))


def test_as_many_blocks_as_any_page_has_are_all_shown() -> None:
    blocks = tuple(Block("A", "heading") for _ in range(2_000))
    assert kinds(snapshot(Page("", "en", blocks, ()), [])) == [("body", 2_000, 2_000)]


def test_headings_stand_below_ours_and_leave_no_level_out() -> None:
    levels = [1, 4, 2, 6, 6, 6, 1, 0]
    made = laid([Block("H", "heading", level=level) for level in levels])
    assert [one.level for one in made if isinstance(one, Said)] == [3, 4, 4, 5, 6, 6, 3, 3]


def test_entries_of_a_list_stand_within_each_other() -> None:
    levels = [("a", 1), ("b", 2), ("c", 3), ("d", 2), ("e", 1)]
    made = laid([Block(text, "list", level=level) for text, level in levels])

    def entry(text: str, *inner: Entry) -> Entry:
        return Entry((Run(text),), "", inner)

    assert made == [Listed((entry("a", entry("b", entry("c")), entry("d")), entry("e")))]


@given(st.lists(st.integers(0, 2000), min_size=1, max_size=30))
def test_every_entry_of_a_list_is_shown_in_order_however_deep(levels: list[int]) -> None:
    def flat(entries: tuple[Entry, ...]) -> list[str]:
        return [text for one in entries for text in (plain(one.runs), *flat(one.entries))]

    (made,) = laid([Block(str(number), "list", level=level) for number, level in enumerate(levels)])
    assert isinstance(made, Listed)
    assert flat(made.entries) == [str(number) for number in range(len(levels))]


def test_a_definition_without_a_term_is_text() -> None:
    made = laid([Block("Born: 1901: at night", "definition"), Block("no term", "definition")])
    assert made == [Facts((Fact((Run("Born"),), (Run("1901: at night"),)),)), Said("text", (Run("no term"),))]


# "Ship: Alois; Length: 31 m" and "Ship: Berta; Flag: BE" under Ship, Length, Flag; the second has no length.
SHIPS = (
    Block("Fleet", "heading", level=2),
    Block(
        "Ship: Alois; Length: 31 m",
        "table",
        "The ships",
        table=0,
        cells=(CellSpan(6, 11, "", "Ship"), CellSpan(21, 25, "Alois", "Length")),
    ),
    Block(
        "Ship: Berta; Flag: BE",
        "table",
        "The ships",
        table=0,
        cells=(CellSpan(6, 11, "", "Ship"), CellSpan(19, 21, "Berta", "Flag")),
    ),
)
FLEET = Table("The ships", "Fleet", ("Ship", "Length", "Flag"), (("Alois", "31 m", ""), ("Berta", "", "BE")), (1, 2))
LIFE = (
    Block("Early life", "heading", level=2),
    Block(
        "Born: 12 May 1901",
        "table",
        "Early life",
        table=0,
        cells=(CellSpan(0, 4, "", ""), CellSpan(6, 17, "Born", "")),
    ),
    Block("A note over all of it", "table", "Early life", table=0),
)
BIRTH = Table("", "Early life", (), (("Born", "12 May 1901"),), (1, 2))


def test_a_table_has_its_headers_and_its_cells_at_their_columns() -> None:
    made = laid(SHIPS, [FLEET])[1]
    assert isinstance(made, Tabled)
    assert (plain(made.caption), made.columns, made.width) == ("The ships", ("Ship", "Length", "Flag"), 3)
    cells = [[(plain(cell.runs), cell.heads) for cell in row.cells] for row in made.rows]
    assert cells == [[("Alois", True), ("31 m", False)], [("Berta", True), ("", False), ("BE", False)]]


def test_a_row_of_name_and_value_has_a_header_and_no_caption_of_what_was_just_said() -> None:
    made = laid(LIFE, [BIRTH])[1]
    assert isinstance(made, Tabled)
    assert (made.caption, made.columns, made.width) == ((), (), 2)
    assert made.rows[0].cells == (Cell((Run("Born"),), heads=True), Cell((Run("12 May 1901"),)))
    assert len(made.rows[1].cells) == 1


def test_a_caption_that_is_a_block_of_its_own_becomes_the_tables() -> None:
    caption = Block("The ships", "caption", "Fleet")
    made = laid([SHIPS[0], caption, *SHIPS[1:]], [FLEET], [(1, Mark(1, 0, 9))])
    assert [one.kind for one in made] == ["heading", "table"]
    assert isinstance(made[1], Tabled)
    assert made[1].caption == (Run("The ships", (1,), (1,)),)


def test_the_cells_of_an_evidence_row_are_marked_and_its_number_stands_before_the_first() -> None:
    made = laid(SHIPS, [FLEET], [(1, Mark(1, 0, 25))])[1]
    assert isinstance(made, Tabled)
    assert [row.passages for row in made.rows] == [(1,), ()]
    assert [cell.runs for cell in made.rows[0].cells] == [(Run("Alois", (1,), (1,)),), (Run("31 m", (1,)),)]


def test_rows_of_a_table_that_was_not_kept_stand_together_all_the_same() -> None:
    rows = [Block("Name: Ann", "table", cells=(CellSpan(6, 9, "", "Name"),)), Block("Name: Ben", "table")]
    (made,) = laid(rows)
    assert isinstance(made, Tabled)
    assert (made.columns, len(made.rows)) == (("Name",), 2)


def test_two_tables_in_a_row_are_two() -> None:
    made = laid([Block("a", "table", table=0), Block("b", "table", table=1)], [BIRTH, BIRTH])
    assert [len(one.rows) for one in made if isinstance(one, Tabled)] == [1, 1]


def test_pages_of_a_pdf_are_said_where_they_begin() -> None:
    made = laid([Block("a", "text", sheet=1), Block("b", "text", sheet=1), Block("c", "text", sheet=3)])
    assert [(one.kind, said(one)) for one in made] == [
        ("sheet", "Page 1"),
        ("text", "a"),
        ("text", "b"),
        ("sheet", "Page 3"),
        ("text", "c"),
    ]


def test_what_is_not_english_says_so() -> None:
    made = laid([Block("Hallo", "text", language="de"), Block("Hello", "text", language="en")])
    assert [one.language for one in made if isinstance(one, Said)] == ["de", ""]


@given(
    st.text(max_size=30),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=4),
    st.lists(st.integers(0, 30), max_size=4),
)
def test_each_passage_begins_once_and_no_text_is_lost(
    text: str, spans: list[tuple[int, int]], edges: list[int]
) -> None:
    marks = [Mark(number, *sorted(span)) for number, span in enumerate(spans)]
    at = sorted({0, len(text), *(edge for edge in edges if edge < len(text))})
    segments = list(pairwise(at)) or [(0, len(text))]
    made = cut(text, marks, segments)
    assert "".join(map(plain, made)) == text
    assert sorted(number for runs in made for run in runs for number in run.begins) == list(range(len(marks)))


KINDS = ["title", "heading", "text", "list", "definition", "caption", "table", "structured", "unheard of"]


@given(
    st.lists(
        st.builds(
            Block,
            st.text(min_size=1, max_size=12),
            st.sampled_from(KINDS),
            st.sampled_from(["", "H"]),
            st.booleans(),
            level=st.integers(0, 9),
            table=st.sampled_from([None, 0, 7]),
            cells=st.lists(st.builds(CellSpan, st.integers(0, 6), st.integers(6, 12), st.text(max_size=3),
                                     st.sampled_from(["", "Ship"])), max_size=3).map(tuple),
            sheet=st.integers(0, 2),
        ),
        max_size=8,
    ),
    st.integers(0, 60),
)  # fmt: skip
def test_any_page_is_laid_out_and_every_block_counted(blocks: list[Block], most: int) -> None:
    page = Page("", "en", tuple(blocks), (), (FLEET,))
    made = snapshot(page, [Place(1, blocks[0].text, 0)] if blocks else [], most)
    assert sum(part.count for part in made.parts) == len(blocks)
    for at in made.placed.values():
        assert isinstance(locate(page, at, [], URL), Located)


def whole(page: Page, index: int) -> Placed:
    return Placed(index, 0, len(page.blocks[index].text))


def located(block: Block, *, tables: tuple[Table, ...] = (), matches: Sequence[Match] = ()) -> Located:
    page = Page("", "en", (block,), (), tables)
    return locate(page, whole(page, 0), matches, URL)


@pytest.mark.parametrize(
    ("block", "words"),
    [
        (Block("A", "text"), ""),
        (Block("A", "text", "Early life"), "under the heading “Early life”"),
        (Block("A", "text", "Life", sheet=3), "under the heading “Life”, page 3 of the PDF"),
        (Block("A", "list", "Works"), "in a list, under the heading “Works”"),
        (Block("A: b", "definition"), "in a list of terms"),
        (Block("A", "title", "x"), "the page’s title"),
        (Block("A", "heading", "x"), "a heading"),
        (Block("a: b", "structured", "x"), "in structured data, which the page doesn’t show"),
        (Block("A", "text", boilerplate=True), "among menus, notices and the like"),
        (Block("A", "table", "Works"), "in a table, under the heading “Works”"),
        (Block("A", "text", "x" * 500), f"under the heading “{'x' * 119}…”"),
    ],
)
def test_a_place_in_words(block: Block, words: str) -> None:
    assert located(block).words == words


def test_the_place_of_a_row_names_the_cell_with_the_value() -> None:
    page = Page("", "en", SHIPS, (), (FLEET,))
    value = Match("value", "exact", 21, 23)
    subject = Match("subject", "exact", 6, 11)
    assert locate(page, whole(page, 1), [subject, value], URL).words == (
        "row “Alois”, column “Length”, in the table “The ships”, under the heading “Fleet”"
    )
    assert locate(page, whole(page, 1), [subject], URL).words.startswith("column “Ship”")


def fragment(link: str) -> str:
    address, _, directive = link.partition("#:~:")
    assert address == URL
    return directive


LONG = "One two three four five six seven eight nine ten eleven twelve thirteen fourteen"


@pytest.mark.parametrize(
    ("block", "quoted"),
    [
        (Block("Born on 1-2, a & b", "text"), "text=Born%20on%201%2D2%2C%20a%20%26%20b"),
        (Block(LONG, "text"), "text=One%20two%20three%20four%20five%20six,eleven%20twelve%20thirteen%20fourteen"),
        (Block("A line\nand another", "text"), "text=A%20line,and%20another"),
        (Block("Born: 12 May 1901", "definition"), "text=Born,12%20May%201901"),
    ],
)
def test_a_text_is_quoted_as_the_page_has_it(block: Block, quoted: str) -> None:
    assert fragment(located(block).link) == quoted


def test_a_cell_is_quoted_by_its_own_text_behind_the_one_before() -> None:
    page = Page("", "en", LIFE, (), (BIRTH,))
    link = locate(page, whole(page, 1), [Match("value", "exact", 6, 17)], URL).link
    assert fragment(link) == "text=Born-,12%20May%201901&text=12%20May%201901"
    again = Page("", "en", (*LIFE, Block("12 May 1901", "text")), (), (BIRTH,))
    link = locate(again, whole(again, 1), [Match("value", "exact", 6, 17)], URL).link
    assert fragment(link) == "text=Born-,12%20May%201901&text=Born,12%20May%201901"


def test_a_page_of_a_pdf_is_linked_by_its_number() -> None:
    assert located(Block("A", "text", sheet=3)).link == f"{URL}#page=3"


@pytest.mark.parametrize("kind", ["structured", "title"])
def test_what_the_page_does_not_show_has_no_link(kind: str) -> None:
    assert located(Block("name: Ada", kind)).link == ""
