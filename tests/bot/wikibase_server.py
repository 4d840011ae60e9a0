"""A server of the tests that speaks as Wikidata does: api.php of MediaWiki with Wikibase, and a SPARQL endpoint.

It answers with the real entities of the project's sample.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs

from local_web import LocalWeb, Route, page

SITEINFO = {
    "general": {
        "mainpage": "Wikidata:Main Page",
        "sitename": "Wikidata",
        "generator": "MediaWiki 1.46.0-wmf.20",
        "case": "first-letter",
        "lang": "en",
        "servername": "www.wikidata.org",
        "scriptpath": "/w",
        "script": "/w/index.php",
        "articlepath": "/wiki/$1",
        "wikiid": "wikidatawiki",
    },
    "namespaces": {"0": {"id": 0, "case": "first-letter", "*": "", "content": ""}},
    "namespacealiases": [],
}
USERINFO = {"id": 0, "anon": "", "name": "192.0.2.7", "groups": ["*"], "rights": ["read"]}
MAXLAG = {
    "code": "maxlag",
    "info": "Waiting for 10.64.48.35: 6.2 seconds lagged.",
    "host": "10.64.48.35",
    "lag": 6.2,
    "type": "db",
}


def parameters(request: BaseHTTPRequestHandler, web: LocalWeb) -> Mapping[str, str]:
    """What a request asks for, in its address or its body."""
    asked = web.asked[-1]
    query = parse_qs(asked.path.partition("?")[2]) | parse_qs(asked.body.decode())
    return {name: values[-1] for name, values in query.items()}


def api(
    web: LocalWeb, entities: Mapping[str, Any], redirects: Mapping[str, str], lagging: list[dict[str, Any]]
) -> Route:
    """api.php over these entities; each of `lagging` is given once, with HTTP 200, as Wikidata does."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        asked = parameters(request, web)
        if asked["action"] == "wbgetentities" and lagging:
            # Wikidata's own headers to this error
            _json({"error": lagging.pop(0), "servedby": "mw1"}, Retry_After="5", X_Database_Lag="6")(request)
        elif asked["action"] == "wbgetentities":
            _json(_entities(asked["ids"].split("|"), entities, redirects))(request)
        elif asked["action"] == "query":
            _json({"batchcomplete": "", "query": SITEINFO | {"userinfo": USERINFO}})(request)
        else:
            _json(
                {"error": {"code": "badvalue", "info": f"Unrecognized value for parameter action: {asked['action']}."}}
            )(request)

    return answer


def _entities(ids: list[str], entities: Mapping[str, Any], redirects: Mapping[str, str]) -> dict[str, Any]:
    if len(ids) > 50:
        return {
            "error": {"code": "toomanyvalues", "info": 'Too many values supplied for parameter "ids". The limit is 50.'}
        }
    found: dict[str, Any] = {}
    for asked in ids:
        target = redirects.get(asked, asked)
        if target not in entities:
            found[asked] = {"id": asked, "missing": ""}
            continue
        own = {"redirects": {"from": asked, "to": target}} if target != asked else {}
        found[target] = {**entities[target], **own}
    return {"entities": found, "success": 1}


def _json(value: object, **headers: str) -> Route:
    return page(json.dumps(value), Content_Type="application/json; charset=utf-8", **headers)


def bindings(variables: list[str], *rows: Mapping[str, str]) -> bytes:
    """A SPARQL answer in JSON, as WDQS writes it."""
    return json.dumps(
        {
            "head": {"vars": variables},
            "results": {
                "bindings": [{name: {"type": "uri", "value": value} for name, value in row.items()} for row in rows]
            },
        }
    ).encode()


def sparql(web: LocalWeb, answer: Callable[[str], Route]) -> Route:
    """A SPARQL endpoint: `answer` takes the query and gives the route that answers it."""

    def route(request: BaseHTTPRequestHandler) -> None:
        answer(parameters(request, web)["query"])(request)

    return route


def results(data: bytes) -> Route:
    """A SPARQL answer with its content type."""
    return page(data, Content_Type="application/sparql-results+json;charset=utf-8")
