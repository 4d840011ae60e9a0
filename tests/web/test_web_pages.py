"""The pages about items, properties, domains, runs and the whole."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser, LexborNode
from sqlalchemy import Engine, select, text, update
from sqlalchemy.orm import Session

from config import Config
from models.evidence import Stance
from models.outcome import NotJudged, Outcome
from models.statement import Term
from store import schema
from store.reports.refresh import refresh
from store.requests import ask
from store.reviews import decide
from store.runs import save_place, start_run
from store.taken_out import put_taken_out
from tests.web.desk import ADAMS, ALL_TERMS, BIRTHDAY, BIRTHTOWN, BORN, LOST, STUDIES, fill, text_snak
from tests.web.forms import send, sign_in
from web.numbers import Entry, run_account


def main(client: FlaskClient, path: str, status: int = 200) -> LexborNode:
    """The main part of a page."""
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    found = LexborHTMLParser(answer.text).css_first("main")
    assert found is not None
    return found


def words(node: LexborNode | None) -> str:
    """The text of a node with single spaces."""
    assert node is not None
    return " ".join(node.text().split())


def spaced(node: LexborNode | None) -> str:
    """The text of a node with a space between any two of its parts."""
    assert node is not None
    return " ".join(node.text(separator=" ").split())


def table(node: LexborNode, selector: str) -> list[list[str]]:
    """The rows of a table's body, cell by cell."""
    (found,) = node.css(selector)
    return [[words(cell) for cell in row.css("th, td")] for row in found.css("tbody tr")]


EMPTY = ("/overview", "/properties", "/domains", "/runs", "/item/Q42")
FULL = (*EMPTY, "/property/P569", "/run/1", "/domain/library.example.org", "/item/Q567")


@pytest.mark.parametrize("path", EMPTY)
def test_every_page_is_there_before_anything_was_walked(client: FlaskClient, path: str) -> None:
    assert words(main(client, path))


@pytest.mark.parametrize("path", FULL)
def test_every_page_holds_to_the_strict_policy_and_has_one_heading(
    client: FlaskClient, pairs: list[int], path: str
) -> None:
    answer = client.get(path)
    assert " style=" not in answer.text
    assert "<style" not in answer.text
    assert "onclick" not in answer.text
    found = main(client, path)
    assert len(found.css("h1")) == 1
    ids = [node.attributes["id"] for node in found.css("[id]")]
    assert len(ids) == len(set(ids))
    for svg in found.css("svg[role=img]"):
        assert all(words(found.css_first(f"#{name}")) for name in (svg.attributes["aria-labelledby"] or "").split())


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/item/42", "isn’t the id of an item"),
        ("/item/P31", "isn’t the id of an item"),
        ("/item/Q0", "isn’t the id of an item"),
        ("/item/<script>", "isn’t the id of an item"),
        ("/property/P999", "has met no property with the id “P999”"),
        ("/property/Q42", "has met no property"),
        ("/domain/nowhere.example", "cites “nowhere.example”"),
        ("/domain/" + "x" * 300, "No reference"),
        ("/run/77", "There is no run “77”"),
        ("/run/x", "There is no run “x”"),
        ("/run/99999999999999999999", "There is no run"),
    ],
)
def test_what_isnt_known_is_said_clearly(client: FlaskClient, pairs: list[int], path: str, says: str) -> None:
    assert says in words(main(client, path, 404))


@pytest.mark.parametrize(
    "path",
    [
        "/domains?sort=colour",
        "/domains?least=many",
        "/domains?after=x",
        "/domains?after=nan~x",
        "/domains?after=1~%00",
        "/properties?named=" + "x" * 101,
        "/item/Q42?after=Q1",
        "/runs?before=x",
    ],
)
def test_an_address_that_cant_be_read_is_said_to_be_so(client: FlaskClient, pairs: list[int], path: str) -> None:
    assert "in the address" in words(main(client, path, 400))


