"""Which entities or statements a SPARQL query names, asked by SPARQLWrapper.

WDQS ends a query after a minute, and may then cut its answer short with a good status: that is noticed, said,
and the query asked again in parts.
"""

from __future__ import annotations

import json
import re
import time
import urllib.error
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from SPARQLWrapper import JSON, POST, SPARQLWrapper
from SPARQLWrapper.SPARQLExceptions import EndPointInternalError, SPARQLWrapperException

from bot.fetch.retry_after import retry_after
from bot.problem import InputProblem, RunFailed
from bot.sources import Report

TIMEOUT_S = 70  # WDQS gives up after 60
TRIES = 4
LONGEST_WAIT_S = 300.0
FIRST_PART, SMALLEST_PART = 10_000, 100
_ENTITY = re.compile(r".*/entity/([QL][1-9][0-9]{0,11})")
_STATEMENT = re.compile(r".*/entity/statement/([QL][1-9][0-9]*)-([0-9A-Za-z-]+)", re.IGNORECASE)
_PROLOGUE = re.compile(r"\s*(?:#[^\n]*\n|(?:PREFIX|BASE)\b[^<]*<[^>]*>|\s)*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Named:
    """What a query named: ids of entities, and GUIDs of statements (None where it named entities only)."""

    ids: tuple[str, ...]
    guids: frozenset[str] | None


@dataclass(frozen=True, slots=True)
class Entities:
    """The ids of entities in an answer, each once; `whole`: the endpoint gave all of the answer."""

    ids: tuple[str, ...]
    whole: bool = True


@dataclass(frozen=True, slots=True)
class _Answer:
    """The variables of an answer in their order, and its rows."""

    variables: tuple[str, ...]
    rows: Sequence[Mapping[str, Any]]


class _CutShort(Exception):
    """The endpoint stopped before the whole answer was there."""


def read_query(path: Path) -> str:
    """The query in a file. Raises `InputProblem`."""
    try:
        query = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputProblem(f"{path} can't be read: {error.strerror}. Check the path of the query.") from error
    except UnicodeDecodeError as error:
        raise InputProblem(f"{path} isn't text in UTF-8. A query is a text file with a SPARQL SELECT.") from error
    if not is_select(query):
        raise InputProblem(f"{path} isn't a SPARQL SELECT query. It must select ?item, ?statement or both.")
    return query


def is_select(query: str) -> bool:
    """Whether a text begins as a SELECT query does, prefixes and comments before it."""
    return re.match(r"SELECT\b", query[_prologue_end(query) :], re.IGNORECASE) is not None


class SparqlEndpoint:
    """A SPARQL endpoint, asked politely. `sleep` waits between tries.

    An answer of more than `most_bytes` is one that was cut short; None: it may be of any size.
    """

    def __init__(
        self,
        url: str,
        agent: str,
        report: Report,
        sleep: Callable[[float], None] = time.sleep,
        timeout_s: int = TIMEOUT_S,
        most_bytes: int | None = None,
    ) -> None:
        self._url, self._agent, self._report, self._sleep, self._timeout_s = url, agent, report, sleep, timeout_s
        self._most_bytes = most_bytes
        self._host = urlsplit(url).netloc

    def named(self, query: str) -> Named:
        """The entities and statements that a query names.

        Raises `InputProblem` for a query that is refused or selects neither ?item nor ?statement,
        `RunFailed` where the endpoint can't be reached.
        """
        ids: dict[str, None] = {}
        guids: set[str] = set()
        whole: set[str] = set()
        for row in self._rows(query):
            item, statement = _uri(row, "item"), _uri(row, "statement")
            if match := _STATEMENT.fullmatch(statement):
                ids[match[1].upper()] = None
                guids.add(f"{match[1]}${match[2]}".lower())
            elif match := _ENTITY.fullmatch(item):
                ids[match[1]] = None
                whole.add(match[1])
        if whole and guids:
            raise InputProblem("The query gives ?statement in some rows and only ?item in others. Ask for one of them.")
        return Named(tuple(ids), frozenset(guids) if guids else None)

    def entities(self, query: str, most: int) -> Entities:
        """The ids in the first variable that holds entities, in the answer's order.

        Where the endpoint doesn't give the whole answer, those of its first `most` rows. Raises as `named` does.
        """
        whole = True
        try:
            answer = self._answer(query)
        except _CutShort:
            answer = self._beginning(query, most)
            whole = len(answer.rows) < most
        for name in answer.variables:
            uris = [_uri(row, name) for row in answer.rows]
            ids = [match[1] for uri in uris if (match := _ENTITY.fullmatch(uri))]
            if ids:
                return Entities(tuple(dict.fromkeys(ids)), whole)
        if answer.rows:
            given = ", ".join(f"?{name}" for name in answer.variables) or "nothing"
            raise InputProblem(f"The query selects no items: there is none in {given}. Select them, as ?item.")
        return Entities(())

    def _beginning(self, query: str, rows: int) -> _Answer:
        try:
            return self._answer(_part(query, rows, 0))
        except _CutShort:
            raise InputProblem(f"{self._host} stops this query before it is answered. Narrow the query.") from None

    def _rows(self, query: str) -> Iterator[Mapping[str, Any]]:
        try:
            yield from self._ask(query)
        except _CutShort:
            self._report(f"{self._host} cut the answer short; the query is asked again in parts of {FIRST_PART} rows.")
            yield from self._parts(query)

    def _parts(self, query: str) -> Iterator[Mapping[str, Any]]:
        size, offset = FIRST_PART, 0
        while True:
            try:
                rows = self._ask(_part(query, size, offset))
            except _CutShort:
                size //= 4
                if size < SMALLEST_PART:
                    raise RunFailed(
                        f"{self._host} stops this query before it is answered, even in parts. Narrow the query."
                    ) from None
                self._report(f"{self._host} cut the answer short again; parts of {size} rows from here on.")
                continue
            yield from rows
            offset += len(rows)
            if len(rows) < size:
                return

    def _ask(self, query: str) -> Sequence[Mapping[str, Any]]:
        answer = self._answer(query)
        if not {"item", "statement"} & set(answer.variables):
            given = ", ".join(f"?{name}" for name in answer.variables) or "nothing"
            raise InputProblem(f"The query must select ?item, ?statement or both; it selects {given}.")
        return answer.rows

    def _answer(self, query: str) -> _Answer:
        for left in reversed(range(TRIES)):
            wait = self._try(query)
            if not isinstance(wait, float):
                return _read_answer(wait, self._host)
            if left:
                self._report(f"{self._host} asks us to wait; trying again in {wait:.0f} s.")
                self._sleep(wait)
        raise RunFailed(f"{self._host} still asks us to wait after {TRIES} tries. Try again later.")

    def _try(self, query: str) -> bytes | float:
        """The answer, or how many seconds to wait before the next try."""
        wrapper = SPARQLWrapper(self._url, agent=self._agent)
        wrapper.setQuery(query)
        wrapper.setMethod(POST)
        wrapper.setReturnFormat(JSON)
        wrapper.setTimeout(self._timeout_s)
        try:
            with closing(wrapper.query().response) as response:
                answer: bytes = response.read(None if self._most_bytes is None else self._most_bytes + 1)
        except EndPointInternalError as error:
            _close_under(error)
            if "Timeout" in str(error):
                raise _CutShort from error
            raise RunFailed(f"500 Internal Server Error from {self._host}. Try again later.") from error
        except SPARQLWrapperException as error:
            _close_under(error)
            raise InputProblem(f"{self._host} refuses the query: {_said(error)}") from error
        except urllib.error.HTTPError as error:
            return self._wait_or_raise(error)
        except TimeoutError as error:
            raise _CutShort from error
        except HTTPException as error:  # the connection broke off in the middle
            raise _CutShort from error
        except OSError as error:
            reason = getattr(error, "reason", None) or error
            if isinstance(reason, TimeoutError):
                raise _CutShort from error
            raise RunFailed(f"{self._host} can't be reached: {reason}. Check source.sparql_endpoint.") from error
        if self._most_bytes is not None and len(answer) > self._most_bytes:
            raise _CutShort
        return answer

    def _wait_or_raise(self, error: urllib.error.HTTPError) -> float:
        error.close()
        if error.code == HTTPStatus.GATEWAY_TIMEOUT:
            raise _CutShort from error
        if error.code not in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.BAD_GATEWAY):
            raise RunFailed(f"{error.code} {error.reason} from {self._host}. Check source.sparql_endpoint.") from error
        return min(retry_after(error.headers.get("Retry-After"), default=10.0), LONGEST_WAIT_S)


