"""The editors' desk in a real Chromium: pairs decided by keyboard, undone, refused, and all of it without scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from flask import Flask
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait
from sqlalchemy import select
from sqlalchemy.orm import Session
from werkzeug.serving import BaseWSGIServer, make_server

from config import Config
from models.evidence import Stance
from models.outcome import NotJudged, Outcome
from models.statement import Term
from store import schema
from store.reviews import decide
from tests.web.desk import (
    ALL_TERMS,
    BIRTHDAY,
    BORN,
    LOST,
    ROWS,
    STRUCTURED_PAGE,
    USUAL,
    Case,
    Quote,
    fill,
    text_snak,
)

pytestmark = pytest.mark.xdist_group("chromium")

LAPTOP = {"width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": False}


@pytest.fixture
def pairs(session: Session, config: Config) -> list[int]:
    """The usual ones, but for the page that isn't found, which is barred: the list has the judged ones alone."""
    barred = replace(LOST, outcome=NotJudged(Outcome.BLOCKED, "403 Forbidden from gone.example.net"))
    return fill(session, config.var, [barred if case is LOST else case for case in USUAL])


@pytest.fixture
def desk(browser: Chrome, served: str, pairs: list[int]) -> Chrome:
    """The first of the usual pairs on a laptop's screen, signed in as Ada."""
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", LAPTOP)
    sign_in(browser, served)
    browser.execute_script("localStorage.clear()")
    go(browser, f"{served}/pair/{pairs[0]}")
    return browser


def sign_in(browser: Chrome, served: str) -> None:
    browser.get(f"{served}/sign-in?next=/about")
    browser.find_element(By.ID, "name").send_keys("Ada", Keys.ENTER)
    WebDriverWait(browser, 10).until(lambda one: one.current_url == f"{served}/about")


def go(browser: Chrome, url: str) -> None:
    """Open a pair and wait until its next one is loaded."""
    browser.get(url)
    wait(browser, "document.querySelector('[data-key=u], .decisions [aria-keyshortcuts]') !== null")
    browser.execute_async_script("setTimeout(arguments[0], 200)")  # an editor looks before pressing a key


def press(browser: Chrome, key: str) -> None:
    ActionChains(browser).send_keys(key).perform()


def wait(browser: Chrome, true: str, *arguments: Any) -> None:
    """Wait until a script's expression is true."""
    WebDriverWait(browser, 10, 0.05).until(lambda one: one.execute_script(f"return {true}", *arguments), true)


def on(browser: Chrome, pair: int) -> None:
    """Wait until a pair is shown and its decision can be made."""
    wait(browser, "document.getElementById('desk')?.dataset.pair === String(arguments[0])", pair)
    browser.execute_async_script("setTimeout(arguments[0], 200)")


def decided(session: Session) -> list[tuple[str, bool]]:
    """The decisions in the database, and whether each was undone."""
    session.rollback()
    rows = session.execute(select(schema.Review.decision, schema.Review.undone_at).order_by(schema.Review.id))
    return [(decision, undone is not None) for decision, undone in rows]


def seen(browser: Chrome, *selectors: str) -> dict[str, bool]:
    """Which of the elements stand wholly in the window, above what sticks to its lower edge."""
    script = """
      const bar = document.querySelector('.decide').getBoundingClientRect().top;
      return Object.fromEntries(arguments[0].map(selector => {
        const all = [...document.querySelectorAll(selector)];
        return [selector, all.length > 0 && all.every(each => {
          const box = each.getBoundingClientRect();
          return box.top >= 0 && box.bottom <= (each.closest('.decide') ? innerHeight : bar) && box.width > 0;
        })];
      }));"""
    found: dict[str, bool] = browser.execute_script(script, selectors)
    return found


SCREEN = (
    "h1",
    ".reason",
    ".statement",
    "#passage-1 blockquote",
    "#passage-2 summary",
    "#passage-3 summary",
    ".sources",
)


def test_a_pair_stands_on_one_screen_of_a_laptop(desk: Chrome) -> None:
    assert seen(desk, *SCREEN) == dict.fromkeys(SCREEN, True)
    assert desk.execute_script("return scrollY") == 0
    assert len(desk.find_elements(By.CSS_SELECTOR, ".decisions button")) == 6