@pytest.mark.parametrize(("typed", "meant"), [("/item/q42", "/item/Q42"), ("/property/p569", "/property/P569")])
def test_small_letters_lead_to_the_page(client: FlaskClient, pairs: list[int], typed: str, meant: str) -> None:
    answer = client.get(typed)
    assert (answer.status_code, answer.location) == (301, meant)


# An item


def test_an_item_never_checked_says_so_with_a_button_and_no_score(client: FlaskClient, session: Session) -> None:
    assert "Sign in to have it checked" in words(main(client, "/item/Q999"))
    sign_in(client)
    found = main(client, "/item/Q999")
    assert "Never checked" in words(found)
    assert "so there is no score" in words(found)
    assert "%" not in words(found)
    answer = send(client, "/item/Q999", "/item/Q999/check")
    assert (answer.status_code, answer.location) == (303, "/item/Q999")
    (wish,) = session.scalars(select(schema.Request))
    assert (wish.item_id, wish.asked_by, wish.taken_at) == ("Q999", "Ada", None)
    waiting = main(client, "/item/Q999")
    assert "It waits to be checked: Ada asked for it" in words(waiting)
    assert not waiting.css("form[action$='/check']")


def test_only_who_is_signed_in_has_an_item_checked(client: FlaskClient, session: Session) -> None:
    answer = send(client, "/sign-in", "/item/Q999/check")
    assert answer.location is not None
    assert answer.location.startswith("/sign-in")
    assert session.scalars(select(schema.Request)).all() == []
    sign_in(client)
    assert client.post("/item/Q999/check").status_code == 400  # without a form of ours
    assert send(client, "/item/Q999", "/item/P31/check").status_code == 404
    assert session.scalars(select(schema.Request)).all() == []


def test_an_item_that_waits_already_is_asked_for_once(client: FlaskClient, session: Session, pairs: list[int]) -> None:
    sign_in(client)
    form = main(client, "/item/Q42").css_first("form[action$='/check']")
    assert form is not None
    ask(session, "Q42", "Bob")
    session.commit()
    send(client, "/item/Q999", "/item/Q42/check")
    assert "Q42 waits to be checked already." in words(main(client, "/item/Q42"))
    assert len(session.scalars(select(schema.Request)).all()) == 1


def test_what_the_bot_said_of_a_wish_is_shown(client: FlaskClient, session: Session) -> None:
    ask(session, "Q999", "Bob")
    session.execute(update(schema.Request).values(taken_at=datetime.now(UTC), said="it has no <b>reference</b>"))
    session.commit()
    assert "The bot said: it has no <b>reference</b>" in words(main(client, "/item/Q999"))


def test_an_item_shows_each_statement_with_what_was_found(client: FlaskClient, pairs: list[int]) -> None:
    found = main(client, "/item/Q42")
    numbers = [words(entry) for entry in found.css("section[aria-labelledby=h-score] .numbers li")]
    # Two judged, 0.04 and 0.93, whose mean is 0.485; one that refuses access.
    assert numbers[:4] == ["49 % score", "67 % coverage", "3 references", "2 judged"]
    assert "The source refuses access 1" in spaced(found)
    stated = [words(node) for node in found.css(".stated")]
    assert len(stated) == 2  # a place of birth with two references, and a day of birth with one
    assert "place of birth: Cambridge (Q350)" in stated[0]
    assert "The page supports it 93 %" in stated[0]
    assert "403 Forbidden from shut.example.net" in stated[0]
    assert "date of birth: 11 March 1952" in stated[1]
    assert "The page says otherwise 4 %" in stated[1]
    links = {node.attributes["href"] for node in found.css(".stated a")}
    assert {f"/pair/{pairs[0]}", "/property/P19", "/domain/library.example.org"} <= links


