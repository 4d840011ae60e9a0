"""What pages are asked for again, what is kept of each try, and what stands while a host has trouble."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from ipaddress import IPv4Network
from pathlib import Path

import pytest
from local_web import LocalWeb, Route, local_web, page
from sqlalchemy import Engine, func, select, text, update
from sqlalchemy.orm import Session

from bot.agent import user_agent
from bot.fetch import Ask, Failure, Fetched, Unasked
from bot.fetch.browser import DRAWN_BY
from bot.fetch.live import Limits, Live
from bot.fetch.replay import Replay
from bot.pages import TAKEN_OUT, Brought, Freshness, NothingFetched, Pages
from models.outcome import NotJudged, Outcome
from store import schema
from store.archive import Archive, ArchiveError, Bounds
from store.members import Member, members
from store.taken_out import put_taken_out
from store.tries import tries_of

MONTH = Freshness(timedelta(days=30))
TEXT = "<title>Ann Lee</title><p>Ann Lee was born in 1901 in Leeds, and wrote about the sea.</p>"


@pytest.fixture
def web() -> Iterator[LocalWeb]:
    with local_web({}) as running:
        yield running


@contextmanager
def pages(engine: Engine, folder: Path, freshness: Freshness = MONTH, bounds: Bounds | None = None) -> Iterator[Pages]:
    """Pages that come from the web of the tests."""
    limits = Limits(timeout_s=3.0, max_bytes=100_000, host_delay_s=0.0)
    with Live(user_agent("tests@example.org"), limits, (IPv4Network("127.0.0.0/8"),)) as live:
        yield Pages(engine, Archive(folder, bounds), live, freshness)


def bring(engine: Engine, folder: Path, url: str, any_age: Collection[str] = ()) -> Brought:
    """What one address brings to a run of its own."""
    with pages(engine, folder) as some:
        return some.bring({url: "live"}, any_age)[url]


def let_pass(engine: Engine, time: timedelta) -> None:
    """Let time pass: everything that is known is so much older."""
    with Session(engine) as session, session.begin():
        session.execute(
            update(schema.Document).values(
                kept_at=schema.Document.kept_at - time, fetched_at=schema.Document.fetched_at - time
            )
        )
        session.execute(
            update(schema.Try).values(
                kept_at=schema.Try.kept_at - time,
                tried_at=schema.Try.tried_at - time,
                again_at=schema.Try.again_at - time,
            )
        )


def tries(engine: Engine, url: str) -> list[schema.Try]:
    """The tries of an address, the first one first."""
    with Session(engine, expire_on_commit=False) as session:
        return list(reversed(tries_of(session, url)))


def documents(engine: Engine) -> list[schema.Document]:
    with Session(engine, expire_on_commit=False) as session:
        return list(session.scalars(select(schema.Document).order_by(schema.Document.id)))


def kinds(folder: Path) -> Counter[str]:
    """How many records of each type the archive holds."""
    found: Counter[str] = Counter()
    for file in folder.glob("*.warc.gz"):
        for one in members(file):
            assert isinstance(one, Member)
            found[one.head.kind] += 1
    return found


def unless_changed(body: str, **validators: str) -> Route:
    """A page whose server says that it hasn't changed to whoever has it."""

    def answer(request: object) -> None:
        asked = request.headers  # type: ignore[attr-defined]
        known = asked.get("If-None-Match") == validators.get("ETag") and asked.get("If-Modified-Since") in (
            None,
            validators.get("Last_Modified"),
        )
        page("" if known else body, 304 if known else 200, **validators)(request)  # type: ignore[arg-type]

    return answer


def asked_for(web: LocalWeb, path: str) -> list[dict[str, str]]:
    """The conditions of each request for a path."""
    names = ("If-None-Match", "If-Modified-Since")
    return [{name: one.headers[name] for name in names if name in one.headers} for one in web.asked if one.path == path]


# Unchanged pages.


