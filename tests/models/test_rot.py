"""Link rot: what a page shows of itself decides whether it can still be the one that was cited."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.document import Document
from models.outcome import NotJudged, Outcome
from models.read import read
from models.rot import rot
from models.statement import EntityValue, Statement, Term, TimeValue
from models.values.match import match_page
from models.values.page_words import PageWords

ASKED = "https://records.example/person/4711"
PAINTER = Statement(
    "Q1$1",
    Term("Q1", "Erik Holmgaard", (), "Danish painter (1811–1880)"),
    Term("P569", "date of birth"),
    "time",
    TimeValue(1811, 5, 12, 11),
)
BIOGRAPHY = (
    "<title>Erik Holmgaard – Records</title><h1>Erik Holmgaard</h1>"
    "<p>Erik Holmgaard was a painter of harbours and winter light, born on 12 May 1811 in Vejlby. He died in 1880.</p>"
    "<p>His pictures hang in the museums of three countries, and his letters were printed by his daughter.</p>"
)
SITE = "<p>The records hold the lives of forty thousand people who worked in the trades of the harbour towns.</p>"


def why(body: str, came: str = ASKED, statement: Statement = PAINTER) -> NotJudged | None:
    raw = f"<!doctype html><html><body>{body}</body></html>".encode()
    digest = hashlib.sha256(raw).hexdigest()
    document = Document(ASKED, came, 200, (("content-type", "text/html"),), raw, digest, datetime.now(UTC))
    page = read(document)
    if isinstance(page, NotJudged):
        return page
    return rot(page, statement, match_page(statement, PageWords(page)))


def outcome(body: str, came: str = ASKED, statement: Statement = PAINTER) -> Outcome | None:
    said = why(body, came, statement)
    return said.outcome if said else None


def test_a_page_about_the_subject_is_left_alone() -> None:
    assert outcome(BIOGRAPHY) is None
    assert outcome(BIOGRAPHY, "https://records.example/people/erik-holmgaard") is None


@pytest.mark.parametrize(
    "said",
    [
        "<h1>Page not found</h1>",
        "<h1>Oops!</h1><p>We couldn't find the record you are looking for.</p>",
        "<p>This record is no longer available.</p>",
        "<h2>No results for “Erik Holmgaard”</h2>",
        "<h1>Seite nicht gefunden</h1>",
        "<h1>Cette page n'existe plus</h1>",
    ],
)
def test_a_page_that_says_that_nothing_is_here(said: str) -> None:
    assert outcome(said + SITE) is Outcome.REDIRECTED_ELSEWHERE
    assert "nothing here" in (why(said + SITE) or NotJudged(Outcome.NO_TEXT)).detail


@pytest.mark.parametrize(
    "part",
    [
        "<p>His body was not found.</p>",
        "<div>No results found in the shop.</div>",
        "<p>Log in to add a note. Forgot your password? Subscribe from 2 € a month.</p><input type=password>",
        "<p>We use cookies. Accept all. Reject all. Manage preferences.</p>",
        "<p>Checking your browser. Verify you are human.</p>",
        "<p>Browse all records. Showing 1 to 20 of 40,000.</p>",
        "<p>This domain is for sale.</p>",
    ],
)
def test_where_the_page_says_the_value_nothing_beside_it_counts(part: str) -> None:
    assert outcome(BIOGRAPHY + part) is None
    assert outcome(part + BIOGRAPHY) is None


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<title>Just a moment...</title><p>Checking your browser before you go on.</p>", Outcome.BOT_WALL),
        ("<h1>Access denied</h1><p>Unusual traffic came from your network. Reference ID 12.</p>", Outcome.BOT_WALL),
        ("<h1>Sign in</h1><form><p>Please log in to continue.</p><input type=password></form>", Outcome.BLOCKED),
        (
            "<h1>Erik Holmgaard</h1><p>Subscribe to read the full story.</p><p>Already a subscriber?</p>",
            Outcome.BLOCKED,
        ),
        ("<h1>Before you continue</h1><p>We use cookies.</p><p>Accept all</p><p>Reject all</p>", Outcome.BLOCKED),
        ("<h1>records.example</h1><p>This domain is for sale. Buy this domain.</p>", Outcome.REDIRECTED_ELSEWHERE),
    ],
)
def test_what_stands_in_place_of_the_page(body: str, expected: Outcome) -> None:
    assert outcome(body + SITE) is expected


def test_a_front_page_in_place_of_the_page() -> None:
    assert outcome("<title>Records</title><h1>Welcome</h1>" + SITE, "https://records.example/") is (
        Outcome.REDIRECTED_ELSEWHERE
    )


def test_a_page_may_give_a_broken_address_for_itself() -> None:
    broken = '<link rel="canonical" href="http://[bad"><title>Harbour records</title><h1>The harbour</h1>'
    assert outcome(broken + SITE) is Outcome.REDIRECTED_ELSEWHERE


def test_the_front_page_of_whom_it_is_about_is_left_alone() -> None:
    home = "<title>Erik Holmgaard, painter</title><h1>Erik Holmgaard</h1><p>Pictures, letters and a life.</p>" + SITE
    assert outcome(home, "https://holmgaard.example/") is None


def test_search_results_in_place_of_the_page() -> None:
    results = "<h1>Search results</h1><p>Showing 1 to 3 of 214</p>" + "".join(
        f'<p><a href="/person/{number}">Record of a person number {number}</a></p>' for number in range(8)
    )
    assert outcome(results, "https://records.example/search?q=holmgaard") is Outcome.REDIRECTED_ELSEWHERE


def test_a_namesake_of_another_time() -> None:
    player = "<h1>Erik Holmgaard</h1><p>Born 3 February 1988, left back.</p><p>He retired in 2021 after 97 games.</p>"
    assert outcome(player) is Outcome.REDIRECTED_ELSEWHERE


def test_a_record_that_bears_another_name() -> None:
    ship = "<title>MELINDA B</title><h1>MELINDA B</h1><p>Tanker built in 2009, in service under the flag of Malta.</p>"
    steamer = Statement("Q2$1", Term("Q2", "SS Karelia Star"), Term("P176", "manufacturer"), "wikibase-item",
                        EntityValue(Term("Q3", "Helsund Shipyard")))  # fmt: skip
    assert outcome(ship, statement=steamer) is Outcome.REDIRECTED_ELSEWHERE
    assert outcome(ship.replace("Tanker", "Tanker, formerly Karelia Star,"), statement=steamer) is None


def test_the_reason_quotes_the_page() -> None:
    said = why("<h1>The record you asked for does not exist</h1>" + SITE)
    assert said is not None
    assert "“the record you asked for does not exist”" in said.detail


@pytest.mark.parametrize("unit", ["{{ ", "a: ", "- ", "the page is not ", "a b c ", "1 of "])
def test_no_text_keeps_it_long(unit: str) -> None:
    page = f"<h1>{unit * 80}</h1><p>{unit * 60_000}</p>" + f"<p>{unit * 60}</p>" * 200
    start = process_time()
    outcome(page)
    assert process_time() - start < 5


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["p", "h1", "li", "td", "title"]),
            st.text(min_size=1, max_size=80) | st.sampled_from(["Page not found", "Log in", "Erik Holmgaard", "1811"]),
        ),
        min_size=1,
        max_size=12,
    ),
    st.sampled_from([ASKED, "https://records.example/", "https://[bad", "http://x.example/login?next=/person/4711"]),
)
def test_any_page_gets_an_answer(parts: list[tuple[str, str]], came: str) -> None:
    body = "".join(f"<{tag}>{text.replace('<', '')}</{tag}>" for tag, text in parts) + SITE
    said = why(body, came)
    assert said is None or (said.detail and said.outcome.value)