def test_decisions_stand_beside_the_score_and_dont_change_it(
    client: FlaskClient, session: Session, pairs: list[int]
) -> None:
    before = words(main(client, "/item/Q42").css_first("section[aria-labelledby=h-score] .numbers"))
    verdict = session.scalars(select(schema.Verdict.id).where(schema.Verdict.pair_id == pairs[0])).one()
    decide(session, verdict, "Ada", "supports")
    session.commit()
    found = main(client, "/item/Q42")
    assert "Ada: The page supports it" in words(found)
    assert words(found.css_first("section[aria-labelledby=h-score] .numbers")) == before


def test_an_items_history_is_drawn_with_its_numbers(client: FlaskClient, session: Session, pairs: list[int]) -> None:
    session.execute(
        update(schema.History)
        .where(schema.History.pair_id == pairs[0])
        .values(at=datetime(2026, 2, 3, 9, tzinfo=UTC), revision=99)
    )
    session.commit()
    found = main(client, "/item/Q42")
    rows = table(found, "section[aria-labelledby=h-history] table")
    assert rows[-1] == ["3 February 2026, 09:00 UTC", "99", "4 %", "100 %", "1", "1"]
    assert rows[0][2:] == ["49 %", "67 %", "2", "3"]
    chart = found.css_first("svg[role=img]")
    assert chart is not None
    assert len(chart.css("path.mark")) == 4
    assert len(chart.css("polyline")) == 2


def test_an_item_that_was_taken_out_shows_nothing_and_isnt_checked(
    client: FlaskClient, session: Session, pairs: list[int]
) -> None:
    put_taken_out(session, "item", "Q42", "an operator", "asked")
    session.commit()
    sign_in(client)
    found = main(client, "/item/Q42")
    assert "taken out on request" in words(found)
    assert not found.css(".stated")
    assert not found.css("form[action$='/check']")
    assert send(client, "/item/Q999", "/item/Q42/check").status_code == 404


def test_an_item_of_many_statements_comes_in_pages(client: FlaskClient, session: Session, config: Config) -> None:
    many = [
        replace(BIRTHTOWN, guid=f"Q42${number:04}", url=f"https://library.example.org/{number}") for number in range(53)
    ]
    fill(session, config.var, many)
    first = main(client, "/item/Q42")
    assert len(first.css(".stated")) == 50
    following = first.css_first("a[rel=next]")
    assert following is not None
    second = main(client, following.attributes["href"] or "")
    assert len(second.css(".stated")) == 3
    assert not second.css("a[rel=next]")


# Properties and domains


def test_a_propertys_numbers_add_up(client: FlaskClient, pairs: list[int], unsure: int) -> None:
    numbers = [words(entry) for entry in main(client, "/property/P69").css(".numbers li")]
    assert numbers == [
        *("2 references", "2 judged", "0 not judged", "0 not checked yet"),
        *("0 supported", "0 the page says otherwise", "1 the page doesn’t say", "1 can’t tell"),
    ]


def test_a_property_shows_what_the_list_has_first_and_leads_on(client: FlaskClient, pairs: list[int]) -> None:
    found = main(client, "/property/P569")
    worst = table(found, "section[aria-labelledby=h-worst] table")
    assert worst == [
        ["Douglas Adams was born on 11 March 1952.", "≠ The page says otherwise", "4 %", "library.example.org"]
    ]
    links = {node.attributes["href"] for node in found.css("a")}
    assert {"/property/P569/wording", "/measured", "/domain/library.example.org"} <= links
    assert "Nobody has decided about a verdict here yet." in words(found)
    assert table(found, "section[aria-labelledby=h-domains] table")[0][0] == "gone.example.net"


def test_editors_agreement_has_its_number_and_interval(client: FlaskClient, session: Session, pairs: list[int]) -> None:
    verdict = session.scalars(select(schema.Verdict.id).where(schema.Verdict.pair_id == pairs[0])).one()
    decide(session, verdict, "Ada", "does_not")
    session.commit()
    (row,) = table(main(client, "/property/P569"), "section[aria-labelledby=h-errors] table")
    assert row == ["The page says otherwise", "1", "1", "100 % (few)", "21 % to 100 %", "0"]


