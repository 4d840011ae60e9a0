"""The page of one pair, and decisions about it."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from markupsafe import escape
from selectolax.lexbor import LexborHTMLParser, LexborNode
from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from config import Config
from models.outcome import NotJudged, Outcome
from models.statement import Term
from store import schema
from tests.web.desk import (
    ADAMS,
    ALL_TERMS,
    BIRTHDAY,
    BORN,
    LOST,
    MERKEL_PAGE,
    ROWS,
    UNREAD,
    Case,
    Quote,
    fill,
    text_snak,
)
from tests.web.forms import send, sign_in, token
from web.words import DECISIONS


def body(client: FlaskClient, path: str) -> LexborNode:
    """The page's main part."""
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    main = LexborHTMLParser(answer.text).css_first("main")
    assert main is not None
    return main


def words(node: LexborNode) -> str:
    """The text of a node with single spaces."""
    return " ".join(node.text().split())


def section(main: LexborNode, heading: str) -> LexborNode:
    """The section with this heading."""
    return next(node for node in main.css("section") if words(node.css("h2")[0]) == heading)


def decide(client: FlaskClient, pair: int, decision: str, **fields: object) -> int:
    """Press one of the buttons; the answer's status."""
    verdict = re.search(r'name="verdict" value="(\d+)"', client.get(f"/pair/{pair}").text)
    assert verdict
    sent = {"verdict": verdict[1], "decision": decision, **fields}
    return send(client, f"/pair/{pair}", f"/pair/{pair}/decision", **sent).status_code


def test_claim_statement_and_the_link_to_that_very_statement(client: FlaskClient, pairs: list[int]) -> None:
    main = body(client, f"/pair/{pairs[0]}")
    assert words(main.css("h1")[0]) == "Douglas Adams was born on 11 March 1952."
    statement = section(main, "The statement")
    assert "Douglas Adams (Q42)" in words(statement)
    assert words(statement.css("dt")[0]) == "date of birth (P569)"
    assert words(statement.css("dd")[0]) == "11 March 1952"
    assert words(statement.css("dt")[1]) == "Qualifier: place of birth"
    assert words(statement.css("dd")[1]) == "Cambridge (Q350)"
    assert "Rank: normal" in words(statement)
    links = {words(link): link.attributes["href"] for link in statement.css("a")}
    assert links["This statement on Wikidata"] == (
        "https://www.wikidata.org/wiki/Q42#Q42$D8404CDA-25E4-4334-AF13-A3290BCD9C0F"
    )
    assert links["Q350"] == "https://www.wikidata.org/wiki/Q350"


def test_verdict_with_its_figures_and_where_they_come_from(client: FlaskClient, pairs: list[int]) -> None:
    main = body(client, f"/pair/{pairs[0]}")
    verdict = words(section(main, "Verdict"))
    assert "The page says otherwise" in verdict
    assert "4 % very unlikely" in verdict
    assert BIRTHDAY.reason in verdict
    reading = words(section(main, "The reading"))
    assert "Weighted sumThe page says otherwise Malon’s ruleThe page doesn’t say" in reading
    for part in ("the live page", "1 March 2026, 12:30 UTC", "HTTP 200", "test-1"):
        assert part in reading


def test_passages_with_figures_and_marks(client: FlaskClient, pairs: list[int]) -> None:
    passages = body(client, f"/pair/{pairs[0]}").css("li.passage")
    assert len(passages) == 3
    first = words(passages[0])
    assert "says otherwise" in first
    assert "text · Douglas Adams" in first
    assert "Relevance +0.84 · supports 3 % · says otherwise 92 % · doesn’t say 5 %" in first
    mark = passages[0].css("blockquote mark")[0]
    assert (mark.text(), mark.attributes["class"], mark.attributes["title"]) == (
        "14 March 1952",
        "m-conflict",
        "another value of the same kind",
    )
    assert passages[1].css("mark")[0].attributes["title"] == "the subject, by another name"
    assert "table row" in words(passages[2])
    # What a mark means stands in text as well, for who doesn't hover or doesn't see.
    told = [words(entry) for entry in passages[0].css("ul.named li")]
    assert "“14 March 1952” another value of the same kind" in told


