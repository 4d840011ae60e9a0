"""Worklists resolved by a worker, from servers that speak as PagePile and the query service do."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any, cast

import pytest
from local_web import LocalWeb, Route, local_web, page
from sqlalchemy import Engine, func, select, update
from sqlalchemy.orm import Session
from wikibase_server import bindings, results, sparql

from bot import run, worklists
from bot.chore import AtHand
from bot.chores import Chores
from bot.patience import Patience
from bot.pulse import Pulse
from bot.sources.sparql import Entities, SparqlEndpoint
from bot.stop import Stop
from bot.worker_name import worker_name
from bot.worklists import NO_CONTACT, WorklistChore
from config import Config
from models.judge import Judge
from store import schema
from store import worklists as lists
from store.archive import Archive

ENTITY = "http://www.wikidata.org/entity/"
QUERY = "PREFIX wdt: <http://www.wikidata.org/prop/direct/>\nSELECT ?who WHERE { ?who wdt:P106 wd:Q36180 }"
CONTACT = "tests@example.org"


@pytest.fixture
def web() -> Iterator[LocalWeb]:
    with local_web({}) as running:
        yield running


@pytest.fixture
def settings(config: Config, web: LocalWeb) -> Config:
    """Settings that name a contact, and the test's own services."""
    source = config.source.model_copy(
        update={"pagepile": f"{web.url}/pagepile/api.php", "sparql_endpoint": f"{web.url}/sparql"}
    )
    return config.model_copy(update={"contact": CONTACT, "source": source})


def hand(config: Config, engine: Engine, stopped: Callable[[], bool] = lambda: False) -> AtHand:
    """What a chore works with; this one needs no judge."""
    judge, archive = cast(Judge, None), Archive(config.var / "archive")
    return AtHand(config, engine, archive, judge, None, worker_name(), None, Patience(5), Pulse(), stopped)


def make(engine: Engine, kind: str, source: str, name: str = "Mine") -> int:
    with Session(engine) as session, session.begin():
        return lists.make(session, name, kind, source, "Ada")


def shown(engine: Engine, worklist_id: int) -> lists.Worklist:
    with Session(engine) as session:
        found = lists.worklist(session, worklist_id)
        assert found is not None
        return found


def items(engine: Engine, worklist_id: int) -> list[str]:
    row = schema.WorklistItem
    with Session(engine) as session:
        return list(session.scalars(select(row.item_id).where(row.worklist_id == worklist_id).order_by(row.position)))


def resolved(config: Config, engine: Engine, kind: str, source: str) -> tuple[lists.Worklist, list[str]]:
    """A list and its items, once the chores have nothing left to do."""
    made = make(engine, kind, source)
    Chores(hand(config, engine), [WorklistChore()]).finish()
    return shown(engine, made), items(engine, made)


def pile(answer: object, status: int = 200, **headers: str) -> Route:
    body = answer if isinstance(answer, str) else json.dumps(answer)
    return page(body, status, Content_Type="application/json; charset=utf-8", **headers)


def test_pasted_ids_become_items_that_are_asked_for(config: Config, engine: Engine) -> None:
    pasted = "q42 https://www.wikidata.org/wiki/Q7186#P31\nLexeme:L99-F1, Q42\n" + "Douglas Adams, writer\n" * 5
    found, ids = resolved(config, engine, "items", pasted)
    assert ids == ["Q42", "Q7186", "L99"]
    assert (found.state, found.error, found.progress.asked) == ("ready", None, 3)
    assert found.said == "5 entries are no items: " + ", ".join(["“Douglas Adams, writer”"] * 3) + ", …"
    with Session(engine) as session:
        assert {wish.asked_by for wish in session.scalars(select(schema.Request))} == {"Ada"}


def test_a_list_that_is_too_long_is_cut_and_says_so(config: Config, engine: Engine) -> None:
    found, ids = resolved(config, engine, "items", " ".join(f"Q{number}" for number in range(1, 10_003)))
    assert (len(ids), ids[-1]) == (10_000, "Q10000")
    assert found.said == "cut at 10,000 of 10,002 items"