def test_lists_are_sorted_narrowed_and_paged(
    client: FlaskClient, session: Session, config: Config, engine: Engine
) -> None:
    cases = [
        replace(BIRTHTOWN, guid=f"Q42${number:04}", url=f"https://site{number:03}.example/a") for number in range(60)
    ]
    fill(session, config.var, [*cases, BIRTHDAY])
    refresh(engine)
    first = main(client, "/domains?sort=name")
    names = [words(node) for node in first.css("tbody th")]
    following = first.css_first("a[rel=next]")
    assert following is not None
    second = main(client, following.attributes["href"] or "")
    names += [words(node) for node in second.css("tbody th")]
    assert names == ["library.example.org", *(f"site{number:03}.example" for number in range(60))]
    assert next(words(node) for node in main(client, "/domains?sort=score").css("tbody th")) == "library.example.org"
    assert [words(node) for node in main(client, "/domains?named=SITE04").css("tbody th")] == names[41:51]
    assert "None like that" in words(main(client, "/domains?named=%25"))
    assert "None like that" in words(main(client, "/properties?least=1000"))
    assert [words(node) for node in main(client, "/properties?named=BIRTH").css("tbody th")] == [
        "place of birth (P19)",
        "date of birth (P569)",
    ]


def test_a_domain_shows_rot_layouts_hosts_and_the_way_on(
    client: FlaskClient, session: Session, config: Config, engine: Engine
) -> None:
    empty = replace(LOST, url="https://gone.example.net/app/9", outcome=NotJudged(Outcome.NO_TEXT, "nothing there"))
    fill(session, config.var, [LOST, replace(empty, guid="Q567$2")])
    until = datetime.now(UTC) + timedelta(hours=2)
    session.add(
        schema.Host(
            name="gone.example.net",
            delay_s=4,
            day=datetime.now(UTC).date(),
            requests=3,
            failures=5,
            failing_since=datetime(2026, 3, 1, tzinfo=UTC),
            resting_until=until,
            resting_outcome="server_error",
            resting_why="503 Busy",
        )
    )
    session.commit()
    refresh(engine)
    found = main(client, "/domain/gone.example.net")
    assert "Page not found 1" in spaced(found)
    layouts = table(found, "section[aria-labelledby=h-layouts] table")
    assert layouts[0][:6] == ["/app/", "1", "100 %", "0", "1", "0"]
    assert "The page has no text to read" in layouts[0][6]
    rot = table(found, "section[aria-labelledby=h-rot] table")
    assert rot[-1][1:] == ["1", "0", "0", "1", "0", "0"]
    hosts = spaced(found.css_first("section[aria-labelledby=h-hosts]"))
    assert "Left alone until" in hosts
    assert "503 Busy" in hosts
    assert "4 s" in hosts
    assert "5 since 1 March 2026" in hosts
    assert "404 Not Found from gone.example.net" in words(found)
    assert table(found, "section[aria-labelledby=h-properties] table")[0][0] == "date of birth (P569)"


# Runs


def sums(entries: tuple[Entry, ...]) -> int:
    assert all(not entry.parts or sum(part.number for part in entry.parts) == entry.number for entry in entries)
    return sum(entry.number for entry in entries)


COUNTS: dict[str, Any] = {
    "entities": 66,
    "statements": 55,
    "pairs": 42,
    "new": 30,
    "changed": 2,
    "reworded": 1,
    "another_model": 0,
    "retried": 3,
    "old": 0,
    "returned": 1,
    "unchanged": 5,
    "other_bodies": 2,
    "retired": 4,
    "judged": 31,
    "not_judged": 6,
    "failed": 2,
    "lost": 1,
    "stances": {"supports": 25, "refutes": 1, "cant_tell": 5},
    "outcomes": {"not_found": 4, "no_text": 2},
    "malformed_lines": 3,
}


