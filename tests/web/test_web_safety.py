"""What holds for every page: headers, cookies, signing in, and a database that is away."""

from __future__ import annotations

import logging
import re

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, create_engine

from config import Config
from tests.web.forms import send, sign_in, token
from web import create_app

PATHS = [
    "/",
    "/properties",
    "/runs",
    "/about",
    "/sign-in",
    "/pair/1",
    "/property/P569",
    "/no",
    "/?stance=x",
    "/healthz",
]


@pytest.mark.parametrize("path", PATHS)
def test_the_policy_allows_only_our_own_files_on_every_answer(client: FlaskClient, pairs: list[int], path: str) -> None:
    answer = client.get(path)
    policy = dict(part.split(" ", 1) for part in answer.headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["style-src"] == policy["script-src"] == policy["connect-src"] == "'self'"
    assert policy["base-uri"] == "'none'"
    assert policy["form-action"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    for forbidden in (" style=", "<style", "javascript:", " onclick=", " onload=", "hx-on"):
        assert forbidden not in answer.text
    # Each script is a file of ours, and nothing stands within its element.
    assert answer.text.count("<script") == len(re.findall(r'<script src="/static/[^"]+" defer></script>', answer.text))


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(client: FlaskClient) -> None:
    cookie = client.get("/sign-in").headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_pages_ask_nothing_of_other_hosts(client: FlaskClient, pairs: list[int]) -> None:
    for path in ("/", f"/pair/{pairs[0]}", "/property/P569"):
        text = client.get(path).text
        assert re.findall(r'<(?:link|img|script)[^>]*(?:href|src)="(?!/static/)', text) == []
    with client.get("/static/citewell.css") as styles:
        assert "url(" not in styles.text


@pytest.mark.parametrize(
    "target",
    [
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example/",
        "\\\\evil.example",
        "/\t/evil.example",
        "javascript:alert(1)",
        "evil.example",
        "",
        "http:/evil.example",
        " //evil.example",
    ],
)
def test_signing_in_never_leads_elsewhere(client: FlaskClient, target: str) -> None:
    assert send(client, "/sign-in", "/sign-in", name="Ada", next=target).location == "/"
    assert send(client, "/sign-in", "/sign-out", next=target).location == "/"


@pytest.mark.parametrize("name", ["", "   ", "a" * 81, "Ada\u202eevil", "Ada\x00"])
def test_a_name_that_cannot_be_shown_is_refused(client: FlaskClient, name: str) -> None:
    answer = send(client, "/sign-in", "/sign-in", name=name, next="/")
    assert answer.status_code == 422
    assert "Write a name of 1 to 80 visible characters." in answer.text


def test_signing_in_and_out(client: FlaskClient) -> None:
    sign_in(client, "  Ada   Lovelace ")
    assert "<strong><bdi>Ada Lovelace</bdi></strong>" in client.get("/").text
    assert send(client, "/", "/sign-out", next="/about").location == "/about"
    assert "Ada Lovelace" not in client.get("/about").text


def test_bound_to_the_world_a_name_signs_nobody_in(config: Config, engine: Engine, pairs: list[int]) -> None:
    everywhere = config.model_copy(update={"web": config.web.model_copy(update={"host": "0.0.0.0"})})
    client = create_app(everywhere, engine).test_client()
    assert client.get("/", base_url="https://localhost").status_code == 200
    form = client.get("/about", base_url="https://localhost")
    assert "Sign in" not in form.text
    assert "Signing in is switched off here" in client.get("/sign-in", base_url="https://localhost").text
    loopback = create_app(config, engine).test_client()
    csrf = token(loopback, "/sign-in")
    cookie = loopback.get_cookie("citewell")
    assert cookie is not None
    # The same key signs both cookies: even a good token and a session made on loopback sign nobody in.
    client.set_cookie("citewell", cookie.value)
    answer = client.post("/sign-in", data={"csrf_token": csrf, "name": "Zoe"}, headers={"Referer": "http://localhost/"})
    assert answer.status_code == 403
    sign_in(loopback, "Zoe")
    cookie = loopback.get_cookie("citewell")
    assert cookie is not None
    client.set_cookie("citewell", cookie.value)
    assert "<strong>Zoe" not in client.get("/").text


@pytest.mark.parametrize(
    "headers",
    [{"Host": "citewell.example"}, {"X-Forwarded-For": "203.0.113.9"}, {"Forwarded": "for=203.0.113.9"}],
)
def test_through_another_name_or_a_proxy_a_name_signs_nobody_in(client: FlaskClient, headers: dict[str, str]) -> None:
    csrf = token(client, "/sign-in")
    answer = client.post("/sign-in", data={"csrf_token": csrf, "name": "Ada"}, headers=headers)
    assert answer.status_code in (400, 403)
    sign_in(client)
    assert "<strong>Ada</strong>" not in client.get("/", headers=headers).text


def test_a_database_that_is_away_is_one_clear_line(config: Config, caplog: pytest.LogCaptureFixture) -> None:
    away = create_engine(
        "postgresql+psycopg://someone:pass-w0rd@127.0.0.1:1/nothing", connect_args={"connect_timeout": 2}
    )
    client = create_app(config, away).test_client()
    with caplog.at_level(logging.ERROR):
        answer = client.get("/")
    assert answer.status_code == 503
    assert "database can’t be reached" in answer.text
    for secret in ("pass-w0rd", "someone", "127.0.0.1", "Traceback"):
        assert secret not in answer.text
    assert "pass-w0rd" not in caplog.text
    assert client.get("/about").status_code == 200
    health = client.get("/healthz")
    assert (health.status_code, health.text) == (503, "the database can't be reached\n")


def test_healthy(client: FlaskClient) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.text, answer.mimetype) == (200, "ok\n", "text/plain")


def test_a_form_that_is_too_large_is_refused(client: FlaskClient) -> None:
    csrf = token(client, "/sign-in")
    assert client.post("/sign-in", data={"csrf_token": csrf, "name": "a" * 200_000}).status_code == 413


@pytest.mark.parametrize(("before", "status"), [("", 200), ("1", 200), ("x", 400), ("9" * 30, 400)])
def test_runs_are_listed_by_number(client: FlaskClient, pairs: list[int], before: str, status: int) -> None:
    assert client.get(f"/runs?before={before}").status_code == status


def test_a_run_with_its_counts_and_reasons(client: FlaskClient, pairs: list[int]) -> None:
    text = client.get("/run/1").text
    assert "a test&#39;s dump" in text
    assert "Finished" in text
    rows = re.findall(r'<th scope="row">(?:<span class="subtle">of them</span> )?([^<]+)</th><td[^>]*>(\d+)</td>', text)
    assert rows == [
        ("Selected to be judged", "5"),
        ("The reference has no web address", "7"),
        ("All of them", "12"),
        ("Not recorded: met twice, taken out on request, or the walk ended before", "5"),
        ("All that were selected", "5"),
        ("Judged", "1"),
        ("The page supports it", "1"),
        ("Not judged", "2"),
        ("The source refuses access", "2"),
        ("All that it dealt with", "3"),
    ]