def test_an_unchanged_page_is_asked_for_conditionally_and_kept_once(
    engine: Engine, web: LocalWeb, tmp_path: Path
) -> None:
    url, modified = f"{web.url}/a", "Sun, 01 Nov 2026 12:00:00 GMT"
    web.routes["/a"] = unless_changed(TEXT, ETag='"one"', Last_Modified=modified)
    first = bring(engine, tmp_path, url)
    assert bring(engine, tmp_path, url).document == first.document, "it is fresh"
    let_pass(engine, timedelta(days=31))
    again = bring(engine, tmp_path, url)
    assert asked_for(web, "/a") == [{}, {"If-None-Match": '"one"', "If-Modified-Since": modified}]
    assert again.document is not None
    assert again.document.body == TEXT.encode()
    (row,) = documents(engine)
    assert row.kept_at > datetime.now(UTC) - timedelta(minutes=1)
    assert [(one.status, one.outcome, one.document_id) for one in tries(engine, url)] == [
        (200, None, row.id),
        (304, None, row.id),
    ]
    assert (kinds(tmp_path)["response"], kinds(tmp_path)["revisit"]) == (1, 1)
    assert bring(engine, tmp_path, url).document is not None
    assert len(asked_for(web, "/a")) == 2, "it is fresh again"


