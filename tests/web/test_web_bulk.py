"""Decisions about many references at once."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from sqlalchemy.orm import Session

from config import Config
from store import schema
from tests.web.desk import BIRTHDAY, fill
from tests.web.forms import send, sign_in
from tests.web.test_web_queue import listed

LIBRARY = "/bulk/new?domain=library.example.org"


def seen(client: FlaskClient, path: str) -> str:
    found = re.search(r'name="seen" value="([0-9a-f]*)"', client.get(path).text)
    assert found
    return found[1]


def test_what_would_be_decided_is_shown_first(client: FlaskClient, pairs: list[int]) -> None:
    text = client.get(LIBRARY).text
    assert "1 reference would be decided" in text
    assert "1 whose page was found to support the statement" in text
    assert "2 references would be decided" in client.get(LIBRARY + "&supported=1").text


def test_a_domain_is_decided_and_undone(client: FlaskClient, pairs: list[int]) -> None:
    sign_in(client, "Ada")
    before = listed(client.get("/").text)
    answer = send(client, LIBRARY, "/bulk", domain="library.example.org", seen=seen(client, LIBRARY))
    assert answer.status_code == 303
    page = client.get(answer.location).text
    assert "Decided about 1 reference." in page
    assert "Undo all of them" in page
    assert listed(client.get("/").text) == [pair for pair in before if pair != pairs[0]]
    assert "one of 1 decided together" in client.get(f"/pair/{pairs[0]}").text
    assert "library.example.org" in client.get("/bulk").text
    send(client, answer.location, answer.location + "/undo")
    assert "Taken back on" in client.get(answer.location).text
    assert listed(client.get("/").text) == before


def test_only_what_was_seen_is_decided(client: FlaskClient, pairs: list[int], session: Session, config: Config) -> None:
    sign_in(client, "Ada")
    then = seen(client, LIBRARY)
    fill(session, config.var, [replace(BIRTHDAY, url="https://library.example.org/2", guid="")])
    answer = send(client, LIBRARY, "/bulk", domain="library.example.org", seen=then)
    assert answer.status_code == 409
    assert "Something has changed since you looked" in answer.text
    assert "2 references would be decided" in answer.text
    assert session.query(schema.Review).count() == 0


def test_nobody_decides_without_a_name_nor_undoes_for_another(client: FlaskClient, pairs: list[int]) -> None:
    answer = send(client, LIBRARY, "/bulk", domain="library.example.org", seen=seen(client, LIBRARY))
    assert answer.status_code == 303
    assert "/sign-in" in answer.location
    sign_in(client, "Ada")
    made = send(client, LIBRARY, "/bulk", domain="library.example.org", seen=seen(client, LIBRARY)).location
    sign_in(client, "Eve")
    assert "Undo all of them" not in client.get(made).text
    assert send(client, made, made + "/undo").status_code == 409


@pytest.mark.parametrize("query", ["", "domain=a&address=b", "domain=%0A", "address=" + "a" * 3000])
def test_what_cant_be_decided_about_is_said_so(client: FlaskClient, query: str) -> None:
    assert client.get(f"/bulk/new?{query}").status_code == 400


@pytest.mark.parametrize("path", ["/bulk/1", f"/bulk/{2**63}", "/bulk/0"])
def test_a_decision_that_isnt_there(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_after_gone_the_way_leads_to_the_others(client: FlaskClient, pairs: list[int]) -> None:
    sign_in(client)
    verdict = re.search(r'name="verdict" value="(\d+)"', client.get(f"/pair/{pairs[0]}").text)
    assert verdict
    answer = send(client, f"/pair/{pairs[0]}", f"/pair/{pairs[0]}/decision", verdict=verdict[1], decision="gone")
    text = client.get(answer.location).text
    assert 'href="/bulk/new?address=https://library.example.org/adams"' in text
    assert 'href="/bulk/new?domain=library.example.org"' in text