def test_a_runs_accounts_add_up() -> None:
    account = run_account(COUNTS, {"deprecated": 3, "no_value": 0, "reference_without_address": 7})
    assert sums(account.met) == account.all_met == 52
    assert sums(account.selected) == account.all_selected == 42
    assert sums(account.handled) == account.all_handled == 40
    assert account.queued == 39
    assert [entry.words for entry in account.met][:2] == ["Selected to be judged", "The reference has no web address"]
    assert [(entry.words, entry.number) for entry in account.seen] == [
        ("Items and lexemes", 66),
        ("Statements", 55),
        ("References that aren’t there any more, or aren’t judged now", 4),
        ("Malformed lines", 3),
    ]


@pytest.mark.parametrize(
    "counts",
    [
        {},
        {"judged": 3},
        {"judged": 3, "stances": {"supports": 1}},
        {"stances": {"supports": 1}, "outcomes": {"blocked": 2}, "pairs": 5, "new": 0, "not_judged": 0},
        {"pairs": 5, "new": 7},
        {"pairs": 9, "unchanged": 2, "other_bodies": 4},
        {"judged": "many", "stances": None},
    ],
)
def test_what_doesnt_add_up_by_itself_has_a_row_that_says_so(counts: dict[str, Any]) -> None:
    account = run_account(counts, {})
    assert sums(account.handled) == account.all_handled
    assert sums(account.selected) == account.all_selected == counts.get("pairs", 0)
    if "pairs" in counts:
        assert account.all_met == counts["pairs"]


def test_a_run_tells_what_went_in_and_what_came_out(client: FlaskClient, session: Session, pairs: list[int]) -> None:
    save_place(session, 1, {"entity": "Q42"}, COUNTS, {"deprecated": 3, "statement_of_a_new_kind": 1})
    session.execute(
        update(schema.Run).values(
            started_at=datetime(2026, 3, 1, 12, tzinfo=UTC), finished_at=datetime(2026, 3, 1, 12, 1, 20, tzinfo=UTC)
        )
    )
    session.commit()
    found = main(client, "/run/1")
    for name in ("t-met", "t-selected", "t-out"):
        rows = table(found, f"table[aria-labelledby={name}]")
        parts = sum(int(row[1]) for row in rows if not row[0].startswith("of them"))
        assert str(parts) == words(found.css_first(f"table[aria-labelledby={name}] tfoot td"))
    told = spaced(found)
    assert "1 min 20 s" in told
    assert "0.50 references a second" in told
    assert "The statement is deprecated 3" in told
    assert "Statement of a new kind 1" in told
    assert '{"entity":"Q42"}' in told.replace(" ", "")
    assert any(node.attributes["href"] == "/?run=1" for node in found.css("a"))
    (row,) = table(main(client, "/runs"), "table")
    assert row[-6:] == ["4", "42", "39", "40", "31", "6"]


def test_a_run_that_goes_on_or_failed_says_so(client: FlaskClient, session: Session) -> None:
    start_run(session, "a dump", "m", "host/boot.1:4321:17.5")
    session.add(
        schema.Run(
            source="s", model_version="m", state="failed", error="<b>disk full</b>", finished_at=datetime.now(UTC)
        )
    )
    session.commit()
    going, failed = words(main(client, "/run/1")), words(main(client, "/run/2"))
    assert "Running" in going
    assert "host:4321" in going
    assert "not yet" in going
    assert "<b>disk full</b>" in failed
    assert len(main(client, "/runs").css("tbody tr")) == 2


# The whole


