"""Items by pywikibot, from a server that speaks Wikidata's protocol."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from bot_entities import ROOT, sample_entities
from local_web import LocalWeb, local_web, page
from wikibase_server import MAXLAG, api

from bot.agent import user_agent
from bot.problem import InputProblem, RunFailed
from bot.sources.api import ApiSource, WikibaseApi
from bot.sources.items import parse_items

AGENT = user_agent("tests@example.org")
ENTITIES = sample_entities()
ITEMS = sorted(name for name, entity in ENTITIES.items() if name.startswith("Q") and entity.get("claims"))
PROPERTIES = sorted(name for name in ENTITIES if name.startswith("P"))


@pytest.fixture
def lagging() -> list[dict[str, object]]:
    """Errors that the server gives before it answers."""
    return []


@pytest.fixture
def web(lagging: list[dict[str, object]]) -> Iterator[LocalWeb]:
    with local_web({}) as running:
        running.routes["/w/api.php"] = api(running, ENTITIES, {"Q999000": ITEMS[0]}, lagging)
        yield running


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pywikibot keeps its records: one place for a process, because it remembers having written there."""
    return tmp_path_factory.mktemp("pywikibot")


def source(web: LocalWeb, folder: Path, ids: list[str], reports: list[str]) -> ApiSource:
    wikibase = WikibaseApi(f"{web.url}/w/api.php", AGENT, folder, reports.append, tries=1)
    return ApiSource(wikibase, "items", ids, ("en",), reports.append)


def test_items_come_as_the_api_has_them(web: LocalWeb, folder: Path) -> None:
    reports: list[str] = []
    found = source(web, folder, [ITEMS[1], ITEMS[0]], reports)
    assert [entity["id"] for entity in found.entities()] == [ITEMS[1], ITEMS[0]]
    assert reports == []
    asked = web.asked[-1]
    assert asked.headers["User-Agent"].startswith(AGENT)
    assert b"maxlag" in asked.body + asked.path.encode()


def test_redirects_are_followed_and_said(web: LocalWeb, folder: Path) -> None:
    reports: list[str] = []
    found = source(web, folder, ["Q999000", ITEMS[0], "Q424242"], reports)
    assert [entity["id"] for entity in found.entities()] == [ITEMS[0]]
    assert found.notes == {"redirects": 1, "missing_entities": 1}
    assert any(f"Q999000 redirects to {ITEMS[0]}" in line for line in reports)
    assert any("Q424242 doesn't exist on 127.0.0.1" in line for line in reports)


def test_words_come_in_batches_and_only_once(web: LocalWeb, folder: Path) -> None:
    found = source(web, folder, [ITEMS[0]], [])
    list(found.entities())
    ids = sorted(ENTITIES)
    assert len(ids) > 50
    terms = {term.id: term for term in found.terms([*ids, "Q424242"])}
    assert set(terms) == set(ids)
    assert terms[ITEMS[0]].label == ENTITIES[ITEMS[0]]["labels"]["en"]["value"]
    assert sum("Q424242" in one.body.decode() + one.path for one in web.asked) == 1


def test_words_of_a_redirect_stand_under_the_id_that_was_asked_for(web: LocalWeb, folder: Path) -> None:
    (term,) = source(web, folder, [], []).terms(["Q999000"])
    assert term.id == "Q999000"
    assert term.label == ENTITIES[ITEMS[0]]["labels"]["en"]["value"]


def test_facts_of_properties_are_found(web: LocalWeb, folder: Path) -> None:
    facts = source(web, folder, [], []).properties([*PROPERTIES, "P424242"])
    assert {name: one.datatype for name, one in facts.items()} == {
        name: ENTITIES[name]["datatype"] for name in PROPERTIES
    }


def test_maxlag_with_http_200_is_waited_out(web: LocalWeb, folder: Path, lagging: list[dict[str, object]]) -> None:
    lagging.append(MAXLAG)
    begun = time.monotonic()
    assert [entity["id"] for entity in source(web, folder, [ITEMS[0]], []).entities()] == [ITEMS[0]]
    assert time.monotonic() - begun >= 4, "waited as long as asked"
    assert lagging == []


def test_an_error_of_the_api_is_one_line(web: LocalWeb, folder: Path, lagging: list[dict[str, object]]) -> None:
    lagging += [{"code": "permissiondenied", "info": "The action you have requested is limited."}] * 3
    with pytest.raises(RunFailed, match="limited") as raised:
        list(source(web, folder, [ITEMS[0]], []).entities())
    assert "\n" not in str(raised.value)
    assert "127.0.0.1" in str(raised.value)


def test_what_is_no_api_is_one_line(web: LocalWeb, folder: Path) -> None:
    web.routes["/w/api.php"] = page("<p>Not a wiki</p>")
    with pytest.raises(RunFailed) as raised:
        list(source(web, folder, [ITEMS[0]], []).entities())
    assert "\n" not in str(raised.value)


def test_nobody_there_is_one_line(free_port: int, folder: Path) -> None:
    reports: list[str] = []
    wikibase = WikibaseApi(f"http://127.0.0.1:{free_port}/w/api.php", AGENT, folder, reports.append, tries=0)
    said = f"{free_port} didn't answer: Maximum retries attempted without success. Try"
    with pytest.raises(RunFailed, match=said) as raised:
        list(wikibase.entities(["Q42"]))
    assert "\n" not in str(raised.value)
    assert not any("Traceback" in line for line in reports)


@pytest.mark.parametrize("url", ["", "www.wikidata.org/w/api.php", "https://www.wikidata.org/", "ftp://x/api.php"])
def test_an_address_that_is_no_api_is_refused(url: str, folder: Path) -> None:
    with pytest.raises(InputProblem, match=r"source\.api"):
        WikibaseApi(url, AGENT, folder, print)


@pytest.mark.parametrize(("text", "ids"), [("Q42", ("Q42",)), (" q42, Q1 Q42,", ("Q42", "Q1")), ("L3354", ("L3354",))])
def test_ids_are_read(text: str, ids: tuple[str, ...]) -> None:
    assert parse_items(text) == ids


@pytest.mark.parametrize("text", ["", " , ", "42", "Q0", "Q42;Q1", "P31", "Q42,Douglas"])
def test_what_is_no_id_is_named(text: str) -> None:
    with pytest.raises(InputProblem, match="--items"):
        parse_items(text)


def test_neither_pywikibot_nor_the_models_are_loaded_before_they_are_needed() -> None:
    code = "import sys, bot.__main__; sys.exit(bool({'pywikibot', 'torch', 'spacy'} & set(sys.modules)))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0
