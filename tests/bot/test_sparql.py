"""Queries by SPARQLWrapper, to a server that speaks as WDQS does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from local_web import LocalWeb, Route, local_web, page, raw
from wikibase_server import bindings, results, sparql

from bot.agent import user_agent
from bot.problem import InputProblem, RunFailed
from bot.sources.sparql import Named, SparqlEndpoint, read_query

AGENT = user_agent("tests@example.org")
QUERY = "PREFIX wd: <http://www.wikidata.org/entity/>\nSELECT ?item WHERE { ?item wdt:P106 wd:Q36180 }"
ENTITY = "http://www.wikidata.org/entity/"


@pytest.fixture
def web() -> Iterator[LocalWeb]:
    with local_web({}) as running:
        yield running


def ask(web: LocalWeb, answer: Callable[[str], Route], query: str = QUERY) -> tuple[Named, list[str], list[float]]:
    """What a query names, what was reported, and how long we waited."""
    web.routes["/sparql"] = sparql(web, answer)
    reports: list[str] = []
    waits: list[float] = []
    endpoint = SparqlEndpoint(f"{web.url}/sparql", AGENT, reports.append, waits.append, timeout_s=2)
    return endpoint.named(query), reports, waits


def test_items_are_named(web: LocalWeb) -> None:
    rows = [{"item": f"{ENTITY}Q42"}, {"item": f"{ENTITY}Q7186"}, {"item": f"{ENTITY}Q42"}]
    named, reports, _ = ask(web, lambda _: results(bindings(["item"], *rows)))
    assert named == Named(("Q42", "Q7186"), None)
    assert reports == []
    assert web.asked[-1].headers["User-Agent"] == AGENT


def test_statements_are_named(web: LocalWeb) -> None:
    statement = f"{ENTITY}statement/Q42-F078E5B3-F9A8-480E-B7AC-D97778CBBEF9"
    old = f"{ENTITY}statement/q8-E2EFA381-BA5D-4F52-AF74-660B9A044C1E"
    rows = [{"item": f"{ENTITY}Q42", "statement": statement}, {"statement": old}]
    named, _, _ = ask(web, lambda _: results(bindings(["item", "statement"], *rows)))
    assert named.ids == ("Q42", "Q8")
    assert named.guids == {"q42$f078e5b3-f9a8-480e-b7ac-d97778cbbef9", "q8$e2efa381-ba5d-4f52-af74-660b9a044c1e"}


def test_an_empty_answer_names_nothing(web: LocalWeb) -> None:
    assert ask(web, lambda _: results(bindings(["item"])))[0] == Named((), None)


def test_a_query_must_select_item_or_statement(web: LocalWeb) -> None:
    with pytest.raises(InputProblem, match=r"it selects \?person"):
        ask(web, lambda _: results(bindings(["person"], {"person": f"{ENTITY}Q42"})))


def _cut(data: bytes) -> Route:
    """WDQS writes its stack trace into an answer that it gives up, with HTTP 200."""
    return results(data[: len(data) * 2 // 3] + b"\njava.util.concurrent.TimeoutException\n\tat java.util.concurrent")


CUT_SHORT = [
    _cut(bindings(["item"], *({"item": f"{ENTITY}Q{n}"} for n in range(1, 99)))),
    page("SPARQL-QUERY: ...\njava.util.concurrent.TimeoutException\n\tat ...", 500),
    page("upstream request timeout", 504),
    raw(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"),
]


@pytest.mark.parametrize("first", CUT_SHORT)
def test_an_answer_cut_short_is_asked_for_in_parts(web: LocalWeb, first: Route) -> None:
    everything = [f"{ENTITY}Q{number}" for number in range(1, 12_001)]

    def answer(query: str) -> Route:
        if "OFFSET" not in query:
            return first
        size, offset = (int(query.split(word)[1].split(maxsplit=1)[0]) for word in ("LIMIT", "OFFSET"))
        assert query.startswith("PREFIX wd:"), "prefixes stay in front"
        return results(bindings(["item"], *({"item": uri} for uri in everything[offset : offset + size])))

    named, reports, _ = ask(web, answer)
    assert len(named.ids) == len(everything)
    assert any("cut the answer short" in line and "in parts" in line for line in reports)


def test_parts_grow_smaller_and_end_with_a_line(web: LocalWeb) -> None:
    with pytest.raises(RunFailed, match="Narrow the query"):
        ask(web, lambda _: CUT_SHORT[1])
    assert 3 <= len(web.asked) <= 8


@pytest.mark.parametrize(
    ("status", "header", "wait"), [(429, "7", 7.0), (503, None, 10.0), (429, "Wed, 21 Oct 2015 07:28:00 GMT", 0.0)]
)
def test_retry_after_is_obeyed(web: LocalWeb, status: int, header: str | None, wait: float) -> None:
    answers = iter(
        [
            page("later", status, **({"Retry_After": header} if header else {})),
            results(bindings(["item"], {"item": f"{ENTITY}Q1"})),
        ]
    )
    named, reports, waits = ask(web, lambda _: next(answers))
    assert named.ids == ("Q1",)
    assert waits == [wait]
    assert "asks us to wait" in reports[0]


def test_waiting_ends(web: LocalWeb) -> None:
    with pytest.raises(RunFailed, match="still asks us to wait"):
        ask(web, lambda _: page("later", 429, Retry_After="1"))


@pytest.mark.parametrize(
    ("route", "error", "said"),
    [
        (
            page('org.openrdf.query.MalformedQueryException: Encountered "x" at line 1\n\tat a.b', 400),
            InputProblem,
            "Encountered",
        ),
        (page("no", 404), InputProblem, "refuses"),
        (page("no", 403, "Forbidden"), RunFailed, "403 Forbidden from 127.0.0.1"),
        (page("no", 500), RunFailed, "500 Internal Server Error from 127.0.0.1"),
        (page("<html>"), RunFailed, "doesn't answer as a SPARQL endpoint"),
    ],
)
def test_a_refusal_is_one_line(web: LocalWeb, route: Route, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said) as raised:
        ask(web, lambda _: route)
    assert "\n" not in str(raised.value)


def test_nobody_there_is_one_line(free_port: int) -> None:
    with pytest.raises(RunFailed, match="can't be reached"):
        SparqlEndpoint(f"http://127.0.0.1:{free_port}/sparql", AGENT, print).named(QUERY)


@pytest.mark.parametrize(
    "query",
    [
        QUERY,
        "# a comment\nSELECT ?item {}",
        "select * {}",
        "BASE <http://x/> PREFIX a: <b>\nPREFIX : <c> SELECT ?item {}",
    ],
)
def test_select_queries_are_read(tmp_path: Path, query: str) -> None:
    (tmp_path / "q.rq").write_text(query)
    assert read_query(tmp_path / "q.rq") == query


@pytest.mark.parametrize("content", [b"", b"ASK {}", b"hello", b"INSERT DATA {}", b"\xff\xfe"])
def test_what_is_no_select_query_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "q.rq").write_bytes(content)
    with pytest.raises(InputProblem, match=r"q\.rq isn't"):
        read_query(tmp_path / "q.rq")


def test_a_missing_query_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputProblem, match="can't be read"):
        read_query(tmp_path / "none.rq")