def test_pairs_are_decided_by_keys_alone_and_the_last_is_undone(
    desk: Chrome, served: str, session: Session, pairs: list[int]
) -> None:
    press(desk, "d")
    on(desk, pairs[2])
    assert desk.switch_to.active_element.tag_name == "h1"
    assert desk.title.startswith("Angela Merkel was educated at Leipzig University.")
    wait(desk, "document.querySelector('.recorded') !== null")
    strip = desk.find_element(By.CLASS_NAME, "recorded")
    assert "14 March 1952" in strip.text
    assert strip.find_element(By.CSS_SELECTOR, "[data-key=f]").get_attribute("href") == (
        "https://www.wikidata.org/wiki/Q42#Q42$D8404CDA-25E4-4334-AF13-A3290BCD9C0F"
    )
    assert strip.find_element(By.CSS_SELECTOR, "[data-key=a]").get_attribute("href") == BIRTHDAY.archived
    assert "Recorded" in desk.find_element(By.ID, "told").get_attribute("textContent")
    press(desk, "s")
    on(desk, pairs[1])
    wait(desk, "document.querySelector('.recorded')?.dataset.pair === String(arguments[0])", pairs[2])
    assert decided(session) == [("does_not", False), ("supports", False)]
    press(desk, "u")
    on(desk, pairs[2])
    assert decided(session) == [("does_not", False), ("supports", True)]
    press(desk, "c")
    on(desk, pairs[1])
    wait(desk, "document.querySelector('.recorded')?.dataset.pair === String(arguments[0])", pairs[2])
    desk.refresh()  # the address says what was decided last
    assert "Can’t tell" in desk.find_element(By.CLASS_NAME, "recorded").text
    press(desk, "k")
    on(desk, pairs[2])
    assert desk.find_element(By.CSS_SELECTOR, "[aria-pressed=true]").get_attribute("value") == "cant_tell"


def test_the_list_is_walked_and_opened_by_keys(desk: Chrome, served: str, pairs: list[int]) -> None:
    desk.get(f"{served}/?state=all")
    wait(desk, "document.querySelector('[data-key], a.claim, [data-line]') !== null")
    focused = "return document.activeElement.getAttribute('href') ?? ''"
    press(desk, "j")
    first = desk.execute_script(focused)
    assert f"/pair/{pairs[0]}" in first
    press(desk, "j")
    assert f"/pair/{pairs[2]}" in desk.execute_script(focused)
    press(desk, "k")
    assert desk.execute_script(focused) == first
    press(desk, Keys.ENTER)
    on(desk, pairs[0])
    press(desk, "l")
    wait(desk, "location.pathname === '/'")
    assert "state=all" in desk.current_url
    press(desk, "?")
    wait(desk, "document.querySelector('dialog[open]') !== null")


def test_a_bad_wording_leads_to_its_form_and_back_to_the_next_pair(
    desk: Chrome, served: str, session: Session, pairs: list[int]
) -> None:
    press(desk, "b")
    wait(desk, "location.pathname === '/property/P569/wording'")
    assert decided(session) == [("bad_wording", False)]
    desk.back()
    on(desk, pairs[2])
    assert "Word it better" in desk.find_element(By.CLASS_NAME, "recorded").text


def test_a_passage_is_opened_in_the_page_as_it_was_read_and_closed_again(desk: Chrome) -> None:
    press(desk, "2")
    wait(desk, "document.querySelector('#opened-2 #place-2') !== null")
    box = desk.execute_script("return document.getElementById('place-2').getBoundingClientRect().toJSON()")
    assert 0 < box["top"] < 720
    assert "Montecito" in desk.find_element(By.CSS_SELECTOR, "#opened-2").get_attribute("textContent")
    press(desk, "1")
    wait(desk, "document.querySelector('#opened-1 #place-1') !== null && document.getElementById('opened-2').hidden")
    press(desk, "1")
    wait(desk, "document.getElementById('opened-1').hidden")


