"""Which pairs are judged, and that each of the others has its reason (cases 2, 3, 4, 5 and 8)."""

from __future__ import annotations

from typing import Any

import pytest
from bot_entities import SHARED
from hypothesis import given
from hypothesis import strategies as st

from bot.select import Selection, Skipped, select, untyped_properties, usable_url, with_addresses
from bot.sources.dump import DumpSource
from bot.sources.entity import check_entity
from bot.sources.formatter import Formatter, PropertyFacts
from bot.sources.heads import EntityHead
from config import Config
from models.statement import SourceUrl


def snak(
    prop: str, value: Any = None, datatype: str | None = "url", kind: str = "string", snaktype: str = "value"
) -> dict[str, Any]:
    made: dict[str, Any] = {"snaktype": snaktype, "property": prop}
    if datatype:
        made["datatype"] = datatype
    if snaktype == "value":
        made["datavalue"] = {"type": kind, "value": value}
    return made


def reference(*snaks: dict[str, Any], hash_: str | None = "a" * 40) -> dict[str, Any]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for one in snaks:
        groups.setdefault(one["property"], []).append(one)
    made: dict[str, Any] = {"snaks": groups, "snaks-order": list(groups)}
    return made | ({"hash": hash_} if hash_ else {})


LIVE = snak("P854", "https://example.org/a")
BORN = snak("P19", {"entity-type": "item", "id": "Q350"}, "wikibase-item", "wikibase-entityid")


def chosen(*references: Any, main: dict[str, Any] = BORN, rank: str = "normal", **given: Any) -> Selection:
    """What is selected of an item with one statement with these references."""
    statement = {"id": "Q42$1", "type": "statement", "rank": rank, "mainsnak": main, "references": list(references)}
    entity = check_entity(
        {"id": "Q42", "type": "item", "lastrevid": 7, "claims": {main.get("property", "P1"): [statement]}}
    )
    return select(entity, given.pop("properties", {}), **given)


def urls(selection: Selection) -> list[tuple[str, str]]:
    (pair,) = selection.pairs
    return [(source.url, source.via) for source in pair.urls]


def test_live_then_archived_copy_is_one_pair() -> None:
    archived = snak("P1065", "https://web.archive.org/web/2020/https://example.org/a")
    assert urls(chosen(reference(archived, LIVE))) == [
        ("https://example.org/a", "live"),
        ("https://web.archive.org/web/2020/https://example.org/a", "archive"),
    ]


def test_several_addresses_are_tried_in_their_order() -> None:
    second = snak("P854", " https://example.org/b ")
    assert urls(chosen(reference(LIVE, second, LIVE))) == [
        ("https://example.org/a", "live"),
        ("https://example.org/b", "live"),
    ]


def test_an_address_that_nobody_wrote_down_is_passed_over_where_there_is_another() -> None:
    assert urls(chosen(reference(snak("P854", snaktype="somevalue"), LIVE))) == [("https://example.org/a", "live")]


@pytest.mark.parametrize(
    "address",
    [
        snak("P854", snaktype="somevalue"),
        snak("P854", snaktype="novalue"),
        snak("P854", "ftp://example.org/a"),
        snak("P854", "n/a"),
        snak("P214", "113230702", "external-id"),
    ],
)
def test_a_reference_without_usable_address_is_a_pair_all_the_same(address: dict[str, Any]) -> None:
    assert urls(chosen(reference(address))) == []


def test_an_identifier_comes_after_the_addresses() -> None:
    facts = {"P214": PropertyFacts("external-id", (Formatter("https://viaf.org/viaf/$1"),))}
    selection = chosen(reference(snak("P214", "113230702", "external-id"), LIVE), properties=facts)
    assert urls(selection) == [("https://example.org/a", "live"), ("https://viaf.org/viaf/113230702", "identifier")]