def _close_under(error: Exception) -> None:
    """Hang up on the answer from which SPARQLWrapper made this error."""
    if isinstance(error.__context__, urllib.error.HTTPError):
        error.__context__.close()


def _read_answer(answer: bytes, host: str) -> _Answer:
    try:
        results = json.loads(answer)
    except ValueError as error:
        if answer.lstrip().startswith(b"{"):
            raise _CutShort from error
        raise RunFailed(f"{host} doesn't answer as a SPARQL endpoint does. Check source.sparql_endpoint.") from error
    head, body = (results.get("head", {}), results.get("results", {})) if isinstance(results, dict) else ({}, {})
    return _Answer(tuple(head.get("vars", [])), list(body.get("bindings", [])))


def _uri(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name, {}).get("value", "")
    return value if isinstance(value, str) else ""


def _prologue_end(query: str) -> int:
    match = _PROLOGUE.match(query)
    return match.end() if match else 0


def _part(query: str, size: int, offset: int) -> str:
    """The query for some of its rows, whatever limits it has of its own."""
    end = _prologue_end(query)
    return f"{query[:end]}\nSELECT * WHERE {{ {{\n{query[end:]}\n}} }} LIMIT {size} OFFSET {offset}"


def _said(error: Exception) -> str:
    """What the endpoint complained about, without its stack trace."""
    text = str(error).replace("\\n", "\n")
    match = re.search(r"(?:MalformedQueryException|ParseException|Encountered)[^\n]*", text)
    return (match[0] if match else " ".join(text.split()))[:300]
