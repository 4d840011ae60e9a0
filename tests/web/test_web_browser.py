"""The desk in a real Chromium: the flows of an editor, with scripts and without, wide and narrow, and for everyone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from axe_selenium_python import Axe
from selenium.common.exceptions import WebDriverException
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait
from sqlalchemy import select
from sqlalchemy.orm import Session

from config import Config
from store import schema
from store.measured import keep
from tests.web.desk import ROWS, STRUCTURED_PAGE, UNREAD, fill
from tests.web.figures import FIGURES

pytestmark = pytest.mark.xdist_group("chromium")

PATHS = [
    "/",
    "/?outcome=not_found",
    "/?property=P999",
    "/pair/{judged}",
    "/pair/{lost}",
    "/pair/{rows}",
    "/pair/{unread}",
    "/property/P569",
    "/property/P569/preview?wording=pattern&text={{subject}} was born on {{object}}, they say.",
    "/property/P569/preview?wording=pattern&text=nothing",
    "/properties",
    "/runs",
    "/about",
    "/measured",
    "/?stance=cant_tell",
    "/sign-in",
    "/nowhere",
]


@pytest.fixture
def many(session: Session, pairs: list[int], unsure: int, structured: list[int]) -> list[int]:
    """The usual pairs, then a page with tables and lists, then one in a language that isn't read.

    There is one of which the judge can't tell too, and there are figures of how well it does.
    """
    keep(session, "judge-1", FIGURES)
    session.commit()
    return [*pairs, *structured]


def address(served: str, path: str, pairs: list[int]) -> str:
    """The full address of one of the paths above."""
    return served + path.format(judged=pairs[0], lost=pairs[3], rows=pairs[-2], unread=pairs[-1])


def press(browser: Chrome, text: str, within: str = "main") -> None:
    """Press the first button or follow the first link that has this text, and wait for the next page."""
    found = [
        element
        for element in browser.find_elements(By.CSS_SELECTOR, f"{within} button, {within} a")
        if text in element.text
    ]
    assert found, f"no button or link has {text!r} in {browser.find_element(By.TAG_NAME, within).text}"
    found[0].click()
    WebDriverWait(browser, 10).until(lambda _: gone(found[0]))


def gone(element: WebElement) -> bool:
    """True once the page of the element was left."""
    try:
        element.is_enabled()
    except WebDriverException:
        return True
    return False


def widest(browser: Chrome) -> int:
    """How many pixels the page needs from side to side."""
    width: int = browser.execute_script("return document.documentElement.scrollWidth")
    return width


def shown(browser: Chrome) -> str:
    """The text of the page's main part as a reader sees it."""
    return browser.find_element(By.TAG_NAME, "main").text


def test_from_the_list_to_a_decision_and_back_without_scripts(
    scriptless: Chrome, served: str, session: Session, pairs: list[int]
) -> None:
    scriptless.get(f"{served}/?property=P569")
    press(scriptless, "Douglas Adams was born on 11 March 1952.")
    assert scriptless.current_url == f"{served}/pair/{pairs[0]}?property=P569"
    press(scriptless, "The page does not")
    assert "/sign-in" in scriptless.current_url
    scriptless.find_element(By.ID, "name").send_keys("Ada")
    press(scriptless, "Sign in")
    assert scriptless.current_url == f"{served}/pair/{pairs[0]}?property=P569"
    press(scriptless, "The page does not")
    assert "Recorded: The page does not." in shown(scriptless)
    assert "The page does not – Ada" in shown(scriptless)
    assert session.scalars(select(schema.Review.reviewer)).all() == ["Ada"]
    press(scriptless, "Back to the list")
    assert "Reviewed pairs are left out" in shown(scriptless)
    scriptless.back()
    press(scriptless, "Undo")
    assert "Your decision is undone." in shown(scriptless)
    press(scriptless, "Back to the list")
    assert "Douglas Adams was born on 11 March 1952." in shown(scriptless)


def test_a_wording_is_previewed_saved_and_restored_without_scripts(
    scriptless: Chrome, served: str, session: Session, pairs: list[int]
) -> None:
    scriptless.get(f"{served}/sign-in")
    scriptless.find_element(By.ID, "name").send_keys("Ada", Keys.ENTER)
    WebDriverWait(scriptless, 10).until(lambda browser: browser.current_url == f"{served}/")
    scriptless.get(f"{served}/property/P569")
    pattern = scriptless.find_element(By.ID, "pattern")
    pattern.send_keys("{subject} first saw the light on")
    press(scriptless, "Preview this sentence")
    assert "The pattern lacks {object}." in shown(scriptless)
    scriptless.find_element(By.ID, "pattern").send_keys(" {object}.")
    press(scriptless, "Preview this sentence")
    assert "Douglas Adams first saw the light on 11 March 1952." in shown(scriptless)
    press(scriptless, "Save this wording")
    assert "2 pairs wait to be judged again" in shown(scriptless)
    press(scriptless, "Remove")
    assert "In force: Citewell’s own wording" in shown(scriptless)
    press(scriptless, "Restore")
    assert "In force: the sentence “{subject} first saw the light on {object}.”" in shown(scriptless)
    texts = session.scalars(select(schema.Override.text).order_by(schema.Override.id)).all()
    assert texts == ["{subject} first saw the light on {object}.", None, "{subject} first saw the light on {object}."]