def test_the_keys_are_listed_switched_off_and_never_taken_from_a_field(
    desk: Chrome, session: Session, pairs: list[int]
) -> None:
    press(desk, "?")
    wait(desk, "document.querySelector('dialog[open]') !== null")
    assert desk.execute_script("return document.activeElement.closest('dialog') !== null")
    press(desk, "d")
    press(desk, Keys.ESCAPE)
    wait(desk, "document.querySelector('dialog[open]') === null")
    field = desk.find_element(By.CSS_SELECTOR, "header input[type=search], header input[type=text]")
    field.send_keys("dscgwb?")
    ActionChains(desk).key_down(Keys.CONTROL).send_keys("c").key_up(Keys.CONTROL).perform()
    desk.execute_script("document.activeElement.blur()")
    ActionChains(desk).key_down(Keys.CONTROL).send_keys("c").key_up(Keys.CONTROL).perform()
    assert desk.find_element(By.CSS_SELECTOR, "[value=does_not]").get_attribute("aria-keyshortcuts") == "d"
    press(desk, "?")
    desk.find_element(By.ID, "keys-on").send_keys(Keys.SPACE)
    press(desk, Keys.ESCAPE)
    wait(desk, "document.querySelector('dialog[open]') === null")
    press(desk, "d")
    assert desk.find_element(By.CSS_SELECTOR, "[value=does_not]").get_attribute("aria-keyshortcuts") is None
    assert desk.find_elements(By.CSS_SELECTOR, ".desk kbd:not([hidden])") == []
    assert decided(session) == []
    assert desk.find_element(By.ID, "desk").get_attribute("data-pair") == str(pairs[0])


@pytest.fixture
def server(app: Flask) -> Iterator[Callable[[int], BaseWSGIServer]]:
    """Serves the dashboard at a port (0: any free one), as often as it is asked to."""
    running: list[tuple[BaseWSGIServer, Thread]] = []

    def serve(port: int) -> BaseWSGIServer:
        made = make_server("127.0.0.1", port, app, threaded=True)
        thread = Thread(target=made.serve_forever)
        thread.start()
        running.append((made, thread))
        return made

    yield serve
    for made, thread in running:
        made.shutdown()
        thread.join()
        made.server_close()


def test_a_server_that_fails_loses_nothing(
    browser: Chrome, server: Callable[[int], BaseWSGIServer], session: Session, pairs: list[int]
) -> None:
    first = server(0)
    served = f"http://127.0.0.1:{first.server_port}"
    sign_in(browser, served)
    go(browser, f"{served}/pair/{pairs[0]}")
    first.shutdown()
    first.server_close()
    press(browser, "d")
    wait(browser, "document.querySelector('#trouble button') !== null")
    on(browser, pairs[0])
    assert "wasn’t recorded" in browser.find_element(By.ID, "trouble").text
    assert decided(session) == []
    server(first.server_port)
    browser.find_element(By.CSS_SELECTOR, "#trouble button").click()
    on(browser, pairs[2])
    assert decided(session) == [("does_not", False)]
    assert browser.find_element(By.ID, "trouble").text == ""


def test_who_signed_out_elsewhere_is_brought_back_and_told(
    desk: Chrome, served: str, session: Session, pairs: list[int]
) -> None:
    desk.execute_cdp_cmd("Network.clearBrowserCookies", {})
    press(desk, "d")
    wait(desk, "document.querySelector('#trouble button') !== null")
    on(desk, pairs[0])
    assert decided(session) == []
    desk.find_element(By.CSS_SELECTOR, "#trouble button").click()
    wait(desk, "document.querySelector('#trouble a')?.href.includes('/sign-in?next=')")
    desk.find_element(By.CSS_SELECTOR, "#trouble a").click()
    wait(desk, "document.getElementById('name') !== null")
    desk.find_element(By.ID, "name").send_keys("Ada", Keys.ENTER)
    wait(desk, "document.getElementById('desk') !== null || location.pathname === '/sign-in/resume'")


def test_a_pair_that_was_judged_again_meanwhile_is_shown_again_with_the_reason(
    desk: Chrome, config: Config, session: Session, pairs: list[int]
) -> None:
    fill(session, config.var, [replace(BIRTHDAY, qualifiers={})])
    press(desk, "d")
    wait(desk, "document.querySelector('#trouble a') !== null")
    on(desk, pairs[0])
    assert "judged again since you opened the page" in desk.find_element(By.ID, "trouble").text
    assert decided(session) == []
    desk.find_element(By.CSS_SELECTOR, "#trouble a").click()
    on(desk, pairs[0])
    press(desk, "d")
    on(desk, pairs[2])
    assert decided(session) == [("does_not", False)]


