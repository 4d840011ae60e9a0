"""Wordings as a file: written, read strictly, and brought in."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.orm import Session
from store_rows import judged, selected, walked

from models.statement import Term
from models.verbalise import Override
from store.overrides import current_overrides, history, save_override
from store.walk import put_terms
from store.wording_file import NotAWordingFile, read, write
from store.wording_import import carry_out, export, plan

BORN = "{subject} was born in {object}."
FILE = """\
wordings:
  P569: # date of birth
    - pattern: "{subject} was born in {object}."
    - class: Q11446 # ship
      label: "launched"
"""
SHIP = "Q11446"


@pytest.fixture
def known(session: Session) -> None:
    """A property with names, statements of two classes, one of them with a qualifier; and another property."""
    when = {"P580": [{"snaktype": "value", "datavalue": {"type": "string", "value": "then"}}]}
    walked(
        session,
        selected(1, classes=(SHIP,)),
        selected(2, classes=("Q5",), qualifiers=when),
        selected(3, property_id="P57"),
    )
    names = [Term("P569", "date of birth", ("launched", "born")), Term("P57", "director", ("directed by",))]
    put_terms(session, [*names, Term(SHIP, "ship"), Term("Q5", "human")])
    session.commit()


def brought_in(session: Session, text: str, **how: bool) -> list[tuple[str, str, str | None]]:
    planned = plan(session, read(text), **how)
    assert not planned.refused, planned.refused
    carry_out(session, planned, "Ada", "from the wiki")
    return [(change.kind, change.property_id, change.subject_class) for change in planned.changes]


def test_a_file_is_brought_in_and_given_out_as_it_was(session: Session, known: None) -> None:
    assert brought_in(session, FILE) == [("added", "P569", None), ("added", "P569", SHIP)]
    assert export(session) == FILE
    assert export(session, "P569") == FILE
    assert export(session, "P57") == "wordings:\n  P57: [] # director\n"
    assert {version.why for version in history(session, "P569")} == {"from the wiki"}
    assert brought_in(session, FILE) == []


def test_what_a_file_leaves_out_of_a_property_is_removed(session: Session, known: None) -> None:
    brought_in(session, FILE)
    save_override(session, "P57", "label", "directed by", "Ada")
    assert brought_in(session, "wordings: {P569: [{label: born}]}") == [
        ("changed", "P569", None),
        ("removed", "P569", SHIP),
    ]
    assert brought_in(session, "wordings: {P569: []}") == [("removed", "P569", None)]
    assert set(current_overrides(session, ["P57"])["P57"]) == {None}
    assert brought_in(session, "wordings: {}", all_properties=True) == [("removed", "P57", None)]
    assert export(session) == "wordings: {}\n"


def test_what_is_refused_is_named_by_its_line_and_nothing_of_its_property_is_removed(
    session: Session, known: None
) -> None:
    brought_in(session, FILE)
    planned = plan(
        session,
        read(
            """\
wordings:
  P569:
    - pattern: "{subject} came {object} in {P999}"
    - class: Q571
      label: born
    - label: day of glory
  P57:
    - pattern: "{subject} {object}"
  P1: [{label: x}]
  P2: {label: x}
  Douglas: []