def test_a_pagepile_is_read_as_its_api_gives_it(settings: Config, engine: Engine, web: LocalWeb) -> None:
    web.routes["/pagepile/api.php"] = pile(
        {
            "pages": ["Q42", "Lexeme:L99", "Q7186", "Talk:Q5", "Property:P31", "User_talk:Ada", "Q42"],
            "wiki": "wikidatawiki",
            "id": 12345,
            "language": "wikidata",
            "project": "wikidata",
        }
    )
    found, ids = resolved(settings, engine, "pagepile", "12345")
    assert (found.state, ids) == ("ready", ["Q42", "L99", "Q7186"])
    assert found.said == "3 entries are no items: “Talk:Q5”, “Property:P31”, “User talk:Ada”"
    (asked,) = web.asked
    assert asked.path == "/pagepile/api.php?id=12345&action=get_data&format=json&doit="
    assert CONTACT in asked.headers["User-Agent"]


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ({"pages": ["Adams"], "wiki": "enwiki"}, "Pile 7 is of 'enwiki'; a worklist takes a pile of 'wikidatawiki'."),
        ("<b>Fatal error</b>: Uncaught Exception: pile 7", "has no pile 7 that can be read."),
        ({"error": "No such\npile"}, "says of pile 7: No such pile"),
        ({"wiki": "wikidatawiki"}, "has no pile 7 that can be read."),
        ([], "has no pile 7 that can be read."),
        ("[" * 100_000, "has no pile 7 that can be read."),
    ],
)
def test_a_wrong_pile_is_said_and_not_tried_again(
    settings: Config, engine: Engine, web: LocalWeb, answer: object, error: str
) -> None:
    web.routes["/pagepile/api.php"] = pile(answer)
    found, ids = resolved(settings, engine, "pagepile", "7")
    assert (found.state, ids) == ("failed", [])
    assert found.error is not None
    assert found.error.endswith(error)
    assert "\n" not in found.error
    assert len(web.asked) == 1


def rows(*values: tuple[str, str]) -> bytes:
    """An answer with a label beside the item, as people like to select it."""
    answer = json.loads(bindings(["label", "who"]))
    answer["results"]["bindings"] = [
        {"label": {"type": "literal", "xml:lang": "en", "value": label}, "who": {"type": "uri", "value": uri}}
        for label, uri in values
    ]
    return json.dumps(answer).encode()


def test_a_query_is_posted_and_its_first_variable_with_items_is_taken(
    settings: Config, engine: Engine, web: LocalWeb
) -> None:
    asked: list[str] = []

    def answer(query: str) -> Route:
        asked.append(query)
        return results(rows(("Q1 by name", f"{ENTITY}Q42"), ("x", f"{ENTITY}L99"), ("y", f"{ENTITY}Q42")))

    web.routes["/sparql"] = sparql(web, answer)
    found, ids = resolved(settings, engine, "sparql", QUERY)
    assert (found.state, ids, found.said) == ("ready", ["Q42", "L99"], "")
    assert asked == [QUERY]
    assert (web.asked[0].method, CONTACT in web.asked[0].headers["User-Agent"]) == ("POST", True)


def test_an_empty_answer_is_an_empty_list(settings: Config, engine: Engine, web: LocalWeb) -> None:
    web.routes["/sparql"] = sparql(web, lambda _: results(bindings(["who"])))
    found, ids = resolved(settings, engine, "sparql", QUERY)
    assert (found.state, ids, found.said) == ("ready", [], "no item is in it")


def test_a_query_that_is_too_slow_is_asked_for_its_beginning(settings: Config, engine: Engine, web: LocalWeb) -> None:
    def answer(query: str) -> Route:
        if "LIMIT" not in query:
            return page("java.util.concurrent.TimeoutException\n\tat ...", 500)
        assert query.startswith("PREFIX wdt:")
        assert query.endswith("LIMIT 10000 OFFSET 0")
        return results(bindings(["who"], {"who": f"{ENTITY}Q42"}))

    web.routes["/sparql"] = sparql(web, answer)
    assert resolved(settings, engine, "sparql", QUERY)[1] == ["Q42"]


def test_a_list_of_half_an_answer_says_so(settings: Config, engine: Engine, web: LocalWeb) -> None:
    beginning = bindings(["who"], *({"who": f"{ENTITY}Q{number}"} for number in range(1, 10_001)))
    cut = page("java.util.concurrent.TimeoutException", 500)
    web.routes["/sparql"] = sparql(web, lambda query: results(beginning) if "LIMIT" in query else cut)
    found, ids = resolved(settings, engine, "sparql", QUERY)
    assert len(ids) == 10_000
    assert found.said == "the query service doesn't give the whole answer: only its first 10,000 rows were taken"


