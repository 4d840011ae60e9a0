"""One odd entity, page or header is its own failure; the pairs beside it are judged."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session
from test_run import BORN, MakeBench, adams, current, dump, replayed, states, warc

from bot.fetch.answer import clean_header
from models.outcome import Outcome
from store import schema

URL = "https://lives.example/adams"


def odd(change: str) -> dict[str, Any]:
    """A copy of the item with another id, and one thing in it that no real entity should have."""
    item = copy.deepcopy(next(entity for entity in adams(URL) if entity["id"] == "Q42"))
    item["id"] = "Q4200"
    for group in item["claims"].values():
        for statement in group:
            statement["id"] = statement["id"].replace("Q42", "Q4200")
    birth = item["claims"]["P569"][0]
    match change:
        case "half a surrogate":
            birth["id"] = "Q4200$\ud800"
        case "an id that is none":
            item["id"] = "Q042"
        case "a qualifier that is a number":
            birth["qualifiers"] = {"P19": 5}
        case "a qualifier without a value":
            birth["qualifiers"] = {"P580": [{"snaktype": "value", "property": "P580"}]}
        case "a qualifier of no property":
            birth["qualifiers"] = {"foo": [{"snaktype": "value", "property": "foo", "datavalue": birth["mainsnak"]}]}
        case "claims that are numbers":
            item["claims"] = {"P569": 5, "P570": [5]}
        case "NUL in a label":
            item["labels"] = {"en": {"language": "en", "value": "Ada\u0000ms"}}
        case "NUL in an identifier":
            birth["id"] = "Q4200$\u0000"
        case "an amount without end":
            birth["mainsnak"]["datavalue"] = {"type": "quantity", "value": {"amount": "+1e999999999", "unit": "1"}}
    return item


@pytest.mark.parametrize(
    "change",
    [
        "half a surrogate",
        "an id that is none",
        "a qualifier that is a number",
        "a qualifier without a value",
        "a qualifier of no property",
        "claims that are numbers",
        "NUL in a label",
        "NUL in an identifier",
        "an amount without end",
    ],
)
def test_an_odd_entity_does_not_keep_the_others_from_being_judged(
    bench: MakeBench, engine: Engine, tmp_path: Path, change: str
) -> None:
    source = dump(tmp_path / "dump.json", [odd(change), *adams(URL)])
    source._report = lambda _: None  # what is said of the odd line is another test's
    replayed(bench(), source, warc(tmp_path / "x.warc.gz", {URL: BORN}))
    with Session(engine) as session:
        of_others = session.scalar(select(func.count()).where(schema.Pair.guid.like("Q42$%")))
    assert (of_others or 0) > 3
    assert states(engine).get("judged", 0) >= (of_others or 0)
    assert set(states(engine)) <= {"judged", "not_judged", "failed"}


def test_what_a_page_holds_that_no_database_keeps_is_left_out(bench: MakeBench, engine: Engine, tmp_path: Path) -> None:
    odd_facts = '<script type="application/ld+json">{"birthDate": "1952 \\u0000 \\ud800 Adams"}</script>'
    pages = {URL: odd_facts + BORN + "\x00"}
    replayed(bench(), dump(tmp_path / "dump.json", adams(URL)), warc(tmp_path / "x.warc.gz", pages))
    assert set(states(engine)) == {"judged"}
    assert len(current(engine)) > 3


def test_a_charset_that_is_none_is_no_failure(bench: MakeBench, engine: Engine, tmp_path: Path) -> None:
    pages = {URL: '<meta charset="undefined">' + BORN}
    replayed(bench(), dump(tmp_path / "dump.json", adams(URL)), warc(tmp_path / "x.warc.gz", pages))
    assert {verdict.outcome for verdict in current(engine)} <= {None, Outcome.NO_LABEL.value}


@pytest.mark.parametrize(
    ("name", "sent", "kept"),
    [
        ("location", "/caf\udce9", "/caf%E9"),
        ("location", "/a b?x=1&y=%20#z", "/a%20b?x=1&y=%20#z"),
        ("content-type", "text/html; x=\udce9", "text/html; x=\ufffd"),
        ("x", "a\x00b", "ab"),
    ],
)
def test_header_bytes_beyond_ascii_are_text_that_can_be_kept(name: str, sent: str, kept: str) -> None:
    assert clean_header(name, sent) == kept
