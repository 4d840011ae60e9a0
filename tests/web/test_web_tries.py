"""What the page of a pair says of each time that an address was asked for."""

from __future__ import annotations

from datetime import timedelta

from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser, LexborNode
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from models.outcome import NotJudged, Outcome
from store import schema
from store.taken_out import put_taken_out
from store.tries import Tried, put_try
from tests.web.desk import BIRTHDAY, LOST, READ_AT
from web.links import host

DAY = timedelta(days=1)


def words(node: LexborNode) -> str:
    return " ".join(node.text().split())


def section(client: FlaskClient, pair: int, heading: str) -> LexborNode:
    """The section of a pair's page that has this heading."""
    answer = client.get(f"/pair/{pair}")
    assert answer.status_code == 200, answer.text
    main = LexborHTMLParser(answer.text)
    return next(node for node in main.css("main section") if words(node.css("h2")[0]) == heading)


def fail(session: Session, outcome: Outcome, answer: str, days: int, *way: str) -> None:
    """Record a try in vain, so many days after the page was read; `answer` is a status with its phrase, or a reason."""
    number, _, phrase = answer.partition(" ")
    status = int(number) if number.isdigit() else None
    detail = f"{answer} from {host(way[-1])}" if status else answer
    tried = Tried(way[0], way[-1], READ_AT + days * DAY, status, phrase, way, NotJudged(outcome, detail))
    put_try(session, tried)
    session.commit()


def test_a_failure_names_the_host_and_its_status_phrase(client: FlaskClient, pairs: list[int]) -> None:
    lost = pairs[3]
    said = words(section(client, lost, "The source"))
    assert "Page not found Last asked on 1 March 2026, 12:30 UTC: 404 Not Found from" in said
    assert "To be asked again after" in said


def test_every_address_says_what_came_of_it(client: FlaskClient, session: Session, pairs: list[int]) -> None:
    assert BIRTHDAY.archived is not None
    fail(session, Outcome.SERVER_ERROR, "503 Backend fetch failed", 0, BIRTHDAY.archived)
    live, copy = section(client, pairs[0], "The source").css("ul.sources > li")
    assert "Last asked on 1 March 2026, 12:30 UTC: 200 OK from library.example.org." in words(live)
    assert "503 Backend fetch failed from archive.example.net" in words(copy)
    assert "The source’s server failed" in words(copy)


def test_all_tries_are_listed_with_their_way(client: FlaskClient, session: Session, pairs: list[int]) -> None:
    way = (LOST.url, "https://new.example.org/a", "https://new.example.org/b")
    fail(session, Outcome.BLOCKED, "403 Members Only", 3, *way)
    fail(session, Outcome.UNREACHABLE, "gone.example.org can't be reached: refused", 6, LOST.url)
    (one,) = section(client, pairs[3], "The source").css("ul.sources > li")
    assert "Last asked on 7 March 2026, 12:30 UTC: gone.example.org can't be reached: refused" in words(one)
    assert words(one.css("summary")[0]) == "Asked 3 times"
    newest, middle, first = (words(each) for each in one.css("ol.tries > li"))
    assert newest.startswith("7 March 2026")
    assert "403 Members Only from new.example.org" in middle
    assert " → ".join(way) in middle
    assert first.startswith("1 March 2026, 12:30 UTC: 404 Not Found from")


def test_what_a_server_says_is_text(client: FlaskClient, session: Session, pairs: list[int]) -> None:
    phrase = '<script>alert(1)</script><img src=x onerror="alert(2)">'
    way = (LOST.url, "javascript:alert(3)", 'https://x.example/"><b>bold</b>')
    fail(session, Outcome.BLOCKED, f"403 {phrase}", 3, *way)
    one = section(client, pairs[3], "The source")
    assert "<script>alert(1)</script>" in words(one)
    assert "<b>bold</b>" in words(one)
    assert one.css("script, img, b") == []
    assert all(not (link.attributes["href"] or "").startswith("javascript:") for link in one.css("a"))


def test_a_verdict_that_stands_in_spite_of_a_failing_host_says_so(
    client: FlaskClient, session: Session, pairs: list[int]
) -> None:
    assert "its server didn’t give it" not in words(section(client, pairs[0], "The reading"))
    fail(session, Outcome.SERVER_ERROR, "500 Oh no", 40, BIRTHDAY.url)
    said = words(section(client, pairs[0], "The reading"))
    assert "When asked again on 10 April 2026, 12:30 UTC, its server didn’t give it: 500 Oh no from" in said


def test_a_copy_of_a_web_archive_is_shown_with_its_day(client: FlaskClient, session: Session, pairs: list[int]) -> None:
    raw = "https://web.archive.org/web/20130919044612id_/https://library.example.org/adams"
    session.execute(update(schema.Document).where(schema.Document.url == BIRTHDAY.url).values(url=raw, final_url=raw))
    session.execute(update(schema.Verdict).where(schema.Verdict.pair_id == pairs[0]).values(via="wayback"))
    session.commit()
    reading = words(section(client, pairs[0], "The reading"))
    assert "a copy in a web archive, 19 September 2013" in reading
    copy = section(client, pairs[0], "The source").css("ul.sources > li")[-1]
    assert "A copy in the web archive at web.archive.org, copied on 19 September 2013" in words(copy)
    assert copy.css("a")[0].attributes["href"] == raw.replace("id_", "")
    passages = section(client, pairs[0], "Passages it rests on")
    assert "On the archived copy" in words(passages)
    assert all("id_/" not in (link.attributes["href"] or "") for link in passages.css("a"))


def test_a_page_that_was_taken_out_is_not_shown(client: FlaskClient, session: Session, pairs: list[int]) -> None:
    put_taken_out(session, "url", BIRTHDAY.url, "op", "a request")
    session.commit()
    said = "This page was taken out on request, so it isn’t shown."
    passages = section(client, pairs[0], "Passages it rests on")
    assert said in words(passages)
    assert "In the page as it was read" not in words(passages)
    assert said in client.get(f"/pair/{pairs[0]}/page").text
    assert "Montecito" not in client.get(f"/pair/{pairs[0]}/page").text


def test_a_page_that_is_no_longer_kept_says_so(client: FlaskClient, session: Session, pairs: list[int]) -> None:
    session.execute(update(schema.Document).values(warc=None, warc_offset=None))
    session.commit()
    assert session.scalars(select(schema.Document.warc)).first() is None
    assert "isn’t kept any more" in words(section(client, pairs[0], "Passages it rests on"))
    assert "isn’t kept any more" in client.get(f"/pair/{pairs[0]}/page").text