def test_an_answer_of_any_size_is_bounded(web: LocalWeb) -> None:
    everything = bindings(["who"], *({"who": f"{ENTITY}Q{number}"} for number in range(1, 2000)))
    some = bindings(["who"], {"who": f"{ENTITY}Q1"})
    web.routes["/sparql"] = sparql(web, lambda query: results(some if "LIMIT" in query else everything))
    endpoint = SparqlEndpoint(f"{web.url}/sparql", "agent", print, timeout_s=5, most_bytes=10_000)
    assert endpoint.entities(QUERY, 10) == Entities(("Q1",))
    assert endpoint.entities(QUERY, 1) == Entities(("Q1",), whole=False)


@pytest.mark.parametrize(
    ("query", "route", "error"),
    [
        (QUERY, page('MalformedQueryException: Encountered "x" at line 1\n\tat a.b', 400), 'Encountered "x" at line 1'),
        (QUERY, page("java.util.concurrent.TimeoutException", 500), "Narrow the query."),
        (QUERY, results(rows(("a label", "http://example.org/x"))), "there is none in ?label, ?who. Select them"),
        ("# select\nASK {}", page(""), "Only a SELECT query gives a list of items."),
    ],
)
def test_a_wrong_query_is_said_and_not_tried_again(
    settings: Config, engine: Engine, web: LocalWeb, query: str, route: Route, error: str
) -> None:
    web.routes["/sparql"] = sparql(web, lambda _: route)
    found, ids = resolved(settings, engine, "sparql", query)
    assert (found.state, ids, found.tries) == ("failed", [], 1)
    assert found.error is not None
    assert error in found.error
    assert "\n" not in found.error


def due(engine: Engine) -> float:
    """Let the time of the next try come; how many seconds it was away."""
    with Session(engine) as session, session.begin():
        left = session.scalars(select(func.extract("epoch", schema.Worklist.next_at - func.now()))).one()
        session.execute(update(schema.Worklist).values(next_at=func.now()))
        return float(left)


@pytest.mark.parametrize(
    ("kind", "path", "route"),
    [
        ("pagepile", "/pagepile/api.php", page("no", 500)),
        ("pagepile", "/pagepile/api.php", page("later", 503)),
        ("sparql", "/sparql", page("no", 403)),
        ("sparql", "/sparql", page("later", 429, Retry_After="5")),
        ("sparql", "/sparql", page("<html>")),
    ],
)
def test_a_service_in_trouble_is_tried_again_a_few_times_with_growing_delays(
    settings: Config, engine: Engine, web: LocalWeb, kind: str, path: str, route: Route
) -> None:
    web.routes[path] = route
    made = make(engine, kind, QUERY if kind == "sparql" else "7")
    chores, waits = Chores(hand(settings, engine), [WorklistChore()]), []
    for tries in (1, 2, 3):
        chores.finish()
        found = shown(engine, made)
        assert (found.state, found.tries) == ("waiting", tries)
        assert found.error
        assert len(web.asked) == tries, "it isn't asked again before its time"
        waits.append(round(due(engine), -1))
    assert waits == [60, 600, 3600]
    chores.finish()
    assert shown(engine, made).state == "failed"
    with Session(engine) as session, session.begin():
        assert lists.again(session, made)
    web.routes["/pagepile/api.php"] = pile({"wiki": "wikidatawiki", "pages": ["Q42"]})
    web.routes["/sparql"] = sparql(web, lambda _: results(bindings(["who"], {"who": f"{ENTITY}Q42"})))
    chores.finish()
    found = shown(engine, made)
    assert (found.state, found.error, items(engine, made)) == ("ready", None, ["Q42"])


@pytest.mark.parametrize("kind", ["pagepile", "sparql"])
def test_a_longer_wait_that_a_service_asks_for_is_kept(
    settings: Config, engine: Engine, web: LocalWeb, kind: str
) -> None:
    later = page("later", 429, Retry_After="200")
    web.routes |= {"/pagepile/api.php": later, "/sparql": later}
    resolved(settings, engine, kind, QUERY if kind == "sparql" else "7")
    assert round(due(engine), -1) == 200


def test_nobody_there_is_said(settings: Config, engine: Engine, free_port: int) -> None:
    source = settings.source.model_copy(update={"pagepile": f"http://127.0.0.1:{free_port}/api.php"})
    found, _ = resolved(settings.model_copy(update={"source": source}), engine, "pagepile", "7")
    assert (found.state, found.error) == (
        "waiting",
        f"127.0.0.1:{free_port} can't be reached: [Errno 111] Connection refused.",
    )


@pytest.mark.parametrize("kind", ["pagepile", "sparql"])
def test_without_a_contact_nothing_is_fetched(settings: Config, engine: Engine, web: LocalWeb, kind: str) -> None:
    nobody = settings.model_copy(update={"contact": " "})
    found, _ = resolved(nobody, engine, kind, QUERY if kind == "sparql" else "7")
    assert (found.state, found.error) == ("failed", NO_CONTACT)
    assert web.asked == []


