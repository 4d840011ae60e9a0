"""The pages of worklists: who may make one, what is wrong with a form, how far a list is, and hostile names."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser, LexborNode
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from store import schema, worklists
from store.reviews import decide
from tests.web.forms import send, sign_in, token

FORM = {"name": "Authors", "kind": "items", "items": "Q42\nQ567", "pagepile": "", "sparql": ""}
HOSTILE = "\"'><script>window.hacked = 1</script></title></textarea>{{ 7 * 7 }}%(name)s\u202e<b data-evil>"


@pytest.fixture
def signed(client: FlaskClient) -> FlaskClient:
    """Somebody who is signed in as Ada."""
    sign_in(client)
    return client


def page(client: FlaskClient, path: str) -> LexborHTMLParser:
    answer = client.get(path)
    assert answer.status_code == 200
    return LexborHTMLParser(answer.text)


def one(tree: LexborHTMLParser, selector: str) -> LexborNode:
    found = tree.css(selector)
    assert len(found) == 1, f"{len(found)} of {selector}"
    return found[0]


def words(node: LexborNode | None) -> str:
    assert node is not None
    return " ".join((node.text() or "").split())


def make(session: Session, name: str = "Authors", kind: str = "items", source: str = "Q42 Q567 Q999") -> int:
    made = worklists.make(session, name, kind, source, "Ada")
    session.commit()
    return made


def filled(session: Session, *ids: str, said: str = "") -> int:
    made = make(session)
    assert worklists.take(session, "w", 60) is not None
    assert worklists.fill(session, made, "w", ids, said)
    session.commit()
    return made


def kept(session: Session) -> list[tuple[str, str, str, str]]:
    session.expire_all()
    rows = session.scalars(select(schema.Worklist).order_by(schema.Worklist.id))
    return [(row.name, row.kind, row.source, row.made_by) for row in rows]


@pytest.mark.parametrize(
    ("fields", "source"),
    [
        ({}, "Q42\nQ567"),
        ({"kind": "pagepile", "pagepile": " https://pagepile.toolforge.org/api.php?id=7 "}, "7"),
        ({"kind": "sparql", "sparql": "SELECT ?x\r\nWHERE {}"}, "SELECT ?x\nWHERE {}"),
    ],
)
def test_a_list_is_made_by_the_form(signed: FlaskClient, session: Session, fields: dict[str, str], source: str) -> None:
    form = FORM | fields
    answer = send(signed, "/worklists", "/worklists", **form)
    assert (answer.status_code, answer.location) == (303, "/worklist/1")
    assert kept(session) == [("Authors", form["kind"], source, "Ada")]
    tree = page(signed, "/worklist/1")
    assert "It waits for the bot to resolve it. None was heard of lately" in words(one(tree, "#worklist"))
    assert one(tree, "#worklist").attributes["hx-get"] == "/worklist/1"
    assert words(one(tree, ".source pre")) == " ".join(source.split())
    assert re.search("made by Ada on", words(one(tree, ".lead")))


@pytest.mark.parametrize(
    ("fields", "at", "complaint"),
    [
        ({"name": " "}, "name", "Give the list a name."),
        ({"name": "x" * 201}, "name", "A name has 200 characters at most."),
        ({"kind": "dump"}, "kind", "Choose where the items come from."),
        ({"kind": ""}, "kind", "Choose where the items come from."),
        ({"items": ""}, "items", "Paste the ids of the items."),
        ({"items": "Douglas Adams"}, "items", "No id of an item is in there."),
        ({"items": "Q1 " * 200_000}, "items", "That is too much text: 500000 characters at most."),
        ({"kind": "pagepile", "pagepile": "seven"}, "pagepile", "Give the number of a PagePile, like 12345."),
        ({"kind": "sparql", "sparql": "ASK {}"}, "sparql", "Only a SELECT query gives a list of items."),
    ],
)
def test_what_is_wrong_is_said_at_its_field_and_what_was_typed_stays(
    signed: FlaskClient, session: Session, fields: dict[str, str], at: str, complaint: str
) -> None:
    form = FORM | {"pagepile": "77", "sparql": "select what"} | fields
    answer = send(signed, "/worklists", "/worklists", **form)
    assert answer.status_code == 422
    tree = LexborHTMLParser(answer.text)
    assert words(one(tree, f"#{at}-error")).startswith(complaint)
    assert len(tree.css(".worklist-form .cdx-message--error")) == 1
    if at != "kind":
        field = one(tree, f"#{at}")
        assert field.attributes["aria-invalid"] == "true"
        assert f"{at}-error" in (field.attributes["aria-describedby"] or "").split()
        assert [each.attributes["value"] for each in tree.css("[name=kind][checked]")] == [form["kind"]]
    assert "open" in one(tree, "details.new-list").attributes
    assert one(tree, "#name").attributes["value"] == form["name"]
    assert one(tree, "#pagepile").attributes["value"] == form["pagepile"]
    assert (one(tree, "#sparql").text() or "").strip() == form["sparql"]
    assert (one(tree, "#items").text() or "").strip() == form["items"].strip()
    assert kept(session) == []


def test_a_list_may_be_longer_than_other_forms_and_not_endless(signed: FlaskClient, session: Session) -> None:
    ids = "\r\n".join(f"https://www.wikidata.org/wiki/Q{number}" for number in range(10**8, 10**8 + 10_000))
    assert send(signed, "/worklists", "/worklists", **FORM | {"items": ids}).status_code == 303
    assert kept(session)[0][2].count("\n") == 9_999
    assert send(signed, "/worklists", "/worklists", **FORM | {"items": "Q1 " * 10**6}).status_code == 413


def test_a_form_of_another_site_is_refused(signed: FlaskClient, session: Session) -> None:
    made = make(session)
    for path in ("/worklists", *(f"/worklist/{made}/{what}" for what in ("remove", "restore", "again"))):
        assert signed.post(path, data=FORM).status_code == 400
    assert len(kept(session)) == 1


def test_who_isnt_signed_in_reads_and_is_led_to_sign_in(client: FlaskClient, session: Session) -> None:
    made = filled(session, "Q42")
    for path in ("/worklists", f"/worklist/{made}"):
        tree = page(client, path)
        assert not tree.css("main form")
    invitation = one(page(client, "/worklists"), "main a[href^='/sign-in']")
    assert invitation.attributes["href"] == "/sign-in?next=/worklists"
    csrf = token(client, "/sign-in")
    for path in ("/worklists", *(f"/worklist/{made}/{what}" for what in ("remove", "restore", "again"))):
        answer = client.post(path, data={"csrf_token": csrf, "next": "/worklists", **FORM})
        assert (answer.status_code, answer.location) == (303, "/sign-in?next=/worklists")
    assert len(kept(session)) == 1
    assert worklists.worklists(session, 10)[0].state == "ready"


def test_progress_is_shown_in_numbers_words_and_a_bar(client: FlaskClient, session: Session, pairs: list[int]) -> None:
    made = filled(session, "Q42", "Q567", "Q999", said="1 entry is no item: “<i>Ada</i>”")
    of_pair = select(schema.Verdict.id).where(schema.Verdict.pair_id == pairs[0], schema.Verdict.current)
    decide(session, session.scalars(of_pair).one(), "Ada", "does_not")
    session.commit()
    tree = page(client, f"/worklist/{made}")
    bar = one(tree, "progress")
    assert (bar.attributes["value"], bar.attributes["max"], bar.attributes["aria-label"]) == ("1", "4", "Reviewed")
    assert "1 of 4 reviewed · 25 %" in words(one(tree, ".how-far"))
    told = [(words(name), words(name.next if name.next and name.next.tag == "dd" else None)) for name in tree.css("dt")]
    assert told == [
        ("In the list", "3"),
        ("Known to Citewell", "2"),
        ("With references to judge", "2"),
        ("Wait to be looked at", "1"),
        ("Looked at, without anything to judge", "0"),
        ("All", "5"),
        ("Judged", "3"),
        ("Not judged, since the page couldn’t be read", "2"),
        ("Wait to be judged", "0"),
        ("Reviewed", "1"),
        ("Open", "3"),
    ]
    assert "The bot said: 1 entry is no item: “<i>Ada</i>”" in words(one(tree, "#worklist"))
    assert "hx-get" not in one(tree, "#worklist").attributes
    row = one(page(client, "/worklists"), ".lists tbody tr")
    cells = [words(cell) for cell in row.css("td")]
    assert cells[:4] == ["3", "1 of 4 reviewed · 25 % Review them: Authors", "3", "0"]


def test_items_are_listed_a_page_at_a_time(client: FlaskClient, session: Session, pairs: list[int]) -> None:
    made = filled(session, "Q42", *(f"Q{number}" for number in range(1000, 1060)))
    first = page(client, f"/worklist/{made}")
    rows = [[words(cell) for cell in row.css("th, td")] for row in first.css("tbody tr")]
    assert rows[:2] == [
        ["Douglas Adams (Q42)", "3", "3", "All looked at"],
        ["Q1000", "0", "0", "Waits to be looked at"],
    ]
    assert len(rows) == 50
    following = one(first, "a[rel=next]").attributes["href"] or ""
    second = page(client, following.partition("#")[0])
    assert [words(each) for each in second.css("tbody th")] == [f"Q{number}" for number in range(1049, 1060)]
    assert "There is nothing after" in words(page(client, f"/worklist/{made}?after=61").css_first("main"))
    assert client.get(f"/worklist/{made}?after=x").status_code == 400


def test_what_is_open_is_reviewed_in_the_list_of_references(
    client: FlaskClient, session: Session, pairs: list[int]
) -> None:
    made = filled(session, "Q567")
    (link,) = page(client, f"/worklist/{made}").css("main a.cdx-button--weight-primary")
    assert link.attributes["href"] == f"/?worklist={made}"
    listed = page(client, f"/?worklist={made}")
    assert {words(each) for each in listed.css("table.queue tbody th a[translate=no]")} == {"Q567"}
    assert "Authors" in words(listed.css_first("main"))


def test_a_list_that_failed_or_is_tried_again_says_why(client: FlaskClient, session: Session) -> None:
    made = make(session, kind="sparql", source="SELECT * {}")
    worklists.take(session, "w", 60)
    session.commit()
    assert "The bot resolves it now" in words(one(page(client, f"/worklist/{made}"), "#worklist"))
    worklists.put_off(session, made, "w", "the service is <away>", 60)
    session.commit()
    told = words(one(page(client, f"/worklist/{made}"), "#worklist"))
    assert "It couldn’t be resolved yet, and is tried again after" in told
    assert "Last time: the service is <away>" in told
    session.execute(update(schema.Worklist).values(next_at=schema.Worklist.made_at))
    worklists.take(session, "w", 60)
    worklists.fail(session, made, "w", "a wrong query")
    session.commit()
    tree = page(client, f"/worklist/{made}")
    assert "It couldn’t be resolved: a wrong query" in words(one(tree, ".cdx-message--error"))
    assert "Couldn’t be resolved" in words(one(page(client, "/worklists"), ".lists"))


def test_a_list_is_removed_kept_and_restored(signed: FlaskClient, session: Session) -> None:
    made = filled(session, "Q42")
    path = f"/worklist/{made}"
    assert send(signed, path, f"{path}/remove").location == path
    told = words(page(signed, path).css_first("main"))
    assert "Removed by Ada on" in told
    assert "Removed. It can be restored at any time." in told
    assert not page(signed, "/worklists").css(".lists")
    assert "Authors" in words(one(page(signed, "/worklists?removed=1"), ".lists"))
    assert not page(signed, path).css("form[action$='/again'], form[action$='/remove']")
    send(signed, path, f"{path}/again")
    assert "It is being resolved already, or was removed." in words(page(signed, path).css_first("main"))
    send(signed, path, f"{path}/restore")
    assert "Restored." in words(page(signed, path).css_first("main"))
    assert "Authors" in words(one(page(signed, "/worklists"), ".lists"))


def test_a_list_is_resolved_again(signed: FlaskClient, session: Session) -> None:
    path = f"/worklist/{filled(session, 'Q42')}"
    send(signed, path, f"{path}/again")
    tree = page(signed, path)
    assert "It waits for the bot to resolve it" in words(one(tree, "#worklist"))
    assert not tree.css("form[action$='/again']")
    assert "In the list" in words(one(tree, "#worklist")), "what it had stays meanwhile"


@pytest.mark.parametrize("path", ["/worklist/99", "/worklist/99999999999999999999999", "/worklist/x"])
def test_a_list_that_isnt_there_is_not_found(signed: FlaskClient, path: str) -> None:
    assert signed.get(path).status_code == 404
    for what in ("remove", "restore", "again"):
        assert send(signed, "/worklists", f"{path}/{what}").status_code == 404


@pytest.mark.parametrize("arguments", ["before=x", "before=-1", "before=0", "before=99999999999999999999"])
def test_a_place_that_is_none_is_said(client: FlaskClient, arguments: str) -> None:
    answer = client.get(f"/worklists?{arguments}")
    assert (answer.status_code, "“before” in the address" in answer.text) == (400, True)


def test_lists_come_a_page_at_a_time(client: FlaskClient, session: Session) -> None:
    for number in range(23):
        make(session, f"list {number}")
    names, path = [], "/worklists"
    while path:
        tree = page(client, path)
        names += [words(each) for each in tree.css(".lists th a")]
        following = tree.css("a[rel=next]")
        path = (following[0].attributes["href"] or "") if following else ""
    assert names == [f"list {number}" for number in range(22, -1, -1)]
    assert "The list ends here" in words(page(client, "/worklists?before=1").css_first("main"))


def test_hostile_names_and_sources_are_text(signed: FlaskClient, session: Session) -> None:
    form = FORM | {"name": HOSTILE, "items": f"{HOSTILE} Q42"}
    assert send(signed, "/worklists", "/worklists", **form).status_code == 303
    sign_in(signed, "<script>Eve</script>")
    assert send(signed, "/worklists", "/worklists", **FORM | {"name": "x", "items": HOSTILE}).status_code == 422
    send(signed, "/worklists", "/worklists", **FORM | {"name": "by Eve"})
    for path in ("/worklists", "/worklist/1", "/worklist/2"):
        answer = signed.get(path)
        tree = LexborHTMLParser(answer.text)
        assert not tree.css("[data-evil]")
        assert not [script for script in tree.css("script") if "src" not in script.attributes]
        assert "window.hacked" not in "".join(each.text() or "" for each in tree.css("script"))
        assert "49" not in words(tree.css_first("h1"))
    assert words(one(page(signed, "/worklist/1"), "h1")) == " ".join(HOSTILE.split())
    assert one(page(signed, "/worklist/1"), "h1 bdi")


def test_the_pages_speak_german(client: FlaskClient, session: Session) -> None:
    filled(session, "Q42")
    client.set_cookie("language", "de")
    assert words(one(page(client, "/worklists"), "h1")) == "Arbeitslisten"
