"""Properties and the form for their wording."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser
from sqlalchemy import select
from sqlalchemy.orm import Session
from werkzeug.test import TestResponse

from config import Config
from models.evidence import Stance
from models.statement import Term
from models.verdict import Claim, Verdict
from store import schema
from store.reviews import decide
from store.trials import finish, take, tried
from store.trials import save as save_trial
from tests.web.desk import ALL_TERMS, BIRTHDAY, BORN, LOST, Case, fill, time_snak
from tests.web.forms import send, sign_in

PATTERN = "{subject} came into the world on {object}."
WHY = "the label reads badly"
READS = "Douglas Adams came into the world on 11 March 1952."


def save(client: FlaskClient, wording: str, text: str) -> TestResponse:
    """Save a wording of P569."""
    return send(client, "/property/P569/wording", "/property/P569/wording", wording=wording, text=text, why=WHY)


def overrides(session: Session) -> list[tuple[str | None, str | None, str, bool]]:
    """All versions, oldest first."""
    session.expire_all()
    rows = session.scalars(select(schema.Override).order_by(schema.Override.id))
    return [(row.wording, row.text, row.author, row.current) for row in rows]


def test_what_is_in_force_is_said(client: FlaskClient, pairs: list[int]) -> None:
    text = client.get("/property/P569/wording").text
    assert "In force: Citewell’s own wording" in text
    assert "Nobody has changed its wording yet" in text


def test_its_names_can_be_chosen(client: FlaskClient, pairs: list[int]) -> None:
    text = client.get("/property/P569/wording").text
    assert re.findall(r'type="radio" id="name-\d" name="text" value="([^"]+)"', text) == [
        "date of birth",
        "born on",
        "birth date",
    ]


@pytest.mark.parametrize(
    ("query", "reads"),
    [({"wording": "pattern", "text": PATTERN}, READS), ({"wording": "label", "text": "birth date"}, "birth date")],
)
def test_the_preview_shows_real_statements_and_saves_nothing(
    client: FlaskClient, session: Session, pairs: list[int], query: dict[str, str], reads: str
) -> None:
    answer = client.get("/property/P569/wording/preview", query_string=query)
    assert answer.status_code == 200
    preview = answer.text.split('id="preview"')[1]
    assert "Douglas Adams was born on 11 March 1952." in preview
    assert reads in preview
    assert "Nothing is saved yet" in preview
    assert overrides(session) == []


def test_saving_queues_the_property_and_says_how_many_wait(
    client: FlaskClient, session: Session, pairs: list[int]
) -> None:
    sign_in(client, "Ada")
    answer = save(client, "pattern", PATTERN)
    assert answer.status_code == 303
    assert answer.location == "/property/P569/wording"
    text = client.get(answer.location).text
    assert "2 pairs wait to be judged again" in text
    assert PATTERN in text
    assert READS in text
    assert overrides(session) == [("pattern", PATTERN, "Ada", True)]
    assert session.get_one(schema.Pair, pairs[0]).state == "waiting"
    assert "Waits to be judged" in client.get(f"/pair/{pairs[0]}").text


def test_history_restore_and_remove(client: FlaskClient, session: Session, pairs: list[int]) -> None:
    sign_in(client, "Ada")
    save(client, "pattern", PATTERN)
    save(client, "label", "born on")
    first = session.scalars(select(schema.Override.id).order_by(schema.Override.id)).first()
    page = "/property/P569/wording"
    assert send(client, page, f"{page}/restore", version=first, why=WHY).status_code == 303
    assert overrides(session)[-1] == ("pattern", PATTERN, "Ada", True)
    assert "(restored)" in client.get(page).text
    assert send(client, page, f"{page}/remove", why=WHY).status_code == 303
    assert overrides(session)[-1] == (None, None, "Ada", True)
    text = client.get(page).text
    assert "In force: Citewell’s own wording" in text
    assert text.count(">Restore …<") == 3


@pytest.mark.parametrize("text", ["no gaps", "{subject} only", "only {object}", "{subject} {object} {thing}", "", " "])
def test_a_bad_pattern_is_refused_with_words(
    client: FlaskClient, session: Session, pairs: list[int], text: str
) -> None:
    sign_in(client)
    for answer in (
        client.get("/property/P569/wording/preview", query_string={"wording": "pattern", "text": text}),
        save(client, "pattern", text),
    ):
        assert answer.status_code == 422
        complaint = re.search(r'id="pattern-error">.*?__content">([^<]+)<', answer.text)
        assert complaint
        assert "brace" in complaint[1] or "subject" in complaint[1] or "object" in complaint[1]
        assert 'aria-invalid="true"' in answer.text
    assert overrides(session) == []


def test_a_name_that_the_property_does_not_have_is_refused(
    client: FlaskClient, session: Session, pairs: list[int]
) -> None:
    sign_in(client)
    answer = save(client, "label", "day of glory")
    assert answer.status_code == 422
    assert "Choose one of the names" in answer.text
    assert overrides(session) == []


@pytest.mark.parametrize(
    ("path", "fields", "status"),
    [
        ("wording", {"wording": "poem", "text": "x"}, 400),
        ("wording/restore", {"version": "x"}, 400),
        ("wording/restore", {"version": "999", "why": WHY}, 409),
    ],
)
def test_bad_fields(client: FlaskClient, pairs: list[int], path: str, fields: dict[str, str], status: int) -> None:
    sign_in(client)
    assert send(client, "/property/P569/wording", f"/property/P569/{path}", **fields).status_code == status


def test_saving_needs_a_name(client: FlaskClient, session: Session, pairs: list[int]) -> None:
    for path, fields in (
        ("wording", {"wording": "pattern", "text": PATTERN}),
        ("wording/restore", {"version": 1}),
        ("wording/remove", {}),
    ):
        answer = send(client, "/sign-in", f"/property/P569/{path}", next="/property/P569/wording", **fields)
        assert answer.location == "/sign-in?next=/property/P569/wording"
    assert overrides(session) == []


TITANIC = Term("Q25173", "RMS Titanic")
SHIP = Term("Q11446", "ship")
LAUNCH = Case(TITANIC, BORN, time_snak("P569", "+1911-05-31T00:00:00Z"), "https://ships.example.org/titanic")
LAUNCHED = "{subject} was launched on {object}."
HUMAN = Term("Q5", "human <b>")


@pytest.fixture
def ship(session: Session, config: Config) -> None:
    """A ship and a person with the same property, neither of them judged."""
    cases = [replace(LAUNCH, classes=(SHIP.id,), outcome=LOST.outcome), replace(BIRTHDAY, classes=(HUMAN.id,))]
    fill(session, config.var, cases, (*ALL_TERMS, TITANIC, SHIP, HUMAN))


def save_for(client: FlaskClient, subject_class: str) -> TestResponse:
    fields = {"wording": "pattern", "text": LAUNCHED, "class": subject_class, "why": WHY}
    return send(client, "/property/P569/wording", "/property/P569/wording", **fields)


def test_the_classes_that_occur_are_offered_with_their_numbers(client: FlaskClient, ship: None) -> None:
    text = client.get("/property/P569/wording").text
    for form in ("label", "pattern"):
        (field,) = re.findall(rf'<select class="cdx-select" id="for-{form}" name="class".*?</select>', text, re.DOTALL)
        assert f'for="for-{form}">For</label>' in text
        assert re.findall(r'<option value="([^"]*)"[^>]*>([^<]*)<', field) == [
            ("", "All subjects"),
            ("Q11446", "ship (Q11446) · 1"),
            ("Q5", "human &lt;b&gt; (Q5) · 1"),
        ]


def test_the_preview_for_a_class_shows_its_statements(client: FlaskClient, session: Session, ship: None) -> None:
    query = {"wording": "pattern", "text": LAUNCHED, "class": "Q11446"}
    answer = client.get("/property/P569/wording/preview", query_string=query)
    assert answer.status_code == 200
    preview = answer.text.split('id="preview"')[1].split("</section>")[0]
    assert "RMS Titanic was launched on 31 May 1911." in preview
    assert "Douglas Adams" not in preview
    assert "those that are <bdi>ship</bdi>" in preview
    assert '<input type="hidden" name="class" value="Q11446">' in preview
    assert '<option value="Q11446" translate="no" selected>' in answer.text
    assert overrides(session) == []


def test_the_preview_for_all_leaves_out_those_with_a_wording_of_their_own(client: FlaskClient, ship: None) -> None:
    sign_in(client)
    save_for(client, "Q11446")
    query = {"wording": "pattern", "text": PATTERN}
    preview = client.get("/property/P569/wording/preview", query_string=query).text.split('id="preview"')[1]
    rows = dict(re.findall(r'<bdi>([^<]+)</bdi></a></th>.*?data-label="Then">(.*?)</td>', preview, re.DOTALL))
    assert "came into the world" in rows["Douglas Adams"]
    assert "The same" in rows["RMS Titanic"]


def test_a_wording_for_a_class_is_saved_shown_restored_and_removed(
    client: FlaskClient, session: Session, ship: None
) -> None:
    sign_in(client, "Ada")
    answer = save_for(client, "Q11446")
    assert answer.status_code == 303
    text = client.get(answer.location).text
    assert "1 pair waits to be judged again" in text
    assert "In force: Citewell’s own wording" in text
    assert f"“<bdi>{LAUNCHED}</bdi>”" in text
    (row,) = session.scalars(select(schema.Override))
    assert (row.subject_class, row.text) == ("Q11446", LAUNCHED)
    history = text.split('id="h-history"')[1]
    assert "those that are <bdi>ship</bdi>" in history
    page = "/property/P569/wording"
    assert send(client, page, f"{page}/remove", why=WHY).status_code == 409
    assert send(client, page, f"{page}/remove", **{"class": "Q11446"}, why=WHY).status_code == 303
    assert overrides(session)[-1] == (None, None, "Ada", True)
    assert send(client, page, f"{page}/restore", version=row.id, why=WHY).status_code == 303
    assert overrides(session)[-1] == ("pattern", LAUNCHED, "Ada", True)


def test_a_class_that_doesnt_occur_is_refused_with_words(client: FlaskClient, session: Session, ship: None) -> None:
    sign_in(client)
    query = {"wording": "pattern", "text": LAUNCHED, "class": "Q571"}
    for answer in (client.get("/property/P569/wording/preview", query_string=query), save_for(client, "Q571")):
        assert answer.status_code == 422
        assert "No subject of P569 that Citewell has met is an instance of Q571." in answer.text
    assert overrides(session) == []


@pytest.mark.parametrize("subject_class", ["P31", "5", "Q0", "Q" + "1" * 99, "<b>", "Q5 OR 1=1"])
def test_what_is_no_class_is_a_bad_request(client: FlaskClient, ship: None, subject_class: str) -> None:
    sign_in(client)
    assert client.get("/property/P569/wording", query_string={"class": subject_class}).status_code == 400
    assert save_for(client, subject_class).status_code == 400


def test_why_stands_in_the_history_without_what_cant_be_seen(
    client: FlaskClient, session: Session, pairs: list[int]
) -> None:
    sign_in(client, "Ada")
    page = "/property/P569/wording"
    send(client, page, page, wording="pattern", text=PATTERN, why="  reads\x00 \u202e<b>better</b> \n so می\u200cشود")
    assert session.scalars(select(schema.Override.why)).one() == "reads <b>better</b> so می\u200cشود"
    text = client.get(page).text
    assert "reads &lt;b&gt;better&lt;/b&gt; so" in text
    assert "Invisible characters were left out of the reason." in text


@pytest.mark.parametrize(
    ("why", "said"), [("", "Say why"), (" \u200b\x00\n", "Say why"), ("x" * 501, "at most 500 characters")]
)
def test_each_change_says_why(client: FlaskClient, session: Session, pairs: list[int], why: str, said: str) -> None:
    sign_in(client, "Ada")
    page = "/property/P569/wording"
    save(client, "label", "born on")
    save(client, "pattern", PATTERN)
    before = overrides(session)
    first, second = session.scalars(select(schema.Override.id).order_by(schema.Override.id))
    for path, fields, field in (
        (page, {"wording": "label", "text": "birth date"}, "why"),
        (f"{page}/restore", {"version": first}, f"why-{first}"),
        (f"{page}/remove", {}, f"why-{second}"),
    ):
        answer = send(client, page, path, why=why, **fields)
        assert answer.status_code == 422
        assert re.search(rf'id="{field}-error">.*?__content">{said}|id="{field}-error">.*?{said}', answer.text)
        assert f'<a href="#{field}">To the field</a>' in answer.text
        if field != "why":
            assert answer.text.count('<details class="act" open>') == 1
    assert "was born on" in answer.text, "what was proposed is shown still"
    assert overrides(session) == before


def test_the_history_says_what_each_change_made_of_what(client: FlaskClient, session: Session, ship: None) -> None:
    sign_in(client, "Ada")
    page = "/property/P569/wording"
    save(client, "label", "born on")
    save_for(client, "Q11446")
    save(client, "label", "birth date")
    send(client, page, f"{page}/remove", why=WHY)
    history = LexborHTMLParser(client.get(page).text).css(".history tbody th")
    assert [" ".join(row.text().split()) for row in history] == [
        "− Removed the name “birth date” For: all subjects",
        "≠ Changed the name “born on” → was changed to the name “birth date” For: all subjects",
        f"+ Added the sentence “{LAUNCHED}” For: those that are ship (Q11446)",
        "+ Added the name “born on” For: all subjects",
    ]


def test_a_script_gets_the_preview_alone(client: FlaskClient, pairs: list[int]) -> None:
    for text, status, told in (
        (PATTERN, 200, "The preview shows 2 statements."),
        ("no gaps", 422, "The pattern lacks"),
    ):
        query = {"wording": "pattern", "text": text}
        answer = client.get("/property/P569/wording/preview", query_string=query, headers={"HX-Request": "true"})
        assert answer.status_code == status
        assert answer.text.lstrip().startswith('<div id="preview-place">')
        assert "<html" not in answer.text
        assert "h-history" not in answer.text
        assert told in answer.text.split('id="preview-told"')[1]


def test_who_comes_from_a_pair_sees_it_first_and_finds_back(
    client: FlaskClient, session: Session, pairs: list[int]
) -> None:
    sign_in(client, "Ada")
    lost = pairs[3]  # by itself it stands behind the other, since it wasn't judged
    came = {"pair": lost, "list": "state=all&outcome=not_found"}
    back = f'href="/pair/{lost}?outcome=not_found&amp;state=all"'
    query = {"wording": "pattern", "text": PATTERN, **came}
    answer = client.get("/property/P569/wording/preview", query_string=query)
    assert re.findall(r"<bdi>([^<]+)</bdi></a>(?:<div|</th>)", answer.text)[:2] == ["Angela Merkel", "Douglas Adams"]
    assert answer.text.count("You came from this one") == 1
    assert back in answer.text
    tried_at = send(client, "/property/P569/wording", "/property/P569/wording/try", **query).location
    assert back in client.get(tried_at).text
    rows = session.scalars(select(schema.TrialPair.pair_id).order_by(schema.TrialPair.position)).all()
    assert rows == [lost, pairs[0]]
    saved_at = send(client, "/property/P569/wording", "/property/P569/wording", **query, why=WHY).location
    assert back in client.get(saved_at).text


@pytest.mark.parametrize(
    "came",
    [
        {"pair": "999999"},
        {"pair": "1" * 30},
        {"pair": "<b>"},
        {"pair": "{other}"},
        {"pair": "{own}", "list": "state=odd&x=<b>"},
        {"pair": "{own}", "list": "https://evil.example/"},
    ],
)
def test_an_address_that_was_changed_by_hand_is_no_trouble(
    client: FlaskClient, pairs: list[int], came: dict[str, str]
) -> None:
    came = {name: value.format(own=pairs[0], other=pairs[2]) for name, value in came.items()}
    answer = client.get("/property/P569/wording", query_string=came)
    assert answer.status_code == 200
    assert ("Back to the desk" in answer.text) == ("list" in came)
    assert "evil" not in answer.text.split("</footer>")[0].split('class="card came-from"')[-1].split("</aside>")[0]


def test_a_bad_wording_leads_to_the_form_with_the_list_one_came_from(
    client: FlaskClient, session: Session, pairs: list[int]
) -> None:
    sign_in(client, "Ada")
    verdict = session.scalars(select(schema.Verdict.id).where(schema.Verdict.pair_id == pairs[0])).one()
    answer = send(
        client, f"/pair/{pairs[0]}", f"/pair/{pairs[0]}/decision", decision="bad_wording", verdict=verdict, state="all"
    )
    assert f'href="/pair/{pairs[0]}?state=all"' in client.get(answer.location).text


def test_a_poll_that_finds_nothing_new_gets_nothing(client: FlaskClient, session: Session, pairs: list[int]) -> None:
    sign_in(client, "Ada")
    page = send(
        client, "/property/P569/wording", "/property/P569/wording/try", wording="pattern", text=PATTERN
    ).location
    (again,) = re.findall(r'hx-get="([^"]+)"', client.get(page).text)
    poll = {"HX-Request": "true"}
    assert client.get(again.replace("&amp;", "&"), headers=poll).status_code == 204
    take(session, "test", 60, "judge-2")
    session.commit()
    moved = client.get(again, headers=poll).text
    assert "A worker judges them now" in moved
    assert "trial-told" not in moved, "only the end is told"
    finish(session, int(page.rsplit("/", 1)[1]))
    session.commit()
    assert "0 of 2 verdicts would change." in client.get(again, headers=poll).text.split('id="trial-told"')[1]


def test_claims_that_editors_called_badly_worded_stand_at_the_top(
    client: FlaskClient, session: Session, pairs: list[int]
) -> None:
    verdict = session.scalars(select(schema.Verdict).where(schema.Verdict.pair_id == pairs[0])).one()
    decide(session, verdict.id, "Bob", "bad_wording")
    session.commit()
    page = client.get("/property/P569/wording").text
    assert "Claims that editors called badly worded" in page.split('id="h-wording"')[0]
    assert f'href="/pair/{pairs[0]}"' in page.split('id="h-wording"')[0]
    assert "badly worded" not in client.get("/property/P19/wording").text


def test_a_trial_waits_shows_what_would_change_and_changes_nothing(
    client: FlaskClient, session: Session, pairs: list[int]
) -> None:
    sign_in(client, "Ada")
    page = "/property/P569/wording"
    answer = send(client, page, f"{page}/try", wording="pattern", text=PATTERN)
    assert answer.status_code == 303
    waiting = client.get(answer.location).text
    assert "It waits for a worker. None was heard of lately" in waiting
    assert "every 2s" in waiting
    trial_id = int(answer.location.rsplit("/", 1)[1])
    take(session, "test", 60, "judge-2")
    found = Verdict(Stance.SUPPORTS, 0.9, (), Stance.SUPPORTS, Stance.SUPPORTS, "judge-2", "The page names it.")
    for pair in tried(session, trial_id):
        save_trial(session, trial_id, pair.position, "judged", Claim("Ann <i>", "override"), found, "sha256:x")
    finish(session, trial_id)
    session.commit()
    done = client.get(answer.location).text
    assert "every 2s" not in done
    assert "2 of 2 verdicts would change." in done
    assert "Ann &lt;i&gt;" in done
    assert overrides(session) == []
    assert session.get_one(schema.Pair, pairs[0]).state == "judged"


def test_a_trial_needs_a_name_and_a_good_wording(client: FlaskClient, session: Session, pairs: list[int]) -> None:
    page = "/property/P569/wording"
    assert "/sign-in" in send(client, "/sign-in", f"{page}/try", wording="pattern", text=PATTERN, next=page).location
    sign_in(client)
    assert send(client, page, f"{page}/try", wording="pattern", text="no gaps").status_code == 422
    assert client.get(f"{page}/trial/999").status_code == 404
    assert session.scalars(select(schema.Trial)).all() == []


def test_wordings_go_out_and_come_in_as_a_file(client: FlaskClient, session: Session, pairs: list[int]) -> None:
    sign_in(client, "Ada")
    save(client, "pattern", PATTERN)
    file = client.get("/wordings.yaml")
    assert file.mimetype == "application/yaml"
    assert PATTERN in file.text
    assert file.text == client.get("/property/P569/wording.yaml").text
    other = file.text.replace("came into the world", "was born")
    shown = send(client, "/wordings", "/wordings", text=other)
    assert shown.status_code == 200
    assert "Changed" in shown.text
    assert len(overrides(session)) == 1, "nothing is saved before it was seen"
    (seen,) = re.findall(r'name="seen" value="([0-9a-f]+)"', shown.text)
    assert send(client, "/wordings", "/wordings", text=other, seen="0" * 32).status_code == 409
    assert send(client, "/wordings", "/wordings", text=other, seen=seen).status_code == 422
    assert len(overrides(session)) == 1
    assert send(client, "/wordings", "/wordings", text=other, seen=seen, why="as agreed").status_code == 303
    assert session.scalars(select(schema.Override.why).where(schema.Override.current)).one() == "as agreed"
    assert "Nothing: all of it is in force already." in send(client, "/wordings", "/wordings", text=other).text


@pytest.mark.parametrize("text", ["", "no yaml: [", "- 1", "wordings: !!python/object:os.system {}", "x" * 600_000])
def test_what_is_no_file_of_wordings_is_refused_with_words(client: FlaskClient, pairs: list[int], text: str) -> None:
    sign_in(client)
    answer = send(client, "/wordings", "/wordings", text=text)
    assert answer.status_code == 422
    assert 'id="complaint"' in answer.text