def as_read(client: FlaskClient, pair: int) -> LexborNode:
    """The page as it was read, which is fetched when it is asked for."""
    (read,) = body(client, f"/pair/{pair}/page").css("#read")
    return read


def test_the_best_passage_is_open_and_the_others_are_a_line_each(client: FlaskClient, pairs: list[int]) -> None:
    passages = body(client, f"/pair/{pairs[0]}").css("li.passage > details")
    assert ["open" in passage.attributes for passage in passages] == [True, False, False]
    lines = [words(passage.css(".passage-line")[0]) for passage in passages]
    assert lines[2] == "Title: Dirk Gently's Holistic Detective Agency; Year: 1987"
    assert passages[1].css(".passage-line mark")[0].text() == "Douglas Noel Adams"


def test_the_page_as_it_was_read_leads_to_and_from_each_passage(client: FlaskClient, pairs: list[int]) -> None:
    main = body(client, f"/pair/{pairs[0]}")
    read = as_read(client, pairs[0])
    for number in (1, 2, 3):
        assert main.css(f"#passage-{number} a[href='/pair/{pairs[0]}/page#place-{number}']")
        assert read.css(f"#passage-{number} a[href='#place-{number}']")
        assert read.css(f"#place-{number}")[0].attributes["href"] == f"#passage-{number}"
    marked = [words(mark) for mark in read.css("mark")]
    assert "He was born in Cambridge on 14 March 1952 to Janet and Christopher Adams." in marked
    folded = " ".join(words(details) for details in read.css("details"))
    assert "Home" in folded
    assert "died of a heart attack" not in folded
    assert "died of a heart attack" not in words(main)


def test_the_structure_of_the_page_is_kept_around_the_passages(
    client: FlaskClient, session: Session, config: Config
) -> None:
    (pair,) = fill(session, config.var, [ROWS])
    read = as_read(client, pair)
    assert [(heading.tag, words(heading)) for heading in read.css("h3, h4, h5, h6")] == [
        ("h3", "Ann Lee"),
        ("h4", "Early life"),
        ("h5", "Works"),
        ("h5", "Places"),
    ]
    life, works = read.css("table")
    assert words(life.css("caption")[0]) == "The record of her life"
    names = [words(cell).split("]")[-1] for cell in life.css("th[scope=row]")]
    assert names == ["Born", "First novel", "Died"]
    assert [words(cell) for cell in works.css("thead th[scope=col]")] == ["Title", "Year", "Pages"]
    (row,) = works.css("tr[data-passage]")
    assert [words(mark) for mark in row.css("mark")] == ["The Lighthouse Keepers", "1925", "312"]
    assert words(read.css("li li")[0]).endswith("Born there on the day of the great storm")
    names = [words(name).split("]")[-1] for name in read.css("dt")]
    facts = dict(zip(names, map(words, read.css("dd")), strict=True))
    assert facts["Married"] == "Thomas Hill, a printer, in 1930"
    assert facts["birth date"] == "1901-05-12"
    for number in range(1, 6):
        assert len(read.css(f"#place-{number}")) == 1


def test_a_page_of_very_many_parts_is_shown_around_its_passages(
    client: FlaskClient, session: Session, config: Config
) -> None:
    said = "Ann Lee died in the spring of 1999 in the town of Leeds, where she was born."
    made = f"<h2>Ann</h2>{'<h2>Lee</h2>' * 10_000}<p>{said}</p>{'<h2>Ann</h2>' * 9_000}"
    (pair,) = fill(session, config.var, [replace(ROWS, page=made, quotes=(Quote(said, 0.5, 0.1, 0.1, 0.8),))])
    read = as_read(client, pair)
    assert [words(mark) for mark in read.css("mark")] == [said]
    gaps = [words(gap) for gap in read.css(".read-gap")]
    assert len(gaps) == 2
    assert all("more parts of the page aren’t shown here" in gap for gap in gaps)
    assert len(read.css("h3, h4")) == 2_499


