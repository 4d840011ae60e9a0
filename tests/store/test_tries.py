"""Tries of addresses: what is known of one, and when a page that isn't found is gone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from alembic import command
from alembic.config import Config as AlembicConfig
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import create_engine, func, select, text, update
from sqlalchemy.orm import Session
from store_rows import FETCHED, document

from models.outcome import NotJudged, Outcome
from store import schema
from store.archive import Place
from store.database import MIGRATIONS
from store.documents import put_document
from store.tries import Known, Tried, known, latest_try, missing, put_reading, put_try, tries_of

URL = "https://www.example.org/1"
DAY = timedelta(days=1)


def failed(outcome: Outcome = Outcome.NOT_FOUND, at: datetime = FETCHED, url: str = URL) -> Tried:
    """A try that brought nothing."""
    return Tried(url, url, at, 404, "Not Found", (url,), NotJudged(outcome, f"{outcome.value} from www.example.org"))


def came(session: Session, at: datetime = FETCHED, body: bytes = b"<p>born 1900</p>", status: int = 200) -> schema.Try:
    """A try that brought a body."""
    row = put_document(session, document(URL, body), Place("a.warc.gz", 0))
    return put_try(session, Tried(URL, URL, at, status, chain=(URL,)), row, Place("a.warc.gz", 0))


def facts(session: Session) -> Known:
    return known(session, [URL])[URL]


def test_every_try_is_kept_with_its_time_phrase_and_way(session: Session) -> None:
    chain = (URL, "https://b.example/", "https://c.example/")
    shut = NotJudged(Outcome.BLOCKED, "403 Go <b>away</b> from c.example")
    put_try(session, Tried(URL, chain[-1], FETCHED, 403, "Go <b>away</b>", chain, shut))
    came(session, FETCHED + DAY)
    newest, first = tries_of(session, URL)
    assert (first.status, first.phrase, first.outcome, first.detail) == (403, "Go <b>away</b>", "blocked", shut.detail)
    assert (first.tried_at, first.final_url, tuple(first.chain)) == (FETCHED, chain[-1], chain)
    assert (newest.outcome, newest.chain, newest.again_at, newest.warc) == (None, [], None, "a.warc.gz")
    assert newest.document is not None


def test_nothing_is_known_of_what_was_never_asked_for(session: Session) -> None:
    assert known(session, [URL, "https://b.example/"]) == {URL: Known(), "https://b.example/": Known()}
    assert (latest_try(session, URL), missing(session, URL), list(tries_of(session, URL))) == (None, None, [])
    assert known(session, []) == {}


def test_the_try_of_one_moment_is_one_row(session: Session) -> None:
    """As when a file of pages is replayed again."""
    ids = {put_try(session, failed()).id for _ in range(3)}
    assert len(ids) == 1
    assert len(tries_of(session, URL)) == 1


def test_each_failure_makes_the_wait_longer(session: Session) -> None:
    waits = []
    for number in range(7):
        row = put_try(session, failed(at=FETCHED + number * DAY), failures=facts(session).failures)
        assert row.again_at is not None
        waits.append(round((row.again_at - row.kept_at) / (3 * DAY)))
    assert waits == [1, 2, 4, 8, 16, 16, 16]
    came(session, FETCHED + 9 * DAY)
    assert facts(session).failures == 0
    assert put_try(session, failed(Outcome.UNSAFE_ADDRESS, FETCHED + 10 * DAY)).again_at is None


def test_trouble_of_the_host_leaves_what_was_settled_before(session: Session) -> None:
    body = came(session)
    for outcome, hours in ((Outcome.SERVER_ERROR, 1), (Outcome.TIMED_OUT, 9)):
        put_try(session, failed(outcome, FETCHED + timedelta(hours=hours)))
    now = facts(session)
    assert now.fails
    assert (now.settled, now.troubled_since, now.failures) == (body, FETCHED + timedelta(hours=1), 2)
    lost = put_try(session, failed(Outcome.NOT_FOUND, FETCHED + DAY))
    assert (facts(session).settled, facts(session).troubled_since) == (lost, None)
    put_try(session, failed(Outcome.TLS, FETCHED + 2 * DAY))
    assert (facts(session).settled, facts(session).troubled_since) == (lost, FETCHED + 2 * DAY)


@pytest.mark.parametrize("outcome", [Outcome.NOT_FOUND, Outcome.SERVER_ERROR])
def test_what_is_known_after_a_failure_is_what_the_database_says(session: Session, outcome: Outcome) -> None:
    came(session)
    before = facts(session)
    after = before.after(put_try(session, failed(outcome, FETCHED + DAY), failures=before.failures))
    assert after == facts(session)


def test_why_a_document_cant_be_read_stands_beside_its_try(session: Session) -> None:
    body = came(session)
    put_reading(session, body.id, NotJudged(Outcome.NO_TEXT, "the page has no text of its own"))
    row = latest_try(session, URL)
    assert row is not None
    assert (row.outcome, row.document_id is None) == ("no_text", False)
    assert not facts(session).fails
    put_reading(session, body.id, None)
    assert (latest_try(session, URL), body.outcome) == (body, None)


def test_a_try_outlives_the_document_that_it_brought(session: Session) -> None:
    came(session)
    session.query(schema.Document).delete()
    row = latest_try(session, URL)
    assert row is not None
    assert (row.document_id, row.outcome) == (None, None)
    assert not facts(session).fails


# Gone.

_SERIES = st.lists(
    st.tuples(
        st.sampled_from(["not_found", "body", "no_text", "server_error", "unreachable", "blocked"]),
        st.integers(0, 20 * 24),
    ),
    max_size=12,
    unique_by=lambda one: one[1],
)


def gone_by_the_rule(series: Sequence[tuple[str, int]]) -> bool:
    """The rule in words: not found on three days or more, over a week or more, with no body since the first."""
    last_body = max((hour for what, hour in series if what in ("body", "no_text")), default=-1)
    hours = [hour for what, hour in series if what == "not_found" and hour > last_body]
    days = {(FETCHED + timedelta(hours=hour)).date() for hour in hours}
    return len(days) >= 3 and max(hours) - min(hours) >= 7 * 24


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(_SERIES)
def test_gone_is_not_found_on_three_days_over_a_week(session: Session, series: list[tuple[str, int]]) -> None:
    with session.begin_nested() as savepoint:
        for what, hour in series:
            at = FETCHED + timedelta(hours=hour)
            if what in ("body", "no_text"):
                row = came(session, at)
                if what == "no_text":
                    put_reading(session, row.id, NotJudged(Outcome.NO_TEXT))
            else:
                put_try(session, failed(Outcome(what), at))
        put_try(session, failed(at=FETCHED, url="https://www.example.org/another"))
        found = missing(session, URL)
        assert bool(found and found.gone) == gone_by_the_rule(series)
        savepoint.rollback()


@pytest.mark.parametrize(
    ("hours", "gone"),
    [
        ([0], False),
        ([0, 24, 48], False),
        ([0, 168], False),
        ([0, 1, 168], False),
        ([0, 24, 167], False),
        ([0, 24, 168], True),
        ([0, 72, 216], True),
    ],
)
def test_the_days_are_counted_and_the_week_is_whole(session: Session, hours: list[int], gone: bool) -> None:
    for hour in hours:
        put_try(session, failed(at=FETCHED + timedelta(hours=hour)))
    found = missing(session, URL)
    assert found is not None
    assert (found.since, found.until, found.gone) == (FETCHED, FETCHED + timedelta(hours=hours[-1]), gone)


def test_the_newest_and_the_days_of_one_address_are_found_by_index(session: Session) -> None:
    many = [
        {"url": f"https://www.example.org/{n % 50}", "final_url": "u", "tried_at": FETCHED + n * DAY, "status": 404,
         "outcome": "not_found"}
        for n in range(5000)
    ]  # fmt: skip
    session.execute(schema.Try.__table__.insert(), many)
    session.execute(text("ANALYZE try"))
    newest = "SELECT id FROM try WHERE url_key = md5('u') AND url = 'u' ORDER BY kept_at DESC LIMIT 1"
    days = "SELECT days FROM missing WHERE url_key = md5('u') AND url = 'u'"
    for query in (newest, days):
        plan = "\n".join(session.scalars(text(f"EXPLAIN {query}")))
        assert "Seq Scan" not in plan, plan
        assert "_url_key_" in plan or "ix_try_not_found" in plan


def alembic(connection: Any) -> AlembicConfig:
    config = AlembicConfig()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config


def test_former_outcomes_become_tries_and_come_back(
    new_database: Callable[[str], AbstractContextManager[str]],
) -> None:
    former = (
        "INSERT INTO document (url, final_url, domain, fetched_at, status, outcome, detail, digest, warc, warc_offset) "
        "VALUES ('https://www.a.example/1', 'https://www.a.example/2', 'a.example', :at, :status, :outcome, :detail, "
        ":digest, :warc, :place)"
    )
    body = {"status": 200, "outcome": None, "detail": "", "digest": "sha256:x", "warc": "a", "place": 7}
    lost = {"status": 404, "outcome": "not_found", "detail": "404 from a", "digest": None, "warc": None, "place": None}
    at = datetime(2026, 1, 1, tzinfo=UTC)
    asked = text("SELECT fetched_at, status, outcome, detail, digest, domain FROM document ORDER BY fetched_at, status")
    with new_database("former_outcomes") as url:
        engine = create_engine(url)
        with engine.begin() as connection:
            command.downgrade(alembic(connection), "0006")
            for day, one in ((0, body), (3, lost), (6, lost)):
                connection.execute(text(former), one | {"at": at + timedelta(days=day)})
            connection.execute(text(former), lost | {"at": at})  # of the same moment as the body
            before = connection.execute(asked).all()
            command.upgrade(alembic(connection), "head")
        with Session(engine) as session:
            assert session.scalar(select(func.count()).select_from(schema.Document)) == 1
            tries = tries_of(session, "https://www.a.example/1")
            assert [row.outcome for row in tries] == ["not_found", "not_found", "not_found", None]
            assert (tries[-1].document_id, tries[-1].warc, tries[-1].warc_offset) == (1, "a", 7)
            found = missing(session, "https://www.a.example/1")
            assert found is not None
            assert (found.days, found.gone) == (3, False)
            session.execute(update(schema.Document).values(etag="x"))
        with engine.begin() as connection:
            command.downgrade(alembic(connection), "0006")
            after = connection.execute(asked).all()
            command.upgrade(alembic(connection), "head")
        assert [tuple(row)[1:] for row in after] == [tuple(row)[1:] for row in before]
        engine.dispose()