def test_snaks_of_old_dumps_take_their_datatype_from_the_property() -> None:
    facts = {
        "P214": PropertyFacts("external-id", (Formatter("https://viaf.org/viaf/$1"),)),
        "P854": PropertyFacts("url"),
    }
    old = reference(snak("P854", "https://example.org/a", None), snak("P214", "1", None), hash_=None)
    selection = chosen(
        old, main=snak("P569", {"time": "+1952-03-11T00:00:00Z", "precision": 11}, None, "time"), properties=facts
    )
    assert urls(selection) == [("https://example.org/a", "live"), ("https://viaf.org/viaf/1", "identifier")]
    assert selection.pairs[0].snak["datatype"] == "time"
    assert len(selection.pairs[0].ref_hash) == 40
    assert selection.pairs[0].ref_hash == chosen(old).pairs[0].ref_hash
    assert (
        selection.pairs[0].ref_hash
        != chosen(reference(snak("P854", "https://example.org/b", None), hash_=None)).pairs[0].ref_hash
    )


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"rank": "deprecated"}, Skipped.DEPRECATED),
        ({"main": snak("P40", datatype="wikibase-item", snaktype="novalue")}, Skipped.NO_VALUE),
        ({"main": snak("P40", datatype="wikibase-item", snaktype="somevalue")}, Skipped.UNKNOWN_VALUE),
        ({"main": snak("P18", "A.jpg", "commonsMedia")}, Skipped.WORDLESS),
        ({"main": snak("P569", {"time": "soon"}, "time", "time")}, Skipped.UNREADABLE),
        ({"main": {"snaktype": "value"}}, Skipped.UNREADABLE),
        ({"skip": ("P19",)}, Skipped.ONTOLOGICAL),
        ({"wants": {"q42$2"}}, Skipped.NOT_ASKED),
    ],
)
def test_each_skipped_pair_has_its_reason(given: dict[str, Any], reason: Skipped) -> None:
    selection = chosen(reference(LIVE), reference(LIVE, hash_="b" * 40), **given)
    assert selection.pairs == ()
    assert selection.skipped == {reason: 2}
    assert reason.label


@pytest.mark.parametrize(
    ("snaks", "reason"),
    [
        (
            [snak("P143", {"entity-type": "item", "id": "Q328"}, "wikibase-item", "wikibase-entityid")],
            Skipped.WIKIMEDIA,
        ),
        ([snak("P4656", "https://en.wikipedia.org/wiki/X")], Skipped.WIKIMEDIA),
        ([snak("P248", {"entity-type": "item", "id": "Q1"}, "wikibase-item", "wikibase-entityid")], Skipped.NO_ADDRESS),
        ([], Skipped.NO_ADDRESS),
    ],
)
def test_references_without_any_address_are_counted(snaks: list[dict[str, Any]], reason: Skipped) -> None:
    assert chosen(reference(*snaks)).skipped == {reason: 1}


def test_a_statement_that_has_its_reference_twice_is_one_pair() -> None:
    selection = chosen(reference(LIVE), reference(LIVE))
    assert len(selection.pairs) == 1
    assert selection.skipped == {Skipped.REPEATED: 1}


def test_a_statement_without_references_has_no_pair_to_skip() -> None:
    selection = chosen(rank="deprecated")
    assert (selection.statements, selection.pairs, selection.skipped) == (1, (), {})


def test_a_shared_reference_is_a_pair_for_each_statement() -> None:
    statements = [
        {"id": f"Q42${n}", "rank": "normal", "mainsnak": BORN, "references": [reference(LIVE)]} for n in range(3)
    ]
    selection = select(check_entity({"id": "Q42", "claims": {"P19": statements}}), {})
    assert len({pair.guid for pair in selection.pairs}) == 3
    assert len({pair.ref_hash for pair in selection.pairs}) == 1