def test_a_passage_says_where_it_stands_and_leads_to_its_text(
    client: FlaskClient, session: Session, config: Config
) -> None:
    (pair,) = fill(session, config.var, [ROWS])
    places = [words(place.css("a")[0]) for place in as_read(client, pair).css(".places li")]
    assert places[0] == "row “Born”, in the table “The record of her life”"
    assert places[1].startswith("row “The Lighthouse Keepers”, column “Year”, in a table, under the heading “Works”")
    assert places[2:] == [
        "in a list, under the heading “Places”",
        "in a list of terms, under the heading “Places”",
        "in structured data, which the page doesn’t show",
    ]
    # The archive is read for such an address when somebody follows the link, and not before.
    led = [client.get(f"/pair/{pair}/live/{number}").location for number in range(1, 6)]
    assert led == [
        f"{ROWS.url}#:~:text=Born-,12%20May%201901,Leeds&text=12%20May%201901%2C%20Leeds",
        f"{ROWS.url}#:~:text=The%20Lighthouse%20Keepers-,1925&text=The%20Lighthouse%20Keepers,1925",
        f"{ROWS.url}#:~:text=Born%20there%20on%20the%20day%20of%20the%20great%20storm",
        f"{ROWS.url}#:~:text=Married,a%20printer%2C%20in%201930",
        ROWS.url,
    ]
    assert client.get(f"/pair/{pair}/live/6").status_code == 404
    assert client.get(f"/pair/{pair}/live/0").status_code == 404


def test_a_page_that_isnt_read_shows_where_it_names_the_value_and_no_figure(
    client: FlaskClient, session: Session, config: Config
) -> None:
    (pair,) = fill(session, config.var, [UNREAD])
    main = body(client, f"/pair/{pair}")
    assert "The text is in German (de)" in words(section(main, "Verdict"))
    named = section(main, "Where the page names the value")
    assert re.search("Citewell doesn’t read (German|the page’s language), so it doesn’t judge.", words(named))
    assert [words(mark) for mark in named.css("li.passage blockquote mark")] == ["12. Mai 1901", "Ann Lee"]
    assert not named.css(".cdx-info-chip")
    for figure in ("Relevance", "supports", "doesn’t say"):
        assert figure not in words(named)
    read = as_read(client, pair)
    assert words(read.css("mark")[0]).startswith("Ann Lee war")
    assert {node.attributes["lang"] for node in read.css("[lang]")} == {"de"}


def test_no_model_of_language_is_loaded_to_show_a_page(config: Config, engine: Engine, pairs: list[int]) -> None:
    code = f"""
import sys
from pathlib import Path
from sqlalchemy import create_engine
from config import Config
from web import create_app
app = create_app(Config(var=Path({str(config.var)!r})), create_engine({engine.url.render_as_string(False)!r}))
assert "The page as it was read" in app.test_client().get("/pair/{pairs[0]}/page").text
assert "spacy" not in sys.modules
"""
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", code], check=False, cwd=root, timeout=120, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


def test_source_and_archived_copy_are_linked_with_care(client: FlaskClient, pairs: list[int]) -> None:
    main = body(client, f"/pair/{pairs[0]}")
    links = section(main, "The source").css("ul.sources a")
    assert [link.attributes["href"] for link in links] == [BIRTHDAY.url, BIRTHDAY.archived]
    for link in main.css("a"):
        address = link.attributes["href"] or ""
        if address.startswith("http"):
            assert "noopener" in (link.attributes["rel"] or ""), address
            assert "noreferrer" in (link.attributes["rel"] or ""), address
    (live,) = main.css("#passage-1 a[data-live]")
    assert live.attributes["href"] == f"/pair/{pairs[0]}/live/1"
    assert live.attributes["rel"] == "noopener noreferrer nofollow"
    led = client.get(f"/pair/{pairs[0]}/live/1")
    assert led.status_code == 302
    assert (led.location or "").startswith(f"{BIRTHDAY.url}#:~:text=He%20was%20born%20in%20Cambridge")