def test_what_another_decided_meanwhile_is_said_and_both_are_shown(
    desk: Chrome, session: Session, pairs: list[int]
) -> None:
    for pair, decision in ((pairs[0], "supports"), (pairs[2], "cant_tell")):
        verdict = session.scalars(
            select(schema.Verdict.id).where(schema.Verdict.pair_id == pair, schema.Verdict.current)
        )
        decide(session, verdict.one(), "Grace", decision)
    session.commit()
    press(desk, "d")
    on(desk, pairs[2])
    wait(desk, "document.querySelector('.recorded') !== null")
    assert "Meanwhile Grace has decided about the pair below" in desk.find_element(By.CLASS_NAME, "recorded").text
    press(desk, "u")
    on(desk, pairs[0])
    press(desk, "d")
    on(desk, pairs[1])
    press(desk, "k")
    on(desk, pairs[0])
    both = desk.find_element(By.CLASS_NAME, "disputed").text
    assert "People disagree" in both
    assert "Grace" in both
    assert "Ada (you)" in both


def test_the_same_without_scripts(scriptless: Chrome, served: str, session: Session, pairs: list[int]) -> None:
    sign_in(scriptless, served)
    scriptless.get(f"{served}/pair/{pairs[0]}")
    scriptless.find_element(By.CSS_SELECTOR, "button[value=does_not]").click()
    WebDriverWait(scriptless, 10).until(lambda one: f"/pair/{pairs[2]}?decided=" in one.current_url)
    strip = scriptless.find_element(By.CLASS_NAME, "recorded")
    assert "14 March 1952" in strip.text
    assert "That statement on Wikidata" in strip.text
    assert not scriptless.find_element(By.CSS_SELECTOR, "[data-opens=keys]").is_displayed()
    scriptless.find_element(By.CSS_SELECTOR, ".recorded .undo button").click()
    WebDriverWait(scriptless, 10).until(lambda one: one.current_url.endswith(f"/pair/{pairs[0]}"))
    assert decided(session) == [("does_not", True)]
    scriptless.find_element(By.CSS_SELECTOR, "#passage-1 a[data-place]").click()
    WebDriverWait(scriptless, 10).until(lambda one: one.current_url.endswith("/page#place-1"))
    assert "Montecito" in scriptless.find_element(By.ID, "read").text


def test_from_the_list_to_a_decision_without_a_name_and_without_scripts(
    scriptless: Chrome, served: str, session: Session, pairs: list[int]
) -> None:
    scriptless.get(f"{served}/pair/{pairs[0]}?property=P569")
    scriptless.find_element(By.CSS_SELECTOR, "button[value=does_not]").click()
    WebDriverWait(scriptless, 10).until(lambda one: one.find_elements(By.ID, "name"))
    scriptless.find_element(By.ID, "name").send_keys("Ada", Keys.ENTER)
    WebDriverWait(scriptless, 10).until(lambda one: one.current_url.startswith(f"{served}/sign-in/resume"))
    scriptless.find_element(By.CSS_SELECTOR, "main form button").click()
    # The list has no other pair of the property, so one stays with what was decided.
    WebDriverWait(scriptless, 10).until(lambda one: f"/pair/{pairs[0]}?decided=" in one.current_url)
    assert "Recorded: The page does not." in scriptless.find_element(By.CLASS_NAME, "recorded").text
    assert "That was the last of this list." in scriptless.find_element(By.CLASS_NAME, "crumbs").text
    assert "The page does not – Ada" in scriptless.find_element(By.CLASS_NAME, "decided").text
    assert session.scalars(select(schema.Review.reviewer)).all() == ["Ada"]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[str]:
    """The structured page on a server of its own, far down below other text; its address."""
    far = STRUCTURED_PAGE.replace("<h2>", "<div style='height:3000px'></div><h2>").replace(
        "<h3>", "<div style='height:3000px'></div><h3>"
    )
    (tmp_path / "lee.html").write_text(far, encoding="utf-8")
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/lee.html"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("number", "text"),
    [(1, "12 May 1901, Leeds"), (2, "The Lighthouse Keepers"), (3, "Born there on"), (4, "Thomas Hill")],
    ids=["row", "cell", "list", "definition"],
)
def test_a_link_to_the_live_page_leads_to_the_very_text(
    browser: Chrome, served: str, session: Session, config: Config, library: str, number: int, text: str
) -> None:
    (pair,) = fill(session, config.var, [replace(ROWS, url=library)])
    browser.get(f"{served}/pair/{pair}")
    if number > 1:
        browser.find_element(By.CSS_SELECTOR, f"#passage-{number} summary").click()
    browser.find_element(By.CSS_SELECTOR, f"#passage-{number} [data-live]").click()
    WebDriverWait(browser, 10).until(lambda one: one.current_url.startswith(library))
    at = "return [...document.querySelectorAll('td, li, dd')].find(e => e.textContent.startsWith(arguments[0]))"
    element = browser.execute_script(at, text)
    top = "return arguments[0].getBoundingClientRect().top"
    WebDriverWait(browser, 5).until(lambda _: 0 < browser.execute_script(top, element) < 900, text)
    assert browser.execute_script("return scrollY") > 2000