def test_the_overview_has_every_figure_with_its_numbers(
    client: FlaskClient, session: Session, pairs: list[int], unsure: int
) -> None:
    for pair, decision in ((pairs[0], "does_not"), (pairs[1], "does_not"), (pairs[2], "cant_tell")):
        verdict = session.scalars(select(schema.Verdict.id).where(schema.Verdict.pair_id == pair)).one()
        decide(session, verdict, "Ada", decision)
    session.commit()
    found = main(client, "/overview")
    numbers = [words(entry) for entry in found.css(".numbers li")]
    assert numbers[:4] == ["6 references", "4 judged", "2 not judged", "0 not checked yet"]
    assert "2 of 3 of all months together: 67 %" in words(found)
    assert table(found, "section[aria-labelledby=h-agreed] table") == [
        ["The page supports it", "1", "0", "0 % (few)", "0 % to 79 %", "0"],
        ["The page says otherwise", "1", "1", "100 % (few)", "21 % to 100 %", "0"],
        ["The page doesn’t say", "0", "0", "–", "–", "1"],
    ]
    for name in ("support", "rot", "reliability", "first", "days", "hours"):
        assert found.css(f"svg[aria-labelledby='{name}-title {name}-text']"), name
        assert found.css(f"section[aria-labelledby=h-{name}] table"), name
    assert table(found, "section[aria-labelledby=h-days] table")[0][1:] == ["4", "2", "5"]


# What comes from Wikidata or the web is never markup


HOSTILE = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>{{ 7 * 7 }}"


def test_hostile_text_is_shown_as_text_on_every_page(
    client: FlaskClient, session: Session, config: Config, engine: Engine
) -> None:
    wicked = Term("Q66", HOSTILE, (), HOSTILE)
    property_ = Term("P66", HOSTILE, (), HOSTILE)
    url = f"https://evil.example/{HOSTILE}/x"
    case = replace(
        BIRTHTOWN, item=wicked, property=property_, url="https://evil.example/", guid="Q66$1", reason=HOSTILE
    )
    case = replace(case, snak=text_snak("P66", HOSTILE), quotes=())
    gone = replace(LOST, item=wicked, property=property_, url=url + "2", guid="Q66$2")
    gone = replace(gone, outcome=NotJudged(Outcome.NO_TEXT, HOSTILE), snak=text_snak("P66", HOSTILE))
    fill(session, config.var, [case, gone, STUDIES], [*ALL_TERMS, wicked, property_])
    session.execute(text("UPDATE pair SET domain = :name WHERE domain = 'evil.example'"), {"name": HOSTILE.lower()})
    session.execute(update(schema.Run).values(source=HOSTILE, worker=HOSTILE, model_version=HOSTILE))
    session.add(schema.Host(name=HOSTILE.lower(), delay_s=1, day=datetime.now(UTC).date(), resting_why=HOSTILE))
    session.commit()
    refresh(engine)
    decide(
        session,
        session.scalars(select(schema.Verdict.id).order_by(schema.Verdict.id)).first() or 0,
        HOSTILE[:60],
        "supports",
    )
    session.commit()
    with client.application.test_request_context():
        domain = client.application.url_for("domains.show", name=HOSTILE.lower().replace("/", ""))
    paths = ["/overview", "/properties", "/domains", "/runs", "/item/Q66", "/property/P66", "/run/1"]
    for path in paths:
        answer = client.get(path)
        assert answer.status_code == 200, path
        body = LexborHTMLParser(answer.text).css_first("main")
        assert body is not None
        assert not body.css("script, img, [onerror]"), path
        assert HOSTILE.lower() in " ".join(body.text().split()).lower() or path == "/overview", path
        assert "49" not in [node.text() for node in body.css("bdi")]
    assert "script" in words(main(client, domain, 404))


def test_a_host_in_another_script_keeps_its_place(client: FlaskClient, session: Session, config: Config) -> None:
    case = replace(BIRTHDAY, item=ADAMS, property=BORN, url="https://دانش.example/صفحه/۱")
    fill(session, config.var, [case])
    found = main(client, "/domain/دانش.example")
    assert found.css_first("h1 bdi") is not None
    assert "دانش.example" in words(found)


def test_a_stance_that_is_unsure_isnt_counted_as_sure(client: FlaskClient, unsure: int) -> None:
    assert Stance.SUPPORTS.value not in words(main(client, "/property/P69").css(".numbers")[1])
    assert "1 can’t tell" in words(main(client, "/property/P69").css(".numbers")[1])
