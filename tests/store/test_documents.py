"""Documents as rows: one for each body of an address, one for each time that none came."""

from __future__ import annotations

from sqlalchemy.orm import Session
from store_rows import FETCHED, document

from models.outcome import NotJudged, Outcome
from store.archive import Place
from store.documents import document_history, latest_document, place_of, put_document, put_failure
from store.domain import domain_of

URL = "https://www.example.org/1"


def test_the_same_body_of_an_address_is_one_row_with_its_newest_place(session: Session) -> None:
    first = put_document(session, document(), Place("a.warc.gz", 0))
    identifier, kept_at = first.id, first.kept_at
    second = put_document(session, document(), Place("b.warc.gz", 9))
    assert second.id == identifier
    assert second.kept_at > kept_at
    assert place_of(second) == Place("b.warc.gz", 9)
    assert (second.domain, second.content_type, second.status) == ("example.org", "text/html", 200)


def test_another_body_or_address_is_another_row(session: Session) -> None:
    ids = {
        put_document(session, each, Place("a.warc.gz", 0)).id
        for each in (document(), document(body=b"x"), document("https://b.example/"))
    }
    assert len(ids) == 3


def test_the_latest_is_what_was_last_met(session: Session) -> None:
    assert latest_document(session, URL) is None
    body = put_document(session, document(), Place("a.warc.gz", 0))
    missing = NotJudged(Outcome.NOT_FOUND, "404 Not Found from www.example.org")
    for _ in range(2):
        failure = put_failure(session, URL, URL, FETCHED, 404, missing)
    assert latest_document(session, URL) == failure
    assert (failure.outcome, failure.detail, place_of(failure)) == ("not_found", missing.detail, None)
    assert put_document(session, document(), Place("a.warc.gz", 0)).id == body.id
    latest = latest_document(session, URL)
    assert latest is not None
    assert latest.id == body.id
    assert [row.outcome for row in document_history(session, URL)] == [None, "not_found", "not_found"]


def test_domains_are_named_as_editors_do() -> None:
    assert domain_of("HTTPS://WWW.Example.ORG.:443/x?y") == "example.org"
    assert domain_of("https://user:word@www2.example.org/") == "www2.example.org"
    assert domain_of("https://例え.example/") == "例え.example"
    for none in ("", "no address", "https://[broken/", "/path"):
        assert domain_of(none) == ""
