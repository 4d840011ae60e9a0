"""Sheets of the sources' files, and evidence sets written from them: rows of our own in the sources' forms."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from models.evidence import Stance
from models.read.sentences import split
from models.statement import EntityValue, QuantityValue, TimeValue
from models.training.rows import BadRows
from models.training.sheets.fewrel import fewrel_sheets, property_labels
from models.training.sheets.infoboxes import facts_of, infobox_sheets
from models.training.sheets.redocred import plain, redocred_sheets
from models.training.sheets.sheet import Sheet, stance_of
from models.training.sheets.write import Sources, write_sets
from models.training.verifier import read_sets

Command = Callable[..., tuple[int, str, str]]
LABELS = {"P569": "date of birth", "P19": "place of birth", "P276": "location", "P6": "head of government"}


def file_of(path: Path, *rows: object) -> Path:
    path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


# Re-DocRED: tokens joined by spaces, entities with their names and sentences, facts with their evidence


def entity(kind: str, sentences: list[int], *names: str) -> dict[str, Any]:
    return {"names": list(names), "type": kind, "sentences": sentences}


def fact(head: int, property_id: str, tail: int, *evidence: int) -> dict[str, Any]:
    return {"head": head, "tail": tail, "property_id": property_id, "evidence": list(evidence)}


def document() -> dict[str, Any]:
    """Six sentences, so two paragraphs. The second is two for our splitter; the third and fourth are one."""
    return {
        "title": "Orla Venn",
        "sentences": [
            "Orla Venn ( born 3 June 1902 in Saltby , Wessex ) was a potter who fired her own glazes .",
            "She sold nothing for years ! Saltby forgot about her in the end , as towns will do .",
            "The kiln that she built with her own hands was bought by a certain J.",
            "R. Holt of Dunmere , who let it stand in the rain .",
            "It stands there still , and the mayor of Dunmere , Ivo Lark , has put a roof over it .",
            "Orla Venn 's bowls are shown in Saltby every summer .",
        ],
        "entities": [
            entity("PER", [0, 5], "Orla Venn"),
            entity("TIME", [0], "3 June 1902"),
            entity("LOC", [0, 1, 5], "Saltby"),
            entity("LOC", [3, 4], "Dunmere"),
            entity("PER", [4], "Ivo Lark"),
            entity("NUM", [0], "two"),
            entity("TIME", [1], "the 1930s"),
        ],
        "facts": [
            fact(0, "P569", 1, 0),
            fact(0, "P19", 2, 0),
            fact(3, "P6", 4, 4),
            fact(0, "P276", 3, 3),
            fact(0, "P569", 5, 0),
            fact(0, "P569", 6, 1),
            fact(1, "P276", 2, 0),
            fact(0, "P31337", 2, 0),
        ],
    }


@pytest.fixture
def orla(tmp_path: Path) -> Sheet:
    (sheet,) = redocred_sheets(file_of(tmp_path / "docs.jsonl", document()), LABELS)
    return sheet


def test_tokens_are_joined_as_people_write_them() -> None:
    given = "It was Ann 's ( 20 % of it ) , a five - year plan of 1999 – 2003 for $ 5 ; he did n't , she did ."
    assert plain(given) == "It was Ann's (20% of it), a five-year plan of 1999–2003 for $5; he didn't, she did."


def test_a_document_is_a_title_and_paragraphs(orla: Sheet) -> None:
    kinds = [block.kind for block in orla.page.blocks]
    assert kinds == ["title", "text", "text"]
    assert orla.page.blocks[1].text.startswith("Orla Venn (born 3 June 1902 in Saltby, Wessex) was a potter")
    assert orla.page.blocks[2].text.endswith("Orla Venn's bowls are shown in Saltby every summer.")


def test_facts_are_those_of_known_properties_and_kinds_of_values(orla: Sheet) -> None:
    known = {(one.subject.label, one.property.id, one.property.label) for one in orla.known}
    assert known == {
        ("Orla Venn", "P569", "date of birth"), ("Orla Venn", "P19", "place of birth"),
        ("Dunmere", "P6", "head of government"), ("Orla Venn", "P276", "location"),
    }  # fmt: skip
    assert {one.value for one in orla.known if one.property.id == "P569"} == {TimeValue(1902, 6, 3, 11)}


def test_sentences_are_counted_as_our_splitter_counts_them(orla: Sheet) -> None:
    texts = {}
    for said in orla.said:
        block = orla.page.blocks[said.block].text
        spans = split(block)
        texts[said.fact.property.id, said.block, min(said.sentences, default=None)] = [
            block[slice(*spans[at])] for at in sorted(said.sentences)
        ]
    assert texts["P569", 1, 0] == [
        "Orla Venn (born 3 June 1902 in Saltby, Wessex) was a potter who fired her own glazes."
    ]
    assert texts["P19", 1, None] == []  # the second and the sixth name the town, and nobody says what for
    # Two of theirs are one for us; the subject is named in the title alone.
    (holt,) = texts["P276", 1, 3]
    assert holt.startswith("The kiln")
    assert holt.endswith("J. R. Holt of Dunmere, who let it stand in the rain.")
    (lark,) = texts["P6", 2, 0]
    assert "Ivo Lark" in lark


def test_one_sentence_of_theirs_may_be_two_of_ours(tmp_path: Path) -> None:
    given = document()
    given["facts"] = [fact(0, "P19", 2, 1)]
    (sheet,) = redocred_sheets(file_of(tmp_path / "docs.jsonl", given), LABELS)
    (told,) = [said for said in sheet.said if said.sentences]
    spans = split(sheet.page.blocks[1].text)
    text = [sheet.page.blocks[1].text[slice(*spans[at])] for at in sorted(told.sentences)]
    assert text == ["She sold nothing for years!", "Saltby forgot about her in the end, as towns will do."]


def test_what_the_annotators_did_not_name_is_not_labelled(orla: Sheet) -> None:
    (born,) = [one for one in orla.known if one.property.id == "P19"]
    stances = {(one.block, one.first, one.last): stance_of(born, one, orla) for one in orla.page.passages}
    assert stances[1, 0, 0] is Stance.SUPPORTS
    assert stances[1, 2, 2] is None  # Saltby again
    assert stances[2, 1, 1] is None
    assert stances[0, 0, 0] is Stance.NOT_ENOUGH_INFO


# FewRel: lower-case names, one sentence each


PROPERTIES = [{"property_id": "P0", "label": "none"}, {"property_id": "P6", "label": "head of government"}]


def sentence(text: str, head: str = "dunmere", tail: str = "ivo lark", property_id: str = "P6") -> dict[str, Any]:
    return {
        "tokens": text.split(), "head": head, "head_id": "Q901", "tail": tail, "tail_id": "Q902",
        "property_id": property_id,
    }  # fmt: skip


def test_a_sentence_of_fewrels_says_its_fact(tmp_path: Path) -> None:
    labels = property_labels(file_of(tmp_path / "properties.jsonl", *PROPERTIES))
    assert labels == {"P6": "head of government"}
    path = file_of(
        tmp_path / "rows.jsonl",
        sentence("In the town of Dunmere , Ivo Lark is mayor ."),
        sentence("It has a mayor . He is called Ivo Lark , and Dunmere likes him well enough ."),  # two sentences
        sentence("Dunmere and Ivo Lark .", property_id="P0"),
        sentence("The town of Dunmere has a mayor .", tail="somebody else"),
    )
    first, last = fewrel_sheets(path, labels)
    (said,) = first.said
    assert first.page.blocks[0].text == "In the town of Dunmere, Ivo Lark is mayor."
    assert (said.fact.subject.label, said.fact.subject.id, said.sentences) == ("Dunmere", "Q901", {0})
    assert isinstance(said.fact.value, EntityValue)
    assert said.fact.value.term.label == "Ivo Lark"
    assert isinstance(last.said[0].fact.value, EntityValue)
    assert last.said[0].fact.value.term.label == "somebody else"
    assert stance_of(said.fact, first.page.passages[0], first) is Stance.SUPPORTS


# InfoTabS: headers with lists of cells


BOX = {
    "title": ["Orla Venn (potter)"],
    "Born": ["( 1902-06-03 ) 3 June 1902", "Saltby, Wessex, England"],
    "Occupation": ["Potter", "teacher (from 1931)"],
    "Height": ["1.7 m"],
    "Favourite colour": ["Ochre"],
}


def test_rows_of_an_infobox_mean_properties(tmp_path: Path) -> None:
    (sheet,) = infobox_sheets(file_of(tmp_path / "boxes.jsonl", {"table_id": "T1", "table": BOX}), Random(0))
    found = {(said.fact.property.id, said.fact.value) for said in sheet.said}
    assert ("P569", TimeValue(1902, 6, 3, 11)) in found
    things = {(key, value.term.label) for key, value in found if isinstance(value, EntityValue)}
    assert things == {("P19", "Wessex"), ("P106", "Potter"), ("P106", "teacher")}
    (height,) = [value for _, value in found if isinstance(value, QuantityValue)]
    assert float(height.amount) == 1.7
    assert {said.fact.subject.label for said in sheet.said} == {"Orla Venn"}
    assert len(sheet.page.blocks) == len(BOX)
    for said in sheet.said:
        assert sheet.page.blocks[said.block].text.startswith(
            {"P569": "Born", "P19": "Born", "P106": "Occupation", "P2048": "Height"}[said.fact.property.id]
        )


def test_a_header_that_means_nothing_says_nothing() -> None:
    assert not list(facts_of("Orla Venn", "Favourite colour", ["Ochre"]))
    assert not list(facts_of("Orla Venn", "Born", ["long ago"]))


@pytest.mark.parametrize("seed", range(6))
def test_what_is_cut_off_a_long_row_is_not_said(tmp_path: Path, seed: int) -> None:
    box = {"title": ["Kiln"], "Starring": ["a long line, " * 60, "Ivo Lark"], "Directed by": ["Orla Venn"]}
    (sheet,) = infobox_sheets(file_of(tmp_path / "boxes.jsonl", {"table": box}), Random(seed))
    for said in sheet.said:
        assert isinstance(said.fact.value, EntityValue)
        assert (said.fact.value.term.label or "") in sheet.page.blocks[said.block].text
    assert "Orla Venn" in {
        said.fact.value.term.label for said in sheet.said if isinstance(said.fact.value, EntityValue)
    }


# What isn't in a source's form


def _docs(path: Path) -> Iterator[object]:
    return redocred_sheets(path, LABELS)


def _rows(path: Path) -> Iterator[object]:
    return fewrel_sheets(path, LABELS)


def _boxes(path: Path) -> Iterator[object]:
    return infobox_sheets(path, Random(0))


def _labels(path: Path) -> Iterator[object]:
    return iter(property_labels(path))


HALF = "\ud800"  # of a surrogate pair
GOOD: dict[Callable[[Path], Iterator[object]], Any] = {
    _docs: document(),
    _rows: sentence("Dunmere has Ivo Lark ."),
    _boxes: {"table": BOX},
    _labels: PROPERTIES[1],
}
BAD = [
    (_docs, document() | {"facts": [fact(9, "P19", 2, 0)]}),
    (_docs, document() | {"entities": [entity("PER", [0])]}),
    (
        _docs,
        document() | {"entities": [entity("PER", [0], "x"), entity("LOC", [6], "y")], "facts": [fact(0, "P19", 1)]},
    ),
    (
        _docs,
        document() | {"entities": [entity("PER", [0], "x"), entity("LOC", [-1], "y")], "facts": [fact(0, "P19", 1)]},
    ),
    (_docs, document() | {"sentences": "One long text."}),
    (_docs, document() | {"title": HALF}),
    (_rows, sentence("Dunmere") | {"tokens": "Dunmere"}),
    (_rows, {"tokens": ["Dunmere"]}),
    (_rows, sentence(f"Dunmere {HALF}")),
    (_boxes, {"table": {"Born": ["1902"]}}),
    (_boxes, {"table": {"title": []}}),
    (_boxes, {"table": {"title": "Kiln"}}),
    (_boxes, {"table": {"title": ["Kiln"], "Born": "1902"}}),
    (_boxes, {"table": {"title": [HALF]}}),
    (_boxes, {"rows": []}),
    (_labels, {"property_id": "P6"}),
    (_labels, {"property_id": "P6", "label": HALF}),
    *((read, row) for read in GOOD for row in ([], "text", None, 7, "not JSON", "[" * 100_000)),
]


@pytest.mark.parametrize(("read", "row"), BAD, ids=lambda part: getattr(part, "__name__", "row"))
def test_a_malformed_line_is_named(tmp_path: Path, read: Callable[[Path], Iterator[object]], row: object) -> None:
    written = row if row in ("not JSON", "[" * 100_000) else json.dumps(row)
    path = file_of(tmp_path / "rows.jsonl", GOOD[read], "", written)
    with pytest.raises(BadRows, match=r"rows\.jsonl, line 3: ") as caught:
        list(read(path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("read", GOOD)
def test_a_file_that_cant_be_read_is_named(tmp_path: Path, read: Callable[[Path], Iterator[object]]) -> None:
    for path in (tmp_path / "none.jsonl", file_of(tmp_path / "empty.jsonl"), file_of(tmp_path / "plain.jsonl.gz", {})):
        with pytest.raises(BadRows, match=path.name):
            list(read(path))


# Sets of all sources


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    text = "The town of Dunmere has a mayor , Ivo Lark , who reads ."
    return Sources(
        file_of(
            tmp_path / "properties.jsonl", *({"property_id": key, "label": label} for key, label in LABELS.items())
        ),
        (file_of(tmp_path / "docs.jsonl", document(), document()),),
        (file_of(tmp_path / "rows.jsonl", *(sentence(text) for _ in range(40))),),
        (file_of(tmp_path / "boxes.jsonl", {"table": BOX}, {"table": BOX}),),
        4,
    )


def test_sets_of_all_sources_are_written_and_read(sources: Sources, tmp_path: Path) -> None:
    out = tmp_path / "sets.jsonl.gz"
    counted = write_sets(sources, out, 5)
    assert set(counted) == {"redocred", "fewrel", "infotabs", "made"}
    sets = read_sets([out])
    assert len(sets) == counted.total()
    assert {one.source for one in sets} == set(counted)
    assert {stance for one in sets for stance in one.stances} == set(Stance)


def test_without_false_claims_every_claim_is_true_of_its_page(sources: Sources, tmp_path: Path) -> None:
    out = tmp_path / "sets.jsonl.gz"
    write_sets(replace(sources, false_claims=False), out, 5)
    sets = read_sets([out])
    assert {one.verdict for one in sets} == {Stance.SUPPORTS}
    assert {one.source for one in sets} == {"redocred", "fewrel", "infotabs", "made"}


def test_the_same_seed_gives_the_same_bytes(sources: Sources, tmp_path: Path) -> None:
    names = ("a.jsonl.gz", "b.jsonl.gz", "c.jsonl.gz")
    first, again, other = ((tmp_path / name) for name in names)
    for out, seed in ((first, 5), (again, 5), (other, 6)):
        write_sets(sources, out, seed)
    assert first.read_bytes() == again.read_bytes()
    assert gzip.decompress(first.read_bytes()) != gzip.decompress(other.read_bytes())


def test_a_name_without_gz_is_written_plain(sources: Sources, tmp_path: Path) -> None:
    out = tmp_path / "sets.jsonl"
    counted = write_sets(sources, out, 5)
    assert len(read_sets([out])) == counted.total()


def test_nothing_is_left_of_what_fails(sources: Sources, tmp_path: Path) -> None:
    out = tmp_path / "out" / "sets.jsonl.gz"
    out.parent.mkdir()
    out.write_bytes(b"of yesterday")
    file_of(sources.infotabs[0], {"table": BOX}, {"table": {}})
    with pytest.raises(BadRows, match=r"boxes\.jsonl, line 2"):
        write_sets(sources, out, 5)
    assert [(path.name, path.read_bytes()) for path in out.parent.iterdir()] == [(out.name, b"of yesterday")]


# The command


def test_the_command_says_how_many_sets_it_wrote(sources: Sources, tmp_path: Path, command: Command) -> None:
    out = tmp_path / "sets.jsonl.gz"
    given = ("sets", "--redocred", sources.redocred[0], "--properties", sources.properties, "--out", out, "--made", 2)
    code, said, _ = command(*given)
    assert code == 0
    told = dict(line.removesuffix(" sets").split(": ") for line in said.splitlines())
    assert sorted(told) == ["made", "redocred"]
    assert len(read_sets([out])) == sum(map(int, told.values()))


@pytest.mark.parametrize(
    ("content", "made", "out", "complaint"),
    [
        ("{}", 1, "sets.jsonl.gz", "properties.jsonl, line 1: not a property"),
        ("", 1, "sets.jsonl.gz", "no rows"),
        ('{"property_id": "P6", "label": "x"}', 0, "sets.jsonl.gz", "no set can be made"),
        ('{"property_id": "P6", "label": "x"}', 1, "none/sets.jsonl.gz", "No such file or directory"),
        ('{"property_id": "P6", "label": "x"}', 1, "properties.jsonl/sets.jsonl.gz", "Not a directory"),
    ],
)
def test_bad_input_is_one_line(
    tmp_path: Path, command: Command, content: str, made: int, out: str, complaint: str
) -> None:
    properties = file_of(tmp_path / "properties.jsonl", content)
    given = ("sets", "--properties", properties, "--made", made, "--out", tmp_path / out)
    code, _, said = command(*given)
    assert code == 2
    assert said.startswith("training: ")
    assert complaint in said
    assert said.count("\n") == 1
    assert {path.name for path in tmp_path.iterdir()} == {"properties.jsonl"}