more: 1
"""
        ),
    )
    assert planned.changes == ()
    assert [(mistake.line, mistake.property_id) for mistake in planned.refused] == [
        (3, "P569"),
        (4, "P569"),
        (6, "P569"),
        (8, "P57"),
        (9, "P1"),
        (10, "P2"),
        (10, "P2"),
        (11, ""),
        (12, ""),
    ]
    said = "\n".join(mistake.complaint for mistake in planned.refused)
    for words in ("{P999}", "instance of Q571", "on line 3 already", "Write words between", "P1 isn't", "“Douglas”"):
        assert words in said


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("wordings: {P569: [{label: a}], P569: []}", 1, "“P569” is on line 1 already"),
        ("wordings:\n  P569:\n    - label: a\n      label: b\n", 4, "“label” is on line 3 already"),
        ("wordings:\n  P569:\n    - label: a\n      pattern: b\n", 3, "either"),
        ("wordings:\n  P569:\n    - class: Q5\n", 3, "either"),
        ("wordings:\n  P569:\n    - class: 5\n      label: a\n", 3, "like Q5"),
        ("wordings:\n  P569:\n    - label: [a]\n", 3, "takes a text"),
        ("wordings:\n  P569:\n    - name: a\n", 3, "“name” is not known"),
        ("wordings:\n  P569:\n    - a\n", 3, "has “label” or “pattern”"),
        ("wordings:\n  P569: a\n", 2, "stands a list"),
        ("wordings:\n  [P569]: a\n", 2, "A key is a word"),
        ("wordings: {}\nwordings: {}\n", 2, "is on line 1 already"),
    ],
)
def test_each_mistake_is_named_with_its_line(text: str, line: int, words: str) -> None:
    (mistake, *_) = read(text).mistakes
    assert mistake.line == line
    assert words in mistake.complaint


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "begins with"),
        ("- a", "begins with"),
        ("P569: []", "begins with"),
        ("wordings: 3", "begins with"),
        ("wordings: {", "Line 2: this isn't YAML"),
        ("wordings: {P569: &a [*a]}", "anchors"),
        ("wordings: !!python/object:os.system {}", "tags"),
        ("wordings: " + "[" * 100_000, "nest"),
        ("wordings: " + "[" * 9 + "]" * 9, "nested too deeply"),
        ("wordings: {}\n--- \nwordings: {}", "isn't YAML"),
        ("wordings: {}\n\x00", "YAML"),
        ("a" * 500_001, "larger"),
    ],
)
def test_what_is_no_file_of_wordings_is_refused_in_a_line_and_at_once(text: str, words: str) -> None:
    began = time.monotonic()
    with pytest.raises(NotAWordingFile) as refused:
        read(text)
    assert words in refused.value.complaint
    assert time.monotonic() - began < 2


def test_a_large_file_is_read_in_time() -> None:
    text = "wordings:\n" + "".join(f'  P{n}:\n    - label: "name {n}"\n' for n in range(1, 10_000))
    began = time.monotonic()
    assert len(read(text).entries) == 9_999
    assert time.monotonic() - began < 5


texts = st.text(min_size=1, max_size=30).filter(lambda text: text.strip() and "\x00" not in text).map(str.strip)
overrides = st.builds(Override, st.sampled_from(["label", "pattern"]), texts.filter(bool))
classes = st.none() | st.integers(1, 300).map(lambda number: f"Q{number}")
wordings = st.dictionaries(
    st.integers(1, 12_000).map(lambda number: f"P{number}"), st.dictionaries(classes, overrides, max_size=4), max_size=4
)


@given(wordings, st.text(max_size=20))
def test_whatever_is_written_is_read_as_it_was(given_ones: dict[str, dict[str | None, Override]], name: str) -> None:
    text = write(given_ones, dict.fromkeys(given_ones, name))
    file = read(text)
    assert not file.mistakes
    found: dict[str, dict[str | None, Override]] = {property_id: {} for property_id in file.properties}
    for entry in file.entries:
        found[entry.property_id][entry.subject_class] = entry.override
    assert found == given_ones
    assert write(found, dict.fromkeys(found, name)) == text
    assert write(dict(reversed(found.items())), dict.fromkeys(found, name)) == text


@given(st.text("wordings:P1-{}[]\n \"'#&*!|>?,abl", max_size=120))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(NotAWordingFile):
        assert read(text).properties is not None


SAVED = st.lists(
    st.tuples(
        st.sampled_from([("P569", "launched"), ("P569", "born"), ("P57", "director"), ("P569", BORN + "[ as {P580}]")]),
        st.sampled_from([None, SHIP, "Q5"]),
    ),
    max_size=5,
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(SAVED)
def test_giving_out_and_bringing_in_changes_nothing(
    session: Session, known: None, saved: list[tuple[tuple[str, str], str | None]]
) -> None:
    for (property_id, text), subject_class in saved:
        wording = "pattern" if "{" in text else "label"
        whom = subject_class if property_id == "P569" else None
        save_override(session, property_id, wording, text, "Ada", whom)
    text = export(session)
    planned = plan(session, read(text), all_properties=True)
    assert (planned.changes, planned.refused) == ((), ())
    assert export(session) == text
    session.rollback()


def test_what_is_saved_is_one_transaction(session: Session, known: None) -> None:
    judged(session, number=4)
    planned = plan(session, read(FILE))
    done = carry_out(session, planned, "Ada", "")
    assert done.queued > 0
    session.rollback()
    assert export(session) == "wordings: {}\n"
    again = plan(session, read(FILE))
    assert again.digest == planned.digest
    save_override(session, "P569", "label", "born", "Eve")
    assert plan(session, read(FILE)).digest != planned.digest
