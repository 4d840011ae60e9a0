"""Documents as rows: one for each body of an address."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from hashlib import sha256

import pytest
from sqlalchemy.orm import Session
from store_rows import FETCHED, document

from store.archive import Place
from store.documents import latest_document, meet_again, place_of, put_document, same_body
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
    other = put_document(session, document(body=b"x"), Place("a.warc.gz", 9))
    assert latest_document(session, URL) == other
    assert put_document(session, document(), Place("a.warc.gz", 0)).id == body.id
    assert latest_document(session, URL) == body
    later = meet_again(session, other, FETCHED + timedelta(days=40), ())
    assert latest_document(session, URL) == later
    assert later.fetched_at == FETCHED + timedelta(days=40)
    assert same_body(session, URL, body.digest) == body
    assert same_body(session, "https://b.example/", body.digest) is None


def test_what_a_page_is_asked_by_is_the_newest_that_its_server_gave(session: Session) -> None:
    headers = (("etag", ' W/"one" '), ("last-modified", "Sun, 01 Nov 2026 12:00:00 GMT"), ("etag", '"two"'))
    row = put_document(session, replace(document(), headers=headers), Place("a.warc.gz", 0))
    assert (row.etag, row.last_modified) == ('W/"one"', "Sun, 01 Nov 2026 12:00:00 GMT")
    row = meet_again(session, row, FETCHED, (("etag", '"three"'),))
    assert (row.etag, row.last_modified) == ('"three"', "Sun, 01 Nov 2026 12:00:00 GMT")
    row = put_document(session, replace(document(), headers=headers), Place("a.warc.gz", 0), conditional=False)
    assert (row.etag, row.last_modified) == ("", "")


@pytest.mark.parametrize("value", ["x" * 2000, "a\nb", "a\x00b"])
def test_what_is_no_header_is_never_asked_by(session: Session, value: str) -> None:
    row = put_document(session, replace(document(), headers=(("etag", value),)), Place("a.warc.gz", 0))
    assert row.etag == ""


def test_an_address_may_be_longer_than_an_index_entry(session: Session) -> None:
    long = "https://www.example.org/" + "".join(sha256(b"%d" % n).hexdigest() for n in range(60))
    row = put_document(session, document(long), Place("a.warc.gz", 0))
    assert latest_document(session, long) == row


def test_domains_are_named_as_editors_do() -> None:
    assert domain_of("HTTPS://WWW.Example.ORG.:443/x?y") == "example.org"
    assert domain_of("https://user:word@www2.example.org/") == "www2.example.org"
    assert domain_of("https://例え.example/") == "例え.example"
    for none in ("", "no address", "https://[broken/", "/path"):
        assert domain_of(none) == ""