class Slow:
    """A PagePile that answers when it is told to."""

    def __init__(self, web: LocalWeb) -> None:
        self.go, self.asked = threading.Event(), threading.Event()
        web.routes["/pagepile/api.php"] = self._answer

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        self.asked.set()
        self.go.wait(20)
        pile({"wiki": "wikidatawiki", "pages": ["Q42"]})(request)


@pytest.fixture
def slow(web: LocalWeb) -> Iterator[Slow]:
    one = Slow(web)
    yield one
    one.go.set()


def test_a_worker_judges_on_while_a_service_takes_its_time(settings: Config, engine: Engine, slow: Slow) -> None:
    made, chore, worker = make(engine, "pagepile", "7"), WorklistChore(), hand(settings, engine)
    for _ in range(3):
        begun = time.monotonic()
        chore.do(worker)
        assert time.monotonic() - begun < 5
        assert shown(engine, made).state == "resolving"
        with Session(engine) as session:
            assert chore.waits(session)
            assert not WorklistChore().waits(session), "no other worker takes it"
    slow.go.set()
    Chores(worker, [chore]).finish()
    assert items(engine, made) == ["Q42"]


def test_a_worker_that_is_asked_to_stop_leaves_it_to_the_next(settings: Config, engine: Engine, slow: Slow) -> None:
    made, chore, stop = make(engine, "pagepile", "7"), WorklistChore(), threading.Event()
    worker = hand(settings, engine, stop.is_set)
    chore.do(worker)
    assert slow.asked.wait(10)
    stop.set()
    chore.do(worker)
    found = shown(engine, made)
    assert (found.state, found.tries) == ("waiting", 0)
    slow.go.set()
    Chores(hand(settings, engine), [WorklistChore()]).finish()
    assert items(engine, made) == ["Q42"]


def test_a_killed_worker_leaves_it_to_the_next(settings: Config, engine: Engine, slow: Slow) -> None:
    made = make(engine, "pagepile", "7")
    WorklistChore().do(hand(settings, engine))  # and is never heard of again
    assert slow.asked.wait(10)
    chore, worker = WorklistChore(), hand(settings, engine)
    with Session(engine) as session, session.begin():
        assert not chore.waits(session), "it may live yet"
        session.execute(update(schema.Worklist).values(leased_until=func.now()))
    slow.go.set()
    Chores(worker, [chore]).finish()
    assert (items(engine, made), shown(engine, made).tries) == (["Q42"], 2)


def test_what_another_worker_has_by_now_is_left_to_it(settings: Config, engine: Engine, slow: Slow) -> None:
    made, chore, worker = make(engine, "pagepile", "7"), WorklistChore(), hand(settings, engine)
    chore.do(worker)
    with Session(engine) as session, session.begin():
        session.execute(update(schema.Worklist).values(taken_by="elsewhere:1:2"))
    slow.go.set()
    chore.do(worker)
    with Session(engine) as session:
        assert not chore.waits(session)
    assert (shown(engine, made).state, items(engine, made)) == ("resolving", [])


def test_a_service_that_never_ends_is_given_up(
    settings: Config, engine: Engine, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worklists, "LONGEST_S", 0.0)
    made, chore, worker = make(engine, "pagepile", "7"), WorklistChore(), hand(settings, engine)
    chore.do(worker)
    found = shown(engine, made)
    assert (found.state, found.error) == ("waiting", "There was no answer in 0 s.")
    with Session(engine) as session:
        assert not chore.waits(session)
    del slow


def test_lists_are_resolved_in_their_turn_and_removed_ones_are_not(config: Config, engine: Engine) -> None:
    first, second = make(engine, "items", "Q1"), make(engine, "items", "Q2")
    with Session(engine) as session, session.begin():
        lists.remove(session, second, "Ada")
    Chores(hand(config, engine), [WorklistChore()]).finish()
    assert (shown(engine, first).state, shown(engine, second).state) == ("ready", "waiting")


def test_work_resolves_lists_and_walks_what_they_ask_for(bench: Callable[..., run.Bench], engine: Engine) -> None:
    made = make(engine, "items", "Q42")
    list(run.work(bench(), Stop(), watch=False))
    found = shown(engine, made)
    assert (found.state, found.progress.items, found.progress.asked) == ("ready", 1, 0)
    with Session(engine) as session:
        wish: Any = session.scalars(select(schema.Request)).one()
        assert (wish.item_id, wish.taken_at is not None) == ("Q42", True)
