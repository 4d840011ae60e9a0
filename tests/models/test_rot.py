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


@pytest.mark.parametrize(
    "text",
    [
        "<p>Two harbours in oil.</p><p>Acquired 1923, gift of the Friends 1954.</p>",
        "<p>He painted harbours. Text of 1998, updated in 2012.</p>",
        "<p>Three sketchbooks came in 1961 from Mrs Ellen Bruun (1890–1972), born in 1890 in Aabro.</p>",
        "<p>He had a daughter. Born in 1844, she printed his letters.</p>",
    ],
)
def test_years_that_are_no_life_say_nothing(text: str) -> None:
    assert outcome(f"<title>Erik Holmgaard</title><h1>Erik Holmgaard</h1>{text}") is None


@pytest.mark.parametrize(
    "text",
    [
        "<p>b. 1971, Odder</p>",
        "<table><tr><td>Born</td><td>1971</td></tr></table>",
        "<p>Erik Holmgaard, born 1971.</p>",
    ],
)
def test_a_namesake_by_his_birth(text: str) -> None:
    page = f"<h1>Erik Holmgaard</h1>{text}<p>He throws stoneware and fires it with birch, in a yard by the sea.</p>"
    assert outcome(page) is Outcome.REDIRECTED_ELSEWHERE
    assert outcome(page + "<p>The namesake of 1811 was a painter.</p>") is None


def test_a_father_of_the_same_name_on_his_page() -> None:
    page = (
        "<h1>Erik Holmgaard (1811–1880)</h1><p>Son of the skipper Erik Holmgaard (1779–1840), he drew in his teens.</p>"
    )
    assert outcome(page) is None


CHURCH = Statement(
    "Q4$1", Term("Q4", "Old Bremnes Church"), Term("P149", "style"), "wikibase-item", EntityValue(Term("Q5", "Gothic"))
)


def test_the_new_church_for_the_old() -> None:
    new = (
        "<h1>New Bremnes Church</h1><p>The white church stands by the fjord and has four hundred seats in two rows.</p>"
    )
    assert outcome(new, statement=CHURCH) is Outcome.REDIRECTED_ELSEWHERE
    assert outcome(new.replace("New Bremnes Church", "The old church and the new church of Bremnes"),
                   statement=CHURCH) is None  # fmt: skip


def film(description: str) -> Statement:
    tom = EntityValue(Term("Q7", "Aubrey Fenn"))
    return Statement("Q6$1", Term("Q6", "The Dovecote", (), description), Term("P57", "director"), "wikibase-item", tom)


def test_a_remake_for_the_film() -> None:
    page = (
        "<title>The Dovecote (2016)</title><h1>The Dovecote</h1><p>A translator inherits a house in the Ardennes.</p>"
    )
    assert outcome(page, statement=film("1948 British film")) is Outcome.REDIRECTED_ELSEWHERE
    assert outcome(page, statement=film("2014 British film")) is None
    assert outcome(page.replace(" (2016)", ", on disc 2016"), statement=film("1948 British film")) is None


def test_a_work_of_the_same_title_by_somebody_else() -> None:
    page = (
        "<title>The Dovecote by Dan Prescott</title><h1>The Dovecote</h1><p>A walker's guide to old pigeon houses.</p>"
    )
    assert outcome(page, statement=film("novel by Margery Quill")) is Outcome.REDIRECTED_ELSEWHERE
    assert outcome(page.replace("Dan Prescott", "M. Quill"), statement=film("novel by Margery Quill")) is None


@pytest.mark.parametrize(
    "remark",
    [
        "Provenance: No records found",
        "No image available",
        "Availability: Item not available",
        "No results available",
        "This video is no longer available.",
        "The birth record could not be found.",
    ],
)
def test_a_remark_about_one_field_is_none_about_the_page(remark: str) -> None:
    page = f"<title>Erik Holmgaard</title><h1>Erik Holmgaard</h1><p>Harbours and winter light.</p><p>{remark}</p>"
    assert outcome(page) is None