@pytest.mark.parametrize(
    ("value", "needed"),
    [
        ({"entity-type": "property", "numeric-id": 31}, "P31"),
        ({"entity-type": "lexeme", "numeric-id": 3354}, "L3354"),
        ({"entity-type": "item", "numeric-id": 31}, "Q31"),
        ({"entity-type": "form", "id": "L3354-F2"}, "L3354-F2"),
    ],
)
def test_a_value_needs_its_own_words(value: dict[str, Any], needed: str) -> None:
    assert chosen(reference(LIVE), main=snak("P1", value, None, "wikibase-entityid")).needed == {"Q42", "P1", needed}


def test_subjects_that_are_properties_are_counted() -> None:
    statement = {"id": "P31$1", "rank": "normal", "mainsnak": BORN, "references": [reference(LIVE)]}
    assert select(check_entity({"id": "P31", "claims": {"P19": [statement]}}), {}).skipped == {Skipped.SUBJECT: 1}


def test_facts_are_asked_for_where_they_are_needed() -> None:
    old = {
        "id": "Q42$1",
        "mainsnak": snak("P19", 1, None),
        "references": [reference(snak("P214", "1", "external-id"), LIVE)],
    }
    entity = check_entity({"id": "Q42", "claims": {"P19": [old]}})
    assert untyped_properties(entity) == {"P19"}


def test_the_address_of_an_identifier_may_come_later() -> None:
    facts = {"P214": PropertyFacts("external-id", (Formatter("https://viaf.org/viaf/$1"),))}
    found = chosen(reference(snak("P214", "113230702", "external-id"), LIVE))
    assert found.identifiers == {"P214"}
    assert [source.via for source in found.pairs[0].urls] == ["live"]
    (pair,) = (with_addresses(pair, facts) for pair in found.pairs)
    assert [source.via for source in pair.urls] == ["live", "identifier"]
    assert pair.urls[1].url == "https://viaf.org/viaf/113230702"


@pytest.mark.skipif(not SHARED.is_dir(), reason="the measuring data is not beside the project")
def test_the_default_selection_keeps_all_pairs_of_the_wtr_dump() -> None:
    source = DumpSource(SHARED / "wtr" / "dump.json.gz", ("en",), pytest.fail)
    skip = Config().select.skip_properties
    selections = [select(entity, {}, skip) for entity in source.entities() if not isinstance(entity, EntityHead)]
    assert sum(len(one.pairs) for one in selections) == 245
    assert all(not one.skipped for one in selections)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the measuring data is not beside the project")
def test_no_reference_of_real_entities_is_dropped_in_silence() -> None:
    source = DumpSource(SHARED / "wikidata" / "entities.json.gz", ("en",), pytest.fail)
    for entity in source.entities():
        if isinstance(entity, EntityHead):
            continue
        references = sum(
            len(statement.get("references", ())) for group in entity["claims"].values() for statement in group
        )
        selection = select(entity, source.properties(untyped_properties(entity)), Config().select.skip_properties)
        assert len(selection.pairs) + sum(selection.skipped.values()) == references


@pytest.mark.parametrize(
    ("text", "usable"),
    [
        ("https://example.org", True),
        ("HTTP://example.org/a?b=c#d", True),
        ("https://例え.jp/パス", True),
        ("https://[2001:db8::1]/", True),
        ("//example.org/", False),
        ("https://", False),
        ("https:///path", False),
        ("https://example.org:port/", False),
        ("https://exa mple.org/", False),
        ("https://example.org/\n", True),
        ("https://exam\nple.org/", False),
        ("javascript:alert(1)", False),
        ("https://[::1", False),
        ("https://example.org/" + "a" * 5000, False),
    ],
)
def test_which_addresses_are_the_webs(text: str, usable: bool) -> None:
    assert (usable_url(text) is not None) == usable