def test_a_pair_not_judged_shows_why_with_the_host_and_no_figure(client: FlaskClient, pairs: list[int]) -> None:
    main = body(client, f"/pair/{pairs[3]}")
    verdict = words(section(main, "Verdict"))
    assert "Page not found" in verdict
    assert "404 Not Found from gone.example.net" in verdict
    assert "neither for nor against" in verdict
    assert not main.css(".gauge")
    assert not main.css(".passage")


def test_other_references_of_the_statement(client: FlaskClient, pairs: list[int]) -> None:
    others = section(body(client, f"/pair/{pairs[1]}"), "Other references of this statement")
    assert "shut.example.net" in words(others)
    assert "The source refuses access" in words(others)
    assert others.css("a")[0].attributes["href"] == f"/pair/{pairs[4]}"


def test_the_list_one_came_from_is_kept(client: FlaskClient, pairs: list[int]) -> None:
    main = body(client, f"/pair/{pairs[0]}?state=all&domain=library.example.org")
    back, following = main.css(".crumbs a")
    assert back.attributes["href"] == "/?domain=library.example.org&state=all"
    assert following.attributes["href"] == f"/pair/{pairs[1]}?domain=library.example.org&state=all"
    assert "Next in the list" not in words(body(client, f"/pair/{pairs[1]}?domain=library.example.org"))