def test_filters_by_the_form(browser: Chrome, served: str, pairs: list[int]) -> None:
    browser.get(served)
    for field, value in (("f-stance", "supports"), ("f-state", "all")):
        browser.find_element(By.CSS_SELECTOR, f"#{field} option[value={value}]").click()
    press(browser, "Show")
    assert [claim.text for claim in browser.find_elements(By.CSS_SELECTOR, ".queue .claim")] == [
        "Douglas Adams was born in Cambridge."
    ]
    press(browser, "Clear")
    assert len(browser.find_elements(By.CSS_SELECTOR, ".queue .claim")) == 3


def test_a_passage_leads_to_its_place_and_back(browser: Chrome, served: str, pairs: list[int]) -> None:
    browser.get(f"{served}/pair/{pairs[0]}")
    browser.find_element(By.CSS_SELECTOR, "#passage-3 a[href='#place-3']").click()
    place = browser.find_element(By.ID, "place-3")
    assert browser.current_url.endswith("#place-3")
    box = browser.execute_script("return arguments[0].getBoundingClientRect().top", place)
    assert 0 <= box < 900
    place.click()
    assert browser.current_url.endswith("#passage-3")


@pytest.fixture
def structured(session: Session, config: Config) -> list[int]:
    """A page with tables and lists, and one in a language that isn't read."""
    return [*fill(session, config.var, [ROWS]), *fill(session, config.var, [UNREAD])]


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
def test_a_link_to_the_source_leads_to_the_very_text(
    browser: Chrome, served: str, structured: list[int], library: str, number: int, text: str
) -> None:
    browser.get(f"{served}/pair/{structured[0]}")
    link = browser.find_element(By.XPATH, f"//*[@id='passage-{number}']//a[contains(., 'Open the source')]")
    address, fragment = (link.get_attribute("href") or "").split("#", 1)
    assert address == ROWS.url
    browser.get(f"{library}#{fragment}")
    at = "return [...document.querySelectorAll('td, li, dd')].find(e => e.textContent.startsWith(arguments[0]))"
    element = browser.execute_script(at, text)
    top = "return arguments[0].getBoundingClientRect().top"
    WebDriverWait(browser, 5).until(lambda _: 0 < browser.execute_script(top, element) < 900, fragment)
    assert browser.execute_script("return scrollY") > 2000


def test_the_page_as_read_is_scrolled_by_keys(browser: Chrome, served: str, structured: list[int]) -> None:
    browser.get(f"{served}/pair/{structured[0]}")
    region = browser.find_element(By.CLASS_NAME, "read")
    browser.execute_script("arguments[0].focus()", region)
    assert browser.switch_to.active_element == region
    region.send_keys(Keys.END)
    WebDriverWait(browser, 5).until(lambda _: browser.execute_script("return arguments[0].scrollTop", region) > 0)


def test_the_first_key_leads_past_the_menu(browser: Chrome, served: str, pairs: list[int]) -> None:
    browser.get(served)
    browser.switch_to.active_element.send_keys(Keys.TAB)
    skip = browser.switch_to.active_element
    assert skip.text == "Skip to the content"
    assert browser.execute_script("return arguments[0].getBoundingClientRect().top", skip) >= 0
    skip.send_keys(Keys.ENTER)
    assert browser.execute_script("return document.activeElement.id") == "main"


def test_nothing_is_asked_of_other_hosts(browser: Chrome, served: str, many: list[int]) -> None:
    for path in PATHS:
        browser.get(address(served, path, many))
        loaded = browser.execute_script("return performance.getEntriesByType('resource').map(entry => entry.name)")
        assert all(name.startswith(f"{served}/static/") for name in loaded), loaded


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_no_page_is_wider_than_its_screen(browser: Chrome, served: str, many: list[int], width: int) -> None:
    screen = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 1000}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    for path in PATHS:
        browser.get(address(served, path, many))
        # A phone's viewport settles a moment after the page has loaded.
        WebDriverWait(browser, 10).until(lambda browser: widest(browser) <= width, f"{path} is too wide")


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_axe_finds_nothing_serious(browser: Chrome, served: str, many: list[int], scheme: str, width: int) -> None:
    screen = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    found = {}
    for path in PATHS:
        browser.get(address(served, path, many))
        axe = Axe(browser)
        axe.inject()
        for violation in axe.run()["violations"]:
            if violation["impact"] in ("serious", "critical"):
                found[path, violation["id"]] = [node["html"] for node in violation["nodes"]][:3]
    assert found == {}