@given(st.text())
def test_any_text_is_an_address_or_none(text: str) -> None:
    url = usable_url(text)
    assert url is None or (url == text.strip() and url.lower().startswith(("http://", "https://")))


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "mainsnak",
                        "references",
                        "snaks",
                        "snaks-order",
                        "P854",
                        "datavalue",
                        "value",
                        "property",
                        "id",
                        "rank",
                        "snaktype",
                        "datatype",
                    ]
                ),
                inner,
                max_size=6,
            )
        ),
        max_leaves=30,
    )
)
def test_no_statement_stops_the_walk(statement: Any) -> None:
    entity = check_entity({"id": "Q1", "claims": {"P1": [statement]}})
    selection = select(entity, {})
    untyped_properties(entity)
    assert all(isinstance(source, SourceUrl) for pair in selection.pairs for source in pair.urls)


def instance_of(*classes: tuple[str, str]) -> list[dict[str, Any]]:
    """Statements of P31, each given as (id, rank)."""
    return [
        {"rank": rank, "mainsnak": snak("P31", {"entity-type": "item", "id": name}, None, "wikibase-entityid")}
        for name, rank in classes
    ]


def classes_of(statements: Any) -> tuple[str, ...]:
    statement = {"id": "Q42$1", "rank": "normal", "mainsnak": BORN, "references": [reference(LIVE)]}
    entity = check_entity({"id": "Q42", "claims": {"P19": [statement], "P31": statements}})
    selection = select(entity, {}, skip=["P31"])
    (pair,) = selection.pairs
    assert selection.needed >= set(pair.classes)
    return pair.classes


def test_pairs_know_what_their_subject_is_the_preferred_first() -> None:
    given = instance_of(("Q5", "normal"), ("Q6", "deprecated"), ("Q7", "preferred"), ("Q5", "normal"))
    assert classes_of(given) == ("Q7", "Q5")


@pytest.mark.parametrize(
    "statements",
    [
        None,
        {},
        ["Q5", 5, None],
        [{"mainsnak": None}, {"mainsnak": {"snaktype": "somevalue", "property": "P31"}}],
        instance_of(
            ("P5", "normal"), ("Q0", "normal"), ("Q5\n", "normal"), ("Q5", "best"), ("Q" + "9" * 5000, "normal")
        ),
        [{"mainsnak": {"datavalue": {"value": {"entity-type": ["item"], "numeric-id": 5}}}}],
        [{"mainsnak": {"datavalue": {"value": {"entity-type": "item", "numeric-id": float("inf")}}}}],
    ],
)
def test_what_is_no_class_is_left_out(statements: Any) -> None:
    assert classes_of(statements) == ()


def test_an_old_dump_gives_classes_by_number_and_a_crowd_of_them_is_cut() -> None:
    value = {"entity-type": "item", "numeric-id": 5}
    assert classes_of([{"mainsnak": snak("P31", value, None, "wikibase-entityid")}]) == ("Q5",)
    assert len(classes_of(instance_of(*((f"Q{number}", "normal") for number in range(1, 99))))) == 20


@pytest.mark.parametrize(
    ("ids", "selected", "taken"),
    [
        (("Q42$a", "Q42$b"), 2, 0),
        (("q42$a", "Q42$b"), 2, 0),  # Wikidata has ids in lower case from its first year
        (("Q42$a", "Q42$a"), 1, 1),
        (("Q42$a", "q42$A"), 1, 1),
        (("Q42$a", "Q43$b"), 1, 1),
        (("Q42$a", "Q4$2"), 1, 1),
    ],
)
def test_an_id_of_another_statement_is_no_statements_own(ids: tuple[str, ...], selected: int, taken: int) -> None:
    """On Wikidata no two statements share one: where a dump says so, the second would be judged as the first."""
    statements = [{"id": guid, "rank": "normal", "mainsnak": BORN, "references": [reference(LIVE)]} for guid in ids]
    selection = select(check_entity({"id": "Q42", "claims": {"P19": statements}}), {})
    assert len(selection.pairs) == selected
    assert selection.skipped.get(Skipped.ID_TAKEN, 0) == taken