def test_a_record_of_an_unchanged_page_gives_its_body(engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    url = f"{web.url}/a"
    web.routes["/a"] = unless_changed(TEXT, ETag='"one"')
    bring(engine, tmp_path, url)
    let_pass(engine, timedelta(days=31))
    bring(engine, tmp_path, url)
    both = tmp_path / "all.warc.gz"
    both.write_bytes(b"".join(file.read_bytes() for file in sorted(tmp_path.glob("2*.warc.gz"))))
    replayed = Replay(both, 100_000, pytest.fail).fetch([Ask(url)])[url]
    assert getattr(replayed, "body", None) == TEXT.encode()
    assert tries(engine, url)[-1].warc is not None


def test_a_body_that_came_again_is_no_second_copy(engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    url = f"{web.url}/a"
    web.routes["/a"] = page(TEXT)
    for _ in range(3):
        bring(engine, tmp_path, url)
        let_pass(engine, timedelta(days=31))
    assert len(documents(engine)) == 1
    assert len(tries(engine, url)) == 3
    assert (kinds(tmp_path)["response"], kinds(tmp_path)["revisit"]) == (1, 2)


def test_a_page_that_has_changed_is_another_document(engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    url = f"{web.url}/a"
    web.routes["/a"] = unless_changed(TEXT, ETag='"one"')
    bring(engine, tmp_path, url)
    let_pass(engine, timedelta(days=31))
    web.routes["/a"] = unless_changed(TEXT + "<p>More.</p>", ETag='"two"')
    again = bring(engine, tmp_path, url)
    assert again.document is not None
    assert again.document.body.endswith(b"<p>More.</p>")
    assert [row.etag for row in documents(engine)] == ['"one"', '"two"']


def test_what_the_archive_has_lost_is_fetched_as_if_we_never_had_it(
    engine: Engine, web: LocalWeb, tmp_path: Path
) -> None:
    url = f"{web.url}/a"
    web.routes["/a"] = unless_changed(TEXT, ETag='"one"')
    bring(engine, tmp_path, url)
    for file in tmp_path.glob("*.warc.gz"):
        file.unlink()
    let_pass(engine, timedelta(days=31))
    again = bring(engine, tmp_path, url)
    assert again.document is not None
    assert asked_for(web, "/a") == [{}, {"If-None-Match": '"one"'}, {}]
    assert len(documents(engine)) == 1
    assert bring(engine, tmp_path, url).document is not None, "and it is kept again"


def test_a_page_of_any_age_will_do_where_that_is_said(engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    url = f"{web.url}/a"
    web.routes["/a"] = page(TEXT)
    bring(engine, tmp_path, url)
    let_pass(engine, timedelta(days=400))
    assert bring(engine, tmp_path, url, any_age=[url]).document is not None
    assert len(asked_for(web, "/a")) == 1


def test_a_page_that_was_drawn_is_asked_for_in_full(engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    """Its server only knows of the page without what its scripts bring."""
    web.routes["/a"] = unless_changed(TEXT, ETag='"one"')
    url = f"{web.url}/a"
    with pages(engine, tmp_path) as some:
        sent = some.bring({url: "live"})[url].document
        assert sent is not None
        body = b"<p>Drawn: Ann Lee was born in 1901.</p>"
        digest = "sha256:" + sha256(body).hexdigest()
        headers = ((DRAWN_BY, "Chromium"), *sent.headers)
        drawn = replace(sent, headers=headers, body=body, digest=digest, fetched_at=datetime.now(UTC))
        some.keep_drawn(drawn, "live")
    assert bring(engine, tmp_path, url).document == drawn, "what was drawn is what the address last brought"
    let_pass(engine, timedelta(days=31))
    bring(engine, tmp_path, url)
    assert asked_for(web, "/a") == [{}, {}]


# Failures.


def test_each_try_is_kept_with_time_phrase_and_way(engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    web.routes["/a"] = page("", 302, Location="/b")
    web.routes["/b"] = page("", 301, Location="/c")
    web.routes["/c"] = page("no", 404, "Nothing <b>Here</b>")
    url, before = f"{web.url}/a", datetime.now(UTC)
    brought = bring(engine, tmp_path, url)
    host = web.url.removeprefix("http://")
    assert brought.not_judged == NotJudged(Outcome.NOT_FOUND, f"404 Nothing <b>Here</b> from {host}")
    (one,) = tries(engine, url)
    assert (one.status, one.phrase, one.outcome) == (404, "Nothing <b>Here</b>", "not_found")
    assert (one.final_url, one.chain) == (f"{web.url}/c", [f"{web.url}/{name}" for name in "abc"])
    assert before <= one.tried_at <= datetime.now(UTC)


def test_an_answer_without_a_page_is_kept_too(engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    web.routes["/a"] = page("<h1>Members only</h1>", 403, "Members Only", X_Reason="paid")
    url = f"{web.url}/a"
    bring(engine, tmp_path, url)
    (one,) = tries(engine, url)
    assert one.warc is not None
    again = Replay(tmp_path / one.warc, 100_000, pytest.fail).fetch([Ask(url)])[url]
    assert isinstance(again, Failure)
    assert (again.status, again.phrase, again.body) == (403, "Members Only", b"<h1>Members only</h1>")
    assert ("x-reason", "paid") in again.headers


def test_a_failure_stands_until_its_time_has_come(engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    url = f"{web.url}/a"
    for days, asked in ((0, 1), (2.9, 1), (0.2, 2), (5.9, 2), (0.2, 3)):
        let_pass(engine, timedelta(days=days))
        brought = bring(engine, tmp_path, url)
        assert brought.not_judged is not None
        assert brought.not_judged.outcome is Outcome.NOT_FOUND
        assert len(asked_for(web, "/a")) == asked
    assert len(tries(engine, url)) == 3


@pytest.mark.parametrize("trouble", [page("", 503), page("", 500, "Oh no"), page("", 429)], ids=["503", "500", "429"])
def test_what_was_read_stands_while_the_host_has_trouble(
    engine: Engine, web: LocalWeb, tmp_path: Path, trouble: Route
) -> None:
    url = f"{web.url}/a"
    web.routes["/a"] = page(TEXT)
    bring(engine, tmp_path, url)
    let_pass(engine, timedelta(days=40))
    web.routes["/a"] = trouble
    for _ in range(2):
        standing = bring(engine, tmp_path, url)
        assert standing.document is not None
        assert standing.document.body == TEXT.encode()
        assert standing.row is not None
    assert [one.outcome is None for one in tries(engine, url)] == [True, False]
    let_pass(engine, timedelta(days=29))
    assert bring(engine, tmp_path, url).document is not None
    let_pass(engine, timedelta(days=2))
    given_up = bring(engine, tmp_path, url)
    assert given_up.not_judged is not None
    assert given_up.not_judged.outcome.is_transient
    web.routes["/a"] = page(TEXT)
    let_pass(engine, timedelta(days=31))
    assert bring(engine, tmp_path, url).document is not None


def test_a_finding_stands_while_the_host_has_trouble(engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    url = f"{web.url}/a"
    web.routes["/a"] = page("", 404)
    bring(engine, tmp_path, url)
    let_pass(engine, timedelta(days=4))
    web.routes["/a"] = page("", 503)
    standing = bring(engine, tmp_path, url)
    assert standing.not_judged is not None
    assert standing.not_judged.outcome is Outcome.NOT_FOUND
    assert [one.outcome for one in tries(engine, url)] == ["not_found", "server_error"]


def test_a_page_that_is_not_found_any_more_is_a_finding_at_once(engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    url = f"{web.url}/a"
    web.routes["/a"] = page(TEXT)
    bring(engine, tmp_path, url)
    let_pass(engine, timedelta(days=40))
    web.routes["/a"] = page("", 410)
    lost = bring(engine, tmp_path, url)
    assert lost.not_judged is not None
    assert lost.not_judged.outcome is Outcome.NOT_FOUND


def test_what_we_had_no_way_to_ask_is_no_outcome(engine: Engine, tmp_path: Path) -> None:
    until = datetime.now(UTC) + timedelta(hours=3)

    class Spent:
        """A fetcher that has asked its host often enough for today."""

        def fetch(self, asks: Collection[Ask]) -> Mapping[str, Fetched]:
            """Nothing."""
            return {ask.url: Unasked(ask.url, "example.org was asked 10,000 times today", until) for ask in asks}

    url = "https://example.org/"
    brought = Pages(engine, Archive(tmp_path), Spent(), MONTH).bring({url: "live"})[url]
    assert (brought.failed, brought.until) == ("example.org was asked 10,000 times today", until)
    assert tries(engine, url) == []


def test_without_fetching_what_is_known_stands_and_the_rest_waits(
    engine: Engine, web: LocalWeb, tmp_path: Path
) -> None:
    web.routes["/a"] = page(TEXT)
    urls = {f"{web.url}/{name}": "live" for name in "abc"}
    with pages(engine, tmp_path) as some:
        some.bring(dict.fromkeys(list(urls)[:2], "live"))
    let_pass(engine, timedelta(days=400))
    found = Pages(engine, Archive(tmp_path), NothingFetched("no contact"), MONTH).bring(urls)
    read, lost, unknown = (found[url] for url in urls)
    assert read.document is not None
    assert lost.not_judged is not None
    assert lost.not_judged.outcome is Outcome.NOT_FOUND
    assert unknown.failed == "no contact"


# What can't be kept, and what may not.


def test_a_full_disk_loses_nothing_and_says_so(engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    url = f"{web.url}/a"
    web.routes["/a"] = page(TEXT)
    with (
        pages(engine, tmp_path, bounds=Bounds(max_bytes=1)) as some,
        pytest.raises(ArchiveError, match=r"archive\.max_bytes \(1\) is reached") as raised,
    ):
        some.bring({url: "live"})
    assert "\n" not in str(raised.value)
    assert (documents(engine), tries(engine, url)) == ([], [])
    assert bring(engine, tmp_path, url).document is not None, "it is fetched again when there is room"
    assert len(asked_for(web, "/a")) == 2


def test_what_was_taken_out_is_not_asked_for(engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    url = f"{web.url}/a"
    web.routes["/a"] = page(TEXT)
    bring(engine, tmp_path, url)
    with Session(engine) as session, session.begin():
        put_taken_out(session, "url", url, "op", "a request")
    assert bring(engine, tmp_path, url) == Brought(not_judged=TAKEN_OUT)
    assert NotJudged(Outcome.BLOCKED, "taken out on request") == TAKEN_OUT
    assert len(asked_for(web, "/a")) == 1


def test_nothing_is_kept_of_a_redirect_to_what_was_taken_out(engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    web.routes["/a"] = page("", 302, Location="/b")
    web.routes["/b"] = page(TEXT)
    with Session(engine) as session, session.begin():
        put_taken_out(session, "url", f"{web.url}/b", "op", "a request")
    assert bring(engine, tmp_path, f"{web.url}/a") == Brought(not_judged=TAKEN_OUT)
    assert (documents(engine), tries(engine, f"{web.url}/a"), kinds(tmp_path)["response"]) == ([], [], 0)


def test_a_replay_twice_is_the_same_tries(engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    """As when a run over the same file is begun anew."""
    web.routes["/a"] = page(TEXT)
    url = f"{web.url}/a"
    bring(engine, tmp_path / "first", url)
    (file,) = (tmp_path / "first").glob("*.warc.gz")
    with Session(engine) as session, session.begin():
        session.execute(text("TRUNCATE try, document CASCADE"))
    for _ in range(2):
        replay = Replay(file, 100_000, pytest.fail)
        Pages(engine, Archive(tmp_path / "second"), replay, None).bring({url: "live", "https://else.example/": "live"})
    assert len(documents(engine)) == 1
    assert len(tries(engine, url)) == 1
    assert tries(engine, "https://else.example/") == [], "what was never asked leaves no record"
    assert kinds(tmp_path / "second")["response"] == 1
    assert kinds(tmp_path / "second")["revisit"] == 0
    with Session(engine) as session:
        assert session.scalar(select(func.count()).select_from(schema.Try)) == 1


def test_where_nothing_can_be_kept_nobody_is_asked(engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    (tmp_path / "ballast").write_bytes(bytes(10_000))
    with (
        pages(engine, tmp_path, bounds=Bounds(max_bytes=10_000)) as some,
        pytest.raises(ArchiveError, match=r"archive\.max_bytes \(10000\) is reached"),
    ):
        some.bring({f"{web.url}/page": "live"})
    assert web.asked == []