@pytest.mark.parametrize(
    "path", ["/pair/999999", "/pair/99999999999999999999999", "/pair/x", "/property/P999", "/property/P569%00", "/no"]
)
def test_what_is_not_there_is_said_in_words(client: FlaskClient, pairs: list[int], path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "Not found" in answer.text
    assert "To the list of references" in answer.text


@pytest.mark.parametrize(
    ("decision", "shown"),
    [(decision, str(sign.words)) for decision, sign in DECISIONS.items()],
)
def test_a_decision_is_kept_with_who_and_when_and_can_be_undone(
    client: FlaskClient, session: Session, pairs: list[int], decision: str, shown: str
) -> None:
    sign_in(client, "Ada Lovelace")
    assert decide(client, pairs[0], decision) == 303
    review = session.scalars(select(schema.Review)).one()
    assert (review.decision, review.reviewer, review.undone_at) == (decision, "Ada Lovelace", None)
    decided = words(body(client, f"/pair/{pairs[0]}").css(".decided li")[0])
    assert decided.startswith(f"{shown} – Ada Lovelace, ")
    answer = send(client, f"/pair/{pairs[0]}", f"/pair/{pairs[0]}/undo", review=review.id)
    assert answer.status_code == 303
    session.expire_all()
    assert session.scalars(select(schema.Review)).one().undone_at is not None
    assert shown not in " ".join(words(node) for node in body(client, f"/pair/{pairs[0]}").css(".decided"))


def test_a_second_decision_takes_the_place_of_the_first(client: FlaskClient, pairs: list[int]) -> None:
    sign_in(client)
    decide(client, pairs[0], "supports")
    decide(client, pairs[0], "does_not")
    reviews = body(client, f"/pair/{pairs[0]}").css("ul[aria-label=Decisions] li")
    assert len(reviews) == 1
    assert "The page does not" in words(reviews[0])


def test_two_editors_are_shown_to_each_other_and_undo_only_their_own(
    client: FlaskClient, session: Session, pairs: list[int]
) -> None:
    sign_in(client, "Ada")
    decide(client, pairs[0], "supports")
    first = session.scalars(select(schema.Review)).one().id
    send(client, "/", "/sign-out")
    sign_in(client, "Grace")
    decide(client, pairs[0], "does_not")
    reviews = body(client, f"/pair/{pairs[0]}").css("ul[aria-label=Decisions] li")
    assert [bool(review.css("form")) for review in reviews] == [True], "the other's stands among those that disagree"
    assert send(client, f"/pair/{pairs[0]}", f"/pair/{pairs[0]}/undo", review=first).status_code == 409
    session.expire_all()
    assert session.get_one(schema.Review, first).undone_at is None


def test_who_disagrees_is_told_on_the_list_and_shown_both_sides(client: FlaskClient, pairs: list[int]) -> None:
    sign_in(client, "Ada")
    decide(client, pairs[0], "supports")
    assert "decided otherwise" not in words(body(client, "/"))
    assert "Nobody disagrees" in words(body(client, "/disputed"))
    send(client, "/", "/sign-out")
    sign_in(client, "Grace")
    decide(client, pairs[0], "does_not")
    assert "About 1 pair somebody else decided otherwise than you" in words(body(client, "/"))
    (dispute,) = body(client, "/disputed").css(".disputes > li")
    assert dispute.css("a")[0].attributes["href"] == f"/pair/{pairs[0]}"
    assert [words(side).split(":")[0] for side in dispute.css("li li")] == ["Grace (you)", "Ada"]
    both = section(body(client, f"/pair/{pairs[0]}"), "⇄ People disagree about this pair")
    assert "Ada: ✓ The page supports it" in words(both)
    send(client, "/", "/sign-out")
    assert "Sign in to see" in words(body(client, "/disputed"))


@pytest.mark.parametrize("decision", schema.DECISIONS)
def test_what_is_to_be_mended_has_a_way_on(client: FlaskClient, pairs: list[int], decision: str) -> None:
    sign_in(client)
    decide(client, pairs[0], decision)
    mends = body(client, f"/pair/{pairs[0]}").css("#h-source ~ p .mend")
    assert bool(mends) == (decision in ("does_not", "gone", "wrong_statement"))
    if mends:
        links = [link.attributes["href"] for link in mends[0].css("a")]
        assert links == [
            "https://www.wikidata.org/wiki/Q42#Q42$D8404CDA-25E4-4334-AF13-A3290BCD9C0F",
            BIRTHDAY.archived,
        ]
        assert words(mends[0].css("code")[0]) == "14 March 1952"


def test_without_an_archived_copy_one_is_looked_for(client: FlaskClient, pairs: list[int]) -> None:
    sign_in(client)
    decide(client, pairs[3], "gone")
    links = [link.attributes["href"] for link in body(client, f"/pair/{pairs[3]}").css(".mend a")]
    assert links[-1] == f"https://web.archive.org/web/*/{LOST.url}"


def offered(client: FlaskClient, pair: int) -> list[str | None]:
    """The decisions that the page of a pair has buttons for."""
    return [button.attributes["value"] for button in body(client, f"/pair/{pair}").css("button[name=decision]")]


def test_where_no_page_was_read_nothing_is_offered_about_what_it_says(
    client: FlaskClient, session: Session, config: Config, pairs: list[int]
) -> None:
    sign_in(client)
    (unread,) = fill(session, config.var, [UNREAD])
    assert offered(client, pairs[0]) == offered(client, unread) == list(schema.DECISIONS)
    assert offered(client, pairs[3]) == ["cant_tell", "gone", "wrong_statement", "bad_wording"]
    assert "No page was read" in words(section(body(client, f"/pair/{pairs[3]}"), "Your decision"))
    assert decide(client, pairs[3], "does_not") == 409
    assert decide(client, pairs[3], "cant_tell") == 303
    assert session.scalars(select(schema.Review)).one().decision == "cant_tell"


def test_a_verdict_that_cant_tell_says_what_it_leans_to(client: FlaskClient, unsure: int) -> None:
    verdict = section(body(client, f"/pair/{unsure}"), "Verdict")
    assert words(verdict.css(".verdict-line")[0]).startswith("? Can’t tell 72 % not sure enough to say")
    assert "it leaves the decision to you" in words(verdict)
    assert verdict.css(".gauge-unsure")
    assert offered(client, unsure) == list(schema.DECISIONS)


def test_from_an_unsure_pair_on_to_the_next(client: FlaskClient, pairs: list[int], unsure: int) -> None:
    links = body(client, f"/pair/{unsure}").css(".crumbs a")
    assert links[1].attributes["href"] == f"/pair/{pairs[1]}"


def test_a_decision_about_a_verdict_that_was_replaced_is_refused(
    client: FlaskClient, session: Session, pairs: list[int]
) -> None:
    sign_in(client)
    other = session.scalars(select(schema.Verdict.id).where(schema.Verdict.pair_id == pairs[1])).one()
    assert decide(client, pairs[0], "supports", verdict=other) == 409
    assert session.scalars(select(schema.Review)).all() == []


@pytest.mark.parametrize(
    ("fields", "status"),
    [({"decision": "delete"}, 400), ({"verdict": "x"}, 400), ({"verdict": "9" * 30}, 400), ({"verdict": "-1"}, 400)],
)
def test_bad_fields_of_a_decision(
    client: FlaskClient, pairs: list[int], fields: dict[str, object], status: int
) -> None:
    sign_in(client)
    sent = {"verdict": 1, "decision": "supports", **fields}
    assert send(client, f"/pair/{pairs[0]}", f"/pair/{pairs[0]}/decision", **sent).status_code == status


def test_a_decision_keeps_the_filters_of_the_list(client: FlaskClient, session: Session, pairs: list[int]) -> None:
    sign_in(client)
    page = f"/pair/{pairs[0]}?property=P569&outcome=none&state=all"
    verdict = re.search(r'name="verdict" value="(\d+)"', client.get(page).text)
    assert verdict
    answer = send(
        client,
        page,
        f"/pair/{pairs[0]}/decision",
        verdict=verdict[1],
        decision="supports",
        property="P569",
        outcome="none",
        state="all",
    )
    following = re.search(r'data-next="([^"]*)"', client.get(page).text)
    assert following
    review = session.scalars(select(schema.Review.id)).one()
    # At the end of the list one stays with what was decided.
    assert answer.location == f"/pair/{pairs[0]}?decided={review}&property=P569&outcome=none&state=all"
    assert following[1] == ""


def test_without_a_name_one_is_asked_for_and_led_back(client: FlaskClient, session: Session, pairs: list[int]) -> None:
    page = f"/pair/{pairs[0]}"
    answer = send(client, page, f"{page}/decision", verdict=1, decision="supports", next=page)
    assert answer.status_code == 303
    assert answer.location == f"/sign-in?next=/pair/{pairs[0]}"
    assert "Sign in first" in client.get(answer.location).text
    assert send(client, answer.location, "/sign-in", name="Ada", next=page).location == f"/sign-in/resume?next={page}"
    assert session.scalars(select(schema.Review)).all() == []


def test_former_verdicts_and_what_ended_a_decision(client: FlaskClient, session: Session, config: Config) -> None:
    (pair,) = fill(session, config.var, [BIRTHDAY])
    sign_in(client)
    decide(client, pair, "does_not")
    again = replace(
        BIRTHDAY,
        page=BIRTHDAY.page.replace("14 March", "11 March"),
        quotes=(Quote("born in Cambridge on", 0.8, 0.9, 0.05, 0.05, (("value", "exact", "11 March 1952"),)),),
        snak=BIRTHDAY.snak,
        qualifiers={},
    )
    assert fill(session, config.var, [again]) == [pair]
    main = body(client, f"/pair/{pair}")
    assert "Former verdicts 1 verdict" in words(section(main, "The reading"))
    assert "No longer stands: the statement changed" in words(section(main, "Your decision"))


def test_a_kept_copy_that_is_lost_is_said_in_words(client: FlaskClient, config: Config, pairs: list[int]) -> None:
    for path in (config.var / "archive").rglob("*.warc.gz"):
        path.unlink()
    assert "The kept copy can’t be read" in words(as_read(client, pairs[0]))
    assert len(body(client, f"/pair/{pairs[0]}").css(".passage")) == 3
    assert client.get(f"/pair/{pairs[0]}/live/1").location == BIRTHDAY.url


HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'><b>{{ 7*191 }}"


def test_text_from_elsewhere_is_shown_as_text(client: FlaskClient, session: Session, config: Config) -> None:
    item = Term("Q9", f"Item {HOSTILE}", (HOSTILE,), f"described {HOSTILE}")
    prop = replace(BORN, label=f"property {HOSTILE}", aliases=(f"alias {HOSTILE}",), description=HOSTILE)
    page = MERKEL_PAGE.replace("Angela Merkel", str(escape(f"Angela {HOSTILE}"))).replace(
        "researcher", str(escape(HOSTILE))
    )
    case = Case(
        item,
        prop,
        text_snak("P569", f"value {HOSTILE}"),
        "https://evil.example/?q=<script>alert(3)</script>\"'",
        page,
        quotes=(Quote("After that she worked", 0.5, 0.2, 0.2, 0.6, (("subject", "exact", "<script>alert(1)"),)),),
        reason=f"reason {HOSTILE}",
        guid='Q9$"><script>alert(4)</script>',
    )
    lost = replace(
        LOST,
        item=item,
        property=prop,
        outcome=NotJudged(Outcome.NOT_FOUND, f"404 {HOSTILE}"),
        url="javascript:alert(5)",
    )
    made = fill(session, config.var, [case, lost], [*ALL_TERMS, item, prop])
    sign_in(client, "Ada <script>alert(6)</script>")
    send(
        client,
        "/property/P569",
        "/property/P569/wording",
        wording="pattern",
        text="<script>alert(7)</script> {subject} {object}",
    )
    decide(client, made[0], "does_not")
    decided = session.scalars(select(schema.Review.id)).one()
    for path in (
        "/",
        "/?outcome=not_found",
        *(f"/pair/{pair}" for pair in made),
        f"/pair/{made[0]}/page",
        f"/pair/{made[1]}?decided={decided}",
        "/property/P569",
        "/property/P569/preview?wording=pattern&text=<script>alert(8)</script>{subject}{object}",
        "/property/P569/preview?wording=pattern&text=<script>alert(8)</script>",
        "/properties",
        "/runs",
        "/pair/<script>alert(9)</script>",
        "/property/<script>alert(9)</script>",
        "/?property=<script>alert(9)</script>",
        '/sign-in?next="><script>alert(9)</script>',
    ):
        tree = LexborHTMLParser(client.get(path).text)
        assert tree.css("img, iframe, object, embed, b") == [], path
        assert all((node.attributes["src"] or "").startswith("/static/") for node in tree.css("script")), path
        assert all(not node.text() for node in tree.css("script")), path
        for node in tree.css("*"):
            for name, value in node.attributes.items():
                assert not name.lower().startswith("on"), (path, name)
                assert name.lower() != "style", path
                if name.lower() in ("href", "src", "action"):
                    assert re.match(r"(https?://|/(?!/)|#)", value or ""), (path, value)
        assert "1337" not in tree.html, path


def test_an_address_that_is_not_of_the_web_is_no_link(client: FlaskClient, session: Session, config: Config) -> None:
    (pair,) = fill(session, config.var, [replace(LOST, url="javascript:alert(1)//example.org")])
    main = body(client, f"/pair/{pair}")
    assert "javascript:" in words(section(main, "The source"))
    assert all(not (link.attributes["href"] or "").startswith("javascript:") for link in main.css("a"))


def test_an_item_without_a_label_shows_its_id(client: FlaskClient, session: Session, pairs: list[int]) -> None:
    session.get_one(schema.Item, ADAMS.id).label = None
    session.commit()
    assert "No label (Q42)" in words(section(body(client, f"/pair/{pairs[0]}"), "The statement"))


def test_a_form_from_elsewhere_changes_nothing(client: FlaskClient, session: Session, pairs: list[int]) -> None:
    sign_in(client)
    fields = {"verdict": 1, "decision": "supports"}
    answer = client.post(f"/pair/{pairs[0]}/decision", data=fields)
    assert answer.status_code == 400
    assert "came from another page" in answer.text
    stale = token(client, "/sign-in")[:-3] + "xyz"
    assert client.post(f"/pair/{pairs[0]}/decision", data={**fields, "csrf_token": stale}).status_code == 400
    for path in ("undo", "decision"):
        assert client.get(f"/pair/{pairs[0]}/{path}").status_code == 405
    assert session.scalars(select(schema.Review)).all() == []
