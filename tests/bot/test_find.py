"""Which of a reference's addresses is read, in which order, and what is said where none can be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Network
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from local_web import LocalWeb, Route, local_web, page
from sqlalchemy import Engine, select, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from bot.agent import user_agent
from bot.fetch.live import Limits, Live
from bot.find import Failed, Finder, Found
from bot.pages import TAKEN_OUT, Freshness, NothingFetched, Pages
from bot.wayback import Wayback
from models.outcome import Outcome
from models.read import Page
from models.statement import SourceUrl, Statement, Term, TextValue
from store import schema
from store.archive import Archive
from store.taken_out import put_taken_out
from store.work import Task

TEXT = (
    "<title>Ann Lee</title><p>Ann Lee was an English writer, who was born in 1901 in Leeds and wrote about the sea. "
    "She lived in a small house by the harbour for the most of her life.</p>"
)
SAID = Statement("Q1$a", Term("Q1", "Ann Lee"), Term("P1", "name"), "string", TextValue("Ann Lee"))


@pytest.fixture
def web() -> Iterator[LocalWeb]:
    with local_web({}) as running:
        yield running


def task(*urls: tuple[str, str], number: int = 1, ref_hash: str = "r", why: str = "new") -> Task:
    """A pair that cites these addresses: (address, via)."""
    sources = tuple(SourceUrl(url, via) for url, via in urls)
    return Task(number, f"Q{number}$a", ref_hash, sources, SAID, {}, {}, why=why)


@contextmanager
def finder(engine: Engine, folder: Path, wayback: str = "") -> Iterator[Finder]:
    """A finder on the web of the tests."""
    limits = Limits(timeout_s=3.0, max_bytes=100_000, host_delay_s=0.0)
    with Live(user_agent("tests@example.org"), limits, (IPv4Network("127.0.0.0/8"),)) as live:
        pages = Pages(engine, Archive(folder), live, Freshness(timedelta(days=30)))
        yield Finder(pages, wayback=Wayback(wayback) if wayback else None)


def find(engine: Engine, folder: Path, one: Task, wayback: str = "") -> Found | Failed:
    """What one pair is judged by, found by a run of its own."""
    with finder(engine, folder, wayback) as some:
        return some.find([one])[one.pair_id]


def outcome(found: Found | Failed) -> tuple[Outcome, str]:
    assert isinstance(found, Found)
    assert not isinstance(found.page, Page)
    return found.page.outcome, found.page.detail


def via(found: Found | Failed) -> str | None:
    assert isinstance(found, Found)
    assert isinstance(found.page, Page)
    return found.via


def let_pass(engine: Engine, days: float) -> None:
    """Let time pass for all that was tried."""
    row, time = schema.Try, timedelta(days=days)
    earlier = {"tried_at": row.tried_at - time, "kept_at": row.kept_at - time, "again_at": row.again_at - time}
    with Session(engine) as session, session.begin():
        session.execute(update(row).values(earlier))


def test_the_live_page_comes_first_and_then_its_copies(engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    urls = [(f"{web.url}/live", "live"), (f"{web.url}/copy", "archive"), (f"{web.url}/id", "identifier")]
    web.routes |= {"/copy": page(TEXT), "/id": page(TEXT)}
    assert via(find(engine, tmp_path, task(*urls))) == "archive"
    assert [path for path in web.paths() if path != "/robots.txt"] == ["/live", "/copy"]


def test_the_first_failure_says_why_and_the_others_are_kept(engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    urls = [(f"{web.url}/live", "live"), (f"{web.url}/copy", "archive")]
    web.routes["/copy"] = page("", 403, "Members Only")
    host = web.url.removeprefix("http://")
    found = find(engine, tmp_path, task(*urls))
    assert outcome(found) == (Outcome.NOT_FOUND, f"404 Not Found from {host}")
    with Session(engine) as session:
        said = session.scalars(select(schema.Try.detail).order_by(schema.Try.tried_at)).all()
    assert said == [f"404 Not Found from {host}", f"403 Members Only from {host}"]


def test_why_nothing_can_be_read_of_a_page_is_kept_beside_its_try(
    engine: Engine, web: LocalWeb, tmp_path: Path
) -> None:
    web.routes |= {"/live": page("<title>x</title>"), "/copy": page(TEXT)}
    urls = [(f"{web.url}/live", "live"), (f"{web.url}/copy", "archive")]
    assert via(find(engine, tmp_path, task(*urls))) == "archive"
    with Session(engine) as session:
        rows = session.scalars(select(schema.Try).order_by(schema.Try.tried_at)).all()
    assert [(row.status, row.outcome, row.document_id is None) for row in rows] == [
        (200, "no_text", False),
        (200, None, False),
    ]


# Gone.


def ask_for_days(engine: Engine, web: LocalWeb, folder: Path, one: Task, days: tuple[float, ...]) -> Found | Failed:
    """What is found when the pair is looked at again after so many days each."""
    found = find(engine, folder, one)
    for more in days:
        let_pass(engine, more)
        found = find(engine, folder, one)
    return found


def test_not_found_on_three_days_over_a_week_is_gone(engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    one = task((f"{web.url}/live", "live"))
    assert outcome(ask_for_days(engine, web, tmp_path, one, (3.1,)))[0] is Outcome.NOT_FOUND
    let_pass(engine, 6.1)
    kind, detail = outcome(find(engine, tmp_path, one))
    assert kind is Outcome.GONE
    since = datetime.now(UTC) - timedelta(days=9.2)
    host = web.url.removeprefix("http://")
    assert detail == (
        f"404 Not Found from {host}; not found each time that it answered since {since.day} {since:%B %Y}, on 3 days"
    )


def test_a_page_that_came_back_is_not_gone(engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    one = task((f"{web.url}/live", "live"))
    ask_for_days(engine, web, tmp_path, one, (3.1,))
    let_pass(engine, 6.1)
    web.routes["/live"] = page(TEXT)
    assert via(find(engine, tmp_path, one)) == "live"


@pytest.mark.parametrize(
    ("copy", "kind"),
    [
        (page("", 404), Outcome.GONE),
        (page("", 403), Outcome.GONE),
        (page("", 503), Outcome.NOT_FOUND),
        (page(TEXT), None),
    ],
    ids=["none", "refused", "in trouble", "there"],
)
def test_gone_needs_that_no_archived_copy_can_be_read(
    engine: Engine, web: LocalWeb, tmp_path: Path, copy: Route, kind: Outcome | None
) -> None:
    web.routes["/copy"] = copy
    one = task((f"{web.url}/live", "live"), (f"{web.url}/copy", "archive"))
    found = ask_for_days(engine, web, tmp_path, one, (3.1, 6.1))
    if kind is None:
        assert via(found) == "archive"
    else:
        assert outcome(found)[0] is kind


# The Wayback Machine.


def wayback(web: LocalWeb, snapshot: str = "20130919044612", body: str = TEXT, **changes: Any) -> str:
    """Have the web answer like the Wayback Machine with one snapshot; the address of its API."""

    def available(request: Any) -> None:
        asked = {name: values[0] for name, values in parse_qs(urlsplit(request.path).query).items()}
        closest = {
            "status": "200",
            "available": True,
            "url": f"{web.url}/web/{snapshot}/{asked['url']}",
            "timestamp": snapshot,
        } | changes
        said = {"url": asked["url"], "archived_snapshots": {"closest": closest} if snapshot else {}} | (
            {"timestamp": asked["timestamp"]} if "timestamp" in asked else {}
        )
        page(json.dumps(said), Content_Type="application/json")(request)

    web.routes["/wayback/available"] = available
    web.routes[f"/web/{snapshot}id_/{web.url}/live"] = page(body)
    return f"{web.url}/wayback/available"


def cite(engine: Engine, *retrieved: str, precision: int = 11) -> None:
    """The reference `r` with its dates of retrieval."""
    snaks = [{"datavalue": {"type": "time", "value": {"time": one, "precision": precision}}} for one in retrieved]
    with Session(engine) as session, session.begin():
        session.add(schema.Reference(hash="r", snaks={"P813": snaks}))


def questions(web: LocalWeb) -> list[dict[str, list[str]]]:
    return [parse_qs(urlsplit(path).query) for path in web.paths() if path.startswith("/wayback/available")]


def test_the_nearest_snapshot_is_read_where_nothing_else_can_be(engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    api = wayback(web)
    cite(engine, "+2013-09-20T00:00:00Z")
    live = f"{web.url}/live"
    found = find(engine, tmp_path, task((live, "live"), (f"{web.url}/copy", "archive")), api)
    assert via(found) == "wayback"
    assert isinstance(found, Found)
    assert found.row is not None
    assert found.row.url == f"{web.url}/web/20130919044612id_/{live}"
    assert questions(web) == [{"url": [live], "timestamp": ["20130920"]}]
    find(engine, tmp_path, task((live, "live")), api)
    assert len(questions(web)) == 1, "the answer is kept like a page"


@pytest.mark.parametrize(
    ("time", "precision", "asked"),
    [
        ("+2013-09-20T00:00:00Z", 11, "20130920"),
        ("+2013-09-00T00:00:00Z", 10, "201309"),
        ("+2013-00-00T00:00:00Z", 9, "2013"),
        ("+2010-00-00T00:00:00Z", 8, None),
        ("last week", 11, None),
    ],
)
def test_the_date_is_asked_for_as_precisely_as_it_is_known(
    engine: Engine, web: LocalWeb, tmp_path: Path, time: str, precision: int, asked: str | None
) -> None:
    api = wayback(web)
    cite(engine, time, precision=precision)
    find(engine, tmp_path, task((f"{web.url}/live", "live")), api)
    assert [one.get("timestamp", [None])[0] for one in questions(web)] == [asked]


def test_the_archive_is_not_asked_unless_it_is_switched_on_or_of_use(
    engine: Engine, web: LocalWeb, tmp_path: Path
) -> None:
    api = wayback(web)
    assert outcome(find(engine, tmp_path, task((f"{web.url}/live", "live"))))[0] is Outcome.NOT_FOUND
    web.routes |= {"/read": page(TEXT), "/busy": page("", 503), "/robots.txt": page("User-agent: *\nDisallow: /shut")}
    with Session(engine) as session, session.begin():
        put_taken_out(session, "url", f"{web.url}/out", "op", "a request")
    for name in ("read", "busy", "out"):
        find(engine, tmp_path, task((f"{web.url}/{name}", "live")), api)
    find(engine, tmp_path, task(("http://10.0.0.1/secret", "live")), api)
    find(engine, tmp_path, task((f"{web.url}/nothing", "archive")), api)
    find(engine, tmp_path, task(), api)
    assert questions(web) == []


@pytest.mark.parametrize(
    "answer",
    [
        page("", 503),
        page("<html>not JSON</html>"),
        page("[]"),
        page('{"archived_snapshots": {"closest": {"url": "javascript:alert(1)", "available": true}}}'),
        page('{"archived_snapshots": {"closest": {"url": 7}}}'),
    ],
    ids=["503", "html", "list", "no snapshot", "number"],
)
def test_the_archives_failure_is_never_the_pages_outcome(
    engine: Engine, web: LocalWeb, tmp_path: Path, answer: Route
) -> None:
    web.routes["/wayback/available"] = answer
    one, api = task((f"{web.url}/live", "live")), f"{web.url}/wayback/available"
    host = web.url.removeprefix("http://")
    for _ in range(2):
        assert outcome(find(engine, tmp_path, one, api)) == (Outcome.NOT_FOUND, f"404 Not Found from {host}")
        let_pass(engine, 8)
    find(engine, tmp_path, one, api)
    assert outcome(find(engine, tmp_path, one, api))[0] is Outcome.NOT_FOUND, "not gone: there may be a copy"


@pytest.mark.parametrize("changes", [{"available": False}, {"status": "404"}])
def test_a_snapshot_that_is_none_is_not_read(
    engine: Engine, web: LocalWeb, tmp_path: Path, changes: dict[str, Any]
) -> None:
    api = wayback(web, **changes)
    assert outcome(find(engine, tmp_path, task((f"{web.url}/live", "live")), api))[0] is Outcome.NOT_FOUND


def test_no_snapshot_and_not_found_for_long_is_gone(engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    api, one = wayback(web, snapshot=""), task((f"{web.url}/live", "live"))
    for days in (3.1, 6.1):
        find(engine, tmp_path, one, api)
        let_pass(engine, days)
    assert outcome(find(engine, tmp_path, one, api))[0] is Outcome.GONE


# What the worker asks for.


def test_the_page_after_the_one_that_was_not_the_one_cited(engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    api = wayback(web)
    web.routes |= {"/live": page(TEXT), "/copy": page(TEXT)}
    both = task((f"{web.url}/live", "live"), (f"{web.url}/copy", "archive"))
    alone = task((f"{web.url}/live", "live"), number=2)
    with finder(engine, tmp_path, api) as some:
        found = {number: one for number, one in some.find([both, alone]).items() if isinstance(one, Found)}
        assert {one.via for one in found.values()} == {"live"}
        further = some.further([(both, found[1]), (alone, found[2])])
        assert {number: via(one) for number, one in further.items()} == {1: "archive", 2: "wayback"}
        assert some.further([(alone, further[2])]) == {}
    with finder(engine, tmp_path) as some:
        assert set(some.further([(both, found[1]), (alone, found[2])])) == {1}


def test_copies_of_what_was_taken_out_are_not_tried(engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    web.routes |= {"/live": page(TEXT), "/copy": page(TEXT)}
    with Session(engine) as session, session.begin():
        put_taken_out(session, "url", f"{web.url}/live", "op", "a request")
    found = find(engine, tmp_path, task((f"{web.url}/live", "live"), (f"{web.url}/copy", "archive")))
    assert isinstance(found, Found)
    assert found.page == TAKEN_OUT
    assert web.paths() == []


def test_pages_for_other_words_may_be_of_any_age(engine: Engine, web: LocalWeb, tmp_path: Path) -> None:
    web.routes["/live"] = page(TEXT)
    url = (f"{web.url}/live", "live")
    find(engine, tmp_path, task(url))
    with Session(engine) as session, session.begin():
        session.execute(update(schema.Document).values(kept_at=datetime(2026, 1, 1, tzinfo=UTC)))
    assert via(find(engine, tmp_path, task(url, why="reworded"))) == "live"
    assert web.paths().count("/live") == 1
    with finder(engine, tmp_path) as some:
        some.find([task(url, why="reworded"), task(url, number=2, why="old")])
    assert web.paths().count("/live") == 2


def test_a_pair_waits_for_an_address_that_could_not_be_asked(engine: Engine, tmp_path: Path) -> None:
    pages = Pages(engine, Archive(tmp_path), NothingFetched("no contact"), Freshness(None))
    found = Finder(pages).find([task(("http://a.example/", "live"), ("http://b.example/", "archive"))])[1]
    assert found == Failed("no contact")


def test_a_database_that_is_away_is_no_failure_of_the_pair(engine: Engine, tmp_path: Path) -> None:
    class Away(Pages):
        """Pages whose database went away."""

        def bring(self, *_: Any) -> Any:
            """Fail."""
            raise OperationalError("SELECT", None, Exception("the server closed the connection"))

    pages = Away(engine, Archive(tmp_path), NothingFetched("x"), Freshness(None))
    with pytest.raises(OperationalError):
        Finder(pages).find([task(("http://a.example/", "live"))])
