"""Any HTML-like soup is read: spans are exact, nothing is lost, and time and memory are bounded."""

from __future__ import annotations

from itertools import pairwise
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.read.html import read_html
from models.read.html.tame import MOST_ATTRIBUTES, tame
from models.read.page import bounded
from models.read.sentences import passages_of, split

NAMES = (
    "div span p a b i sup h1 h2 ul li dl dt dd table tr td th thead caption nav aside footer section abbr time "
    "label noscript iframe template select option button img br input pre details figure figcaption"
).split()
ATTRIBUTES = (
    "", " hidden", " class=label", " class='cookie-bar'", " colspan=3", " rowspan=0", " title=born", " href=x",
    " id=HEADER", " style='display:none'", " role=heading", " itemscope itemtype=Person", " itemprop=name",
    " scope=row", " datetime=1901",
)  # fmt: skip
TAGS = st.builds(
    lambda name, attributes, closing: f"</{name}>" if closing else f"<{name}{attributes}>",
    st.sampled_from(NAMES), st.sampled_from(ATTRIBUTES), st.booleans(),
)  # fmt: skip
SAID = st.sampled_from(["References", "Born:", "1901", "&amp;", " "])
SOUP = st.lists(st.one_of(TAGS, st.text(max_size=12), SAID), max_size=40)


@settings(deadline=None)
@given(SOUP)
def test_any_soup_gives_blocks_with_exact_spans(pieces: list[str]) -> None:
    page = read_html("".join(pieces))
    assert bounded(page.blocks) == page.blocks
    for block in page.blocks:
        assert block.text == block.text.strip() != ""
        assert 0 <= block.linked <= 1
        assert all(0 <= cell.start <= cell.end <= len(block.text) for cell in block.cells)
        assert all(first.end <= second.start for first, second in pairwise(block.cells))
        if block.kind == "table":
            assert block.table is not None
            first, last = page.tables[block.table].blocks
            assert page.blocks[first].table == page.blocks[last].table == block.table
    for passage in passages_of(page.blocks):
        block = page.blocks[passage.block]
        for cell in passage.cells:
            assert passage.text[cell.start : cell.end] in block.text


WORDS = st.text("abcdefgh", min_size=3, max_size=9)
INLINE = st.builds(lambda tag, text: f"<{tag}>{text}</{tag}>", st.sampled_from(["b", "a", "span", "em"]), WORDS) | WORDS
LINES = st.lists(INLINE, min_size=1, max_size=4).map(" ".join)
SIMPLE = st.lists(
    st.builds(lambda tag, text: f"<{tag}>{text}</{tag}>", st.sampled_from(["p", "h2", "div", "blockquote"]), LINES)
    | st.lists(LINES, min_size=1, max_size=3).map(lambda rows: f"<ul>{''.join(f'<li>{row}' for row in rows)}</ul>")
    | st.lists(st.tuples(LINES, LINES), min_size=1, max_size=3).map(
        lambda rows: f"<table>{''.join(f'<tr><td>{one}<td>{two}' for one, two in rows)}</table>"
    )
    | st.lists(st.tuples(WORDS, LINES), min_size=1, max_size=3).map(
        lambda rows: f"<dl>{''.join(f'<dt>{one}<dd>{two}' for one, two in rows)}</dl>"
    ),
    min_size=1, max_size=8,
)  # fmt: skip


@settings(deadline=None)
@given(SIMPLE)
def test_every_word_of_a_simple_page_stands_in_a_block_and_in_a_passage(parts: list[str]) -> None:
    source = "".join(parts)
    words = {word for word in source.replace("<", " <").replace(">", "> ").split() if not word.startswith("<")}
    blocks = read_html(source).blocks
    assert words <= {word for block in blocks for word in block.text.replace(":", " ").replace(";", " ").split()}
    said = " ".join(passage.text for passage in passages_of(blocks))
    assert all(word in said for word in words)


PIECES = ["Dr. Lee", " ", "born", ". ", "? ", ".", "1.5", "\n", "word " * 150, "“", "”", "e.g. "]


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_sentences_cover_their_block_and_are_short(parts: list[str]) -> None:
    text = "".join(parts)
    spans = split(text)
    assert "".join("".join(text[start:end].split()) for start, end in spans) == "".join(text.split())
    assert all(end - start <= 600 for start, end in spans)


def test_a_page_with_too_much_is_cut_and_its_tables_with_it() -> None:
    rows = "<tr><td>name<td>" + "a value " * 40
    page = read_html(f"<title>A title</title><meta name=description content='{'word ' * 90}'><table>{rows * 2_000}")
    assert bounded(page.blocks) == page.blocks
    first, last = page.tables[0].blocks
    assert last == len(page.blocks) - 1
    assert len(page.tables[0].rows) == last - first + 1


HOSTILE = {
    "nesting": "<div>" * 100_000 + "text",
    "nesting that end tags don't close": "<b><table></b></table>" * 40_000,
    "fonts opened again in each paragraph": "".join(f"<p><font color={number}>x</p>" for number in range(30_000)),
    "tables in tables": "<table><tr><th>a<td>" * 500 + "text",
    "a row of many cells": "<table><tr>" + "<td>1" * 100_000,
    "cells that span a billion": "<table>" + "<tr><td colspan=1000000000 rowspan=1000000000>ab<td>c" * 5_000,
    "attributes": "<p " + " ".join(f"a{number}='>'" for number in range(100_000)) + ">text",
    "choices": "<select>" + "<option>x" * 60_000,
    "facts": '<script type="application/ld+json">[' + '{"name":"a","b":[1,2]},' * 90_000 + "1]</script>text",
    "things in things": "<i itemscope itemprop=a>" * 1_900 + "<b itemprop=b>x</b>" * 20_000,
    "entities": "&amp;&#65;&notit;" * 300_000,
    "hidden parts": "<span hidden>x</span>" * 60_000,
    "terms": "<dl>" + "<dt>a" * 60_000 + "<dd>text",
    "open comments": "<!--" * 500_000,
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE.keys())
def test_no_page_takes_long(body: str) -> None:
    started = process_time()
    page = read_html(body)
    passages = passages_of(page.blocks)
    assert process_time() - started < 5
    assert len(passages) < 40_000
    assert sum(len(cell) for table in page.tables for row in table.rows for cell in row) < 1_000_000


def test_only_a_tag_with_too_many_attributes_loses_them() -> None:
    style = f"<p style='{'a: b; ' * 500}' title='{'word ' * 500}'>text</p>"
    assert tame(style) == style
    many = " ".join(f"a{number}=1" for number in range(MOST_ATTRIBUTES + 1))
    assert tame(f"<p class=x>a</p><p {many}>b</p>") == "<p class=x>a</p><p>b</p>"