def test_a_headline_may_stay_where_the_page_is_gone() -> None:
    page = "<h1>Erik Holmgaard</h1><p>This profile is no longer available.</p>"
    assert outcome(page + SITE) is Outcome.REDIRECTED_ELSEWHERE


def test_a_gambler_has_his_page_and_spam_has_none() -> None:
    gambler = (
        "<title>Erik Holmgaard - poker player</title><h1>Erik Holmgaard, poker player</h1><p>He left for a casino.</p>"
    )
    spam = (
        "<title>Best casinos 2024 | Erik Holmgaard</title><h1>Real money slots</h1><p>Free spins and bonus codes.</p>"
    )
    assert outcome(gambler + SITE) is None
    assert outcome(spam + SITE) is Outcome.REDIRECTED_ELSEWHERE


def test_a_list_that_was_asked_for() -> None:
    names = "".join(
        f"<li><a href='/{name}'>{name} Amundsen</a></li>" for name in ("Ada", "Bo", "Cai", "Dag", "Eli", "Finn")
    )
    names += "<li><a href='/e'>Erik Holmgaard</a></li>"
    body = f"<title>Notable painters</title><h1>Notable painters</h1><ul>{names}</ul>"
    raw = f"<!doctype html><html><body>{body}</body></html>".encode()

    def said(asked: str) -> NotJudged | None:
        document = Document(asked, asked, 200, (("content-type", "text/html"),), raw, "", datetime.now(UTC))
        page = read(document)
        assert not isinstance(page, NotJudged)
        return rot(page, PAINTER, match_page(PAINTER, PageWords(page)))

    assert said("https://records.example/about/notable-painters") is None
    assert said("https://records.example/person/4711") is not None


def test_a_page_about_challenges_is_none() -> None:
    vendor = Statement("Q8$1", Term("Q8", "Gatemoth"), Term("P571", "inception"), "time", TimeValue(2011, 1, 1, 9))
    page = (
        "<title>Gatemoth: a captcha</title><h1>Gatemoth: a captcha</h1><p>It stops bots and scrapers on two sites.</p>"
    )
    assert outcome(page + SITE, statement=vendor) is None
    asked = "<title>Gatemoth</title><h1>One moment</h1><p>Verify that you are human. Captcha by Gatemoth.</p>"
    assert outcome(asked + SITE, statement=vendor) is Outcome.BOT_WALL


def test_a_question_of_age_above_a_page() -> None:
    brewery = Statement("Q9$1", Term("Q9", "Fennhollow"), Term("P571", "inception"), "time", TimeValue(1994, 1, 1, 9))
    gate = "<p>You must be of legal drinking age to enter. Are you 21 or over?</p>"
    page = (
        "<h1>Fennhollow</h1><p>Six ales, brewed in an old creamery by the rail bed. Open from noon.</p>"
        "<p>14 Creamery Lane, Hartsbrook.</p><p>Please drink responsibly.</p>"
    )
    assert outcome(f"<title>Fennhollow</title>{gate}{page}", statement=brewery) is None
    assert outcome(f"<title>Fennhollow</title>{gate}<p>Enjoy responsibly.</p>", statement=brewery) is Outcome.BLOCKED


def test_what_members_may_add_is_no_wall() -> None:
    page = "<h1>Erik Holmgaard</h1><p>Husband of Anna. Buried at Aabro by the sea.</p><input type=password>"
    assert outcome(page + "<p>Log in to edit. Forgot your password?</p>") is None


@pytest.mark.parametrize(
    ("came", "expected"),
    [
        ("https://id.example/x?returnUrl=https%3A%2F%2Frecords.example%2Fperson%2F4711", Outcome.BLOCKED),
        ("https://authorities.example/person/4711-holmgaard", None),
        ("https://records.example/people/holmgaard?redirectedFrom=/person/4711", None),
    ],
)
def test_a_gate_leads_back_and_an_authority_file_is_none(came: str, expected: Outcome | None) -> None:
    name = "Who are you?" if expected else "Erik Holmgaard"
    assert outcome(f"<title>{name}</title><h1>{name}</h1>{SITE}", came) is expected
    assert outcome(BIOGRAPHY, came) is None


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