def test_on_the_page_as_it_was_read_a_passage_leads_to_its_place_and_back(
    browser: Chrome, served: str, pairs: list[int]
) -> None:
    browser.get(f"{served}/pair/{pairs[0]}/page")
    browser.find_element(By.CSS_SELECTOR, "#passage-3 a[href='#place-3']").click()
    place = browser.find_element(By.ID, "place-3")
    assert browser.current_url.endswith("#place-3")
    box = browser.execute_script("return arguments[0].getBoundingClientRect().top", place)
    assert 0 <= box < 900
    place.click()
    assert browser.current_url.endswith("#passage-3")


def test_the_page_as_read_is_scrolled_by_keys(browser: Chrome, served: str, session: Session, config: Config) -> None:
    (pair,) = fill(session, config.var, [ROWS])
    browser.get(f"{served}/pair/{pair}/page")
    region = browser.find_element(By.CLASS_NAME, "read")
    browser.execute_script("arguments[0].focus()", region)
    assert browser.switch_to.active_element == region
    region.send_keys(Keys.END)
    WebDriverWait(browser, 5).until(lambda _: browser.execute_script("return arguments[0].scrollTop", region) > 0)


HOSTILE = "<script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">"
LONG = f"{HOSTILE} " + "word " * 4_000
ARABIC = "وُلِدَتْ آن لي في مدينة ليدز في الثاني عشر من مايو عام 1901 وكانت كاتبة إنجليزية معروفة جدا. "


@pytest.mark.parametrize("width", [320, 1280])
def test_enormous_and_hostile_content_leaves_the_desk_usable(
    browser: Chrome, served: str, session: Session, config: Config, width: int
) -> None:
    item = Term("Q9", f"Item {LONG}", (), f"described {LONG}")
    said = f"{ARABIC * 30}{'x' * 2_000}. {'Ann Lee was born in 1901, she says to them. ' * 40}"
    page = f"<!doctype html><html lang='en'><title>{'t' * 400}</title><main><p>{said}</p></main></html>"
    case = Case(
        item,
        BORN,
        text_snak("P569", f"value {LONG}"),
        f"https://evil.example/{'a' * 2_000}?q=<script>document.title='taken'</script>",
        page,
        Stance.REFUTES,
        0.04,
        quotes=(Quote("1901", 0.9, 0.05, 0.9, 0.05, (("value", "conflict", "1901"),)),),
        reason=f"reason {LONG}",
        qualifiers={f"P{number}": [text_snak(f"P{number}", f"{HOSTILE} {number}")] for number in range(1000, 1050)},
        guid="Q9$1E0A2C3B-0000-4000-8000-000000000009",
    )
    (pair,) = fill(session, config.var, [case], [*ALL_TERMS, item])
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {**LAPTOP, "width": width})
    sign_in(browser, served)
    go(browser, f"{served}/pair/{pair}")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert browser.title != "taken"
    if width > 1000:
        parts = ("h1", ".reason", "#passage-1 summary", ".decisions button")
        assert seen(browser, *parts) == dict.fromkeys(parts, True)
    press(browser, "d")
    wait(browser, "document.querySelector('.recorded, [aria-pressed=true]') !== null")
    assert decided(session) == [("does_not", False)]
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert browser.execute_script("return document.querySelectorAll('#desk img, #desk script').length") == 0
